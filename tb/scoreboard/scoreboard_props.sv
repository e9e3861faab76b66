// SPDX-License-Identifier: Apache-2.0
// Rules R1-R12 of the scoreboard, proved for one arbitrary but fixed warp, side and register, under any heads, grants,
// releases, moves and resets at all, legal or not. The history of that register is kept here from the ports alone.
// Where heads are compared at decode, they change as those of the instruction buffers do (rtl/instruction_buffer, R2-R4,
// proved there): behind a grant or when words come, and to nothing by a flush. That alone is assumed.
module scoreboard_props (
  input logic clk_i,
  input logic rst_ni,
  input logic [scoreboard_pkg::Warps*scoreboard_pkg::HeadBits-1:0] head_left_i,
  input logic [scoreboard_pkg::Warps*scoreboard_pkg::HeadBits-1:0] head_right_i,
  input control_flow_pkg::Grant grant_i,
  input control_flow_pkg::Grant decode_i,
  input control_flow_pkg::Slots flush_i,
  input scoreboard_pkg::Release release_i,
  input control_flow_pkg::Status status_i
);
  localparam int Warps = scoreboard_pkg::Warps;
  localparam int Shadow = scoreboard_pkg::Shadow;
  localparam int AtDecode = scoreboard_pkg::AtDecode;
  localparam int Entries = scoreboard_pkg::Entries;
  localparam int PerWarp = scoreboard_pkg::PerWarp;
  localparam int EntryBits = scoreboard_pkg::EntryBits;
  localparam int HeadBits = scoreboard_pkg::HeadBits;
  localparam int IdBits = scoreboard_pkg::IdBits;

  (* anyconst *) logic [scoreboard_pkg::WarpBits-1:0] warp;
  (* anyconst *) logic on_right;
  (* anyconst *) logic [IdBits-1:0] name;
  logic started_q = 1'b0;

  logic [Warps*scoreboard_pkg::HazardBits-1:0] hazards;
  scoreboard i_dut (
    .clk_i, .rst_ni, .head_left_i, .head_right_i, .grant_i, .decode_i, .flush_i, .release_i, .status_i,
    .hazard_o(hazards)
  );
  // The small point has two warps.
  (* hierconn *) logic [PerWarp*EntryBits-1:0] \i_dut.g_warp[0].set ;
  (* hierconn *) logic [PerWarp*EntryBits-1:0] \i_dut.g_warp[1].set ;
  // Of heads that are compared at decode
  (* hierconn *) logic [PerWarp-1:0] \i_dut.g_decode.i_heads.g_slot[0].named_q ;
  (* hierconn *) logic [PerWarp-1:0] \i_dut.g_decode.i_heads.g_slot[1].named_q ;
  (* hierconn *) logic [PerWarp-1:0] \i_dut.g_decode.i_heads.g_slot[2].named_q ;
  (* hierconn *) logic [PerWarp-1:0] \i_dut.g_decode.i_heads.g_slot[3].named_q ;
  (* hierconn *) logic \i_dut.g_decode.i_heads.g_slot[0].known_q ;
  (* hierconn *) logic \i_dut.g_decode.i_heads.g_slot[1].known_q ;
  (* hierconn *) logic \i_dut.g_decode.i_heads.g_slot[2].known_q ;
  (* hierconn *) logic \i_dut.g_decode.i_heads.g_slot[3].known_q ;
  (* hierconn *) logic [scoreboard_pkg::TurnBits-1:0] \i_dut.g_decode.i_heads.turn_q ;

  // R2, said in another way: a pair is also called by its other half's name.
  function automatic logic meet(
    input logic [IdBits-1:0] id, input logic wide, input logic [IdBits-1:0] other, input logic other_wide
  );
    meet = id != '0 && other != '0 &&
           (id == other || (id[IdBits-1] && (wide || other_wide) && {id[IdBits-1:1], !id[0]} == other));
  endfunction

  // ---- the warp as it is ----
  logic [PerWarp*EntryBits-1:0] set;
  scoreboard_pkg::Hazard hazard, asked;
  scoreboard_pkg::Head left, right, head;
  scoreboard_pkg::Entry entry, other;
  logic mine, has, has_wide, has_shadow, told, implied, alone;
  logic own_left, own_right, shadow_left, shadow_right, room_left, room_right, left_meets, right_meets;

  always_comb begin
    set = warp == 1'b0 ? \i_dut.g_warp[0].set : \i_dut.g_warp[1].set ;
    hazard = hazards[warp*scoreboard_pkg::HazardBits+:scoreboard_pkg::HazardBits];
    left = head_left_i[warp*HeadBits+:HeadBits];
    right = head_right_i[warp*HeadBits+:HeadBits];
    {has, has_wide, has_shadow, own_left, own_right, shadow_left, shadow_right, room_left, room_right} = '0;
    told = 1'b1;
    implied = 1'b1;
    alone = 1'b1;
    for (int e = 0; e < PerWarp; e++) begin
      entry = set[e*EntryBits+:EntryBits];
      mine = Shadow == 0 || on_right == (e >= Entries);
      if (entry.p && entry.id == '0) told = 1'b0;
      if (entry.s && (!entry.p || Shadow == 0)) implied = 1'b0;
      if (mine && entry.p && entry.id == name) begin
        has = 1'b1;
        has_wide = entry.wide;
        has_shadow = entry.s;
      end
      for (int f = 0; f < e; f++) begin
        other = set[f*EntryBits+:EntryBits];
        if ((f >= Entries) == (e >= Entries) && entry.p && other.p && meet(entry.id, entry.wide, other.id, other.wide))
          alone = 1'b0;
      end
      left_meets = meet(left.a, left.a_wide, entry.id, entry.wide) || meet(left.b, left.b_wide, entry.id, entry.wide) ||
                   meet(left.c, left.c_wide, entry.id, entry.wide) || meet(left.guard, 1'b0, entry.id, entry.wide) ||
                   meet(left.d, left.d_wide, entry.id, entry.wide);
      right_meets = meet(right.a, right.a_wide, entry.id, entry.wide) || meet(right.b, right.b_wide, entry.id, entry.wide) ||
                    meet(right.c, right.c_wide, entry.id, entry.wide) || meet(right.guard, 1'b0, entry.id, entry.wide) ||
                    meet(right.d, right.d_wide, entry.id, entry.wide);
      if (entry.p && left_meets && (Shadow == 0 || e < Entries)) own_left = 1'b1;
      if (entry.p && right_meets && (Shadow == 0 || e >= Entries)) own_right = 1'b1;
      if (entry.s && left_meets && e >= Entries) shadow_left = 1'b1;
      if (entry.s && right_meets && e < Entries) shadow_right = 1'b1;
      if (!entry.p && (Shadow == 0 || e < Entries)) room_left = 1'b1;
      if (!entry.p && (Shadow == 0 || e >= Entries)) room_right = 1'b1;
      meets_left[e] = left_meets;
      meets_right[e] = right_meets;
      pending[e] = entry.p;
      is_turns[e] = entry.p && entry.id == turn.id && entry.wide == turn.wide &&
                    (Shadow == 0 || turn.issued_right == (e >= Entries));
    end
  end
  scoreboard_query i_query (.head_left_i(left), .head_right_i(right), .entry_i(set), .hazard_o(asked));

  // ---- heads that have been compared, of this warp ----
  scoreboard_pkg::Turn turn;
  logic [PerWarp-1:0] named_left, named_right, meets_left, meets_right, pending, is_turns, old_left, old_right;
  logic known_left, known_right, issued_left, issued_right, now_left, now_right;
  always_comb begin
    turn = \i_dut.g_decode.i_heads.turn_q ;
    named_left = warp == 1'b0 ? \i_dut.g_decode.i_heads.g_slot[0].named_q : \i_dut.g_decode.i_heads.g_slot[2].named_q ;
    named_right = warp == 1'b0 ? \i_dut.g_decode.i_heads.g_slot[1].named_q : \i_dut.g_decode.i_heads.g_slot[3].named_q ;
    known_left = warp == 1'b0 ? \i_dut.g_decode.i_heads.g_slot[0].known_q : \i_dut.g_decode.i_heads.g_slot[2].known_q ;
    known_right = warp == 1'b0 ? \i_dut.g_decode.i_heads.g_slot[1].known_q : \i_dut.g_decode.i_heads.g_slot[3].known_q ;
    issued_left = turn.issued && turn.issued_warp == warp && !turn.issued_right;
    issued_right = turn.issued && turn.issued_warp == warp && turn.issued_right;
    now_left = issued_left || (turn.decoded && turn.decoded_warp == warp && !turn.decoded_right);
    now_right = issued_right || (turn.decoded && turn.decoded_warp == warp && turn.decoded_right);
    old_left = issued_right ? pending & ~turn.allocated : pending;
    old_right = issued_left ? pending & ~turn.allocated : pending;
  end

  // ---- how heads change ----
  logic [Warps*HeadBits-1:0] head_left_q, head_right_q;
  logic [Warps-1:0] turned_left_q, turned_right_q, emptied_left_q, emptied_right_q;
  logic [Warps-1:0] words_left, words_right, issue_left, issue_right;
  logic held;
  always_comb begin
    held = 1'b1;
    for (int w = 0; w < Warps; w++) begin
      words_left[w] = decode_i.valid && 32'(decode_i.warp) == w && !decode_i.right;
      words_right[w] = decode_i.valid && 32'(decode_i.warp) == w && decode_i.right;
      issue_left[w] = grant_i.valid && 32'(grant_i.warp) == w && !grant_i.right;
      issue_right[w] = grant_i.valid && 32'(grant_i.warp) == w && grant_i.right;
      if (!turned_left_q[w] && head_left_i[w*HeadBits+:HeadBits] != head_left_q[w*HeadBits+:HeadBits]) held = 1'b0;
      if (!turned_right_q[w] && head_right_i[w*HeadBits+:HeadBits] != head_right_q[w*HeadBits+:HeadBits]) held = 1'b0;
      if (emptied_left_q[w] && head_left_i[w*HeadBits+:HeadBits] != '0) held = 1'b0;
      if (emptied_right_q[w] && head_right_i[w*HeadBits+:HeadBits] != '0) held = 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    head_left_q <= head_left_i;
    head_right_q <= head_right_i;
    emptied_left_q <= rst_ni ? flush_i.left & ~words_left : '1;
    emptied_right_q <= rst_ni ? flush_i.right & ~words_right : '1;
    turned_left_q <= rst_ni ? words_left | issue_left | flush_i.left : '1;
    turned_right_q <= rst_ni ? words_right | issue_right | flush_i.right : '1;
  end

  // ---- the register's history: a write of it is under way on this side; lanes changed side since ----
  logic pending_q, wide_q, shadow_q, pending_d, wide_d, shadow_d, issues, ends, part, moves;
  always_comb begin
    head = grant_i.right ? right : left;
    issues = grant_i.valid && grant_i.warp == warp && (Shadow == 0 || grant_i.right == on_right) && head.d == name &&
             (grant_i.right ? {hazard.own_right, hazard.shadow_right, hazard.full_right} == '0
                            : {hazard.own_left, hazard.shadow_left, hazard.full_left} == '0);
    ends = release_i.valid && release_i.warp == warp && (Shadow == 0 || release_i.right == on_right) &&
           release_i.id == name;
    part = ends && release_i.part && pending_q;
    moves = Shadow != 0 && status_i.lanes_moved[warp];
    {pending_d, wide_d, shadow_d} = {pending_q, wide_q, shadow_q};
    if (ends && !release_i.part) {pending_d, wide_d, shadow_d} = '0;  // R6
    if (issues) {pending_d, wide_d, shadow_d} = {1'b1, head.d_wide, 1'b0};  // R7
    if (moves) shadow_d = pending_d;  // R8
    if (part) shadow_d = 1'b0;  // R10
  end

  logic [7:0] used, used_q;
  logic issues_any, ends_any_q, issues_any_q, reset_q, asked_q;
  logic [PerWarp*EntryBits-1:0] was_set_q;
  scoreboard_pkg::Hazard was_hazard_q;
  scoreboard_pkg::Head was_left_q, was_right_q;
  always_comb begin
    used = '0;
    for (int e = 0; e < PerWarp; e++) used = used + 8'(set[e*EntryBits+EntryBits-2]);
    issues_any = grant_i.valid && grant_i.warp == warp && head.d != '0 &&
                 (grant_i.right ? {hazard.own_right, hazard.shadow_right, hazard.full_right} == '0
                                : {hazard.own_left, hazard.shadow_left, hazard.full_left} == '0);
  end

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    reset_q <= !rst_ni;
    used_q <= used;
    asked_q <= grant_i.valid || release_i.valid || status_i.lanes_moved != '0;
    was_set_q <= set;
    was_hazard_q <= hazard;
    {was_left_q, was_right_q} <= {left, right};
    issues_any_q <= issues_any;
    ends_any_q <= release_i.valid && release_i.warp == warp && !release_i.part;
    {pending_q, wide_q, shadow_q} <= rst_ni ? {pending_d, wide_d, shadow_d} : '0;
  end

  always_comb begin
    if (!started_q) assume (!rst_ni);
    assume (32'(warp) < scoreboard_pkg::Warps && name != '0);
    if (AtDecode != 0 && started_q) assume (held);
    if (started_q) begin
      pending_is_of_one:      assert (told);  // R1
      shadow_implies_pending: assert (implied);
      no_two_of_one_register: assert (alone);
      // What is stored is the history, for any register: nothing is lost, invented or left behind.
      pending_is_history:     assert (has == pending_q);  // R6, R7, R9
      if (pending_q) size_is_history:   assert (has_wide == wide_q);
      if (pending_q) shadow_is_history: assert (has_shadow == (Shadow != 0 && shadow_q));  // R8
      // The answer follows from what is stored.
      own_left_exact:     assert (hazard.own_left == own_left);  // R3
      own_right_exact:    assert (hazard.own_right == own_right);
      shadow_left_exact:  assert (hazard.shadow_left == shadow_left);  // R4
      shadow_right_exact: assert (hazard.shadow_right == shadow_right);
      full_left_exact:    assert (hazard.full_left == (left.d != '0 && !room_left));  // R5
      full_right_exact:   assert (hazard.full_right == (right.d != '0 && !room_right));
      equals_the_query:   assert (hazard == asked);
      if (AtDecode != 0) begin  // R11, R12
        if (!now_left && known_left)   left_is_kept:  assert (((named_left ^ meets_left) & old_left) == '0);
        if (!now_right && known_right) right_is_kept: assert (((named_right ^ meets_right) & old_right) == '0);
        if (!now_left && !known_left)   left_is_none:  assert (left == '0);
        if (!now_right && !known_right) right_is_none: assert (right == '0);
        if (turn.issued && turn.issued_warp == warp) allocated_is_there: assert ((turn.allocated & ~is_turns) == '0);
        one_is_allocated: assert ((turn.allocated & (turn.allocated - 1'b1)) == '0 &&
                                  (turn.issued || turn.allocated == '0));
      end
      // And from the history: who reads or writes a register with a write under way on its side waits.
      if (pending_q && meet(left.a, left.a_wide, name, wide_q) && !on_right) left_waits: assert (hazard.own_left);
      if (pending_q && shadow_q && meet(right.d, right.d_wide, name, wide_q) && !on_right)
        right_waits: assert (Shadow == 0 ? hazard.own_right : hazard.shadow_right);
      if (!reset_q) used_counts: assert (used + 8'(ends_any_q) >= used_q + 8'(issues_any_q) &&
                                         used <= used_q + 8'(issues_any_q));
      if (!reset_q && !asked_q) idle_stays: assert (set == was_set_q &&
                                                     (hazard == was_hazard_q || left != was_left_q || right != was_right_q));
      if (rst_ni) begin
        full_and_freed:  cover (pending_q && ends && hazard.full_left);
        all_in_one_edge: cover (ends && pending_q && issues_any && (Shadow == 0 || moves));
        part_as_lanes_moved:   cover (part && (Shadow == 0 || moves) && issues_any && shadow_q == (Shadow != 0));
        other_waits:     cover (pending_q && !on_right && (Shadow == 0 ? hazard.own_right : hazard.shadow_right) &&
                                right.a == name && right.d == '0);
        stays_and_waits: cover ((Shadow == 0 ? hazard.own_left : hazard.shadow_left) && left.a == name && left == was_left_q && was_hazard_q == '0 &&
                                !turned_left_q[warp] && issues_any_q);
        flushed_waiting: cover (was_hazard_q.own_left && left == '0 && emptied_left_q[warp] && pending_q && used != '0);
        pair_waits:      cover (pending_q && wide_q && hazard.own_left && left.b == {name[IdBits-1:1], !name[0]});
      end
    end
  end
endmodule
