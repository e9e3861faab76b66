// SPDX-License-Identifier: Apache-2.0
// Dual-path stack with path forwarding: SystemVerilog twin of forwarding_stack.h, which states the contract; rules R1..R12
// in rtl/dual_path_stack/README.md, F1..F8 in README.md.
// Element w of left_o, right_o and depth_o is at the bottom plus w times its width.
// Processes and functions have the names of the functions there.
// Formal = 1 adds g_formal, a view of all entries that forwarding_stack_props reads; nothing else changes.
module forwarding_stack #(
  parameter int Formal = 0
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  control_flow_pkg::Grant grant_i,
  input  control_flow_pkg::Slots held_i,
  input  control_flow_pkg::Resolve resolve_i,
  output logic [forwarding_stack_pkg::Warps*forwarding_stack_pkg::PathBits-1:0] left_o,
  output logic [forwarding_stack_pkg::Warps*forwarding_stack_pkg::PathBits-1:0] right_o,
  output logic [forwarding_stack_pkg::Warps*forwarding_stack_pkg::CountBits-1:0] depth_o,
  output control_flow_pkg::Status status_o,
  output logic idle_o
);
  localparam int Warps = forwarding_stack_pkg::Warps;
  localparam int Lanes = forwarding_stack_pkg::Lanes;
  localparam int PcBits = forwarding_stack_pkg::PcBits;
  localparam int Depth = forwarding_stack_pkg::Depth;
  localparam int PathBits = forwarding_stack_pkg::PathBits;
  localparam int CountBits = forwarding_stack_pkg::CountBits;
  localparam int IndexBits = forwarding_stack_pkg::IndexBits;
  localparam int EntryBits = forwarding_stack_pkg::EntryBits;
  localparam int Beneath = forwarding_stack_pkg::Beneath;
  localparam int WaitingBits = forwarding_stack_pkg::WaitingBits;
  localparam int ForwardedBits = forwarding_stack_pkg::ForwardedBits;
  localparam int WarpBits = control_flow_pkg::WarpBits;
  localparam logic [Warps-1:0] Bit = 1;
  localparam logic [IndexBits-1:0] Below = 1;
  localparam logic [CountBits-1:0] Only = 1;
  localparam logic [Beneath-1:0] Entry = 1;
  localparam int RowBits = forwarding_stack_pkg::RowBits;

  // State. Paths and entries are kept as bits: Yosys 0.23 silently drops the size of an array of structs.
  logic [PathBits-1:0] left_q [Warps];
  logic [PathBits-1:0] right_q [Warps];
  logic [PcBits-1:0] rpc_q [Warps];
  logic [ForwardedBits-1:0] forwarded_q [Warps];
  logic [Beneath-1:0] has_q [Warps];  // a bit an entry beneath the TOS
  logic [Beneath-1:0] closed_q [Warps];
  logic [CountBits-1:0] depth_q [Warps];
  logic [Lanes-1:0] live_q [Warps];
  control_flow_pkg::Status status_q, status;
  logic [Warps-1:0] pop_q, pop_d;
  logic takes_q, takes_d;  // turn_q takes its turn in this cycle: what it needs of the memory has been read
  logic [WarpBits-1:0] turn_q;
  /* verilator lint_off UNUSEDSIGNAL */  // of one warp it is always the turn
  logic [WarpBits-1:0] turn_d;
  /* verilator lint_on UNUSEDSIGNAL */
  logic idle_q, idle_d;

  // Which of a warp's slots have a path of the entry at the top: registered, a bit a warp
  logic [Warps-1:0] forwarded_left, forwarded_right, own_left, own_right, own_blank, came;
  logic [Warps-1:0] deferred_next;  // F7: a branch waits in the entry beneath the TOS
  /* verilator lint_off UNUSEDSIGNAL */  // its RPC, target and lanes are read elsewhere
  forwarding_stack_pkg::Forwarded each;
  /* verilator lint_on UNUSEDSIGNAL */

  // R1: the advance of an issued slot
  logic [Warps-1:0] grant_bit;
  logic issued, grant_illegal, held, advances, grant_is_forwarded, grant_ends, grant_other, grant_own, grant_done;
  control_flow_pkg::Path path, advanced;
  logic [CountBits-1:0] grant_depth;
  forwarding_stack_pkg::Forwarded was_grant_forwarded, grant_forwarded;
  logic [Beneath-1:0] was_grant_has, grant_has;
  logic [IndexBits:0] grant_look;
  logic grant_comes, grant_wants;

  // R2..R5, R11, F4..F6: an executed control instruction, or a launch
  logic [Warps-1:0] resolve_bit, asked;
  logic resolves, launches, branches, exits, calls, same_warp, issues, slot_there, beside_there, sibling_goes;
  logic sibling_ends, taken_all, taken_none, is_forwarded, has_forwarded, alone, goes_nowhere;
  logic loop, left_live, right_live, parts, defers, stays, places, pushes, shows, ends, in_slot, left_there,
      right_there;
  logic resolve_illegal, too_deep, resolve_go, all_exit, forwarded_ends, resolve_own, resolve_comes, resolve_wants,
      done;
  stack_kit_pkg::Slot slot;
  pair_kit_pkg::Entry top, next;
  /* verilator lint_off UNUSEDSIGNAL */  // its RPC is that of `top`
  pair_kit_pkg::Entry parent;
  /* verilator lint_on UNUSEDSIGNAL */
  control_flow_pkg::Path launched, side, beside, kept, in_place;
  logic [PcBits-1:0] rpc;
  logic [Lanes-1:0] alive, resolve_live;
  logic [CountBits-1:0] depth, resolve_depth;
  logic [IndexBits-1:0] push_level;
  forwarding_stack_pkg::Forwarded forwarded, deferred, resolve_forwarded;
  logic [Beneath-1:0] was_has, resolve_has, resolve_closed;
  logic [IndexBits:0] resolve_look;

  // R7, F1, F7, F8: one turn a cycle. `popped` is the entry that was read: its waiting and its suspended path.
  logic pops, replaces, touched, pop_go, popped_left, popped_right, pop_left, pop_right, pop_own, pop_done;
  logic redirected_left, redirected_right, carried_left, carried_right, uncovered_own, at_home, pop_comes, pop_wants;
  logic [Warps-1:0] pop_bit;
  pair_kit_pkg::Entry popped, settled, carried, uncovered, risen_top, pop_top, turn_top;
  control_flow_pkg::Path caller;
  logic [CountBits-1:0] turn_depth, pop_depth;
  logic [IndexBits-1:0] pop_level;
  logic [Lanes-1:0] turn_live;
  forwarding_stack_pkg::Forwarded turn_forwarded, risen, pop_forwarded;
  logic [Beneath-1:0] turn_has, turn_closed, cleared_has, cleared_closed, pop_has, pop_closed;
  logic [IndexBits:0] pop_look;

  // The next turn: of those that wait already (line), the granted, the resolved and this turn's warp
  logic [Warps-1:0] line, line_first;
  logic [WarpBits-1:0] line_warp;
  logic [CountBits-1:0] line_depth;
  logic [IndexBits-1:0] line_level;
  logic any_line, grant_joins, resolve_joins, pop_joins, grant_turn, resolve_turn, line_turn;
  logic [RowBits-1:0] next_row;

  // The entries beneath the TOS, row w * Beneath + level: the path that waits and the one beside it; what was read of both
  // for this turn, and what is written
  logic [WaitingBits-1:0] waits_q [Warps*Beneath];
  logic [PathBits-1:0] beside_q [Warps*Beneath];
  logic [WaitingBits-1:0] waits_word_q;
  logic [PathBits-1:0] beside_word_q;
  logic waits_go, beside_go;
  logic [RowBits-1:0] push_row, pop_row, waits_row, beside_row;
  forwarding_stack_pkg::Waiting waiting;
  control_flow_pkg::Path beside_d;

  function automatic logic [EntryBits-1:0] top_of(input logic [WarpBits-1:0] warp);
    top_of = {left_q[warp], right_q[warp], rpc_q[warp]};
  endfunction

  // The row of a level beneath the TOS.
  function automatic logic [RowBits-1:0] row_of(input logic [WarpBits-1:0] warp, input logic [IndexBits-1:0] level);
    row_of = RowBits'(stack_kit_pkg::row_of(warp, 32'(level), Beneath));
  endfunction

  // F1: {a path is there, its level}: the nearest entry with a suspended path, and no call between.
  function automatic logic [IndexBits:0] look_down(input logic [Beneath-1:0] has, input logic [Beneath-1:0] closed);
    logic [Beneath-1:0] above, nearest;
    above = has | closed;
    for (int s = 1; s < Beneath; s = 2 * s) above = above | (above >> s);
    nearest = (has | closed) & ~(above >> 1);
    look_down = '0;
    for (int i = 0; i < Beneath; i++) if (nearest[i]) look_down = look_down | {!closed[i], i[IndexBits-1:0]};
  endfunction

  // Whether the forwarded path is up in this slot; `up` and `right` are its first fields, then `deferred`.
  function automatic logic forwarded_in(input logic [ForwardedBits-1:0] was, input logic right);
    forwarded_in = was[ForwardedBits-1] && was[ForwardedBits-2] == right;
  endfunction

  // F1: whether the path that was found comes up: one of the entry at the top runs, the other slot is free, and none is up
  // or waits by F6.
  function automatic logic comes(input logic own, input logic [ForwardedBits-1:0] was, input logic both,
      input logic found);
    comes = own && !was[ForwardedBits-1] && !was[ForwardedBits-3] && !both && found;
  endfunction

  // R7, F2: whether a warp waits for a turn.
  function automatic logic wants(input logic [CountBits-1:0] entries, input logic own, input logic comes_up);
    wants = 32'(entries) > 1 && (!own || comes_up);
  endfunction

  // F2: which slots have a path of the entry at the top, and the warps that wait for one to come up.
  always_comb begin : find_forwards
    each = '0;
    forwarded_left = '0;
    forwarded_right = '0;
    deferred_next = '0;
    for (int w = 0; w < Warps; w++) begin
      each = forwarded_q[w];
      forwarded_left[w] = forwarded_in(forwarded_q[w], 1'b0);
      forwarded_right[w] = forwarded_in(forwarded_q[w], 1'b1);
      deferred_next[w] = each.deferred && each.level == depth_q[w][IndexBits-1:0] - Below - Below;
    end
    own_left = status_q.valid_left & ~forwarded_left;
    own_right = status_q.valid_right & ~forwarded_right;
    own_blank = ~(own_left | own_right);
    came = pop_q & ~own_blank;
  end

  // R1
  always_comb begin : advance
    grant_bit = Bit << grant_i.warp;
    issued = grant_i.valid && ((grant_i.right ? status_q.valid_right : status_q.valid_left) & grant_bit) != '0;
    grant_illegal = grant_i.valid && !issued;  // R10
    held = ((grant_i.right ? held_i.right : held_i.left) & grant_bit) != '0;
    advances = issued && !held;
    path = grant_i.right ? right_q[grant_i.warp] : left_q[grant_i.warp];
    grant_depth = depth_q[grant_i.warp];
    was_grant_forwarded = forwarded_q[grant_i.warp];
    was_grant_has = has_q[grant_i.warp];
    grant_is_forwarded = forwarded_in(was_grant_forwarded, grant_i.right);
    grant_other = ((grant_i.right ? status_q.valid_left : status_q.valid_right) & grant_bit) != '0;
    // R6
    grant_ends = stack_kit_pkg::follows(path.pc, grant_is_forwarded ? was_grant_forwarded.rpc : rpc_q[grant_i.warp]);
    advanced = grant_ends ? '0 : {stack_kit_pkg::after(path.pc), path.mask};
    grant_done = grant_ends && !grant_other && 32'(grant_depth) <= 1;  // R8
    // Whose path runs when this one has advanced, or does not
    grant_own = ((grant_i.right ? own_right : own_left) & grant_bit) != '0 && !(advances && grant_ends) ||
                ((grant_i.right ? own_left : own_right) & grant_bit) != '0;
  end

  // F3, F1: the forwarded path where the granted one ends.
  always_comb begin : end_forwarded
    grant_forwarded = was_grant_forwarded;
    grant_has = was_grant_has;
    grant_look = look_down(was_grant_has, closed_q[grant_i.warp]);
    if (grant_is_forwarded && grant_ends) begin  // F3
      grant_forwarded.up = 1'b0;
      grant_has[was_grant_forwarded.level] = 1'b0;
      grant_look = look_down(was_grant_has & ~(Entry << was_grant_forwarded.level), closed_q[grant_i.warp]);
    end
    grant_comes = comes(grant_own, grant_forwarded, grant_other && !grant_ends, grant_look[IndexBits]);
    if (grant_comes && 32'(grant_depth) > 1) grant_forwarded.level = grant_look[IndexBits-1:0];
    grant_wants = wants(grant_depth, grant_own, grant_comes);
  end

  // What a resolve asks, and the slot that it names. What the late conditions choose from is made beside them, not behind.
  always_comb begin : name_slot
    resolve_bit = Bit << resolve_i.warp;
    resolves = resolve_i.op != control_flow_pkg::None;
    asked = resolves ? resolve_bit : '0;
    launches = resolve_i.op == control_flow_pkg::Launch;
    branches = resolve_i.op == control_flow_pkg::Branch;
    exits = resolve_i.op == control_flow_pkg::Exit;
    calls = resolve_i.op == control_flow_pkg::Call;
    same_warp = issued && grant_i.warp == resolve_i.warp;
    issues = same_warp && grant_i.right == resolve_i.right;
    sibling_goes = same_warp && advances;
    sibling_ends = sibling_goes && grant_ends;
    top = top_of(resolve_i.warp);
    depth = depth_q[resolve_i.warp];
    alive = live_q[resolve_i.warp];
    forwarded = forwarded_q[resolve_i.warp];
    was_has = has_q[resolve_i.warp];
    is_forwarded = forwarded_in(forwarded, resolve_i.right);
    has_forwarded = forwarded_in(forwarded, !resolve_i.right) && !sibling_ends;
    {slot.pc, slot.mask} = resolve_i.right ? {top.pc_r, top.mask_r} : {top.pc_l, top.mask_l};
    beside = resolve_i.right ? {top.pc_l, top.mask_l} : {top.pc_r, top.mask_r};
    if (sibling_goes) beside = advanced;  // the advance comes first
    slot_there = ((resolve_i.right ? status_q.valid_right : status_q.valid_left) & resolve_bit) != '0;
    beside_there = ((resolve_i.right ? status_q.valid_left : status_q.valid_right) & resolve_bit) != '0 && !sibling_ends;
    alone = !beside_there || forwarded_in(forwarded, !resolve_i.right);
    rpc = is_forwarded ? forwarded.rpc : top.rpc;
    slot.fall = stack_kit_pkg::after(slot.pc);
    slot.rest = slot.mask & ~resolve_i.lanes;
    slot.there = slot_there && (resolve_i.lanes & ~slot.mask) == '0 && !issues;
    taken_all = slot.rest == '0;
    taken_none = resolve_i.lanes == '0;
  end

  // R2. R4 and R11 make the same path on the left.
  always_comb begin : launch
    launched = {resolve_i.target, calls ? slot.mask : resolve_i.lanes};
  end

  // R4: whether a branch parts its lanes, and which of the two sides it makes. F5: `side`, where it makes one.
  always_comb begin : branch
    loop = resolve_i.rpc == rpc;
    left_live = resolve_i.target != resolve_i.rpc;
    right_live = !stack_kit_pkg::follows(slot.pc, resolve_i.rpc);
    parts = branches && !taken_all && !taken_none && (left_live || right_live);
    side = left_live ? {resolve_i.target, resolve_i.lanes} : {slot.fall, slot.rest};
  end

  // R4, R11, F4..F6: where the sides of a branch, or a call, go.
  always_comb begin : place
    defers = is_forwarded && (calls || parts);  // F6
    stays = parts && has_forwarded && left_live != right_live;  // F5
    pushes = !is_forwarded && (calls || (parts && !(loop && alone)));
    places = parts || calls;
    shows = places && !stays && !defers;
  end

  // R11, R4: what waits beneath
  always_comb begin : call
    kept = calls ? {slot.fall, slot.mask} : loop ? '0 : {resolve_i.rpc, slot.mask};
    parent = top;
    {parent.pc_l, parent.mask_l} = resolve_i.right ? beside : kept;
    {parent.pc_r, parent.mask_r} = resolve_i.right ? kept : beside;
  end

  // R5, R8: the lanes that stay in the warp
  always_comb begin : exit
    all_exit = exits && (alive & ~resolve_i.lanes) == '0;
    resolve_live = launches ? resolve_i.lanes : exits ? alive & ~resolve_i.lanes : alive;
  end

  // R10
  always_comb begin : is_illegal
    goes_nowhere = pair_kit_pkg::goes_nowhere(resolve_i.target, calls, rpc, taken_none, resolve_i.rpc, taken_all);
    case (resolve_i.op)
      control_flow_pkg::None: resolve_illegal = 1'b0;
      control_flow_pkg::Launch: resolve_illegal = resolve_bit == '0 || depth != '0 || taken_none;
      control_flow_pkg::Branch: resolve_illegal = !slot.there || goes_nowhere;
      control_flow_pkg::Exit: resolve_illegal = !slot.there;
      control_flow_pkg::Call: resolve_illegal = !slot.there || goes_nowhere || !taken_all;
      default: resolve_illegal = 1'b1;
    endcase
  end

  // R2..R6, R11: the TOS. A branch that parts to no side has a next PC that is its RPC too.
  always_comb begin : apply
    ends = branches && taken_all ? resolve_i.target == rpc
                                 : stack_kit_pkg::follows(slot.pc, rpc) || (exits && taken_all);  // R6
    in_slot = !launches && !shows;
    if (defers || (!stays && ends)) in_place = '0;
    else if (stays) in_place = side;
    else in_place = {branches && taken_all ? resolve_i.target : slot.fall, exits ? slot.rest : slot.mask};
    next = '0;
    if (in_slot) begin
      left_there = resolve_i.right ? beside_there : !defers && (stays || !ends);
      right_there = resolve_i.right ? !defers && (stays || !ends) : beside_there;
      {next.pc_l, next.mask_l} = resolve_i.right ? beside : in_place;
      {next.pc_r, next.mask_r} = resolve_i.right ? in_place : beside;
    end else begin
      left_there = calls || left_live;
      right_there = !launches && !calls && right_live;
      if (left_there) {next.pc_l, next.mask_l} = launched;
      if (right_there) {next.pc_r, next.mask_r} = {slot.fall, slot.rest};
    end
    next.rpc = calls && !defers ? control_flow_pkg::NoPc : launches || (parts && !defers) ? resolve_i.rpc : top.rpc;
  end

  // R8, R9
  always_comb begin : resolve
    too_deep = pushes && 32'(depth) == Depth && !resolve_illegal;
    resolve_go = resolves && !resolve_illegal && !too_deep;
    resolve_depth = launches ? Only : pushes ? depth + 1'b1 : depth;
    push_level = depth[IndexBits-1:0] - Below;
    done = all_exit || (!left_there && !right_there && 32'(resolve_depth) <= 1);  // R8
  end

  // F6: what the branch or call of a forwarded path wants waits with it.
  always_comb begin : defer
    deferred = forwarded;
    deferred.deferred = 1'b1;
    deferred.call = calls;
    deferred.loop = !calls && loop;
    deferred.rpc = calls ? control_flow_pkg::NoPc : resolve_i.rpc;
    deferred.target = resolve_i.target;
    deferred.taken = resolve_i.lanes;
  end

  // R4, R11, F1: the entries beneath that have a suspended path, those whose waiting path called, and the nearest one.
  always_comb begin : push_parts
    forwarded_ends = forwarded.up && (is_forwarded ? in_slot && !defers && ends : sibling_ends);  // F3
    resolve_has = was_has;
    resolve_closed = closed_q[resolve_i.warp];
    resolve_look = look_down(was_has, resolve_closed);
    if (forwarded_ends) begin
      resolve_has[forwarded.level] = 1'b0;
      resolve_look = look_down(was_has & ~(Entry << forwarded.level), closed_q[resolve_i.warp]);
    end
    if (pushes) begin
      resolve_has[push_level] = !alone;
      resolve_closed[push_level] = calls;
      if (calls || !alone) resolve_look = {!calls, push_level};
    end
    if (done) resolve_closed = '0;
  end

  // F3, F4, F6: the forwarded path behind a resolve
  always_comb begin : part_beside
    resolve_forwarded = forwarded;
    if (defers) resolve_forwarded = deferred;
    if (forwarded_ends) resolve_forwarded.up = 1'b0;
    if (defers || shows) resolve_forwarded.up = 1'b0;  // F4
    resolve_own = (left_there && !forwarded_in(resolve_forwarded, 1'b0)) || (right_there &&
        !forwarded_in(resolve_forwarded, 1'b1));
    resolve_comes = comes(resolve_own, resolve_forwarded, left_there && right_there, resolve_look[IndexBits]);
    if (resolve_comes && 32'(resolve_depth) > 1) resolve_forwarded.level = resolve_look[IndexBits-1:0];
    resolve_wants = !all_exit && wants(resolve_depth, resolve_own, resolve_comes);
  end

  // R7, F2: the turn of this cycle.
  always_comb begin : take_turn
    pop_bit = Bit << turn_q;
    turn_depth = depth_q[turn_q];
    turn_live = live_q[turn_q];
    turn_top = top_of(turn_q);
    turn_forwarded = forwarded_q[turn_q];
    turn_has = has_q[turn_q];
    turn_closed = closed_q[turn_q];
    pops = (own_blank & pop_bit) != '0;
    pop_level = pops ? turn_depth[IndexBits-1:0] - Below - Below : turn_forwarded.level;
    replaces = pops && (deferred_next & pop_bit) != '0;  // F7
    // F2: nothing else happens to the warp in this cycle, and where a branch waits, no memory is written
    touched = (grant_i.valid && grant_i.warp == turn_q) || (resolves && resolve_i.warp == turn_q);
    pop_go = takes_q && !touched && !(replaces && resolves);
  end

  // R7: the entry that was read. R6, F3: what of it is still there.
  always_comb begin : pop
    popped = {waits_word_q[WaitingBits-1:PcBits], beside_word_q, waits_word_q[PcBits-1:0]};
    popped.mask_l = popped.mask_l & turn_live;
    if (!turn_has[pop_level]) {popped.pc_r, popped.mask_r} = '0;
    popped_left = popped.mask_l != '0 && popped.pc_l != popped.rpc;  // R6
    popped_right = popped.mask_r != '0 && popped.pc_r != popped.rpc;
    settled = pair_kit_pkg::settled(popped_left, popped, popped_right);
    cleared_has = turn_has & ~(Entry << pop_level);
    cleared_closed = turn_closed & ~(Entry << pop_level);
  end

  // F7: the branch or call that waits is carried out: its sides take the place of the entry that is popped.
  always_comb begin : carry_out
    caller = turn_forwarded.loop ? '0 : {turn_forwarded.call ? popped.pc_r : turn_forwarded.rpc, popped.mask_r};
    carried_left = turn_forwarded.target != turn_forwarded.rpc;
    carried_right = popped.pc_r != turn_forwarded.rpc && (popped.mask_r & ~turn_forwarded.taken) != '0;
    carried = '0;
    carried.rpc = turn_forwarded.rpc;
    if (carried_left) {carried.pc_l, carried.mask_l} = {turn_forwarded.target, turn_forwarded.taken};
    if (carried_right) {carried.pc_r, carried.mask_r} = {popped.pc_r, popped.mask_r & ~turn_forwarded.taken};
  end

  // R7, F8: the entry beneath becomes the TOS, and a path that is up stays in its slot.
  always_comb begin : uncover
    at_home = turn_forwarded.level == pop_level;
    uncovered = settled;
    uncovered_own = popped_left || popped_right;
    if (turn_forwarded.up) begin
      uncovered_own = at_home || popped_left;
      if (turn_forwarded.right) begin
        {uncovered.pc_r, uncovered.mask_r} = {turn_top.pc_r, turn_top.mask_r};
      end else begin
        {uncovered.pc_r, uncovered.mask_r} = {settled.pc_l, settled.mask_l};
        {uncovered.pc_l, uncovered.mask_l} = {turn_top.pc_l, turn_top.mask_l};
      end
    end
  end

  // F1: the suspended path comes up into the free slot.
  always_comb begin : forward
    risen = turn_forwarded;
    risen.up = 1'b1;
    risen.right = (status_q.valid_right & pop_bit) == '0;
    risen.rpc = popped.rpc;
    risen_top = turn_top;
    if (risen.right) {risen_top.pc_r, risen_top.mask_r} = {popped.pc_r, popped.mask_r};
    else {risen_top.pc_l, risen_top.mask_l} = {popped.pc_r, popped.mask_r};
  end

  // What the turn leaves of its warp, and whether that waits for another one.
  always_comb begin : put
    pop_top = uncovered;
    pop_left = turn_forwarded.up ? popped_left || !turn_forwarded.right : popped_left;
    pop_right = turn_forwarded.up ? popped_left || turn_forwarded.right : popped_right;
    pop_own = uncovered_own;
    pop_depth = turn_depth - 1'b1;
    pop_has = cleared_has;
    pop_closed = cleared_closed;
    pop_forwarded = turn_forwarded;
    if (at_home) pop_forwarded.up = 1'b0;
    redirected_left = !turn_forwarded.up || turn_forwarded.right;
    redirected_right = !turn_forwarded.up || !turn_forwarded.right;
    pop_look = look_down(cleared_has, cleared_closed);
    if (replaces) begin  // F7
      pop_top = carried;
      pop_left = carried_left;
      pop_right = carried_right;
      pop_own = carried_left || carried_right;
      pop_depth = turn_depth;
      pop_has[pop_level] = popped_left;
      pop_closed[pop_level] = turn_forwarded.call;
      pop_forwarded = '0;
      pop_forwarded.level = turn_forwarded.level;
      pop_forwarded.right = turn_forwarded.right;
      redirected_left = 1'b1;
      redirected_right = 1'b1;
      if (popped_left || turn_forwarded.call) pop_look = {!turn_forwarded.call, pop_level};
    end else if (!pops) begin  // F1
      pop_top = risen_top;
      pop_left = 1'b1;
      pop_right = 1'b1;
      pop_own = 1'b1;
      pop_depth = turn_depth;
      pop_has = turn_has;
      pop_closed = turn_closed;
      pop_forwarded = risen;
      redirected_left = !risen.right;
      redirected_right = risen.right;
    end
    pop_comes = comes(pop_own, pop_forwarded, pop_left && pop_right, pop_look[IndexBits]);
    if (pop_comes && 32'(pop_depth) > 1) pop_forwarded.level = pop_look[IndexBits-1:0];
    pop_wants = wants(pop_depth, pop_own, pop_comes);
    pop_done = !pop_left && !pop_right && 32'(pop_depth) <= 1;  // R8
  end

  // R4, R11, F7: the path that waits for the entry above it
  always_comb begin : write_waiting
    push_row = row_of(resolve_i.warp, push_level);
    pop_row = row_of(turn_q, pop_level);
    waits_go = resolve_go ? pushes : pop_go && replaces;
    waits_row = resolve_go ? push_row : pop_row;
    waiting = resolve_go ? {resolve_i.right ? {parent.pc_r, parent.mask_r} : {parent.pc_l, parent.mask_l}, top.rpc}
                         : {caller, popped.rpc};
  end

  // R4, R11, F4, F6, F7: the path that is suspended beside it
  always_comb begin : write_beside
    beside_go = resolve_go ? defers || (has_forwarded && shows) || (pushes && !alone) : pop_go && replaces;
    beside_row = !resolve_go ? pop_row : forwarded.up ? row_of(resolve_i.warp, forwarded.level) : push_row;
    beside_d = !resolve_go ? {settled.pc_l, settled.mask_l} : defers ? {slot.fall, slot.mask} : beside;
  end

  // F2: who joins those that wait. A forward goes in the turn after the one in which its level was found.
  always_comb begin : read_parts_ahead
    grant_joins = grant_i.valid && grant_bit != '0 && 32'(grant_depth) > 1 &&
                  (!grant_own || ((came & grant_bit) != '0 && !(advances && grant_ends) &&
                                  !(resolves && resolve_i.warp == grant_i.warp)));
    if (resolve_go && resolve_i.warp == grant_i.warp) grant_joins = 1'b0;
    resolve_joins = resolve_go && resolve_wants && !resolve_own && !defers;
    if (!resolve_go) resolve_joins = resolves && !(grant_i.valid && grant_i.warp == resolve_i.warp) &&
                                     (pop_q & own_blank & resolve_bit) != '0;
    pop_joins = pop_go && pop_wants && !pop_own;
    if (!pop_go) pop_joins = takes_q && !touched;
  end

  // R7: the warp of the next turn reads what the turn needs: the entry beneath its TOS, or the one to forward from. All that
  // can be known before this cycle's paths end is, and the row that each of the four would read.
  always_comb begin : read_ahead
    line = pop_q & ~asked;
    if (takes_q) line = line & ~pop_bit;
    if (grant_i.valid) line = line & ~grant_bit;  // F2: what is asked of a warp may end its wait
    any_line = line != '0;
    line_first = stack_kit_pkg::first_from(line, turn_q);
    line_warp = '0;
    line_depth = '0;
    line_level = '0;
    for (int w = 0; w < Warps; w++) begin
      if (line_first[w]) begin
        line_warp = line_warp | w[WarpBits-1:0];
        line_depth = line_depth | depth_q[w];
        line_level = line_level | forwarded_q[w][ForwardedBits-6 -: IndexBits];
      end
    end
    if ((line_first & own_blank) != '0) line_level = line_depth[IndexBits-1:0] - Below - Below;
    {resolve_turn, grant_turn, line_turn} = stack_kit_pkg::next_turn(
        resolve_joins, resolve_i.warp, grant_joins, grant_i.warp, any_line, line_warp, turn_q);
    takes_d = any_line || resolve_joins || grant_joins || pop_joins;
    turn_d = resolve_turn ? resolve_i.warp : grant_turn ? grant_i.warp : line_turn ? line_warp : turn_q;
    next_row = resolve_turn ? row_of(resolve_i.warp, depth[IndexBits-1:0] - Below - Below)
             : grant_turn   ? row_of(grant_i.warp, grant_own ? was_grant_forwarded.level
                                                             : grant_depth[IndexBits-1:0] - Below - Below)
             : line_turn    ? row_of(line_warp, line_level)
                            : pop_go ? row_of(turn_q, pop_level - Below) : pop_row;
  end

  // What the edge did, as status
  always_comb begin : show
    status = '0;
    status.valid_left = status_q.valid_left;
    status.valid_right = status_q.valid_right;
    pop_d = pop_q;
    if (advances) begin
      if (grant_ends && !grant_i.right) status.valid_left = status.valid_left & ~grant_bit;
      if (grant_ends && grant_i.right) status.valid_right = status.valid_right & ~grant_bit;
      if (grant_wants) pop_d = pop_d | grant_bit;
    end
    if (resolve_go) begin
      status.valid_left = status.valid_left & ~resolve_bit;
      status.valid_right = status.valid_right & ~resolve_bit;
      if (left_there) begin
        status.valid_left = status.valid_left | resolve_bit;
        if (shows || launches || !resolve_i.right) status.redirected_left = status.redirected_left | resolve_bit;
      end
      if (right_there) begin
        status.valid_right = status.valid_right | resolve_bit;
        if (shows || resolve_i.right) status.redirected_right = status.redirected_right | resolve_bit;
      end
      if (shows) status.lanes_moved = status.lanes_moved | resolve_bit;
      pop_d = resolve_wants ? pop_d | resolve_bit : pop_d & ~resolve_bit;
    end
    if (pop_go) begin
      if (pops) status.lanes_moved = status.lanes_moved | pop_bit;
      if (pop_left) begin
        status.valid_left = status.valid_left | pop_bit;
        if (redirected_left) status.redirected_left = status.redirected_left | pop_bit;
      end
      if (pop_right) begin
        status.valid_right = status.valid_right | pop_bit;
        if (redirected_right) status.redirected_right = status.redirected_right | pop_bit;
      end
      if (!pop_wants) pop_d = pop_d & ~pop_bit;
    end
    // the next edge, without a request, changes nothing
    idle_d = {status.redirected_left, status.redirected_right, status.lanes_moved} == '0 && pop_d == '0;
  end

  // The TOS, and the registers beside it. A resolve of the granted warp holds its advance too; R8: a blank lowest entry
  // ends the warp.
  always_ff @(posedge clk_i) begin : put_top
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
      if (advances) begin
        if (!grant_i.right) left_q[grant_i.warp] <= advanced;
        if (grant_i.right) right_q[grant_i.warp] <= advanced;
        if (grant_done) begin
          depth_q[grant_i.warp] <= '0;
          live_q[grant_i.warp] <= '0;
        end
      end
      if (resolve_go) begin
        left_q[resolve_i.warp] <= {next.pc_l, next.mask_l};
        right_q[resolve_i.warp] <= {next.pc_r, next.mask_r};
        rpc_q[resolve_i.warp] <= next.rpc;
        depth_q[resolve_i.warp] <= done ? '0 : resolve_depth;
        live_q[resolve_i.warp] <= done ? '0 : resolve_live;
      end
      if (pop_go) begin
        left_q[turn_q] <= {pop_top.pc_l, pop_top.mask_l};
        right_q[turn_q] <= {pop_top.pc_r, pop_top.mask_r};
        rpc_q[turn_q] <= pop_top.rpc;
        depth_q[turn_q] <= pop_done ? '0 : pop_depth;
        if (pop_done) live_q[turn_q] <= '0;
      end
      status_q <= status;
      pop_q <= pop_d;
      takes_q <= takes_d;
      idle_q <= idle_d;
      illegal:  assert (!grant_illegal && !resolve_illegal);  // R10
      overflow: assert (!too_deep);  // R9
    end
  end

  if (Warps > 1) begin : g_turn
    always_ff @(posedge clk_i) turn_q <= rst_ni ? turn_d : '0;
  end else begin : g_no_turn
    assign turn_q = '0;
  end

  // The memories. Reset does not clear them. A row is never read in the edge that writes it: a push leaves lanes at the TOS,
  // and what else is written is not due before the next edge.
  always_ff @(posedge clk_i) begin : store
    if (rst_ni && waits_go) waits_q[waits_row] <= waiting;
    if (takes_d) waits_word_q <= waits_q[next_row];
    if (rst_ni && beside_go) beside_q[beside_row] <= beside_d;
    if (takes_d) beside_word_q <= beside_q[next_row];
  end

  // The forwarded path of a warp, and what its entries have
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int w = 0; w < Warps; w++) begin
        forwarded_q[w] <= '0;
        has_q[w] <= '0;
        closed_q[w] <= '0;
      end
    end else begin
      if (advances) begin
        forwarded_q[grant_i.warp] <= grant_forwarded;
        has_q[grant_i.warp] <= grant_has;
      end
      if (resolve_go) begin
        forwarded_q[resolve_i.warp] <= resolve_forwarded;
        has_q[resolve_i.warp] <= resolve_has;
        closed_q[resolve_i.warp] <= resolve_closed;
      end
      if (pop_go) begin
        forwarded_q[turn_q] <= pop_forwarded;
        has_q[turn_q] <= pop_has;
        closed_q[turn_q] <= pop_closed;
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
    logic [Warps*ForwardedBits-1:0] forwarded_paths;
    logic [Warps*Beneath-1:0] has, closed;
    logic [Warps-1:0] pop_bits;
    logic takes;
    logic [WarpBits-1:0] turn;
    logic [EntryBits-1:0] word;
    assign pop_bits = pop_q;
    assign takes = takes_q;
    assign turn = turn_q;
    assign word = {waits_word_q[WaitingBits-1:PcBits], beside_word_q, waits_word_q[PcBits-1:0]};
    for (genvar w = 0; w < Warps; w++) begin : g_warp
      assign live[w*Lanes +: Lanes] = live_q[w];
      assign entries[w*Depth*EntryBits +: EntryBits] = {left_q[w], right_q[w], rpc_q[w]};
      for (genvar i = 0; i < Beneath; i++) begin : g_body
        assign entries[(w*Depth+1+i)*EntryBits +: EntryBits] = {
            waits_q[w*Beneath+i][WaitingBits-1:PcBits], beside_q[w*Beneath+i], waits_q[w*Beneath+i][PcBits-1:0]};
      end
      assign forwarded_paths[w*ForwardedBits +: ForwardedBits] = forwarded_q[w];
      assign has[w*Beneath +: Beneath] = has_q[w];
      assign closed[w*Beneath +: Beneath] = closed_q[w];
    end
  end
endmodule
