// SPDX-License-Identifier: Apache-2.0
// Issue gate: SystemVerilog twin of issue_gate.h, which states the contract and rules R1, R2. Combinational.
// The hazards of all warps are one vector, warp 0 at the bottom.
module issue_gate (
  input  control_flow_pkg::Slots eligible_i,
  input  control_flow_pkg::Status status_i,
  input  logic [control_flow_pkg::Warps*scoreboard_pkg::HazardBits-1:0] hazard_i,
  output control_flow_pkg::Slots ready_o
);
  scoreboard_pkg::Hazard hazard;
  logic [control_flow_pkg::Warps-1:0] waits_left, waits_right;

  // R1: whether a head waits for what the scoreboard says of it.
  function automatic logic must_wait(input logic own, input logic shadow, input logic full);
    must_wait = own || shadow || full;
  endfunction

  always_comb begin : pass
    for (int w = 0; w < control_flow_pkg::Warps; w++) begin
      hazard = hazard_i[w*scoreboard_pkg::HazardBits+:scoreboard_pkg::HazardBits];
      waits_left[w] = must_wait(hazard.own_left, hazard.shadow_left, hazard.full_left);
      waits_right[w] = must_wait(hazard.own_right, hazard.shadow_right, hazard.full_right);
    end
    // R1
    ready_o.left = eligible_i.left & status_i.valid_left & ~status_i.redirected_left & ~waits_left;
    ready_o.right = eligible_i.right & status_i.valid_right & ~status_i.redirected_right & ~waits_right;
  end
endmodule
