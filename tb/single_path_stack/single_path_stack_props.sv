// SPDX-License-Identifier: Apache-2.0
// Rules R1..R12 of the single-path stack and what follows from them, for one arbitrary but fixed warp, under any requests
// at all, legal or not, and any resets. `mine` is every entry of that warp, through the twin's formal view.
// Nothing is assumed but a reset at the start. Two premises, of no_lane_lost and none_waits_there alone, are the
// compiler's: no code lies at NoPc, and lanes go there only out of a function that was called, so that an entry beneath
// waits with them. A warp for which one of them does not hold is `astray` until it is done; every other property holds
// for it too.
`define STACK single_path_stack
`define STACK_PKG single_path_stack_pkg
`define STACK_ENTRY single_path_stack_pkg::Entry
module single_path_stack_props (
  input logic clk_i,
  input logic rst_ni,
  input control_flow_pkg::Grant grant_i,
  input control_flow_pkg::Slots held_i,
  input control_flow_pkg::Resolve resolve_i
);
  `include "../bench/stack_view.svh"
  `include "../bench/stack_turns.svh"
  (* hierconn *) logic \i_dut.too_deep ;

  // ---- the warp's entries ----
  logic [Depth*Lanes-1:0] mask;  // from the lowest entry on
  logic [Depth*PcBits-1:0] rpc;
  logic [Lanes-1:0] reachable, lower;
  logic all_off_rpc, all_nested, all_strict, all_apart, all_small, found, at_rpc;
  logic [7:0] call_entries;

  always_comb begin
    // A call entry has RPC none and lanes of the entry beneath. That one alone may wait at its RPC, for an RPC there is.
    all_off_rpc = 1'b1;
    all_small = 1'b1;
    call_entries = '0;
    at_rpc = 1'b0;
    mask = '0;
    rpc = '0;
    for (int k = 0; k < Depth; k++) begin
      e = top;
      if (32'(depth) != k + 1) e = mine[((k + 1) % Depth)*EntryBits +: EntryBits];
      if (k < 32'(depth)) begin
        mask[k*Lanes +: Lanes] = e.mask;
        rpc[k*PcBits +: PcBits] = e.rpc;
        if (k > 0) begin
          if (at_rpc && e.rpc != control_flow_pkg::NoPc) all_off_rpc = 1'b0;
          if (e.rpc == control_flow_pkg::NoPc && (e.mask & mask[((k+Depth-1)%Depth)*Lanes +: Lanes]) != '0)
            call_entries = call_entries + 1'b1;
        end
        at_rpc = e.mask != '0 && e.pc == e.rpc;
        if (at_rpc && e.rpc == control_flow_pkg::NoPc) all_off_rpc = 1'b0;
        if (e.mask != '0 && 2 * 32'(ones(e.mask)) + k > 2 * Lanes + 32'(call_entries)) all_small = 1'b0;
      end
    end

    // A mask stands strictly inside that of an entry beneath, namely the one that diverged. When that one was not kept
    // (equal RPCs), inside the one that it stood in itself; where the lowest entry meets too, there may be none, nor in a
    // called function.
    // Two masks are apart, or the upper one is strictly inside the lower one: no lane is in two paths of one branch. When
    // they are equal, the lower one called.
    all_strict = 1'b1;
    all_nested = 1'b1;
    all_apart = 1'b1;
    reachable = '0;
    lower = '0;
    for (int k = 0; k < Depth; k++) begin
      found = mask[k*Lanes +: Lanes] == '0 || rpc[k*PcBits +: PcBits] == rpc[PcBits-1:0] ||
              rpc[k*PcBits +: PcBits] == control_flow_pkg::NoPc;
      for (int j = 0; j < k; j++) begin
        if (strictly_in(mask[k*Lanes +: Lanes], mask[j*Lanes +: Lanes])) found = 1'b1;
        if ((mask[k*Lanes +: Lanes] & mask[j*Lanes +: Lanes]) != '0 &&
            !strictly_in(mask[k*Lanes +: Lanes], mask[j*Lanes +: Lanes]) &&
            !(mask[k*Lanes +: Lanes] == mask[j*Lanes +: Lanes] &&
              rpc[(j+1)*PcBits +: PcBits] == control_flow_pkg::NoPc)) all_apart = 1'b0;
      end
      if (k < 32'(depth)) begin
        if (!found) all_strict = 1'b0;
        if (k > 0 && rpc[k*PcBits +: PcBits] != rpc[PcBits-1:0] && (mask[k*Lanes +: Lanes] & live & ~reachable) != '0)
          all_nested = 1'b0;
        reachable = reachable | mask[k*Lanes +: Lanes];
        if (32'(depth) != k + 1) lower = reachable;
      end
    end
  end

  // ---- what was asked of it ----
  logic issued, advanced, for_me, there, nowhere, allowed, legal, loop, target_live, fall_live, calls, parts;
  logic places, leaves, both;
  single_path_stack_pkg::Entry before, expected, parent, second;
  logic [PcBits-1:0] fall;
  logic [Lanes-1:0] rest;

  always_ff @(posedge clk_i) begin
    astray_q <= rst_ni && (astray || (astray_q && depth != '0));
  end

  always_comb begin
    issued = granted_q.valid && granted_q.warp == warp && !granted_q.right && was_top_q.mask != '0;
    advanced = issued && !held_back;
    before = was_top_q;
    for_me = asked_q.op != control_flow_pkg::None && asked_q.warp == warp;
    fall = before.pc + 1'b1;
    rest = before.mask & ~asked_q.lanes;
    there = !asked_q.right && before.mask != '0 && (asked_q.lanes & ~before.mask) == '0 && !issued;
    nowhere = asked_q.target == control_flow_pkg::NoPc && asked_q.lanes != '0 &&
              (before.rpc != control_flow_pkg::NoPc || (rest != '0 && asked_q.rpc != control_flow_pkg::NoPc));  // R12
    calls = for_me && asked_q.op == control_flow_pkg::Call && there && rest == '0 &&
            asked_q.target != control_flow_pkg::NoPc;  // R11, R12
    allowed = calls || (for_me && (asked_q.op == control_flow_pkg::Launch ? was_depth_q == '0 && asked_q.lanes != '0
                                   : asked_q.op == control_flow_pkg::Branch ? there && !nowhere
                                   : asked_q.op == control_flow_pkg::Exit && there));
    loop = asked_q.rpc == before.rpc;
    target_live = asked_q.target != asked_q.rpc;
    fall_live = fall != asked_q.rpc;
    parts = allowed && asked_q.op == control_flow_pkg::Branch && asked_q.lanes != '0 && rest != '0 &&
            (target_live || fall_live);
    leaves = calls || (parts && !loop);
    both = parts && target_live && fall_live;
    legal = allowed && 32'(was_depth_q) + 32'(leaves) + 32'(both) <= Depth;  // R9
    if (!legal) {calls, parts, leaves, both} = '0;
    places = calls || parts;

    // The TOS after a legal request, or after the advance (R1), before R6
    expected = before;
    if (!legal) expected.pc = advanced ? fall : before.pc;
    else if (asked_q.op == control_flow_pkg::Launch) expected = {asked_q.target, asked_q.lanes, asked_q.rpc};
    else if (asked_q.op == control_flow_pkg::Exit) expected = {fall, rest, before.rpc};
    else if (calls) expected = {asked_q.target, before.mask, control_flow_pkg::NoPc};
    else if (rest == '0) expected.pc = asked_q.target;
    else if (asked_q.lanes == '0) expected.pc = fall;
    else if (target_live) expected = {asked_q.target, asked_q.lanes, asked_q.rpc};
    else if (fall_live) expected = {fall, rest, asked_q.rpc};
    else expected.pc = asked_q.rpc;
    if (expected.mask == '0 || expected.pc == expected.rpc) {expected.pc, expected.mask} = '0;
  end

  // The entries that a push leaves beneath, and the one that a pop shows
  single_path_stack_pkg::Entry beneath, above, uncovered;
  always_comb begin
    beneath = '0;
    above = '0;
    uncovered = '0;
    for (int k = 0; k < Depth - 1; k++) begin
      if (32'(was_depth_q) == k + 1) beneath = mine[(k + 1)*EntryBits +: EntryBits];
      if (32'(was_depth_q) == k) above = mine[(k + 1)*EntryBits +: EntryBits];
      if (32'(was_depth_q) == k + 2) uncovered = was_mine_q[(k + 1)*EntryBits +: EntryBits];
    end
    uncovered.mask = uncovered.mask & was_live_q;
    if (uncovered.mask == '0 || uncovered.pc == uncovered.rpc) {uncovered.pc, uncovered.mask} = '0;
    parent = {calls ? fall : asked_q.rpc, before.mask, before.rpc};
    second = {fall, rest, asked_q.rpc};
  end

  // What the two premises exclude
  logic astray, astray_q;
  assign astray = top.pc + 1'b1 == control_flow_pkg::NoPc ||
                  (resolve_i.op != control_flow_pkg::None && resolve_i.op != control_flow_pkg::Call &&
                   resolve_i.target == control_flow_pkg::NoPc && resolve_i.warp == warp &&
                   (resolve_i.lanes & ~lower) != '0);

  logic popped, ended;
  assign popped = turn_q && !reset_q;
  assign ended = depth == '0;

  always_comb begin
    assume (32'(warp) < Warps);
    if (!started_q) assume (!rst_ni);

    if (started_q) begin
      // ---- what always holds ----
      `include "../bench/stack_always.svh"
      `include "../bench/one_path_always.svh"
      `include "../bench/stack_pops.svh"
      no_path_at_rpc:   assert (top.mask == '0 || top.pc != top.rpc);  // R6
      none_waits_there: assert (astray_q || all_off_rpc);
      paths_nest:       assert (all_nested);
      masks_apart:      assert (all_apart);
      strictly_inside:  assert (all_strict);
      no_lane_lost:     assert (astray_q || depth == '0 || rpc[PcBits-1:0] != control_flow_pkg::NoPc ||
                               (live & ~reachable) == '0);
      entries_suffice:  assert (all_small &&
                                (Depth < 2 * Lanes - 1 || resolve_i.warp != warp ||
                                 resolve_i.op == control_flow_pkg::Call || call_entries != '0 || !\i_dut.too_deep ));

      // ---- what an edge does ----
      if (!reset_q) begin
        if (!advanced && !legal && !popped)  // R10, and other warps' requests
          others_keep: assert (mine == was_mine_q && depth == was_depth_q && live == was_live_q);
        if (advanced || legal)  // R1..R5
          top_after: assert (top == expected);
        if (legal && (calls || asked_q.op == control_flow_pkg::Branch))  // R4, R11
          push_counts: assert (ended || 32'(depth) == 32'(was_depth_q) + 32'(leaves) + 32'(both));
        if (leaves) push_keeps: assert (beneath == parent);
        if (both) push_second: assert ((leaves ? above : beneath) == second);
        if (parts) push_strict: assert (strictly_in(top.mask, before.mask) && (!both || strictly_in(rest, before.mask)));
        if (legal && asked_q.op == control_flow_pkg::Exit && !ended)  // R5
          exit_clears: assert (live == (was_live_q & ~asked_q.lanes) && depth == was_depth_q);
        if (popped) begin  // R7
          pop_counts:   assert (32'(depth) == 32'(was_depth_q) - 1 || ended);
          pop_uncovers: assert (top == uncovered);
        end
        // Status of the edge
        lanes_moved_when: assert (status.lanes_moved[warp] == (places || popped));
        redirected_when: assert (status.redirected_left[warp] == (top.mask != '0 && (legal || popped)) &&
                            status.redirected_right == '0);

        pushed_twice:    cover (both && 32'(depth) == 5);
        pushed_in_place: cover (both && loop);
        lane_left_below: cover (popped && uncovered != '0 && was_live_q != '1 && depth != '0);
        called_again:    cover (calls && 32'(depth) == 4 && top.mask != '0);
        came_back:       cover (popped && rpc[PcBits-1:0] != control_flow_pkg::NoPc && top.mask == live &&
                                was_top_q.rpc == control_flow_pkg::NoPc && 32'(depth) == 1);
        called_too_deep: cover (for_me && allowed && !legal && asked_q.op == control_flow_pkg::Call);
        refused:         cover (for_me && !legal && was_depth_q != '0);
        rests_again:     cover (idle && was_pop_q == '0 && !was_idle_q && depth != '0 &&
            was_status_q.lanes_moved != '0);
        before_nowhere:  cover (popped && top.pc + 1'b1 == control_flow_pkg::NoPc && top.mask != '0);
        never_astray:    cover (popped && top.pc + 2'd2 == control_flow_pkg::NoPc && !astray_q && 32'(depth) == 3);
      end
    end
  end
endmodule
