// PC-warp LUT: SystemVerilog twin of pc_warp_lut.h, which states the contract and the timing; rules R1-R9 in README.md.
// Update and placement k are at the bottom plus k times their width. LaneAware = 0 is the naive variant.
module pc_warp_lut (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic [2*formation_pkg::UpdateBits-1:0] update_i,
  /* verilator lint_off UNUSEDSIGNAL */  // how many entries are free does not matter here
  input  formation_pkg::Offer offer_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  formation_pkg::Issue issue_i,
  output logic [2*formation_pkg::PlacementBits-1:0] place_o
);
  localparam int Lanes = formation_pkg::Lanes;
  localparam int PcBits = formation_pkg::PcBits;
  localparam int IdxBits = formation_pkg::IdxBits;
  localparam int CtaBits = formation_pkg::CtaBits;
  localparam int DataBits = formation_pkg::DataBits;
  localparam int UpdateBits = formation_pkg::UpdateBits;
  localparam int PlacementBits = formation_pkg::PlacementBits;
  localparam int EntryBits = formation_pkg::LutEntryBits;
  localparam int Sets = formation_pkg::Sets;
  localparam int Slice = Sets > 1 ? $clog2(Sets) : 1;

  // stored: all entries, way w of set s at 2s+w; gone: those whose warp is no longer to be merged into
  logic [2*Sets*EntryBits-1:0] stored;
  logic [2*Sets-1:0] gone;
  logic [Sets-1:0] recent_q, recent_d;

  // R1
  function automatic int set_of(input logic [PcBits-1:0] pc, input logic [CtaBits-1:0] cta);
    set_of = 32'(cta);
    for (int b = 0; b < PcBits; b++) set_of[b%Slice] = set_of[b%Slice] ^ pc[b];
    set_of = set_of & (Sets - 1);
  endfunction

  // What the two updates write at the end of the cycle
  logic first_writes, second_writes;
  int first_at, second_at;
  formation_pkg::LutEntry first, second;

  /* verilator lint_off UNUSEDSIGNAL */  // of what is rotated, the upper half is the result
  formation_pkg::Update update;
  logic [2*Lanes-1:0] twice;
  /* verilator lint_on UNUSEDSIGNAL */
  formation_pkg::Placement place;
  formation_pkg::LutEntry entry, next;
  logic hit, way, is_free, free_way, recent, opened;
  logic [Lanes-1:0] occ, req;
  logic [IdxBits-1:0] idx;
  logic [DataBits-1:0] data;
  int set, turn;

  always_comb begin
    {first_writes, second_writes, opened, first, second, place_o} = '0;
    {way, free_way, recent, occ, req, idx, data, twice, entry, next} = '0;
    first_at = 0;
    second_at = 0;
    for (int k = 0; k < 2; k++) begin
      update = update_i[k*UpdateBits+:UpdateBits];
      set = set_of(update.pc, update.cta);
      {hit, is_free, place} = '0;
      {way, free_way, occ, idx, data} = '0;
      for (int w = 0; w < 2; w++) begin
        entry = stored[(2*set+w)*EntryBits+:EntryBits];
        if (gone[2*set+w]) entry.occ = '0;  // R6
        if (first_writes && first_at == 2 * set + w) entry = first;
        if (entry.occ == '0) begin
          if (!is_free) free_way = w[0];
          is_free = 1'b1;
        end else if (entry.pc == update.pc && entry.cta == update.cta && !update.waits) begin
          hit = 1'b1;
          way = w[0];
          occ = entry.occ;
          idx = entry.idx;
          data = entry.data;
        end
      end

      turn = 0;
      if (formation_pkg::LaneAware == 0) begin  // R8
        for (int l = 0; l < Lanes; l++) turn = turn + 32'(occ[l]);
        if (turn == Lanes) turn = 0;
      end
      twice = {update.req, update.req} << turn;
      req = twice[2*Lanes-1:Lanes];

      if (update.req != '0) begin
        place.turn = turn[formation_pkg::TurnBits-1:0];
        place.hit = hit;
        place.merge = hit ? req & ~occ : '0;
        place.merge_idx = idx;
        place.open = req & ~place.merge;
        if (place.merge != '0) begin  // R9
          place.lanes = occ | place.merge;
          place.data = update.data > data ? update.data : data;
        end
        if (place.open != '0) begin  // R7
          place.open_idx = opened ? offer_i.second : offer_i.first;
          opened = 1'b1;
        end
        if (!update.waits) begin  // R2
          if (!hit) begin         // R5
            recent = recent_q[set];
            if (first_writes && first_at / 2 == set) recent = first_at[0];
            way = is_free ? free_way : !recent;
            place.evict = !is_free;
          end
          next.pc = update.pc;
          next.cta = update.cta;
          next.occ = place.open != '0 ? place.open : occ | req;  // R4, R3
          next.idx = place.open != '0 ? place.open_idx : idx;
          next.data = place.open != '0 ? update.data : place.data;
          if (k == 0) begin
            first_writes = 1'b1;
            first_at = 2 * set + 32'(way);
            first = next;
          end else begin
            second_writes = 1'b1;
            second_at = 2 * set + 32'(way);
            second = next;
          end
        end
      end
      place_o[k*PlacementBits+:PlacementBits] = place;
    end

    recent_d = recent_q;
    if (first_writes) recent_d[first_at/2] = first_at[0];
    if (second_writes) recent_d[second_at/2] = second_at[0];
  end

  for (genvar e = 0; e < 2 * Sets; e++) begin : g_entry
    logic [EntryBits-1:0] entry_q, entry_d;
    assign stored[e*EntryBits+:EntryBits] = entry_q;
    assign gone[e] = issue_i.valid && entry_q[DataBits+CtaBits+:IdxBits] == issue_i.idx;  // R6
    always_comb begin
      entry_d = gone[e] ? '0 : entry_q;
      if (first_writes && first_at == e) entry_d = first;
      if (second_writes && second_at == e) entry_d = second;
    end

    // Registers
    always_ff @(posedge clk_i) begin
      entry_q <= rst_ni ? entry_d : '0;
    end
  end
  always_ff @(posedge clk_i) begin
    recent_q <= rst_ni ? recent_d : '0;
  end
endmodule
