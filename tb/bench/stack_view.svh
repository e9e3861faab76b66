// SPDX-License-Identifier: Apache-2.0
// What the properties of a stack begin with: the stack itself, one arbitrary but fixed warp of it as it is now and as it
// was a cycle before, what was asked in that cycle, and whose turn it was. Included in the module of the properties, which
// has the ports of a control flow unit and has defined
//   STACK        the stack's module, whose formal view has entries, live, pop_bits, takes, turn and word
//   STACK_PKG    its package
//   STACK_ENTRY  the record of its entries
// Nothing is assumed here; stack_always.svh has what is asserted of all stacks, stack_turns.svh and stack_pops.svh are of
// those whose turns are pops alone.
localparam int Warps = `STACK_PKG::Warps;
localparam int Lanes = `STACK_PKG::Lanes;
localparam int PcBits = `STACK_PKG::PcBits;
localparam int Depth = `STACK_PKG::Depth;
localparam int CountBits = `STACK_PKG::CountBits;
localparam int PathBits = `STACK_PKG::PathBits;
localparam int EntryBits = `STACK_PKG::EntryBits;
localparam int WarpBits = control_flow_pkg::WarpBits;

(* anyconst *) logic [WarpBits-1:0] warp;
logic started_q = 1'b0;
logic reset_q;

logic [Warps*PathBits-1:0] left, right;
logic [Warps*CountBits-1:0] depths;
control_flow_pkg::Status status, was_status_q;
logic idle, was_idle_q;
`STACK #(.Formal(1)) i_dut (
  .clk_i, .rst_ni, .grant_i, .held_i, .resolve_i, .left_o(left), .right_o(right), .depth_o(depths), .status_o(status),
  .idle_o(idle)
);
(* hierconn *) logic [Warps*Depth*EntryBits-1:0] \i_dut.g_formal.entries ;
(* hierconn *) logic [Warps*Lanes-1:0] \i_dut.g_formal.live ;
(* hierconn *) logic [Warps-1:0] \i_dut.g_formal.pop_bits ;
(* hierconn *) logic \i_dut.g_formal.takes ;
(* hierconn *) logic [WarpBits-1:0] \i_dut.g_formal.turn ;
(* hierconn *) logic [EntryBits-1:0] \i_dut.g_formal.word ;

function automatic logic [7:0] ones(input logic [Lanes-1:0] mask);
  ones = '0;
  for (int i = 0; i < Lanes; i++) ones = ones + mask[i];
endfunction

function automatic logic strictly_in(input logic [Lanes-1:0] mask, input logic [Lanes-1:0] other);
  strictly_in = (mask & ~other) == '0 && mask != other;
endfunction

// ---- the warp as it is ----
logic [Depth*EntryBits-1:0] mine, was_mine_q;  // its entries, the top first, then from the lowest on
`STACK_ENTRY top, was_top_q, e;
logic [CountBits-1:0] depth, was_depth_q;
logic [Lanes-1:0] live, was_live_q;
logic pop, was_pop_q, valid_l, valid_r;

always_comb begin
  mine = '0;
  depth = '0;
  live = '0;
  pop = 1'b0;
  valid_l = 1'b0;
  valid_r = 1'b0;
  for (int w = 0; w < Warps; w++) begin
    if (32'(warp) == w) begin
      mine = \i_dut.g_formal.entries [w*Depth*EntryBits +: Depth*EntryBits];
      live = \i_dut.g_formal.live [w*Lanes +: Lanes];
      pop = \i_dut.g_formal.pop_bits [w];
      depth = depths[w*CountBits +: CountBits];
      valid_l = status.valid_left[w];
      valid_r = status.valid_right[w];
    end
  end
  top = mine[EntryBits-1:0];
end

// ---- turns ----
logic my_turn, turn_q, turn_waits;  // whose turn it is waits
logic [WarpBits-1:0] was_turn_q;

always_comb begin
  turn_waits = !\i_dut.g_formal.takes ;
  for (int w = 0; w < Warps; w++) begin
    if (32'(\i_dut.g_formal.turn ) == w && \i_dut.g_formal.pop_bits [w]) turn_waits = 1'b1;
  end
  my_turn = \i_dut.g_formal.takes && \i_dut.g_formal.turn == warp;
end

// ---- what was asked ----
control_flow_pkg::Grant granted_q;
control_flow_pkg::Slots held_q;
control_flow_pkg::Resolve asked_q;
logic held_back;  // the path that was granted stood at a control instruction

always_comb begin
  held_back = 1'b0;
  for (int w = 0; w < Warps; w++) begin
    if (32'(warp) == w) held_back = granted_q.right ? held_q.right[w] : held_q.left[w];
  end
end

always_ff @(posedge clk_i) begin
  started_q <= 1'b1;
  reset_q <= !rst_ni;
  granted_q <= grant_i;
  held_q <= held_i;
  asked_q <= resolve_i;
  was_mine_q <= mine;
  was_top_q <= top;
  was_depth_q <= depth;
  was_live_q <= live;
  was_pop_q <= pop;
  was_idle_q <= idle;
  was_status_q <= status;
  was_turn_q <= \i_dut.g_formal.turn ;
  turn_q <= my_turn;
end
