// SPDX-License-Identifier: Apache-2.0
// Issue logic: SystemVerilog twin of issue_logic.h, which states the contract and the timing; rules R1-R8 there. Updates,
// entries and slots of the table are one vector each, the first at the bottom.
module issue_logic (
  input  logic clk_i,
  input  logic rst_ni,
  // What a policy does not look at is not used.
  // verilator lint_off UNUSEDSIGNAL
  input  logic [2*formation_pkg::UpdateBits-1:0] update_i,
  input  logic [2*formation_pkg::PlacementBits-1:0] place_i,
  input  logic [formation_pkg::Lanes-1:0] departed_i,
  // verilator lint_on UNUSEDSIGNAL
  input  formation_pkg::Release release_i,
  input  logic ready_i,
  output formation_pkg::Issue issue_o,
  output logic drain_o,
  output logic idle_o
);
  localparam int Threads = formation_pkg::Threads;
  localparam int IdxBits = formation_pkg::IdxBits;
  localparam int CtaBits = formation_pkg::CtaBits;
  localparam int CountBits = formation_pkg::CountBits;
  localparam int Policy = formation_pkg::Policy;
  localparam int Ages = Policy == formation_pkg::TimeStamp ? 1 : 0;
  localparam int Counts = Policy == formation_pkg::Majority || Policy == formation_pkg::Minority ? 1 : 0;
  localparam int Leaves = 1 << IdxBits;

  // The first entry of a set, by a tree; above it, whether there is one
  function automatic logic [IdxBits:0] first_of(input logic [Threads-1:0] entries);
    logic [Leaves-1:0] any;
    logic [Leaves*IdxBits-1:0] at;
    any = Leaves'(entries);
    at = '0;
    for (int level = 0; level < IdxBits; level++) begin
      for (int n = 0; n < (Leaves >> (level + 1)); n++) begin
        at[n*IdxBits+:IdxBits] = any[2*n] ? at[2*n*IdxBits+:IdxBits]
                                          : at[(2*n+1)*IdxBits+:IdxBits] | IdxBits'(1 << level);
        any[n] = any[2*n] || any[2*n+1];
      end
    end
    first_of = {any[0], at[0+:IdxBits]};
  endfunction

  // R3: the first entry of a set among those `ahead`, from the turn on, else the first of all.
  function automatic logic [IdxBits-1:0] first_in_turn(input logic [Threads-1:0] entries, input logic [Threads-1:0] ahead);
    logic [IdxBits:0] later;
    later = first_of(entries & ahead);
    first_in_turn = later[IdxBits] ? later[IdxBits-1:0] : IdxBits'(first_of(entries));
  endfunction

  // ---- what has come: a warp that opens ----
  // verilator lint_off UNUSEDSIGNAL
  formation_pkg::Update update0, update1;
  formation_pkg::Placement place0, place1;
  // verilator lint_on UNUSEDSIGNAL
  logic [1:0] come, opens, arrival_opens_q, arrival_waits_d, arrival_waits_q, stays, goes_on, fits;
  logic [2*IdxBits-1:0] arrival_idx_q;
  logic [2*CtaBits-1:0] arrival_cta_q;
  always_comb begin : arrive
    update0 = update_i[0+:formation_pkg::UpdateBits];
    update1 = update_i[formation_pkg::UpdateBits+:formation_pkg::UpdateBits];
    place0 = place_i[0+:formation_pkg::PlacementBits];
    place1 = place_i[formation_pkg::PlacementBits+:formation_pkg::PlacementBits];
    come = {update1.req != '0, update0.req != '0};
    opens = {place1.open != '0, place0.open != '0};
    // R6: a release is for those that come in this cycle and those that came in the last one, too.
    arrival_waits_d[0] = opens[0] && update0.waits && !(release_i.valid && release_i.cta == update0.cta);
    arrival_waits_d[1] = opens[1] && update1.waits && !(release_i.valid && release_i.cta == update1.cta);
    for (int k = 0; k < 2; k++) begin
      stays[k] = arrival_waits_q[k] && !(release_i.valid && release_i.cta == arrival_cta_q[k*CtaBits+:CtaBits]);
      goes_on[k] = arrival_opens_q[k] && !stays[k];
    end
  end
  always_ff @(posedge clk_i) begin
    arrival_opens_q <= rst_ni ? opens : '0;
    arrival_waits_q <= rst_ni ? arrival_waits_d : '0;
    arrival_idx_q <= rst_ni ? {opens[1] ? place1.open_idx : IdxBits'(0), opens[0] ? place0.open_idx : IdxBits'(0)} : '0;
    arrival_cta_q <= rst_ni ? {opens[1] ? update1.cta : CtaBits'(0), opens[0] ? update0.cta : CtaBits'(0)} : '0;
  end

  // ---- the pick ----
  logic next_valid_q, next_valid_d, takes, picks, goes_by_order, of_order, any_uncounted, any_order, begun, issues;
  logic [IdxBits-1:0] next_q, next_d, turn_q, first_uncounted, order_first;
  logic [Threads-1:0] held, ahead, enters0, enters1, issued, freed, uncounted_q, uncounted_d, waits_q, waits_d,
      uncounted;
  always_comb begin : show
    issues = next_valid_q && ready_i;  // R1
    issue_o = {issues, issues ? next_q : IdxBits'(0)};
  end

  // R1, R3, R7: what may be picked beside the warp that was picked before. Uncounted warps go before an order that
  // is not begun.
  always_comb begin : look
    takes = !next_valid_q || ready_i;
    held = next_valid_q ? Threads'(1) << next_q : '0;
    issued = issues ? held : '0;
    ahead = {Threads{1'b1}} << turn_q;
    uncounted = uncounted_q & ~held;
    any_uncounted = uncounted != '0;
    first_uncounted = first_in_turn(uncounted, ahead);
    goes_by_order = any_order && (begun || !any_uncounted);
    picks = takes && (any_order || any_uncounted);
    of_order = picks && goes_by_order;
  end

  always_comb begin : pick_next
    next_d = goes_by_order ? order_first : first_uncounted;
    next_valid_d = takes ? picks : next_valid_q;
  end
  always_ff @(posedge clk_i) begin
    next_valid_q <= rst_ni && next_valid_d;
    if (!rst_ni) next_q <= '0;
    else if (takes) next_q <= picks ? next_d : '0;
    if (!rst_ni) turn_q <= '0;
    else if (picks) turn_q <= 32'(next_d) == Threads - 1 ? '0 : next_d + 1'b1;  // R3
  end

  // ---- warps that no order has: they wait at a barrier, or are uncounted ----
  logic [CtaBits-1:0] entry_cta_q [Threads];
  always_comb begin : open_barrier
    for (int i = 0; i < Threads; i++) freed[i] = waits_q[i] && release_i.valid && release_i.cta == entry_cta_q[i];  // R6
  end

  // A warp that has opened waits (R6), is uncounted (R8) or has a slot (R2).
  always_comb begin : enter
    enters0 = arrival_opens_q[0] ? Threads'(1) << arrival_idx_q[0+:IdxBits] : '0;
    enters1 = arrival_opens_q[1] ? Threads'(1) << arrival_idx_q[IdxBits+:IdxBits] : '0;
    waits_d = waits_q & ~freed & ~enters0 & ~enters1;
    uncounted_d = ((uncounted_q & ~issued) | freed) & ~enters0 & ~enters1;
    if (stays[0]) waits_d = waits_d | enters0;
    if (stays[1]) waits_d = waits_d | enters1;
    if (goes_on[0] && !fits[0]) uncounted_d = uncounted_d | enters0;  // R8
    if (goes_on[1] && !fits[1]) uncounted_d = uncounted_d | enters1;
  end
  always_ff @(posedge clk_i) begin
    waits_q <= rst_ni ? waits_d : '0;
    uncounted_q <= rst_ni ? uncounted_d : '0;
    if (arrival_opens_q[0]) entry_cta_q[arrival_idx_q[0+:IdxBits]] <= arrival_cta_q[0+:CtaBits];
    if (arrival_opens_q[1]) entry_cta_q[arrival_idx_q[IdxBits+:IdxBits]] <= arrival_cta_q[CtaBits+:CtaBits];
  end

  logic order_idle;
  always_ff @(posedge clk_i) begin : is_idle
    idle_o <= !rst_ni || (come == '0 && !release_i.valid && arrival_opens_q == '0 && !next_valid_q && !any_uncounted &&
                          !any_order && order_idle);
  end

  // ---- TimeStamp: the order of opening ----
  if (Ages != 0) begin : g_ages
    logic [IdxBits-1:0] order_q [Threads];
    logic [IdxBits-1:0] oldest_q, head_q, head_d, tail_q, tail_d, second;
    logic [CountBits-1:0] length_q;
    logic pops, pushes_one, pushes_two;
    function automatic logic [IdxBits-1:0] after(input logic [IdxBits-1:0] at);
      after = 32'(at) == Threads - 1 ? '0 : at + 1'b1;
    endfunction

    logic [IdxBits-1:0] first_pushed;
    always_comb begin : keep_list
      fits = 2'b11;
      begun = 1'b0;
      any_order = length_q != '0;
      order_first = oldest_q;
      order_idle = 1'b1;
      pops = of_order;
      head_d = pops ? after(head_q) : head_q;
      pushes_one = goes_on != '0;
      pushes_two = goes_on == 2'b11;
      first_pushed = goes_on[0] ? arrival_idx_q[0+:IdxBits] : arrival_idx_q[IdxBits+:IdxBits];
      second = after(tail_q);
      tail_d = pushes_two ? after(second) : pushes_one ? second : tail_q;
    end
    // Write first: what comes into an empty list is its head in the next cycle.
    always_ff @(posedge clk_i) begin
      if (pushes_one) order_q[tail_q] <= first_pushed;
      if (pushes_two) order_q[second] <= arrival_idx_q[IdxBits+:IdxBits];
      oldest_q <= pushes_two && second == head_d ? arrival_idx_q[IdxBits+:IdxBits]
                : pushes_one && tail_q == head_d ? first_pushed : order_q[head_d];
    end
    always_ff @(posedge clk_i) begin
      head_q <= rst_ni ? head_d : '0;
      tail_q <= rst_ni ? tail_d : '0;
      length_q <= rst_ni ? length_q + CountBits'(pushes_one) + CountBits'(pushes_two) - CountBits'(pops) : '0;
    end
    assign drain_o = 1'b0;
  end

  // ---- the others: a table of keys; a warp has the slot of its key ----
  if (Ages == 0) begin : g_table
    localparam int Slots = formation_pkg::Slots;
    localparam int SlotIdBits = Slots > 2 ? $clog2(Slots) : 1;
    localparam int KeyBits = Policy == formation_pkg::PostDominatorPriority ? formation_pkg::DataBits
                                                                           : formation_pkg::PcBits;

    logic [Slots*KeyBits-1:0] key_q, key_d;
    logic [Slots*CountBits-1:0] warps_q, warps_d;  // that may be picked
    logic [Slots*SlotIdBits-1:0] ids;              // of the slots as they stand
    logic [Slots-1:0] in_use, eligible, is_current, best;
    logic [Threads-1:0] counted_q, counted_d, matching;

    // Where the slot of this number stands: they move where threads are counted.
    function automatic logic [Slots-1:0] place_of(input logic [Slots*SlotIdBits-1:0] numbers,
                                                  input logic [SlotIdBits-1:0] id);
      for (int s = 0; s < Slots; s++) place_of[s] = numbers[s*SlotIdBits+:SlotIdBits] == id;
    endfunction

    // The number of the slot at this place.
    function automatic logic [SlotIdBits-1:0] id_of(input logic [Slots*SlotIdBits-1:0] numbers,
                                                    input logic [Slots-1:0] place);
      id_of = '0;
      for (int s = 0; s < Slots; s++) id_of = id_of | (place[s] ? numbers[s*SlotIdBits+:SlotIdBits] : '0);
    endfunction

    // -- first stage: the search, and what the second stage does at this moment --
    logic [1:0] search_known_d, search_known_q, has, allocates;
    logic [2*SlotIdBits-1:0] search_id_d, search_id_q, target;
    logic [2*KeyBits-1:0] key, search_key_q;
    logic same_q;
    assign key = Policy == formation_pkg::PostDominatorPriority ? {KeyBits'(update1.data), KeyBits'(update0.data)}
                                                                : {KeyBits'(update1.pc), KeyBits'(update0.pc)};
    always_comb begin : search
      search_known_d = '0;
      search_id_d = '0;
      for (int k = 0; k < 2; k++) begin
        for (int s = 0; s < Slots; s++) begin
          if (in_use[s] && key_q[s*KeyBits+:KeyBits] == key[k*KeyBits+:KeyBits]) begin
            search_known_d[k] = come[k];
            search_id_d[k*SlotIdBits+:SlotIdBits] = search_id_d[k*SlotIdBits+:SlotIdBits] | ids[s*SlotIdBits+:SlotIdBits];
          end
        end
        for (int j = 0; j < 2; j++) begin
          if (has[j] && search_key_q[j*KeyBits+:KeyBits] == key[k*KeyBits+:KeyBits]) begin
            search_known_d[k] = come[k];
            search_id_d[k*SlotIdBits+:SlotIdBits] = target[j*SlotIdBits+:SlotIdBits];
          end
        end
        if (!come[k]) search_id_d[k*SlotIdBits+:SlotIdBits] = '0;
      end
    end
    always_ff @(posedge clk_i) begin
      search_known_q <= rst_ni ? search_known_d : '0;
      search_id_q <= rst_ni ? search_id_d : '0;
      search_key_q <= rst_ni ? {come[1] ? key[KeyBits+:KeyBits] : KeyBits'(0), come[0] ? key[0+:KeyBits] : KeyBits'(0)}
                           : '0;
      same_q <= rst_ni && come == 2'b11 && key[0+:KeyBits] == key[KeyBits+:KeyBits];
    end

    // -- second stage: the slot of each update; a slot that one of them knows is not free --
    // at0, at1: where it stands, target: its number
    logic [Slots-1:0] knows0, knows1, free, first_free, second_free, takes0, takes1, at0, at1;
    function automatic logic [Slots-1:0] lowest(input logic [Slots-1:0] slots);
      logic [Slots-1:0] upwards;
      upwards = slots;
      for (int by = 1; by < Slots; by = 2 * by) upwards = upwards | (upwards << by);
      lowest = slots & ~(upwards << 1);
    endfunction
    always_comb begin : find
      knows0 = search_known_q[0] ? place_of(ids, search_id_q[0+:SlotIdBits]) : '0;
      knows1 = search_known_q[1] ? place_of(ids, search_id_q[SlotIdBits+:SlotIdBits]) : '0;
      free = ~in_use & ~knows0 & ~knows1;
      first_free = lowest(free);
      second_free = lowest(free & ~first_free);
      allocates[0] = goes_on[0] && !search_known_q[0] && free != '0;
      has[0] = search_known_q[0] || allocates[0];
      at0 = search_known_q[0] ? knows0 : first_free;
      allocates[1] = goes_on[1] && !search_known_q[1] && !(same_q && has[0]) && (allocates[0] ? second_free : free) != '0;
      has[1] = search_known_q[1] || (same_q && has[0]) || allocates[1];
      takes0 = allocates[0] ? first_free : '0;
      takes1 = !allocates[1] ? '0 : allocates[0] ? second_free : first_free;
      at1 = search_known_q[1] ? knows1 : same_q && has[0] ? at0 : allocates[0] ? second_free : first_free;
      fits = has & goes_on;
      target = {id_of(ids, at1), id_of(ids, at0)};
    end

    // R8
    logic drain_q;
    assign drain_o = drain_q;
    always_ff @(posedge clk_i) begin : drains
      drain_q <= rst_ni && (goes_on & ~has) != '0;
    end

    // -- the current PC: a slot by its number --
    logic current_q, current_d;
    logic [SlotIdBits-1:0] current_id_q, current_id_d;
    assign any_order = current_q;
    always_comb begin : choose_current
      is_current = place_of(ids, current_id_q);
      for (int s = 0; s < Slots; s++) begin
        eligible[s] = warps_q[s*CountBits+:CountBits] != '0 &&
                      !(of_order && is_current[s] && warps_q[s*CountBits+:CountBits] == CountBits'(1));
      end
    end
    always_comb begin : name_current
      current_id_d = id_of(ids, best);
      current_d = best != '0;
    end
    always_ff @(posedge clk_i) begin
      current_q <= rst_ni && current_d;
      current_id_q <= rst_ni ? current_id_d : '0;
    end

    // -- the entries: which slot each has; taken off as they are issued --
    logic [SlotIdBits-1:0] entry_slot_q [Threads];
    always_comb begin : first_of_current
      for (int i = 0; i < Threads; i++) matching[i] = counted_q[i] && !held[i] && entry_slot_q[i] == current_id_q;
      order_first = first_in_turn(matching, ahead);
    end
    always_comb begin : count_entries
      counted_d = counted_q & ~issued & ~enters0 & ~enters1;
      if (fits[0]) counted_d = counted_d | enters0;
      if (fits[1]) counted_d = counted_d | enters1;
    end
    always_ff @(posedge clk_i) begin
      counted_q <= rst_ni ? counted_d : '0;
      if (arrival_opens_q[0]) entry_slot_q[arrival_idx_q[0+:IdxBits]] <= target[0+:SlotIdBits];
      if (arrival_opens_q[1]) entry_slot_q[arrival_idx_q[IdxBits+:IdxBits]] <= target[SlotIdBits+:SlotIdBits];
    end

    // -- the slots --
    always_comb begin : give_slots
      for (int s = 0; s < Slots; s++) begin
        warps_d[s*CountBits+:CountBits] =
            warps_q[s*CountBits+:CountBits] + CountBits'(goes_on[0] && knows0[s]) + CountBits'(goes_on[1] && knows1[s]) -
            CountBits'(of_order && is_current[s]);
        if (takes0[s]) warps_d[s*CountBits+:CountBits] = same_q && goes_on[1] ? CountBits'(2) : CountBits'(1);
        if (takes1[s]) warps_d[s*CountBits+:CountBits] = CountBits'(1);
        key_d[s*KeyBits+:KeyBits] = key_q[s*KeyBits+:KeyBits];
        if (takes0[s]) key_d[s*KeyBits+:KeyBits] = search_key_q[0+:KeyBits];
        if (takes1[s]) key_d[s*KeyBits+:KeyBits] = search_key_q[KeyBits+:KeyBits];
      end
    end

    // ---- Majority, Minority: threads of each PC; neighbours change places ----
    if (Counts != 0) begin : g_counts
      localparam int Lanes = formation_pkg::Lanes;
      localparam int ArrivingBits = formation_pkg::ArrivingBits;
      localparam int Begins = Policy == formation_pkg::Majority ? 1 : 0;

      logic [Slots*CountBits-1:0] count_q, count_d;
      logic [Slots*SlotIdBits-1:0] id_of_q;
      logic [Slots-1:0] gone, swaps;  // swaps[s]: with the slot above
      logic phase_q, disorder;
      function automatic logic [ArrivingBits-1:0] arriving_of(input logic [Lanes-1:0] mask);
        arriving_of = '0;
        for (int l = 0; l < Lanes; l++) arriving_of = arriving_of + ArrivingBits'(mask[l]);
      endfunction

      // first stage: whether the threads join a warp that is counted
      logic [1:0] arriving_joins_d, arriving_joins_q;
      logic first_d, first_q;  // the second update joins what the first one opens
      logic [2*ArrivingBits-1:0] arriving_merging_q, arriving_opening_q;
      always_comb begin : count_newcomers
        arriving_joins_d[0] = place0.merge != '0 && 32'(place0.merge_idx) < Threads && counted_q[place0.merge_idx];
        arriving_joins_d[1] = place1.merge != '0 && 32'(place1.merge_idx) < Threads && counted_q[place1.merge_idx];
        for (int j = 0; j < 2; j++) begin
          if (arrival_opens_q[j] && arrival_idx_q[j*IdxBits+:IdxBits] == place0.merge_idx)
            arriving_joins_d[0] = place0.merge != '0 && fits[j];
          if (arrival_opens_q[j] && arrival_idx_q[j*IdxBits+:IdxBits] == place1.merge_idx)
            arriving_joins_d[1] = place1.merge != '0 && fits[j];
        end
        first_d = place1.merge != '0 && opens[0] && place1.merge_idx == place0.open_idx;
        if (first_d) arriving_joins_d[1] = 1'b0;
      end
      always_ff @(posedge clk_i) begin
        arriving_joins_q <= rst_ni ? arriving_joins_d : '0;
        first_q <= rst_ni && first_d;
        arriving_merging_q <= rst_ni ? {arriving_of(place1.merge), arriving_of(place0.merge)} : '0;
        arriving_opening_q <= rst_ni ? {arriving_of(place1.open), arriving_of(place0.open)} : '0;
      end

      // second stage: R4. What has no slot has no place in the table either.
      logic [CountBits-1:0] adds0, adds1, adds_both;
      always_comb begin : add_threads
        adds0 = (arriving_joins_q[0] ? CountBits'(arriving_merging_q[0+:ArrivingBits]) : '0) +
                (goes_on[0] ? CountBits'(arriving_opening_q[0+:ArrivingBits]) : '0);
        adds1 = (arriving_joins_q[1] || (first_q && goes_on[0]) ?
            CountBits'(arriving_merging_q[ArrivingBits+:ArrivingBits]) : '0) +
                (goes_on[1] ? CountBits'(arriving_opening_q[ArrivingBits+:ArrivingBits]) : '0);
        adds_both = adds0 + adds1;
      end

      // What is issued comes off when the pool has shown its lanes.
      logic next_counted_q, departed_q;
      logic [SlotIdBits-1:0] next_id_q, left_id_q, gone_id_q;
      logic [ArrivingBits-1:0] gone_q;
      always_ff @(posedge clk_i) begin : take_off
        if (!rst_ni) next_counted_q <= 1'b0;
        else if (takes) next_counted_q <= of_order;
        if (!rst_ni) next_id_q <= '0;
        else if (takes) next_id_q <= of_order ? current_id_q : '0;
        departed_q <= rst_ni && issues && next_counted_q;
        left_id_q <= rst_ni && issues ? next_id_q : '0;
        gone_q <= rst_ni && departed_q ? arriving_of(departed_i) : '0;
        gone_id_q <= rst_ni ? left_id_q : '0;
      end

      logic [Slots*CountBits-1:0] threads;
      assign ids = id_of_q;
      // R4: threads are counted,
      always_comb begin : count_threads
        gone = place_of(ids, gone_id_q);
        for (int s = 0; s < Slots; s++) begin
          threads[s*CountBits+:CountBits] = count_q[s*CountBits+:CountBits] + (knows0[s] ? adds0 : '0) +
                                            (knows1[s] ? adds1 : '0) - (gone[s] ? CountBits'(gone_q) : '0);
          if (takes0[s]) threads[s*CountBits+:CountBits] = same_q ? adds_both : adds0;
          if (takes1[s]) threads[s*CountBits+:CountBits] = adds1;
        end
      end
      // and of the neighbours that are out of order those change places whose turn it is.
      always_comb begin : find_disorder
        disorder = 1'b0;
        swaps = '0;
        for (int s = 0; s < Slots; s++) begin
          in_use[s] = count_q[s*CountBits+:CountBits] != '0;
          if (s != Slots - 1 && count_q[s*CountBits+:CountBits] < count_q[(s+1)%Slots*CountBits+:CountBits]) begin
            disorder = 1'b1;
            swaps[s] = s[0] == phase_q;
          end
        end
      end
      // R5: Majority takes the first slot with warps, Minority (here the order is turned round) the last. Majority keeps an
      // current PC that is begun until it has no warp left.
      logic has_more, keeps_current;
      always_comb begin : choose_best
        has_more = (eligible & is_current) != '0;
        keeps_current = Begins != 0 && current_q && (begun || of_order) && has_more;
        best = '0;
        if (Begins != 0) best = lowest(eligible);
        else for (int s = 0; s < Slots; s++) if (eligible[s]) best = Slots'(1) << s;
        if (keeps_current) best = is_current;
        order_idle = !disorder && warps_q == '0 && !departed_q && gone_q == '0 && arriving_joins_q == '0 && !first_q;
      end
      if (Begins != 0) begin : g_begins
        logic begun_q;
        assign begun = begun_q;
        always_ff @(posedge clk_i) begin
          begun_q <= rst_ni && keeps_current;
        end
      end else begin : g_anew
        assign begun = 1'b0;
      end

      for (genvar s = 0; s < Slots; s++) begin : g_slot
        // Each slot takes its own, its neighbour's above, or its neighbour's below.
        localparam int Up = (s + 1) % Slots;
        localparam int Down = (s + Slots - 1) % Slots;
        logic from_above, from_below;
        assign from_above = s != Slots - 1 && swaps[s];
        assign from_below = s != 0 && swaps[Down];
        assign count_d[s*CountBits+:CountBits] = from_above ? threads[Up*CountBits+:CountBits]
                                               : from_below ? threads[Down*CountBits+:CountBits]
                                               : threads[s*CountBits+:CountBits];
        always_ff @(posedge clk_i) begin
          count_q[s*CountBits+:CountBits] <= rst_ni ? count_d[s*CountBits+:CountBits] : '0;
          warps_q[s*CountBits+:CountBits] <= !rst_ni ? '0 : from_above ? warps_d[Up*CountBits+:CountBits]
                                           : from_below ? warps_d[Down*CountBits+:CountBits]
                                           : warps_d[s*CountBits+:CountBits];
          key_q[s*KeyBits+:KeyBits] <= !rst_ni ? '0 : from_above ? key_d[Up*KeyBits+:KeyBits]
                                     : from_below ? key_d[Down*KeyBits+:KeyBits] : key_d[s*KeyBits+:KeyBits];
          id_of_q[s*SlotIdBits+:SlotIdBits] <= !rst_ni ? SlotIdBits'(s) : from_above ? ids[Up*SlotIdBits+:SlotIdBits]
                                             : from_below ? ids[Down*SlotIdBits+:SlotIdBits]
                                             : ids[s*SlotIdBits+:SlotIdBits];
        end
      end
      always_ff @(posedge clk_i) begin
        phase_q <= rst_ni && (phase_q ^ disorder);
      end
    end

    // ---- PostDominatorPriority, ProgramCounter: which key is less, for every two slots ----
    if (Counts == 0) begin : g_keys
      logic [Slots*Slots-1:0] less_q, less_d;  // [s*Slots+t]: the key of slot s is less than that of t
      logic [Slots-1:0] less0, less1, row, beaten;
      logic less01;
      assign begun = 1'b0;
      assign order_idle = warps_q == '0;
      always_comb begin : compare_keys
        less01 = search_key_q[0+:KeyBits] < search_key_q[KeyBits+:KeyBits];
        beaten = '0;
        for (int s = 0; s < Slots; s++) begin
          ids[s*SlotIdBits+:SlotIdBits] = SlotIdBits'(s);
          in_use[s] = warps_q[s*CountBits+:CountBits] != '0;
          less0[s] = search_key_q[0+:KeyBits] < key_q[s*KeyBits+:KeyBits];
          less1[s] = search_key_q[KeyBits+:KeyBits] < key_q[s*KeyBits+:KeyBits];
          if (eligible[s]) beaten = beaten | less_q[s*Slots+:Slots];
        end
        best = eligible & ~beaten;
      end
      // A slot that is taken: its key against all others, and theirs against it.
      always_comb begin : order_keys
        for (int s = 0; s < Slots; s++) begin
          row = less_q[s*Slots+:Slots] & ~takes0 & ~takes1;
          if (!less0[s]) row = row | takes0;
          if (!less1[s]) row = row | takes1;
          if (takes0[s]) row = (less0 & ~takes1) | (less01 ? takes1 : '0);
          if (takes1[s]) row = (less1 & ~takes0) | (less01 ? '0 : takes0);
          row[s] = 1'b0;
          less_d[s*Slots+:Slots] = row;
        end
      end
      always_ff @(posedge clk_i) begin
        warps_q <= rst_ni ? warps_d : '0;
        key_q <= rst_ni ? key_d : '0;
        less_q <= rst_ni ? less_d : '0;
      end
    end
  end
endmodule
