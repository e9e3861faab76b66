// SPDX-License-Identifier: Apache-2.0
// Scoreboard: SystemVerilog twin of scoreboard.h, which states the contract and the timing; rules R1-R12 in README.md.
// Heads and hazards of all warps are one vector each, warp 0 at the bottom. Shadow = 0 is the baseline; AtDecode = 0 compares every head
// in every cycle.
module scoreboard (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic [scoreboard_pkg::Warps*scoreboard_pkg::HeadBits-1:0] head_left_i,
  input  logic [scoreboard_pkg::Warps*scoreboard_pkg::HeadBits-1:0] head_right_i,
  input  control_flow_pkg::Grant grant_i,
  input  control_flow_pkg::Grant decode_i,
  input  control_flow_pkg::Slots flush_i,
  input  scoreboard_pkg::Release release_i,
  input  control_flow_pkg::Status status_i,
  output logic [scoreboard_pkg::Warps*scoreboard_pkg::HazardBits-1:0] hazard_o
);
  localparam int Warps = scoreboard_pkg::Warps;
  localparam int Shadow = scoreboard_pkg::Shadow;
  localparam int Entries = scoreboard_pkg::Entries;
  localparam int PerWarp = scoreboard_pkg::PerWarp;
  localparam int IdBits = scoreboard_pkg::IdBits;
  localparam int HeadBits = scoreboard_pkg::HeadBits;
  localparam int HazardBits = scoreboard_pkg::HazardBits;
  localparam int EntryBits = scoreboard_pkg::EntryBits;
  localparam int SetBits = Entries * EntryBits;
  localparam int WarpSetBits = PerWarp * EntryBits;

  // The entries of all warps; P and S after this edge, but for what is allocated in it; what is.
  logic [Warps*WarpSetBits-1:0] sets;
  logic [Warps*PerWarp-1:0] pending_after, shadowed_after, takes;
  logic [Warps-1:0] may_issue, is_done;

  // ---- R6: the entry of the set that the release names ----
  logic [SetBits-1:0] released_set;
  logic [Entries-1:0] released;
  always_comb begin : released_entry
    released_set = '0;
    for (int w = 0; w < Warps; w++) begin
      if (32'(release_i.warp) == w && (Shadow == 0 || !release_i.right))
        released_set = released_set | sets[w*WarpSetBits+:SetBits];
      if (32'(release_i.warp) == w && Shadow != 0 && release_i.right)
        released_set = released_set | sets[w*WarpSetBits+WarpSetBits-SetBits+:SetBits];
    end
    for (int e = 0; e < Entries; e++) begin
      released[e] = release_i.valid && released_set[e*EntryBits+IdBits+1] &&
                    released_set[e*EntryBits+1+:IdBits] == release_i.id;
    end
  end

  // ---- R7: the head that issues, and what it writes ----
  logic may;
  logic [IdBits-1:0] d;
  logic d_wide;
  scoreboard_pkg::Head issuing;
  always_comb begin : destination
    issuing = '0;
    may = 1'b0;
    for (int w = 0; w < Warps; w++) begin
      if (32'(grant_i.warp) == w) begin
        issuing = issuing | (grant_i.right ? head_right_i[w*HeadBits+:HeadBits] : head_left_i[w*HeadBits+:HeadBits]);
        may = grant_i.right ? hazard_o[w*HazardBits+:3] == '0 : hazard_o[w*HazardBits+3+:3] == '0;
      end
    end
    d = issuing.d;
    d_wide = issuing.d_wide;
  end

  for (genvar w = 0; w < Warps; w++) begin : g_warp
    logic [WarpSetBits-1:0] set;
    logic [PerWarp-1:0] is_free, first_free, ends;
    logic issues, allocates;

    assign sets[w*WarpSetBits+:WarpSetBits] = set;
    assign may_issue[w] = issues;
    assign is_done[w] = ends != '0;

    always_comb begin : allocate
      issues = grant_i.valid && 32'(grant_i.warp) == w && may;
      allocates = issues && d != scoreboard_pkg::NoRegister;
    end

    for (genvar k = 0; k < scoreboard_pkg::Sets; k++) begin : g_set
      logic [Entries-1:0] in_set;
      assign in_set = is_free[k*Entries+:Entries];
      assign first_free[k*Entries+:Entries] = in_set & (~in_set + 1'b1);
    end

    for (genvar e = 0; e < PerWarp; e++) begin : g_entry
      localparam logic OfRight = e >= Entries;
      logic [IdBits:0] entry_q;  // id, wide; not reset: what is not pending says nothing
      logic pending_q, s, after_s, after_p, next_s, next_p, taken;

      assign set[e*EntryBits+:EntryBits] = {s, pending_q, entry_q};
      assign is_free[e] = !pending_q;
      assign ends[e] = released[e%Entries] && 32'(release_i.warp) == w &&
                       (Shadow == 0 || release_i.right == OfRight);
      assign taken = allocates && first_free[e] && (Shadow == 0 || grant_i.right == OfRight);
      assign takes[w*PerWarp+e] = taken;
      assign pending_after[w*PerWarp+e] = after_p;
      assign shadowed_after[w*PerWarp+e] = after_s;

      always_comb begin
        {after_s, after_p} = {s, pending_q};
        // R6: the write that is done frees its entry.
        if (ends[e] && !release_i.part) {after_s, after_p} = 2'b00;
        // R7: the first entry of the set that was free takes the destination of the head that issues.
        next_p = after_p || taken;
        // R8: where lanes changed side, every write pending after this edge is of interest to both sides.
        next_s = after_s;
        if (status_i.lanes_moved[w]) {after_s, next_s} = {after_p, next_p};
        // R10: a part of the write is done, and lanes of the other side wait for it no more.
        if (ends[e] && release_i.part) {after_s, next_s} = 2'b00;
      end

      // Registers
      always_ff @(posedge clk_i) begin
        pending_q <= rst_ni && next_p;
        if (taken) entry_q <= {d, d_wide};
      end
      if (Shadow != 0) begin : g_shadow
        logic shadow_q;
        assign s = shadow_q;
        always_ff @(posedge clk_i) shadow_q <= rst_ni && next_s;
      end else begin : g_baseline
        assign s = 1'b0;
      end
    end
  end

  // ---- the answers ----
  if (scoreboard_pkg::AtDecode == 0) begin : g_query
    for (genvar w = 0; w < Warps; w++) begin : g_of
      scoreboard_query i_query (
        .head_left_i(head_left_i[w*HeadBits+:HeadBits]), .head_right_i(head_right_i[w*HeadBits+:HeadBits]),
        .entry_i(sets[w*WarpSetBits+:WarpSetBits]), .hazard_o(hazard_o[w*HazardBits+:HazardBits])
      );
    end
  end else begin : g_decode
    scoreboard_heads i_heads (
      .clk_i, .rst_ni, .head_left_i, .head_right_i, .sets_i(sets), .grant_i, .decode_i, .flush_i, .takes_i(takes),
      .id_i(d), .wide_i(d_wide), .pending_after_i(pending_after), .shadowed_after_i(shadowed_after), .hazard_o
    );
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) illegal: assert ((!grant_i.valid || may_issue != '0) && (!release_i.valid || is_done != '0) &&
                                 (!decode_i.valid || 32'(decode_i.warp) < Warps));
  end
endmodule
