// Single-path stack: SystemVerilog twin of single_path_stack.h, which states the contract; rules R1..R12 in README.md.
// Element w of left_o, right_o and depth_o is at the bottom plus w times its width.
// Formal = 1 adds g_formal, a view of all entries that single_path_stack_props reads; nothing else changes.
module single_path_stack #(
  parameter int Formal = 0
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  control_flow_pkg::Grant grant_i,
  /* verilator lint_off UNUSEDSIGNAL */  // the right slots: there are none
  input  control_flow_pkg::Slots held_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  control_flow_pkg::Resolve resolve_i,
  output logic [single_path_stack_pkg::Warps*single_path_stack_pkg::PathBits-1:0] left_o,
  output logic [single_path_stack_pkg::Warps*single_path_stack_pkg::PathBits-1:0] right_o,
  output logic [single_path_stack_pkg::Warps*single_path_stack_pkg::CountBits-1:0] depth_o,
  output control_flow_pkg::Status status_o,
  output logic idle_o
);
  localparam int Warps = single_path_stack_pkg::Warps;
  localparam int Lanes = single_path_stack_pkg::Lanes;
  localparam int PcBits = single_path_stack_pkg::PcBits;
  localparam int Depth = single_path_stack_pkg::Depth;
  localparam int PathBits = single_path_stack_pkg::PathBits;
  localparam int CountBits = single_path_stack_pkg::CountBits;
  localparam int IndexBits = single_path_stack_pkg::IndexBits;
  localparam int EntryBits = single_path_stack_pkg::EntryBits;
  localparam int WarpBits = control_flow_pkg::WarpBits;
  localparam logic [Warps-1:0] Bit = 1;
  localparam logic [IndexBits-1:0] Below = 1;

  // State. Paths and entries are kept as bits: Yosys 0.23 silently drops the size of an array of structs.
  logic [PathBits-1:0] left_q [Warps];
  logic [PcBits-1:0] rpc_q [Warps];
  logic [EntryBits-1:0] body_q [Warps][Depth-1];
  logic [CountBits-1:0] depth_q [Warps];
  logic [Lanes-1:0] live_q [Warps];
  logic [Warps-1:0] valid_q, fresh_q, moved_q, valid_d, fresh_d, moved_d;  // status_o, less its constant fields
  logic [Warps-1:0] pop_q, pop_d;
  logic [WarpBits-1:0] pop_last_q;
  logic idle_q, idle_d;

  // R1: the advance of an issued path
  logic [Warps-1:0] grant_bit;
  logic issued, grant_illegal, grant_go;
  control_flow_pkg::Path grant_path;
  logic [CountBits-1:0] grant_depth;

  // R2..R5, R11: an executed control instruction, or a launch
  logic [Warps-1:0] resolve_bit;
  logic there, nowhere, places, leaves, both, loop, target_live, fall_live, resolve_illegal, too_deep, resolve_go;
  single_path_stack_pkg::Entry top, parent, below, next, resolve_top;
  logic [PcBits-1:0] fall;
  logic [Lanes-1:0] rest, resolve_live;
  logic [CountBits-1:0] depth, resolve_depth;
  logic [IndexBits-1:0] parent_index, below_index;

  // R7: one pop a cycle
  logic pop_go, any, upper;
  logic [WarpBits-1:0] at, from, first, first_upper, pop_warp;
  logic [Warps-1:0] pop_bit;
  single_path_stack_pkg::Entry popped, pop_top;
  logic [CountBits-1:0] pop_from_depth, pop_depth;
  logic [IndexBits-1:0] pop_index;

  always_comb begin
    // R1: the right paths are never there
    grant_bit = Bit << grant_i.warp;
    issued = grant_i.valid && !grant_i.right && (valid_q & grant_bit) != '0;
    grant_illegal = grant_i.valid && !issued;  // R10
    grant_go = issued && (held_i.left & grant_bit) == '0;
    grant_path = '0;
    grant_depth = '0;
    if (grant_go) begin
      grant_path = left_q[grant_i.warp];
      grant_depth = depth_q[grant_i.warp];
      grant_path.pc = grant_path.pc + 1'b1;
      if (grant_path.pc == rpc_q[grant_i.warp]) grant_path = '0;  // R6
    end

    // R2..R5, R11
    resolve_bit = Bit << resolve_i.warp;
    top = '0;
    depth = '0;
    resolve_live = '0;
    if (resolve_bit != '0) begin
      top = {left_q[resolve_i.warp], rpc_q[resolve_i.warp]};
      depth = depth_q[resolve_i.warp];
      resolve_live = live_q[resolve_i.warp];
    end
    fall = top.pc + 1'b1;
    rest = top.mask & ~resolve_i.lanes;
    there = !resolve_i.right && top.mask != '0 && (resolve_i.lanes & ~top.mask) == '0 &&
            !(issued && grant_i.warp == resolve_i.warp);
    // R12: nobody runs at NoPc
    nowhere = resolve_i.target == control_flow_pkg::NoPc && resolve_i.lanes != '0 &&
              (top.rpc != control_flow_pkg::NoPc || (rest != '0 && resolve_i.rpc != control_flow_pkg::NoPc));
    loop = resolve_i.rpc == top.rpc;
    target_live = resolve_i.target != resolve_i.rpc;
    fall_live = fall != resolve_i.rpc;
    places = 1'b0;
    leaves = 1'b0;
    both = 1'b0;
    resolve_illegal = 1'b0;
    too_deep = 1'b0;
    resolve_depth = depth;
    next = top;
    parent = {resolve_i.rpc, top.mask, top.rpc};
    below = {fall, rest, resolve_i.rpc};
    case (resolve_i.op)
      control_flow_pkg::Launch: begin  // R2
        resolve_illegal = resolve_bit == '0 || depth != '0 || resolve_i.lanes == '0;  // R10
        next = {resolve_i.target, resolve_i.lanes, resolve_i.rpc};
        resolve_depth = '0;
        resolve_depth[0] = 1'b1;
        resolve_live = resolve_i.lanes;
      end
      control_flow_pkg::Branch: begin
        resolve_illegal = !there || nowhere;  // R10
        if (rest == '0) next.pc = resolve_i.target;  // R3
        else if (resolve_i.lanes == '0) next.pc = fall;  // R3
        else begin  // R4
          both = target_live && fall_live;
          places = target_live || fall_live;
          leaves = places && !loop;
          too_deep = 32'(depth) + 32'(leaves) + 32'(both) > Depth;  // R9
          if (target_live) next = {resolve_i.target, resolve_i.lanes, resolve_i.rpc};
          else if (fall_live) next = below;
          else next = parent;  // at its RPC when it is a loop: R6 blanks it
        end
      end
      control_flow_pkg::Exit: begin  // R5
        resolve_illegal = !there;  // R10
        next = {fall, rest, top.rpc};
        resolve_live = resolve_live & ~resolve_i.lanes;
        if (resolve_live == '0) resolve_depth = '0;  // R8: nobody is left in any entry
      end
      control_flow_pkg::Call: begin  // R11
        resolve_illegal = !there || rest != '0;  // R10
        places = 1'b1;
        leaves = 1'b1;
        too_deep = 32'(depth) == Depth;  // R9
        parent.pc = fall;
        next.pc = resolve_i.target;
        next.rpc = control_flow_pkg::NoPc;
      end
      default: resolve_illegal = resolve_i.op != control_flow_pkg::None;  // R10
    endcase
    too_deep = too_deep && !resolve_illegal;
    resolve_go = resolve_i.op != control_flow_pkg::None && !resolve_illegal && !too_deep;
    parent_index = depth[IndexBits-1:0] - Below;
    below_index = leaves ? depth[IndexBits-1:0] : parent_index;
    if (leaves) resolve_depth = resolve_depth + 1'b1;
    if (both) resolve_depth = resolve_depth + 1'b1;
    resolve_top = next;
    if (next.mask == '0 || next.pc == next.rpc) {resolve_top.pc, resolve_top.mask} = '0;  // R6

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
    popped = body_q[pop_warp][pop_index];
    popped.mask = popped.mask & live_q[pop_warp];
    pop_top = popped;
    if (popped.mask == '0 || popped.pc == popped.rpc) {pop_top.pc, pop_top.mask} = '0;  // R6

    // What the edge did, as status
    valid_d = valid_q;
    fresh_d = '0;
    moved_d = '0;
    pop_d = pop_q;
    if (grant_go && grant_path.mask == '0) begin
      valid_d = valid_d & ~grant_bit;
      if (32'(grant_depth) > 1) pop_d = pop_d | grant_bit;
    end
    if (resolve_go) begin
      valid_d = valid_d & ~resolve_bit;
      if (resolve_top.mask != '0) begin
        valid_d = valid_d | resolve_bit;
        fresh_d = fresh_d | resolve_bit;
      end else if (32'(resolve_depth) > 1) begin
        pop_d = pop_d | resolve_bit;
      end
      if (places) moved_d = moved_d | resolve_bit;
    end
    if (pop_go) begin
      moved_d = moved_d | pop_bit;
      if (pop_top.mask != '0) begin
        valid_d = valid_d | pop_bit;
        fresh_d = fresh_d | pop_bit;
      end
      if (pop_top.mask != '0 || 32'(pop_depth) <= 1) pop_d = pop_d & ~pop_bit;
    end
    idle_d = fresh_d == '0 && moved_d == '0 && pop_d == '0;  // the next edge, without a request, changes nothing
  end

  // Registers. R8: a blank lowest entry ends the warp.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int w = 0; w < Warps; w++) begin
        left_q[w] <= '0;
        rpc_q[w] <= '0;
        depth_q[w] <= '0;
        live_q[w] <= '0;
      end
      valid_q <= '0;
      fresh_q <= '0;
      moved_q <= '0;
      pop_q <= '0;
      pop_last_q <= '0;
      idle_q <= 1'b1;
    end else begin
      if (grant_go) begin
        left_q[grant_i.warp] <= grant_path;
        if (grant_path.mask == '0 && 32'(grant_depth) <= 1) begin
          depth_q[grant_i.warp] <= '0;
          live_q[grant_i.warp] <= '0;
        end
      end
      if (resolve_go) begin
        left_q[resolve_i.warp] <= {resolve_top.pc, resolve_top.mask};
        rpc_q[resolve_i.warp] <= resolve_top.rpc;
        if (leaves) body_q[resolve_i.warp][parent_index] <= parent;
        if (both) body_q[resolve_i.warp][below_index] <= below;
        if (resolve_top.mask == '0 && 32'(resolve_depth) <= 1) begin
          depth_q[resolve_i.warp] <= '0;
          live_q[resolve_i.warp] <= '0;
        end else begin
          depth_q[resolve_i.warp] <= resolve_depth;
          live_q[resolve_i.warp] <= resolve_live;
        end
      end
      if (pop_go) begin
        left_q[pop_warp] <= {pop_top.pc, pop_top.mask};
        rpc_q[pop_warp] <= pop_top.rpc;
        if (pop_top.mask == '0 && 32'(pop_depth) <= 1) begin
          depth_q[pop_warp] <= '0;
          live_q[pop_warp] <= '0;
        end else begin
          depth_q[pop_warp] <= pop_depth;
        end
        pop_last_q <= pop_warp;
      end
      valid_q <= valid_d;
      fresh_q <= fresh_d;
      moved_q <= moved_d;
      pop_q <= pop_d;
      idle_q <= idle_d;
      illegal:  assert (!grant_illegal && !resolve_illegal);  // R10
      overflow: assert (!too_deep);  // R9
    end
  end

  always_comb begin
    status_o = '0;
    status_o.valid_left = valid_q;
    status_o.fresh_left = fresh_q;
    status_o.moved = moved_q;
  end
  assign right_o = '0;
  assign idle_o = idle_q;
  for (genvar w = 0; w < Warps; w++) begin : g_port
    assign left_o[w*PathBits +: PathBits] = left_q[w];
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
      assign entries[w*Depth*EntryBits +: EntryBits] = {left_q[w], rpc_q[w]};
      for (genvar i = 0; i < Depth - 1; i++) begin : g_body
        assign entries[(w*Depth+1+i)*EntryBits +: EntryBits] = body_q[w][i];
      end
    end
  end
endmodule
