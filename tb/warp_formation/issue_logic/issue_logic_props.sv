// Rules R1-R8 of the issue logic and what each policy promises, beside a small pool that keeps the legal inputs: free
// entries open, warps that are ready (and counted) are joined, there are no more threads than Threads.
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
  localparam int Ages = Policy == formation_pkg::TimeStamp ? 1 : 0;
  (* anyconst *) logic [IdxBits-1:0] some, other;  // two arbitrary entries

  logic [Threads*WarpBits-1:0] warp_q, warp_d;
  formation_pkg::Issue issue;
  logic drain;
  issue_logic i_dut (
    .clk_i, .rst_ni, .warp_i(warp_q), .update_i, .place_i, .ready_i, .issue_o(issue), .drain_o(drain)
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
  logic [Sum-1:0] total, coming, used, distance, issued_distance, aim_count;
  logic [Sum-1:0] waited_q, some_rank, other_rank;
  logic [PcBits-1:0] last_pc_q;
  logic legal, chosen, equal, last_q, last_there, older_q, older_d, table_ok, ranks_ok, waits_ok, aim_least, started_q = 1'b0, in_table, table_empty;
  logic overflowed_q, is_counted;
  logic [Sum-1:0] pool_count, table_count, pc_slots;

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
    in_table = 1'b0;
    table_empty = 1'b1;
    aim_count = '0;
    aim_least = 1'b1;
    for (int s = 0; s < Slots; s++) begin
      if (slots[s*SlotBits+:CountBits] != '0) begin
        table_empty = 1'b0;
        if (slots[s*SlotBits+CountBits+:PcBits] == aim_pc) begin
          in_table = 1'b1;
          aim_count = Sum'(slots[s*SlotBits+:CountBits]);
        end
      end
    end
    // The threads of each PC, in the pool and in the table
    table_ok = 1'b1;
    for (int p = 0; p < 2 ** PcBits; p++) begin
      pool_count = '0;
      table_count = '0;
      pc_slots = '0;
      for (int i = 0; i < Threads; i++) begin
        for (int l = 0; l < Lanes; l++) begin
          if (counted[i] && 32'(warp_q[i*WarpBits+PcAt+:PcBits]) == p)
            pool_count = pool_count + Sum'(warp_q[i*WarpBits+LanesAt+l]);
        end
      end
      for (int s = 0; s < Slots; s++) begin
        if (slots[s*SlotBits+:CountBits] != '0 && 32'(slots[s*SlotBits+CountBits+:PcBits]) == p) begin
          table_count = Sum'(slots[s*SlotBits+:CountBits]);
          pc_slots = pc_slots + Sum'(1);
        end
      end
      if (table_count != pool_count || pc_slots > Sum'(1)) table_ok = 1'b0;
      if (pool_count != '0 && pool_count < aim_count) aim_least = 1'b0;
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

    // What the LUT and the allocator keep to
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
    if (place0.merge != '0 && (!ready[place0.merge_idx] || !counted[place0.merge_idx] || target0.pc != update0.pc ||
        (target0.lanes & place0.merge) != '0 || (issue.valid && issue.idx == place0.merge_idx))) legal = 1'b0;
    if (place1.merge != '0 && (!ready[place1.merge_idx] || !counted[place1.merge_idx] || target1.pc != update1.pc ||
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

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    warp_q <= rst_ni ? warp_d : '0;
    older_q <= older_d;
    // The counted PC that was issued last, as long as it has a warp
    last_q <= rst_ni && !i_overflow && ((issue.valid && is_counted) || last_there);
    if (issue.valid && is_counted) last_pc_q <= issued.pc;
    // Issues that an arbitrary warp has waited for, of warps no more urgent than itself
    if (!rst_ni || chosen || !ready[some] || (issue.valid && Ages == 0 && !equal)) waited_q <= '0;
    else if (issue.valid) waited_q <= waited_q + Sum'(1);
    overflowed_q <= rst_ni && (overflowed_q || drain);
  end
  always_comb begin
    if (!started_q) assume (!rst_ni);
    assume (some < Threads && other < Threads && some != other);
    if (started_q) begin
      assume (legal);
      // R1
      issues_when_ready: assert (issue.valid == (ready_i && ready != '0));
      if (issue.valid) issued_is_ready: assert (ready[issue.idx]);
      if (!issue.valid) blank_without_issue: assert (issue == '0);
      // R2
      if (Policy == formation_pkg::PostDominatorPriority && issue.valid && ready[some])
        fewest_first: assert (issued.data <= its.data);
      if (Policy == formation_pkg::ProgramCounter && issue.valid && ready[some]) smallest_pc: assert (issued.pc <= its.pc);
      if (Ages != 0 && issue.valid && issue.idx == other && there[some] && ready[some]) oldest_first: assert (!older_q);
      // R3 and the waiting bound: among equals each goes before another goes twice; TimeStamp: each waits for those older.
      if (Ages == 0 && issue.valid && ready[some] && equal) first_in_turn: assert (issued_distance <= distance);
      if (waited_q != '0) waits_closer: assert (waited_q + (Ages != 0 ? some_rank : distance) < Threads);
      if (ready[some] && !chosen && issue.valid && (Ages != 0 || equal)) fair: assert (waited_q + Sum'(1) < Threads);
      // What the small pool and the ages are
      if (!there[some]) free_is_blank: assert (its == '0);
      no_thread_twice: assert (total <= Threads);
      if (Ages != 0) ranks_distinct: assert (ranks_ok);
      if (Ages != 0) used_is_pool: assert (used == Sum'(\i_dut.g_ages.used_q ));
      if (Ages != 0 && there[some] && there[other]) ranks_are_ages: assert ((some_rank < other_rank) == older_q);
      if (Counts != 0) begin
        table_is_pool: assert (table_ok);  // R4, R7, R8
        waiting_not_counted: assert (waits_ok);
        if (aim_valid) aim_in_table: assert (in_table);
        aim_when_counted: assert (aim_valid || table_empty);
        if (aim_begun) begun_is_valid: assert (aim_valid);
        if (last_there && Begins != 0) begun_is_last: assert (aim_begun && aim_pc == last_pc_q);
        // R5: all warps of the chosen PC first
        if (Begins != 0 && issue.valid && last_there) majority_keeps: assert (is_counted && issued.pc == last_pc_q);
        // R6: no PC has fewer
        if (Begins == 0 && aim_valid) minority_least: assert (aim_least);
        if (drain) drained: assert (table_empty && !aim_valid && counted == '0);  // R8
      end
      if (Counts == 0) never_drains: assert (!drain);
      if (rst_ni) begin
        passed_over: cover (issue.valid && its.waits && there[some]);
        long_wait:   cover (chosen && waited_q == Sum'(2));
        four_warps:  cover (used == Threads);
        overflows:   cover (Counts == 0 || (drain && ready != '0));
        works_again: cover (Counts == 0 || (overflowed_q && is_counted && issue.valid));
        other_later: cover (Begins == 0 || Slots == 1 || (issue.valid && is_counted && ready[some] && counted[some] && !equal));
      end
    end
  end
endmodule
