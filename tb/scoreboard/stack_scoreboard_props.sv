// SPDX-License-Identifier: Apache-2.0
// The invariant of DESIGN 6.3, with the dual-path stack and the shadow scoreboard together: no instruction ever issues
// while one of its lanes has a write under way to a register that it names.
//
// One warp, and one arbitrary register. A write of it is under way, on the side on which its instruction issued, for the
// lanes that the slot had then, until its release. The environment stands for the SM and is free but for three rules:
// a slot issues only when it is valid, not fresh and without a hazard; what is released was issued and not released
// before, as far as this register goes, and a part of it for lanes that are on the other side then; a warp starts only
// when none of its writes is under way. Branches, exits (on any
// slot at any time, legal or not), held heads, releases and resets come as they like. So what is assumed is about inputs
// alone, and the SM owes it: the first in issue_slice's gate and scheduler, the others by DESIGN sec. 5 (a warp slot is
// reused only after its last writeback). The stack is dual_path_stack, or forwarding_stack, which is looked at from reset
// to a bound: what is suspended beneath, and may come up on either side, is in no port. Without the first assumption
// the property does not hold: in the cycle of `lanes_moved` the scoreboard has not sampled yet.
`include "stack_scoreboard_point.svh"
module stack_scoreboard_props (
  input logic clk_i,
  input logic rst_ni,
  input logic [scoreboard_pkg::HeadBits-1:0] head_left_i,
  input logic [scoreboard_pkg::HeadBits-1:0] head_right_i,
  input control_flow_pkg::Grant grant_i,
  input control_flow_pkg::Slots held_i,
  input control_flow_pkg::Resolve resolve_i,
  input scoreboard_pkg::Release release_i
);
  localparam int Lanes = `STACK_PACKAGE::Lanes;
  localparam int Depth = `STACK_PACKAGE::Depth;
  localparam int StackBits = `STACK_PACKAGE::EntryBits;
  localparam int Entries = scoreboard_pkg::Entries;
  localparam int EntryBits = scoreboard_pkg::EntryBits;
  localparam int IdBits = scoreboard_pkg::IdBits;
  localparam int Forwarding = `FORWARDING;
  localparam int MemorySplits = `MEMORY_SPLITS;

  (* anyconst *) logic [IdBits-1:0] name;
  logic started_q = 1'b0;

  logic [`STACK_PACKAGE::PathBits-1:0] left, right;
  logic [`STACK_PACKAGE::CountBits-1:0] depth;
  control_flow_pkg::Status status;
  logic idle;
  scoreboard_pkg::Hazard hazard;
  `STACK #(.Formal(1)) i_stack (
    .clk_i, .rst_ni, .grant_i, .held_i, .resolve_i, .left_o(left), .right_o(right), .depth_o(depth), .status_o(status),
    .idle_o(idle)
  );
  scoreboard i_scoreboard (
    .clk_i, .rst_ni, .head_left_i, .head_right_i, .grant_i, .decode_i('0), .flush_i('0), .release_i, .status_i(status),
    .hazard_o(hazard)
  );
  (* hierconn *) logic [Depth*StackBits-1:0] \i_stack.g_formal.entries ;
  (* hierconn *) logic \i_stack.g_formal.pop_bits ;
  (* hierconn *) logic \i_stack.g_formal.takes ;
  (* hierconn *) logic [StackBits-1:0] \i_stack.g_formal.word ;
  (* hierconn *) logic [Lanes-1:0] \i_stack.g_formal.live ;
  (* hierconn *) logic [2*Entries*EntryBits-1:0] \i_scoreboard.g_warp[0].set ;

  function automatic logic is_it(input logic [IdBits-1:0] id, input logic wide);
    is_it = id == name || (wide && id[IdBits-1] && {id[IdBits-1:1], !id[0]} == name);
  endfunction

  // ---- what the SM sees ----
  control_flow_pkg::Path path_left, path_right;
  scoreboard_pkg::Head head;
  logic [Lanes-1:0] mask;
  logic issues, names_it, writes_it, waits;
  always_comb begin
    path_left = left;
    path_right = right;
    head = grant_i.right ? head_right_i : head_left_i;
    mask = grant_i.right ? path_right.mask : path_left.mask;
    waits = grant_i.right ? hazard.own_right || hazard.shadow_right || hazard.full_right
                          : hazard.own_left || hazard.shadow_left || hazard.full_left;
    issues = grant_i.valid;
    names_it = is_it(head.a, head.a_wide) || is_it(head.b, head.b_wide) || is_it(head.c, head.c_wide) ||
               is_it(head.guard, 1'b0) || is_it(head.d, head.d_wide);
    writes_it = is_it(head.d, head.d_wide);
  end

  // ---- the writes of this register under way: of which lanes, under which name, issued on which side ----
  logic [Lanes-1:0] left_lanes_q, right_lanes_q, lanes;
  logic [IdBits-1:0] left_id_q, right_id_q;
  logic left_any_q, right_any_q;  // its release is to come, though by then it may be for no lane
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!rst_ni) begin
      left_lanes_q <= '0;
      right_lanes_q <= '0;
      {left_any_q, right_any_q} <= '0;
    end else begin
      if (release_i.valid && release_i.warp == '0 && !release_i.right && release_i.id == left_id_q)
        {left_any_q, left_lanes_q} <= release_i.part ? {left_any_q, left_lanes_q & ~path_right.mask} : '0;
      if (release_i.valid && release_i.warp == '0 && release_i.right && release_i.id == right_id_q)
        {right_any_q, right_lanes_q} <= release_i.part ? {right_any_q, right_lanes_q & ~path_left.mask} : '0;
      if (issues && writes_it && !grant_i.right) begin
        {left_any_q, left_lanes_q} <= {1'b1, mask};
        left_id_q <= head.d;
      end
      if (issues && writes_it && grant_i.right) begin
        {right_any_q, right_lanes_q} <= {1'b1, mask};
        right_id_q <= head.d;
      end
    end
  end

  // ---- the scoreboard's entry of each ----
  scoreboard_pkg::Entry entry;
  pair_kit_pkg::Entry level;
  logic left_p, left_s, right_p, right_s, disjoint, sane, was_read;
  always_comb begin
    {left_p, left_s, right_p, right_s} = '0;
    sane = 1'b1;
    for (int e = 0; e < 2 * Entries; e++) begin
      entry = \i_scoreboard.g_warp[0].set [e*EntryBits+:EntryBits];
      if (entry.s && !entry.p) sane = 1'b0;
      if (entry.p && is_it(entry.id, entry.wide)) begin
        // What stands in the scoreboard is under way.
        if (e < Entries ? !left_any_q || left_id_q != entry.id : !right_any_q || right_id_q != entry.id)
          sane = 1'b0;
        if (e < Entries ? left_p : right_p) sane = 1'b0;
        if (e < Entries) {left_p, left_s} = {1'b1, entry.s};
        else {right_p, right_s} = {1'b1, entry.s};
      end
    end
    was_read = 1'b1;  // the entry that a pop shows
    disjoint = 1'b1;
    for (int k = 0; k < Depth; k++) begin
      level = \i_stack.g_formal.entries [k*StackBits+:StackBits];
      if ((k == 0 || (Forwarding == 0 && k < 32'(depth))) && (level.mask_l & level.mask_r) != '0) disjoint = 1'b0;
      if (k != 0 && 32'(depth) == k + 1 && \i_stack.g_formal.word != level) was_read = 1'b0;
    end
    lanes = left_lanes_q | right_lanes_q;
  end

  always_comb begin
    if (!started_q) assume (!rst_ni);
    assume (name != '0);
    // The SM issues from ready slots alone; a grant of another one is refused by name, or a fault of the SM.
    if (issues) assume (grant_i.warp == '0 && !waits &&
                        (grant_i.right ? status.valid_right && !status.redirected_right
                                       : status.valid_left && !status.redirected_left));
    // A warp starts when no write of the one before it is under way.
    if (resolve_i.op == control_flow_pkg::Launch) assume (lanes == '0);
    // A lane that is suspended beneath and waits for such a write may come up on the other side.
    if (Forwarding != 0) assume (!release_i.part);

    if (started_q) begin
      // The aim, without exception
      if (issues && names_it) never_too_early: assert ((mask & lanes) == '0);
      // DESIGN 6.3: P, and S too where the lane is on the other side, or the scoreboard hears of it in this cycle
      pending_has_p: assert ((left_lanes_q == '0 || left_p) && (right_lanes_q == '0 || right_p));
      crossed_has_s: assert (((left_lanes_q & path_right.mask) == '0 || left_s || status.lanes_moved[0]) &&
                             ((right_lanes_q & path_left.mask) == '0 || right_s || status.lanes_moved[0]));
      // What induction needs of the two blocks
      // With path forwarding one that came up runs on through a pop: its lanes change no side.
      if (Forwarding == 0)
        lanes_moved_cannot_issue: assert (!status.lanes_moved[0] ||
                                          ((!status.valid_left[0] || status.redirected_left[0]) &&
                                           (!status.valid_right[0] || status.redirected_right[0])));
      valid_is_lanes:     assert (status.valid_left[0] == (path_left.mask != '0) &&
                                  status.valid_right[0] == (path_right.mask != '0));
      masks_disjoint:     assert (disjoint);
      no_path_of_none:    assert (depth != '0 || {path_left.mask, path_right.mask} == '0);
      depth_and_lanes:    assert ((depth == '0) == (\i_stack.g_formal.live == '0));
      lowest_is_there:    assert (32'(depth) != 1 || {path_left.mask, path_right.mask} != '0);
      masks_live:         assert (((path_left.mask | path_right.mask) & ~\i_stack.g_formal.live ) == '0);
      depth_fits:         assert (32'(depth) <= Depth);
      if (Forwarding == 0) waits_when_blank: assert (\i_stack.g_formal.pop_bits == (32'(depth) > 1 && {path_left.mask, path_right.mask} == '0));
      if (Forwarding == 0) read_for_it: assert (\i_stack.g_formal.takes == \i_stack.g_formal.pop_bits &&
                                                (!\i_stack.g_formal.takes || was_read));
      scoreboard_sane:    assert (sane);

      waits_for_other_side: cover (names_it && !grant_i.valid && (path_left.mask & right_lanes_q) != '0 &&
                                   hazard.shadow_left && !hazard.own_left && !status.redirected_left[0] &&
                                       status.valid_left[0]);
      heard_in_this_cycle:  cover (status.lanes_moved[0] && (path_right.mask & left_lanes_q) != '0 && !left_s);
      pop_with_pending:     cover (status.lanes_moved[0] && depth == 1 && right_lanes_q != '0 && rst_ni);
      both_sides_pending:   cover (left_lanes_q != '0 && right_lanes_q != '0);
      part_goes_on:         cover (issues && names_it && grant_i.right && left_lanes_q != '0 && left_p &&
                                   (MemorySplits == 0 || path_left.pc == path_right.pc));
    end
  end
endmodule
