// SPDX-License-Identifier: Apache-2.0
// Rules R1-R4 of the warp scheduler and what follows from them, under any ready masks and resets at all.
module warp_scheduler_props (
  input logic clk_i,
  input logic rst_ni,
  input control_flow_pkg::Slots ready_i
);
  localparam int Count = warp_scheduler_pkg::Warps * warp_scheduler_pkg::Paths;
  (* anyconst *) logic [7:0] slot;  // one arbitrary slot
  control_flow_pkg::Grant grant, grant_q;
  logic [Count-1:0] ready;
  logic [7:0] granted, granted_q, waited_q, distance;
  logic chosen, is_ready, started_q = 1'b0, had_grant_q;

  warp_scheduler i_dut (.clk_i, .rst_ni, .ready_i, .grant_o(grant));

  always_comb begin
    for (int i = 0; i < Count; i++) begin
      ready[i] = i % warp_scheduler_pkg::Paths == 0 ? ready_i.left[i/warp_scheduler_pkg::Paths]
                                                    : ready_i.right[i/warp_scheduler_pkg::Paths];
    end
    granted = 8'(grant.warp) * warp_scheduler_pkg::Paths + (warp_scheduler_pkg::Paths == 2 ? 8'(grant.right) : 8'd0);
    chosen = grant.valid && granted == slot;
    is_ready = slot < Count && ready[slot];
    // How many slots come before this one when the turn is after the last granted slot; slot 0 has the turn at first.
    distance = had_grant_q ? (slot > granted_q ? slot - granted_q - 8'd1 : slot + Count - granted_q - 8'd1) : slot;
  end

  // Picks that this slot has waited for, without a break
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    grant_q <= grant;
    if (!rst_ni) begin
      had_grant_q <= 1'b0;
      granted_q <= '0;
      waited_q <= '0;
    end else begin
      if (grant.valid) begin
        had_grant_q <= 1'b1;
        granted_q <= granted;
      end
      if (!is_ready || chosen) waited_q <= '0;
      else if (grant.valid) waited_q <= waited_q + 8'd1;
    end
  end

  // Ties the history kept here to the state of the block, so that induction starts from states that exist.
  (* hierconn *) logic [warp_scheduler_pkg::TurnBits-1:0] \i_dut.turn_q ;
  warp_scheduler_pkg::Turn turn;
  logic [7:0] turn_slot, was_turn_q;
  logic asked_q;
  always_ff @(posedge clk_i) begin
    was_turn_q <= turn_slot;
    asked_q <= !rst_ni || ready_i != '0;
  end
  always_comb begin
    turn = {{(2 - warp_scheduler_pkg::Paths){1'b0}}, \i_dut.turn_q };
    turn_slot = 8'(turn.warp) * warp_scheduler_pkg::Paths + 8'(turn.right);
  end

  always_comb begin
    if (!started_q) assume (!rst_ni);
    assume (slot < Count);
    if (started_q) begin
      turn_follows_grant: assert (turn_slot == (had_grant_q && granted_q != Count - 1 ? granted_q + 8'd1 : 8'd0));
      granted_exists:     assert (granted_q < Count);
      if (!asked_q) idle_stays: assert (turn_slot == was_turn_q);  // the grant follows from turn and ready slots
      if (grant.valid) grant_is_ready: assert (granted < Count && ready[granted]);  // R1
      grant_when_ready: assert (grant.valid == (ready != '0));  // R2
      if (!grant.valid) blank_without_grant: assert (grant == '0);
      // R3: what is granted comes no later in the round than any ready slot
      if (is_ready && !chosen)
        first_in_order: assert (distance > (had_grant_q ? (granted > granted_q ? granted - granted_q - 8'd1
                                                                               : granted + Count - granted_q - 8'd1)
                                                        : granted));
      if (warp_scheduler_pkg::Paths == 1) never_right: assert (!grant.right);
      // R4: every pick brings the turn closer to a slot that waits, so it waits for each other slot once at most.
      waits_closer: assert (waited_q == '0 || waited_q + distance < Count);
      if (is_ready && !chosen) fair: assert (waited_q + 8'd1 < Count);
      waited_for_all: cover (chosen && waited_q == Count - 1);
      wrapped:        cover (had_grant_q && grant.valid && granted < granted_q);
      idle:           cover (had_grant_q && !grant.valid);
      again:          cover (had_grant_q && grant.valid && granted == granted_q && ready[granted_q]);
    end
  end
endmodule
