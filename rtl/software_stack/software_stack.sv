// Software-managed dual-path stack: SystemVerilog twin of software_stack.h, which states the contract; rules R1..R12 in
// README.md. Element w of left_o, right_o and depth_o is at the bottom plus w times its width.
// Formal = 1 adds g_formal, a view of all entries that software_stack_props reads; nothing else changes.
module software_stack #(
  parameter int Formal = 0
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  control_flow_pkg::Grant grant_i,
  input  control_flow_pkg::Slots held_i,
  input  control_flow_pkg::Resolve resolve_i,
  output logic [software_stack_pkg::Warps*software_stack_pkg::PathBits-1:0] left_o,
  output logic [software_stack_pkg::Warps*software_stack_pkg::PathBits-1:0] right_o,
  output logic [software_stack_pkg::Warps*software_stack_pkg::CountBits-1:0] depth_o,
  output control_flow_pkg::Status status_o,
  output logic idle_o
);
  localparam int Warps = software_stack_pkg::Warps;
  localparam int Lanes = software_stack_pkg::Lanes;
  localparam int PcBits = software_stack_pkg::PcBits;
  localparam int Depth = software_stack_pkg::Depth;
  localparam int PathBits = software_stack_pkg::PathBits;
  localparam int CountBits = software_stack_pkg::CountBits;
  localparam int IndexBits = software_stack_pkg::IndexBits;
  localparam int EntryBits = software_stack_pkg::EntryBits;
  localparam int Beneath = software_stack_pkg::Beneath;
  localparam int WarpBits = control_flow_pkg::WarpBits;
  localparam logic [Warps-1:0] Bit = 1;
  localparam logic [IndexBits-1:0] Below = 1;

  // State. Paths and entries are kept as bits: Yosys 0.23 silently drops the size of an array of structs.
  logic [PathBits-1:0] left_q [Warps];
  logic [PathBits-1:0] right_q [Warps];
  logic [EntryBits-1:0] body_q [Warps][Beneath];
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

  // R2..R5, R11, R12: an executed control instruction, or a launch
  logic [Warps-1:0] resolve_bit;
  logic same_warp, there, places, pushes, resolve_illegal, too_deep, resolve_go;
  software_stack_pkg::Entry top, parent, next, resolve_top;
  control_flow_pkg::Path slot;
  logic [PcBits-1:0] fall;
  logic [Lanes-1:0] sibling, rest, resolve_live;
  logic [CountBits-1:0] depth, resolve_depth;
  logic [IndexBits-1:0] push_index;

  // R7: one pop a cycle
  logic pop_go, any, upper;
  logic [WarpBits-1:0] at, from, first, first_upper, pop_warp;
  logic [Warps-1:0] pop_bit;
  software_stack_pkg::Entry pop_top;
  logic [CountBits-1:0] pop_from_depth, pop_depth;
  logic [IndexBits-1:0] pop_index;
  logic [EntryBits-1:0] beneath;

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
    pop_go = any;
    pop_warp = upper ? first_upper : first;
    pop_bit = Bit << pop_warp;
    pop_from_depth = depth_q[pop_warp];
    pop_depth = pop_from_depth - 1'b1;
    pop_index = pop_from_depth[IndexBits-1:0] - Below - Below;
  end
  assign beneath = body_q[pop_warp][pop_index];

  always_comb begin
    // R1
    grant_bit = Bit << grant_i.warp;
    issued = grant_i.valid &&
             ((grant_i.right ? status_q.valid_right : status_q.valid_left) & grant_bit) != '0;
    grant_illegal = grant_i.valid && !issued;  // R10
    grant_go = issued && ((grant_i.right ? held_i.right : held_i.left) & grant_bit) == '0;
    grant_left = '0;
    grant_right = '0;
    if (issued) begin
      grant_left = left_q[grant_i.warp];
      grant_right = right_q[grant_i.warp];
    end
    if (grant_go && !grant_i.right) grant_left.pc = grant_left.pc + 1'b1;
    if (grant_go && grant_i.right) grant_right.pc = grant_right.pc + 1'b1;

    // R2..R5, R11, R12
    resolve_bit = Bit << resolve_i.warp;
    same_warp = issued && grant_i.warp == resolve_i.warp;
    top = '0;
    depth = '0;
    resolve_live = '0;
    if (resolve_bit != '0) begin
      top = {left_q[resolve_i.warp], right_q[resolve_i.warp]};
      depth = depth_q[resolve_i.warp];
      resolve_live = live_q[resolve_i.warp];
      if (same_warp) top = {grant_left, grant_right};
    end
    slot = resolve_i.right ? {top.pc_r, top.mask_r} : {top.pc_l, top.mask_l};
    sibling = resolve_i.right ? top.mask_l : top.mask_r;
    fall = slot.pc + 1'b1;
    rest = slot.mask & ~resolve_i.lanes;
    there = slot.mask != '0 && (resolve_i.lanes & ~slot.mask) == '0 &&
            !(same_warp && grant_i.right == resolve_i.right);
    places = 1'b0;
    pushes = 1'b0;
    resolve_illegal = 1'b0;
    too_deep = 1'b0;
    resolve_depth = depth;
    push_index = depth[IndexBits-1:0] - Below;
    next = top;
    parent = top;
    if (resolve_i.right) parent.pc_r = resolve_i.rpc;
    else parent.pc_l = resolve_i.rpc;
    case (resolve_i.op)
      control_flow_pkg::Launch: begin  // R2
        resolve_illegal = resolve_bit == '0 || depth != '0 || resolve_i.lanes == '0;  // R10
        next = '0;
        {next.pc_l, next.mask_l} = {resolve_i.target, resolve_i.lanes};
        resolve_depth = '0;
        resolve_depth[0] = 1'b1;
        resolve_live = resolve_i.lanes;
      end
      control_flow_pkg::Branch: begin
        resolve_illegal = !there;  // R10
        if (rest == '0 || resolve_i.lanes == '0) begin  // R3
          if (resolve_i.right) next.pc_r = rest == '0 ? resolve_i.target : fall;
          else next.pc_l = rest == '0 ? resolve_i.target : fall;
        end else begin  // R4
          places = 1'b1;
          pushes = sibling != '0;
          too_deep = pushes && 32'(depth) == Depth;  // R9
          next = {resolve_i.target, resolve_i.lanes, fall, rest};
        end
      end
      control_flow_pkg::Exit: begin  // R5
        resolve_illegal = !there;  // R10
        if (resolve_i.right) {next.pc_r, next.mask_r} = {fall, rest};
        else {next.pc_l, next.mask_l} = {fall, rest};
        resolve_live = resolve_live & ~resolve_i.lanes;
        if (resolve_live == '0) resolve_depth = '0;  // R8: nobody is left in any entry
      end
      control_flow_pkg::Push: begin  // R11
        resolve_illegal = !there || rest != '0;  // R10
        places = 1'b1;
        pushes = 1'b1;
        too_deep = 32'(depth) == Depth;  // R9
        next = '0;
        {next.pc_l, next.mask_l} = {resolve_i.target, slot.mask};
      end
      control_flow_pkg::Pop: begin  // R12
        resolve_illegal = !there || rest != '0 || 32'(depth) <= 1;  // R10
        if (resolve_i.right) next.mask_r = '0;
        else next.mask_l = '0;
      end
      default: resolve_illegal = resolve_i.op != control_flow_pkg::None;  // R10
    endcase
    too_deep = too_deep && !resolve_illegal;
    resolve_go = resolve_i.op != control_flow_pkg::None && !resolve_illegal && !too_deep;
    if (pushes) resolve_depth = depth + 1'b1;
    resolve_top = next;
    if (next.mask_l == '0) resolve_top.pc_l = '0;  // R6
    if (next.mask_r == '0) resolve_top.pc_r = '0;

    // R7
    pop_top = beneath;
    pop_top.mask_l = pop_top.mask_l & live_q[pop_warp];
    pop_top.mask_r = pop_top.mask_r & live_q[pop_warp];
    if (pop_top.mask_l == '0) pop_top.pc_l = '0;  // R6
    if (pop_top.mask_r == '0) pop_top.pc_r = '0;

    // What the edge did, as status
    status_d = '0;
    status_d.valid_left = status_q.valid_left;
    status_d.valid_right = status_q.valid_right;
    pop_d = pop_q;
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
      if ({resolve_top.mask_l, resolve_top.mask_r} == '0 && 32'(resolve_depth) > 1) pop_d = pop_d | resolve_bit;
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
      if ({pop_top.mask_l, pop_top.mask_r} != '0 || 32'(pop_depth) <= 1) pop_d = pop_d & ~pop_bit;
    end
    idle_d = {status_d.fresh_left, status_d.fresh_right, status_d.moved} == '0 && pop_d == '0;
  end

  // Registers. A resolve of the granted warp holds its advance too; R8: a blank lowest entry ends the warp.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int w = 0; w < Warps; w++) begin
        left_q[w] <= '0;
        right_q[w] <= '0;
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
      end
      if (resolve_go) begin
        left_q[resolve_i.warp] <= {resolve_top.pc_l, resolve_top.mask_l};
        right_q[resolve_i.warp] <= {resolve_top.pc_r, resolve_top.mask_r};
        if ({resolve_top.mask_l, resolve_top.mask_r} == '0 && 32'(resolve_depth) <= 1) begin
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
        if ({pop_top.mask_l, pop_top.mask_r} == '0 && 32'(pop_depth) <= 1) begin
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

  // The entries beneath the TOS: reset does not clear them
  always_ff @(posedge clk_i) if (rst_ni && resolve_go && pushes) body_q[resolve_i.warp][push_index] <= parent;

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
      assign entries[w*Depth*EntryBits +: EntryBits] = {left_q[w], right_q[w]};
      for (genvar i = 0; i < Beneath; i++) begin : g_body
        assign entries[(w*Depth+1+i)*EntryBits +: EntryBits] = body_q[w][i];
      end
    end
  end
endmodule
