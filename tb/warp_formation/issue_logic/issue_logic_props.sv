// Rules R1-R8 of the issue logic and what each policy promises, beside a small pool that keeps the legal inputs: free
// entries open, warps that are ready are joined until the table overflows, there are no more threads than Threads.
module issue_logic_props (
  input logic clk_i,
  input logic rst_ni,
  input logic [2*formation_pkg::UpdateBits-1:0] update_i,
  input logic [2*formation_pkg::PlacementBits-1:0] place_i,
  input logic ready_i,
  input logic [formation_pkg::Threads-1:0] release_i  // warps that wait no longer
);
  localparam int Threads = formation_pkg::Threads;
  localparam int Lanes = formation_pkg::Lanes;
  localparam int PcBits = formation_pkg::PcBits;
  localparam int DataBits = formation_pkg::DataBits;
  localparam int WarpBits = formation_pkg::PoolWarpBits;
  localparam int IdxBits = formation_pkg::IdxBits;
  localparam int CountBits = formation_pkg::CountBits;
  localparam int SlotBits = formation_pkg::SlotBits;
  localparam int Slots = formation_pkg::Slots;
  localparam int LanesAt = 1 + formation_pkg::CtaBits;
  localparam int DataAt = LanesAt + Lanes;
  localparam int PcAt = DataAt + DataBits;
  localparam int Policy = formation_pkg::Policy;
  localparam int Begins = Policy == formation_pkg::Majority ? 1 : 0;
  localparam int Counts = Begins != 0 || Policy == formation_pkg::Minority ? 1 : 0;
  localparam int Sum = CountBits + 2;  // bits of sums here
  // So many threads the PC that Majority chooses may have less than the most common one: an exhaustive search of all
  // tables of 3 slots and 4 threads finds no more.
  localparam int Near = Lanes == 1 ? 1 : 2;
  localparam int Ages = Policy == formation_pkg::TimeStamp ? 1 : 0;
  (* anyconst *) logic [IdxBits-1:0] some, other;  // two arbitrary entries

  logic [Threads*WarpBits-1:0] warp_q, warp_d;
  formation_pkg::Issue issue;
  logic drain;
  issue_logic i_dut (
    .clk_i, .rst_ni, .warp_i(warp_q), .update_i, .place_i, .ready_i, .issue_o(issue), .drain_o(drain),
    .idle_o(idle)
  );

  // State of the block; what another policy does not have is not looked at.
  (* hierconn *) logic [Slots*SlotBits-1:0] \i_dut.g_counts.slot_q ;
  (* hierconn *) logic [Threads-1:0] \i_dut.g_counts.counted_q ;
  (* hierconn *) logic [PcBits+Begins:0] \i_dut.g_counts.aim_q ;
  (* hierconn *) logic [Threads*IdxBits-1:0] \i_dut.g_ages.ranks ;
  (* hierconn *) logic [CountBits-1:0] \i_dut.g_ages.used_q ;
  (* hierconn *) logic [IdxBits-1:0] \i_dut.turn ;
  (* hierconn *) logic \i_dut.g_counts.overflow ;
  logic i_overflow;
  assign i_overflow = Counts != 0 && \i_dut.g_counts.overflow ;
  logic [Slots*SlotBits-1:0] slots;
  logic [Threads-1:0] counted, ready, there;
  logic [PcBits-1:0] aim_pc;
  logic aim_valid, aim_begun;
  logic [Threads*IdxBits-1:0] ranks;
  logic [IdxBits-1:0] turn;

  formation_pkg::Update update0, update1;
  formation_pkg::Placement place0, place1;
  formation_pkg::PoolWarp its, the_other, issued, target0, target1, opened0, opened1;
  logic [Sum-1:0] total, coming, used, distance, issued_distance, waited_q, some_rank, other_rank;
  logic [PcBits-1:0] last_pc_q;
  logic legal, chosen, equal, last_q, last_there, older_q, older_d, started_q = 1'b0, overflowed_q, is_counted, idle;
  logic [Threads-1:0] joinable_q, joinable;  // entries that the LUT may know
  // The table and the pool
  logic table_ok, ranks_ok, waits_ok, in_table, table_empty, near_order, found, due_valid;
  logic [PcBits-1:0] due_pc;
  logic [CountBits-1:0] due_count, first_count;
  logic [Sum-1:0] slots_used;
  logic [Sum-1:0] at_slot, at_aim, of_one, most, least;
  // The state in the last cycle, where nothing was asked for in it
  localparam int StateBits = Counts != 0 ? Slots * SlotBits + Threads + PcBits + Begins + 1 + IdxBits
                           : Ages != 0 ? Threads * IdxBits + CountBits : IdxBits;
  logic [StateBits-1:0] state, state_q;
  logic quiet, quiet_q;

  always_comb begin
    slots = \i_dut.g_counts.slot_q ;
    counted = Counts != 0 ? \i_dut.g_counts.counted_q : '1;
    {aim_pc, aim_valid} = \i_dut.g_counts.aim_q [PcBits+Begins:Begins];
    aim_begun = Begins != 0 && \i_dut.g_counts.aim_q [0];
    ranks = \i_dut.g_ages.ranks ;
    turn = \i_dut.turn ;
    update0 = update_i[0+:formation_pkg::UpdateBits];
    update1 = update_i[formation_pkg::UpdateBits+:formation_pkg::UpdateBits];
    place0 = place_i[0+:formation_pkg::PlacementBits];
    place1 = place_i[formation_pkg::PlacementBits+:formation_pkg::PlacementBits];
    its = warp_q[some*WarpBits+:WarpBits];
    the_other = warp_q[other*WarpBits+:WarpBits];
    issued = warp_q[issue.idx*WarpBits+:WarpBits];
    target0 = warp_q[place0.merge_idx*WarpBits+:WarpBits];
    target1 = warp_q[place1.merge_idx*WarpBits+:WarpBits];
    opened0 = {update0.pc, update0.data, place0.open, update0.cta, update0.waits};
    opened1 = {update1.pc, update1.data, place1.open, update1.cta, update1.waits};

    total = '0;
    coming = '0;
    used = '0;
    for (int i = 0; i < Threads; i++) begin
      there[i] = warp_q[i*WarpBits+LanesAt+:Lanes] != '0;
      ready[i] = there[i] && !warp_q[i*WarpBits];
      used = used + Sum'(there[i]);
      for (int l = 0; l < Lanes; l++) total = total + Sum'(warp_q[i*WarpBits+LanesAt+l]);
    end
    for (int l = 0; l < Lanes; l++) coming = coming + Sum'(update0.req[l]) + Sum'(update1.req[l]);
    {at_slot, of_one, found, slots_used, first_count, due_count, due_pc, due_valid} = '0;
    in_table = 1'b0;
    table_empty = 1'b1;
    table_ok = 1'b1;
    near_order = 1'b1;
    for (int s = 0; s < Slots; s++) begin
      if (slots[s*SlotBits+:CountBits] != '0) begin
        table_empty = 1'b0;
        slots_used = slots_used + Sum'(1);
        // R5, R6: the first in use; the first of those with least
        if (!due_valid) first_count = slots[s*SlotBits+:CountBits];
        if (!due_valid || (Begins == 0 && slots[s*SlotBits+:CountBits] < due_count)) begin
          {due_pc, due_count} = slots[s*SlotBits+:SlotBits];
        end
        due_valid = 1'b1;
        if (slots[s*SlotBits+CountBits+:PcBits] == aim_pc) in_table = 1'b1;
        // A slot has the threads of its PC, and no other slot has that PC.
        at_slot = '0;
        for (int i = 0; i < Threads; i++) begin
          for (int l = 0; l < Lanes; l++) begin
            if (counted[i] && warp_q[i*WarpBits+PcAt+:PcBits] == slots[s*SlotBits+CountBits+:PcBits])
              at_slot = at_slot + Sum'(warp_q[i*WarpBits+LanesAt+l]);
          end
        end
        if (Sum'(slots[s*SlotBits+:CountBits]) != at_slot) table_ok = 1'b0;
        for (int o = 0; o < s; o++) begin
          if (slots[o*SlotBits+:CountBits] != '0 &&
              slots[o*SlotBits+CountBits+:PcBits] == slots[s*SlotBits+CountBits+:PcBits]) table_ok = 1'b0;
        end
        // What induction needs of the order, for four threads: how many more than the first one has, that the last has
        // not passed its neighbour, and that one alone is used where the first is free.
        if (Sum'(slots[s*SlotBits+:CountBits]) > Sum'(first_count) + Sum'(Near)) near_order = 1'b0;
        if (s > 1 && slots[s*SlotBits+:CountBits] > CountBits'(1) &&
            slots[s*SlotBits+:CountBits] > slots[(s+Slots-1)%Slots*SlotBits+:CountBits]) near_order = 1'b0;
      end
    end
    if (slots[0+:CountBits] == '0 && (slots_used > Sum'(1) || first_count > CountBits'(Near + 1))) near_order = 1'b0;
    // Counted from the pool alone: the threads at the PC that is aimed at, and at the PCs with most and least.
    at_aim = '0;
    most = '0;
    least = '1;
    for (int i = 0; i < Threads; i++) begin
      found = 1'b0;
      for (int s = 0; s < Slots; s++) begin
        if (slots[s*SlotBits+:CountBits] != '0 &&
            slots[s*SlotBits+CountBits+:PcBits] == warp_q[i*WarpBits+PcAt+:PcBits]) found = 1'b1;
      end
      if (there[i] && counted[i]) begin
        if (!found) table_ok = 1'b0;
        of_one = '0;
        for (int j = 0; j < Threads; j++) begin
          for (int l = 0; l < Lanes; l++) begin
            if (counted[j] && warp_q[j*WarpBits+PcAt+:PcBits] == warp_q[i*WarpBits+PcAt+:PcBits])
              of_one = of_one + Sum'(warp_q[j*WarpBits+LanesAt+l]);
          end
        end
        if (warp_q[i*WarpBits+PcAt+:PcBits] == aim_pc) at_aim = of_one;
        if (of_one > most) most = of_one;
        if (of_one < least) least = of_one;
      end
    end
    // Ranks are those of a queue, and what waits is not counted.
    ranks_ok = 1'b1;
    waits_ok = 1'b1;
    for (int i = 0; i < Threads; i++) begin
      if (there[i] && Sum'(ranks[i*IdxBits+:IdxBits]) >= used) ranks_ok = 1'b0;
      if (there[i] && warp_q[i*WarpBits] && counted[i]) waits_ok = 1'b0;
      for (int j = 0; j < i; j++) begin
        if (there[i] && there[j] && ranks[i*IdxBits+:IdxBits] == ranks[j*IdxBits+:IdxBits]) ranks_ok = 1'b0;
      end
    end

    // What enters. Assumed of the inputs, against the small pool above, never against the state of the block:
    // - a thread joins or opens, and not both (pc_warp_lut: first_goes_once, second_goes_once);
    // - there are no more threads than Threads, so an entry is free for each warp that opens (warp_formation:
    //   nothing_lost), and the two are different ones (warp_allocator: offered_is_free, two_are_offered);
    // - those that join find a warp at their PC that runs, has the lane free and is not issued in this cycle, and that
    //   the LUT has not forgotten, as it does when the table overflows (pc_warp_lut: into_free_lanes, second_into_free,
    //   hit_when_there, never_an_issued_warp).
    joinable = drain ? '0 : joinable_q;
    legal = update0.req == (place0.merge | place0.open) && (place0.merge & place0.open) == '0 &&
            update1.req == (place1.merge | place1.open) && (place1.merge & place1.open) == '0 &&
            total + coming <= Threads && !(update0.waits && place0.merge != '0) && !(update1.waits && place1.merge != '0);
    if (32'(place0.open_idx) >= Threads || 32'(place1.open_idx) >= Threads || 32'(place0.merge_idx) >= Threads ||
        32'(place1.merge_idx) >= Threads) legal = 1'b0;
    if (place0.open != '0 && there[place0.open_idx]) legal = 1'b0;
    if (place1.open != '0 && there[place1.open_idx]) legal = 1'b0;
    if (place0.open != '0 && place1.open != '0 && place0.open_idx == place1.open_idx) legal = 1'b0;
    if (place0.merge != '0 && place1.merge != '0 && place0.merge_idx == place1.merge_idx &&
        (place0.merge & place1.merge) != '0) legal = 1'b0;
    if (place0.merge != '0 && (!ready[place0.merge_idx] || !joinable[place0.merge_idx] || target0.pc != update0.pc ||
        (target0.lanes & place0.merge) != '0 || (issue.valid && issue.idx == place0.merge_idx))) legal = 1'b0;
    if (place1.merge != '0 && (!ready[place1.merge_idx] || !joinable[place1.merge_idx] || target1.pc != update1.pc ||
        (target1.lanes & place1.merge) != '0 || (issue.valid && issue.idx == place1.merge_idx))) legal = 1'b0;

    // The pool
    warp_d = warp_q;
    older_d = older_q;
    for (int i = 0; i < Threads; i++) begin
      if (issue.valid && 32'(issue.idx) == i) warp_d[i*WarpBits+:WarpBits] = '0;
      if (place0.merge != '0 && 32'(place0.merge_idx) == i)
        warp_d[i*WarpBits+LanesAt+:Lanes] = warp_d[i*WarpBits+LanesAt+:Lanes] | place0.merge;
      if (place1.merge != '0 && 32'(place1.merge_idx) == i)
        warp_d[i*WarpBits+LanesAt+:Lanes] = warp_d[i*WarpBits+LanesAt+:Lanes] | place1.merge;
      if (place0.open != '0 && 32'(place0.open_idx) == i) warp_d[i*WarpBits+:WarpBits] = opened0;
      if (place1.open != '0 && 32'(place1.open_idx) == i) warp_d[i*WarpBits+:WarpBits] = opened1;
      if (release_i[i]) warp_d[i*WarpBits] = 1'b0;
    end
    // Which of the two arbitrary warps opened first
    if (place0.open != '0 && place0.open_idx == some) older_d = 1'b0;
    if (place0.open != '0 && place0.open_idx == other) older_d = 1'b1;
    if (place1.open != '0 && place1.open_idx == some) older_d = 1'b0;
    if (place1.open != '0 && place1.open_idx == other) older_d = 1'b1;

    chosen = issue.valid && issue.idx == some;
    is_counted = Counts != 0 && counted[issue.idx];
    equal = Policy == formation_pkg::PostDominatorPriority ? its.data == issued.data
          : Policy == formation_pkg::ProgramCounter ? its.pc == issued.pc
          : counted[some] == counted[issue.idx] && (!counted[some] || its.pc == issued.pc);
    distance = some >= turn ? Sum'(some) - Sum'(turn) : Sum'(some) + Sum'(Threads) - Sum'(turn);
    issued_distance = issue.idx >= turn ? Sum'(issue.idx) - Sum'(turn) : Sum'(issue.idx) + Sum'(Threads) - Sum'(turn);
    some_rank = Sum'(ranks[some*IdxBits+:IdxBits]);
    other_rank = Sum'(ranks[other*IdxBits+:IdxBits]);
    last_there = 1'b0;
    for (int i = 0; i < Threads; i++) begin
      if (ready[i] && counted[i] && warp_q[i*WarpBits+PcAt+:PcBits] == last_pc_q) last_there = last_q;
    end
  end

  always_comb begin
    if (Counts != 0) state = {slots, counted, \i_dut.g_counts.aim_q , turn};
    else if (Ages != 0) state = {ranks, \i_dut.g_ages.used_q };
    else state = turn;
    quiet = idle && update0.req == '0 && update1.req == '0 && place0.open == '0 && place1.open == '0 &&
            !(ready_i && ready != '0);
  end

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    warp_q <= rst_ni ? warp_d : '0;
    older_q <= older_d;
    quiet_q <= rst_ni && quiet;
    state_q <= state;
    joinable_q <= joinable;
    if (issue.valid) joinable_q[issue.idx] <= 1'b0;
    if (place0.open != '0) joinable_q[place0.open_idx] <= !update0.waits;
    if (place1.open != '0) joinable_q[place1.open_idx] <= !update1.waits;
    if (!rst_ni) joinable_q <= '0;
    // The counted PC that was issued last, as long as it has a warp
    last_q <= rst_ni && !i_overflow && ((issue.valid && is_counted) || last_there);
    if (issue.valid && is_counted) last_pc_q <= issued.pc;
    // Issues that an arbitrary warp has waited for, of warps no more urgent than itself
    if (!rst_ni || chosen || !ready[some] || (issue.valid && Ages == 0 && !equal)) waited_q <= '0;
    else if (issue.valid) waited_q <= waited_q + Sum'(1);
    overflowed_q <= rst_ni && (overflowed_q || drain);
  end

  always_comb begin
    if (!started_q) assume (!rst_ni);                                    // a reset comes first
    assume (some < Threads && other < Threads && some != other);         // two entries that there are
    if (started_q) begin
      assume (legal);
      // R1
      issues_when_ready: assert (issue.valid == (ready_i && ready != '0));
      if (issue.valid) issued_is_ready: assert (ready[issue.idx]);
      if (!issue.valid) blank_without_issue: assert (issue == '0);
      if (ready[some] && !chosen && issue.valid && (Ages != 0 || equal)) fair: assert (waited_q + Sum'(1) < Threads);
      // Idle: without an update, and without a warp to issue, all stays as it is.
      if (quiet_q) idle_stays: assert (state == state_q && idle && !drain);
      idle_but_after_overflow: assert (idle == !drain);
      // What the small pool is
      if (!there[some]) free_is_blank: assert (its == '0);
      no_thread_twice: assert (total <= Threads);
      if (rst_ni) begin
        passed_over: cover (issue.valid && its.waits && there[some]);
        long_wait:   cover (chosen && waited_q == Sum'(2));
        all_warps:   cover (used == Threads);
        rests:       cover (quiet_q && used != '0);
      end
    end
  end

  // What only some policies have, and joins, which take two lanes
  if (Lanes > 1) begin : g_joins
    always_comb if (started_q && rst_ni) joined: cover (place0.merge != '0 && issue.valid && total == Threads);
  end
  if (Policy == formation_pkg::PostDominatorPriority) begin : g_data  // R2
    always_comb if (started_q && issue.valid && ready[some]) fewest_first: assert (issued.data <= its.data);
  end
  if (Policy == formation_pkg::ProgramCounter) begin : g_pc  // R2
    always_comb if (started_q && issue.valid && ready[some]) smallest_pc: assert (issued.pc <= its.pc);
  end
  if (Ages != 0) begin : g_age
    always_comb begin
      if (started_q) begin
        if (issue.valid && issue.idx == other && there[some] && ready[some]) oldest_first: assert (!older_q);  // R2
        if (waited_q != '0) waits_closer: assert (waited_q + some_rank < Threads);
        ranks_distinct: assert (ranks_ok);
        used_is_pool: assert (used == Sum'(\i_dut.g_ages.used_q ));
        if (there[some] && there[other]) ranks_are_ages: assert ((some_rank < other_rank) == older_q);
      end
    end
  end else begin : g_turn
    always_comb begin
      if (started_q) begin
        // R3 and the waiting bound: among equals each goes before another goes twice.
        if (issue.valid && ready[some] && equal) first_in_turn: assert (issued_distance <= distance);
        if (waited_q != '0) waits_closer: assert (waited_q + distance < Threads);
      end
    end
  end
  if (Counts == 0) begin : g_no_table
    always_comb if (started_q) never_drains: assert (!drain);
  end else begin : g_table
    always_comb begin
      if (started_q) begin
        table_is_pool: assert (table_ok);  // R4, R7, R8
        waiting_not_counted: assert (waits_ok);
        joins_are_counted: assert ((joinable & ~counted) == '0);
        if (aim_valid) aim_in_table: assert (in_table);
        aim_when_counted: assert (aim_valid || table_empty);
        if (!aim_begun) aim_is_due: assert (aim_valid == due_valid && aim_pc == due_pc);  // R5, R6
        if (aim_begun) begun_is_valid: assert (aim_valid);
        if (drain) drained: assert (table_empty && !aim_valid && counted == '0);  // R8
        if (rst_ni) begin
          overflows:   cover (drain && ready != '0);
          works_again: cover (overflowed_q && is_counted && issue.valid);
          full_table:  cover (slots[(Slots-1)*SlotBits+:CountBits] != '0);
        end
      end
    end
  end
  if (Policy == formation_pkg::Minority) begin : g_least
    always_comb begin
      if (started_q) begin
        if (aim_valid) minority_least: assert (at_aim == least);  // R6: no PC has fewer
        if (rst_ni) one_of_two: cover (aim_valid && issue.valid && is_counted && least < most);
      end
    end
  end
  if (Begins != 0) begin : g_most
    always_comb begin
      if (started_q) begin
        if (last_there) begun_is_last: assert (aim_begun && aim_pc == last_pc_q);
        // R5: all warps of the chosen PC first
        if (issue.valid && last_there) majority_keeps: assert (is_counted && issued.pc == last_pc_q);
        if (aim_valid && !aim_begun) majority_near: assert (at_aim + Sum'(Near) >= most);
        order_is_near: assert (near_order);
        if (rst_ni) begin
          not_the_most: cover (aim_valid && !aim_begun && at_aim < most && issue.valid && is_counted);
          other_later:  cover (issue.valid && is_counted && ready[some] && counted[some] && !equal);
          kept_below:   cover (issue.valid && last_there && at_aim < most);
        end
      end
    end
  end
endmodule
