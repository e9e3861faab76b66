// SPDX-License-Identifier: Apache-2.0
// Rules R1-R6 of the warp update register for any two lanes, under any warps, PCs, releases and resets at all.
module warp_update_register_props (
  input logic clk_i,
  input logic rst_ni,
  input formation_pkg::Commit warp_i,
  input logic [formation_pkg::Lanes*formation_pkg::TidBits-1:0] tid_i,
  input logic [formation_pkg::Lanes*formation_pkg::PcBits-1:0] pc_i,
  input formation_pkg::Release release_i
);
  localparam int Lanes = formation_pkg::Lanes;
  localparam int TidBits = formation_pkg::TidBits;
  localparam int PcBits = formation_pkg::PcBits;
  localparam int LaneAware = formation_pkg::LaneAware;

  logic [Lanes-1:0] rest;
  formation_pkg::Update update;
  logic [Lanes*TidBits-1:0] tid;
  warp_update_register i_dut (
    .clk_i, .rst_ni, .warp_i, .tid_i, .pc_i, .release_i, .rest_o(rest), .update_o(update), .tid_o(tid), .idle_o(idle)
  );

  (* anyconst *) logic [2:0] lane, other;  // two arbitrary lanes
  logic started_q = 1'b0;
  logic [PcBits-1:0] lane_pc, other_pc, pc_q;
  logic [Lanes-1:0] taken, taken_q, lanes_q, below_q;
  logic [2:0] count_q, place_q;
  logic [TidBits-1:0] tid_q;
  logic [$bits(update)+Lanes*TidBits-1:0] state_q;
  formation_pkg::Commit warp_q;
  formation_pkg::Release release_q;
  logic reset_q, idle, idle_q;

  always_comb begin
    lane_pc = pc_i[lane*PcBits+:PcBits];
    other_pc = pc_i[other*PcBits+:PcBits];
    taken = warp_i.lanes & ~rest;
    // what was taken in the last cycle: how many, and how many of them below `lane`
    count_q = '0;
    place_q = '0;
    below_q = '0;
    for (int l = 0; l < Lanes; l++) begin
      count_q = count_q + 3'(taken_q[l]);
      if (l < lane) place_q = place_q + 3'(taken_q[l]);
    end
    for (int p = 0; p < Lanes; p++) below_q[p] = p < count_q;
  end

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    reset_q <= !rst_ni;
    warp_q <= warp_i;
    release_q <= release_i;
    idle_q <= idle;
    state_q <= {update, tid};
    taken_q <= rst_ni ? taken : '0;
    pc_q <= lane_pc;
    tid_q <= tid_i[lane*TidBits+:TidBits];
  end

  logic counts, opened;
  always_comb begin
    if (!started_q) assume (!rst_ni);        // a reset comes first
    assume (lane < Lanes && other < Lanes);  // two lanes that there are, or one
    // R1: of two lanes with threads, one of which is taken, the other is too exactly when their PCs are equal.
    same_pc_goes:     assert (!taken[lane] || !warp_i.lanes[other] || taken[other] == (lane_pc == other_pc));
    rest_of_the_warp: assert ((rest & ~warp_i.lanes) == '0);
    lowest_goes:      assert ((taken & (~taken + 1'b1)) == (warp_i.lanes & (~warp_i.lanes + 1'b1)));
    counts = warp_q.passed && warp_q.data != '1;
    opened = release_q.valid && release_q.cta == warp_q.cta;
    if (started_q) begin
      // Idle: without a warp all stays as it is.
      if (idle_q && !reset_q && warp_q.lanes == '0) idle_stays: assert ({update, tid} == state_q && idle);
      idle_is_blank: assert (idle == (update == '0));
      if (taken_q == '0) blank_without_lanes: assert (update == '0 && tid == '0);  // R2
      if (reset_q) blank_after_reset: assert (update == '0 && tid == '0);
      if (taken_q[lane]) pc_of_all: assert (update.pc == pc_q);
      if (taken_q != '0) of_its_cta: assert (update.cta == warp_q.cta);
      if (taken_q != '0) counts_up:  assert (update.data == warp_q.data + formation_pkg::DataBits'(counts));  // R4
      if (taken_q != '0) waits:      assert (update.waits == (warp_q.waits && !opened));  // R5
      if (LaneAware != 0) begin  // R3
        home_lanes:  assert (update.req == taken_q);
        home_thread: assert (tid[lane*TidBits+:TidBits] == (taken_q[lane] ? tid_q : '0));
      end else begin  // R6
        lowest_places: assert (update.req == below_q);
        if (taken_q[lane]) in_lane_order: assert (tid[place_q*TidBits+:TidBits] == tid_q);
        if (lane >= count_q) blank_above: assert (tid[lane*TidBits+:TidBits] == '0);
      end
      three_pcs:     cover (warp_i.lanes == '1 && rest == 3'b110 && pc_i[PcBits+:PcBits] != pc_i[2*PcBits+:PcBits]);
      at_the_largest: cover (warp_q.passed && warp_q.data == '1 && update.req != '0);
      opens:         cover (warp_q.waits && taken_q != '0 && !update.waits);
      rests:         cover (idle_q && idle && !reset_q);
      upper_lanes:   cover (taken_q == 3'b110);
    end
  end
endmodule
