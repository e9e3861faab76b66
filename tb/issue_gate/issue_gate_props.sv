// SPDX-License-Identifier: Apache-2.0
// Rules R1 and R2 of the issue gate, for one arbitrary slot, under any inputs at all; what follows from them for the
// scoreboard; and that nothing is kept from one cycle to the next.
module issue_gate_props (
  input logic clk_i,
  input control_flow_pkg::Slots eligible_i,
  input control_flow_pkg::Status status_i,
  input logic [control_flow_pkg::Warps*scoreboard_pkg::HazardBits-1:0] hazard_i,
  // a second set of inputs, at the same time
  input control_flow_pkg::Slots other_eligible_i,
  input control_flow_pkg::Status other_status_i,
  input logic [control_flow_pkg::Warps*scoreboard_pkg::HazardBits-1:0] other_hazard_i
);
  localparam int Warps = control_flow_pkg::Warps;
  (* anyconst *) logic [7:0] warp;  // one arbitrary slot
  (* anyconst *) logic right;
  control_flow_pkg::Slots ready, other_ready;

  issue_gate i_dut (.eligible_i, .status_i, .hazard_i, .ready_o(ready));
  issue_gate i_other (
    .eligible_i(other_eligible_i), .status_i(other_status_i), .hazard_i(other_hazard_i), .ready_o(other_ready)
  );

  // What the slot has to do with: eligible, valid, redirected, and three hazards; in either set of inputs.
  logic [5:0] own, others;
  scoreboard_pkg::Hazard hazard, other_hazard;
  logic is_ready, other_is_ready, sibling_is_ready, interlocked;
  always_comb begin
    hazard = hazard_i[warp*scoreboard_pkg::HazardBits+:scoreboard_pkg::HazardBits];
    other_hazard = other_hazard_i[warp*scoreboard_pkg::HazardBits+:scoreboard_pkg::HazardBits];
    if (right) begin
      own = {eligible_i.right[warp], status_i.valid_right[warp], status_i.redirected_right[warp], hazard.own_right,
             hazard.shadow_right, hazard.full_right};
      others = {other_eligible_i.right[warp], other_status_i.valid_right[warp], other_status_i.redirected_right[warp],
                other_hazard.own_right, other_hazard.shadow_right, other_hazard.full_right};
    end else begin
      own = {eligible_i.left[warp], status_i.valid_left[warp], status_i.redirected_left[warp], hazard.own_left,
             hazard.shadow_left, hazard.full_left};
      others = {other_eligible_i.left[warp], other_status_i.valid_left[warp], other_status_i.redirected_left[warp],
                other_hazard.own_left, other_hazard.shadow_left, other_hazard.full_left};
    end
    is_ready = right ? ready.right[warp] : ready.left[warp];
    other_is_ready = right ? other_ready.right[warp] : other_ready.left[warp];
    sibling_is_ready = right ? ready.left[warp] : ready.right[warp];
    // What the control flow units promise (rtl/base/control_flow.h): where lanes moved, a slot is redirected or not valid.
    interlocked = !status_i.lanes_moved[warp] || ((status_i.redirected_left[warp] || !status_i.valid_left[warp]) &&
                                            (status_i.redirected_right[warp] || !status_i.valid_right[warp]));
  end

  logic started_q = 1'b0;
  logic same_q;
  control_flow_pkg::Slots ready_q, eligible_q;
  control_flow_pkg::Status status_q;
  logic [Warps*scoreboard_pkg::HazardBits-1:0] hazard_q;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    {ready_q, eligible_q, status_q, hazard_q} <= {ready, eligible_i, status_i, hazard_i};
  end
  assign same_q = {eligible_q, status_q, hazard_q} == {eligible_i, status_i, hazard_i};

  always_comb begin
    assume (warp < Warps);
    exact: assert (is_ready == (own == 6'b110000));  // R1
    if (own == others) alone: assert (is_ready == other_is_ready);  // R2
    if (interlocked && status_i.lanes_moved[warp]) lanes_moved_waits: assert (!is_ready && !sibling_is_ready);
    if (started_q && same_q) idle_stays: assert (ready == ready_q);

    own_waits:      cover (own == 6'b110100 && sibling_is_ready);
    shadow_waits:   cover (own == 6'b110010 && sibling_is_ready);
    full_waits:     cover (own == 6'b110001 && sibling_is_ready);
    redirected_waits:    cover (own == 6'b111000 && sibling_is_ready);
    not_valid:      cover (own == 6'b100000 && sibling_is_ready);
    not_eligible:   cover (own == 6'b010000 && sibling_is_ready);
    both_ready:     cover (is_ready && sibling_is_ready);
    all_ready:      cover (ready == '1);
    last_alone:     cover (is_ready && !right && ready.left == (Warps'(1) << (Warps - 1)) && ready.right == '0);
    lanes_moved:          cover (interlocked && status_i.lanes_moved[warp] && own == 6'b111000);
  end
endmodule
