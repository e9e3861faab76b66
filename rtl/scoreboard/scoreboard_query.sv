// SPDX-License-Identifier: Apache-2.0
// One warp's question to the scoreboard: SystemVerilog twin of scoreboard_query.h. Combinational.
// entry_i: the entries of the warp, the first at the bottom: the left set, then, with Shadow, the right one.
module scoreboard_query (
  input  scoreboard_pkg::Head head_left_i,
  input  scoreboard_pkg::Head head_right_i,
  input  logic [scoreboard_pkg::PerWarp*scoreboard_pkg::EntryBits-1:0] entry_i,
  output scoreboard_pkg::Hazard hazard_o
);
  logic [scoreboard_pkg::PerWarp-1:0] left_set, right_set, pending, shadowed, named_left, named_right;

  scoreboard_names #(.Count(scoreboard_pkg::PerWarp)) i_left (
    .head_i(head_left_i), .entry_i, .names_o(named_left)
  );
  scoreboard_names #(.Count(scoreboard_pkg::PerWarp)) i_right (
    .head_i(head_right_i), .entry_i, .names_o(named_right)
  );

  for (genvar e = 0; e < scoreboard_pkg::PerWarp; e++) begin : g_entry
    assign shadowed[e] = entry_i[e*scoreboard_pkg::EntryBits+scoreboard_pkg::IdBits+2];
    assign pending[e] = entry_i[e*scoreboard_pkg::EntryBits+scoreboard_pkg::IdBits+1];
    assign left_set[e] = scoreboard_pkg::Shadow == 0 || e < scoreboard_pkg::Entries;
    assign right_set[e] = scoreboard_pkg::Shadow == 0 || e >= scoreboard_pkg::Entries;
  end

  always_comb begin
    // R3
    hazard_o.own_left = (pending & named_left & left_set) != '0;
    hazard_o.own_right = (pending & named_right & right_set) != '0;
    // R4
    hazard_o.shadow_left = (shadowed & named_left & ~left_set) != '0;
    hazard_o.shadow_right = (shadowed & named_right & ~right_set) != '0;
    // R5
    hazard_o.full_left = head_left_i.d != scoreboard_pkg::NoRegister && (left_set & ~pending & ~shadowed) == '0;
    hazard_o.full_right = head_right_i.d != scoreboard_pkg::NoRegister && (right_set & ~pending & ~shadowed) == '0;
  end
endmodule
