// SPDX-License-Identifier: Apache-2.0
// Warp scheduler: SystemVerilog twin of warp_scheduler.h, which states the contract, rules R1-R4 and the timing.
module warp_scheduler (
  input  logic clk_i,
  input  logic rst_ni,
  input  control_flow_pkg::Slots ready_i,
  output control_flow_pkg::Grant grant_o
);
  logic [warp_scheduler_pkg::TurnBits-1:0] turn_q;
  warp_scheduler_pkg::Turn turn, turn_d;
  logic [warp_scheduler_pkg::Warps-1:0] left, right, left_ahead, right_ahead, from_turn, among_left, among_right;
  logic is_ahead, next_warp;

  always_comb begin : first_ready
    turn = {{(2 - warp_scheduler_pkg::Paths){1'b0}}, turn_q};
    left = ready_i.left;
    right = warp_scheduler_pkg::Paths == 2 ? ready_i.right : '0;

    // Ready slots at or after the turn
    from_turn = '1;
    from_turn = from_turn << turn.warp;
    left_ahead = left & from_turn;
    right_ahead = right & from_turn;
    if (turn.right) left_ahead[turn.warp] = 1'b0;
    is_ahead = (left_ahead | right_ahead) != '0;
    among_left = is_ahead ? left_ahead : left;  // R3
    among_right = is_ahead ? right_ahead : right;

    grant_o = '0;
    for (int w = warp_scheduler_pkg::Warps - 1; w >= 0; w--) begin
      if (among_left[w] || among_right[w]) begin  // R2
        grant_o.valid = 1'b1;
        grant_o.warp = w[warp_scheduler_pkg::WarpBits-1:0];
        grant_o.right = !among_left[w];  // R1
      end
    end
  end

  // R4: the slot after the one that is granted.
  always_comb begin : turn_after
    turn_d = turn;
    next_warp = 1'b0;
    if (grant_o.valid) begin  // R4
      next_warp = warp_scheduler_pkg::Paths == 1 || grant_o.right;
      turn_d.right = !next_warp;
      turn_d.warp = grant_o.warp;
      if (!turn_d.right) turn_d.warp = 32'(grant_o.warp) == warp_scheduler_pkg::Warps - 1 ? '0 : grant_o.warp + 1'b1;
    end
  end

  // Registers
  always_ff @(posedge clk_i) begin
    turn_q <= rst_ni ? turn_d[warp_scheduler_pkg::TurnBits-1:0] : '0;
  end
endmodule
