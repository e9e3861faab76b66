// SPDX-License-Identifier: Apache-2.0
// Which of these entries a head names: Rules::names in scoreboard_query.h, R2 and R3. Combinational.
module scoreboard_names #(
  parameter int Count = 1
) (
  input  scoreboard_pkg::Head head_i,
  input  logic [Count*scoreboard_pkg::EntryBits-1:0] entry_i,
  output logic [Count-1:0] names_o
);
  localparam int Operands = 5;
  logic [Operands*scoreboard_pkg::IdBits-1:0] ids;
  logic [Operands-1:0] wides;

  // Whether one of the operands is, or overlaps, this register. R2: a pair is an aligned even register and the next
  // one; only general registers (top bit set) pair.
  function automatic logic names(
    input logic [Operands*scoreboard_pkg::IdBits-1:0] operands, input logic [Operands-1:0] pairs,
    input logic [scoreboard_pkg::IdBits-1:0] id, input logic wide
  );
    /*verilator no_inline_task*/  // one function, not its text 768 times
    names = 1'b0;
    for (int k = 0; k < Operands; k++) begin
      if (operands[k*scoreboard_pkg::IdBits+:scoreboard_pkg::IdBits] != scoreboard_pkg::NoRegister &&
          operands[k*scoreboard_pkg::IdBits+1+:scoreboard_pkg::IdBits-1] == id[scoreboard_pkg::IdBits-1:1] &&
          (operands[k*scoreboard_pkg::IdBits] == id[0] || ((pairs[k] || wide) && id[scoreboard_pkg::IdBits-1]))) begin
        names = 1'b1;
      end
    end
  endfunction

  always_comb begin
    ids = {head_i.a, head_i.b, head_i.c, head_i.guard, head_i.d};
    wides = {head_i.a_wide, head_i.b_wide, head_i.c_wide, 1'b0, head_i.d_wide};
    for (int e = 0; e < Count; e++) begin
      names_o[e] = names(ids, wides, entry_i[e*scoreboard_pkg::EntryBits+1+:scoreboard_pkg::IdBits],
                         entry_i[e*scoreboard_pkg::EntryBits]);
    end
  end
endmodule
