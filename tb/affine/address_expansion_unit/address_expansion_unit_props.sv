// SPDX-License-Identifier: Apache-2.0
// What the address expansion unit promises for one arbitrary CTA with an arbitrary tuple in an arbitrary block, beside
// other CTAs that do as they like, and under any back-pressure. Assumed of the queue: a CTA's tuple stays until its pop.
// That the tuple never changes from one pop to the next costs nothing: the invariants of a start assume no past.
module address_expansion_unit_props (
  input logic clk_i,
  input logic rst_ni,
  input logic [affine_pkg::Ctas-1:0] work_i,
  input affine_pkg::Enqueue entry_i,
  input affine_pkg::Cta cta_i,
  input affine_pkg::Shape shape_i,
  input logic accept_i
);
  localparam int Warps = affine_pkg::Warps;
  localparam int Lanes = affine_pkg::Lanes;
  localparam int Threads = Warps * Lanes;
  localparam int Ctas = affine_pkg::Ctas;
  localparam int WordBits = affine_pkg::WordBits;
  localparam int LaneBits = affine_pkg::LaneBits;
  localparam int WarpBits = affine_pkg::WarpBits;
  localparam int CtaBits = affine_pkg::CtaBits;
  localparam int ThreadBits = affine_pkg::ThreadBits;
  localparam int RegionBits = affine_pkg::RegionBits;
  localparam int CountBits = LaneBits + 1;
  localparam int SlotBits = WarpBits + LaneBits;
  localparam int SavedBits = 3 * WordBits + 2 * LaneBits + WarpBits + 3 * ThreadBits;
  localparam int FormBits = LaneBits + 3;
  localparam int RunBits = 4 + 2 * CountBits;
  localparam int SegmentBits = 2 + 2 * CountBits;
  localparam int StandBits = SavedBits - 2 * WordBits;

  // Phases, and the records that the unit keeps
  localparam logic [2:0] Idle = 3'd0;
  localparam logic [2:0] Begin = 3'd1;
  localparam logic [2:0] BlockX = 3'd2;
  localparam logic [2:0] BlockY = 3'd3;
  localparam logic [2:0] BlockZ = 3'd4;
  localparam logic [2:0] Row = 3'd5;
  localparam logic [2:0] Plane = 3'd6;
  localparam logic [2:0] Walk = 3'd7;
  typedef struct packed {
    logic closed;
    logic [1:0] order;
    logic [LaneBits-1:0] shift;
  } Form;
  typedef struct packed {
    logic valid;
    logic dead;
    logic row_ends;
    logic plane_ends;
    logic [CountBits-1:0] left;
    logic [CountBits-1:0] existing;
  } Run;
  typedef struct packed {
    logic valid;
    logic dead;
    logic [CountBits-1:0] count;
    logic [CountBits-1:0] existing;
  } Segment;
  typedef struct packed {
    logic [WordBits-1:0] value;
    logic [LaneBits-1:0] lane;
    logic [WarpBits-1:0] warp;
    logic [LaneBits-1:0] first;
    logic [ThreadBits-1:0] row_left;
    logic [ThreadBits-1:0] plane_left;
    logic [ThreadBits-1:0] cta_left;
  } Stand;
  typedef struct packed {
    logic [WordBits-1:0] value;
    logic [WordBits-1:0] row;
    logic [WordBits-1:0] plane;
    logic [LaneBits-1:0] lane;
    logic [WarpBits-1:0] warp;
    logic [LaneBits-1:0] first;
    logic [ThreadBits-1:0] row_left;
    logic [ThreadBits-1:0] plane_left;
    logic [ThreadBits-1:0] cta_left;
  } Saved;

  logic [CtaBits-1:0] select;
  affine_pkg::AddressOffer offer;
  affine_pkg::Pop pop;
  affine_pkg::AddressEvent happened;
  logic idle;
  address_expansion_unit #(.Formal(1)) i_dut (
    .clk_i, .rst_ni, .work_i, .entry_i, .cta_i, .shape_i, .accept_i,
    .select_o(select), .offer_o(offer), .pop_o(pop), .event_o(happened), .idle_o(idle)
  );
  (* hierconn *) logic [Ctas*SavedBits-1:0] \i_dut.g_formal.saved_of ;
  (* hierconn *) logic [Ctas-1:0] \i_dut.is_saved_q ;
  (* hierconn *) logic [SavedBits-1:0] \i_dut.saved_word_q ;
  (* hierconn *) logic [2:0] \i_dut.phase_q ;
  (* hierconn *) logic [affine_pkg::ProductBits-1:0] \i_dut.product_q ;
  (* hierconn *) logic [FormBits-1:0] \i_dut.form_q ;
  (* hierconn *) logic [Lanes-1:0] \i_dut.lanes_q ;
  (* hierconn *) logic [2*WordBits-1:0] \i_dut.adjust_q ;
  (* hierconn *) logic [affine_pkg::WalkBits-1:0] \i_dut.walk_q ;
  (* hierconn *) logic [LaneBits-1:0] \i_dut.from_q ;
  (* hierconn *) logic [RunBits-1:0] \i_dut.run_q ;
  (* hierconn *) logic [StandBits-1:0] \i_dut.run_at_q ;
  (* hierconn *) logic [SegmentBits-1:0] \i_dut.segment_q ;
  (* hierconn *) logic [StandBits-1:0] \i_dut.segment_at_q ;
  (* hierconn *) logic [StandBits-1:0] \i_dut.offer_at_q ;

  // ---- one CTA, its tuple and the shape of all, one of its threads and a lane ----
  (* anyconst *) logic [CtaBits-1:0] c;
  (* anyconst *) affine_pkg::Enqueue tuple;
  (* anyconst *) affine_pkg::Cta cta;
  (* anyconst *) affine_pkg::Shape shape;
  (* anyconst *) logic [ThreadBits-1:0] thread;
  (* anyconst *) logic [LaneBits-1:0] lane;
  logic started_q = 1'b0;

  // ---- what each thread means: the value of the one before, a step in x, and what a row and a plane add that end ----
  logic [WordBits-1:0] start_x, start_y, start_z, adjust_row, adjust_plane;
  logic rows, planes, by_row, by_plane, down, closed;
  logic [WordBits-1:0] distance, grown;
  logic [ThreadBits-1:0] x, y, z, ended_rows, its_x, its_y, its_z, its_ended_rows;
  // of each thread, and past the last one: its value, threads to the end of the row and of the plane
  logic [(Threads+1)*WordBits-1:0] values;
  logic [(Threads+1)*ThreadBits-1:0] row_at, plane_at;
  always_comb begin
    start_x = tuple.base + cta.index_x * tuple.block_x;
    start_y = start_x + cta.index_y * tuple.block_y;
    start_z = start_y + cta.index_z * tuple.block_z;
    rows = shape.threads != shape.row;
    planes = shape.threads != shape.plane;
    adjust_row = rows ? tuple.offset_y + ('0 - WordBits'(shape.row)) * tuple.offset_x : '0;
    adjust_plane = planes ? tuple.offset_z + ('0 - WordBits'(shape.rows)) * tuple.offset_y : '0;
    {x, y, z, ended_rows} = '0;
    {its_x, its_y, its_z, its_ended_rows} = '0;
    grown = start_z;
    for (int t = 0; t <= Threads; t++) begin
      values[t*WordBits+:WordBits] = grown;
      row_at[t*ThreadBits+:ThreadBits] = shape.row - x;
      plane_at[t*ThreadBits+:ThreadBits] = shape.plane - y * shape.row - x;
      if (thread == t) {its_x, its_y, its_z, its_ended_rows} = {x, y, z, ended_rows};
      x = x + 1'b1;
      grown = grown + tuple.offset_x;
      if (x == shape.row) begin
        x = '0;
        y = y + 1'b1;
        ended_rows = ended_rows + 1'b1;
        grown = grown + adjust_row;
      end
      if (y == shape.rows) begin
        y = '0;
        z = z + 1'b1;
        grown = grown + adjust_plane;
      end
    end
    by_row = adjust_row != '0;
    by_plane = adjust_plane != '0;
    down = tuple.offset_x[WordBits-1];
    distance = (down ? '0 - tuple.offset_x : tuple.offset_x) >> tuple.size;
    closed = (distance << tuple.size) == (down ? '0 - tuple.offset_x : tuple.offset_x) && 32'(distance) < Lanes &&
             (distance & (distance - 1'b1)) == '0;
  end

  // ---- the state of this CTA ----
  logic here, is_saved;
  logic [2:0] phase;
  affine_pkg::Product product;
  Form form;
  logic [Lanes-1:0] lanes;
  logic [2*WordBits-1:0] adjust;
  affine_pkg::Walk walk;
  logic [LaneBits-1:0] from;
  Run run;
  Stand run_at, segment_at, offer_at, saved_at;
  Segment segment;
  Saved saved, word;
  always_comb begin
    here = select == c;
    is_saved = \i_dut.is_saved_q [c];
    saved = \i_dut.g_formal.saved_of [c*SavedBits+:SavedBits];
    word = \i_dut.saved_word_q ;
    phase = here ? \i_dut.phase_q : Idle;
    product = \i_dut.product_q ;
    form = \i_dut.form_q ;
    lanes = \i_dut.lanes_q ;
    adjust = \i_dut.adjust_q ;
    walk = \i_dut.walk_q ;
    from = \i_dut.from_q ;
    run = \i_dut.run_q ;
    run_at = \i_dut.run_at_q ;
    segment = \i_dut.segment_q ;
    segment_at = \i_dut.segment_at_q ;
    offer_at = \i_dut.offer_at_q ;
    saved_at = {saved.value, saved.lane, saved.warp, saved.first, saved.row_left, saved.plane_left, saved.cta_left};
  end

  // The number of a thread in its CTA
  function automatic logic [ThreadBits-1:0] number(input logic [WarpBits-1:0] warp, input logic [LaneBits-1:0] in_lane,
                                                   input logic [WarpBits-1:0] first_warp);
    logic [SlotBits-1:0] slot;
    slot = {warp, in_lane} - {first_warp, {LaneBits{1'b0}}};
    number = ThreadBits'(slot);
  endfunction

  // Where the stages are: the walk, the next thread of the run, of the segment, of the record on offer, and the end of
  // that. They follow one another without a gap.
  logic [ThreadBits-1:0] at, at_run, at_segment, at_offer, at_saved, end_offer, front;
  logic [ThreadBits-1:0] row_here, plane_here;
  always_comb begin
    at = shape.threads - walk.cta_left;
    at_run = run.valid ? at - ThreadBits'(run.left) : at + ThreadBits'(from) - ThreadBits'(walk.lane);
    at_segment = number(segment_at.warp, segment_at.lane, cta.first_warp);
    at_offer = number(offer_at.warp, offer_at.lane, cta.first_warp);
    at_saved = number(saved.warp, saved.lane, cta.first_warp);
    end_offer = segment.valid ? at_segment : at_run;
    front = offer.valid ? at_offer : end_offer;
    row_here = row_at[at*ThreadBits+:ThreadBits];
    plane_here = plane_at[at*ThreadBits+:ThreadBits];
  end

  // A stand of this CTA: its value is that of its thread, and the run that begins where it says has that thread in it.
  logic [ThreadBits-1:0] begins_run, begins_segment, begins_offer, begins_saved;
  logic [ThreadBits-1:0] length_run, length_segment, length_offer, length_saved;
  assign begins_run = number(run_at.warp, run_at.first, cta.first_warp);
  assign begins_segment = number(segment_at.warp, segment_at.first, cta.first_warp);
  assign begins_offer = number(offer_at.warp, offer_at.first, cta.first_warp);
  assign begins_saved = number(saved_at.warp, saved_at.first, cta.first_warp);
  assign length_run = affine_pkg::walk_run(run_at.first, run_at.row_left, run_at.plane_left, run_at.cta_left, by_row,
                                           by_plane);
  assign length_segment = affine_pkg::walk_run(segment_at.first, segment_at.row_left, segment_at.plane_left,
                                               segment_at.cta_left, by_row, by_plane);
  assign length_offer = affine_pkg::walk_run(offer_at.first, offer_at.row_left, offer_at.plane_left, offer_at.cta_left,
                                             by_row, by_plane);
  assign length_saved = affine_pkg::walk_run(saved_at.first, saved_at.row_left, saved_at.plane_left, saved_at.cta_left,
                                             by_row, by_plane);
  function automatic logic stands(
      input logic [ThreadBits-1:0] t, input logic [ThreadBits-1:0] begins, input logic [ThreadBits-1:0] length,
      input logic [ThreadBits-1:0] row_left, input logic [ThreadBits-1:0] row, input logic row_counts,
      input logic [ThreadBits-1:0] plane_left, input logic [ThreadBits-1:0] plane, input logic plane_counts,
      input logic [ThreadBits-1:0] cta_left, input logic [ThreadBits-1:0] threads);
    stands = begins <= t && t < threads && t - begins < length && cta_left == threads - begins &&
             (!row_counts || row_left == row) && (!plane_counts || plane_left == plane);
  endfunction
  logic stands_run, stands_segment, stands_offer, stands_saved;
  always_comb begin
    stands_segment = stands(at_segment, begins_segment, length_segment, segment_at.row_left,
                            row_at[begins_segment*ThreadBits+:ThreadBits], by_row, segment_at.plane_left,
                            plane_at[begins_segment*ThreadBits+:ThreadBits], by_plane, segment_at.cta_left,
                            shape.threads) && segment_at.value == values[at_segment*WordBits+:WordBits];
    stands_offer = stands(at_offer, begins_offer, length_offer, offer_at.row_left,
                          row_at[begins_offer*ThreadBits+:ThreadBits], by_row, offer_at.plane_left,
                          plane_at[begins_offer*ThreadBits+:ThreadBits], by_plane, offer_at.cta_left,
                          shape.threads) && offer_at.value == values[at_offer*WordBits+:WordBits];
    stands_saved = stands(at_saved, begins_saved, length_saved, saved_at.row_left,
                          row_at[begins_saved*ThreadBits+:ThreadBits], by_row, saved_at.plane_left,
                          plane_at[begins_saved*ThreadBits+:ThreadBits], by_plane, saved_at.cta_left,
                          shape.threads) && saved_at.value == values[at_saved*WordBits+:WordBits] &&
                   saved.row == adjust_row && saved.plane == adjust_plane;
    stands_run = begins_run < at && length_run == at - begins_run && ThreadBits'(run.left) <= length_run &&
                 run_at.cta_left == shape.threads - begins_run &&
                 (!by_row || run_at.row_left == row_at[begins_run*ThreadBits+:ThreadBits]) &&
                 (!by_plane || run_at.plane_left == plane_at[begins_run*ThreadBits+:ThreadBits]) &&
                 (run.left == '0 || (number(run_at.warp, run_at.lane, cta.first_warp) == at_run &&
                                     run_at.value == values[at_run*WordBits+:WordBits]));
  end

  // What is left of a product
  logic [WordBits-1:0] remains, first_row, first_plane;
  always_comb begin
    remains = (product.factor + WordBits'(product.carry)) * product.term;
    first_row = rows ? tuple.offset_y : '0;
    first_plane = planes ? tuple.offset_z : '0;
  end

  // Threads of a warp of the CTA
  function automatic logic [CountBits-1:0] existing(input logic [WarpBits-1:0] warp,
                                                    input logic [WarpBits-1:0] first_warp,
                                                    input logic [ThreadBits-1:0] threads);
    logic [ThreadBits-1:0] before;
    before = ThreadBits'(WarpBits'(warp - first_warp)) << LaneBits;
    existing = threads - before < ThreadBits'(Lanes) ? CountBits'(threads - before) : CountBits'(Lanes);
  endfunction

  // ---- the record on offer, read back for one lane ----
  logic mine, thread_live;
  logic [LaneBits:0] rank, bits, unit;
  logic [ThreadBits-1:0] lane_thread;
  logic [WordBits-1:0] lane_value, read, walked, next_value, segment_walked, segment_next;
  logic in_region, segment_in_region;
  logic [Lanes-1:0] served, behind;
  always_comb begin
    mine = offer.valid && here;
    // the rank of the lane among those of the record, and the unit of that rank
    rank = '0;
    bits = '0;
    for (int l = 0; l < Lanes; l++) begin
      if (l < lane) rank = rank + (LaneBits+1)'(offer.lanes[l]);
      bits = bits + (LaneBits+1)'(offer.mask[l]);
    end
    if (offer.order == affine_pkg::OrderDown) rank = bits - 1'b1 - rank;
    if (offer.order == affine_pkg::OrderSame) rank = '0;
    unit = '0;
    for (int u = Lanes - 1; u >= 0; u--) begin
      if (offer.mask[u]) begin
        bits = '0;
        for (int v = 0; v < u; v++) bits = bits + (LaneBits+1)'(offer.mask[v]);
        if (bits == rank) unit = (LaneBits+1)'(u);
      end
    end
    read = {offer.region, {LaneBits{1'b0}}} + (WordBits'(unit) << offer.size);

    lane_thread = at_offer + ThreadBits'(lane) - ThreadBits'(offer_at.lane);
    lane_value = values[lane_thread*WordBits+:WordBits];
    in_region = 1'b1;
    walked = offer_at.value;
    segment_in_region = 1'b1;
    segment_walked = segment_at.value;
    for (int l = 0; l < Lanes; l++) begin
      if (ThreadBits'(l) < end_offer - at_offer && walked >> (32'(tuple.size) + LaneBits) !=
                                            WordBits'(offer.region >> tuple.size)) in_region = 1'b0;
      walked = walked + tuple.offset_x;
      if (CountBits'(l) < segment.count && segment_walked >> (32'(tuple.size) + LaneBits) !=
                                           segment_at.value >> (32'(tuple.size) + LaneBits)) segment_in_region = 1'b0;
      segment_walked = segment_walked + tuple.offset_x;
    end
    next_value = values[end_offer*WordBits+:WordBits];
    segment_next = values[at_run*WordBits+:WordBits];
    served = '0;
    behind = '0;
    for (int l = 0; l < Lanes; l++) begin
      if (tuple.lanes[l] && tuple.warps[offer_at.warp] && l >= offer_at.lane) begin
        served[l] = 32'(at_offer) + l - 32'(offer_at.lane) < 32'(end_offer);
        behind[l] = !served[l] && 32'(at_offer) + l - 32'(offer_at.lane) < 32'(shape.threads);
      end
    end
    thread_live = thread < shape.threads && tuple.lanes[thread[LaneBits-1:0]] &&
                  tuple.warps[cta.first_warp + WarpBits'(thread >> LaneBits)];
  end

  // ---- the past ----
  logic served_q, reset_q, acted_q, refused_q, alone_q, work_q, shown_q;
  logic [CtaBits-1:0] select_q;
  affine_pkg::AddressOffer offer_q;
  logic [11:0] left, left_q;  // steps to the end of this tuple, at most
  logic serves, ends_row, ends_plane;
  localparam int ViewBits = SavedBits + Ctas + 3 + $bits(product) + $bits(form) + Lanes + 2 * WordBits + $bits(walk) +
                            LaneBits + $bits(run) + $bits(segment) + 3 * $bits(run_at) + CtaBits + $bits(offer) +
                            $bits(pop) + $bits(happened);
  logic [ViewBits-1:0] view, view_q;
  logic quiet_q, blank_q, blank_twice_q;
  assign view = {word, \i_dut.is_saved_q , \i_dut.phase_q , product, form, lanes, adjust, walk, from, run, segment,
                 run_at, segment_at, offer_at, select, offer, pop, happened};
  always_comb begin
    // the thread is in the record that is taken
    serves = mine && accept_i && thread >= at_offer && thread < end_offer && offer.lanes[thread[LaneBits-1:0]];
    ends_row = by_row && row_here == shape.row && at < shape.threads;
    ends_plane = by_plane && plane_here == shape.plane && at < shape.threads;
    case (phase)
      Idle: left = 12'd2048;
      Begin: left = 12'd1024;
      Walk: left = 12'(walk.cta_left) * 12'd32 + 12'(run.left) * 12'd8 + 12'(run.row_ends) * 12'd2 +
                   12'(run.plane_ends) * 12'd2 + 12'(segment.valid);
      default: left = 12'd512 + 12'(Walk - phase) * 12'd64 + 12'({product.factor, product.carry});
    endcase
  end
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    reset_q <= !rst_ni;
    work_q <= rst_ni && work_i[c] && !(pop.valid && pop.cta == c);
    shown_q <= rst_ni && here && work_i[c] && !(pop.valid && pop.cta == c);
    select_q <= select;
    view_q <= view;
    quiet_q <= rst_ni && idle && work_i == '0 && !accept_i;
    blank_q <= work_i == '0;
    blank_twice_q <= work_i == '0 && blank_q;
    offer_q <= offer;
    left_q <= left;
    // it had a cycle for this CTA, and nothing stood in its way
    acted_q <= rst_ni && here && work_i[c] && !(pop.valid && pop.cta == c) && (!offer.valid || accept_i);
    refused_q <= rst_ni && offer.valid && !accept_i;
    alone_q <= (work_i & ~(Ctas'(1) << select) & ~(Ctas'(pop.valid) << pop.cta)) == '0;
    if (!rst_ni || (pop.valid && pop.cta == c)) served_q <= 1'b0;
    else if (serves) served_q <= 1'b1;
  end

  always_comb begin
    if (!started_q) assume (!rst_ni);
    // Inputs only. A legal tuple of addresses, in a CTA that exists: of other CTAs nothing is assumed, so they may show
    // illegal ones beside it. What the unit does with an illegal one of its own is in the bench (refused, illegal tuple).
    assume (tuple.kind == affine_pkg::KindData || tuple.kind == affine_pkg::KindAddress);
    assume (tuple.size <= affine_pkg::SizeWord);
    assume (shape.row != '0 && shape.rows != '0 && shape.threads != '0 && 32'(shape.threads) <= Warps * Lanes);
    assume (32'(shape.row) * 32'(shape.rows) == 32'(shape.plane) && shape.threads % shape.plane == '0);
    assume (32'(cta.first_warp) * Lanes + 32'(shape.threads) <= Warps * Lanes);
    assume (32'(thread) < Warps * Lanes);
    // What the queue answers (affine_tuple_queue_props: address_sees, stays_until_served, shape_of_batch). A tuple that
    // goes before it is done is refused, in the bench (refused).
    if (started_q && shown_q) assume (entry_i == tuple && cta_i == cta);
    assume (shape_i == shape);
    if (started_q && work_q) assume (work_i[c]);

    // The value of a thread is start + thread offset_x + ended_rows adjust_row + z adjust_plane. With the adjustments
    // put in, offset_x stands there as often as threadIdx.x says, and offset_y as often as threadIdx.y. Nothing here
    // changes, so the first cycle is enough.
    if (!started_q && thread < shape.threads) begin
      index_of_x: assert (32'(thread) == 32'(its_x) + 32'(its_ended_rows) * 32'(shape.row));
      index_of_y: assert (32'(its_ended_rows) == 32'(its_y) + 32'(its_z) * 32'(shape.rows));
    end
    if (started_q) begin
      blank_after_reset: assert (!reset_q || (!offer.valid && !pop.valid && \i_dut.phase_q == Idle &&
                                              \i_dut.is_saved_q == '0 && happened == '0 && idle));
      busy_is_shown:  assert (phase == Idle || shown_q);
      shown_has_work: assert (!shown_q || work_q);
      saved_has_work: assert (!is_saved || work_q);
      empty_stages:   assert (\i_dut.phase_q == Walk || ({run, segment} == '0 && !offer.valid));
      // ---- R2, R3: the start ----
      start_walk:     assert (phase <= Begin || phase == Walk ||
                              (walk == {cta.first_warp, {LaneBits{1'b0}}, shape.row, shape.plane, shape.threads} &&
                               from == '0));
      start_of_x:     assert (phase != BlockX || run_at.value + remains == start_x);
      start_of_y:     assert (phase != BlockY || run_at.value + remains == start_y);
      start_of_z:     assert (phase != BlockZ || run_at.value + remains == start_z);
      start_found:    assert ((phase != Row && phase != Plane) || run_at.value == start_z);
      no_adjustments: assert (phase < BlockX || phase > BlockZ || adjust == {first_row, first_plane});
      row_first:      assert (phase != Row || (adjust[WordBits+:WordBits] - remains == adjust_row &&
                                               adjust[0+:WordBits] == first_plane));
      then_plane:     assert (phase != Plane || (adjust[WordBits+:WordBits] == adjust_row &&
                                                 adjust[0+:WordBits] - remains == adjust_plane));
      only_if_needed: assert ((phase != Row || rows) && (phase != Plane || planes));
      form_of_tuple:  assert (phase <= Begin || (form.closed == closed && lanes == tuple.lanes &&
                              form.order == (tuple.offset_x == '0 ? affine_pkg::OrderSame : closed && down ?
                                             affine_pkg::OrderDown : affine_pkg::OrderUp)));
      form_distance:  assert (phase <= Begin || (closed && tuple.offset_x != '0 ?
                              WordBits'(1) << form.shift == distance && 32'(form.shift) < LaneBits : form.shift == '0));
      // ---- R4, R5: the stages ----
      adjustments:    assert (phase != Walk || adjust == {adjust_row, adjust_plane});
      walk_position:  assert (phase != Walk || (at <= shape.threads && number(walk.warp, walk.lane, cta.first_warp) ==
                                                ThreadBits'(at[SlotBits-1:0])));
      walk_row:       assert (phase != Walk || !by_row || walk.row_left == row_here);
      walk_plane:     assert (phase != Walk || !by_plane || walk.plane_left == plane_here);
      walk_from:      assert (phase != Walk || from == walk.lane ||
                              (!run.valid && !segment.valid && !offer.valid && from > walk.lane && at < shape.threads &&
                               ThreadBits'(from) - ThreadBits'(walk.lane) <
                               affine_pkg::walk_run(walk.lane, walk.row_left, walk.plane_left, walk.cta_left, by_row,
                                                    by_plane)));
      value_between:  assert (phase != Walk || run.valid || at_run >= shape.threads ||
                              run_at.value == values[at_run*WordBits+:WordBits]);
      blank_run:      assert (run.valid || run == '0);
      run_stands:     assert (phase != Walk || !run.valid || stands_run);
      run_goes_on:    assert (phase != Walk || !run.valid || run.left == '0 ||
                              (run.row_ends == ends_row && run.plane_ends == ends_plane));
      run_ends:       assert (phase != Walk || !run.valid || run.left != '0 ||
                              ((run.row_ends || run.plane_ends) && (!run.row_ends || ends_row) &&
                               run.plane_ends == ends_plane && run_at.value + (run.row_ends ? adjust_row : '0) +
                               (run.plane_ends ? adjust_plane : '0) == values[at*WordBits+:WordBits]));
      run_for_warp:   assert (phase != Walk || !run.valid || (run.dead == !tuple.warps[run_at.warp] &&
                              run.existing == existing(run_at.warp, cta.first_warp, shape.threads)));
      segment_stands: assert (phase != Walk || !segment.valid || (stands_segment && segment.count != '0 &&
                              at_segment + ThreadBits'(segment.count) == at_run &&
                              at_run <= begins_segment + length_segment));
      segment_warp:   assert (phase != Walk || !segment.valid || (segment.dead == !tuple.warps[segment_at.warp] &&
                              segment.existing == existing(segment_at.warp, cta.first_warp, shape.threads)));
      segment_region: assert (phase != Walk || !segment.valid || segment.dead || segment_in_region);
      segment_single: assert (phase != Walk || !segment.valid || segment.dead || closed || segment.count == 1'b1);
      segment_whole:  assert (phase != Walk || !segment.valid || segment.dead || !closed ||
                              at_run == begins_segment + length_segment ||
                              segment_next >> (32'(tuple.size) + LaneBits) !=
                              segment_at.value >> (32'(tuple.size) + LaneBits));
      offer_stands:   assert (!mine || (phase == Walk && stands_offer && at_offer < end_offer &&
                                        end_offer <= begins_offer + length_offer));
      saved_stands:   assert (!is_saved || stands_saved);
      saved_is_read:  assert (phase != Begin || !is_saved || word == saved);
      // ---- R5 to R8: the record ----
      lanes_of_record: assert (!mine || offer.lanes == served);
      address_of_lane: assert (!mine || !offer.lanes[lane] || read == lane_value >> tuple.size << tuple.size);
      right_warp:      assert (!mine || (offer.warp == offer_at.warp && offer.size == tuple.size &&
                                         offer.data == (tuple.kind == affine_pkg::KindData)));
      region_aligned:  assert (!mine || offer.region >> tuple.size << tuple.size == offer.region);
      region_of_value: assert (!mine || offer_at.value >> (32'(tuple.size) + LaneBits) ==
                                        WordBits'(offer.region >> tuple.size));
      right_order:     assert (!mine || offer.order == (tuple.offset_x == '0 ? affine_pkg::OrderSame : closed && down ?
                                                        affine_pkg::OrderDown : affine_pkg::OrderUp));
      somebody:        assert (!mine || offer.lanes != '0);
      as_many_units:   assert (!mine || $countones(offer.mask) == (offer.order == affine_pkg::OrderSame ? 1 :
                                                                  $countones(offer.lanes)));
      last_is_last:    assert (!mine || offer.last == (behind == '0));
      // its threads are as many as lie in the region, of a run
      one_at_a_time:   assert (!mine || closed || end_offer == at_offer + 1'b1);
      all_in_region:   assert (!mine || in_region);
      longest:         assert (!mine || !closed || end_offer == begins_offer + length_offer ||
                               next_value >> (32'(tuple.size) + LaneBits) != WordBits'(offer.region >> tuple.size));
      // ---- each thread once ----
      served_so_far:   assert (phase != Walk || served_q == (thread < front && thread_live));
      served_if_saved: assert (!is_saved || served_q == (thread < at_saved && thread_live));
      not_before:      assert (phase == Walk || is_saved || (pop.valid && pop.cta == c) || !served_q);
      never_twice:     assert (!serves || !served_q);
      all_at_the_pop:  assert (!(pop.valid && pop.cta == c) || (served_q == thread_live && phase == Idle &&
                                                                !is_saved && work_i[c]));
      once_at_a_time:  assert (!is_saved || phase <= Begin);
      // ---- R9, R10: back-pressure, and that it goes on ----
      stays_on_offer:  assert (!(refused_q && alone_q && select_q == c && work_q) || offer == offer_q);
      cta_that_exists: assert (32'(select) < Ctas);
      leaves:          assert (!(refused_q && !alone_q) || (select != select_q && !offer.valid));
      goes_on:         assert (!acted_q || (pop.valid && pop.cta == c) || (here && left < left_q));

      // ---- idle ----
      if (quiet_q) idle_stays: assert (view == view_q && idle);
      idle_means: assert (!idle || ({offer, pop, happened, \i_dut.is_saved_q } == '0 && \i_dut.phase_q == Idle));
      nothing_without_work: assert (!blank_q || (!offer.valid && \i_dut.phase_q == Idle));
      if (blank_twice_q) idle_comes: assert (idle);

      rows_break:   cover (mine && by_row && at_offer != '0 && offer_at.lane != '0);
      rows_go_on:   cover (mine && rows && !by_row && tuple.offset_x != '0 && offer.warp != cta.first_warp);
      planes_break: cover (mine && by_plane && !by_row && at_offer != '0);
      downwards:    cover (mine && offer.order == affine_pkg::OrderDown && offer.lanes == '1);
      one_thread:   cover (mine && !closed && offer_at.lane != '0);
      left_alone:   cover (happened.leave && select_q == c);
      done:         cover (pop.valid && pop.cta == c && served_q);
    end
  end
endmodule
