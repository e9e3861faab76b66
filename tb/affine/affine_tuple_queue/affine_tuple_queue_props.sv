// SPDX-License-Identifier: Apache-2.0
// Rules R1-R7 of the affine tuple queue, under any inputs and resets, illegal ones included. What the queue should hold
// is kept here from the ports alone, as a list that moves down: for each entry the CTAs that it is still for, its kind,
// and one arbitrary bit of the rest of it (so of every bit). One arbitrary tuple is followed to one arbitrary CTA.
module affine_tuple_queue_props (
  input logic clk_i,
  input logic rst_ni,
  input affine_pkg::Batch batch_i,
  input affine_pkg::Enqueue enqueue_i,
  input logic [affine_pkg::Ctas-1:0] passed_i,
  input logic [affine_pkg::CtaBits-1:0] address_select_i,
  input logic [affine_pkg::CtaBits-1:0] predicate_select_i,
  input affine_pkg::Pop address_pop_i,
  input affine_pkg::Pop predicate_pop_i
);
  localparam int Warps = affine_pkg::Warps;
  localparam int Lanes = affine_pkg::Lanes;
  localparam int Ctas = affine_pkg::Ctas;
  localparam int CtaBits = affine_pkg::CtaBits;
  localparam int WordBits = affine_pkg::WordBits;
  localparam int WarpBits = affine_pkg::WarpBits;
  localparam int ThreadBits = affine_pkg::ThreadBits;
  localparam int Entries = affine_pkg::AtqEntries;
  localparam int BodyBits = affine_pkg::EnqueueBits - 3;
  localparam int CtaRecordBits = affine_pkg::CtaRecordBits;
  localparam int MostCredits = 3;

  logic full;
  logic [1:0] used;
  logic [Ctas-1:0] hold, address_work, predicate_work;
  affine_pkg::Shape shape;
  affine_pkg::Enqueue address_entry, predicate_entry;
  affine_pkg::Cta address_cta, predicate_cta;
  logic idle;
  affine_tuple_queue #(.Formal(1)) i_dut (
    .clk_i, .rst_ni, .batch_i, .enqueue_i, .passed_i, .address_select_i, .predicate_select_i, .address_pop_i,
    .predicate_pop_i, .full_o(full), .used_o(used), .hold_o(hold), .shape_o(shape), .address_work_o(address_work),
    .predicate_work_o(predicate_work), .address_entry_o(address_entry), .address_cta_o(address_cta),
    .predicate_entry_o(predicate_entry), .predicate_cta_o(predicate_cta), .idle_o(idle));
  (* hierconn *) logic [1:0] \i_dut.head_q ;
  (* hierconn *) logic [Ctas-1:0] \i_dut.barrier_q ;
  (* hierconn *) logic [Ctas-1:0] \i_dut.batch_q ;
  (* hierconn *) logic \i_dut.started_q ;
  (* hierconn *) logic [3*Entries-1:0] \i_dut.g_formal.kinds ;
  (* hierconn *) logic [2*Ctas-1:0] \i_dut.places ;
  (* hierconn *) logic [Entries*BodyBits-1:0] \i_dut.g_formal.bodies ;
  (* hierconn *) logic [Ctas*Entries-1:0] \i_dut.g_formal.pending ;
  (* hierconn *) logic [2*Ctas-1:0] \i_dut.g_formal.credits ;
  (* hierconn *) logic [Ctas*CtaRecordBits-1:0] \i_dut.g_formal.ctas ;

  (* anyconst *) logic [$clog2(BodyBits)-1:0] bit_no;      // one arbitrary bit of a tuple
  (* anyconst *) logic [$clog2(CtaRecordBits)-1:0] cta_bit;  // ... and of a CTA's record
  (* anyconst *) logic [CtaBits-1:0] its;                  // one arbitrary CTA
  (* anyseq *) logic watch;                                // at an arbitrary enqueue
  logic started_q = 1'b0;

  // Slots of a CTA, thread by thread; the top bit: some thread has none.
  function automatic logic [Warps:0] slots(input logic [WarpBits-1:0] first, input logic [ThreadBits-1:0] threads);
    slots = '0;
    for (int t = 0; t < 2 ** ThreadBits; t++) begin
      if (ThreadBits'(t) < threads) begin
        for (int w = 0; w < Warps; w++) begin
          if (w >= t / Lanes && first == WarpBits'(w - t / Lanes)) slots[w] = 1'b1;
        end
        if (t / Lanes >= Warps || 32'(first) >= Warps - t / Lanes) slots[Warps] = 1'b1;
      end
    end
  endfunction

  // ---- what the queue should hold ----
  localparam int ItemBits = Ctas + 4;  // CTAs at the bottom, then the kind, then the bit
  logic [Entries*ItemBits-1:0] list_q, list_d;
  logic [2:0] length_q, length_d;
  logic [Ctas-1:0] batch_q, batch_d;
  logic [Ctas*WarpBits-1:0] first_q, first_d;
  logic [Ctas-1:0] cta_bit_q, cta_bit_d;
  logic [2*Ctas-1:0] credit_q, credit_d;
  affine_pkg::Shape shape_q, shape_d;
  logic begun_q, begun_d;
  logic watching_q, watching_d, watch_bit_q;
  logic [2:0] ahead_q, ahead_d, position_q, position_d, watch_kind_q;

  logic [Ctas-1:0] has, served, takers, meets, address_has, predicate_has, at_barrier, left;
  logic [3*Ctas-1:0] oldest;  // where the oldest entry of each CTA stands
  logic [3*Ctas-1:0] kind;    // and what it is
  logic [Ctas-1:0] body;
  logic [BodyBits-1:0] enqueue_body;
  logic [CtaRecordBits-1:0] batch_record;
  logic [Warps:0] reach;
  logic [2:0] credit, before_watched;
  logic [Ctas-1:0] has_credit;
  logic opens, joins, known, enqueues, frees, right_shape;
  always_comb begin
    {has, oldest, kind, body} = '0;
    for (int c = 0; c < Ctas; c++) begin
      for (int i = Entries - 1; i >= 0; i--) begin
        if (i < 32'(length_q) && list_q[i*ItemBits+c]) begin
          has[c] = 1'b1;
          oldest[3*c+:3] = 3'(i);
          kind[3*c+:3] = list_q[i*ItemBits+Ctas+:3];
          body[c] = list_q[i*ItemBits+Ctas+3];
        end
      end
      address_has[c] = has[c] && (kind[3*c+:3] == affine_pkg::KindData || kind[3*c+:3] == affine_pkg::KindAddress);
      predicate_has[c] = has[c] && kind[3*c+:3] == affine_pkg::KindPredicate;
      at_barrier[c] = has[c] && kind[3*c+:3] == affine_pkg::KindBarrier;
    end

    // R1
    reach = slots(batch_i.first_warp, batch_i.op == affine_pkg::BatchOpen ? batch_i.threads : shape_q.threads);
    for (int c = 0; c < Ctas; c++) begin
      meets[c] = batch_q[c] && (slots(first_q[c*WarpBits+:WarpBits], shape_q.threads) & reach) != '0;
      takers[c] = batch_q[c] &&
                  (slots(first_q[c*WarpBits+:WarpBits], shape_q.threads) & {1'b0, enqueue_i.warps}) != '0;  // R2
    end
    right_shape = batch_i.row != '0 && batch_i.rows != '0 && batch_i.plane >= batch_i.row &&
                  batch_i.threads >= batch_i.plane;
    opens = batch_i.op == affine_pkg::BatchOpen && length_q == '0 && right_shape && !reach[Warps];
    joins = batch_i.op == affine_pkg::BatchJoin && !begun_q && shape_q.threads != '0 && !reach[Warps] && meets == '0 &&
            !batch_q[batch_i.cta];
    {batch_d, first_d, cta_bit_d, shape_d} = {batch_q, first_q, cta_bit_q, shape_q};
    batch_record = {batch_i.first_warp, batch_i.index_x, batch_i.index_y, batch_i.index_z};
    if (opens) begin
      batch_d = '0;
      shape_d = {batch_i.row, batch_i.rows, batch_i.plane, batch_i.threads};
    end
    if (opens || joins) begin
      batch_d[batch_i.cta] = 1'b1;
      first_d[32'(batch_i.cta)*WarpBits+:WarpBits] = batch_i.first_warp;
      cta_bit_d[batch_i.cta] = batch_record[cta_bit];
    end

    // R7
    known = enqueue_i.kind == affine_pkg::KindBarrier ||
            (enqueue_i.kind == affine_pkg::KindPredicate && enqueue_i.compare < 10) ||
            (enqueue_i.kind == affine_pkg::KindData && enqueue_i.size < 3) ||
            (enqueue_i.kind == affine_pkg::KindAddress && enqueue_i.size < 3);
    enqueues = known && length_q < Entries && batch_i.op == affine_pkg::BatchNone && takers != '0;
    begun_d = (begun_q || enqueues) && !opens;
    enqueue_body = enqueue_i[BodyBits-1:0];

    // R4, R6
    {served, has_credit} = '0;
    credit_d = credit_q;
    credit = '0;
    for (int c = 0; c < Ctas; c++) begin
      if (address_pop_i.valid && 32'(address_pop_i.cta) == c && address_has[c]) served[c] = 1'b1;
      if (predicate_pop_i.valid && 32'(predicate_pop_i.cta) == c && predicate_has[c]) served[c] = 1'b1;
      credit = 3'(credit_q[2*c+:2]);
      has_credit[c] = credit != '0;
      if (passed_i[c] && batch_q[c] && credit != MostCredits) credit = credit + 3'd1;
      if (at_barrier[c] && credit != '0) begin
        served[c] = 1'b1;
        credit = credit - 3'd1;
      end
      credit_d[2*c+:2] = opens ? '0 : credit[1:0];
    end

    // R4, R5
    list_d = list_q;
    for (int i = 0; i < Entries; i++) begin
      for (int c = 0; c < Ctas; c++) begin
        if (served[c] && 32'(oldest[3*c+:3]) == i) list_d[i*ItemBits+c] = 1'b0;
      end
    end
    left = list_d[0+:Ctas];
    frees = length_q != '0 && left == '0;
    if (frees) list_d = list_d >> ItemBits;
    length_d = length_q - 3'(frees);
    if (enqueues) begin
      for (int i = 0; i < Entries; i++) begin
        if (32'(length_d) == i) list_d[i*ItemBits+:ItemBits] = {enqueue_body[bit_no], enqueue_i.kind, takers};
      end
      length_d = length_d + 3'd1;
    end

    // The tuple that is followed: where it stands, and how many go before it to its CTA.
    before_watched = '0;
    for (int i = 0; i < Entries; i++) begin
      if (i < 32'(length_q) && list_q[i*ItemBits+32'(its)]) before_watched = before_watched + 3'd1;
    end
    {watching_d, ahead_d, position_d} = {watching_q, ahead_q, position_q};
    if (watching_q) begin
      if (served[its] && ahead_q == '0) watching_d = 1'b0;
      if (served[its] && ahead_q != '0) ahead_d = ahead_q - 3'd1;
      if (frees) position_d = position_q - 3'd1;
    end else if (watch && enqueues && takers[its]) begin
      watching_d = 1'b1;
      ahead_d = before_watched - 3'(served[its]);
      position_d = length_q - 3'(frees);
    end
  end

  logic reset_q, refused_q, quiet_q, moved_q;
  localparam int ViewBits = $bits(shape) + 2 * Ctas + 3 + 6 * Ctas + 3 * Entries + Entries * BodyBits + Ctas * Entries +
                            Ctas * CtaRecordBits + 3;
  logic [ViewBits-1:0] view, view_q;
  assign view = {shape, used, full, hold, address_work, predicate_work, \i_dut.head_q , \i_dut.barrier_q , \i_dut.batch_q ,
                 \i_dut.started_q , \i_dut.g_formal.kinds , \i_dut.places , \i_dut.g_formal.bodies , \i_dut.g_formal.pending ,
                 \i_dut.g_formal.credits , \i_dut.g_formal.ctas };
  logic [1:0] last_used_q;  // less an entry that was freed
  logic [4*ThreadBits+3*Ctas-1:0] last_q;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    reset_q <= !rst_ni;
    list_q <= list_d;
    length_q <= rst_ni ? length_d : '0;
    batch_q <= rst_ni ? batch_d : '0;
    begun_q <= rst_ni && begun_d;
    credit_q <= rst_ni ? credit_d : '0;
    shape_q <= rst_ni ? shape_d : '0;
    {first_q, cta_bit_q} <= {first_d, cta_bit_d};
    watching_q <= rst_ni && watching_d;
    {ahead_q, position_q} <= {ahead_d, position_d};
    if (!watching_q) {watch_kind_q, watch_bit_q} <= {enqueue_i.kind, enqueue_body[bit_no]};
    refused_q <= rst_ni && !opens && !joins && !enqueues && served == '0 && passed_i == '0;
    last_used_q <= used - 2'(frees);
    quiet_q <= rst_ni && idle && batch_i.op == '0 && enqueue_i.kind == '0 && passed_i == '0 && !address_pop_i.valid &&
               !predicate_pop_i.valid;
    moved_q <= opens || joins || enqueues || served != '0 || passed_i != '0 || frees;
    view_q <= view;
    last_q <= {shape, hold, address_work, predicate_work};
  end

  // ---- the state of the block ----
  logic ring, blank, in_place, residents, held;
  logic [2:0] item;
  logic [BodyBits-1:0] body_e;
  logic [CtaRecordBits-1:0] record;
  always_comb begin
    {ring, blank, in_place, residents, held} = '1;
    {item, body_e, record} = '0;
    for (int e = 0; e < Entries; e++) begin
      // place e is the entry `item` of the list
      item = 3'(e) - 3'(\i_dut.head_q );
      if (e < 32'(\i_dut.head_q )) item = item + 3'(Entries);
      body_e = \i_dut.g_formal.bodies [e*BodyBits+:BodyBits];
      for (int c = 0; c < Ctas; c++) begin
        if (item >= length_q && \i_dut.g_formal.pending [c*Entries+e]) blank = 1'b0;
        if (has[c] && oldest[3*c+:3] == item && 32'(\i_dut.places [2*c+:2]) != e) in_place = 1'b0;
        if (!has[c] && \i_dut.places [2*c+:2] != '0) in_place = 1'b0;
      end
      for (int i = 0; i < Entries; i++) begin
        if (32'(item) == i && item < length_q) begin
          for (int c = 0; c < Ctas; c++) begin
            if (\i_dut.g_formal.pending [c*Entries+e] != list_q[i*ItemBits+c]) ring = 1'b0;
          end
          if ({body_e[bit_no], \i_dut.g_formal.kinds [3*e+:3]} != list_q[i*ItemBits+Ctas+:4]) ring = 1'b0;
        end
      end
    end
    for (int c = 0; c < Ctas; c++) begin
      record = \i_dut.g_formal.ctas [c*CtaRecordBits+:CtaRecordBits];
      if (batch_q[c] && record[cta_bit] != cta_bit_q[c]) residents = 1'b0;
      if (batch_q[c] && record[3*WordBits+:WarpBits] != first_q[c*WarpBits+:WarpBits]) residents = 1'b0;
      if (hold[c] != (credit_q[2*c+:2] == 2'd3) || (!batch_q[c] && credit_q[2*c+:2] != '0) ||
          (has[c] && !batch_q[c])) held = 1'b0;
    end
  end

  // ---- what the units see ----
  logic [BodyBits-1:0] address_body, predicate_body;
  logic [CtaRecordBits-1:0] address_record, predicate_record;
  logic [4:0] address_sees_d, predicate_sees_d, address_sees_q, predicate_sees_q;
  always_ff @(posedge clk_i) {address_sees_q, predicate_sees_q} <= {address_sees_d, predicate_sees_d};
  logic [2:0] before_its;
  logic items_known, followed, address_right, predicate_right, its_turn;
  always_comb begin
    address_body = address_entry[BodyBits-1:0];
    predicate_body = predicate_entry[BodyBits-1:0];
    address_record = address_cta;
    predicate_record = predicate_cta;
    // The oldest entry, in the cycle before, of the CTA that was selected; no kind when it was not for this unit
    address_right = address_entry.kind == address_sees_q[3:1] &&
                    (address_sees_q[3:1] == affine_pkg::KindNone ||
                     {address_body[bit_no], address_record[cta_bit]} == {address_sees_q[4], address_sees_q[0]});
    predicate_right = predicate_entry.kind == predicate_sees_q[3:1] &&
                      (predicate_sees_q[3:1] == affine_pkg::KindNone ||
                       {predicate_body[bit_no], predicate_record[cta_bit]} == {predicate_sees_q[4], predicate_sees_q[0]});
    {address_sees_d, predicate_sees_d} = '0;
    for (int c = 0; c < Ctas; c++) begin
      if (rst_ni && 32'(address_select_i) == c && address_has[c]) address_sees_d = {body[c], kind[3*c+:3], cta_bit_q[c]};
      if (rst_ni && 32'(predicate_select_i) == c && predicate_has[c]) begin
        predicate_sees_d = {body[c], kind[3*c+:3], cta_bit_q[c]};
      end
    end
    items_known = 1'b1;
    for (int i = 0; i < Entries; i++) begin
      if (i < 32'(length_q) && (list_q[i*ItemBits+Ctas+:3] == affine_pkg::KindNone ||
                                list_q[i*ItemBits+Ctas+:3] > affine_pkg::KindBarrier)) items_known = 1'b0;
    end
    // rank of the tuple that is followed among those of its CTA
    before_its = '0;
    for (int i = 0; i < Entries; i++) begin
      if (i < 32'(position_q) && list_q[i*ItemBits+32'(its)]) before_its = before_its + 3'd1;
    end
    followed = 1'b0;
    its_turn = 1'b1;
    for (int c = 0; c < Ctas; c++) begin
      if (32'(its) == c && {body[c], kind[3*c+:3]} != {watch_bit_q, watch_kind_q}) its_turn = 1'b0;
    end
    for (int i = 0; i < Entries; i++) begin
      if (i < 32'(length_q) && 32'(position_q) == i && list_q[i*ItemBits+32'(its)] && before_its == ahead_q &&
          list_q[i*ItemBits+Ctas+:4] == {watch_bit_q, watch_kind_q}) followed = 1'b1;
    end
  end

  always_comb begin
    if (!started_q) assume (!rst_ni);
    // Which bit and CTA are looked at; the inputs are any at all.
    assume (32'(bit_no) < BodyBits && 32'(cta_bit) < CtaRecordBits && 32'(its) < Ctas);
    if (started_q) begin
      // the state of the block
      as_many_as_listed: assert (used == length_q && full == (length_q == Entries) && length_q <= Entries);
      head_in_range:     assert (\i_dut.head_q < Entries);
      ring_is_the_list:  assert (ring);
      blank_outside:     assert (blank);
      places_are_oldest: assert (in_place);
      batch_as_entered:  assert (\i_dut.batch_q == batch_q && \i_dut.started_q == begun_q && residents);
      credits_as_passed: assert (\i_dut.g_formal.credits == credit_q && \i_dut.barrier_q == at_barrier);
      kinds_are_known:   assert (items_known);
      // R1, R6
      shape_of_batch:    assert (shape == shape_q);
      held_when_ahead:   assert (held);
      // R3: what each unit sees is the oldest tuple of a CTA.
      work_by_kind:      assert (address_work == address_has && predicate_work == predicate_has);
      one_unit_each:     assert ((address_work & predicate_work) == '0);
      no_work_at_a_barrier: assert (((address_work | predicate_work) & at_barrier) == '0);
      address_sees:      assert (address_right);
      predicate_sees:    assert (predicate_right);
      // R4, R5: once, in its turn, and in the queue until then
      if (watching_q) stays_until_served: assert (followed);
      if (watching_q && ahead_q == '0) served_in_turn: assert (its_turn);
      if (frees) never_freed_before: assert (!(watching_q && watching_d && position_q == '0));
      // R7
      if (refused_q) refused_without_effect: assert (
        {used, shape, hold, address_work, predicate_work} == {last_used_q, last_q});
      if (reset_q) empty_after_reset: assert ({used, full, hold, address_work, predicate_work, shape} == '0 && idle);
      if (quiet_q) idle_stays: assert (view == view_q && idle);
      idle_means: assert (!idle || ((length_q == '0 || list_q[0+:Ctas] != '0) && (at_barrier & has_credit) == '0));
      if (!moved_q) idle_comes: assert (idle);

      both_and_enqueue: cover (rst_ni && served == '1 && enqueues && at_barrier == '0);
      one_waits:        cover (at_barrier == 2'b01 && address_work == 2'b10 && batch_q == '1);
      leave_together:   cover (rst_ni && at_barrier == '1 && served == '1);
      followed_to_end:  cover (rst_ni && watching_q && ahead_q == '0 && position_q != '0 && served[its]);
      next_batch:       cover (rst_ni && opens && begun_q && credit_q != '0);
    end
  end
endmodule
