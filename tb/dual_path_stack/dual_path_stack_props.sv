// SPDX-License-Identifier: Apache-2.0
// Rules R1..R13 of the dual-path stack and what follows from them, for one arbitrary but fixed warp, under any requests at
// all, legal or not, and any resets. `mine` is every entry of that warp, through the twin's formal view.
// Nothing is assumed but a reset at the start. Two premises, of no_lane_lost and none_waits_there alone, are the
// compiler's: no code lies at NoPc, and lanes go there only out of a function that was called, so that an entry beneath
// waits with them. A warp for which one of them does not hold is `astray` until it is done; every other property holds
// for it too.
`define STACK dual_path_stack
`define STACK_PKG dual_path_stack_pkg
`define STACK_ENTRY pair_kit_pkg::Entry
module dual_path_stack_props (
  input logic clk_i,
  input logic rst_ni,
  input control_flow_pkg::Grant grant_i,
  input control_flow_pkg::Slots held_i,
  input control_flow_pkg::Resolve resolve_i
);
  localparam int MemorySplits = dual_path_stack_pkg::MemorySplits;
  `include "../bench/stack_view.svh"
  `include "../bench/stack_turns.svh"
  (* hierconn *) logic [Warps-1:0] \i_dut.g_formal.split_by_memory ;
  (* hierconn *) logic \i_dut.too_deep ;

  // ---- the warp's entries ----
  logic [Depth*Lanes-1:0] mask_l, mask_r;  // from the lowest entry on
  logic [Depth*PcBits-1:0] rpc;
  logic [Lanes-1:0] reachable, lower, own, below_l, below_r;
  logic split_by_memory, was_split_by_memory_q;
  logic all_disjoint, all_off_rpc, all_nested, all_strict, all_apart, all_small, found_l, found_r, at_rpc;
  logic [7:0] call_entries;

  always_comb begin
    split_by_memory = 1'b0;
    for (int w = 0; w < Warps; w++) if (32'(warp) == w) split_by_memory = \i_dut.g_formal.split_by_memory [w];
    // An entry's lanes are of one path of the entry beneath, or of none. Of one and with RPC none: a call entry; the
    // path that called, alone of those beneath, may wait at its RPC, for an RPC there is.
    all_disjoint = 1'b1;
    all_off_rpc = 1'b1;
    all_apart = 1'b1;
    all_small = 1'b1;
    call_entries = '0;
    at_rpc = 1'b0;
    own = '0;
    below_l = '0;
    below_r = '0;
    mask_l = '0;
    mask_r = '0;
    rpc = '0;
    for (int k = 0; k < Depth; k++) begin
      e = top;
      if (32'(depth) != k + 1) e = mine[((k + 1) % Depth)*EntryBits +: EntryBits];
      if (k < 32'(depth)) begin
        mask_l[k*Lanes +: Lanes] = e.mask_l;
        mask_r[k*Lanes +: Lanes] = e.mask_r;
        if (split_by_memory && 32'(depth) == k + 1) begin  // one path, as far as others are concerned
          mask_l[k*Lanes +: Lanes] = e.mask_l | e.mask_r;
          mask_r[k*Lanes +: Lanes] = e.mask_l | e.mask_r;
        end
        rpc[k*PcBits +: PcBits] = e.rpc;
        if ((e.mask_l & e.mask_r) != '0) all_disjoint = 1'b0;
        own = e.mask_l | e.mask_r;
        if (at_rpc && e.rpc != control_flow_pkg::NoPc) all_off_rpc = 1'b0;
        at_rpc = (e.mask_l != '0 && e.pc_l == e.rpc) || (e.mask_r != '0 && e.pc_r == e.rpc);
        if (at_rpc && e.rpc == control_flow_pkg::NoPc) all_off_rpc = 1'b0;
        if ((own & (below_l | below_r)) != '0) begin
          if ((own & ~below_l) != '0 && (own & ~below_r) != '0) all_apart = 1'b0;
          if (e.rpc == control_flow_pkg::NoPc) call_entries = call_entries + 1'b1;
        end
        below_l = e.mask_l;
        below_r = e.mask_r;
        if (e.mask_l != '0 && 32'(ones(mask_l[k*Lanes +: Lanes])) + k > Lanes + 32'(call_entries)) all_small = 1'b0;
        if (e.mask_r != '0 && 32'(ones(mask_r[k*Lanes +: Lanes])) + k > Lanes + 32'(call_entries)) all_small = 1'b0;
      end
    end

    // A path stands strictly inside a path of an entry beneath, namely the one that diverged. When that one was not
    // kept (equal RPCs), inside the one that it stood in itself; from an entry that meets where the lowest one does,
    // there may be none, nor in a called function.
    all_strict = 1'b1;
    all_nested = 1'b1;
    reachable = '0;
    lower = '0;
    for (int k = 0; k < Depth; k++) begin
      found_l = rpc[k*PcBits +: PcBits] == rpc[PcBits-1:0] || rpc[k*PcBits +: PcBits] == control_flow_pkg::NoPc;
      found_r = found_l || mask_r[k*Lanes +: Lanes] == '0;
      found_l = found_l || mask_l[k*Lanes +: Lanes] == '0;
      for (int j = 0; j < k; j++) begin
        if (strictly_in(mask_l[k*Lanes +: Lanes], mask_l[j*Lanes +: Lanes])) found_l = 1'b1;
        if (strictly_in(mask_l[k*Lanes +: Lanes], mask_r[j*Lanes +: Lanes])) found_l = 1'b1;
        if (strictly_in(mask_r[k*Lanes +: Lanes], mask_l[j*Lanes +: Lanes])) found_r = 1'b1;
        if (strictly_in(mask_r[k*Lanes +: Lanes], mask_r[j*Lanes +: Lanes])) found_r = 1'b1;
      end
      if (k < 32'(depth)) begin
        if (!found_l || !found_r) all_strict = 1'b0;
        if (k > 0 && rpc[k*PcBits +: PcBits] != rpc[PcBits-1:0] &&
            ((mask_l[k*Lanes +: Lanes] | mask_r[k*Lanes +: Lanes]) & live & ~reachable) != '0) all_nested = 1'b0;
        reachable = reachable | mask_l[k*Lanes +: Lanes] | mask_r[k*Lanes +: Lanes];
        if (32'(depth) != k + 1) lower = reachable;
      end
    end
  end

  // ---- what was asked of it ----
  logic issued, advanced, for_me, there, nowhere, allowed, legal, loop, target_live, fall_live, calls, parts,
      memory_splits;
  logic places, pushes;
  control_flow_pkg::Path beside;
  pair_kit_pkg::Entry before, expected;
  control_flow_pkg::Path slot, kept;
  logic [PcBits-1:0] fall;
  logic [Lanes-1:0] rest, sibling;

  always_ff @(posedge clk_i) begin
    was_split_by_memory_q <= split_by_memory;
    astray_q <= rst_ni && (astray || (astray_q && depth != '0));
  end

  always_comb begin
    issued = granted_q.valid && granted_q.warp == warp && (granted_q.right ? was_top_q.mask_r : was_top_q.mask_l) != '0;
    advanced = issued && !held_back;
    before = was_top_q;  // with the advance, R1
    if (advanced && !granted_q.right) before.pc_l = was_top_q.pc_l + 1'b1;
    if (advanced && granted_q.right) before.pc_r = was_top_q.pc_r + 1'b1;
    if (before.pc_l == before.rpc) {before.pc_l, before.mask_l} = '0;
    if (before.pc_r == before.rpc) {before.pc_r, before.mask_r} = '0;

    for_me = asked_q.op != control_flow_pkg::None && asked_q.warp == warp;
    slot = asked_q.right ? {before.pc_r, before.mask_r} : {before.pc_l, before.mask_l};
    beside = asked_q.right ? {before.pc_l, before.mask_l} : {before.pc_r, before.mask_r};
    sibling = beside.mask;
    fall = slot.pc + 1'b1;
    rest = slot.mask & ~asked_q.lanes;
    there = slot.mask != '0 && (asked_q.lanes & ~slot.mask) == '0 && !(issued && granted_q.right == asked_q.right);
    nowhere = asked_q.target == control_flow_pkg::NoPc && asked_q.lanes != '0 &&
              (before.rpc != control_flow_pkg::NoPc || (rest != '0 && asked_q.rpc != control_flow_pkg::NoPc));  // R12
    calls = for_me && asked_q.op == control_flow_pkg::Call && there && rest == '0 &&
            asked_q.target != control_flow_pkg::NoPc;  // R11, R12
    // R13: nobody issues, and somebody is chosen among those that are there, one path or one that was split by memory,
    // at one PC
    memory_splits = MemorySplits != 0 && for_me && asked_q.op == control_flow_pkg::MemorySplit && !issued &&
            asked_q.lanes != '0 && (asked_q.lanes & ~(before.mask_l | before.mask_r)) == '0 &&
            (before.mask_l == '0 || before.mask_r == '0 || (before.pc_l == before.pc_r && was_split_by_memory_q));
    allowed = calls || memory_splits ||
              (for_me && (asked_q.op == control_flow_pkg::Launch ? was_depth_q == '0 && asked_q.lanes != '0
                                   : asked_q.op == control_flow_pkg::Branch ? there && !nowhere
                                   : asked_q.op == control_flow_pkg::Exit && there));
    loop = asked_q.rpc == before.rpc;
    target_live = asked_q.target != asked_q.rpc;
    fall_live = fall != asked_q.rpc;
    parts = allowed && asked_q.op == control_flow_pkg::Branch && asked_q.lanes != '0 && rest != '0 &&
            (target_live || fall_live);
    pushes = calls || (parts && !(loop && sibling == '0));
    legal = allowed && 32'(was_depth_q) + 32'(pushes) <= Depth;  // R9
    if (!legal) {calls, parts, pushes, memory_splits} = '0;
    places = calls || parts || memory_splits;

    // The TOS after a legal request, before R6
    expected = before;
    kept = calls ? {fall, slot.mask} : loop ? '0 : {asked_q.rpc, slot.mask};
    if (asked_q.op == control_flow_pkg::Launch) begin
      expected = '0;
      expected.pc_l = asked_q.target;
      expected.mask_l = asked_q.lanes;
      expected.rpc = asked_q.rpc;
    end else if (memory_splits) begin
      {expected.pc_l, expected.mask_l} = {before.mask_l != '0 ? before.pc_l : before.pc_r,
                                          (before.mask_l | before.mask_r) ^ asked_q.lanes};
      {expected.pc_r, expected.mask_r} = {expected.pc_l, asked_q.lanes};
      if (!asked_q.right) {expected.mask_l, expected.mask_r} = {expected.mask_r, expected.mask_l};
    end else if (calls) begin
      expected = '0;
      {expected.pc_l, expected.mask_l} = {asked_q.target, slot.mask};
      expected.rpc = control_flow_pkg::NoPc;
    end else if (places) begin
      expected = '0;
      if (target_live) {expected.pc_l, expected.mask_l} = {asked_q.target, asked_q.lanes};
      if (fall_live) {expected.pc_r, expected.mask_r} = {fall, rest};
      expected.rpc = asked_q.rpc;
    end else begin
      if (asked_q.op == control_flow_pkg::Exit) slot = {fall, rest};
      else if (rest == '0) slot.pc = asked_q.target;
      else if (asked_q.lanes == '0) slot.pc = fall;
      else slot = kept;
      if (asked_q.right) {expected.pc_r, expected.mask_r} = slot;
      else {expected.pc_l, expected.mask_l} = slot;
    end
    if (expected.mask_l == '0 || expected.pc_l == expected.rpc) {expected.pc_l, expected.mask_l} = '0;
    if (expected.mask_r == '0 || expected.pc_r == expected.rpc) {expected.pc_r, expected.mask_r} = '0;
  end

  // The entry that a push leaves beneath, and the one that a pop shows
  pair_kit_pkg::Entry beneath, uncovered, parent;
  always_comb begin
    beneath = '0;
    uncovered = '0;
    for (int k = 0; k < Depth - 1; k++) begin
      if (32'(was_depth_q) == k + 1) beneath = mine[(k + 1)*EntryBits +: EntryBits];
      if (32'(was_depth_q) == k + 2) uncovered = was_mine_q[(k + 1)*EntryBits +: EntryBits];
    end
    popped = turn_q && !reset_q;
    uncovered.mask_l = uncovered.mask_l & was_live_q;
    uncovered.mask_r = uncovered.mask_r & was_live_q;
    if (uncovered.mask_l == '0 || uncovered.pc_l == uncovered.rpc) {uncovered.pc_l, uncovered.mask_l} = '0;
    if (uncovered.mask_r == '0 || uncovered.pc_r == uncovered.rpc) {uncovered.pc_r, uncovered.mask_r} = '0;
    parent = before;
    if (asked_q.right) {parent.pc_r, parent.mask_r} = kept;
    else {parent.pc_l, parent.mask_l} = kept;
  end

  // What the two premises exclude
  logic astray, astray_q;
  assign astray = top.pc_l + 1'b1 == control_flow_pkg::NoPc || top.pc_r + 1'b1 == control_flow_pkg::NoPc ||
                  (resolve_i.op != control_flow_pkg::None && resolve_i.op != control_flow_pkg::Call &&
                   resolve_i.target == control_flow_pkg::NoPc && resolve_i.warp == warp &&
                   (resolve_i.lanes & ~lower) != '0);

  logic popped, ended;
  logic [Lanes-1:0] slot_q;  // lanes of the slot that was resolved
  assign ended = depth == '0;
  assign slot_q = asked_q.right ? before.mask_r : before.mask_l;

  always_comb begin
    assume (32'(warp) < Warps);
    if (!started_q) assume (!rst_ni);

    if (started_q) begin
      // ---- what always holds ----
      `include "../bench/stack_always.svh"
      `include "../bench/pair_always.svh"
      `include "../bench/stack_pops.svh"
      lowest_is_there:   assert (32'(depth) != 1 || {top.mask_l, top.mask_r} != '0);  // R8
      no_path_at_rpc:    assert ((top.mask_l == '0 || top.pc_l != top.rpc) &&
                                 (top.mask_r == '0 || top.pc_r != top.rpc));  // R6
      none_waits_there:  assert (astray_q || all_off_rpc);
      masks_disjoint:    assert (all_disjoint);
      sides_disjoint:    assert ((top.mask_l & top.mask_r) == '0);  // no lane runs twice
      waits_when_due:    assert (pop == (32'(depth) > 1 && {top.mask_l, top.mask_r} == '0));
      paths_nest:        assert (all_nested);
      strictly_inside:   assert (all_strict);
      no_lane_lost:      assert (astray_q || depth == '0 || rpc[PcBits-1:0] != control_flow_pkg::NoPc ||
                                (live & ~reachable) == '0);
      one_path_beneath:  assert (all_apart);
      n_entries_suffice: assert (all_small && (Depth < Lanes || resolve_i.warp != warp || call_entries != '0 ||
                                               resolve_i.op == control_flow_pkg::Call || !\i_dut.too_deep ));

      // ---- what an edge does ----
      if (!reset_q) begin
        if (!advanced && !legal && !popped)  // R10, and other warps' requests
          others_keep: assert (mine == was_mine_q && depth == was_depth_q && live == was_live_q);
        if (advanced && !for_me)  // R1
          advance: assert (top == before && (ended ? {before.mask_l, before.mask_r} == '0 : depth == was_depth_q));
        if (legal)  // R2..R5
          top_after: assert (top == expected);
        if (pushes) begin  // R4, R11
          push_counts: assert (32'(depth) == 32'(was_depth_q) + 1);
          push_keeps:  assert (beneath == parent);
          if (parts)
            push_strict: assert (strictly_in(top.mask_l, asked_q.right ? before.mask_r : before.mask_l) &&
                                 strictly_in(top.mask_r, asked_q.right ? before.mask_r : before.mask_l));
        end
        if (legal && !pushes && asked_q.op != control_flow_pkg::Launch)
          no_push: assert (depth == was_depth_q || ended);
        if (legal && asked_q.op == control_flow_pkg::Exit && !ended)  // R5
          exit_clears: assert (live == (was_live_q & ~asked_q.lanes));
        if (popped) begin  // R7
          pop_counts:    assert (32'(depth) == 32'(was_depth_q) - 1 || ended);
          pop_uncovers:  assert (top == uncovered);
        end
        // Status of the edge
        lanes_moved_when:  assert (status.lanes_moved[warp] == (places || popped));
        redirected_when:  assert (status.redirected_left[warp] ==
                             (top.mask_l != '0 && (places || popped || (legal && (!asked_q.right ||
                              asked_q.op == control_flow_pkg::Launch)))) &&
                             status.redirected_right[warp] ==
                             (top.mask_r != '0 && (places || popped || (legal && asked_q.right &&
                              asked_q.op != control_flow_pkg::Launch))));

        if (memory_splits) memory_split_keeps: assert (depth == was_depth_q && live == was_live_q &&
                                       (top.mask_l | top.mask_r) == (was_top_q.mask_l | was_top_q.mask_r) &&
                                       (top.mask_l == '0 || top.mask_r == '0 || top.pc_l == top.pc_r) &&
                                       split_by_memory == (top.mask_l != '0 && top.mask_r != '0));  // R13
        split_by_memory_when: assert (!split_by_memory || (top.mask_l != '0 && top.mask_r != '0 && (memory_splits ||
            (was_split_by_memory_q && !places && !popped))));
        if (MemorySplits != 0) begin
          split_by_memory_apart:     cover (memory_splits && was_top_q.mask_l == '0 && top.mask_l != '0 &&
              top.mask_r != '0);
          split_by_memory_together:  cover (memory_splits && was_top_q.mask_l != '0 && was_top_q.mask_r != '0 &&
              top.mask_r == '0);
          no_memory_split:         cover (for_me && asked_q.op == control_flow_pkg::MemorySplit && !legal && issued &&
                                  was_top_q.pc_l == was_top_q.pc_r);
          never_split_by_memory:     cover (for_me && asked_q.op == control_flow_pkg::MemorySplit && !legal && !issued &&
                                  asked_q.lanes == (top.mask_l | top.mask_r) && was_top_q.pc_l == was_top_q.pc_r);
          parted_alone:    cover (pushes && parts && was_top_q.pc_l == was_top_q.pc_r && sibling != '0);
        end
        pushed_twice:      cover (pushes && 32'(depth) == 3 && top.mask_l != '0 && top.mask_r != '0);
        pushed_beside:     cover (pushes && sibling != '0 && loop && was_depth_q != '0);
        lane_left_below:   cover (popped && uncovered != '0 && was_live_q != '1 && depth != '0);
        called_beside:     cover (calls && sibling != '0 && top.mask_l != '0);
        came_back:         cover (popped && was_top_q.rpc == control_flow_pkg::NoPc && top.mask_l == live &&
                                  rpc[PcBits-1:0] != control_flow_pkg::NoPc && 32'(depth) == 1);
        called_too_deep:   cover (for_me && allowed && !legal && asked_q.op == control_flow_pkg::Call);
        refused:           cover (for_me && !legal && was_depth_q != '0);
        rests_again:       cover (idle && was_pop_q == '0 && !was_idle_q && depth != '0 &&
            was_status_q.lanes_moved != '0);
        before_nowhere:    cover (popped && top.pc_l + 1'b1 == control_flow_pkg::NoPc && {top.mask_l, top.mask_r} != '0);
        never_astray:      cover (popped && top.pc_l + 2'd2 == control_flow_pkg::NoPc && !astray_q && 32'(depth) == 2);
      end
    end
  end
endmodule
