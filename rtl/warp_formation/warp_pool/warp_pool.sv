// SPDX-License-Identifier: Apache-2.0
// Warp pool: SystemVerilog twin of warp_pool.h, which states the contract and the timing; rules R1-R6 there. TIDs and
// records of two updates are one vector each, the first at the bottom.
module warp_pool (
  input  logic clk_i,
  input  logic rst_ni,
  // The lanes that were asked for, and how the LUT found the warps, are not for the pool.
  // verilator lint_off UNUSEDSIGNAL
  input  logic [2*formation_pkg::UpdateBits-1:0] update_i,
  input  logic [2*formation_pkg::PlacementBits-1:0] place_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic [2*formation_pkg::Lanes*formation_pkg::TidBits-1:0] tid_i,
  input  formation_pkg::Issue issue_i,
  input  logic taken_i,
  output formation_pkg::Issued issued_o,
  output logic [formation_pkg::Lanes*formation_pkg::TidBits-1:0] issued_tid_o,
  output logic idle_o
);
  localparam int Threads = formation_pkg::Threads;
  localparam int Lanes = formation_pkg::Lanes;
  localparam int TidBits = formation_pkg::TidBits;
  localparam int IdxBits = formation_pkg::IdxBits;

  // verilator lint_off UNUSEDSIGNAL
  formation_pkg::Update update0, update1;
  formation_pkg::Placement place0, place1;
  // verilator lint_on UNUSEDSIGNAL
  logic [Threads-1:0] used_q, used_d;
  logic there_q, meets0, meets1, merges0, merges1, opens0, opens1, stays, leaves, legal_issue, legal_update;

  always_comb begin
    update0 = update_i[0+:formation_pkg::UpdateBits];
    update1 = update_i[formation_pkg::UpdateBits+:formation_pkg::UpdateBits];
    place0 = place_i[0+:formation_pkg::PlacementBits];
    place1 = place_i[formation_pkg::PlacementBits+:formation_pkg::PlacementBits];

    // R6: what is in use, not asked for issue, or opened by the first update may be joined; what is free may open.
    meets0 = (place0.merge & place0.open) != '0;
    meets1 = (place1.merge & place1.open) != '0;
    opens0 = place0.open != '0 && !meets0 && 32'(place0.open_idx) < Threads && !used_q[place0.open_idx];
    merges0 = place0.merge != '0 && !meets0 && 32'(place0.merge_idx) < Threads && used_q[place0.merge_idx] &&
              !(issue_i.valid && issue_i.idx == place0.merge_idx);
    opens1 = place1.open != '0 && !meets1 && 32'(place1.open_idx) < Threads && !used_q[place1.open_idx] &&
             !(opens0 && place0.open_idx == place1.open_idx);
    merges1 = place1.merge != '0 && !meets1 &&
              ((opens0 && place0.open_idx == place1.merge_idx) ||
               (32'(place1.merge_idx) < Threads && used_q[place1.merge_idx] &&
                !(issue_i.valid && issue_i.idx == place1.merge_idx)));
    legal_update = (merges0 || place0.merge == '0) && (opens0 || place0.open == '0) &&
                   (merges1 || place1.merge == '0) && (opens1 || place1.open == '0);

    // R4, R5
    stays = there_q && !taken_i;
    legal_issue = !issue_i.valid || (32'(issue_i.idx) < Threads && used_q[issue_i.idx] && !stays);
    leaves = issue_i.valid && legal_issue;

    used_d = used_q;
    if (leaves) used_d[issue_i.idx] = 1'b0;
    if (opens0) used_d[place0.open_idx] = 1'b1;
    if (opens1) used_d[place1.open_idx] = 1'b1;
  end

  // R1: PC and CTA of a warp are written once,
  logic [formation_pkg::PcBits+formation_pkg::CtaBits-1:0] pc_q [Threads];
  formation_pkg::PoolPc pc_word_q;
  always_ff @(posedge clk_i) begin
    if (opens0) pc_q[place0.open_idx] <= {update0.pc, update0.cta};
    if (opens1) pc_q[place1.open_idx] <= {update1.pc, update1.cta};
    if (leaves) pc_word_q <= pc_q[issue_i.idx];
  end

  // R2: lanes and data also when threads join. The second update comes after the first.
  logic [formation_pkg::DataBits+Lanes-1:0] warp_q [Threads];
  formation_pkg::PoolWarp warp_word_q;
  always_ff @(posedge clk_i) begin
    if (merges0) warp_q[place0.merge_idx] <= {place0.data, place0.lanes};
    if (opens0) warp_q[place0.open_idx] <= {update0.data, place0.open};
    if (merges1) warp_q[place1.merge_idx] <= {place1.data, place1.lanes};
    if (opens1) warp_q[place1.open_idx] <= {update1.data, place1.open};
    if (leaves) warp_word_q <= warp_q[issue_i.idx];
  end

  // R3: a memory a lane. Each update writes one of its two warps there, and so never one lane of a warp twice.
  for (genvar l = 0; l < Lanes; l++) begin : g_lane
    logic [TidBits-1:0] tid_q [Threads];
    logic [TidBits-1:0] tid_word_q;
    logic [IdxBits-1:0] at0, at1;
    logic writes0, writes1;

    assign at0 = place0.open[l] ? place0.open_idx : place0.merge_idx;
    assign at1 = place1.open[l] ? place1.open_idx : place1.merge_idx;
    assign writes0 = place0.open[l] ? opens0 : merges0 && place0.merge[l];
    assign writes1 = place1.open[l] ? opens1 : merges1 && place1.merge[l];
    always_ff @(posedge clk_i) begin
      if (writes0) tid_q[at0] <= tid_i[l*TidBits+:TidBits];
      if (writes1) tid_q[at1] <= tid_i[(Lanes+l)*TidBits+:TidBits];
      if (leaves) tid_word_q <= tid_q[issue_i.idx];
    end
    assign issued_tid_o[l*TidBits+:TidBits] = issued_o.lanes[l] ? tid_word_q : '0;
  end

  always_comb begin
    issued_o = '0;
    if (there_q) begin
      issued_o.lanes = warp_word_q.lanes;
      issued_o.pc = pc_word_q.pc;
      issued_o.cta = pc_word_q.cta;
      issued_o.data = warp_word_q.data;
    end
  end

  // Registers
  always_ff @(posedge clk_i) begin
    used_q <= rst_ni ? used_d : '0;
    there_q <= rst_ni && (stays || leaves);
    idle_o <= !rst_ni || (!stays && !leaves);
  end

  // R6
  always_ff @(posedge clk_i) begin
    if (rst_ni) illegal: assert (legal_issue && legal_update);
  end
endmodule
