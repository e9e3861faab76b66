// SPDX-License-Identifier: Apache-2.0
// Path rotation: SystemVerilog twin of path_rotation.h, which states the contract, rules R1-R5 and the timing.
module path_rotation (
  input  logic clk_i,
  input  logic rst_ni,
  input  control_flow_pkg::Status status_i,
  input  control_flow_pkg::Slots waiting_i,
  input  control_flow_pkg::Slots long_i,
  output control_flow_pkg::Slots visible_o,
  output logic [control_flow_pkg::Warps-1:0] turned_o,
  output logic idle_o
);
  logic [control_flow_pkg::Warps-1:0] right_q, right_d, turned_q, turned_d;
  logic [control_flow_pkg::Warps-1:0] able_left, able_right, visible_able, hidden_able, visible_long, due;

  always_comb begin
    // R1
    able_left = status_i.valid_left & ~waiting_i.left;
    able_right = status_i.valid_right & ~waiting_i.right;
    visible_able = (right_q & able_right) | (~right_q & able_left);
    hidden_able = (right_q & able_left) | (~right_q & able_right);
    visible_long = (right_q & long_i.right) | (~right_q & long_i.left);

    // R3
    due = hidden_able & ~visible_able;
    turned_d = due | (hidden_able & visible_long);
    right_d = right_q ^ turned_d;

    visible_o.left = ~right_q;  // R2
    visible_o.right = right_q;
    turned_o = turned_q;  // R5
    idle_o = (due | turned_q) == '0;
  end

  // Registers
  always_ff @(posedge clk_i) begin
    right_q <= rst_ni ? right_d : '0;
    turned_q <= rst_ni ? turned_d : '0;
  end
endmodule
