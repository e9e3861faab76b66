// SPDX-License-Identifier: Apache-2.0
// Dual-path stack: SystemVerilog twin of dual_path_stack.h, which states the contract; rules R1..R13, F1..F8 in README.md.
// Forwarding = 0 has no lift_q, has_q and closed_q: they are constant, and what reads them is left out.
// Element w of left_o, right_o and depth_o is at the bottom plus w times its width.
// Formal = 1 adds g_formal, a view of all entries that dual_path_stack_props reads; nothing else changes.
module dual_path_stack #(
  parameter int Formal = 0
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  control_flow_pkg::Grant grant_i,
  input  control_flow_pkg::Slots held_i,
  input  control_flow_pkg::Resolve resolve_i,
  output logic [dual_path_stack_pkg::Warps*dual_path_stack_pkg::PathBits-1:0] left_o,
  output logic [dual_path_stack_pkg::Warps*dual_path_stack_pkg::PathBits-1:0] right_o,
  output logic [dual_path_stack_pkg::Warps*dual_path_stack_pkg::CountBits-1:0] depth_o,
  output control_flow_pkg::Status status_o,
  output logic idle_o
);
  localparam int Warps = dual_path_stack_pkg::Warps;
  localparam int Lanes = dual_path_stack_pkg::Lanes;
  localparam int PcBits = dual_path_stack_pkg::PcBits;
  localparam int Depth = dual_path_stack_pkg::Depth;
  localparam int PathBits = dual_path_stack_pkg::PathBits;
  localparam int CountBits = dual_path_stack_pkg::CountBits;
  localparam int IndexBits = dual_path_stack_pkg::IndexBits;
  localparam int EntryBits = dual_path_stack_pkg::EntryBits;
  localparam int Forwarding = dual_path_stack_pkg::Forwarding;
  localparam int Deals = dual_path_stack_pkg::Deals;
  localparam int Beneath = dual_path_stack_pkg::Beneath;
  localparam int WaitingBits = dual_path_stack_pkg::WaitingBits;
  localparam int LiftBits = dual_path_stack_pkg::LiftBits;
  localparam int WarpBits = control_flow_pkg::WarpBits;
  localparam logic [Warps-1:0] Bit = 1;
  localparam logic [IndexBits-1:0] Below = 1;
  localparam logic [CountBits-1:0] Only = 1;
  localparam logic [Beneath-1:0] Entry = 1;
  localparam int RowBits = dual_path_stack_pkg::RowBits;

  // State. Paths and entries are kept as bits: Yosys 0.23 silently drops the size of an array of structs.
  logic [PathBits-1:0] left_q [Warps];
  logic [PathBits-1:0] right_q [Warps];
  logic [PcBits-1:0] rpc_q [Warps];
  logic [LiftBits-1:0] lift_q [Warps];
  logic [Beneath-1:0] has_q [Warps];  // a bit an entry beneath the TOS
  logic [Beneath-1:0] closed_q [Warps];
  logic [CountBits-1:0] depth_q [Warps];
  logic [Lanes-1:0] live_q [Warps];
  control_flow_pkg::Status status_q, status_d;
  logic [Warps-1:0] pop_q, pop_d;
  logic [Warps-1:0] dealt_q;  // with Deals: the warp's two paths are one that was dealt
  /* verilator lint_off UNUSEDSIGNAL */
  logic [Warps-1:0] dealt_d;
  /* verilator lint_on UNUSEDSIGNAL */
  logic takes_q, takes_d;  // turn_q takes its turn in this cycle: what it needs of the memory has been read
  logic [WarpBits-1:0] turn_q;
  /* verilator lint_off UNUSEDSIGNAL */  // of one warp it is always the turn
  logic [WarpBits-1:0] turn_d;
  /* verilator lint_on UNUSEDSIGNAL */
  logic idle_q, idle_d;

  // Which of a warp's slots have a path of the entry at the top: registered, a bit a warp
  logic [Warps-1:0] lifted_left, lifted_right, own_left, own_right, own_blank;
  logic [Warps-1:0] errand_next;  // F7: a branch waits in the entry beneath the TOS

  // R1: the advance of an issued slot
  logic [Warps-1:0] grant_bit;
  logic issued, grant_illegal, grant_go, grant_lifted, grant_ends, grant_other, grant_own, grant_blank, grant_done;
  control_flow_pkg::Path grant_slot, grant_path;
  logic [PcBits-1:0] grant_rpc;
  logic [CountBits-1:0] grant_depth;
  dual_path_stack_pkg::Lift was_grant_lift;
  logic [Beneath-1:0] was_grant_has;
  logic [IndexBits:0] grant_look, grant_look_ended;
  logic grant_rises, grant_wants;

  // R2..R5, R11, R13: an executed control instruction, a launch, or a deal
  logic [Warps-1:0] resolve_bit;
  logic same_warp, sibling_goes, sibling_ends, there, nowhere, taken_all, taken_none, parts, places, pushes, loop;
  logic target_meets, fall_meets, ends, resolve_illegal, too_deep, resolve_go, resolve_asks;
  logic is_lifted, has_lifted, parks, stays, shows, alone, beside_there, in_slot, slot_there, left_there, right_there;
  logic resolve_own, resolve_rises, resolve_wants, resolve_done, two, launches, branches, exits, calls, deals, all_exit;
  dual_path_stack_pkg::Entry top, resolve_top;
  control_flow_pkg::Path slot, beside, in_place;
  logic [PcBits-1:0] fall, slot_rpc;
  logic [Lanes-1:0] rest, alive, resolve_live, all_lanes, others;
  logic [PcBits-1:0] deal_pc;
  logic [CountBits-1:0] depth, resolve_depth;
  logic [IndexBits-1:0] push_index;
  dual_path_stack_pkg::Lift lift;
  logic [Beneath-1:0] was_has, resolve_closed;
  logic [IndexBits:0] resolve_look, resolve_look_ended, resolve_chosen;

  // R7: one pop a cycle
  logic pop_go, pop_touched, pop_left, pop_right, pop_own, pop_done;
  logic [WarpBits-1:0] pop_warp;
  logic [Warps-1:0] pop_bit;
  dual_path_stack_pkg::Entry popped, pop_top, pop_from;
  logic [CountBits-1:0] pop_from_depth, pop_depth;
  logic [IndexBits-1:0] pop_index;
  logic [Lanes-1:0] pop_live;
  dual_path_stack_pkg::Lift was_lift;
  logic [Beneath-1:0] pop_has, pop_closed, cleared_has, cleared_closed;
  logic pops, replaces, shows_left, shows_right, pop_rises, pop_wants;
  logic [IndexBits:0] pop_look, pop_chosen;

  // Who takes the next turn: of those that wait already (line), the granted, the resolved and this turn's warp
  logic [Warps-1:0] line, line_after, line_first;
  logic [WarpBits-1:0] line_warp;
  logic [CountBits-1:0] line_depth;
  logic [IndexBits-1:0] line_level;
  logic any_line, grant_joins, resolve_joins, pop_joins, grant_next, resolve_next, line_next, next_reads;
  logic [RowBits-1:0] next_row;

  // The memory of the entries beneath the TOS: what was read for this turn; without Forwarding, as it was written
  logic [EntryBits-1:0] beneath;
  /* verilator lint_off UNUSEDSIGNAL */  // g_formal alone looks at it: all of that memory
  logic [Warps*Beneath*EntryBits-1:0] view;
  /* verilator lint_on UNUSEDSIGNAL */
  // What is written, with Forwarding: the path that waits and the one beside it
  /* verilator lint_off UNUSEDSIGNAL */  // without it, nobody looks
  logic waits_go, beside_go;
  logic [RowBits-1:0] push_row, pop_row, waits_row, beside_row;
  dual_path_stack_pkg::Entry parent;
  dual_path_stack_pkg::Lift grant_lift, resolve_lift, pop_lift;
  logic [Beneath-1:0] grant_has, resolve_has;
  dual_path_stack_pkg::Waiting waits_d;
  control_flow_pkg::Path beside_d;
  /* verilator lint_on UNUSEDSIGNAL */

  // a + 1 == b, without an adder: the sum is right where the carry into each bit is that of a right sum beneath it.
  function automatic logic follows(input logic [PcBits-1:0] a, input logic [PcBits-1:0] b);
    follows = (a ^ b) == {a[PcBits-2:0] & ~b[PcBits-2:0], 1'b1};
  endfunction

  // a + 1, with a carry of log2 steps: the ones from the bottom on.
  function automatic logic [PcBits-1:0] after(input logic [PcBits-1:0] a);
    logic [PcBits-1:0] ones;
    ones = a;
    for (int s = 1; s < PcBits; s = 2 * s) ones = ones & ~(~ones << s);
    after = a ^ {ones[PcBits-2:0], 1'b1};
  endfunction

  // Row of the memory: the lowest entry of a warp from a table, as a product with Beneath is deep.
  function automatic logic [RowBits-1:0] row_of(input logic [WarpBits-1:0] warp, input logic [IndexBits-1:0] level);
    logic [RowBits-1:0] lowest, up;
    lowest = '0;
    up = '0;
    up[IndexBits-1:0] = level;
    row_of = '0;
    for (int w = 0; w < Warps; w++) begin
      if (32'(warp) == w) row_of = lowest;
      lowest = lowest + Beneath[RowBits-1:0];
    end
    row_of = row_of + up;
  endfunction

  // F1: {a path comes up, from there}: the nearest entry with a suspended path, and no call between.
  function automatic logic [IndexBits:0] look_down(input logic [Beneath-1:0] has, input logic [Beneath-1:0] closed);
    logic [Beneath-1:0] above, nearest;
    above = has | closed;
    for (int s = 1; s < Beneath; s = 2 * s) above = above | (above >> s);
    nearest = (has | closed) & ~(above >> 1);
    look_down = '0;
    for (int i = 0; i < Beneath; i++) if (nearest[i]) look_down = look_down | {!closed[i], i[IndexBits-1:0]};
  endfunction

  // In the order of turns, whether a comes before b, from the warp after `turn` on.
  function automatic logic comes_before(input logic [WarpBits-1:0] a, input logic [WarpBits-1:0] b,
                                        input logic [WarpBits-1:0] turn);
    comes_before = {a <= turn, a} < {b <= turn, b};
  endfunction

  // What is registered of slots, and the warp whose turn it is
  always_comb begin
    lifted_left = '0;
    lifted_right = '0;
    errand_next = '0;
    was_lift = '0;
    if (Forwarding != 0) begin
      for (int w = 0; w < Warps; w++) begin
        was_lift = lift_q[w];
        lifted_left[w] = was_lift.up && !was_lift.right;
        lifted_right[w] = was_lift.up && was_lift.right;
        errand_next[w] = was_lift.parked && was_lift.level == depth_q[w][IndexBits-1:0] - Below - Below;
      end
    end
    own_left = status_q.valid_left & ~lifted_left;
    own_right = status_q.valid_right & ~lifted_right;
    own_blank = ~(own_left | own_right);
    pop_warp = turn_q;
    pop_bit = Bit << pop_warp;
    pop_from_depth = depth_q[pop_warp];
    pop_index = pop_from_depth[IndexBits-1:0] - Below - Below;
    pop_live = live_q[pop_warp];
    pop_from = '0;
    was_lift = '0;
    pops = 1'b1;
    if (Forwarding != 0) begin
      pop_from = {left_q[pop_warp], right_q[pop_warp], rpc_q[pop_warp]};
      was_lift = lift_q[pop_warp];
      pops = (own_blank & pop_bit) != '0;
      if (!pops) pop_index = was_lift.level;
    end
  end

  // R1
  always_comb begin
    grant_bit = Bit << grant_i.warp;
    issued = grant_i.valid &&
             ((grant_i.right ? status_q.valid_right : status_q.valid_left) & grant_bit) != '0;
    grant_illegal = grant_i.valid && !issued;  // R10
    grant_go = issued && ((grant_i.right ? held_i.right : held_i.left) & grant_bit) == '0;
    grant_slot = grant_i.right ? right_q[grant_i.warp] : left_q[grant_i.warp];
    grant_rpc = rpc_q[grant_i.warp];
    grant_depth = depth_q[grant_i.warp];
    was_grant_lift = '0;
    was_grant_has = '0;
    grant_look = '0;
    grant_look_ended = '0;
    if (Forwarding != 0) begin
      was_grant_lift = lift_q[grant_i.warp];
      was_grant_has = has_q[grant_i.warp];
    end
    grant_lifted = was_grant_lift.up && was_grant_lift.right == grant_i.right;
    grant_other = ((grant_i.right ? status_q.valid_left : status_q.valid_right) & grant_bit) != '0;
    grant_ends = follows(grant_slot.pc, grant_lifted ? was_grant_lift.rpc : grant_rpc);  // R6
    grant_path = grant_ends ? '0 : {after(grant_slot.pc), grant_slot.mask};
    grant_blank = grant_ends && !grant_other;
    grant_done = grant_blank && 32'(grant_depth) <= 1;
    // Whose path runs when this one has advanced, or does not
    grant_own = ((grant_i.right ? own_left : own_right) & grant_bit) != '0 ||
                (((grant_i.right ? own_right : own_left) & grant_bit) != '0 && !(grant_go && grant_ends));
    grant_lift = was_grant_lift;
    grant_has = was_grant_has;
    grant_rises = 1'b0;
    if (Forwarding != 0) begin
      if (grant_lifted && grant_ends) begin  // F3
        grant_lift.up = 1'b0;
        grant_has[was_grant_lift.level] = 1'b0;
      end
      grant_look = look_down(was_grant_has, closed_q[grant_i.warp]);
      grant_look_ended = look_down(was_grant_has & ~(Entry << was_grant_lift.level), closed_q[grant_i.warp]);
      if (grant_lifted && grant_ends) grant_look = grant_look_ended;
      grant_rises = grant_own && !grant_lift.up && !grant_lift.parked && !(grant_other && !grant_ends) &&
                    grant_look[IndexBits];
      if (grant_rises && 32'(grant_depth) > 1) grant_lift.level = grant_look[IndexBits-1:0];
    end
    grant_wants = 32'(grant_depth) > 1 && (!grant_own || grant_rises);
  end

  // R2..R5, R11, R13. What the late conditions choose from is made beside them, not behind.
  always_comb begin
    resolve_bit = Bit << resolve_i.warp;
    resolve_asks = resolve_i.op != control_flow_pkg::None;
    launches = resolve_i.op == control_flow_pkg::Launch;
    branches = resolve_i.op == control_flow_pkg::Branch;
    exits = resolve_i.op == control_flow_pkg::Exit;
    calls = resolve_i.op == control_flow_pkg::Call;
    deals = Deals != 0 && resolve_i.op == control_flow_pkg::Deal;
    same_warp = issued && grant_i.warp == resolve_i.warp;
    sibling_goes = same_warp && grant_go;
    sibling_ends = sibling_goes && grant_ends;
    top = {left_q[resolve_i.warp], right_q[resolve_i.warp], rpc_q[resolve_i.warp]};
    depth = depth_q[resolve_i.warp];
    alive = live_q[resolve_i.warp];
    lift = '0;
    was_has = '0;
    if (Forwarding != 0) begin
      lift = lift_q[resolve_i.warp];
      was_has = has_q[resolve_i.warp];
    end
    is_lifted = lift.up && lift.right == resolve_i.right;
    has_lifted = lift.up && lift.right != resolve_i.right && !sibling_ends;
    slot = resolve_i.right ? {top.pc_r, top.mask_r} : {top.pc_l, top.mask_l};
    beside = resolve_i.right ? {top.pc_l, top.mask_l} : {top.pc_r, top.mask_r};
    if (sibling_goes) beside = grant_path;  // the advance comes first
    slot_there = ((resolve_i.right ? status_q.valid_right : status_q.valid_left) & resolve_bit) != '0;
    beside_there = ((resolve_i.right ? status_q.valid_left : status_q.valid_right) & resolve_bit) != '0 && !sibling_ends;
    alone = !beside_there || lift.up && lift.right != resolve_i.right;
    slot_rpc = is_lifted ? lift.rpc : top.rpc;
    fall = after(slot.pc);
    rest = slot.mask & ~resolve_i.lanes;
    taken_all = rest == '0;
    taken_none = resolve_i.lanes == '0;
    there = slot_there && (resolve_i.lanes & ~slot.mask) == '0 && !(same_warp && grant_i.right == resolve_i.right);
    // R12: nobody runs at NoPc
    nowhere = resolve_i.target == control_flow_pkg::NoPc &&
              (calls || (!taken_none && (slot_rpc != control_flow_pkg::NoPc ||
                                         (!taken_all && resolve_i.rpc != control_flow_pkg::NoPc))));
    all_lanes = top.mask_l | top.mask_r;
    others = all_lanes & ~resolve_i.lanes;
    two = ((status_q.valid_left & status_q.valid_right) & resolve_bit) != '0;
    deal_pc = (status_q.valid_left & resolve_bit) != '0 ? top.pc_l : top.pc_r;
    target_meets = resolve_i.target == resolve_i.rpc;
    fall_meets = follows(slot.pc, resolve_i.rpc);
    loop = resolve_i.rpc == slot_rpc;
    parts = branches && !taken_all && !taken_none && !(target_meets && fall_meets);  // R4
    parks = is_lifted && (calls || parts);  // F6
    stays = parts && has_lifted && target_meets != fall_meets;  // F5
    pushes = !is_lifted && (calls || (parts && !(loop && alone)));
    places = parts || calls || deals;
    shows = places && !stays && !parks;

    // R10, R9
    case (resolve_i.op)
      control_flow_pkg::None: resolve_illegal = 1'b0;
      control_flow_pkg::Launch: resolve_illegal = resolve_bit == '0 || depth != '0 || taken_none;
      control_flow_pkg::Branch: resolve_illegal = !there || nowhere;
      control_flow_pkg::Exit: resolve_illegal = !there;
      control_flow_pkg::Call: resolve_illegal = !there || nowhere || !taken_all;
      control_flow_pkg::Deal:
        resolve_illegal = Deals == 0 || same_warp || !(slot_there || beside_there) || taken_none ||
                          (resolve_i.lanes & ~all_lanes) != '0 ||
                          (two && (top.pc_l != top.pc_r || (dealt_q & resolve_bit) == '0));
      default: resolve_illegal = 1'b1;
    endcase
    too_deep = pushes && 32'(depth) == Depth && !resolve_illegal;
    resolve_go = resolve_asks && !resolve_illegal && !too_deep;
    resolve_depth = launches ? Only : pushes ? depth + 1'b1 : depth;
    push_index = depth[IndexBits-1:0] - Below;

    // R4, R11: what waits beneath
    parent = top;
    in_place = calls ? {fall, slot.mask} : loop ? '0 : {resolve_i.rpc, slot.mask};
    {parent.pc_l, parent.mask_l} = resolve_i.right ? beside : in_place;
    {parent.pc_r, parent.mask_r} = resolve_i.right ? in_place : beside;

    // R3, R5: in its slot. A branch that parts to no side has a next PC that is its RPC too.
    ends = branches && taken_all ? resolve_i.target == slot_rpc
                                 : follows(slot.pc, slot_rpc) || (exits && taken_all);  // R6
    in_slot = !launches && !shows;
    if (parks || (!stays && ends)) in_place = '0;
    else if (stays) in_place = target_meets ? {fall, rest} : {resolve_i.target, resolve_i.lanes};
    else in_place = {branches && taken_all ? resolve_i.target : fall, exits ? rest : slot.mask};
    resolve_top = '0;
    if (in_slot) begin
      left_there = resolve_i.right ? beside_there : !parks && (stays || !ends);
      right_there = resolve_i.right ? !parks && (stays || !ends) : beside_there;
      {resolve_top.pc_l, resolve_top.mask_l} = resolve_i.right ? beside : in_place;
      {resolve_top.pc_r, resolve_top.mask_r} = resolve_i.right ? in_place : beside;
    end else if (deals) begin
      left_there = !resolve_i.right || others != '0;
      right_there = resolve_i.right || others != '0;
      if (left_there) {resolve_top.pc_l, resolve_top.mask_l} = {deal_pc, resolve_i.right ? others : resolve_i.lanes};
      if (right_there) {resolve_top.pc_r, resolve_top.mask_r} = {deal_pc, resolve_i.right ? resolve_i.lanes : others};
    end else begin
      left_there = calls || !target_meets;
      right_there = !launches && !calls && !fall_meets;
      if (left_there) {resolve_top.pc_l, resolve_top.mask_l} = {resolve_i.target, calls ? slot.mask : resolve_i.lanes};
      if (right_there) {resolve_top.pc_r, resolve_top.mask_r} = {fall, rest};
    end
    resolve_top.rpc = calls && !parks ? control_flow_pkg::NoPc : launches || (parts && !parks) ? resolve_i.rpc : top.rpc;
    all_exit = exits && (alive & ~resolve_i.lanes) == '0;
    resolve_live = launches ? resolve_i.lanes : exits ? alive & ~resolve_i.lanes : alive;
    resolve_done = all_exit || (!left_there && !right_there && 32'(resolve_depth) <= 1);  // R8

    resolve_lift = lift;
    resolve_has = was_has;
    resolve_closed = '0;
    resolve_look = '0;
    resolve_look_ended = '0;
    resolve_chosen = '0;
    resolve_own = left_there || right_there;
    resolve_rises = 1'b0;
    if (Forwarding != 0) begin
      resolve_closed = closed_q[resolve_i.warp];
      resolve_look = look_down(was_has, resolve_closed);
      resolve_look_ended = look_down(was_has & ~(Entry << lift.level), resolve_closed);
      resolve_chosen = resolve_look;
      if (lift.up && (is_lifted ? in_slot && !parks && ends : sibling_ends)) begin  // F3
        resolve_lift.up = 1'b0;
        resolve_has[lift.level] = 1'b0;
        resolve_chosen = resolve_look_ended;
      end
      if (parks) begin
        resolve_lift.parked = 1'b1;
        resolve_lift.call = calls;
        resolve_lift.loop = !calls && loop;
        resolve_lift.rpc = calls ? control_flow_pkg::NoPc : resolve_i.rpc;
        resolve_lift.target = resolve_i.target;
        resolve_lift.taken = resolve_i.lanes;
      end
      if (parks || shows) resolve_lift.up = 1'b0;  // F4
      if (pushes) begin
        resolve_has[push_index] = !alone;
        resolve_closed[push_index] = calls;
        if (calls || !alone) resolve_chosen = {!calls, push_index};
      end
      if (resolve_done) resolve_closed = '0;
      resolve_own = (left_there && !(resolve_lift.up && !resolve_lift.right)) ||
                    (right_there && !(resolve_lift.up && resolve_lift.right));
      resolve_rises = resolve_own && !resolve_lift.up && !resolve_lift.parked && !(left_there && right_there) &&
                      resolve_chosen[IndexBits];
      if (resolve_rises && 32'(resolve_depth) > 1) resolve_lift.level = resolve_chosen[IndexBits-1:0];
    end
    resolve_wants = !all_exit && 32'(resolve_depth) > 1 && (!resolve_own || resolve_rises);
  end

  // R7, F1, F7
  always_comb begin
    pop_go = takes_q;
    pop_depth = pop_from_depth - 1'b1;
    pop_has = '0;
    pop_closed = '0;
    replaces = 1'b0;
    pop_touched = 1'b0;
    shows_left = 1'b1;
    shows_right = 1'b1;
    if (Forwarding != 0) begin
      pop_has = has_q[pop_warp];
      pop_closed = closed_q[pop_warp];
      replaces = pops && (errand_next & pop_bit) != '0;  // F7
      // F2: nothing else happens to the warp in this cycle, and where a branch waits, no memory is written
      pop_touched = (grant_i.valid && grant_i.warp == pop_warp) || (resolve_asks && resolve_i.warp == pop_warp);
      if (pop_touched || (replaces && resolve_asks)) pop_go = 1'b0;
    end
    popped = beneath;
    popped.mask_l = popped.mask_l & pop_live;
    if (Forwarding == 0) popped.mask_r = popped.mask_r & pop_live;
    else if (!pop_has[pop_index]) {popped.pc_r, popped.mask_r} = '0;
    pop_left = popped.mask_l != '0 && popped.pc_l != popped.rpc;  // R6
    pop_right = popped.mask_r != '0 && popped.pc_r != popped.rpc;
    pop_top = popped;
    if (!pop_left) {pop_top.pc_l, pop_top.mask_l} = '0;
    if (!pop_right) {pop_top.pc_r, pop_top.mask_r} = '0;
    pop_own = pop_left || pop_right;
    pop_lift = was_lift;
    waits_d = '0;
    beside_d = '0;
    cleared_has = pop_has & ~(Entry << pop_index);
    cleared_closed = pop_closed & ~(Entry << pop_index);
    pop_look = '0;
    pop_chosen = '0;
    pop_rises = 1'b0;
    if (Forwarding != 0) begin
      pop_look = look_down(cleared_has, cleared_closed);
      pop_chosen = pop_look;
      if (replaces) begin  // F7
        pop_depth = pop_from_depth;
        waits_d = {was_lift.loop ? '0 : {was_lift.call ? popped.pc_r : was_lift.rpc, popped.mask_r}, popped.rpc};
        beside_d = {pop_top.pc_l, pop_top.mask_l};
        if (pop_left || was_lift.call) pop_chosen = {!was_lift.call, pop_index};
        pop_has[pop_index] = pop_left;
        pop_closed[pop_index] = was_lift.call;
        pop_left = was_lift.target != was_lift.rpc;
        pop_right = popped.pc_r != was_lift.rpc && (popped.mask_r & ~was_lift.taken) != '0;
        pop_own = pop_left || pop_right;
        pop_top = '0;
        pop_top.rpc = was_lift.rpc;
        if (pop_left) {pop_top.pc_l, pop_top.mask_l} = {was_lift.target, was_lift.taken};
        if (pop_right) {pop_top.pc_r, pop_top.mask_r} = {popped.pc_r, popped.mask_r & ~was_lift.taken};
        pop_lift = '0;
        pop_lift.level = was_lift.level;
        pop_lift.right = was_lift.right;
      end else if (pops) begin  // R7
        pop_has = cleared_has;
        pop_closed = cleared_closed;
        if (was_lift.up) begin  // F8
          if (was_lift.level != pop_index) pop_own = pop_left;
          if (was_lift.right) begin
            {pop_top.pc_r, pop_top.mask_r} = {pop_from.pc_r, pop_from.mask_r};
            pop_right = 1'b1;
          end else begin
            {pop_top.pc_r, pop_top.mask_r} = {pop_top.pc_l, pop_top.mask_l};
            {pop_top.pc_l, pop_top.mask_l} = {pop_from.pc_l, pop_from.mask_l};
            pop_right = pop_left;
            pop_left = 1'b1;
          end
          if (was_lift.level == pop_index) pop_own = 1'b1;
          shows_left = was_lift.right;
          shows_right = !was_lift.right;
          if (was_lift.level == pop_index) pop_lift.up = 1'b0;
        end
      end else begin  // F1
        pop_depth = pop_from_depth;
        pop_lift.up = 1'b1;
        pop_lift.right = (status_q.valid_right & pop_bit) == '0;
        pop_lift.rpc = popped.rpc;
        pop_top = pop_from;
        if (pop_lift.right) {pop_top.pc_r, pop_top.mask_r} = {popped.pc_r, popped.mask_r};
        else {pop_top.pc_l, pop_top.mask_l} = {popped.pc_r, popped.mask_r};
        shows_left = !pop_lift.right;
        shows_right = pop_lift.right;
        pop_left = 1'b1;
        pop_right = 1'b1;
        pop_own = 1'b1;
      end
      pop_rises = pop_own && !pop_lift.up && !pop_lift.parked && !(pop_left && pop_right) && pop_chosen[IndexBits];
      if (pop_rises && 32'(pop_depth) > 1) pop_lift.level = pop_chosen[IndexBits-1:0];
    end
    pop_wants = 32'(pop_depth) > 1 && (!pop_own || pop_rises);
    pop_done = !pop_left && !pop_right && 32'(pop_depth) <= 1;  // R8

    if (resolve_go) begin
      waits_d = {resolve_i.right ? {parent.pc_r, parent.mask_r} : {parent.pc_l, parent.mask_l}, top.rpc};
      beside_d = parks ? {fall, slot.mask} : beside;
    end
    waits_go = resolve_go ? pushes : pop_go && replaces;
    beside_go = resolve_go ? parks || (has_lifted && shows) || (pushes && !alone) : pop_go && replaces;
    push_row = row_of(resolve_i.warp, push_index);
    pop_row = row_of(pop_warp, pop_index);
    waits_row = resolve_go ? push_row : pop_row;
    beside_row = !resolve_go ? pop_row : lift.up ? row_of(resolve_i.warp, lift.level) : push_row;
  end

  // Who takes the next turn, R7: the first that will wait then, from the warp after this turn's. All that can be known
  // before this cycle's paths end is, and the row that each of the four would read.
  always_comb begin
    line = pop_q;
    if (Forwarding == 0 || takes_q) line = line & ~pop_bit;
    // F2: what is asked of a warp may end its wait
    if (Forwarding != 0 && grant_i.valid) line = line & ~grant_bit;
    if (Forwarding != 0 && resolve_asks) line = line & ~resolve_bit;
    line_after = '0;
    for (int w = 0; w < Warps; w++) line_after[w] = line[w] && w > 32'(turn_q);
    line_first = line_after != '0 ? line_after : line;
    any_line = line != '0;
    for (int s = 1; s < Warps; s = 2 * s) line_first = line_first | (line_first << s);
    line_first = line_first & ~(line_first << 1);
    line_warp = '0;
    line_depth = '0;
    line_level = '0;
    for (int w = 0; w < Warps; w++) begin
      if (line_first[w]) begin
        line_warp = line_warp | w[WarpBits-1:0];
        line_depth = line_depth | depth_q[w];
        if (Forwarding != 0) line_level = line_level | lift_q[w][LiftBits-6 -: IndexBits];
      end
    end
    if (Forwarding == 0 || (line_first & own_blank) != '0) line_level = line_depth[IndexBits-1:0] - Below - Below;

    // A forward goes in the turn after the one in which its level was found.
    grant_joins = grant_go && grant_wants && !grant_own;
    resolve_joins = resolve_go && resolve_wants && !resolve_own && !parks;
    pop_joins = pop_go && pop_wants && !pop_own;
    if (Forwarding != 0) begin
      grant_joins = grant_i.valid && grant_bit != '0 && 32'(grant_depth) > 1 &&
                    (!grant_own || ((pop_q & ~own_blank & grant_bit) != '0 && !(grant_go && grant_ends) &&
                                    !(resolve_asks && resolve_i.warp == grant_i.warp)));
      if (resolve_go && resolve_i.warp == grant_i.warp) grant_joins = 1'b0;
      if (!resolve_go) resolve_joins = resolve_asks && !(grant_i.valid && grant_i.warp == resolve_i.warp) &&
                                       (pop_q & own_blank & resolve_bit) != '0;
      if (!pop_go) pop_joins = takes_q && !pop_touched;
    end
    resolve_next = resolve_joins && (!any_line || comes_before(resolve_i.warp, line_warp, turn_q)) &&
                   !(grant_joins && comes_before(grant_i.warp, resolve_i.warp, turn_q));
    grant_next = grant_joins && (!any_line || comes_before(grant_i.warp, line_warp, turn_q)) && !resolve_next;
    line_next = any_line && !resolve_next && !grant_next;
    takes_d = any_line || resolve_joins || grant_joins || pop_joins;
    turn_d = resolve_next ? resolve_i.warp : grant_next ? grant_i.warp : line_next ? line_warp : turn_q;
    next_reads = takes_d;
    next_row = resolve_next ? row_of(resolve_i.warp, depth[IndexBits-1:0] - Below - Below)
             : grant_next   ? row_of(grant_i.warp, grant_own ? was_grant_lift.level
                                                             : grant_depth[IndexBits-1:0] - Below - Below)
             : line_next    ? row_of(line_warp, line_level)
                            : pop_go ? row_of(turn_q, pop_index - Below) : pop_row;

    // What the edge did, as status
    status_d = '0;
    status_d.valid_left = status_q.valid_left;
    status_d.valid_right = status_q.valid_right;
    pop_d = pop_q;
    dealt_d = dealt_q;
    if (grant_go) begin
      if (grant_ends && !grant_i.right) status_d.valid_left = status_d.valid_left & ~grant_bit;
      if (grant_ends && grant_i.right) status_d.valid_right = status_d.valid_right & ~grant_bit;
      if (grant_wants) pop_d = pop_d | grant_bit;
    end
    if (resolve_go) begin
      status_d.valid_left = status_d.valid_left & ~resolve_bit;
      status_d.valid_right = status_d.valid_right & ~resolve_bit;
      if (left_there) begin
        status_d.valid_left = status_d.valid_left | resolve_bit;
        if (shows || launches || !resolve_i.right) status_d.fresh_left = status_d.fresh_left | resolve_bit;
      end
      if (right_there) begin
        status_d.valid_right = status_d.valid_right | resolve_bit;
        if (shows || resolve_i.right) status_d.fresh_right = status_d.fresh_right | resolve_bit;
      end
      if (shows) status_d.moved = status_d.moved | resolve_bit;
      if (places) dealt_d = deals ? dealt_d | resolve_bit : dealt_d & ~resolve_bit;
      if (Forwarding != 0) pop_d = pop_d & ~resolve_bit;
      if (resolve_wants) pop_d = pop_d | resolve_bit;
    end
    if (pop_go) begin
      if (pops) status_d.moved = status_d.moved | pop_bit;
      if (pop_left) begin
        status_d.valid_left = status_d.valid_left | pop_bit;
        if (shows_left) status_d.fresh_left = status_d.fresh_left | pop_bit;
      end
      if (pop_right) begin
        status_d.valid_right = status_d.valid_right | pop_bit;
        if (shows_right) status_d.fresh_right = status_d.fresh_right | pop_bit;
      end
      if (!pop_wants) pop_d = pop_d & ~pop_bit;
    end
    dealt_d = dealt_d & status_d.valid_left & status_d.valid_right;
    // the next edge, without a request, changes nothing
    idle_d = {status_d.fresh_left, status_d.fresh_right, status_d.moved} == '0 && pop_d == '0;
  end

  // Registers. A resolve of the granted warp holds its advance too; R8: a blank lowest entry ends the warp.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int w = 0; w < Warps; w++) begin
        left_q[w] <= '0;
        right_q[w] <= '0;
        rpc_q[w] <= '0;
        depth_q[w] <= '0;
        live_q[w] <= '0;
      end
      status_q <= '0;
      pop_q <= '0;
      takes_q <= 1'b0;
      idle_q <= 1'b1;
    end else begin
      if (grant_go) begin
        if (!grant_i.right) left_q[grant_i.warp] <= grant_path;
        if (grant_i.right) right_q[grant_i.warp] <= grant_path;
        if (grant_done) begin
          depth_q[grant_i.warp] <= '0;
          live_q[grant_i.warp] <= '0;
        end
      end
      if (resolve_go) begin
        left_q[resolve_i.warp] <= {resolve_top.pc_l, resolve_top.mask_l};
        right_q[resolve_i.warp] <= {resolve_top.pc_r, resolve_top.mask_r};
        rpc_q[resolve_i.warp] <= resolve_top.rpc;
        depth_q[resolve_i.warp] <= resolve_done ? '0 : resolve_depth;
        live_q[resolve_i.warp] <= resolve_done ? '0 : resolve_live;
      end
      if (pop_go) begin
        left_q[pop_warp] <= {pop_top.pc_l, pop_top.mask_l};
        right_q[pop_warp] <= {pop_top.pc_r, pop_top.mask_r};
        rpc_q[pop_warp] <= pop_top.rpc;
        depth_q[pop_warp] <= pop_done ? '0 : pop_depth;
        if (pop_done) live_q[pop_warp] <= '0;
      end
      status_q <= status_d;
      pop_q <= pop_d;
      takes_q <= takes_d;
      idle_q <= idle_d;
      illegal:  assert (!grant_illegal && !resolve_illegal);  // R10
      overflow: assert (!too_deep);  // R9
    end
  end

  if (Deals != 0) begin : g_deals
    always_ff @(posedge clk_i) dealt_q <= rst_ni ? dealt_d : '0;
  end else begin : g_no_deals
    assign dealt_q = '0;
  end

  if (Warps > 1) begin : g_turn
    always_ff @(posedge clk_i) turn_q <= rst_ni ? turn_d : '0;
  end else begin : g_no_turn
    assign turn_q = '0;
  end

  // The entries beneath the TOS, row w * Beneath + level. Reset does not clear them. A row is never read in the edge that
  // writes it: a push leaves lanes at the TOS, and what else is written is not due before the next edge.
  if (Forwarding == 0) begin : g_plain
    logic [EntryBits-1:0] body_q [Warps*Beneath];
    logic [EntryBits-1:0] word_q;
    assign beneath = word_q;
    for (genvar i = 0; i < Warps * Beneath; i++) begin : g_body
      assign view[i*EntryBits +: EntryBits] = body_q[i];
    end
    always_ff @(posedge clk_i) begin
      if (rst_ni && resolve_go && pushes) body_q[push_row] <= parent;
      if (next_reads) word_q <= body_q[next_row];
    end
    for (genvar w = 0; w < Warps; w++) begin : g_none
      assign lift_q[w] = '0;
      assign has_q[w] = '0;
      assign closed_q[w] = '0;
    end
  end else begin : g_forwarding
    logic [WaitingBits-1:0] waits_q [Warps*Beneath];
    logic [PathBits-1:0] beside_q [Warps*Beneath];
    logic [WaitingBits-1:0] waits_word_q;
    logic [PathBits-1:0] beside_word_q;
    assign beneath = {waits_word_q[WaitingBits-1:PcBits], beside_word_q, waits_word_q[PcBits-1:0]};
    for (genvar i = 0; i < Warps * Beneath; i++) begin : g_body
      assign view[i*EntryBits +: EntryBits] = {waits_q[i][WaitingBits-1:PcBits], beside_q[i], waits_q[i][PcBits-1:0]};
    end
    always_ff @(posedge clk_i) begin
      if (rst_ni && waits_go) waits_q[waits_row] <= waits_d;
      if (next_reads) waits_word_q <= waits_q[next_row];
    end
    always_ff @(posedge clk_i) begin
      if (rst_ni && beside_go) beside_q[beside_row] <= beside_d;
      if (next_reads) beside_word_q <= beside_q[next_row];
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        for (int w = 0; w < Warps; w++) begin
          lift_q[w] <= '0;
          has_q[w] <= '0;
          closed_q[w] <= '0;
        end
      end else begin
        if (grant_go) begin
          lift_q[grant_i.warp] <= grant_lift;
          has_q[grant_i.warp] <= grant_has;
        end
        if (resolve_go) begin
          lift_q[resolve_i.warp] <= resolve_lift;
          has_q[resolve_i.warp] <= resolve_has;
          closed_q[resolve_i.warp] <= resolve_closed;
        end
        if (pop_go) begin
          lift_q[pop_warp] <= pop_lift;
          has_q[pop_warp] <= pop_has;
          closed_q[pop_warp] <= pop_closed;
        end
      end
    end
  end

  assign status_o = status_q;
  assign idle_o = idle_q;
  for (genvar w = 0; w < Warps; w++) begin : g_port
    assign left_o[w*PathBits +: PathBits] = left_q[w];
    assign right_o[w*PathBits +: PathBits] = right_q[w];
    assign depth_o[w*CountBits +: CountBits] = depth_q[w];
  end

  if (Formal != 0) begin : g_formal
    logic [Warps*Depth*EntryBits-1:0] entries;  // from the bottom: the TOS, then the body from its lowest entry on
    logic [Warps*Lanes-1:0] live;
    logic [Warps*LiftBits-1:0] lifts;
    logic [Warps*Beneath-1:0] has, closed;
    logic [Warps-1:0] pop, dealt;
    logic takes;
    logic [WarpBits-1:0] turn;
    logic [EntryBits-1:0] word;
    assign pop = pop_q;
    assign dealt = dealt_q;
    assign takes = takes_q;
    assign turn = turn_q;
    assign word = beneath;
    for (genvar w = 0; w < Warps; w++) begin : g_warp
      assign live[w*Lanes +: Lanes] = live_q[w];
      assign entries[w*Depth*EntryBits +: EntryBits] = {left_q[w], right_q[w], rpc_q[w]};
      for (genvar i = 0; i < Beneath; i++) begin : g_body
        assign entries[(w*Depth+1+i)*EntryBits +: EntryBits] = view[(w*Beneath+i)*EntryBits +: EntryBits];
      end
      assign lifts[w*LiftBits +: LiftBits] = lift_q[w];
      assign has[w*Beneath +: Beneath] = has_q[w];
      assign closed[w*Beneath +: Beneath] = closed_q[w];
    end
  end
endmodule
