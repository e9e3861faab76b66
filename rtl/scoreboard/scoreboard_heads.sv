// SPDX-License-Identifier: Apache-2.0
// The scoreboard's answers where heads are compared when they are decoded (AtDecode in scoreboard.h): R11, R12.
// Masks have a bit an entry of the warp; slot (w, side) stands at 2 w + side.
module scoreboard_heads (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic [scoreboard_pkg::Warps*scoreboard_pkg::HeadBits-1:0] head_left_i,
  input  logic [scoreboard_pkg::Warps*scoreboard_pkg::HeadBits-1:0] head_right_i,
  input  logic [scoreboard_pkg::Warps*scoreboard_pkg::PerWarp*scoreboard_pkg::EntryBits-1:0] sets_i,
  input  control_flow_pkg::Grant grant_i,
  input  control_flow_pkg::Grant decode_i,
  input  control_flow_pkg::Slots flush_i,
  // what the grant allocates, and for which register; P and S after this edge, but for that
  input  logic [scoreboard_pkg::Warps*scoreboard_pkg::PerWarp-1:0] takes_i,
  input  logic [scoreboard_pkg::IdBits-1:0] id_i,
  input  logic wide_i,
  input  logic [scoreboard_pkg::Warps*scoreboard_pkg::PerWarp-1:0] pending_after_i,
  input  logic [scoreboard_pkg::Warps*scoreboard_pkg::PerWarp-1:0] shadowed_after_i,
  output logic [scoreboard_pkg::Warps*scoreboard_pkg::HazardBits-1:0] hazard_o
);
  localparam int Warps = scoreboard_pkg::Warps;
  localparam int Shadow = scoreboard_pkg::Shadow;
  localparam int Entries = scoreboard_pkg::Entries;
  localparam int PerWarp = scoreboard_pkg::PerWarp;
  localparam int IdBits = scoreboard_pkg::IdBits;
  localparam int HeadBits = scoreboard_pkg::HeadBits;
  localparam int EntryBits = scoreboard_pkg::EntryBits;
  localparam int WarpSetBits = PerWarp * EntryBits;
  // The entries that track a side
  localparam logic [PerWarp-1:0] LeftSet = {PerWarp{1'b1}} >> (PerWarp - Entries);
  localparam logic [PerWarp-1:0] RightSet = {PerWarp{1'b1}} << (PerWarp - Entries);

  scoreboard_pkg::Turn turn_q, turn_d;

  // ---- the heads that are compared in this cycle, and the entries of their warps ----
  scoreboard_pkg::Head issued_head, sibling_head, decoded_head;
  logic [WarpSetBits-1:0] issued_set, decoded_set;
  logic [PerWarp-1:0] issued_names, decoded_names;
  logic sibling_names;
  always_comb begin : search
    {issued_head, sibling_head, decoded_head} = '0;
    {issued_set, decoded_set} = '0;
    for (int w = 0; w < Warps; w++) begin
      if (32'(turn_q.issued_warp) == w) begin
        issued_set = issued_set | sets_i[w*WarpSetBits+:WarpSetBits];
        issued_head = issued_head | (turn_q.issued_right ? head_right_i[w*HeadBits+:HeadBits]
                                                         : head_left_i[w*HeadBits+:HeadBits]);
        sibling_head = sibling_head | (turn_q.issued_right ? head_left_i[w*HeadBits+:HeadBits]
                                                           : head_right_i[w*HeadBits+:HeadBits]);
      end
      if (32'(turn_q.decoded_warp) == w) begin
        decoded_set = decoded_set | sets_i[w*WarpSetBits+:WarpSetBits];
        decoded_head = decoded_head | (turn_q.decoded_right ? head_right_i[w*HeadBits+:HeadBits]
                                                            : head_left_i[w*HeadBits+:HeadBits]);
      end
    end
  end

  scoreboard_names #(.Count(PerWarp)) i_issued (
    .head_i(issued_head), .entry_i(issued_set), .names_o(issued_names)
  );
  scoreboard_names #(.Count(PerWarp)) i_decoded (
    .head_i(decoded_head), .entry_i(decoded_set), .names_o(decoded_names)
  );
  scoreboard_names i_sibling (
    .head_i(sibling_head), .entry_i({2'b00, turn_q.id, turn_q.wide}), .names_o(sibling_names)
  );

  // ---- why they must wait ----
  // R3, R4, R5: {own, shadow, full} of a head that names these entries, on the side that has these of its own.
  function automatic logic [2:0] answer(input logic [PerWarp-1:0] named, input logic [PerWarp-1:0] pending,
                                        input logic [PerWarp-1:0] shadow, input logic [PerWarp-1:0] own_of,
                                        input logic writes);
    answer = {(named & pending & own_of) != '0, (named & shadow & ~own_of) != '0,
              writes && (own_of & ~pending & ~shadow) == '0};
  endfunction

  logic [PerWarp-1:0] issued_p, issued_s, decoded_p, decoded_s, added;
  logic [PerWarp-1:0] issued_own, sibling_own, decoded_own;
  logic issued_waits, issued_shadow, issued_full, decoded_waits, decoded_shadow, decoded_full;
  logic sibling_waits, sibling_shadow, sibling_full;
  always_comb begin : compare
    for (int e = 0; e < PerWarp; e++) begin
      issued_p[e] = issued_set[e*EntryBits+IdBits+1];
      issued_s[e] = issued_set[e*EntryBits+IdBits+2];
      decoded_p[e] = decoded_set[e*EntryBits+IdBits+1];
      decoded_s[e] = decoded_set[e*EntryBits+IdBits+2];
    end
    added = sibling_names ? turn_q.allocated : '0;
    issued_own = turn_q.issued_right ? RightSet : LeftSet;
    sibling_own = turn_q.issued_right ? LeftSet : RightSet;
    decoded_own = turn_q.decoded_right ? RightSet : LeftSet;
    {issued_waits, issued_shadow, issued_full} =
        answer(issued_names, issued_p, issued_s, issued_own, issued_head.d != scoreboard_pkg::NoRegister);
    {sibling_waits, sibling_shadow, sibling_full} =
        answer(added, issued_p, issued_s, sibling_own, sibling_head.d != scoreboard_pkg::NoRegister);
    {decoded_waits, decoded_shadow, decoded_full} =
        answer(decoded_names, decoded_p, decoded_s, decoded_own, decoded_head.d != scoreboard_pkg::NoRegister);
  end

  // ---- every slot: compared now, or before ----
  for (genvar n = 0; n < 2 * Warps; n++) begin : g_slot
    localparam int W = n / 2;
    localparam logic OfRight = n % 2 != 0;
    localparam logic [PerWarp-1:0] Own = OfRight ? RightSet : LeftSet;
    logic [PerWarp-1:0] named_q, names, p, s;
    logic known_q, own_q, full_q, shadow, own, full, writes;
    logic issued, beside, decoded, knows, flush;

    assign writes = OfRight ? head_right_i[W*HeadBits+1+:IdBits] != '0 : head_left_i[W*HeadBits+1+:IdBits] != '0;
    assign flush = OfRight ? flush_i.right[W] : flush_i.left[W];
    assign p = pending_after_i[W*PerWarp+:PerWarp];
    assign s = shadowed_after_i[W*PerWarp+:PerWarp];

    always_comb begin : keep
      issued = turn_q.issued && 32'(turn_q.issued_warp) == W && turn_q.issued_right == OfRight;
      beside = turn_q.issued && 32'(turn_q.issued_warp) == W && turn_q.issued_right != OfRight;
      decoded = turn_q.decoded && 32'(turn_q.decoded_warp) == W && turn_q.decoded_right == OfRight;
      // R11, R12: what the head names
      names = named_q;
      if (beside) names = (named_q & ~turn_q.allocated) | added;
      if (issued) names = issued_names;
      if (decoded) names = decoded_names;
      knows = (known_q || issued || decoded) && !flush;
    end

    // The left side is the upper half of a Hazard.
    assign hazard_o[W*scoreboard_pkg::HazardBits+(OfRight?0:3)+:3] = {own, shadow, full};

    always_comb begin
      {own, full} = {own_q, full_q};
      if (beside) {own, full} = {own_q || sibling_waits, sibling_full};
      if (issued) {own, full} = {issued_waits, issued_full};
      if (decoded) {own, full} = {decoded_waits, decoded_full};
    end

    // Registers: the answer after this edge
    always_ff @(posedge clk_i) begin : judge
      named_q <= names;  // not reset: nobody knows it
      known_q <= rst_ni && knows;
      own_q <= rst_ni && knows && (names & p & Own) != '0;
      full_q <= rst_ni && knows && writes && (Own & ~p & ~s) == '0;
    end
    if (Shadow != 0) begin : g_shadow
      logic shadow_q;
      always_comb begin
        shadow = shadow_q;
        if (beside) shadow = shadow_q || sibling_shadow;
        if (issued) shadow = issued_shadow;
        if (decoded) shadow = decoded_shadow;
      end
      always_ff @(posedge clk_i) shadow_q <= rst_ni && knows && (names & s & ~Own) != '0;
    end else begin : g_baseline
      assign shadow = 1'b0;
    end
  end

  // ---- what is compared in the next cycle ----
  always_comb begin : follow
    turn_d = '0;
    turn_d.issued = grant_i.valid && 32'(grant_i.warp) < Warps;
    if (turn_d.issued) begin
      turn_d.issued_warp = grant_i.warp;
      turn_d.issued_right = grant_i.right;
    end
    for (int w = 0; w < Warps; w++) turn_d.allocated = turn_d.allocated | takes_i[w*PerWarp+:PerWarp];
    if (turn_d.allocated != '0) {turn_d.id, turn_d.wide} = {id_i, wide_i};
    turn_d.decoded = decode_i.valid && 32'(decode_i.warp) < Warps;
    if (turn_d.decoded) begin
      turn_d.decoded_warp = decode_i.warp;
      turn_d.decoded_right = decode_i.right;
    end
  end

  // Registers
  always_ff @(posedge clk_i) turn_q <= rst_ni ? turn_d : '0;
endmodule
