// One warp's question to the scoreboard: SystemVerilog twin of scoreboard_query.h. Combinational.
// entry_i: the entries of the warp, the first at the bottom: the left set, then, with Shadow, the right one.
module scoreboard_query (
  input  scoreboard_pkg::Head head_left_i,
  input  scoreboard_pkg::Head head_right_i,
  input  logic [scoreboard_pkg::PerWarp*scoreboard_pkg::EntryBits-1:0] entry_i,
  output scoreboard_pkg::Hazard hazard_o
);
  /*verilator no_inline_module*/  // its code once, not once a warp
  scoreboard_pkg::Head head;
  scoreboard_pkg::Entry entry;
  logic named, mine, own, shadow, full;

  // R2: a pair is an aligned even register and the next one; only general registers (top bit set) pair.
  function automatic logic overlap(
    input logic [scoreboard_pkg::IdBits-1:0] id, input logic wide,
    input logic [scoreboard_pkg::IdBits-1:0] other, input logic other_wide
  );
    overlap = id != scoreboard_pkg::NoRegister &&
              (id == other || ((wide || other_wide) && id[scoreboard_pkg::IdBits-1] &&
                               id[scoreboard_pkg::IdBits-1:1] == other[scoreboard_pkg::IdBits-1:1]));
  endfunction

  always_comb begin
    hazard_o = '0;
    entry = '0;
    named = 1'b0;
    mine = 1'b0;
    for (int side = 0; side < 2; side++) begin
      head = side == 0 ? head_left_i : head_right_i;
      own = 1'b0;
      shadow = 1'b0;
      full = head.d != scoreboard_pkg::NoRegister;  // R5
      for (int e = 0; e < scoreboard_pkg::PerWarp; e++) begin
        entry = entry_i[e*scoreboard_pkg::EntryBits+:scoreboard_pkg::EntryBits];
        mine = scoreboard_pkg::Shadow == 0 || (side == 1) == (e >= scoreboard_pkg::Entries);
        named = overlap(head.a, head.a_wide, entry.id, entry.wide) ||
                overlap(head.b, head.b_wide, entry.id, entry.wide) ||
                overlap(head.c, head.c_wide, entry.id, entry.wide) ||
                overlap(head.guard, 1'b0, entry.id, entry.wide) ||
                overlap(head.d, head.d_wide, entry.id, entry.wide);
        if (entry.p && mine && named) own = 1'b1;  // R3
        if (entry.s && !mine && named) shadow = 1'b1;  // R4
        if (!entry.p && !entry.s && mine) full = 1'b0;
      end
      if (side == 0) begin
        hazard_o.own_left = own;
        hazard_o.shadow_left = shadow;
        hazard_o.full_left = full;
      end else begin
        hazard_o.own_right = own;
        hazard_o.shadow_right = shadow;
        hazard_o.full_right = full;
      end
    end
  end
endmodule
