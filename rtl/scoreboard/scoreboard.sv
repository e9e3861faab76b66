// Scoreboard: SystemVerilog twin of scoreboard.h, which states the contract and the timing; rules R1-R10 in README.md.
// Heads and hazards of all warps are one vector each, warp 0 at the bottom. Shadow = 0 is the baseline.
module scoreboard (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic [scoreboard_pkg::Warps*scoreboard_pkg::HeadBits-1:0] head_left_i,
  input  logic [scoreboard_pkg::Warps*scoreboard_pkg::HeadBits-1:0] head_right_i,
  input  control_flow_pkg::Grant grant_i,
  input  scoreboard_pkg::Release release_i,
  input  control_flow_pkg::Status status_i,
  output logic [scoreboard_pkg::Warps*scoreboard_pkg::HazardBits-1:0] hazard_o
);
  logic [scoreboard_pkg::Warps-1:0] may_issue, is_done;

  // Yosys 0.23 knows no structs in a generate block: d and d_wide are the lowest fields of a Head, and the hazards of
  // the left side the upper half of a Hazard. On the wires an entry has its shadow bit also in the baseline: zero.
  for (genvar w = 0; w < scoreboard_pkg::Warps; w++) begin : g_warp
    logic [scoreboard_pkg::HeadBits-1:0] left, right;
    logic [scoreboard_pkg::HazardBits-1:0] hazard;
    logic [scoreboard_pkg::PerWarp*scoreboard_pkg::EntryBits-1:0] set;
    logic [scoreboard_pkg::PerWarp-1:0] is_free, first_free, hit;
    logic [scoreboard_pkg::IdBits-1:0] d;
    logic d_wide, granted, may, allocates, releasing;

    assign left = head_left_i[w*scoreboard_pkg::HeadBits+:scoreboard_pkg::HeadBits];
    assign right = head_right_i[w*scoreboard_pkg::HeadBits+:scoreboard_pkg::HeadBits];
    assign hazard_o[w*scoreboard_pkg::HazardBits+:scoreboard_pkg::HazardBits] = hazard;
    assign may_issue[w] = granted && may;
    assign is_done[w] = releasing && hit != '0;

    scoreboard_query i_query (.head_left_i(left), .head_right_i(right), .entry_i(set), .hazard_o(hazard));

    always_comb begin
      releasing = release_i.valid && 32'(release_i.warp) == w;
      granted = grant_i.valid && 32'(grant_i.warp) == w;
      may = grant_i.right ? hazard[0+:3] == '0 : hazard[3+:3] == '0;
      d = grant_i.right ? right[1+:scoreboard_pkg::IdBits] : left[1+:scoreboard_pkg::IdBits];
      d_wide = grant_i.right ? right[0] : left[0];
      allocates = granted && may && d != scoreboard_pkg::NoRegister;
    end

    for (genvar k = 0; k < scoreboard_pkg::Sets; k++) begin : g_set
      logic [scoreboard_pkg::Entries-1:0] in_set;
      assign in_set = is_free[k*scoreboard_pkg::Entries+:scoreboard_pkg::Entries];
      assign first_free[k*scoreboard_pkg::Entries+:scoreboard_pkg::Entries] = in_set & (~in_set + 1'b1);
    end

    for (genvar e = 0; e < scoreboard_pkg::PerWarp; e++) begin : g_entry
      localparam logic OfRight = e >= scoreboard_pkg::Entries;
      logic [scoreboard_pkg::StoredBits-1:0] entry_q;
      logic [scoreboard_pkg::EntryBits-1:0] entry_d;
      logic [scoreboard_pkg::IdBits-1:0] id, next_id;
      logic s, p, wide, next_s, next_p, next_wide;

      assign {s, p, id, wide} = {{(1 - scoreboard_pkg::Shadow){1'b0}}, entry_q};
      assign set[e*scoreboard_pkg::EntryBits+:scoreboard_pkg::EntryBits] = {s, p, id, wide};
      assign is_free[e] = !s && !p;
      assign hit[e] = p && id == release_i.id && (scoreboard_pkg::Shadow == 0 || release_i.right == OfRight);

      always_comb begin
        {next_s, next_p, next_id, next_wide} = {s, p, id, wide};
        // R6: the write that is done frees its entry.
        if (releasing && hit[e] && !release_i.part) {next_s, next_p, next_id, next_wide} = '0;
        // R7: the first entry of the set that was free takes the destination of the head that issues.
        if (allocates && first_free[e] && (scoreboard_pkg::Shadow == 0 || grant_i.right == OfRight)) begin
          next_p = 1'b1;
          next_id = d;
          next_wide = d_wide;
        end
        // R8: where lanes changed side, every write pending after this edge is of interest to both sides.
        if (scoreboard_pkg::Shadow != 0 && status_i.moved[w]) next_s = next_p;
        // R10: a part of the write is done, and lanes of the other side wait for it no more.
        if (scoreboard_pkg::Shadow != 0 && releasing && hit[e] && release_i.part) next_s = 1'b0;
        entry_d = {next_s, next_p, next_id, next_wide};
      end

      // Registers
      always_ff @(posedge clk_i) begin
        entry_q <= rst_ni ? entry_d[scoreboard_pkg::StoredBits-1:0] : '0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) illegal: assert ((!grant_i.valid || may_issue != '0) && (!release_i.valid || is_done != '0));
  end
endmodule
