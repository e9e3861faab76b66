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
  localparam int WalkBits = affine_pkg::WalkBits;
  localparam int RegionBits = affine_pkg::RegionBits;

  logic [CtaBits-1:0] select;
  affine_pkg::AddressOffer offer;
  affine_pkg::Pop pop;
  affine_pkg::AddressEvent happened;
  logic idle;
  address_expansion_unit i_dut (
    .clk_i, .rst_ni, .work_i, .entry_i, .cta_i, .shape_i, .accept_i,
    .select_o(select), .offer_o(offer), .pop_o(pop), .event_o(happened), .idle_o(idle)
  );
  (* hierconn *) logic [Ctas*WordBits-1:0] \i_dut.value_q ;
  (* hierconn *) logic [Ctas*2*WordBits-1:0] \i_dut.adjust_q ;
  (* hierconn *) logic [Ctas*WalkBits-1:0] \i_dut.walk_q ;
  (* hierconn *) logic [Ctas*3-1:0] \i_dut.phase_q ;
  (* hierconn *) logic [WordBits-1:0] \i_dut.value_ahead_q ;
  (* hierconn *) logic [WalkBits-1:0] \i_dut.walk_ahead_q ;

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
  logic [WordBits-1:0] value;
  logic [2*WordBits-1:0] adjust;
  logic [2:0] phase;
  affine_pkg::Walk walk, ahead;
  logic here;
  always_comb begin
    value = \i_dut.value_q [c*WordBits+:WordBits];
    adjust = \i_dut.adjust_q [c*2*WordBits+:2*WordBits];
    walk = \i_dut.walk_q [c*WalkBits+:WalkBits];
    phase = \i_dut.phase_q [c*3+:3];
    ahead = \i_dut.walk_ahead_q ;
    here = select == c;
  end

  // A walk and a value stand at the same thread `t`, of which `expected`, `row` and `plane` are known.
  function automatic logic stands(
      input logic [WordBits-1:0] word, input logic [WordBits-1:0] expected, input logic [ThreadBits-1:0] t,
      input logic [WarpBits+LaneBits-1:0] passed, input logic [ThreadBits-1:0] row_left,
      input logic [ThreadBits-1:0] plane_left, input logic [ThreadBits-1:0] row, input logic [ThreadBits-1:0] plane,
      input logic [ThreadBits-1:0] whole_row, input logic [ThreadBits-1:0] whole_plane,
      input logic [ThreadBits-1:0] threads, input logic [WordBits-1:0] step_row, input logic [WordBits-1:0] step_plane);
    logic row_ends, plane_ends;
    row_ends = step_row != '0 && row_left == '0;
    plane_ends = step_plane != '0 && plane_left == '0;
    stands = t <= threads && passed == t[WarpBits+LaneBits-1:0];
    if (step_row != '0 && row_left != row && !(row_ends && row == whole_row && t != '0)) stands = 1'b0;
    if (step_plane != '0 && plane_left != plane && !(plane_ends && plane == whole_plane && t != '0)) stands = 1'b0;
    if (plane == whole_plane && row_ends && step_plane != '0 && !plane_ends) stands = 1'b0;  // rows come first
    if (t < threads && word + (row_ends ? step_row : '0) + (plane_ends ? step_plane : '0) != expected) stands = 1'b0;
  endfunction

  logic [ThreadBits-1:0] at, at_ahead;
  logic [WarpBits+LaneBits-1:0] passed, passed_ahead;
  logic stands_here, stands_ahead;
  always_comb begin
    at = shape.threads - walk.cta_left;
    at_ahead = shape.threads - ahead.cta_left;
    passed = {walk.warp, walk.lane} - {cta.first_warp, {LaneBits{1'b0}}};
    passed_ahead = {ahead.warp, ahead.lane} - {cta.first_warp, {LaneBits{1'b0}}};
    stands_here = stands(value, values[at*WordBits+:WordBits], at, passed, walk.row_left, walk.plane_left,
                         row_at[at*ThreadBits+:ThreadBits], plane_at[at*ThreadBits+:ThreadBits], shape.row,
                         shape.plane, shape.threads, adjust_row, adjust_plane);
    stands_ahead = stands(\i_dut.value_ahead_q , values[at_ahead*WordBits+:WordBits], at_ahead, passed_ahead,
                          ahead.row_left, ahead.plane_left, row_at[at_ahead*ThreadBits+:ThreadBits],
                          plane_at[at_ahead*ThreadBits+:ThreadBits], shape.row, shape.plane, shape.threads,
                          adjust_row, adjust_plane);
  end

  // ---- the record on offer, read back for one lane ----
  logic mine, thread_live;
  logic [LaneBits:0] rank, bits, unit;
  logic [ThreadBits-1:0] lane_thread;
  logic [WordBits-1:0] lane_value, read, walked, next_value;
  logic in_region;
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

    lane_thread = at + ThreadBits'(lane) - ThreadBits'(walk.lane);
    lane_value = values[lane_thread*WordBits+:WordBits];
    in_region = 1'b1;
    walked = value;
    for (int l = 0; l < Lanes; l++) begin
      if (ThreadBits'(l) < at_ahead - at && walked >> (32'(tuple.size) + LaneBits) !=
                                            WordBits'(offer.region >> tuple.size)) in_region = 1'b0;
      walked = walked + tuple.offset_x;
    end
    next_value = values[at_ahead*WordBits+:WordBits];
    served = '0;
    behind = '0;
    for (int l = 0; l < Lanes; l++) begin
      if (tuple.lanes[l] && tuple.warps[walk.warp] && l >= walk.lane) begin
        served[l] = 32'(at) + l - 32'(walk.lane) < 32'(at_ahead);
        behind[l] = !served[l] && 32'(at) + l - 32'(walk.lane) < 32'(shape.threads);
      end
    end
    thread_live = thread < shape.threads && tuple.lanes[thread[LaneBits-1:0]] &&
                  tuple.warps[cta.first_warp + WarpBits'(thread >> LaneBits)];
  end

  // ---- the past ----
  logic served_q, pop_q, reset_q, acted_q, refused_q, alone_q, work_q;
  logic [CtaBits-1:0] select_q;
  affine_pkg::AddressOffer offer_q, any_mask;
  logic [WordBits-1:0] read_q;
  logic [7:0] left, left_q;  // steps to the end of this tuple, at most
  logic serves;
  localparam int ViewBits = Ctas * (3 * WordBits + WalkBits + 3) + WordBits + WalkBits + CtaBits + $bits(offer) + $bits(pop) +
                            $bits(happened);
  logic [ViewBits-1:0] view, view_q;
  logic quiet_q, blank_q, blank_twice_q;
  assign view = {\i_dut.value_q , \i_dut.adjust_q , \i_dut.walk_q , \i_dut.phase_q , \i_dut.value_ahead_q ,
                 \i_dut.walk_ahead_q , select, offer, pop, happened};
  always_comb begin
    any_mask = '0;
    any_mask.mask = '1;
    // the thread is in the record that is taken
    serves = mine && accept_i && thread >= at && thread < at_ahead && offer.lanes[thread[LaneBits-1:0]];
    left = phase != 3'd5 ? 8'd100 - 8'(phase)
                         : 8'(walk.cta_left) * 8'd4 + 8'(by_row && walk.row_left == '0) +
                           8'(by_plane && walk.plane_left == '0) + 8'(!mine);
  end
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    reset_q <= !rst_ni;
    pop_q <= rst_ni && pop.valid && pop.cta == c;
    work_q <= rst_ni && work_i[c];
    select_q <= select;
    view_q <= view;
    quiet_q <= rst_ni && idle && work_i == '0 && !accept_i;
    blank_q <= work_i == '0;
    blank_twice_q <= work_i == '0 && blank_q;
    offer_q <= offer;
    read_q <= read;
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
    if (here) assume (entry_i == tuple && cta_i == cta);
    assume (shape_i == shape);
    if (started_q && work_q && !pop_q) assume (work_i[c]);

    // The value of a thread is start + thread offset_x + ended_rows adjust_row + z adjust_plane. With the adjustments
    // put in, offset_x stands there as often as threadIdx.x says, and offset_y as often as threadIdx.y. Nothing here
    // changes, so the first cycle is enough.
    if (!started_q && thread < shape.threads) begin
      index_of_x: assert (32'(thread) == 32'(its_x) + 32'(its_ended_rows) * 32'(shape.row));
      index_of_y: assert (32'(its_ended_rows) == 32'(its_y) + 32'(its_z) * 32'(shape.rows));
    end
    if (started_q) begin
      blank_after_reset: assert (!reset_q || (!offer.valid && !pop.valid && phase == 3'd0 && happened == '0 && idle));
      known_phase:    assert (phase <= 3'd5);
      busy_has_work:  assert (phase == 3'd0 || (work_q && !pop_q));
      // ---- R3: the start ----
      start_walk:     assert (phase == 3'd0 || phase == 3'd5 || walk == {cta.first_warp, {LaneBits{1'b0}}, shape.row,
                                                                       shape.plane, shape.threads});
      start_of_x:     assert (phase != 3'd1 || value == start_x);
      start_of_y:     assert (phase != 3'd2 || value == start_y);
      start_of_z:     assert ((phase != 3'd3 && phase != 3'd4) || value == start_z);
      no_adjustments: assert (phase == 3'd0 || phase > 3'd3 || adjust == '0);
      row_first:      assert (phase != 3'd4 || adjust == {adjust_row, {WordBits{1'b0}}});
      only_if_needed: assert ((phase != 3'd3 || rows) && (phase != 3'd4 || planes));
      // ---- R4, R5: the walk ----
      adjustments:    assert (phase != 3'd5 || adjust == {adjust_row, adjust_plane});
      walk_and_value: assert (phase != 3'd5 || stands_here);
      offer_in_walk:  assert (!mine || (phase == 3'd5 && at < at_ahead && stands_ahead));
      within_a_run:   assert (!mine || at_ahead - at <= ThreadBits'(Lanes) - ThreadBits'(walk.lane));
      within_a_row:   assert (!mine || !by_row || (at_ahead - at <= walk.row_left &&
                                                   ahead.row_left == walk.row_left - (at_ahead - at)));
      within_a_plane: assert (!mine || !by_plane || (at_ahead - at <= walk.plane_left &&
                                                     ahead.plane_left == walk.plane_left - (at_ahead - at)));
      // ---- R5 to R8: the record ----
      lanes_of_record: assert (!mine || offer.lanes == served);
      address_of_lane: assert (!mine || !offer.lanes[lane] || read == lane_value >> tuple.size << tuple.size);
      right_warp:      assert (!mine || (offer.warp == walk.warp && offer.size == tuple.size &&
                                         offer.data == (tuple.kind == affine_pkg::KindData)));
      region_aligned:  assert (!mine || offer.region >> tuple.size << tuple.size == offer.region);
      right_order:     assert (!mine || offer.order == (tuple.offset_x == '0 ? affine_pkg::OrderSame : closed && down ?
                                                        affine_pkg::OrderDown : affine_pkg::OrderUp));
      somebody:        assert (!mine || offer.lanes != '0);
      as_many_units:   assert (!mine || $countones(offer.mask) == (offer.order == affine_pkg::OrderSame ? 1 :
                                                                  $countones(offer.lanes)));
      last_is_last:    assert (!mine || offer.last == (behind == '0));
      // its threads are as many as lie in the region, of a run
      one_at_a_time:   assert (!mine || closed || at_ahead == at + 1'b1);
      all_in_region:   assert (!mine || in_region);
      longest:         assert (!mine || ahead.lane == '0 || at_ahead == shape.threads ||
                               (by_row && ahead.row_left == '0) || (by_plane && ahead.plane_left == '0) || !closed ||
                               next_value >> (32'(tuple.size) + LaneBits) != WordBits'(offer.region >> tuple.size));
      // ---- each thread once ----
      served_so_far:   assert (phase != 3'd5 || served_q == (thread < at && thread_live));
      not_before:      assert (phase == 3'd5 || (pop.valid && pop.cta == c) || !served_q);
      never_twice:     assert (!serves || !served_q);
      all_at_the_pop:  assert (!(pop.valid && pop.cta == c) || (served_q == thread_live && phase == 3'd0 && work_i[c]));
      // ---- R9, R10: back-pressure, and that it goes on ----
      stays_on_offer:  assert (!(refused_q && alone_q && select_q == c) || (offer | any_mask) == (offer_q | any_mask));
      stays_for_lane:  assert (!(refused_q && alone_q && select_q == c && offer.lanes[lane]) || read == read_q);
      cta_that_exists: assert (32'(select) < Ctas);
      leaves:          assert (!(refused_q && !alone_q) || (select != select_q && !offer.valid));
      goes_on:         assert (!acted_q || (pop.valid && pop.cta == c) || left < left_q);

      // ---- idle ----
      if (quiet_q) idle_stays: assert (view == view_q && idle);
      idle_means: assert (!idle || ({offer, pop, happened} == '0 && \i_dut.phase_q [select*3+:3] == 3'd0));
      nothing_without_work: assert (!blank_q || !offer.valid);
      if (blank_twice_q) idle_comes: assert (idle);

      rows_break:   cover (mine && by_row && at != '0 && walk.lane != '0);
      rows_go_on:   cover (mine && rows && !by_row && tuple.offset_x != '0 && offer.warp != cta.first_warp);
      planes_break: cover (mine && by_plane && !by_row && at != '0);
      downwards:    cover (mine && offer.order == affine_pkg::OrderDown && offer.lanes == '1);
      one_thread:   cover (mine && !closed && walk.lane != '0);
      left_alone:   cover (happened.leave && select_q == c);
      done:         cover (pop.valid && pop.cta == c && served_q);
    end
  end
endmodule
