// SPDX-License-Identifier: Apache-2.0
// Rules R1-R7 of the predicate expansion unit, for one arbitrary CTA, one arbitrary tuple and one arbitrary thread: every
// block shape that fits, every blockIdx, every mask, whatever other tuples come before and after, and whatever the other
// CTA does.
//
// Assumed is what the unit is promised: the queue keeps this entry until it is popped, it is a predicate and the shape a
// block that fits (R8 refuses others), and the SIMT lanes answer what they are asked, in a later cycle. Of all other
// entries nothing is assumed: they may even change while the unit works.
module predicate_expansion_unit_props (
  input logic clk_i,
  input logic rst_ni,
  input logic [affine_pkg::Ctas-1:0] work_i,
  input affine_pkg::Enqueue entry_i,
  input affine_pkg::Cta cta_i,
  input affine_pkg::Shape shape_i,
  input logic next_valid_i,  // the CTA has a next entry,
  input logic next_mine_i,   // which is the arbitrary one
  input logic accept_i,
  input affine_pkg::LaneReply lanes_i
);
  localparam int Lanes = affine_pkg::Lanes;
  localparam int WordBits = affine_pkg::WordBits;
  localparam int ThreadBits = affine_pkg::ThreadBits;
  localparam int LaneBits = affine_pkg::LaneBits;
  localparam int Threads = affine_pkg::Warps * Lanes;
  localparam int WarpBits = affine_pkg::WarpBits;
  localparam int Ctas = affine_pkg::Ctas;
  localparam int WalkBits = affine_pkg::WalkBits;
  localparam int CountBits = LaneBits + 1;
  localparam int RunBits = 2 * CountBits + 2;
  localparam int SavedBits = 4 * WordBits + Lanes + WalkBits;
  localparam logic [4:0] Idle = 5'd0;
  localparam logic [4:0] Begin = 5'd1;
  localparam logic [4:0] ValueX = 5'd2;
  localparam logic [4:0] ValueY = 5'd3;
  localparam logic [4:0] ValueZ = 5'd4;
  localparam logic [4:0] ScalarX = 5'd5;
  localparam logic [4:0] ScalarY = 5'd6;
  localparam logic [4:0] ScalarZ = 5'd7;
  localparam logic [4:0] AdjustY = 5'd8;
  localparam logic [4:0] AdjustZ = 5'd9;
  localparam logic [4:0] Same = 5'd10;
  localparam logic [4:0] Walking = 5'd11;
  localparam logic [4:0] Span = 5'd12;
  localparam logic [4:0] First = 5'd13;
  localparam logic [4:0] Last = 5'd14;
  localparam logic [4:0] Asking = 5'd15;
  localparam logic [4:0] Offering = 5'd16;
  localparam logic [4:0] Past = 5'd17;
  localparam logic [4:0] Step = 5'd18;
  localparam logic [4:0] Again = 5'd19;

  (* anyconst *) logic cta;                         // one arbitrary CTA of two,
  (* anyconst *) affine_pkg::Enqueue entry;         // one arbitrary tuple for it,
  (* anyconst *) logic [ThreadBits-1:0] thread;     // one arbitrary thread of it
  (* anyconst *) affine_pkg::Cta its;
  (* anyconst *) logic [ThreadBits-1:0] row, rows, planes;
  logic started_q = 1'b0;

  // ---- the queue, as far as the CTA goes; mine_q: its oldest entry is the arbitrary one ----
  logic has_q, mine_q, reset_q;
  affine_pkg::Shape shape, shape_of_cycle;
  affine_pkg::Enqueue entry_of_cycle;
  affine_pkg::Cta cta_of_cycle;
  logic [1:0] work;
  logic select, selected, mine;
  affine_pkg::PredicateOffer offer;
  affine_pkg::Pop pop;
  affine_pkg::LaneCompare request;
  affine_pkg::PredicateEvent happened;
  logic idle;

  predicate_expansion_unit #(.Formal(1)) i_dut (
    .clk_i, .rst_ni, .work_i(work), .entry_i(entry_of_cycle), .cta_i(cta_of_cycle), .shape_i(shape_of_cycle), .accept_i,
    .lanes_i, .select_o(select), .offer_o(offer), .pop_o(pop), .lanes_o(request), .event_o(happened), .idle_o(idle)
  );
  (* hierconn *) logic [Ctas*SavedBits-1:0] \i_dut.g_formal.saved_of ;
  (* hierconn *) logic [SavedBits-1:0] \i_dut.saved_word_q ;
  (* hierconn *) logic [Ctas-1:0] \i_dut.is_saved_q ;
  (* hierconn *) logic [4:0] \i_dut.phase_q ;
  (* hierconn *) logic [affine_pkg::ProductBits-1:0] \i_dut.product_q ;
  (* hierconn *) logic [WordBits-1:0] \i_dut.value_q ;
  (* hierconn *) logic [WordBits-1:0] \i_dut.scalar_q ;
  (* hierconn *) logic [WordBits-1:0] \i_dut.adjust_y_q ;
  (* hierconn *) logic [WordBits-1:0] \i_dut.adjust_z_q ;
  (* hierconn *) logic [WordBits-1:0] \i_dut.span_q ;
  (* hierconn *) logic [CountBits-1:0] \i_dut.span_of_q ;
  (* hierconn *) logic [WordBits-1:0] \i_dut.last_q ;
  (* hierconn *) logic [Lanes-1:0] \i_dut.mask_q ;
  (* hierconn *) logic [WalkBits-1:0] \i_dut.walk_q ;
  (* hierconn *) logic [RunBits-1:0] \i_dut.run_q ;

  // ---- what the tuple means: the same in every cycle ----
  function automatic logic holds(input logic [3:0] compare, input logic [WordBits-1:0] a, input logic [WordBits-1:0] b);
    case (compare)
      affine_pkg::CompareEq: holds = a == b;
      affine_pkg::CompareNe: holds = a != b;
      affine_pkg::CompareLt: holds = $signed(a) < $signed(b);
      affine_pkg::CompareLe: holds = $signed(a) <= $signed(b);
      affine_pkg::CompareGt: holds = $signed(a) > $signed(b);
      affine_pkg::CompareGe: holds = $signed(a) >= $signed(b);
      affine_pkg::CompareLo: holds = a < b;
      affine_pkg::CompareLs: holds = a <= b;
      affine_pkg::CompareHi: holds = a > b;
      default: holds = a >= b;
    endcase
  endfunction

  // Free constants, each equal to what stands beside it: written so that the solver multiplies once and not in every
  // cycle anew.
  (* anyconst *) logic [WordBits-1:0] term_x, term_y, term_z, scalar_term_x, scalar_term_y, scalar_term_z;
  (* anyconst *) logic [WordBits-1:0] row_change, plane_change;  // ... of the value at the end of a row, of a plane
  (* anyconst *) logic [Threads*WordBits-1:0] values;            // of every thread
  (* anyconst *) logic [Threads*ThreadBits-1:0] xs;              // threadIdx.x of every thread
  logic [Threads*WordBits-1:0] values_here;
  logic [Threads*ThreadBits-1:0] xs_here;
  logic [WordBits-1:0] start, limit, goal, v;
  logic [ThreadBits-1:0] x, y, z, ended_rows, its_x, its_y, its_z, its_ended_rows;
  logic [LaneBits-1:0] lane;  // of the thread
  logic has_rows, has_planes, same, near, truth, wanted;
  always_comb begin
    shape = {row, rows, ThreadBits'(row * rows), ThreadBits'(row * rows * planes)};
    has_rows = row != shape.threads;
    has_planes = shape.plane != shape.threads;
    start = entry.base + term_x + term_y + term_z;
    limit = entry.scalar + scalar_term_x + scalar_term_y + scalar_term_z;
    same = entry.offset_x == '0 && (!has_rows || entry.offset_y == '0) && (!has_planes || entry.offset_z == '0);
    near = $signed(entry.offset_x) >= -(1 << (WordBits - LaneBits)) &&
           $signed(entry.offset_x) < (1 << (WordBits - LaneBits));
    goal = values[thread*WordBits+:WordBits];
    truth = holds(entry.compare, goal, limit);
    lane = thread[LaneBits-1:0];
    wanted = entry.warps[its.first_warp + thread[ThreadBits-1:LaneBits]];

    // threadIdx and value of every thread, from one to the next
    {x, y, z, ended_rows, its_x, its_y, its_z, its_ended_rows} = '0;
    v = start;
    for (int t = 0; t < Threads; t++) begin
      values_here[t*WordBits+:WordBits] = v;
      xs_here[t*ThreadBits+:ThreadBits] = x;
      if (thread == t) {its_x, its_y, its_z, its_ended_rows} = {x, y, z, ended_rows};
      x = x + 1'b1;
      v = v + entry.offset_x;
      if (x == row) begin
        x = '0;
        y = y + 1'b1;
        ended_rows = ended_rows + 1'b1;
        v = v + row_change;
        if (y == rows) begin
          y = '0;
          z = z + 1'b1;
          v = v + plane_change;
        end
      end
    end
    // Definitions of constants: they forbid no run.
    assume (term_x == entry.block_x * its.index_x && term_y == entry.block_y * its.index_y &&
            term_z == entry.block_z * its.index_z);
    assume (scalar_term_x == entry.scalar_block_x * its.index_x &&
            scalar_term_y == entry.scalar_block_y * its.index_y && scalar_term_z == entry.scalar_block_z * its.index_z);
    assume (row_change == (has_rows ? entry.offset_y - entry.offset_x * WordBits'(row) : '0));
    assume (plane_change == (has_planes ? entry.offset_z - entry.offset_y * WordBits'(rows) : '0));
    assume (values == values_here && xs == xs_here);
    // The value of a thread is start + thread offset_x + ended_rows row_change + z plane_change. With the changes put in,
    // offset_x stands there as often as threadIdx.x says, and offset_y as often as threadIdx.y. Constants: asked once.
    if (!started_q) index_of_x: assert (32'(thread) == 32'(its_x) + 32'(its_ended_rows) * 32'(row));
    if (!started_q) index_of_y: assert (32'(its_ended_rows) == 32'(its_y) + 32'(its_z) * 32'(rows));
  end

  // ---- the state of the CTA, at work or kept with the record that was refused; of its walk, `done` threads lie behind
  logic [4:0] phase;
  affine_pkg::Product product;
  logic [SavedBits-1:0] saved;
  logic [WordBits-1:0] value, scalar, adjust_y, adjust_z, here, there, pending, asked, remains, first_row, first_plane;
  logic [WordBits-1:0] span, last;
  logic [CountBits-1:0] span_of, run_count, run_existing;
  logic run_ends_warp, run_ends_cta, is_saved, shown_q;
  logic [Lanes-1:0] mask;
  affine_pkg::Walk walk;
  logic [ThreadBits-1:0] done, run, in_row, in_plane;
  logic by_row, by_plane, row_ends, plane_ends, ends_warp, stale, waits, refused, same_warp, passed, in_run, terms, walks;
  logic busy, busy_q, served_q, outside_q, refused_q;
  logic [11:0] rank, rank_q;
  localparam int ViewBits = SavedBits + Ctas + 5 + affine_pkg::ProductBits + 6 * WordBits + CountBits + Lanes + WalkBits +
                            RunBits + 1 + $bits(offer) + $bits(pop) + $bits(request) + $bits(happened);
  logic [ViewBits-1:0] view, view_q;
  logic quiet_q, blank_q;
  assign view = {\i_dut.saved_word_q , \i_dut.is_saved_q , \i_dut.phase_q , \i_dut.product_q , \i_dut.value_q ,
                 \i_dut.scalar_q , \i_dut.adjust_y_q , \i_dut.adjust_z_q , \i_dut.span_q , \i_dut.span_of_q ,
                 \i_dut.last_q , \i_dut.mask_q , \i_dut.walk_q , \i_dut.run_q , select, offer, pop, request, happened};
  always_comb begin
    selected = select == cta;
    mine = has_q && mine_q;
    work = work_i;
    work[cta] = has_q;
    entry_of_cycle = shown_q ? entry : entry_i;
    cta_of_cycle = shown_q ? its : cta_i;
    shape_of_cycle = shown_q ? shape : shape_i;

    is_saved = \i_dut.is_saved_q [cta];
    saved = \i_dut.g_formal.saved_of [cta*SavedBits+:SavedBits];
    phase = is_saved ? Offering : selected ? \i_dut.phase_q : Idle;
    product = \i_dut.product_q ;
    value = \i_dut.value_q ;
    scalar = \i_dut.scalar_q ;
    adjust_y = \i_dut.adjust_y_q ;
    adjust_z = \i_dut.adjust_z_q ;
    mask = \i_dut.mask_q ;
    walk = \i_dut.walk_q ;
    if (is_saved) {value, scalar, adjust_y, adjust_z, mask, walk} = saved;
    span = \i_dut.span_q ;
    span_of = \i_dut.span_of_q ;
    last = \i_dut.last_q ;
    {run_count, run_existing, run_ends_warp, run_ends_cta} = \i_dut.run_q ;
    remains = (product.factor + WordBits'(product.carry)) * product.term;
    first_row = has_rows ? entry.offset_y : '0;
    first_plane = has_planes ? entry.offset_z : '0;
    stale = pop.valid && pop.cta == cta;
    waits = phase == Asking && !(lanes_i.valid && !request.valid);
    refused = offer.valid && !accept_i;
    terms = mine && phase > Begin && phase < Walking;
    walks = mine && phase >= Walking;

    done = shape.threads - walk.cta_left;
    here = '0;
    in_row = '0;
    in_plane = done;
    for (int t = 0; t < Threads; t++) begin
      if (done == t) begin
        here = values[t*WordBits+:WordBits];
        in_row = xs[t*ThreadBits+:ThreadBits];
      end
      if (in_plane >= shape.plane) in_plane = in_plane - shape.plane;
    end
    by_row = row_change != '0;
    by_plane = plane_change != '0;
    row_ends = by_row && walk.row_left == '0;
    plane_ends = by_plane && walk.plane_left == '0;
    pending = (row_ends ? row_change : '0) + (plane_ends ? plane_change : '0);
    run = affine_pkg::walk_run(walk.lane, walk.row_left, walk.plane_left, walk.cta_left, by_row, by_plane);
    ends_warp = ThreadBits'(walk.lane) + run == ThreadBits'(Lanes) || run == walk.cta_left;
    same_warp = done[ThreadBits-1:LaneBits] == thread[ThreadBits-1:LaneBits];
    passed = done[ThreadBits-1:LaneBits] > thread[ThreadBits-1:LaneBits];
    in_run = done <= thread && thread < done + run;

    there = '0;  // the value of the last thread of the run
    for (int t = 0; t < Threads; t++) if (done + run == ThreadBits'(t + 1)) there = values[t*WordBits+:WordBits];

    asked = request.base;  // what the lanes take for the thread's value
    for (int l = 1; l < Lanes; l++) if (done + ThreadBits'(l) <= thread) asked = asked + request.offset;

    // R7: how far it is to the next record or to the end
    busy = selected && mine && !stale && !waits && !refused;
    case (\i_dut.phase_q )
      Idle: rank = 12'd4095;
      Begin: rank = 12'd3000;
      Same: rank = 12'd1001;
      Walking: rank = 12'd40 + 12'(row_ends) + 12'(plane_ends);
      Span: rank = 12'd20 + 12'({product.factor, product.carry});
      First: rank = 12'd15;
      Last: rank = 12'd12;
      Asking, Past: rank = 12'd10;
      Again: rank = 12'd9;
      Offering: rank = 12'd5 - 12'(offer.valid);
      Step: rank = 12'd3;
      default: rank = 12'd1000 + 12'(Walking - phase) * 12'd64 + 12'({product.factor, product.carry});
    endcase
    if (\i_dut.phase_q >= Walking) rank = rank + 12'(walk.cta_left) * 12'd64;
  end

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    reset_q <= !rst_ni;
    if (!has_q || stale) mine_q <= next_mine_i;
    has_q <= rst_ni && (!has_q || stale ? next_valid_i : 1'b1);
    if (!rst_ni || !mine || stale) served_q <= 1'b0;
    else if (offer.valid && accept_i && selected && offer.warp == its.first_warp + thread[ThreadBits-1:LaneBits])
      served_q <= 1'b1;
    busy_q <= rst_ni && busy;
    rank_q <= rank;
    view_q <= view;
    quiet_q <= rst_ni && idle && work == '0 && !lanes_i.valid && !accept_i;
    blank_q <= work == '0 && \i_dut.phase_q == Idle;
    shown_q <= rst_ni && selected && mine && !stale;
    outside_q <= rst_ni && !selected && has_q && !stale;
    refused_q <= refused;
  end

  always_comb begin
    if (!started_q) assume (!rst_ni);
    // Constants of a legal entry in a block that fits: what the tuple queue lets in. The entries before and after it, and
    // those of the other CTA, are any at all, also illegal ones (R8; the bench looks at what they do: illegal).
    assume (row != '0 && rows != '0 && planes != '0 && row <= Threads && rows <= Threads && planes <= Threads);
    assume (8'(row) * 8'(rows) * 8'(planes) <= 8'(Threads));
    assume (8'(its.first_warp) * 8'(Lanes) + 8'(shape.threads) <= 8'(Threads));
    assume (thread < shape.threads);
    assume (entry.kind == affine_pkg::KindPredicate && entry.compare <= affine_pkg::CompareHs);
    // An input: the lanes' answer to what was asked. asked_right and asked_value below say that it was the thread's value;
    // the other lanes' bits, and answers that nobody waits for, are any.
    if (selected && mine && phase == Asking && lanes_i.valid && in_run) assume (lanes_i.mask[lane] == truth);

    if (started_q) begin
      // ---- what the state is ----
      known_phase: assert (\i_dut.phase_q <= Again);
      if (phase != Idle) keeps_entry: assert (has_q && !stale);
      if (mine && selected && \i_dut.phase_q != Idle) busy_is_shown: assert (shown_q);
      if (shown_q) shown_is_mine: assert (mine);
      if (request.valid) asks_once: assert (\i_dut.phase_q == Asking);
      if (offer.valid) offers: assert (\i_dut.phase_q == Offering);
      if (is_saved && selected) once_at_a_time: assert (\i_dut.phase_q <= Begin);
      if (is_saved && selected && \i_dut.phase_q == Begin) saved_is_read: assert (\i_dut.saved_word_q == saved);

      // ---- R1: the terms ----
      if (terms) walk_starts: assert (walk == {its.first_warp, LaneBits'(0), row, shape.plane, shape.threads});
      if (terms && phase == ValueX) value_x: assert (value + remains == entry.base + term_x);
      if (terms && phase == ValueY) value_y: assert (value + remains == entry.base + term_x + term_y);
      if (terms && phase == ValueZ) value_z: assert (value + remains == start);
      if (terms && phase > ValueZ) start_value: assert (value == start);
      if (terms && phase < ScalarX) scalar_begins: assert (scalar == entry.scalar);
      if (terms && phase == ScalarX) scalar_x: assert (scalar + remains == entry.scalar + scalar_term_x);
      if (terms && phase == ScalarY) scalar_y: assert (scalar + remains == entry.scalar + scalar_term_x + scalar_term_y);
      if (terms && phase == ScalarZ) scalar_z: assert (scalar + remains == limit);
      if (mine && phase > ScalarZ) scalar_found: assert (scalar == limit);
      if (terms && phase < AdjustY) row_begins: assert (adjust_y == first_row);
      if (terms && phase == AdjustY) row_on_its_way: assert (adjust_y - remains == row_change);
      if (mine && phase > AdjustY) change_of_a_row: assert (adjust_y == row_change);
      if (terms && phase < AdjustZ) plane_begins: assert (adjust_z == first_plane);
      if (terms && phase == AdjustZ) plane_on_its_way: assert (adjust_z - remains == plane_change);
      if (mine && phase > AdjustZ) change_of_a_plane: assert (adjust_z == plane_change);
      if (mine && phase == AdjustY) needs_rows: assert (has_rows && entry.offset_x != '0);
      if (mine && phase == AdjustZ) needs_planes: assert (has_planes && entry.offset_y != '0);
      if (mine && phase == Same) same_only: assert (same);

      // ---- R2: the walk ----
      if (walks) within: assert (walk.cta_left != '0 && walk.cta_left <= shape.threads);
      if (walks) lane_of: assert (walk.lane == done[LaneBits-1:0]);
      if (walks) warp_of: assert (walk.warp == its.first_warp + done[ThreadBits-1:LaneBits]);
      if (walks && by_row) rows_left: assert (
          walk.row_left == row - in_row || (walk.row_left == '0 && in_row == '0 && done != '0));
      if (walks && by_plane) planes_left: assert (
          walk.plane_left == shape.plane - in_plane || (walk.plane_left == '0 && in_plane == '0 && done != '0));
      if (walks && phase != Walking) at_a_thread: assert (!row_ends && !plane_ends);
      if (walks && phase == Walking) value_of: assert (value + pending == here);
      if (walks && (phase == Span || phase == First || phase == Last || phase == Past)) value_first: assert (value == here);
      if (walks && (phase == Asking || phase == Offering || phase == Step || phase == Again)) value_last: assert (
          value == there);
      if (walks && phase == Last) last_value: assert (last == there);
      if (walks && phase > Walking && phase != Again && !is_saved) run_of_walk: assert (
          ThreadBits'(run_count) == run && run_ends_cta == (run == walk.cta_left) && run_ends_warp == ends_warp &&
          32'(run_existing) == (32'(walk.lane) + 32'(walk.cta_left) < Lanes ? 32'(walk.lane) + 32'(walk.cta_left) : Lanes));
      if (terms) no_span: assert (span_of == '0);
      if (walks && !is_saved && span_of != '0 && phase != Span) span_of_run: assert (
          span == (WordBits'(span_of) - 1'b1) * entry.offset_x);
      if (walks && phase == Span) span_on_its_way: assert (
          span + remains == (WordBits'(run_count) - 1'b1) * entry.offset_x && !same);
      if (walks && (phase == First || phase == Last || phase == Past)) span_fits: assert (span_of == run_count && !same);

      // ---- R3 to R5: outcomes ----
      if (walks && phase == Last) first_told: assert (
          mask == {Lanes{holds(entry.compare, value, limit)}} && walk.lane == '0 && ends_warp && near &&
          entry.compare >= affine_pkg::CompareLt);
      if (walks && same) told_once: assert (mask[lane] == truth && phase != Asking);
      if (walks && !same && same_warp && thread < done && wanted) told_before: assert (mask[lane] == truth);
      if (walks && !same && same_warp && thread >= done && wanted && walk.lane != '0 &&
          (phase == Walking || phase == Span || phase == First || phase == Asking)) not_told_yet: assert (!mask[lane]);
      if (walks && phase == Step && same_warp && thread < done + run && wanted) told_now: assert (mask[lane] == truth);
      if (walks && phase == Step && !same && same_warp && thread >= done + run && wanted) told_later: assert (!mask[lane]);
      if (walks && phase > Walking && phase != Span && phase != Past && phase != Step) for_a_wanted_warp: assert (
          entry.warps[walk.warp]);
      if (walks && phase == Step && ends_warp) steps_past: assert (!entry.warps[walk.warp]);
      if (walks && phase == Past) past_others: assert (!entry.warps[walk.warp]);
      if (walks && (phase == Offering || phase == Again)) whole_warp: assert (ends_warp);
      if (walks && (phase == Offering || phase == Again) && same_warp) outcome: assert (mask[lane] == truth);
      // What the lanes are asked is the threads' values.
      if (mine && request.valid && selected) asked_right: assert (
          request.compare == entry.compare && request.scalar == limit && request.first == walk.lane &&
          ThreadBits'(request.count) == run && request.offset == entry.offset_x && request.base == here);
      if (mine && request.valid && selected && in_run) asked_value: assert (asked == goal);

      // ---- R6: records ----
      if (mine && offer.valid && selected) offered_warp: assert (offer.warp == walk.warp);
      if (mine && offer.valid && selected && same_warp) offered_outcome: assert (
          offer.mask[lane] == (truth && entry.lanes[lane]));
      if (mine && offer.valid && selected) no_other_lane: assert (
          (offer.mask >> (ThreadBits'(walk.lane) + walk.cta_left)) == '0 && (offer.mask & ~entry.lanes) == '0);
      if (!walks && !stale) served_none: assert (!served_q);
      if (walks) served_once: assert (served_q == (passed && wanted));
      if (mine && stale) served_all: assert (served_q == wanted && phase == Idle);  // at its pop

      // ---- R7: progress ----
      if (busy_q) nearer: assert (rank < rank_q || stale);
      if (outside_q && (refused_q || pop.valid)) goes_on: assert (selected);  // the other CTA is left or done
      if (reset_q) blank_after_reset: assert (phase == Idle && !offer.valid && !pop.valid && !request.valid && idle);

      // ---- idle ----
      if (quiet_q) idle_stays: assert (view == view_q && idle);
      idle_means: assert (!idle || ({offer, pop, request, happened} == '0 && \i_dut.phase_q == Idle));
      if (blank_q) idle_comes: assert (idle);
    end

    pair:        cover (rst_ni && mine && selected && happened.pair && offer.valid && offer.mask != '0);
    scalar_case: cover (rst_ni && mine && selected && same && offer.valid);
    differs:     cover (rst_ni && mine && selected && happened.differs);
    wraps:       cover (rst_ni && mine && selected && happened.wraps && phase == Asking && near);
    stepped:     cover (rst_ni && mine && selected && happened.lanes && walk.lane != '0);
    came_back:   cover (rst_ni && mine && selected && phase == Again);
    popped:      cover (rst_ni && mine && stale && served_q);
  end
endmodule
