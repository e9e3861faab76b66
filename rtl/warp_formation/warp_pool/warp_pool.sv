// Warp pool: SystemVerilog twin of warp_pool.h, which states the contract and the timing; rules R1-R7 there. Records,
// TIDs and entries are one vector each, the first at the bottom.
module warp_pool (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic [2*formation_pkg::UpdateBits-1:0] update_i,
  input  logic [2*formation_pkg::Lanes*formation_pkg::TidBits-1:0] tid_i,
  input  logic [2*formation_pkg::PlacementBits-1:0] place_i,
  input  formation_pkg::Issue issue_i,
  input  logic taken_i,
  input  formation_pkg::Release release_i,
  output logic [formation_pkg::Threads*formation_pkg::PoolWarpBits-1:0] warp_o,
  output formation_pkg::Issued issued_o,
  output logic [formation_pkg::Lanes*formation_pkg::TidBits-1:0] issued_tid_o,
  output logic idle_o
);
  localparam int Threads = formation_pkg::Threads;
  localparam int Lanes = formation_pkg::Lanes;
  localparam int TidBits = formation_pkg::TidBits;
  localparam int IdxBits = formation_pkg::IdxBits;
  localparam int WarpBits = formation_pkg::PoolWarpBits;
  localparam int AtBits = $clog2(Threads * WarpBits);

  // The lanes that were asked for, and how the LUT found the warps, are not for the pool.
  // verilator lint_off UNUSEDSIGNAL
  formation_pkg::Update update0, update1;
  formation_pkg::Placement place0, place1;
  // verilator lint_on UNUSEDSIGNAL
  formation_pkg::PoolWarp leaving, joined0, joined1, opened0, opened1, target0, target1;
  formation_pkg::Issued issued_d;
  logic [Threads-1:0] free;
  logic merges0, merges1, opens0, opens1, meets0, meets1, stays, leaves, legal_issue, legal_update;

  always_comb begin
    update0 = update_i[0+:formation_pkg::UpdateBits];
    update1 = update_i[formation_pkg::UpdateBits+:formation_pkg::UpdateBits];
    place0 = place_i[0+:formation_pkg::PlacementBits];
    place1 = place_i[formation_pkg::PlacementBits+:formation_pkg::PlacementBits];

    // The entries that are looked at; one that does not exist, or is asked for issue, takes no more threads.
    leaving = 32'(issue_i.idx) < Threads ? warp_o[AtBits'(issue_i.idx)*AtBits'(WarpBits)+:WarpBits] : '0;
    target0 = 32'(place0.merge_idx) < Threads ? warp_o[AtBits'(place0.merge_idx)*AtBits'(WarpBits)+:WarpBits] : '0;
    target1 = 32'(place1.merge_idx) < Threads ? warp_o[AtBits'(place1.merge_idx)*AtBits'(WarpBits)+:WarpBits] : '0;
    if (issue_i.valid && issue_i.idx == place0.merge_idx) target0 = '0;
    if (issue_i.valid && issue_i.idx == place1.merge_idx) target1 = '0;

    // R1, R2, R7: the first update
    meets0 = (place0.merge & place0.open) != '0;
    merges0 = place0.merge != '0 && !meets0 && target0.lanes != '0 && !target0.waits && !update0.waits &&
              target0.pc == update0.pc && target0.cta == update0.cta && (target0.lanes & place0.merge) == '0;
    opens0 = place0.open != '0 && !meets0 && 32'(place0.open_idx) < Threads && free[place0.open_idx];
    joined0 = target0;
    joined0.lanes = target0.lanes | place0.merge;
    if (update0.data > target0.data) joined0.data = update0.data;
    opened0 = {update0.pc, update0.data, place0.open, update0.cta, update0.waits};

    // The second sees what the first did.
    if (merges0 && place0.merge_idx == place1.merge_idx) target1 = joined0;
    if (opens0 && place0.open_idx == place1.merge_idx) target1 = opened0;
    meets1 = (place1.merge & place1.open) != '0;
    merges1 = place1.merge != '0 && !meets1 && target1.lanes != '0 && !target1.waits && !update1.waits &&
              target1.pc == update1.pc && target1.cta == update1.cta && (target1.lanes & place1.merge) == '0;
    opens1 = place1.open != '0 && !meets1 && 32'(place1.open_idx) < Threads && free[place1.open_idx] &&
             !(opens0 && place0.open_idx == place1.open_idx);
    joined1 = target1;
    joined1.lanes = target1.lanes | place1.merge;
    if (update1.data > target1.data) joined1.data = update1.data;
    opened1 = {update1.pc, update1.data, place1.open, update1.cta, update1.waits};
    legal_update = (merges0 || place0.merge == '0) && (opens0 || place0.open == '0) &&
                   (merges1 || place1.merge == '0) && (opens1 || place1.open == '0);

    // R4, R5: the warp that leaves, as it was before this cycle's updates
    stays = issued_o.lanes != '0 && !taken_i;
    legal_issue = !issue_i.valid || (leaving.lanes != '0 && !leaving.waits && !stays);
    leaves = issue_i.valid && legal_issue;
    issued_d = '0;
    if (leaves) begin
      issued_d.lanes = leaving.lanes;
      issued_d.pc = leaving.pc;
      issued_d.cta = leaving.cta;
      issued_d.data = leaving.data;
    end
    if (stays) issued_d = issued_o;
  end

  for (genvar i = 0; i < Threads; i++) begin : g_entry
    logic [WarpBits-1:0] entry_q, entry_d;
    assign warp_o[i*WarpBits+:WarpBits] = entry_q;
    assign free[i] = entry_q[1+formation_pkg::CtaBits+:Lanes] == '0;

    always_comb begin
      entry_d = entry_q;
      if (leaves && 32'(issue_i.idx) == i) entry_d = '0;
      if (merges0 && 32'(place0.merge_idx) == i) entry_d = joined0;
      if (opens0 && 32'(place0.open_idx) == i) entry_d = opened0;
      if (merges1 && 32'(place1.merge_idx) == i) entry_d = joined1;
      if (opens1 && 32'(place1.open_idx) == i) entry_d = opened1;
      // R6; from the bottom, an entry is waits, cta, lanes, ...
      if (release_i.valid && entry_d[1+:formation_pkg::CtaBits] == release_i.cta) entry_d[0] = 1'b0;
    end

    always_ff @(posedge clk_i) begin
      entry_q <= rst_ni ? entry_d : '0;
    end
  end

  // R3: a memory a lane. Each update writes one of its two warps there, and so never one lane of a warp twice.
  for (genvar l = 0; l < Lanes; l++) begin : g_lane
    logic [TidBits-1:0] tid_q [Threads];
    logic [TidBits-1:0] issued_q;
    logic [IdxBits-1:0] at0, at1;
    logic writes0, writes1;

    assign at0 = opens0 && place0.open[l] ? place0.open_idx : place0.merge_idx;
    assign at1 = opens1 && place1.open[l] ? place1.open_idx : place1.merge_idx;
    assign writes0 = (merges0 && place0.merge[l]) || (opens0 && place0.open[l]);
    assign writes1 = (merges1 && place1.merge[l]) || (opens1 && place1.open[l]);
    assign issued_tid_o[l*TidBits+:TidBits] = issued_q;

    always_ff @(posedge clk_i) begin
      if (rst_ni && writes0) tid_q[at0] <= tid_i[l*TidBits+:TidBits];
      if (rst_ni && writes1) tid_q[at1] <= tid_i[(Lanes+l)*TidBits+:TidBits];
      if (!rst_ni) issued_q <= '0;
      else if (!stays) issued_q <= leaves && leaving.lanes[l] ? tid_q[issue_i.idx] : '0;
    end
  end

  // Registers
  always_ff @(posedge clk_i) begin
    issued_o <= rst_ni ? issued_d : '0;
    idle_o <= !rst_ni || (!stays && !leaves);
  end

  // R7
  always_ff @(posedge clk_i) begin
    if (rst_ni) illegal: assert (legal_issue && legal_update);
  end
endmodule
