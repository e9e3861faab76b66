// SPDX-License-Identifier: Apache-2.0
// Rules R1-R7 of the line locks, under any offers, takings and unlocks at all, legal or not. The locks of every line
// are counted here from the ports alone. For Sets = 2 and Ways = 3, HashFrom = 1: a line is in set 1 if one of its bits 0 and 1
// is set and the other one is not (R8).
module line_locks_props (
  input logic clk_i,
  input logic rst_ni,
  input affine_pkg::AddressOffer offer_i,
  input logic taken_i,
  input lines_pkg::Unlock unlock_i,
  input logic [line_locks_pkg::IndexBits-1:0] set_i
);
  localparam int LineBits = line_locks_pkg::LineBits;
  localparam int LockBits = line_locks_pkg::LockBits;
  localparam int EntryBits = line_locks_pkg::EntryBits;
  localparam int TagBits = line_locks_pkg::TagBits;
  localparam int LockedBits = line_locks_pkg::LockedBits;
  localparam int Lines = 2 ** LineBits;

  logic grant;
  logic [2*LockedBits-1:0] told;
  line_locks_pkg::LockRefused refused;
  logic idle;
  line_locks i_dut (
    .clk_i, .rst_ni, .offer_i, .taken_i, .unlock_i, .set_i, .grant_o(grant), .locked_o(told), .refused_o(refused),
    .idle_o(idle)
  );
  (* hierconn *) logic [4*EntryBits-1:0] \i_dut.stored ;
  (* anyconst *) logic [LineBits-1:0] line;  // one arbitrary line
  logic started_q = 1'b0;
  function automatic logic set_of(input logic [LineBits-1:0] its_line);
    set_of = its_line[1] != its_line[0];
  endfunction

  // ---- the ports: how many locks each line has, and how many lines of each set have one ----
  logic [Lines*LockBits-1:0] held_q, held_d;
  logic [LineBits-1:0] wanted;
  logic [LockBits-1:0] of_wanted, of_released;
  logic [2:0] lines_of_wanted, lines_of_set0, lines_of_set1;
  logic wants, granted, locks, unlocks;
  always_comb begin
    wanted = offer_i.region[LineBits+1:2];  // a line is 4 regions of 2 bytes
    wants = offer_i.valid && offer_i.data;
    lines_of_set0 = '0;
    lines_of_set1 = '0;
    for (int l = 0; l < Lines; l++) begin
      if (set_of(LineBits'(l))) lines_of_set1 = lines_of_set1 + {2'b0, held_q[l*LockBits+:LockBits] != '0};
      else lines_of_set0 = lines_of_set0 + {2'b0, held_q[l*LockBits+:LockBits] != '0};
    end
    of_wanted = held_q[wanted*LockBits+:LockBits];
    of_released = held_q[unlock_i.line*LockBits+:LockBits];
    lines_of_wanted = set_of(wanted) ? lines_of_set1 : lines_of_set0;
    granted = wants && (of_wanted == '0 ? lines_of_wanted < 3'd2 : of_wanted != '1);
    locks = taken_i && granted;
    unlocks = unlock_i.valid && of_released != '0;
    held_d = held_q;
    if (locks) held_d[wanted*LockBits+:LockBits] = held_d[wanted*LockBits+:LockBits] + 1'b1;
    if (unlocks) held_d[unlock_i.line*LockBits+:LockBits] = held_d[unlock_i.line*LockBits+:LockBits] - 1'b1;
  end

  logic reset_q, wants_q, granted_q, full_q, locks_q, released_q, freed_set_q, quiet_q, asked_q;
  logic [4*EntryBits+1:0] view_q;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    reset_q <= !rst_ni;
    held_q <= rst_ni ? held_d : '0;
    wants_q <= rst_ni && wants;
    granted_q <= granted;
    full_q <= of_wanted == '1;
    locks_q <= rst_ni && locks;
    released_q <= rst_ni && unlocks && of_released == 1;
    freed_set_q <= set_of(unlock_i.line);
    asked_q <= offer_i.valid || taken_i || unlock_i.valid;
    quiet_q <= rst_ni && idle && !(offer_i.valid || taken_i || unlock_i.valid);
    view_q <= {\i_dut.stored , refused};
  end

  // ---- the entries: k of set s at 2s + k ----
  logic [3:0] is_line;  // the entry has a lock of `line`
  logic [LockBits-1:0] its_locks;
  logic apart, counted;
  logic [2:0] used_of_set0, used_of_set1;
  logic [LineBits-1:0] entry_line;
  always_comb begin
    is_line = '0;
    its_locks = '0;
    apart = 1'b1;
    counted = 1'b1;
    used_of_set0 = '0;
    used_of_set1 = '0;
    for (int e = 0; e < 4; e++) begin
      entry_line = {\i_dut.stored [e*EntryBits+LockBits+:TagBits], 1'b0};
      entry_line[0] = entry_line[1] != e[1];
      if (\i_dut.stored [e*EntryBits+:LockBits] != '0) begin
        if (e[1]) used_of_set1 = used_of_set1 + 1'b1;
        else used_of_set0 = used_of_set0 + 1'b1;
        if (entry_line == line) begin
          is_line[e] = 1'b1;
          its_locks = \i_dut.stored [e*EntryBits+:LockBits];
        end
        if (held_q[entry_line*LockBits+:LockBits] != \i_dut.stored [e*EntryBits+:LockBits]) counted = 1'b0;
      end
    end
    for (int s = 0; s < 2; s++) begin
      if (\i_dut.stored [2*s*EntryBits+:LockBits] != '0 && \i_dut.stored [(2*s+1)*EntryBits+:LockBits] != '0 &&
          \i_dut.stored [2*s*EntryBits+LockBits+:TagBits] == \i_dut.stored [(2*s+1)*EntryBits+LockBits+:TagBits])
        apart = 1'b0;
    end
  end

  // ---- what L1 is told ----
  line_locks_pkg::LockedLine told0, told1;
  always_comb begin
    told0 = told[0+:LockedBits];
    told1 = told[LockedBits+:LockedBits];
  end

  always_comb begin
    if (!started_q) assume (!rst_ni);
    if (started_q) begin
      exact_locks:      assert (its_locks == held_q[line*LockBits+:LockBits]);  // R1, R5, R7
      counted_at_all:   assert (counted);
      a_line_an_entry:  assert (used_of_set0 == lines_of_set0 && used_of_set1 == lines_of_set1);
      one_entry_a_line: assert ((is_line & (is_line - 1'b1)) == '0 && apart);
      not_all_ways:     assert (lines_of_set0 <= 3'd2 && lines_of_set1 <= 3'd2);  // R3
      grant_exact:      assert (grant == granted);  // R2, R4, R5
      if (set_i == set_of(line))  // R6
        told_exact: assert (((told0.valid && told0.line == line) != (told1.valid && told1.line == line)) ==
                            (held_q[line*LockBits+:LockBits] != '0));
      told_of_the_set: assert ((!told0.valid || set_of(told0.line) == set_i) && (!told1.valid || set_of(told1.line) == set_i));
      told_blank:      assert ((told0.valid || told0 == '0) && (told1.valid || told1 == '0));
      if (reset_q) empty_after_reset: assert (\i_dut.stored == '0 && refused == '0 && idle);
      if (!reset_q) refused_tells_why: assert (refused == {wants_q && !granted_q && !full_q, wants_q && !granted_q && full_q});
      if (quiet_q) idle_stays: assert ({\i_dut.stored , refused} == view_q && idle);
      idle_means:      assert (!idle || refused == '0);
      if (!asked_q) idle_comes: assert (idle);
      // Progress: a place that has come free can be taken.
      if (released_q && !locks_q) freed_is_room: assert ((freed_set_q ? lines_of_set1 : lines_of_set0) < 3'd2);

      set_full:          cover (rst_ni && wants && !grant && of_wanted == '0 && lines_of_set0 == 3'd2 && lines_of_set1 == 3'd2);
      counter_full:      cover (rst_ni && wants && !grant && of_wanted == '1 && unlocks && unlock_i.line == wanted);
      both_one_line:     cover (rst_ni && locks && unlocks && unlock_i.line == wanted && of_wanted == 1);
      both_of_a_set:     cover (rst_ni && locks && unlocks && unlock_i.line != wanted && set_of(unlock_i.line) == set_of(wanted));
      freed_then_taken:  cover (rst_ni && released_q && locks && of_wanted == '0 && lines_of_wanted == 3'd1);
      refused_unlock:    cover (rst_ni && unlock_i.valid && !unlocks && lines_of_wanted == 3'd2);
    end
  end
endmodule
