// Dual-path stack: SystemVerilog twin of dual_path_stack.h, which states the contract; rules R1..R12 in README.md.
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
  localparam int WarpBits = control_flow_pkg::WarpBits;
  localparam logic [Warps-1:0] Bit = 1;
  localparam logic [IndexBits-1:0] Below = 1;

  // State. Paths and entries are kept as bits: Yosys 0.23 silently drops the size of an array of structs.
  logic [PathBits-1:0] left_q [Warps];
  logic [PathBits-1:0] right_q [Warps];
  logic [PcBits-1:0] rpc_q [Warps];
  logic [EntryBits-1:0] body_q [Warps][Depth-1];
  logic [CountBits-1:0] depth_q [Warps];
  logic [Lanes-1:0] live_q [Warps];
  control_flow_pkg::Status status_q, status_d;
  logic [Warps-1:0] pop_q, pop_d;
  logic [WarpBits-1:0] pop_last_q;
  logic idle_q, idle_d;

  // R1: the advance of an issued slot
  logic [Warps-1:0] grant_bit;
  logic issued, grant_illegal, grant_go;
  control_flow_pkg::Path grant_left, grant_right;
  logic [PcBits-1:0] grant_rpc;
  logic [CountBits-1:0] grant_depth;

  // R2..R5, R11: an executed control instruction, or a launch
  logic [Warps-1:0] resolve_bit;
  logic same_warp, there, nowhere, places, pushes, loop, target_live, fall_live, resolve_illegal, too_deep, resolve_go;
  dual_path_stack_pkg::Entry top, parent, next, resolve_top;
  control_flow_pkg::Path slot;
  logic [PcBits-1:0] fall;
  logic [Lanes-1:0] sibling, rest, resolve_live;
  logic [CountBits-1:0] depth, resolve_depth;
  logic [IndexBits-1:0] push_index;

  // R7: one pop a cycle
  logic pop_go, any, upper;
  logic [WarpBits-1:0] at, from, first, first_upper, pop_warp;
  logic [Warps-1:0] pop_bit;
  dual_path_stack_pkg::Entry popped, pop_top;
  logic [CountBits-1:0] pop_from_depth, pop_depth;
  logic [IndexBits-1:0] pop_index;
  logic [Lanes-1:0] pop_live;

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
    if (grant_left.pc == grant_rpc) grant_left = '0;  // R6
    if (grant_right.pc == grant_rpc) grant_right = '0;

    // R2..R5, R11
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
    slot = resolve_i.right ? {top.pc_r, top.mask_r} : {top.pc_l, top.mask_l};
    sibling = resolve_i.right ? top.mask_l : top.mask_r;
    fall = slot.pc + 1'b1;
    rest = slot.mask & ~resolve_i.lanes;
    there = slot.mask != '0 && (resolve_i.lanes & ~slot.mask) == '0 &&
            !(same_warp && grant_i.right == resolve_i.right);
    // R12: nobody runs at NoPc
    nowhere = resolve_i.target == control_flow_pkg::NoPc && resolve_i.lanes != '0 &&
              (top.rpc != control_flow_pkg::NoPc || (rest != '0 && resolve_i.rpc != control_flow_pkg::NoPc));
    loop = resolve_i.rpc == top.rpc;
    target_live = resolve_i.target != resolve_i.rpc;
    fall_live = fall != resolve_i.rpc;
    places = 1'b0;
    pushes = 1'b0;
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
          pushes = places && !(loop && sibling == '0);
          too_deep = pushes && 32'(depth) == Depth;  // R9
          next = parent;
          if (places) begin
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
        pushes = 1'b1;
        too_deep = 32'(depth) == Depth;  // R9
        parent = top;
        if (resolve_i.right) parent.pc_r = fall;
        else parent.pc_l = fall;
        next = '0;
        {next.pc_l, next.mask_l} = {resolve_i.target, slot.mask};
        next.rpc = control_flow_pkg::NoPc;
      end
      default: resolve_illegal = resolve_i.op != control_flow_pkg::None;  // R10
    endcase
    too_deep = too_deep && !resolve_illegal;
    resolve_go = resolve_i.op != control_flow_pkg::None && !resolve_illegal && !too_deep;
    if (pushes) resolve_depth = depth + 1'b1;
    resolve_top = next;
    if (next.mask_l == '0 || next.pc_l == next.rpc) {resolve_top.pc_l, resolve_top.mask_l} = '0;  // R6
    if (next.mask_r == '0 || next.pc_r == next.rpc) {resolve_top.pc_r, resolve_top.mask_r} = '0;

    // R7: the first warp that waits, from the one after the last
    pop_go = pop_q != '0;
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
    pop_depth = pop_from_depth - 1'b1;
    pop_index = pop_from_depth[IndexBits-1:0] - Below - Below;
    pop_live = live_q[pop_warp];
    popped = body_q[pop_warp][pop_index];
    popped.mask_l = popped.mask_l & pop_live;
    popped.mask_r = popped.mask_r & pop_live;
    pop_top = popped;
    if (popped.mask_l == '0 || popped.pc_l == popped.rpc) {pop_top.pc_l, pop_top.mask_l} = '0;  // R6
    if (popped.mask_r == '0 || popped.pc_r == popped.rpc) {pop_top.pc_r, pop_top.mask_r} = '0;

    // What the edge did, as status
    status_d = '0;
    status_d.valid_left = status_q.valid_left;
    status_d.valid_right = status_q.valid_right;
    pop_d = pop_q;
    if (grant_go) begin
      if (grant_left.mask == '0) status_d.valid_left = status_d.valid_left & ~grant_bit;
      if (grant_right.mask == '0) status_d.valid_right = status_d.valid_right & ~grant_bit;
      if (grant_left.mask == '0 && grant_right.mask == '0 && 32'(grant_depth) > 1) pop_d = pop_d | grant_bit;
    end
    if (resolve_go) begin
      status_d.valid_left = status_d.valid_left & ~resolve_bit;
      status_d.valid_right = status_d.valid_right & ~resolve_bit;
      if (resolve_top.mask_l != '0) begin
        status_d.valid_left = status_d.valid_left | resolve_bit;
        if (places || resolve_i.op == control_flow_pkg::Launch || !resolve_i.right)
          status_d.fresh_left = status_d.fresh_left | resolve_bit;
      end
      if (resolve_top.mask_r != '0) begin
        status_d.valid_right = status_d.valid_right | resolve_bit;
        if (places || resolve_i.right) status_d.fresh_right = status_d.fresh_right | resolve_bit;
      end
      if (places) status_d.moved = status_d.moved | resolve_bit;
      if (resolve_top.mask_l == '0 && resolve_top.mask_r == '0 && 32'(resolve_depth) > 1)
        pop_d = pop_d | resolve_bit;
    end
    if (pop_go) begin
      status_d.moved = status_d.moved | pop_bit;
      if (pop_top.mask_l != '0) begin
        status_d.valid_left = status_d.valid_left | pop_bit;
        status_d.fresh_left = status_d.fresh_left | pop_bit;
      end
      if (pop_top.mask_r != '0) begin
        status_d.valid_right = status_d.valid_right | pop_bit;
        status_d.fresh_right = status_d.fresh_right | pop_bit;
      end
      if (pop_top.mask_l != '0 || pop_top.mask_r != '0 || 32'(pop_depth) <= 1) pop_d = pop_d & ~pop_bit;
    end
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
        if (pushes) body_q[resolve_i.warp][push_index] <= parent;
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
        pop_last_q <= pop_warp;
      end
      status_q <= status_d;
      pop_q <= pop_d;
      idle_q <= idle_d;
      illegal:  assert (!grant_illegal && !resolve_illegal);  // R10
      overflow: assert (!too_deep);  // R9
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
    logic [Warps-1:0] pop;
    logic [WarpBits-1:0] pop_last;
    assign pop = pop_q;
    assign pop_last = pop_last_q;
    for (genvar w = 0; w < Warps; w++) begin : g_warp
      assign live[w*Lanes +: Lanes] = live_q[w];
      assign entries[w*Depth*EntryBits +: EntryBits] = {left_q[w], right_q[w], rpc_q[w]};
      for (genvar i = 0; i < Depth - 1; i++) begin : g_body
        assign entries[(w*Depth+1+i)*EntryBits +: EntryBits] = body_q[w][i];
      end
    end
  end
endmodule
