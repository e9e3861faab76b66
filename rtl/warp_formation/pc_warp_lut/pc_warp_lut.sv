// SPDX-License-Identifier: Apache-2.0
// PC-warp LUT: SystemVerilog twin of pc_warp_lut.h, which states the contract and the timing; rules R1-R9 in README.md.
// Update and placement k are at the bottom plus k times their width. LaneAware = 0 is the naive variant.
module pc_warp_lut (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic [2*formation_pkg::UpdateBits-1:0] update_i,
  input  formation_pkg::Release release_i,
  /* verilator lint_off UNUSEDSIGNAL */  // how many entries are free does not matter here
  input  formation_pkg::Offer offer_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  formation_pkg::Issue issue_i,
  output logic [2*formation_pkg::UpdateBits-1:0] update_o,
  output logic [2*formation_pkg::PlacementBits-1:0] place_o,
  output logic idle_o
);
  localparam int Lanes = formation_pkg::Lanes;
  localparam int PcBits = formation_pkg::PcBits;
  localparam int IdxBits = formation_pkg::IdxBits;
  localparam int CtaBits = formation_pkg::CtaBits;
  localparam int DataBits = formation_pkg::DataBits;
  localparam int UpdateBits = formation_pkg::UpdateBits;
  localparam int EntryBits = formation_pkg::LutEntryBits;
  localparam int Sets = formation_pkg::Sets;
  localparam int Slice = Sets > 1 ? $clog2(Sets) : 1;
  localparam int Entries = 2 * Sets;

  // All entries, way w of set s at 2s+w: gone are those whose warp is no longer to be merged into
  logic [Entries*EntryBits-1:0] stored;
  logic [Entries-1:0] live, gone;
  logic [Sets-1:0] recent_q, recent_d;

  // ---- first stage: the search ----
  logic [2*UpdateBits-1:0] update_d;
  logic [2*Entries-1:0] match_d, match_q;  // of update k at k * Entries
  /* verilator lint_off UNUSEDSIGNAL */  // of one set, nothing
  logic [2*Slice-1:0] set_d;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [2*Slice-1:0] set_q;
  logic same_d, same_q;
  logic [Entries-1:0] writes0, writes1;  // the second stage, in this cycle
  formation_pkg::Update first, second;   // its updates

  // R1
  function automatic logic [Slice-1:0] set_of(input logic [PcBits-1:0] pc, input logic [CtaBits-1:0] cta);
    set_of = Slice'(cta);
    for (int b = 0; b < PcBits; b++) set_of[b%Slice] = set_of[b%Slice] ^ pc[b];
    if (Sets == 1) set_of = '0;
  endfunction

  formation_pkg::Update asks;
  logic [PcBits+CtaBits-1:0] key;
  always_comb begin
    for (int k = 0; k < 2; k++) begin
      asks = update_i[k*UpdateBits+:UpdateBits];
      key = {asks.pc, asks.cta};
      set_d[k*Slice+:Slice] = asks.req != '0 ? set_of(asks.pc, asks.cta) : '0;
      for (int e = 0; e < Entries; e++) begin
        match_d[k*Entries+e] = asks.req != '0 &&
            (writes1[e] ? key == {second.pc, second.cta} : writes0[e] ? key == {first.pc, first.cta}
             : key == {stored[e*EntryBits+DataBits+CtaBits+IdxBits+Lanes+:PcBits], stored[e*EntryBits+DataBits+:CtaBits]});
      end
      if (release_i.valid && release_i.cta == asks.cta) asks.waits = 1'b0;
      update_d[k*UpdateBits+:UpdateBits] = asks.req != '0 ? asks : '0;
    end
    same_d = update_d[0+:UpdateBits] != '0 && update_d[UpdateBits+:UpdateBits] != '0 &&
             update_d[UpdateBits-1-:PcBits] == update_d[2*UpdateBits-1-:PcBits] &&
             update_d[DataBits+1+:CtaBits] == update_d[UpdateBits+DataBits+1+:CtaBits];
  end

  // ---- second stage: where the threads go ----
  assign first = update_o[0+:UpdateBits];
  assign second = update_o[UpdateBits+:UpdateBits];
  logic looks0, looks1, hit0, hit1, follows, shares, way0, way1, found_way0, full0, full1, opens0, kills;
  logic [Entries-1:0] match0, match1, misses0, misses1;
  logic [1:0] ways0, ways1;  // in use
  logic recent0, recent1;
  formation_pkg::LutEntry entry, known0, known1, next0, next1;
  formation_pkg::Placement place0, place1;

  // R3, R4, R8, R9: of threads that find the warp `idx`, its lanes and data, or (blank) none: a Placement
  function automatic logic [formation_pkg::PlacementBits-1:0] placed(
      input logic [Lanes-1:0] lanes, input logic [DataBits-1:0] news, input logic hit, input logic [Lanes-1:0] occ,
      input logic [IdxBits-1:0] idx, input logic [DataBits-1:0] data);
    /* verilator lint_off UNUSEDSIGNAL */  // of what is rotated, the upper half is the result
    logic [2*Lanes-1:0] twice;
    logic [31:0] turn;
    /* verilator lint_on UNUSEDSIGNAL */
    logic [Lanes-1:0] req, merge;
    turn = 0;
    if (formation_pkg::LaneAware == 0) begin  // R8
      for (int l = 0; l < Lanes; l++) turn = turn + 32'(occ[l]);
      if (turn == Lanes) turn = 0;
    end
    twice = {lanes, lanes} << turn;
    req = twice[2*Lanes-1:Lanes];
    if (lanes == '0) turn = 0;
    merge = hit ? req & ~occ : '0;
    placed = {merge, idx, merge == '0 ? {Lanes{1'b0}} : occ | merge,                       // R9
              merge == '0 ? {DataBits{1'b0}} : news > data ? news : data, req & ~merge,
              {IdxBits{1'b0}}, turn[formation_pkg::TurnBits-1:0], hit, 1'b0};
  endfunction

  always_comb begin
    looks0 = first.req != '0 && !first.waits;  // R2
    looks1 = second.req != '0 && !second.waits;
    match0 = looks0 ? match_q[0+:Entries] & live : '0;
    match1 = looks1 ? match_q[Entries+:Entries] & live : '0;
    {known0, known1, ways0, ways1, recent0, recent1} = '0;
    for (int e = 0; e < Entries; e++) begin
      entry = stored[e*EntryBits+:EntryBits];
      if (match0[e]) known0 = known0 | entry;
      if (match1[e]) known1 = known1 | entry;
      if (set_q[0+:Slice] == Slice'(e / 2)) ways0[e%2] = live[e];
      if (set_q[Slice+:Slice] == Slice'(e / 2)) ways1[e%2] = live[e];
    end
    for (int s = 0; s < Sets; s++) begin
      if (set_q[0+:Slice] == Slice'(s)) recent0 = recent_q[s];
      if (set_q[Slice+:Slice] == Slice'(s)) recent1 = recent_q[s];
    end

    hit0 = match0 != '0;
    found_way0 = 1'b0;
    for (int e = 1; e < Entries; e += 2) found_way0 = found_way0 || match0[e];
    full0 = ways0 == 2'b11;
    way0 = full0 ? !recent0 : ways0[0];  // R5
    place0 = placed(first.req, first.data, hit0, known0.occ, known0.idx, known0.data);
    opens0 = place0.open != '0;
    place0.open_idx = opens0 ? offer_i.first : '0;  // R7
    place0.evict = looks0 && !hit0 && full0;
    next0 = {first.pc, opens0 ? place0.open : known0.occ | place0.merge, opens0 ? offer_i.first : known0.idx, first.cta,
             opens0 ? first.data : place0.data};  // R4, R3

    // The second sees what the first writes: the entry of its own PC, or that it has lost it.
    follows = looks0 && looks1 && same_q;
    shares = looks0 && set_q[0+:Slice] == set_q[Slice+:Slice];
    for (int e = 0; e < Entries; e++) misses0[e] = set_q[0+:Slice] == Slice'(e / 2) && way0 == (e % 2 == 1);
    kills = looks0 && !hit0 && (match1 & misses0) != '0;
    hit1 = follows || (match1 != '0 && !kills);
    if (kills) known1 = '0;
    if (follows) known1 = next0;
    place1 = placed(second.req, second.data, hit1, known1.occ, known1.idx, known1.data);
    full1 = shares ? (hit0 ? (found_way0 ? ways1[0] : ways1[1]) : (way0 ? ways1[0] : ways1[1])) : ways1 == 2'b11;
    way1 = shares ? !(hit0 ? found_way0 : way0) : ways1 == 2'b11 ? !recent1 : ways1[0];  // R5
    place1.open_idx = place1.open == '0 ? '0 : opens0 ? offer_i.second : offer_i.first;  // R7
    place1.evict = looks1 && !hit1 && full1;
    next1 = {second.pc, place1.open != '0 ? place1.open : known1.occ | place1.merge,
             place1.open != '0 ? place1.open_idx : known1.idx, second.cta,
             place1.open != '0 ? second.data : place1.data};
    for (int e = 0; e < Entries; e++) misses1[e] = set_q[Slice+:Slice] == Slice'(e / 2) && way1 == (e % 2 == 1);

    writes0 = !looks0 ? '0 : hit0 ? match0 : misses0;
    writes1 = !looks1 ? '0 : follows ? writes0 : hit1 ? match1 : misses1;
    place_o = {place1, place0};
    recent_d = recent_q;
    for (int s = 0; s < Sets; s++) begin
      if (writes0[2*s+:2] != '0) recent_d[s] = writes0[2*s+1];
      if (writes1[2*s+:2] != '0) recent_d[s] = writes1[2*s+1];
    end
  end

  for (genvar e = 0; e < Entries; e++) begin : g_entry
    logic [EntryBits-1:0] entry_q, entry_d;
    assign stored[e*EntryBits+:EntryBits] = entry_q;
    assign gone[e] = issue_i.valid && entry_q[DataBits+CtaBits+:IdxBits] == issue_i.idx;  // R6
    assign live[e] = entry_q[DataBits+CtaBits+IdxBits+:Lanes] != '0 && !gone[e];
    always_comb begin
      entry_d = gone[e] ? '0 : entry_q;
      if (writes0[e]) entry_d = next0;
      if (writes1[e]) entry_d = next1;
    end

    // Registers
    always_ff @(posedge clk_i) begin
      entry_q <= rst_ni ? entry_d : '0;
    end
  end
  always_ff @(posedge clk_i) begin
    recent_q <= rst_ni ? recent_d : '0;
    update_o <= rst_ni ? update_d : '0;
    match_q <= rst_ni ? match_d : '0;
    same_q <= rst_ni && same_d;
    idle_o <= !rst_ni || update_d == '0;
  end
  if (Sets > 1) begin : g_set
    always_ff @(posedge clk_i) begin
      set_q <= rst_ni ? set_d : '0;
    end
  end else begin : g_one_set
    assign set_q = '0;
  end
endmodule
