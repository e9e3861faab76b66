// SPDX-License-Identifier: Apache-2.0
// Dynamic warp formation: SystemVerilog twin of warp_formation.h, which states the contract and the timing; rules R1-R7
// there. TIDs, PCs and records of several lanes, updates or entries are one vector each, the first at the bottom.
module warp_formation (
  input  logic clk_i,
  input  logic rst_ni,
  input  formation_pkg::Commit commit_i,
  input  logic [formation_pkg::Lanes*formation_pkg::TidBits-1:0] commit_tid_i,
  input  logic [formation_pkg::Lanes*formation_pkg::PcBits-1:0] commit_pc_i,
  input  formation_pkg::Launch launch_i,
  input  formation_pkg::Release release_i,
  input  logic issued_ready_i,
  output logic commit_ready_o,
  output logic launch_ready_o,
  output formation_pkg::Issued issued_o,
  output logic [formation_pkg::Lanes*formation_pkg::TidBits-1:0] issued_tid_o,
  output formation_pkg::Status status_o,
  output logic idle_o
);
  localparam int Lanes = formation_pkg::Lanes;
  localparam int TidBits = formation_pkg::TidBits;
  localparam int PcBits = formation_pkg::PcBits;
  localparam int UpdateBits = formation_pkg::UpdateBits;
  localparam int PlacementBits = formation_pkg::PlacementBits;

  logic [Lanes-1:0] sent_q, sent_d, first_rest, second_rest;
  formation_pkg::Commit first_warp, second_warp;
  logic [Lanes*TidBits-1:0] second_tid;
  logic [Lanes*PcBits-1:0] second_pc;
  logic [2*UpdateBits-1:0] update, placed;  // in the registers, and a cycle later
  logic [2*Lanes*TidBits-1:0] tid, tid_q, turned_tid;
  logic [2*PlacementBits-1:0] place;
  formation_pkg::Offer offer;
  formation_pkg::Issue issue;
  logic drain, room, launches, first_idle, second_idle, lut_idle, pool_idle, issuer_idle, quiet;

  // R1: the lanes of a held warp that have not gone yet
  always_comb begin
    first_warp = commit_i;
    first_warp.lanes = commit_i.lanes & ~sent_q;
  end

  // R3: the second register takes what the first leaves, or threads that start.
  assign launches = first_rest == '0;
  always_comb begin
    second_warp = commit_i;
    second_warp.lanes = first_rest;
    if (launches) begin
      second_warp = '0;
      second_warp.cta = launch_i.cta;
      for (int l = 0; l < Lanes; l++) begin
        // Swizzling: in odd warps, even and odd lanes change places.
        if (formation_pkg::Swizzle != 0 && launch_i.warp[0] && (l ^ 1) < Lanes) second_warp.lanes[l] = launch_i.threads[l^1];
        else second_warp.lanes[l] = launch_i.threads[l];
      end
    end
  end
  for (genvar l = 0; l < Lanes; l++) begin : g_lane
    localparam int Partner = (l ^ 1) < Lanes ? (l ^ 1) : l;
    logic [TidBits-1:0] its_tid;
    always_comb begin
      its_tid = TidBits'(32'(launch_i.warp) * Lanes + l);
      if (formation_pkg::Swizzle != 0 && launch_i.warp[0]) its_tid = TidBits'(32'(launch_i.warp) * Lanes + Partner);
      if (!launches) its_tid = commit_tid_i[l*TidBits+:TidBits];
    end
    assign second_tid[l*TidBits+:TidBits] = its_tid;
    assign second_pc[l*PcBits+:PcBits] = launches ? launch_i.pc : commit_pc_i[l*PcBits+:PcBits];
  end

  warp_update_register i_first (
    .clk_i, .rst_ni, .warp_i(first_warp), .tid_i(commit_tid_i), .pc_i(commit_pc_i), .release_i, .rest_o(first_rest),
    .update_o(update[0+:UpdateBits]), .tid_o(tid[0+:Lanes*TidBits]), .idle_o(first_idle)
  );
  warp_update_register i_second (
    .clk_i, .rst_ni, .warp_i(second_warp), .tid_i(second_tid), .pc_i(second_pc), .release_i, .rest_o(second_rest),
    .update_o(update[UpdateBits+:UpdateBits]), .tid_o(tid[Lanes*TidBits+:Lanes*TidBits]), .idle_o(second_idle)
  );
  pc_warp_lut i_lut (
    .clk_i, .rst_ni, .update_i(update), .release_i, .offer_i(offer), .issue_i(issue), .update_o(placed), .place_o(place),
    .idle_o(lut_idle)
  );
  warp_allocator i_allocator (.clk_i, .rst_ni, .place_i(place), .free_i(issue), .offer_o(offer));
  warp_pool i_pool (
    .clk_i, .rst_ni, .update_i(placed), .tid_i(turned_tid), .place_i(place), .issue_i(issue), .taken_i(issued_ready_i),
    .issued_o, .issued_tid_o, .idle_o(pool_idle)
  );
  issue_logic i_issuer (
    .clk_i, .rst_ni, .update_i(placed), .place_i(place), .release_i, .departed_i(issued_o.lanes), .ready_i(room),
    .issue_o(issue), .drain_o(drain), .idle_o(issuer_idle)
  );

  assign commit_ready_o = second_rest == '0;
  assign launch_ready_o = launches;
  assign room = issued_ready_i || issued_o.lanes == '0;

  // Naive formation: the threads move to the positions that the LUT found.
  for (genvar k = 0; k < 2; k++) begin : g_turn
    if (formation_pkg::LaneAware != 0) begin : g_aware
      assign turned_tid[k*Lanes*TidBits+:Lanes*TidBits] = tid_q[k*Lanes*TidBits+:Lanes*TidBits];
    end else begin : g_naive
      logic [Lanes*TidBits-1:0] own;
      logic [31:0] by;
      assign own = tid_q[k*Lanes*TidBits+:Lanes*TidBits];
      assign by = 32'(place[k*PlacementBits+2+:formation_pkg::TurnBits]) * TidBits;
      assign turned_tid[k*Lanes*TidBits+:Lanes*TidBits] = own << by | own >> (Lanes * TidBits - by);
    end
  end

  formation_pkg::Placement its;
  always_comb begin
    status_o = '0;
    status_o.used = formation_pkg::CountBits'(formation_pkg::Threads) - offer.free;
    its = place[0+:PlacementBits];
    status_o.hit[0] = its.hit;
    status_o.conflict[0] = its.hit && its.open != '0;
    status_o.evict[0] = its.evict;
    its = place[PlacementBits+:PlacementBits];
    status_o.hit[1] = its.hit;
    status_o.conflict[1] = its.hit && its.open != '0;
    status_o.evict[1] = its.evict;
    status_o.stall = !commit_ready_o;
    status_o.drain = drain;
    sent_d = commit_ready_o ? '0 : commit_i.lanes & ~second_rest;
  end

  // Nothing is on its way, and no warp of the pool can be issued.
  assign quiet = first_idle && second_idle && lut_idle && pool_idle && issuer_idle;

  // Registers
  always_ff @(posedge clk_i) begin
    sent_q <= rst_ni ? sent_d : '0;
    tid_q <= rst_ni ? tid : '0;
    idle_o <= !rst_ni || (commit_i.lanes == '0 && launch_i.threads == '0 && !release_i.valid && quiet);
  end

  // R2
  always_ff @(posedge clk_i) begin
    if (rst_ni) illegal: assert ((sent_q & ~commit_i.lanes) == '0);
  end
endmodule
