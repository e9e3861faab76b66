// One warp's question to the scoreboard: SystemVerilog twin of scoreboard_query.h. Combinational.
// entry_i: the entries of the warp, the first at the bottom: the left set, then, with Shadow, the right one.
module scoreboard_query (
  input  scoreboard_pkg::Head head_left_i,
  input  scoreboard_pkg::Head head_right_i,
  input  logic [scoreboard_pkg::PerWarp*scoreboard_pkg::EntryBits-1:0] entry_i,
  output scoreboard_pkg::Hazard hazard_o
);
  localparam int Operands = 5;
  logic [Operands*scoreboard_pkg::IdBits-1:0] ids_left, ids_right;
  logic [Operands-1:0] wides_left, wides_right;
  logic [scoreboard_pkg::PerWarp-1:0] left_set, right_set, pending, shadowed, named_left, named_right;

  // Whether one of the operands is, or overlaps, this register. R2: a pair is an aligned even register and the next
  // one; only general registers (top bit set) pair.
  function automatic logic names(
    input logic [Operands*scoreboard_pkg::IdBits-1:0] ids, input logic [Operands-1:0] wides,
    input logic [scoreboard_pkg::IdBits-1:0] id, input logic wide
  );
    /*verilator no_inline_task*/  // one function, not its text 768 times
    names = 1'b0;
    for (int k = 0; k < Operands; k++) begin
      if (ids[k*scoreboard_pkg::IdBits+:scoreboard_pkg::IdBits] != scoreboard_pkg::NoRegister &&
          ids[k*scoreboard_pkg::IdBits+1+:scoreboard_pkg::IdBits-1] == id[scoreboard_pkg::IdBits-1:1] &&
          (ids[k*scoreboard_pkg::IdBits] == id[0] || ((wides[k] || wide) && id[scoreboard_pkg::IdBits-1]))) begin
        names = 1'b1;
      end
    end
  endfunction

  for (genvar e = 0; e < scoreboard_pkg::PerWarp; e++) begin : g_entry
    logic [scoreboard_pkg::IdBits-1:0] id;
    logic wide;
    assign {shadowed[e], pending[e], id, wide} = entry_i[e*scoreboard_pkg::EntryBits+:scoreboard_pkg::EntryBits];
    assign left_set[e] = scoreboard_pkg::Shadow == 0 || e < scoreboard_pkg::Entries;
    assign right_set[e] = scoreboard_pkg::Shadow == 0 || e >= scoreboard_pkg::Entries;
    assign named_left[e] = names(ids_left, wides_left, id, wide);
    assign named_right[e] = names(ids_right, wides_right, id, wide);
  end

  always_comb begin
    ids_left = {head_left_i.a, head_left_i.b, head_left_i.c, head_left_i.guard, head_left_i.d};
    ids_right = {head_right_i.a, head_right_i.b, head_right_i.c, head_right_i.guard, head_right_i.d};
    wides_left = {head_left_i.a_wide, head_left_i.b_wide, head_left_i.c_wide, 1'b0, head_left_i.d_wide};
    wides_right = {head_right_i.a_wide, head_right_i.b_wide, head_right_i.c_wide, 1'b0, head_right_i.d_wide};
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
