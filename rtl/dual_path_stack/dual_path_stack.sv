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
  logic [WarpBits-1:0] pop_last_q;
  logic idle_q, idle_d;

  // R1: the advance of an issued slot
  logic [Warps-1:0] grant_bit;
  logic issued, grant_illegal, grant_go;
  control_flow_pkg::Path grant_left, grant_right;
  logic [PcBits-1:0] grant_rpc;
  logic [CountBits-1:0] grant_depth;
  dual_path_stack_pkg::Lift grant_lift;
  logic [Beneath-1:0] grant_has, grant_closed;
  logic grant_wants;
  logic [IndexBits:0] grant_look;

  // R2..R5, R11, R13: an executed control instruction, a launch, or a deal
  logic [Warps-1:0] resolve_bit;
  logic same_warp, there, nowhere, places, pushes, loop, target_live, fall_live, resolve_illegal, too_deep, resolve_go;
  dual_path_stack_pkg::Entry top, parent, next, resolve_top;
  control_flow_pkg::Path slot;
  logic [PcBits-1:0] fall;
  logic [Lanes-1:0] sibling, rest, resolve_live, all_lanes;
  logic [PcBits-1:0] deal_pc;
  logic [CountBits-1:0] depth, resolve_depth;
  logic [IndexBits-1:0] push_index;
  dual_path_stack_pkg::Lift lift;
  logic [Beneath-1:0] resolve_has, resolve_closed;
  logic is_lifted, has_lifted, parks, stays, shows, resolve_wants;
  logic [PcBits-1:0] slot_rpc;
  logic [IndexBits:0] resolve_look, pop_look;

  // R7: one pop a cycle
  logic pop_go, any, upper;
  logic [WarpBits-1:0] at, from, first, first_upper, pop_warp;
  logic [Warps-1:0] pop_bit;
  dual_path_stack_pkg::Entry popped, pop_top;
  logic [CountBits-1:0] pop_from_depth, pop_depth;
  logic [IndexBits-1:0] pop_index;
  logic [Lanes-1:0] pop_live;
  dual_path_stack_pkg::Entry pop_from;
  dual_path_stack_pkg::Lift was_lift;
  logic [Beneath-1:0] pop_has, pop_closed;
  logic pops, replaces, shows_left, shows_right, pop_wants;

  // The memory of the entries beneath the TOS: what a turn reads; without Forwarding, as it was written
  logic [EntryBits-1:0] beneath;
  /* verilator lint_off UNUSEDSIGNAL */  // g_formal alone looks at it: all of that memory
  logic [Warps*Beneath*EntryBits-1:0] view;
  /* verilator lint_on UNUSEDSIGNAL */
  // What is written, with Forwarding: the path that waits and the one beside it
  /* verilator lint_off UNUSEDSIGNAL */  // without it, nobody looks
  logic waits_go, beside_go;
  logic [WarpBits-1:0] waits_warp, beside_warp;
  logic [IndexBits-1:0] waits_index, beside_index;
  dual_path_stack_pkg::Lift resolve_lift, pop_lift;
  dual_path_stack_pkg::Waiting waits_d;
  control_flow_pkg::Path beside_d;
  /* verilator lint_on UNUSEDSIGNAL */

  // F1: {waits for a turn, a path comes up in it, from there}: the nearest entry with a suspended path, and no call
  // between. own: the paths of the entry at the top that run; may: nothing has come up, and its sides are not both there.
  function automatic logic [IndexBits+1:0] look_down(input logic own, input logic may, input logic beneath_top,
                                                     input logic [Beneath-1:0] has, input logic [Beneath-1:0] closed);
    look_down = '0;
    if (beneath_top && own && may) begin
      for (int i = 0; i < Beneath; i++) if (has[i] || closed[i]) look_down = {!closed[i], !closed[i], i[IndexBits-1:0]};
    end
    if (beneath_top && !own) look_down[IndexBits+1] = 1'b1;
  endfunction

  // Whose turn it is, and where it reads
  always_comb begin
    // R7: the first warp that waits, from the one after the last
    from = 32'(pop_last_q) == Warps - 1 ? '0 : pop_last_q + 1'b1;
    at = '0;
    any = 1'b0;
    upper = 1'b0;
    first = '0;
    first_upper = '0;
    for (int w = 0; w < Warps; w++) begin
      if (pop_q[w] && !any) begin
        any = 1'b1;
        first = at;
      end
      if (pop_q[w] && at >= from && !upper) begin
        upper = 1'b1;
        first_upper = at;
      end
      at = at + 1'b1;
    end
    pop_warp = upper ? first_upper : first;
    pop_bit = Bit << pop_warp;
    pop_from_depth = depth_q[pop_warp];
    pop_index = pop_from_depth[IndexBits-1:0] - Below - Below;
    pop_from = '0;
    was_lift = '0;
    pops = 1'b1;
    if (Forwarding != 0) begin
      pop_from = {left_q[pop_warp], right_q[pop_warp], rpc_q[pop_warp]};
      was_lift = lift_q[pop_warp];
      pops = (pop_from.mask_l == '0 || (was_lift.up && !was_lift.right)) &&
             (pop_from.mask_r == '0 || (was_lift.up && was_lift.right));
      if (!pops) pop_index = was_lift.level;
    end
  end

  always_comb begin
    // R1
    grant_bit = Bit << grant_i.warp;
    issued = grant_i.valid &&
             ((grant_i.right ? status_q.valid_right : status_q.valid_left) & grant_bit) != '0;
    grant_illegal = grant_i.valid && !issued;  // R10
    grant_go = issued && ((grant_i.right ? held_i.right : held_i.left) & grant_bit) == '0;
    grant_left = '0;
    grant_right = '0;
    grant_rpc = '0;
    grant_depth = '0;
    if (issued) begin
      grant_left = left_q[grant_i.warp];
      grant_right = right_q[grant_i.warp];
      grant_rpc = rpc_q[grant_i.warp];
      grant_depth = depth_q[grant_i.warp];
    end
    if (grant_go && !grant_i.right) grant_left.pc = grant_left.pc + 1'b1;
    if (grant_go && grant_i.right) grant_right.pc = grant_right.pc + 1'b1;
    grant_lift = '0;
    grant_has = '0;
    grant_closed = '0;
    if (Forwarding != 0 && issued) begin
      grant_lift = lift_q[grant_i.warp];
      grant_has = has_q[grant_i.warp];
      grant_closed = closed_q[grant_i.warp];
    end
    if (grant_left.pc == (grant_lift.up && !grant_lift.right ? grant_lift.rpc : grant_rpc)) grant_left = '0;  // R6
    if (grant_right.pc == (grant_lift.up && grant_lift.right ? grant_lift.rpc : grant_rpc)) grant_right = '0;
    grant_wants = 1'b0;
    grant_look = '0;
    if (Forwarding != 0) begin
      if (grant_lift.up && (grant_lift.right ? grant_right.mask : grant_left.mask) == '0) begin  // F3
        grant_lift.up = 1'b0;
        grant_has[grant_lift.level] = 1'b0;
      end
      {grant_wants, grant_look} = look_down(
        (grant_left.mask != '0 && !(grant_lift.up && !grant_lift.right)) ||
        (grant_right.mask != '0 && !(grant_lift.up && grant_lift.right)),
        !grant_lift.up && !grant_lift.parked && (grant_left.mask == '0 || grant_right.mask == '0),
        32'(grant_depth) > 1, grant_has, grant_closed);
      if (grant_look[IndexBits]) grant_lift.level = grant_look[IndexBits-1:0];
    end

    // R2..R5, R11, R13
    resolve_bit = Bit << resolve_i.warp;
    same_warp = issued && grant_i.warp == resolve_i.warp;
    top = '0;
    depth = '0;
    resolve_live = '0;
    if (resolve_bit != '0) begin
      top = {left_q[resolve_i.warp], right_q[resolve_i.warp], rpc_q[resolve_i.warp]};
      depth = depth_q[resolve_i.warp];
      resolve_live = live_q[resolve_i.warp];
      if (same_warp) top = {grant_left, grant_right, grant_rpc};
    end
    lift = '0;
    resolve_has = '0;
    resolve_closed = '0;
    if (Forwarding != 0 && resolve_bit != '0) begin
      lift = same_warp ? grant_lift : lift_q[resolve_i.warp];
      resolve_has = same_warp ? grant_has : has_q[resolve_i.warp];
      resolve_closed = closed_q[resolve_i.warp];
    end
    is_lifted = lift.up && lift.right == resolve_i.right;
    has_lifted = lift.up && lift.right != resolve_i.right;
    slot = resolve_i.right ? {top.pc_r, top.mask_r} : {top.pc_l, top.mask_l};
    slot_rpc = is_lifted ? lift.rpc : top.rpc;
    sibling = has_lifted ? '0 : resolve_i.right ? top.mask_l : top.mask_r;
    fall = slot.pc + 1'b1;
    rest = slot.mask & ~resolve_i.lanes;
    there = slot.mask != '0 && (resolve_i.lanes & ~slot.mask) == '0 &&
            !(same_warp && grant_i.right == resolve_i.right);
    // R12: nobody runs at NoPc
    nowhere = resolve_i.target == control_flow_pkg::NoPc && resolve_i.lanes != '0 &&
              (slot_rpc != control_flow_pkg::NoPc || (rest != '0 && resolve_i.rpc != control_flow_pkg::NoPc));
    all_lanes = top.mask_l | top.mask_r;
    deal_pc = top.mask_l != '0 ? top.pc_l : top.pc_r;
    loop = resolve_i.rpc == slot_rpc;
    target_live = resolve_i.target != resolve_i.rpc;
    fall_live = fall != resolve_i.rpc;
    places = 1'b0;
    pushes = 1'b0;
    parks = 1'b0;
    stays = 1'b0;
    resolve_illegal = 1'b0;
    too_deep = 1'b0;
    resolve_depth = depth;
    push_index = depth[IndexBits-1:0] - Below;
    next = top;
    parent = top;
    if (resolve_i.right) {parent.pc_r, parent.mask_r} = loop ? '0 : {resolve_i.rpc, slot.mask};
    else {parent.pc_l, parent.mask_l} = loop ? '0 : {resolve_i.rpc, slot.mask};
    case (resolve_i.op)
      control_flow_pkg::Launch: begin  // R2
        resolve_illegal = resolve_bit == '0 || depth != '0 || resolve_i.lanes == '0;  // R10
        next = '0;
        next.pc_l = resolve_i.target;
        next.mask_l = resolve_i.lanes;
        next.rpc = resolve_i.rpc;
        resolve_depth = '0;
        resolve_depth[0] = 1'b1;
        resolve_live = resolve_i.lanes;
      end
      control_flow_pkg::Branch: begin
        resolve_illegal = !there || nowhere;  // R10
        if (rest == '0 || resolve_i.lanes == '0) begin  // R3
          if (resolve_i.right) next.pc_r = rest == '0 ? resolve_i.target : fall;
          else next.pc_l = rest == '0 ? resolve_i.target : fall;
        end else begin  // R4
          places = target_live || fall_live;
          parks = places && is_lifted;  // F6
          stays = has_lifted && target_live != fall_live;  // F5
          pushes = places && !is_lifted && !(loop && sibling == '0);
          too_deep = pushes && 32'(depth) == Depth;  // R9
          next = parent;
          if (stays) begin
            next = top;
            next.rpc = resolve_i.rpc;
            if (resolve_i.right)
              {next.pc_r, next.mask_r} = target_live ? {resolve_i.target, resolve_i.lanes} : {fall, rest};
            else {next.pc_l, next.mask_l} = target_live ? {resolve_i.target, resolve_i.lanes} : {fall, rest};
          end else if (places) begin
            next = '0;
            if (target_live) {next.pc_l, next.mask_l} = {resolve_i.target, resolve_i.lanes};
            if (fall_live) {next.pc_r, next.mask_r} = {fall, rest};
            next.rpc = resolve_i.rpc;
          end
        end
      end
      control_flow_pkg::Exit: begin  // R5
        resolve_illegal = !there;  // R10
        if (resolve_i.right) {next.pc_r, next.mask_r} = {fall, rest};
        else {next.pc_l, next.mask_l} = {fall, rest};
        resolve_live = resolve_live & ~resolve_i.lanes;
        if (resolve_live == '0) resolve_depth = '0;  // R8: nobody is left in any entry
      end
      control_flow_pkg::Call: begin  // R11
        resolve_illegal = !there || rest != '0;  // R10
        places = 1'b1;
        parks = is_lifted;  // F6
        pushes = !is_lifted;
        too_deep = pushes && 32'(depth) == Depth;  // R9
        parent = top;
        if (resolve_i.right) parent.pc_r = fall;
        else parent.pc_l = fall;
        next = '0;
        {next.pc_l, next.mask_l} = {resolve_i.target, slot.mask};
        next.rpc = control_flow_pkg::NoPc;
      end
      control_flow_pkg::Deal: begin  // R13
        resolve_illegal = Deals == 0 || same_warp || resolve_i.lanes == '0 || (resolve_i.lanes & ~all_lanes) != '0 ||
                          (top.mask_l != '0 && top.mask_r != '0 &&
                           (top.pc_l != top.pc_r || (dealt_q & resolve_bit) == '0));  // R10
        if (Deals != 0) begin
          places = 1'b1;
          next.pc_l = deal_pc;
          next.pc_r = deal_pc;
          next.mask_l = resolve_i.right ? all_lanes & ~resolve_i.lanes : resolve_i.lanes;
          next.mask_r = resolve_i.right ? resolve_i.lanes : all_lanes & ~resolve_i.lanes;
        end
      end
      default: resolve_illegal = resolve_i.op != control_flow_pkg::None;  // R10
    endcase
    too_deep = too_deep && !resolve_illegal;
    resolve_go = resolve_i.op != control_flow_pkg::None && !resolve_illegal && !too_deep;
    if (pushes) resolve_depth = depth + 1'b1;
    shows = places && !stays && !parks;
    resolve_lift = lift;
    if (Forwarding != 0) begin
      if (parks) begin
        next = top;
        if (resolve_i.right) {next.pc_r, next.mask_r} = '0;
        else {next.pc_l, next.mask_l} = '0;
        resolve_lift.up = 1'b0;
        resolve_lift.parked = 1'b1;
        resolve_lift.call = resolve_i.op == control_flow_pkg::Call;
        resolve_lift.loop = !resolve_lift.call && loop;
        resolve_lift.rpc = resolve_lift.call ? control_flow_pkg::NoPc : resolve_i.rpc;
        resolve_lift.target = resolve_i.target;
        resolve_lift.taken = resolve_i.lanes;
      end
      if (shows) resolve_lift.up = 1'b0;  // F4
      if (pushes) begin
        resolve_has[push_index] = sibling != '0;
        resolve_closed[push_index] = resolve_i.op == control_flow_pkg::Call;
      end
    end
    resolve_top = next;
    if (next.mask_l == '0 || next.pc_l == (resolve_lift.up && !resolve_lift.right ? lift.rpc : next.rpc))
      {resolve_top.pc_l, resolve_top.mask_l} = '0;  // R6
    if (next.mask_r == '0 || next.pc_r == (resolve_lift.up && resolve_lift.right ? lift.rpc : next.rpc))
      {resolve_top.pc_r, resolve_top.mask_r} = '0;
    resolve_wants = 1'b0;
    resolve_look = '0;
    if (Forwarding != 0) begin
      if (resolve_lift.up && (resolve_lift.right ? resolve_top.mask_r : resolve_top.mask_l) == '0) begin  // F3
        resolve_lift.up = 1'b0;
        resolve_has[lift.level] = 1'b0;
      end
      if (resolve_depth == '0) resolve_closed = '0;
      {resolve_wants, resolve_look} = look_down(
        (resolve_top.mask_l != '0 && !(resolve_lift.up && !resolve_lift.right)) ||
        (resolve_top.mask_r != '0 && !(resolve_lift.up && resolve_lift.right)),
        !resolve_lift.up && !resolve_lift.parked && (resolve_top.mask_l == '0 || resolve_top.mask_r == '0),
        32'(resolve_depth) > 1, resolve_has, resolve_closed);
      if (resolve_look[IndexBits]) resolve_lift.level = resolve_look[IndexBits-1:0];
    end

    // R7, F1, F7
    pop_go = pop_q != '0;
    pop_depth = pop_from_depth - 1'b1;
    pop_live = live_q[pop_warp];
    pop_has = '0;
    pop_closed = '0;
    replaces = 1'b0;
    shows_left = 1'b1;
    shows_right = 1'b1;
    if (Forwarding != 0) begin
      pop_has = has_q[pop_warp];
      pop_closed = closed_q[pop_warp];
      replaces = pops && was_lift.parked && was_lift.level == pop_index;  // F7
      // F2: nothing else happens to the warp in this cycle, and where a branch waits, no memory is written
      if ((grant_i.valid && grant_i.warp == pop_warp) ||
          (resolve_i.op != control_flow_pkg::None && (resolve_i.warp == pop_warp || replaces))) pop_go = 1'b0;
    end
    popped = beneath;
    popped.mask_l = popped.mask_l & pop_live;
    if (Forwarding == 0) popped.mask_r = popped.mask_r & pop_live;
    else if (!pop_has[pop_index]) {popped.pc_r, popped.mask_r} = '0;
    pop_top = popped;
    if (popped.mask_l == '0 || popped.pc_l == popped.rpc) {pop_top.pc_l, pop_top.mask_l} = '0;  // R6
    if (popped.mask_r == '0 || popped.pc_r == popped.rpc) {pop_top.pc_r, pop_top.mask_r} = '0;
    pop_lift = was_lift;
    waits_d = '0;
    beside_d = '0;
    pop_wants = 1'b0;
    pop_look = '0;
    if (Forwarding != 0) begin
      if (replaces) begin  // F7
        pop_depth = pop_from_depth;
        waits_d = {was_lift.loop ? '0 : {was_lift.call ? popped.pc_r : was_lift.rpc, popped.mask_r}, popped.rpc};
        beside_d = {pop_top.pc_l, pop_top.mask_l};
        pop_has[pop_index] = pop_top.mask_l != '0;
        pop_closed[pop_index] = was_lift.call;
        pop_top = '0;
        pop_top.rpc = was_lift.rpc;
        if (was_lift.target != was_lift.rpc) {pop_top.pc_l, pop_top.mask_l} = {was_lift.target, was_lift.taken};
        if (popped.pc_r != was_lift.rpc && (popped.mask_r & ~was_lift.taken) != '0)
          {pop_top.pc_r, pop_top.mask_r} = {popped.pc_r, popped.mask_r & ~was_lift.taken};
        pop_lift = '0;
        pop_lift.level = was_lift.level;
        pop_lift.right = was_lift.right;
      end else if (pops) begin  // R7
        pop_has[pop_index] = 1'b0;
        pop_closed[pop_index] = 1'b0;
        if (was_lift.up) begin  // F8
          if (was_lift.right) {pop_top.pc_r, pop_top.mask_r} = {pop_from.pc_r, pop_from.mask_r};
          else begin
            {pop_top.pc_r, pop_top.mask_r} = {pop_top.pc_l, pop_top.mask_l};
            {pop_top.pc_l, pop_top.mask_l} = {pop_from.pc_l, pop_from.mask_l};
          end
          shows_left = was_lift.right;
          shows_right = !was_lift.right;
          if (was_lift.level == pop_index) pop_lift.up = 1'b0;
        end
      end else begin  // F1
        pop_depth = pop_from_depth;
        pop_lift.up = 1'b1;
        pop_lift.right = pop_from.mask_r == '0;
        pop_lift.rpc = popped.rpc;
        pop_top = pop_from;
        if (pop_lift.right) {pop_top.pc_r, pop_top.mask_r} = {popped.pc_r, popped.mask_r};
        else {pop_top.pc_l, pop_top.mask_l} = {popped.pc_r, popped.mask_r};
        shows_left = !pop_lift.right;
        shows_right = pop_lift.right;
      end
      {pop_wants, pop_look} = look_down(
        (pop_top.mask_l != '0 && !(pop_lift.up && !pop_lift.right)) ||
        (pop_top.mask_r != '0 && !(pop_lift.up && pop_lift.right)),
        !pop_lift.up && !pop_lift.parked && (pop_top.mask_l == '0 || pop_top.mask_r == '0),
        32'(pop_depth) > 1, pop_has, pop_closed);
      if (pop_look[IndexBits]) pop_lift.level = pop_look[IndexBits-1:0];
    end
    if (resolve_go) begin
      waits_d = {resolve_i.right ? {parent.pc_r, parent.mask_r} : {parent.pc_l, parent.mask_l}, top.rpc};
      beside_d = resolve_i.right ? {top.pc_l, top.mask_l} : {top.pc_r, top.mask_r};
      if (parks) beside_d = {fall, slot.mask};
    end
    waits_go = resolve_go ? pushes : pop_go && replaces;
    waits_warp = resolve_go ? resolve_i.warp : pop_warp;
    waits_index = resolve_go ? push_index : pop_index;
    beside_go = resolve_go ? parks || (has_lifted && shows) || (pushes && sibling != '0) : pop_go && replaces;
    beside_warp = waits_warp;
    beside_index = !resolve_go ? pop_index : is_lifted || has_lifted ? lift.level : push_index;

    // What the edge did, as status
    status_d = '0;
    status_d.valid_left = status_q.valid_left;
    status_d.valid_right = status_q.valid_right;
    pop_d = pop_q;
    dealt_d = dealt_q;
    if (grant_go) begin
      if (grant_left.mask == '0) status_d.valid_left = status_d.valid_left & ~grant_bit;
      if (grant_right.mask == '0) status_d.valid_right = status_d.valid_right & ~grant_bit;
      if (Forwarding == 0 ? grant_left.mask == '0 && grant_right.mask == '0 && 32'(grant_depth) > 1 : grant_wants)
        pop_d = pop_d | grant_bit;
    end
    if (resolve_go) begin
      status_d.valid_left = status_d.valid_left & ~resolve_bit;
      status_d.valid_right = status_d.valid_right & ~resolve_bit;
      if (resolve_top.mask_l != '0) begin
        status_d.valid_left = status_d.valid_left | resolve_bit;
        if (shows || resolve_i.op == control_flow_pkg::Launch || !resolve_i.right)
          status_d.fresh_left = status_d.fresh_left | resolve_bit;
      end
      if (resolve_top.mask_r != '0) begin
        status_d.valid_right = status_d.valid_right | resolve_bit;
        if (shows || resolve_i.right) status_d.fresh_right = status_d.fresh_right | resolve_bit;
      end
      if (shows) status_d.moved = status_d.moved | resolve_bit;
      if (places) dealt_d = resolve_i.op == control_flow_pkg::Deal ? dealt_d | resolve_bit : dealt_d & ~resolve_bit;
      if (Forwarding != 0) pop_d = pop_d & ~resolve_bit;
      if (Forwarding == 0 ? resolve_top.mask_l == '0 && resolve_top.mask_r == '0 && 32'(resolve_depth) > 1
                          : resolve_wants) pop_d = pop_d | resolve_bit;
    end
    if (pop_go) begin
      if (pops) status_d.moved = status_d.moved | pop_bit;
      if (pop_top.mask_l != '0) begin
        status_d.valid_left = status_d.valid_left | pop_bit;
        if (shows_left) status_d.fresh_left = status_d.fresh_left | pop_bit;
      end
      if (pop_top.mask_r != '0) begin
        status_d.valid_right = status_d.valid_right | pop_bit;
        if (shows_right) status_d.fresh_right = status_d.fresh_right | pop_bit;
      end
      if (Forwarding == 0 ? pop_top.mask_l != '0 || pop_top.mask_r != '0 || 32'(pop_depth) <= 1 : !pop_wants)
        pop_d = pop_d & ~pop_bit;
    end
    dealt_d = dealt_d & status_d.valid_left & status_d.valid_right;
    idle_d = {status_d.fresh_left, status_d.fresh_right, status_d.moved} == '0 && pop_d == '0;  // the next edge, without a request, changes nothing
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
      pop_last_q <= '0;
      idle_q <= 1'b1;
    end else begin
      if (grant_go) begin
        left_q[grant_i.warp] <= grant_left;
        right_q[grant_i.warp] <= grant_right;
        if (grant_left.mask == '0 && grant_right.mask == '0 && 32'(grant_depth) <= 1) begin
          depth_q[grant_i.warp] <= '0;
          live_q[grant_i.warp] <= '0;
        end
      end
      if (resolve_go) begin
        left_q[resolve_i.warp] <= {resolve_top.pc_l, resolve_top.mask_l};
        right_q[resolve_i.warp] <= {resolve_top.pc_r, resolve_top.mask_r};
        rpc_q[resolve_i.warp] <= resolve_top.rpc;
        if (resolve_top.mask_l == '0 && resolve_top.mask_r == '0 && 32'(resolve_depth) <= 1) begin
          depth_q[resolve_i.warp] <= '0;
          live_q[resolve_i.warp] <= '0;
        end else begin
          depth_q[resolve_i.warp] <= resolve_depth;
          live_q[resolve_i.warp] <= resolve_live;
        end
      end
      if (pop_go) begin
        left_q[pop_warp] <= {pop_top.pc_l, pop_top.mask_l};
        right_q[pop_warp] <= {pop_top.pc_r, pop_top.mask_r};
        rpc_q[pop_warp] <= pop_top.rpc;
        if (pop_top.mask_l == '0 && pop_top.mask_r == '0 && 32'(pop_depth) <= 1) begin
          depth_q[pop_warp] <= '0;
          live_q[pop_warp] <= '0;
        end else begin
          depth_q[pop_warp] <= pop_depth;
        end
      end
      if (pop_q != '0) pop_last_q <= pop_warp;
      status_q <= status_d;
      pop_q <= pop_d;
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

  // The entries beneath the TOS: reset does not clear them
  if (Forwarding == 0) begin : g_plain
    logic [EntryBits-1:0] body_q [Warps][Beneath];
    assign beneath = body_q[pop_warp][pop_index];
    for (genvar w = 0; w < Warps; w++) begin : g_warp
      for (genvar i = 0; i < Beneath; i++) begin : g_body
        assign view[(w*Beneath+i)*EntryBits +: EntryBits] = body_q[w][i];
      end
    end
    always_ff @(posedge clk_i) if (rst_ni && resolve_go && pushes) body_q[resolve_i.warp][push_index] <= parent;
    for (genvar w = 0; w < Warps; w++) begin : g_none
      assign lift_q[w] = '0;
      assign has_q[w] = '0;
      assign closed_q[w] = '0;
    end
  end else begin : g_forwarding
    logic [WaitingBits-1:0] waits_q [Warps][Beneath];
    logic [PathBits-1:0] beside_q [Warps][Beneath];
    logic [WaitingBits-1:0] waits;
    assign waits = waits_q[pop_warp][pop_index];
    assign beneath = {waits[WaitingBits-1:PcBits], beside_q[pop_warp][pop_index], waits[PcBits-1:0]};
    for (genvar w = 0; w < Warps; w++) begin : g_warp
      for (genvar i = 0; i < Beneath; i++) begin : g_body
        assign view[(w*Beneath+i)*EntryBits +: EntryBits] =
          {waits_q[w][i][WaitingBits-1:PcBits], beside_q[w][i], waits_q[w][i][PcBits-1:0]};
      end
    end
    always_ff @(posedge clk_i) begin
      if (rst_ni && waits_go) waits_q[waits_warp][waits_index] <= waits_d;
      if (rst_ni && beside_go) beside_q[beside_warp][beside_index] <= beside_d;
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
    logic [WarpBits-1:0] pop_last;
    assign pop = pop_q;
    assign dealt = dealt_q;
    assign pop_last = pop_last_q;
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
