// SPDX-License-Identifier: Apache-2.0
// Issue slice: SystemVerilog twin of issue_slice.h, OfWords; rules R1-R5 and the loop in README.md. It holds no
// state of its own. Elements of all warps are one vector each, warp 0 at the bottom; words too, word 0 at the bottom.
module issue_slice #(
  parameter int DepthBits = issue_slice_pkg::Unit == issue_slice_pkg::Single ? single_path_stack_pkg::CountBits
                          : issue_slice_pkg::Unit == issue_slice_pkg::Dual   ? dual_path_stack_pkg::CountBits
                          : issue_slice_pkg::Unit == issue_slice_pkg::Splits ? warp_split_table_pkg::CountBits
                          : issue_slice_pkg::Unit == issue_slice_pkg::Forwarding ? forwarding_stack_pkg::CountBits : 1  // not to be set
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  control_flow_pkg::Slots eligible_i,
  input  control_flow_pkg::Resolve resolve_i,
  input  instruction_buffer_pkg::Push push_i,
  input  logic [instruction_buffer_pkg::Width*instruction_buffer_pkg::WordBits-1:0] word_i,
  input  scoreboard_pkg::Release release_i,
  // Of warp_split_table alone, and of convergence_barrier: the others do not look at them, and have zero there.
  /* verilator lint_off UNUSEDSIGNAL */
  input  logic [warp_split_table_pkg::BlockBits-1:0] block_i,
  input  logic [warp_split_table_pkg::BlockBits-1:0] threshold_i,
  input  control_flow_pkg::Grant yield_i,
  input  convergence_barrier_pkg::BarrierRequest barrier_i,
  input  logic [issue_slice_pkg::Lanes*issue_slice_pkg::PcBits-1:0] targets_i,
  input  logic [issue_slice_pkg::Warps-1:0] busy_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output logic [issue_slice_pkg::Warps*warp_split_table_pkg::SplitBits-1:0] splits_o,
  output warp_split_table_pkg::SplitEvents events_o,
  output convergence_barrier_pkg::BarrierAnswer answer_o,
  output convergence_barrier_pkg::BarrierRelease release_o,
  output logic [issue_slice_pkg::Warps*instruction_buffer_pkg::HeadBits-1:0] buffer_left_o,
  output logic [issue_slice_pkg::Warps*instruction_buffer_pkg::HeadBits-1:0] buffer_right_o,
  output control_flow_pkg::Grant grant_o,
  output logic [issue_slice_pkg::Warps*issue_slice_pkg::PathBits-1:0] left_o,
  output logic [issue_slice_pkg::Warps*issue_slice_pkg::PathBits-1:0] right_o,
  output logic [issue_slice_pkg::Warps*DepthBits-1:0] depth_o,
  output control_flow_pkg::Status status_o,
  output logic [issue_slice_pkg::Warps*scoreboard_pkg::HazardBits-1:0] hazard_o,
  output logic idle_o
);
  localparam int Warps = issue_slice_pkg::Warps;
  localparam int BufferBits = instruction_buffer_pkg::HeadBits;
  localparam int HeadBits = scoreboard_pkg::HeadBits;

  logic [Warps*HeadBits-1:0] head_left, head_right;
  control_flow_pkg::Slots held, buffered, asked, ready, stale;
  instruction_buffer_pkg::Push kept;
  control_flow_pkg::Grant decoded;
  logic of_stale;

  // ---- R3: of the heads that the buffers show, registers and whether the path waits at them; R2: who has one ----
  always_comb begin
    for (int w = 0; w < Warps; w++) begin
      head_left[w*HeadBits+:HeadBits] = buffer_left_o[w*BufferBits+:HeadBits];
      head_right[w*HeadBits+:HeadBits] = buffer_right_o[w*BufferBits+:HeadBits];
      held.left[w] = buffer_left_o[w*BufferBits+HeadBits];
      held.right[w] = buffer_right_o[w*BufferBits+HeadBits];
    end
    asked.left = eligible_i.left & buffered.left;
    asked.right = eligible_i.right & buffered.right;
  end

  // ---- R4: what is stale is flushed, and what comes for it is kept back; R5: the scoreboard hears of words that come ----
  always_comb begin
    stale.left = status_o.redirected_left | ~status_o.valid_left;
    stale.right = status_o.redirected_right | ~status_o.valid_right;
    of_stale = 1'b0;
    for (int w = 0; w < Warps; w++) begin
      if (32'(push_i.warp) == w) of_stale = push_i.right ? stale.right[w] : stale.left[w];
    end
    kept = push_i;
    if (of_stale) kept.count = '0;
    decoded = '0;
    if (kept.count != '0) begin
      decoded.valid = 1'b1;
      decoded.warp = push_i.warp;
      decoded.right = push_i.right;
    end
  end

  if (issue_slice_pkg::Unit == issue_slice_pkg::Single) begin : g_single
    single_path_stack i_unit (
      .clk_i, .rst_ni, .grant_i(grant_o), .held_i(held), .resolve_i, .left_o, .right_o, .depth_o, .status_o, .idle_o
    );
  end
  if (issue_slice_pkg::Unit == issue_slice_pkg::Dual) begin : g_dual
    dual_path_stack i_unit (
      .clk_i, .rst_ni, .grant_i(grant_o), .held_i(held), .resolve_i, .left_o, .right_o, .depth_o, .status_o, .idle_o
    );
  end
  if (issue_slice_pkg::Unit == issue_slice_pkg::Forwarding) begin : g_forwarding
    forwarding_stack i_unit (
      .clk_i, .rst_ni, .grant_i(grant_o), .held_i(held), .resolve_i, .left_o, .right_o, .depth_o, .status_o, .idle_o
    );
  end
  if (issue_slice_pkg::Unit == issue_slice_pkg::Splits) begin : g_splits
    warp_split_table i_unit (
      .clk_i, .rst_ni, .grant_i(grant_o), .held_i(held), .resolve_i, .block_i, .threshold_i, .yield_i, .left_o, .right_o,
      .depth_o, .splits_o, .status_o, .events_o, .idle_o
    );
  end else begin : g_no_splits
    assign splits_o = '0;
    assign events_o = '0;
  end
  if (issue_slice_pkg::Unit == issue_slice_pkg::Barrier) begin : g_barriers
    convergence_barrier i_unit (
      .clk_i, .rst_ni, .grant_i(grant_o), .held_i(held), .resolve_i, .barrier_i, .targets_i, .busy_i, .left_o, .right_o,
      .depth_o, .status_o, .answer_o, .release_o, .idle_o
    );
  end else begin : g_no_barriers
    assign answer_o = '0;
    assign release_o = '0;
  end
  instruction_buffer i_buffer (
    .clk_i, .rst_ni, .push_i(kept), .word_i, .pop_i(grant_o), .flush_i(stale), .head_left_o(buffer_left_o),
    .head_right_o(buffer_right_o), .buffered_o(buffered)
  );
  scoreboard i_scoreboard (
    .clk_i, .rst_ni, .head_left_i(head_left), .head_right_i(head_right), .grant_i(grant_o), .decode_i(decoded),
    .flush_i(stale), .release_i, .status_i(status_o), .hazard_o
  );
  issue_gate i_gate (.eligible_i(asked), .status_i(status_o), .hazard_i(hazard_o), .ready_o(ready));
  warp_scheduler i_scheduler (.clk_i, .rst_ni, .ready_i(ready), .grant_o);
endmodule
