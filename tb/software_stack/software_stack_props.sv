// SPDX-License-Identifier: Apache-2.0
// Rules R1..R12 of the software-managed stack and what follows from them, for one arbitrary but fixed warp, under any
// requests at all, legal or not, and any resets: so no program, however it pushes and pops, runs a lane twice or brings
// one back that has left. `mine` is every entry of that warp, through the twin's formal view. Nothing is assumed but a
// reset at the start.
`define STACK software_stack
`define STACK_PKG software_stack_pkg
`define STACK_ENTRY software_stack_pkg::Entry
module software_stack_props (
  input logic clk_i,
  input logic rst_ni,
  input control_flow_pkg::Grant grant_i,
  input control_flow_pkg::Slots held_i,
  input control_flow_pkg::Resolve resolve_i
);
  `include "../bench/stack_view.svh"
  `include "../bench/stack_turns.svh"

  // ---- the warp's entries ----
  logic [Lanes-1:0] reachable, beneath_l, beneath_r;
  logic all_disjoint, all_nested;

  always_comb begin
    // An entry's two paths have no lane in common, and all its lanes are of one path of the entry beneath: the one that
    // pushed it.
    all_disjoint = 1'b1;
    all_nested = 1'b1;
    reachable = '0;
    beneath_l = '0;
    beneath_r = '0;
    for (int k = 0; k < Depth; k++) begin
      e = top;
      if (32'(depth) != k + 1) e = mine[((k + 1) % Depth)*EntryBits +: EntryBits];
      if (k < 32'(depth)) begin
        if ((e.mask_l & e.mask_r) != '0) all_disjoint = 1'b0;
        if (k > 0 && ((e.mask_l | e.mask_r) & ~beneath_l) != '0 && ((e.mask_l | e.mask_r) & ~beneath_r) != '0)
          all_nested = 1'b0;
        reachable = reachable | e.mask_l | e.mask_r;
        beneath_l = e.mask_l;
        beneath_r = e.mask_r;
      end
    end
  end

  // ---- what was asked of it ----
  logic issued, advanced, for_me, there, allowed, legal, parts, pushes, opens, ends;
  software_stack_pkg::Entry before, expected, parent, beneath, uncovered;
  control_flow_pkg::Path slot;
  logic [PcBits-1:0] fall;
  logic [Lanes-1:0] rest, sibling;

  always_comb begin
    issued = granted_q.valid && granted_q.warp == warp && (granted_q.right ? was_top_q.mask_r : was_top_q.mask_l) != '0;
    advanced = issued && !held_back;
    before = was_top_q;  // with the advance, R1
    if (advanced && !granted_q.right) before.pc_l = was_top_q.pc_l + 1'b1;
    if (advanced && granted_q.right) before.pc_r = was_top_q.pc_r + 1'b1;

    for_me = asked_q.op != control_flow_pkg::None && asked_q.warp == warp;
    slot = asked_q.right ? {before.pc_r, before.mask_r} : {before.pc_l, before.mask_l};
    sibling = asked_q.right ? before.mask_l : before.mask_r;
    fall = slot.pc + 1'b1;
    rest = slot.mask & ~asked_q.lanes;
    there = slot.mask != '0 && (asked_q.lanes & ~slot.mask) == '0 && !(issued && granted_q.right == asked_q.right);
    parts = asked_q.op == control_flow_pkg::Branch && asked_q.lanes != '0 && rest != '0;
    opens = asked_q.op == control_flow_pkg::Push;
    pushes = opens || (parts && sibling != '0);  // R4, R11
    ends = asked_q.op == control_flow_pkg::Pop;
    allowed = for_me && (asked_q.op == control_flow_pkg::Launch ? was_depth_q == '0 && asked_q.lanes != '0
                         : asked_q.op == control_flow_pkg::Branch ? there
                         : asked_q.op == control_flow_pkg::Exit ? there
                         : opens ? there && rest == '0  // R11
                         : ends && there && rest == '0 && 32'(was_depth_q) > 1);  // R12
    legal = allowed && !(pushes && 32'(was_depth_q) == Depth);  // R9
    if (!legal) {parts, pushes, opens, ends} = '0;

    // The TOS after a legal request
    expected = before;
    if (asked_q.op == control_flow_pkg::Launch) expected = {asked_q.target, asked_q.lanes, {PathBits{1'b0}}};
    else if (parts) expected = {asked_q.target, asked_q.lanes, fall, rest};
    else if (opens) expected = {asked_q.target, slot.mask, {PathBits{1'b0}}};
    else begin
      if (asked_q.op == control_flow_pkg::Exit) slot = {fall, rest};
      else if (ends) slot = '0;
      else slot.pc = rest == '0 ? asked_q.target : fall;
      if (asked_q.right) {expected.pc_r, expected.mask_r} = slot;
      else {expected.pc_l, expected.mask_l} = slot;
    end
    if (expected.mask_l == '0) expected.pc_l = '0;  // R6
    if (expected.mask_r == '0) expected.pc_r = '0;

    // The entry that a push leaves beneath, and the one that a pop shows
    parent = before;
    if (asked_q.right) parent.pc_r = asked_q.rpc;
    else parent.pc_l = asked_q.rpc;
    beneath = '0;
    uncovered = '0;
    for (int k = 0; k < Depth - 1; k++) begin
      if (32'(was_depth_q) == k + 1) beneath = mine[(k + 1)*EntryBits +: EntryBits];
      if (32'(was_depth_q) == k + 2) uncovered = was_mine_q[(k + 1)*EntryBits +: EntryBits];
    end
    uncovered.mask_l = uncovered.mask_l & was_live_q;
    uncovered.mask_r = uncovered.mask_r & was_live_q;
    if (uncovered.mask_l == '0) uncovered.pc_l = '0;
    if (uncovered.mask_r == '0) uncovered.pc_r = '0;
  end

  logic popped, ended;
  assign popped = turn_q && !reset_q;
  assign ended = depth == '0;

  always_comb begin
    assume (32'(warp) < Warps);
    if (!started_q) assume (!rst_ni);

    if (started_q) begin
      // ---- what always holds ----
      `include "../bench/stack_always.svh"
      `include "../bench/pair_always.svh"
      `include "../bench/stack_pops.svh"
      lowest_is_there:  assert (32'(depth) != 1 || {top.mask_l, top.mask_r} != '0);  // R8
      sides_disjoint:   assert (all_disjoint);
      one_path_beneath: assert (all_nested);
      no_lane_lost:     assert ((live & ~reachable) == '0);
      waits_when_blank: assert (pop == (32'(depth) > 1 && {top.mask_l, top.mask_r} == '0));

      // ---- what an edge does ----
      if (!reset_q) begin
        if (!advanced && !legal && !popped)  // R10, and other warps' requests
          others_keep: assert (mine == was_mine_q && depth == was_depth_q && live == was_live_q);
        if (advanced && !for_me) advance: assert (top == before && depth == was_depth_q);  // R1
        if (legal) top_after: assert (top == expected);  // R2..R5, R11, R12
        if (pushes) push_keeps: assert (32'(depth) == 32'(was_depth_q) + 1 && beneath == parent);
        if (legal && !pushes && asked_q.op != control_flow_pkg::Launch)
          no_push: assert (depth == was_depth_q || ended);
        if (legal && asked_q.op == control_flow_pkg::Exit && !ended)  // R5
          exit_clears: assert (live == (was_live_q & ~asked_q.lanes));
        if (popped) begin  // R7
          pop_counts:   assert (32'(depth) == 32'(was_depth_q) - 1 || ended);
          pop_uncovers: assert (top == uncovered);
        end
        // Status of the edge
        lanes_moved_when: assert (status.lanes_moved[warp] == (parts || pushes || popped));
        redirected_when: assert (status.redirected_left[warp] ==
                                 (top.mask_l != '0 && (parts || pushes || popped || (legal && (!asked_q.right ||
                                  asked_q.op == control_flow_pkg::Launch)))) &&
                                 status.redirected_right[warp] ==
                                 (top.mask_r != '0 && (parts || pushes || popped || (legal && asked_q.right &&
                                  asked_q.op != control_flow_pkg::Launch))));

        pushed_beside:   cover (pushes && sibling != '0 && 32'(depth) == 3);
        as_wide:         cover (pushes && 32'(depth) == 3 && top.mask_l == live);
        first_pop:       cover (ends && sibling != '0);
        both_back:       cover (popped && top.mask_l != '0 && top.mask_r != '0);
        lane_left_below: cover (popped && uncovered != '0 && was_live_q != '1 && depth != '0);
        pushed_too_deep: cover (for_me && allowed && !legal);
        parts_beside:    cover (parts && pushes && 32'(depth) == 3);
        no_slot:         cover (for_me && asked_q.op == control_flow_pkg::Branch && allowed && !legal);
        refused:         cover (for_me && !legal && was_depth_q != '0);
        rests_again:     cover (idle && was_pop_q == '0 && !was_idle_q && depth != '0 &&
            was_status_q.lanes_moved != '0);
      end
    end
  end
endmodule
