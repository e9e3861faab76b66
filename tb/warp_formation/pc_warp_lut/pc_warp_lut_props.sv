// SPDX-License-Identifier: Apache-2.0
// Rules R1-R9 of the PC-warp LUT, and what the pool relies on, under any updates, releases and issues. Assumed: offered
// entries are free and two, and in the naive variant threads come in the lowest positions. The history of one arbitrary
// warp and of one arbitrary set is kept here from the ports alone. What is placed is said of the second stage's updates,
// against all that the entries hold then: so nothing may be lost between the stages.
module pc_warp_lut_props (
  input logic clk_i,
  input logic rst_ni,
  input logic [2*formation_pkg::UpdateBits-1:0] update_i,
  input formation_pkg::Release release_i,
  input formation_pkg::Offer offer_i,
  input formation_pkg::Issue issue_i
);
  localparam int Threads = formation_pkg::Threads;
  localparam int Lanes = formation_pkg::Lanes;
  localparam int Sets = formation_pkg::Sets;
  localparam int LaneAware = formation_pkg::LaneAware;
  localparam int UpdateBits = formation_pkg::UpdateBits;
  localparam int PlacementBits = formation_pkg::PlacementBits;
  localparam int EntryBits = formation_pkg::LutEntryBits;
  localparam int PcBits = formation_pkg::PcBits;
  localparam int CtaBits = formation_pkg::CtaBits;
  localparam int DataBits = formation_pkg::DataBits;

  logic [2*UpdateBits-1:0] updates;
  logic [2*PlacementBits-1:0] places;
  logic idle;
  pc_warp_lut i_dut (
    .clk_i, .rst_ni, .update_i, .release_i, .offer_i, .issue_i, .update_o(updates), .place_o(places), .idle_o(idle)
  );
  (* hierconn *) logic [2*Sets*EntryBits-1:0] \i_dut.stored ;
  (* hierconn *) logic [4*Sets-1:0] \i_dut.match_q ;
  (* hierconn *) logic [1:0] \i_dut.set_q ;
  (* hierconn *) logic \i_dut.same_q ;
  (* hierconn *) logic [Sets-1:0] \i_dut.recent_q ;

  (* anyconst *) logic [formation_pkg::IdxBits-1:0] idx;  // one arbitrary pool entry
  (* anyconst *) logic [0:0] set;                          // one arbitrary set; the small point has two
  logic started_q = 1'b0;
  logic [formation_pkg::CountBits-1:0] free;  // entries of the pool
  logic [1:0] coming;
  logic quiet_q;  // nothing was asked for in the last cycle, and then the entries were:
  localparam int StateBits = 2 * Sets * EntryBits + Sets + 4 * Sets + 3 + 2 * UpdateBits;
  logic [StateBits-1:0] state, state_q;
  assign state = {\i_dut.stored , \i_dut.recent_q , \i_dut.match_q , \i_dut.set_q , \i_dut.same_q , updates};

  // ---- the first stage: what comes, and what must come out of it ----
  formation_pkg::Update ask, ask_other;
  logic [2*UpdateBits-1:0] came_d, came_q;
  always_comb begin
    ask = update_i[0+:UpdateBits];
    ask_other = update_i[UpdateBits+:UpdateBits];
    if (release_i.valid && ask.cta == release_i.cta) ask.waits = 1'b0;
    if (release_i.valid && ask_other.cta == release_i.cta) ask_other.waits = 1'b0;
    if (ask.req == '0) ask = '0;
    if (ask_other.req == '0) ask_other = '0;
    came_d = {ask_other, ask};
  end

  // ---- the ports ----
  formation_pkg::Update one, two;
  formation_pkg::Placement first, second;
  logic opens_one, opens_two, looks_one, looks_two, same;
  logic [2*Lanes-1:0] turned_one, turned_two;

  // R1, for two sets: the parity of the PC, and the CTA.
  function automatic logic parity(input logic [PcBits-1:0] pc, input logic [CtaBits-1:0] cta);
    parity = ^{pc, cta[0]};
  endfunction

  // ---- the pool, as the ports tell it: which entries hold a warp, and what is in `idx` ----
  logic [Threads-1:0] used_q, used_now, used_d;
  logic [PcBits-1:0] pc_q, pc_d;
  logic [CtaBits-1:0] cta_q, cta_d;
  logic [Lanes-1:0] lanes_q, lanes_now, lanes_one, lanes_d;
  logic [DataBits-1:0] data_q, data_one, data_d;
  logic waits_q, waits_d, issued;
  always_comb begin
    one = came_q[0+:UpdateBits];
    two = came_q[UpdateBits+:UpdateBits];
    first = places[0+:PlacementBits];
    second = places[PlacementBits+:PlacementBits];
    opens_one = first.open != '0;
    opens_two = second.open != '0;
    looks_one = one.req != '0 && !one.waits;
    looks_two = two.req != '0 && !two.waits;
    same = one.pc == two.pc && one.cta == two.cta;
    turned_one = {one.req, one.req} << first.turn;
    turned_two = {two.req, two.req} << second.turn;

    free = '0;
    for (int i = 0; i < Threads; i++) free = free + formation_pkg::CountBits'(!used_q[i]);
    coming = 2'(one.req != '0) + 2'(two.req != '0);
    used_now = used_q;
    if (issue_i.valid) used_now[issue_i.idx] = 1'b0;
    issued = issue_i.valid && issue_i.idx == idx;
    lanes_now = issued ? '0 : lanes_q;
    used_d = used_now;
    {pc_d, cta_d, waits_d} = {pc_q, cta_q, waits_q};
    lanes_one = lanes_now;
    data_one = data_q;
    if (first.merge != '0 && first.merge_idx == idx) begin
      lanes_one = lanes_one | first.merge;
      if (one.data > data_one) data_one = one.data;
    end
    if (opens_one) used_d[first.open_idx] = 1'b1;
    if (opens_one && first.open_idx == idx)
      {lanes_one, data_one, pc_d, cta_d, waits_d} = {first.open, one.data, one.pc, one.cta, one.waits};
    lanes_d = lanes_one;
    data_d = data_one;
    if (second.merge != '0 && second.merge_idx == idx) begin
      lanes_d = lanes_d | second.merge;
      if (two.data > data_d) data_d = two.data;
    end
    if (opens_two) used_d[second.open_idx] = 1'b1;
    if (opens_two && second.open_idx == idx)
      {lanes_d, data_d, pc_d, cta_d, waits_d} = {second.open, two.data, two.pc, two.cta, two.waits};
  end

  // ---- the set `set`: the key used last, and whether its warp can still be there ----
  logic [PcBits-1:0] last_pc_q;
  logic [CtaBits-1:0] last_cta_q;
  logic [formation_pkg::IdxBits-1:0] last_idx_q;
  logic last_q, reset_q, moved_q, both_q, formed_q;
  logic [PcBits-1:0] formed_pc_q;
  logic [CtaBits-1:0] formed_cta_q;
  logic [formation_pkg::IdxBits-1:0] formed_idx_q;
  logic [PcBits+CtaBits+formation_pkg::IdxBits-1:0] one_q;  // key and warp of the first update of the last cycle
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    reset_q <= !rst_ni;
    used_q <= rst_ni ? used_d : '0;
    lanes_q <= rst_ni ? lanes_d : '0;
    {pc_q, cta_q, waits_q, data_q} <= {pc_d, cta_d, waits_d, data_d};
    if (!rst_ni || (issue_i.valid && issue_i.idx == last_idx_q)) last_q <= 1'b0;
    if (looks_one && parity(one.pc, one.cta) == set) begin
      {last_pc_q, last_cta_q} <= {one.pc, one.cta};
      last_idx_q <= opens_one ? first.open_idx : first.merge_idx;
      last_q <= rst_ni;
    end
    if (looks_two && parity(two.pc, two.cta) == set) begin
      {last_pc_q, last_cta_q} <= {two.pc, two.cta};
      last_idx_q <= opens_two ? second.open_idx : second.merge_idx;
      last_q <= rst_ni;
    end
    came_q <= rst_ni ? came_d : '0;
    quiet_q <= rst_ni && idle && came_d == '0 && !issue_i.valid;
    state_q <= state;
    // The warp that the first update of the last cycle filled or opened, unless the second one moved its entry
    formed_q <= rst_ni && looks_one && !(looks_two && same);
    formed_idx_q <= opens_one ? first.open_idx : first.merge_idx;
    {formed_pc_q, formed_cta_q} <= {one.pc, one.cta};
    moved_q <= rst_ni && second.hit && opens_two;
    both_q <= rst_ni && looks_one && looks_two && !same;
    one_q <= {one.pc, one.cta, opens_one ? first.open_idx : first.merge_idx};
  end

  // ---- the entries ----
  formation_pkg::LutEntry entry, other;
  logic keeps_one, blank, alone, in_set, of_pool, tells, keeps_last, runs, there_one, there_two, searched;
  logic [1:0] used_ways;
  always_comb begin
    {blank, alone, in_set, of_pool, tells, runs, searched} = '1;
    {keeps_last, keeps_one, there_one, there_two} = '0;
    used_ways = '0;
    other = '0;
    for (int e = 0; e < 2 * Sets; e++) begin
      entry = \i_dut.stored [e*EntryBits+:EntryBits];
      if (entry.occ == '0) begin
        if (entry != '0) blank = 1'b0;
      end else begin
        if (parity(entry.pc, entry.cta) != e[1]) in_set = 1'b0;
        if (one.req != '0 && \i_dut.match_q [e] != ({entry.pc, entry.cta} == {one.pc, one.cta})) searched = 1'b0;
        if (two.req != '0 && \i_dut.match_q [2*Sets+e] != ({entry.pc, entry.cta} == {two.pc, two.cta})) searched = 1'b0;
        if (!used_q[entry.idx]) of_pool = 1'b0;
        if (entry.idx == idx &&
            {entry.pc, entry.cta, entry.occ, entry.data, 1'b0} != {pc_q, cta_q, lanes_q, data_q, waits_q}) tells = 1'b0;
        if (LaneAware == 0 && (entry.occ & (entry.occ + 1'b1)) != '0) runs = 1'b0;
        if (e[1] == set && entry.pc == last_pc_q && entry.cta == last_cta_q && entry.idx == last_idx_q &&
            e[0] == \i_dut.recent_q [set]) keeps_last = 1'b1;
        if ({entry.pc, entry.cta, entry.idx} == one_q) keeps_one = 1'b1;
        if (!(issue_i.valid && entry.idx == issue_i.idx)) begin
          if (entry.pc == one.pc && entry.cta == one.cta) there_one = 1'b1;
          if (entry.pc == two.pc && entry.cta == two.cta) there_two = 1'b1;
          if (parity(one.pc, one.cta) == e[1]) used_ways = used_ways + 2'd1;
        end
        for (int f = 0; f < e; f++) begin
          other = \i_dut.stored [f*EntryBits+:EntryBits];
          if (other.occ != '0 && (other.idx == entry.idx || {other.pc, other.cta} == {entry.pc, entry.cta})) alone = 1'b0;
        end
      end
    end
  end

  always_comb begin
    if (!started_q) assume (!rst_ni);  // a reset comes first
    // Of inputs, against the pool above, which is told by the ports alone:
    // - each thread is in one place and the pool has an entry a thread, so there is one free for each update
    //   (warp_formation: nothing_lost, no_entry_leaked; cover none_left: down to the last one);
    assume (32'(coming) <= 32'(free));
    // - as many as are free are offered, two at most, and are two (warp_allocator: offered_is_free, two_are_offered);
    assume (free == '0 || !used_q[offer_i.first]);
    assume (32'(free) < 2 || (!used_q[offer_i.second] && offer_i.first != offer_i.second));
    // - naive threads come from the bottom (warp_update_register: lowest_places).
    if (LaneAware == 0) assume ((one.req & (one.req + 1'b1)) == '0 && (two.req & (two.req + 1'b1)) == '0);
    if (started_q) begin
      // what the entries are
      blank_without_lanes:  assert (blank);
      one_entry_a_warp:     assert (alone);
      in_the_set_of_its_pc: assert (in_set);  // R1
      never_an_issued_warp: assert (of_pool);  // R6: a LUT entry never points to a warp that has issued
      occupancy_is_lanes:   assert (tells);  // OCC equals the lanes filled; PC and CTA are the warp's; it does not wait
      lanes_when_used:      assert (used_q[idx] == (lanes_q != '0));
      if (last_q) last_is_kept: assert (keeps_last);  // R5: never the warp used last is evicted
      if (both_q) second_evicts_not_first: assert (keeps_one);
      if (LaneAware == 0) filled_from_below: assert (runs);  // R8
      if (quiet_q) idle_stays: assert (state == state_q && idle);
      idle_without_updates: assert (idle == (updates == '0));
      if (reset_q) empty_after_reset: assert (\i_dut.stored == '0);
      // what stands between the stages: what came, and of it what a look at the entries of this cycle would find
      comes_out:       assert (updates == came_q);
      search_is_a_look: assert (searched);
      if (one.req == '0) first_finds_none:  assert (\i_dut.match_q [0+:2*Sets] == '0 && !\i_dut.set_q [0]);
      if (two.req == '0) second_finds_none: assert (\i_dut.match_q [2*Sets+:2*Sets] == '0 && !\i_dut.set_q [1]);
      if (one.req != '0) first_in_its_set:  assert (\i_dut.set_q [0] == parity(one.pc, one.cta));
      if (two.req != '0) second_in_its_set: assert (\i_dut.set_q [1] == parity(two.pc, two.cta));
      same_is_one_key: assert (\i_dut.same_q == (one.req != '0 && two.req != '0 && same));
      // Equal PCs in consecutive cycles meet: the first update joins what that of the last cycle formed.
      if (formed_q && looks_one && {one.pc, one.cta} == {formed_pc_q, formed_cta_q} &&
          !(issue_i.valid && issue_i.idx == formed_idx_q))
        meets_the_last_cycle: assert (first.hit && first.merge_idx == formed_idx_q);
      // where threads go
      first_goes_once:  assert ((first.merge & first.open) == '0 && (first.merge | first.open) == turned_one[2*Lanes-1:Lanes]);
      second_goes_once: assert ((second.merge & second.open) == '0 && (second.merge | second.open) == turned_two[2*Lanes-1:Lanes]);
      if (LaneAware != 0) no_turn: assert (first.turn == '0 && second.turn == '0);
      hit_when_there: assert (first.hit == (looks_one && there_one));  // R1, R3, R6
      if (!same || !looks_one) second_hits: assert (second.hit == (looks_two && (there_two && !first_evicts)));
      if (same && looks_one) second_sees_first: assert (second.hit == looks_two);
      if (!first.hit) opens_on_a_miss: assert (first.merge == '0 && first.merge_idx == '0);
      if (!second.hit) second_opens:   assert (second.merge == '0 && second.merge_idx == '0);
      // R3, R4: no lane twice, and only those threads open a warp whose lanes are taken.
      if (first.hit && first.merge_idx == idx) into_free_lanes: assert (first_fits);
      if (second.hit && second.merge_idx == idx) second_into_free: assert (second_fits);
      // R9
      if (first.merge != '0 && first.merge_idx == idx) says_what_is: assert (first.lanes == lanes_one && first.data == data_one);
      if (second.merge != '0 && second.merge_idx == idx) second_says: assert (second.lanes == lanes_d && second.data == data_d);
      if (first.merge == '0) says_nothing: assert (first.lanes == '0 && first.data == '0);
      evicts_when_full: assert (first.evict == (looks_one && !first.hit && used_ways == 2'd2));  // R5
      // R7
      entries_in_order: assert (first.open_idx == (opens_one ? offer_i.first : '0) &&
                                second.open_idx == (!opens_two ? '0 : opens_one ? offer_i.second : offer_i.first));
      conflict_moves:  cover (rst_ni && moved_q && first.hit);
      both_one_warp:   cover (rst_ni && first.hit && second.hit && same && opens_two);
      evicts_twice:    cover (rst_ni && first.evict && second.evict);
      issue_and_miss:  cover (rst_ni && looks_one && !first.hit && issued && lanes_q != '0 && {pc_q, cta_q, waits_q} == {one.pc, one.cta, 1'b0});
      none_left:       cover (rst_ni && 32'(free) == 32'(coming) && opens_one && opens_two);
      rests:           cover (quiet_q && \i_dut.stored != '0);
      meets_at_once:   cover (rst_ni && formed_q && first.merge != '0 && first.merge_idx == formed_idx_q && opens_one);
      waits_beside:    cover (rst_ni && one.waits && one.req != '0 && there_one);
    end
  end

  // The warp that the first update evicts is not there for the second.
  logic first_evicts, first_fits, second_fits;
  always_comb begin
    first_evicts = 1'b0;
    for (int e = 0; e < 2 * Sets; e++) begin
      if (first.evict && e[1] == parity(one.pc, one.cta) && e[0] != \i_dut.recent_q [e[1]] &&
          \i_dut.stored [e*EntryBits+DataBits+CtaBits+formation_pkg::IdxBits+formation_pkg::Lanes+:PcBits] == two.pc &&
          \i_dut.stored [e*EntryBits+DataBits+:CtaBits] == two.cta) first_evicts = 1'b1;
    end
    first_fits = lanes_now != '0 && !waits_q && {pc_q, cta_q} == {one.pc, one.cta} && (first.merge & lanes_now) == '0 &&
                 (first.open & ~lanes_now) == '0;
    second_fits = lanes_one != '0 && !waits_d && (second.merge & lanes_one) == '0 && (second.open & ~lanes_one) == '0;
  end
endmodule
