// SPDX-License-Identifier: Apache-2.0
// Rules R1-R8 of the issue logic and what each policy promises, beside a small pool that keeps the legal inputs: free
// entries open, warps that do not wait and are not issued are joined at their PC, a thread is in one place, and the
// pool shows the lanes of what was issued in the cycle after it.
module issue_logic_props (
  input logic clk_i,
  input logic rst_ni,
  input logic [2*formation_pkg::UpdateBits-1:0] update_i,
  input logic [2*formation_pkg::PlacementBits-1:0] place_i,
  input formation_pkg::Release release_i,
  input logic ready_i
);
  localparam int Threads = formation_pkg::Threads;
  localparam int Lanes = formation_pkg::Lanes;
  localparam int PcBits = formation_pkg::PcBits;
  localparam int DataBits = formation_pkg::DataBits;
  localparam int IdxBits = formation_pkg::IdxBits;
  localparam int CtaBits = formation_pkg::CtaBits;
  localparam int CountBits = formation_pkg::CountBits;
  localparam int ArrivingBits = formation_pkg::ArrivingBits;
  localparam int Slots = formation_pkg::Slots;
  localparam int SlotIdBits = Slots > 2 ? $clog2(Slots) : 1;
  localparam int Policy = formation_pkg::Policy;
  localparam int Begins = Policy == formation_pkg::Majority ? 1 : 0;
  localparam int Counts = Begins != 0 || Policy == formation_pkg::Minority ? 1 : 0;
  localparam int Ages = Policy == formation_pkg::TimeStamp ? 1 : 0;
  localparam int KeyBits = Policy == formation_pkg::PostDominatorPriority ? DataBits : PcBits;
  localparam int Wait = Ages != 0 ? 2 : 3;  // cycles with ready_i until something goes, at most
  localparam int Sum = CountBits + 2;
  (* anyconst *) logic [IdxBits-1:0] some, other;  // two arbitrary entries

  logic [Threads*Lanes-1:0] lanes_q, lanes_d;  // the pool
  logic [Threads*KeyBits-1:0] key_q, key_d;
  logic [Threads*PcBits-1:0] pc_q, pc_d;
  logic [Threads*CtaBits-1:0] cta_q, cta_d;
  logic [Threads-1:0] waits_q, waits_d, new_q, new_d, there, ready;  // new: opened in the last cycle
  logic [Lanes-1:0] departed_q;
  formation_pkg::Issue issue;
  logic drain, idle, started_q = 1'b0, quiet_q;
  issue_logic i_dut (
    .clk_i, .rst_ni, .update_i, .place_i, .departed_i(departed_q), .release_i, .ready_i, .issue_o(issue),
        .drain_o(drain),
    .idle_o(idle)
  );

  // State of the block; what another policy does not have is not looked at.
  (* hierconn *) logic [Threads-1:0] \i_dut.uncounted , \i_dut.held , \i_dut.waits_q , \i_dut.uncounted_q ;
  (* hierconn *) logic [CtaBits-1:0] \i_dut.entry_cta_q[0] , \i_dut.entry_cta_q[1] , \i_dut.entry_cta_q[2] , \i_dut.entry_cta_q[3] ;
  (* hierconn *) logic [2*CtaBits-1:0] \i_dut.arrival_cta_q ;
  (* hierconn *) logic \i_dut.any_order , \i_dut.picks , \i_dut.goes_by_order ;
  (* hierconn *) logic [IdxBits-1:0] \i_dut.next_d ;
  (* hierconn *) logic \i_dut.next_valid_q ;
  (* hierconn *) logic [IdxBits-1:0] \i_dut.next_q ;
  (* hierconn *) logic [1:0] \i_dut.arrival_opens_q , \i_dut.arrival_waits_q ;
  (* hierconn *) logic [2*IdxBits-1:0] \i_dut.arrival_idx_q ;
  (* hierconn *) logic [Threads-1:0] \i_dut.g_table.counted_q ;
  (* hierconn *) logic [SlotIdBits-1:0] \i_dut.g_table.entry_slot_q[0] , \i_dut.g_table.entry_slot_q[1] ;
  (* hierconn *) logic [SlotIdBits-1:0] \i_dut.g_table.entry_slot_q[2] , \i_dut.g_table.entry_slot_q[3] ;
  logic [4*SlotIdBits-1:0] entry_slots;  // four entries: word by word
  logic [4*CtaBits-1:0] entry_ctas;
  assign entry_ctas = {\i_dut.entry_cta_q[3] , \i_dut.entry_cta_q[2] , \i_dut.entry_cta_q[1] , \i_dut.entry_cta_q[0] };
  assign entry_slots = {\i_dut.g_table.entry_slot_q[3] , \i_dut.g_table.entry_slot_q[2] , \i_dut.g_table.entry_slot_q[1] , \i_dut.g_table.entry_slot_q[0] };
  (* hierconn *) logic [Slots*KeyBits-1:0] \i_dut.g_table.key_q ;
  (* hierconn *) logic [Slots*CountBits-1:0] \i_dut.g_table.warps_q , \i_dut.g_table.g_counts.count_q ;
  (* hierconn *) logic [Slots*SlotIdBits-1:0] \i_dut.g_table.ids ;
  (* hierconn *) logic [Slots-1:0] \i_dut.g_table.in_use ;
  (* hierconn *) logic \i_dut.g_table.current_q , \i_dut.begun ;
  (* hierconn *) logic [SlotIdBits-1:0] \i_dut.g_table.current_id_q , \i_dut.g_table.current_id_d ;
  (* hierconn *) logic \i_dut.g_table.current_d , \i_dut.g_table.g_counts.disorder ;
  (* hierconn *) logic [1:0] \i_dut.g_table.search_known_q ;
  (* hierconn *) logic [2*SlotIdBits-1:0] \i_dut.g_table.search_id_q ;
  (* hierconn *) logic [2*KeyBits-1:0] \i_dut.g_table.search_key_q ;
  (* hierconn *) logic \i_dut.g_table.same_q ;
  (* hierconn *) logic [1:0] \i_dut.g_table.g_counts.arriving_joins_q ;
  (* hierconn *) logic \i_dut.g_table.g_counts.first_q , \i_dut.g_table.g_counts.departed_q ,
      \i_dut.g_table.g_counts.next_counted_q ;
  (* hierconn *) logic [2*ArrivingBits-1:0] \i_dut.g_table.g_counts.arriving_merging_q ,
      \i_dut.g_table.g_counts.arriving_opening_q ;
  (* hierconn *) logic [SlotIdBits-1:0] \i_dut.g_table.g_counts.left_id_q , \i_dut.g_table.g_counts.gone_id_q ;
  (* hierconn *) logic [SlotIdBits-1:0] \i_dut.g_table.g_counts.next_id_q ;
  (* hierconn *) logic [ArrivingBits-1:0] \i_dut.g_table.g_counts.gone_q ;

  (* hierconn *) logic [IdxBits-1:0] \i_dut.g_ages.order_q[0] , \i_dut.g_ages.order_q[1] ;
  (* hierconn *) logic [IdxBits-1:0] \i_dut.g_ages.order_q[2] , \i_dut.g_ages.order_q[3] ;
  (* hierconn *) logic [IdxBits-1:0] \i_dut.g_ages.head_q , \i_dut.g_ages.tail_q , \i_dut.g_ages.oldest_q ;
  (* hierconn *) logic [CountBits-1:0] \i_dut.g_ages.length_q ;
  (* hierconn *) logic [Slots*Slots-1:0] \i_dut.g_table.g_keys.less_q ;

  function automatic logic [Sum-1:0] size(input logic [Lanes-1:0] mask);
    size = '0;
    for (int l = 0; l < Lanes; l++) size = size + Sum'(mask[l]);
  endfunction

  // ---- the pool, and what of it is legal ----
  formation_pkg::Update update0, update1;
  formation_pkg::Placement place0, place1;
  logic legal;
  logic [Sum-1:0] total, coming;
  logic [1:0] came_q;
  always_comb begin
    update0 = update_i[0+:formation_pkg::UpdateBits];
    update1 = update_i[formation_pkg::UpdateBits+:formation_pkg::UpdateBits];
    place0 = place_i[0+:formation_pkg::PlacementBits];
    place1 = place_i[formation_pkg::PlacementBits+:formation_pkg::PlacementBits];
    {lanes_d, key_d, pc_d, cta_d, waits_d, new_d} = {lanes_q, key_q, pc_q, cta_q, waits_q, {Threads{1'b0}}};
    total = '0;
    for (int i = 0; i < Threads; i++) begin
      there[i] = lanes_q[i*Lanes+:Lanes] != '0;
      ready[i] = there[i] && !waits_q[i];
      total = total + size(lanes_q[i*Lanes+:Lanes]);
      if (issue.valid && 32'(issue.idx) == i) {lanes_d[i*Lanes+:Lanes], waits_d[i]} = '0;
    end
    coming = size(update0.req) + size(update1.req);
    // Of inputs: threads are where they are once; a placement has the threads of its update.
    legal = total + coming <= Sum'(Threads) && (place0.merge & place0.open) == '0 && (place1.merge & place1.open) == '0 &&
            (place0.merge | place0.open) == update0.req && (place1.merge | place1.open) == update1.req &&
            32'(update0.cta) < formation_pkg::Ctas && 32'(update1.cta) < formation_pkg::Ctas;
    for (int i = 0; i < Threads; i++) begin
      if (place0.merge != '0 && 32'(place0.merge_idx) == i) begin
        if (!ready[i] || (issue.valid && 32'(issue.idx) == i) || (lanes_q[i*Lanes+:Lanes] & place0.merge) != '0 ||
            update0.waits || pc_q[i*PcBits+:PcBits] != update0.pc) legal = 1'b0;
        lanes_d[i*Lanes+:Lanes] = lanes_d[i*Lanes+:Lanes] | place0.merge;
      end
      if (place0.open != '0 && 32'(place0.open_idx) == i) begin
        if (there[i]) legal = 1'b0;
        lanes_d[i*Lanes+:Lanes] = place0.open;
        key_d[i*KeyBits+:KeyBits] = Policy == formation_pkg::PostDominatorPriority ? KeyBits'(update0.data) : KeyBits'(update0.pc);
        pc_d[i*PcBits+:PcBits] = update0.pc;
        {cta_d[i*CtaBits+:CtaBits], waits_d[i], new_d[i]} = {update0.cta, update0.waits, 1'b1};
      end
    end
    for (int i = 0; i < Threads; i++) begin
      if (place1.merge != '0 && 32'(place1.merge_idx) == i) begin
        if (lanes_d[i*Lanes+:Lanes] == '0 || waits_d[i] || (lanes_d[i*Lanes+:Lanes] & place1.merge) != '0 ||
            update1.waits || pc_d[i*PcBits+:PcBits] != update1.pc) legal = 1'b0;
        lanes_d[i*Lanes+:Lanes] = lanes_d[i*Lanes+:Lanes] | place1.merge;
      end
      if (place1.open != '0 && 32'(place1.open_idx) == i) begin
        if (there[i] || lanes_d[i*Lanes+:Lanes] != '0) legal = 1'b0;
        lanes_d[i*Lanes+:Lanes] = place1.open;
        key_d[i*KeyBits+:KeyBits] = Policy == formation_pkg::PostDominatorPriority ? KeyBits'(update1.data) : KeyBits'(update1.pc);
        pc_d[i*PcBits+:PcBits] = update1.pc;
        {cta_d[i*CtaBits+:CtaBits], waits_d[i], new_d[i]} = {update1.cta, update1.waits, 1'b1};
      end
      if (release_i.valid && release_i.cta == cta_d[i*CtaBits+:CtaBits]) waits_d[i] = 1'b0;
    end
  end

  // ---- what is promised ----
  logic [2:0] waited_q;  // cycles in which nothing went although the pipeline was ready and a warp could
  localparam int StateBits = 3 * Threads + Slots * (KeyBits + 2 * CountBits + SlotIdBits);
  logic [StateBits-1:0] state, state_q;
  assign state = {\i_dut.uncounted_q , \i_dut.waits_q , Ages == 0 ? \i_dut.g_table.counted_q : '0,
                  Ages == 0 ? {\i_dut.g_table.key_q , \i_dut.g_table.warps_q , \i_dut.g_table.ids } : '0,
                  Counts != 0 ? \i_dut.g_table.g_counts.count_q : '0};
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    state_q <= state;
    quiet_q <= rst_ni && idle && update0.req == '0 && update1.req == '0 && !release_i.valid;
    departed_q <= issue.valid ? lanes_q[issue.idx*Lanes+:Lanes] : '0;
    if (!rst_ni) begin
      {lanes_q, waits_q, new_q, waited_q} <= '0;
    end else begin
      {lanes_q, waits_q, new_q} <= {lanes_d, waits_d, new_d};
      waited_q <= ready_i && !issue.valid && ready != '0 ? waited_q + 3'd1 : '0;
    end
    {key_q, pc_q, cta_q} <= {key_d, pc_d, cta_d};
  end

  // ---- each warp is in one place: on its way, at a barrier, uncounted, or in the order ----
  logic [2*Threads-1:0] stages;
  logic arrivals_ok, held_ok, new_ok, barrier_ok, uncounted_ok, free_ok;
  always_comb begin
    held_ok = !\i_dut.next_valid_q || (ready[\i_dut.next_q ] && !new_q[\i_dut.next_q ]);
    {arrivals_ok, new_ok, barrier_ok, uncounted_ok, free_ok} = '1;
    for (int i = 0; i < Threads; i++) begin
      stages[2*i+:2] = {\i_dut.arrival_opens_q [1] && 32'(\i_dut.arrival_idx_q [IdxBits+:IdxBits]) == i,
                        \i_dut.arrival_opens_q [0] && 32'(\i_dut.arrival_idx_q [0+:IdxBits]) == i};
      if (new_q[i] != (stages[2*i+:2] != '0) || stages[2*i+:2] == 2'b11) arrivals_ok = 1'b0;
      for (int k = 0; k < 2; k++) begin
        if (stages[2*i+k] && (\i_dut.arrival_waits_q [k] != waits_q[i] ||
                              \i_dut.arrival_cta_q [k*CtaBits+:CtaBits] != cta_q[i*CtaBits+:CtaBits])) arrivals_ok = 1'b0;
      end
      if (new_q[i] && (!there[i] || \i_dut.uncounted_q [i] || \i_dut.waits_q [i])) new_ok = 1'b0;
      if (!new_q[i] && \i_dut.waits_q [i] != waits_q[i]) barrier_ok = 1'b0;
      if (\i_dut.waits_q [i] && entry_ctas[i*CtaBits+:CtaBits] != cta_q[i*CtaBits+:CtaBits]) barrier_ok = 1'b0;
      if (\i_dut.uncounted_q [i] && (!ready[i] || new_q[i])) uncounted_ok = 1'b0;
      if (!there[i] && waits_q[i]) free_ok = 1'b0;
      if (Policy != formation_pkg::PostDominatorPriority && there[i] &&
          key_q[i*KeyBits+:KeyBits] != KeyBits'(pc_q[i*PcBits+:PcBits])) free_ok = 1'b0;
    end
    if ((\i_dut.arrival_waits_q & ~\i_dut.arrival_opens_q ) != '0) arrivals_ok = 1'b0;
  end

  always_comb begin
    if (!started_q) assume (!rst_ni);  // a reset comes first
    assume (legal);                    // inputs, see above
    if (started_q) begin
      issues_when_ready: assert (!issue.valid || ready_i);
      if (issue.valid) issued_is_ready: assert (ready[issue.idx]);  // R1, R6
      if (!issue.valid) blank_without_issue: assert (issue == '0);
      // R1: no warp is forgotten. After a cycle one can be seen, after another it is aimed at, then it is picked.
      goes_soon: assert (32'(waited_q) <= Wait);
      if (waited_q != '0) can_be_seen: assert ((ready & ~new_q) != '0);
      if (32'(waited_q) >= Wait - 1) can_be_picked: assert (\i_dut.any_order || \i_dut.uncounted != '0 ||
          \i_dut.next_valid_q );
      if (32'(waited_q) >= Wait) is_picked: assert (\i_dut.next_valid_q );
      if (quiet_q) idle_stays: assert (state == state_q && idle && !issue.valid && !drain);
      if (idle) idle_has_none: assert (ready == '0 && \i_dut.arrival_opens_q == '0 && !\i_dut.next_valid_q && !\i_dut.any_order );
      no_thread_twice: assert (total <= Sum'(Threads));
      pool_is_kept: assert (free_ok);
      arrives: assert (arrivals_ok);
      new_is_there: assert (new_ok);
      waits_at_barrier: assert (barrier_ok);
      uncounted_is_ready: assert (uncounted_ok);
      picked_is_ready: assert (held_ok);
      if (rst_ni) begin
        passed_over: cover (issue.valid && waits_q[some] && there[some]);
        all_warps:   cover (there == '1);
        rests:       cover (quiet_q && there != '0);
        in_a_row:    cover (issue.valid && departed_q != '0);
        joined_late: cover (\i_dut.next_valid_q && place0.merge != '0 && place0.merge_idx == \i_dut.next_q && !issue.valid);
      end
    end
  end

  if (Ages != 0) begin : g_ages
    logic [4*IdxBits-1:0] words;
    logic [2:0] at;
    logic [CountBits-1:0] listed;
    logic in_list, ok, once_ok, before_some, younger_q;
    logic [2:0] times;
    assign words = {\i_dut.g_ages.order_q[3] , \i_dut.g_ages.order_q[2] , \i_dut.g_ages.order_q[1] , \i_dut.g_ages.order_q[0] };
    always_comb begin
      {in_list, before_some, times, listed} = '0;
      once_ok = 1'b1;
      ok = \i_dut.g_ages.length_q == '0 || \i_dut.g_ages.oldest_q == words[\i_dut.g_ages.head_q *IdxBits+:IdxBits];
      for (int p = 0; p < 4; p++) begin
        at = 3'(\i_dut.g_ages.head_q ) + 3'(p);
        if (p < 32'(\i_dut.g_ages.length_q )) begin
          if (words[at[1:0]*IdxBits+:IdxBits] == some) in_list = 1'b1;
          if (words[at[1:0]*IdxBits+:IdxBits] == other && !in_list) before_some = 1'b1;
        end
      end
      for (int i = 0; i < Threads; i++) begin
        if (ready[i] && !new_q[i] && !\i_dut.uncounted_q [i] && !\i_dut.held [i]) listed = listed + CountBits'(1);
        times = '0;
        for (int p = 0; p < 4; p++) begin
          at = 3'(\i_dut.g_ages.head_q ) + 3'(p);
          if (p < 32'(\i_dut.g_ages.length_q ) && 32'(words[at[1:0]*IdxBits+:IdxBits]) == i) times = times + 3'd1;
        end
        if (times != 3'(ready[i] && !new_q[i] && !\i_dut.uncounted_q [i] && !\i_dut.held [i])) once_ok = 1'b0;
      end
      if (2'(\i_dut.g_ages.head_q + \i_dut.g_ages.length_q [1:0]) != \i_dut.g_ages.tail_q ) ok = 1'b0;
      if (\i_dut.g_ages.length_q > CountBits'(4)) ok = 1'b0;
    end
    // `younger`: some was opened after other, both without a barrier, and both are still here
    always_ff @(posedge clk_i) begin
      if (!rst_ni || !there[other] || (issue.valid && (issue.idx == other || issue.idx == some))) younger_q <= 1'b0;
      else if (new_d[some] && !waits_d[some] && there[other] && ready[other] && !new_q[other] &&
          !\i_dut.uncounted_q [other])
        younger_q <= 1'b1;
    end
    always_comb if (started_q) begin
      list_ok: assert (ok);
      listed_once: assert (once_ok);
      list_is_pool: assert (listed == \i_dut.g_ages.length_q );
      if (younger_q && ready[some] && !new_q[some] && !\i_dut.uncounted_q [some])
        in_order: assert (\i_dut.held [other] || (before_some && !\i_dut.held [some]));
      if (younger_q) stays_in_list: assert (ready[other] && !new_q[other] && !\i_dut.uncounted_q [other] &&
          some != other);
      if (younger_q && issue.valid && !\i_dut.uncounted_q [some]) oldest_first: assert (issue.idx != some);  // R2
      never_drains: assert (!drain);
      in_order_seen: cover (younger_q && issue.valid && issue.idx == other && !waits_q[some]);
    end
  end

  if (Ages == 0) begin : g_table
    logic [Sum-1:0] warps_of, due, expected;
    logic [CountBits-1:0] its_count;
    logic known_ok, keys_ok, ids_ok, same_ok, key_ok, place_ok, slot_ok, warps_ok, threads_ok, current_ok, joins_ok,
        next_ok, rest_ok, arriving_ok;
    logic [SlotIdBits-1:0] its_slot;
    always_comb begin
      {known_ok, keys_ok, ids_ok, key_ok, place_ok, slot_ok, warps_ok, threads_ok, joins_ok, next_ok, rest_ok,
          arriving_ok} = '1;
      current_ok = !\i_dut.g_table.current_q ;
      for (int s = 0; s < Slots; s++) begin
        if (32'(\i_dut.g_table.ids [s*SlotIdBits+:SlotIdBits]) >= Slots) ids_ok = 1'b0;
        for (int t = 0; t < s; t++) begin
          if (\i_dut.g_table.ids [s*SlotIdBits+:SlotIdBits] == \i_dut.g_table.ids [t*SlotIdBits+:SlotIdBits]) ids_ok = 1'b0;
          if (\i_dut.g_table.in_use [s] && \i_dut.g_table.in_use [t] &&
              \i_dut.g_table.key_q [s*KeyBits+:KeyBits] == \i_dut.g_table.key_q [t*KeyBits+:KeyBits]) keys_ok = 1'b0;
        end
        // A search that knows a slot knows the one of its key; for one that does not, there is none.
        for (int k = 0; k < 2; k++) begin
          if (\i_dut.g_table.search_known_q [k]) begin
            if (\i_dut.g_table.ids [s*SlotIdBits+:SlotIdBits] == \i_dut.g_table.search_id_q [k*SlotIdBits+:SlotIdBits]) begin
              if (\i_dut.g_table.key_q [s*KeyBits+:KeyBits] != \i_dut.g_table.search_key_q [k*KeyBits+:KeyBits]) known_ok = 1'b0;
            end else if (\i_dut.g_table.in_use [s] &&
                         \i_dut.g_table.key_q [s*KeyBits+:KeyBits] == \i_dut.g_table.search_key_q [k*KeyBits+:KeyBits]) known_ok = 1'b0;
            if (32'(\i_dut.g_table.search_id_q [k*SlotIdBits+:SlotIdBits]) >= Slots || !came_q[k]) known_ok = 1'b0;
          end else if (came_q[k] && \i_dut.g_table.in_use [s] &&
                       \i_dut.g_table.key_q [s*KeyBits+:KeyBits] == \i_dut.g_table.search_key_q [k*KeyBits+:KeyBits]) known_ok = 1'b0;
        end

        // the slot, from the pool
        its_slot = \i_dut.g_table.ids [s*SlotIdBits+:SlotIdBits];
        its_count = Counts != 0 ? \i_dut.g_table.g_counts.count_q [s*CountBits+:CountBits]
                                : \i_dut.g_table.warps_q [s*CountBits+:CountBits];
        {warps_of, due, expected} = '0;
        for (int i = 0; i < Threads; i++) begin
          if (\i_dut.g_table.counted_q [i] && entry_slots[i*SlotIdBits+:SlotIdBits] == its_slot) begin
            expected = expected + size(lanes_q[i*Lanes+:Lanes]);
            if (!\i_dut.held [i]) begin
              warps_of = warps_of + Sum'(1);
              if (\i_dut.g_table.current_id_q == its_slot) current_ok = 1'b1;
            end
            if ((Counts != 0 || !\i_dut.held [i]) &&
                (!\i_dut.g_table.in_use [s] || \i_dut.g_table.key_q [s*KeyBits+:KeyBits] != key_q[i*KeyBits+:KeyBits])) slot_ok = 1'b0;
          end
        end
        if (Counts != 0) begin
          // threads that have come and are not yet in the table, and those that have gone and still are
          if (\i_dut.g_table.g_counts.departed_q && \i_dut.g_table.g_counts.left_id_q == its_slot) expected = expected +
              size(departed_q);
          if (\i_dut.g_table.g_counts.gone_id_q == its_slot) expected = expected + Sum'(\i_dut.g_table.g_counts.gone_q );
          for (int k = 0; k < 2; k++) begin
            if (\i_dut.g_table.g_counts.arriving_joins_q [k] &&
                \i_dut.g_table.search_id_q [k*SlotIdBits+:SlotIdBits] == its_slot)
              due = due + Sum'(\i_dut.g_table.g_counts.arriving_merging_q [k*ArrivingBits+:ArrivingBits]);
          end
          if (Sum'(its_count) + due != expected) threads_ok = 1'b0;
          if (s != 0 && idle && its_count > \i_dut.g_table.g_counts.count_q [(s+Slots-1)%Slots*CountBits+:CountBits]) rest_ok = 1'b0;
        end
        if (Sum'(\i_dut.g_table.warps_q [s*CountBits+:CountBits]) != warps_of) warps_ok = 1'b0;
        if (idle && (\i_dut.g_table.warps_q [s*CountBits+:CountBits] != '0 || its_count != '0)) rest_ok = 1'b0;
      end
      if (idle && (came_q != '0 || \i_dut.g_table.search_known_q != '0)) rest_ok = 1'b0;
      for (int i = 0; i < Threads; i++) begin
        for (int k = 0; k < 2; k++) begin
          if (stages[2*i+k] && (!came_q[k] || \i_dut.g_table.search_key_q [k*KeyBits+:KeyBits] != key_q[i*KeyBits+:KeyBits])) key_ok = 1'b0;
        end
        if ((\i_dut.g_table.counted_q [i] || \i_dut.uncounted_q [i]) != (ready[i] && !new_q[i]) ||
            (\i_dut.g_table.counted_q [i] && \i_dut.uncounted_q [i])) place_ok = 1'b0;
        if (\i_dut.g_table.counted_q [i] && 32'(entry_slots[i*SlotIdBits+:SlotIdBits]) >= Slots) place_ok = 1'b0;
        // A warp on its way has the threads that opened it, and those of the second update that joined it at once.
        if (Counts != 0 && stages[2*i] && size(lanes_q[i*Lanes+:Lanes]) !=
            Sum'(\i_dut.g_table.g_counts.arriving_opening_q [0+:ArrivingBits]) +
            (\i_dut.g_table.g_counts.first_q ?
                Sum'(\i_dut.g_table.g_counts.arriving_merging_q [ArrivingBits+:ArrivingBits]) : '0)) arriving_ok = 1'b0;
        if (Counts != 0 && stages[2*i+1] &&
            size(lanes_q[i*Lanes+:Lanes]) != Sum'(\i_dut.g_table.g_counts.arriving_opening_q [ArrivingBits+:ArrivingBits])) arriving_ok = 1'b0;
        if (Counts != 0 && \i_dut.held [i] &&
            (\i_dut.g_table.g_counts.next_counted_q != \i_dut.g_table.counted_q [i] ||
             (\i_dut.g_table.counted_q [i] &&
              \i_dut.g_table.g_counts.next_id_q != entry_slots[i*SlotIdBits+:SlotIdBits]))) next_ok = 1'b0;
      end
      // Both search at the same time: with one key they know the same.
      same_ok = \i_dut.g_table.same_q == (came_q == 2'b11 && \i_dut.g_table.search_key_q [0+:KeyBits] ==
                                          \i_dut.g_table.search_key_q [KeyBits+:KeyBits]);
      if (\i_dut.g_table.same_q && \i_dut.g_table.search_known_q != 2'b00 && \i_dut.g_table.search_known_q != 2'b11) same_ok = 1'b0;
      if (\i_dut.g_table.same_q && \i_dut.g_table.search_known_q == 2'b11 &&
          \i_dut.g_table.search_id_q [0+:SlotIdBits] != \i_dut.g_table.search_id_q [SlotIdBits+:SlotIdBits]) same_ok = 1'b0;
      if (Counts != 0) begin
        if ((\i_dut.g_table.g_counts.arriving_joins_q & ~\i_dut.g_table.search_known_q ) != '0) joins_ok = 1'b0;
        if (\i_dut.g_table.g_counts.first_q && !(\i_dut.g_table.same_q && \i_dut.arrival_opens_q [0])) joins_ok = 1'b0;
        if (\i_dut.g_table.g_counts.first_q && \i_dut.g_table.g_counts.arriving_joins_q [1]) joins_ok = 1'b0;
        if (idle && (\i_dut.g_table.g_counts.departed_q || \i_dut.g_table.g_counts.gone_q != '0 ||
                     \i_dut.g_table.g_counts.arriving_joins_q != '0 ||
                         \i_dut.g_table.g_counts.first_q )) rest_ok = 1'b0;
      end
    end
    always_ff @(posedge clk_i) came_q <= rst_ni ? {update1.req != '0, update0.req != '0} : '0;

    always_comb if (started_q) begin
      ids_are_numbers:     assert (ids_ok);
      keys_distinct:       assert (keys_ok);  // R2
      search_is_right:     assert (known_ok && same_ok);
      arrives_with_key:    assert (key_ok);
      in_one_place:        assert (place_ok);
      slot_of_its_key:     assert (slot_ok);
      warps_are_counted:   assert (warps_ok);
      threads_are_counted: assert (threads_ok);  // R4
      current_has_a_warp:      assert (current_ok);
      joins_are_known:     assert (joins_ok);
      arriving_is_pool:       assert (arriving_ok);
      picked_as_it_is:     assert (next_ok);
      rests_in_order:      assert (rest_ok);
      if (\i_dut.begun ) begun_is_current: assert (\i_dut.g_table.current_q );  // R5
      if (!\i_dut.g_table.current_q ) current_zero: assert (\i_dut.g_table.current_id_q == '0);
      if (rst_ni) begin
        no_slot:     cover (drain);
        uncounted_first: cover (issue.valid && \i_dut.uncounted_q [issue.idx] && \i_dut.g_table.current_q );
        full_table:  cover (\i_dut.g_table.in_use == '1);
      end
    end
    if (Counts != 0) begin : g_counts
      // Warps that could be picked in the next cycle, too: they have a slot, and do not go now. From the pool.
      logic [Threads-1:0] left;
      logic [KeyBits-1:0] last_key, last_key_q, current_key;
      logic goes, keeps, keeps_q, more_of_it, best_ok;
      logic [CountBits-1:0] its_threads, current_threads;
      always_comb begin
        goes = \i_dut.picks && \i_dut.goes_by_order ;
        last_key = goes ? key_q[\i_dut.next_d *KeyBits+:KeyBits] : last_key_q;
        {more_of_it, current_threads, current_key} = '0;
        best_ok = 1'b1;
        for (int i = 0; i < Threads; i++) begin
          left[i] = \i_dut.g_table.counted_q [i] && !\i_dut.held [i] && !(\i_dut.picks && 32'(\i_dut.next_d ) == i);
          if (left[i] && key_q[i*KeyBits+:KeyBits] == last_key) more_of_it = 1'b1;
        end
        keeps = Begins != 0 && (goes || keeps_q) && more_of_it;
        for (int s = 0; s < Slots; s++) begin
          if (\i_dut.g_table.ids [s*SlotIdBits+:SlotIdBits] == \i_dut.g_table.current_id_q )
            current_key = \i_dut.g_table.key_q [s*KeyBits+:KeyBits];
          if (\i_dut.g_table.ids [s*SlotIdBits+:SlotIdBits] == \i_dut.g_table.current_id_d )
            current_threads = \i_dut.g_table.g_counts.count_q [s*CountBits+:CountBits];
        end
        for (int s = 0; s < Slots; s++) begin
          its_threads = \i_dut.g_table.g_counts.count_q [s*CountBits+:CountBits];
          for (int i = 0; i < Threads; i++) begin
            if (left[i] && entry_slots[i*SlotIdBits+:SlotIdBits] == \i_dut.g_table.ids [s*SlotIdBits+:SlotIdBits] &&
                (Begins != 0 ? its_threads > current_threads : its_threads < current_threads)) best_ok = 1'b0;
          end
        end
      end
      always_ff @(posedge clk_i) begin
        last_key_q <= last_key;
        keeps_q <= rst_ni && keeps;
      end
      always_comb if (started_q && rst_ni) begin
        // R2: of a table that is in order, the current PC is what has the most threads, or the least, and a warp to go.
        if (!keeps && !\i_dut.g_table.g_counts.disorder ) current_is_best: assert (best_ok);
        if (left != '0) aims: assert (\i_dut.g_table.current_d );
        counted_join: cover (\i_dut.g_table.g_counts.arriving_joins_q == 2'b11);
        chosen: cover (!keeps && !\i_dut.g_table.g_counts.disorder && \i_dut.g_table.in_use == '1 && left[some] && left[other] &&
                       key_q[some*KeyBits+:KeyBits] != key_q[other*KeyBits+:KeyBits]);
      end
      // R5: while a warp of the PC that was begun is left, no other goes.
      if (Begins != 0) begin : g_begins
        always_comb if (started_q) begin
          keeps_to_it: assert (keeps_q == \i_dut.begun && (!keeps_q || current_key == last_key_q));
          if (keeps_q && rst_ni && goes) none_other_goes: assert (key_q[\i_dut.next_d *KeyBits+:KeyBits] == last_key_q);
          if (rst_ni) goes_on: cover (keeps_q && goes && current_threads < CountBits'(2));
        end
      end
    end else begin : g_keys
      // R2: the current PC is the least key of those that could be seen when it was chosen.
      logic [Threads-1:0] seen_q;
      logic [KeyBits-1:0] current_key;
      logic least_ok;
      always_ff @(posedge clk_i) seen_q <= rst_ni ? \i_dut.g_table.counted_q & ~\i_dut.held : '0;
      logic less_ok;
      logic [Slots-1:0] live;  // slots that have warps, or that a search knows and may fill again
      always_comb begin
        for (int s = 0; s < Slots; s++)
          live[s] = \i_dut.g_table.in_use [s] ||
                    (\i_dut.g_table.search_known_q [0] && 32'(\i_dut.g_table.search_id_q [0+:SlotIdBits]) == s) ||
                    (\i_dut.g_table.search_known_q [1] && 32'(\i_dut.g_table.search_id_q [SlotIdBits+:SlotIdBits]) == s);
        current_key = '0;
        least_ok = 1'b1;
        less_ok = 1'b1;
        for (int s = 0; s < Slots; s++) begin
          for (int t = 0; t < Slots; t++) begin
            if (live[s] && live[t] && \i_dut.g_table.g_keys.less_q [s*Slots+t] !=
                (\i_dut.g_table.key_q [s*KeyBits+:KeyBits] < \i_dut.g_table.key_q [t*KeyBits+:KeyBits])) less_ok = 1'b0;
          end
        end
        for (int s = 0; s < Slots; s++) if (32'(\i_dut.g_table.current_id_q ) == s) current_key = \i_dut.g_table.key_q [s*KeyBits+:KeyBits];
        for (int i = 0; i < Threads; i++)
          if (seen_q[i] && \i_dut.g_table.current_q && \i_dut.g_table.counted_q [i] && !\i_dut.held [i] &&
              current_key > key_q[i*KeyBits+:KeyBits]) least_ok = 1'b0;
      end
      always_comb if (started_q) begin
        less_is_right: assert (less_ok);
        least_key: assert (least_ok);
      end
    end
  end
endmodule
