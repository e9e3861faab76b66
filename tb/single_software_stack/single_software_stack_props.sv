// SPDX-License-Identifier: Apache-2.0
// Rules R1..R12 of the software-managed single-path stack and what follows from them, for one arbitrary but fixed warp, under any
// requests at all, legal or not, and any resets: so no program, however it pushes and pops, runs a lane twice or brings
// one back that has left. `mine` is every entry of that warp, through the twin's formal view. Nothing is assumed but a
// reset at the start.
`define STACK single_software_stack
`define STACK_PKG single_software_stack_pkg
`define STACK_ENTRY single_software_stack_pkg::Entry
module single_software_stack_props (
  input logic clk_i,
  input logic rst_ni,
  input control_flow_pkg::Grant grant_i,
  input control_flow_pkg::Slots held_i,
  input control_flow_pkg::Resolve resolve_i
);
  `include "../bench/stack_view.svh"
  `include "../bench/stack_turns.svh"
  (* hierconn *) logic [Warps*CountBits-1:0] \i_dut.g_formal.opened ;

  // ---- the warp's entries ----
  logic [CountBits-1:0] open, was_open_q, counted;
  logic [Lanes-1:0] reachable, above;
  logic all_related, all_strict;

  always_comb begin
    open = '0;
    for (int w = 0; w < Warps; w++) if (32'(warp) == w) open = \i_dut.g_formal.opened [w*CountBits +: CountBits];
    // What a push of the program left beneath has all lanes that are above it; what a branch left has none of them.
    all_related = 1'b1;
    all_strict = 1'b1;
    counted = '0;
    reachable = '0;
    above = top.mask;
    if (depth != '0) reachable = top.mask;
    for (int k = Depth - 2; k >= 0; k--) begin
      e = mine[(k + 1)*EntryBits +: EntryBits];
      if (k + 1 < 32'(depth)) begin
        if (e.pushed ? (above & ~e.mask) != '0 : (above & e.mask) != '0) all_related = 1'b0;
        if (e.mask == '0) all_strict = 1'b0;
        if (e.pushed) counted = counted + 1'b1;
        above = above | e.mask;
        reachable = reachable | e.mask;
      end
    end
  end

  // ---- what was asked of it ----
  logic issued, advanced, for_me, there, allowed, legal, parts, pushes, opens, ends;
  single_software_stack_pkg::Entry before, expected, parent, beneath, uncovered;
  logic closed;
  logic [PcBits-1:0] fall;
  logic [Lanes-1:0] rest;

  always_ff @(posedge clk_i) was_open_q <= open;

  always_comb begin
    issued = granted_q.valid && granted_q.warp == warp && !granted_q.right && was_top_q.mask != '0;
    advanced = issued && !held_back;
    before = was_top_q;  // with the advance, R1
    if (advanced) before.pc = was_top_q.pc + 1'b1;

    for_me = asked_q.op != control_flow_pkg::None && asked_q.warp == warp;
    fall = before.pc + 1'b1;
    rest = before.mask & ~asked_q.lanes;
    there = before.mask != '0 && !asked_q.right && (asked_q.lanes & ~before.mask) == '0 && !issued;
    parts = asked_q.op == control_flow_pkg::Branch && asked_q.lanes != '0 && rest != '0;
    opens = asked_q.op == control_flow_pkg::Push;
    pushes = opens || parts;  // R4, R11
    ends = asked_q.op == control_flow_pkg::Pop;
    allowed = for_me && (asked_q.op == control_flow_pkg::Launch ? was_depth_q == '0 && asked_q.lanes != '0
                         : asked_q.op == control_flow_pkg::Branch ? there
                         : asked_q.op == control_flow_pkg::Exit ? there
                         : opens ? there && rest == '0  // R11
                         : ends && there && rest == '0 && was_open_q != '0);  // R12
    legal = allowed && !(pushes && 32'(was_depth_q) == Depth);  // R9
    if (!legal) {parts, pushes, opens, ends} = '0;

    // The TOS after a legal request
    expected = before;
    if (asked_q.op == control_flow_pkg::Launch) expected = {asked_q.target, asked_q.lanes, 1'b0};
    else if (parts) expected = {asked_q.target, asked_q.lanes, 1'b0};
    else if (opens) expected.pc = asked_q.target;
    else if (asked_q.op == control_flow_pkg::Exit) expected = {fall, rest, 1'b0};
    else if (ends) expected = '0;
    else expected.pc = rest == '0 ? asked_q.target : fall;
    if (expected.mask == '0) expected.pc = '0;  // R6

    // The entry that a push leaves beneath, and the one that a pop shows
    parent = opens ? {asked_q.rpc, before.mask, 1'b1} : {fall, rest, 1'b0};
    beneath = '0;
    uncovered = '0;
    for (int k = 0; k < Depth - 1; k++) begin
      if (32'(was_depth_q) == k + 1) beneath = mine[(k + 1)*EntryBits +: EntryBits];
      if (32'(was_depth_q) == k + 2) uncovered = was_mine_q[(k + 1)*EntryBits +: EntryBits];
    end
    closed = uncovered.pushed;
    uncovered.mask = uncovered.mask & was_live_q;
    if (uncovered.mask == '0) uncovered.pc = '0;
    uncovered.pushed = 1'b0;
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
      `include "../bench/one_path_always.svh"
      `include "../bench/stack_pops.svh"
      lanes_of_entries: assert (all_related);
      no_blank_beneath: assert (all_strict);
      pushes_counted:   assert (open == counted);
      no_lane_lost:     assert ((live & ~reachable) == '0);

      if (!reset_q && was_idle_q && !granted_q.valid && asked_q.op == control_flow_pkg::None)
        pushes_stay: assert (open == was_open_q);

      // ---- what an edge does ----
      if (!reset_q) begin
        if (!advanced && !legal && !popped)  // R10, and other warps' requests
          others_keep: assert (mine == was_mine_q && depth == was_depth_q && live == was_live_q && open == was_open_q);
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
          pop_closes:   assert (32'(open) == 32'(was_open_q) - 32'(closed) || ended);
        end
        // Status of the edge
        lanes_moved_when: assert (status.lanes_moved[warp] == (pushes || popped));
        redirected_when: assert (status.redirected_left[warp] == (top.mask != '0 && (legal || popped)) &&
            status.redirected_right == '0);

        parts_in_push:   cover (parts && was_open_q != '0 && 32'(depth) == 3);
        as_wide:         cover (opens && 32'(depth) == 3 && top.mask == live);
        side_beneath:    cover (popped && !closed && top.mask != '0);
        all_back:        cover (popped && closed && top.mask == live);
        lane_left_below: cover (popped && uncovered != '0 && was_live_q != '1 && depth != '0);
        pushed_too_deep: cover (for_me && allowed && !legal);
        pop_of_none:     cover (for_me && asked_q.op == control_flow_pkg::Pop && there && !allowed && was_depth_q == 2);
        refused:         cover (for_me && !legal && was_depth_q != '0);
        rests_again:     cover (idle && was_pop_q == '0 && !was_idle_q && depth != '0 &&
            was_status_q.lanes_moved != '0);
      end
    end
  end
endmodule
