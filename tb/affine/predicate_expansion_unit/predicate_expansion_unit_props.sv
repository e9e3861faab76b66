// Rules R1-R7 of the predicate expansion unit, for one arbitrary CTA and one arbitrary thread of it, for every tuple,
// every block shape that fits, every blockIdx, every mask, and whatever the other CTA does.
//
// Assumed is what the unit is promised: the queue keeps a CTA's entry until it is popped, the entry is a predicate and
// the shape a block that fits (R8 refuses others), and the SIMT lanes answer what they are asked, in a later cycle.
module predicate_expansion_unit_props (
  input logic clk_i,
  input logic rst_ni,
  input logic [affine_pkg::Ctas-1:0] work_i,
  input affine_pkg::Enqueue entry_i,
  input affine_pkg::Enqueue next_i,  // the CTA's next entry
  input logic next_valid_i,          // and whether there is one
  input affine_pkg::Cta cta_i,
  input logic accept_i,
  input affine_pkg::LaneReply lanes_i
);
  localparam int Lanes = affine_pkg::Lanes;
  localparam int WordBits = affine_pkg::WordBits;
  localparam int ThreadBits = affine_pkg::ThreadBits;
  localparam int LaneBits = affine_pkg::LaneBits;
  localparam int Threads = affine_pkg::Warps * Lanes;
  localparam int WalkBits = affine_pkg::WalkBits;
  localparam logic [3:0] Idle = 4'd0;
  localparam logic [3:0] ValueX = 4'd1;
  localparam logic [3:0] AdjustY = 4'd7;
  localparam logic [3:0] AdjustZ = 4'd8;
  localparam logic [3:0] Same = 4'd9;
  localparam logic [3:0] Walking = 4'd10;
  localparam logic [3:0] Last = 4'd11;
  localparam logic [3:0] Asking = 4'd12;
  localparam logic [3:0] Offering = 4'd13;

  (* anyconst *) logic cta;                           // one arbitrary CTA of two,
  (* anyconst *) logic [ThreadBits-1:0] thread;       // one arbitrary thread of it
  (* anyconst *) affine_pkg::Cta its;
  (* anyconst *) logic [ThreadBits-1:0] row, rows, planes;
  logic started_q = 1'b0;

  // ---- the queue, as far as the CTA goes ----
  affine_pkg::Enqueue entry_q;
  logic has_q, reset_q;
  affine_pkg::Shape shape;
  affine_pkg::Enqueue entry_of_cta;
  affine_pkg::Cta cta_of_cycle;
  logic [1:0] work;
  logic select, selected;
  affine_pkg::PredicateOffer offer;
  affine_pkg::Pop pop;
  affine_pkg::LaneCompare request;
  affine_pkg::PredicateEvent happened;

  predicate_expansion_unit i_dut (
    .clk_i, .rst_ni, .work_i(work), .entry_i(entry_of_cta), .cta_i(cta_of_cycle), .shape_i(shape), .accept_i, .lanes_i,
    .select_o(select), .offer_o(offer), .pop_o(pop), .lanes_o(request), .event_o(happened)
  );
  (* hierconn *) logic [3:0] \i_dut.phase_q[0] ;
  (* hierconn *) logic [3:0] \i_dut.phase_q[1] ;
  (* hierconn *) logic [WordBits-1:0] \i_dut.value_q[0] ;
  (* hierconn *) logic [WordBits-1:0] \i_dut.value_q[1] ;
  (* hierconn *) logic [WordBits-1:0] \i_dut.scalar_q[0] ;
  (* hierconn *) logic [WordBits-1:0] \i_dut.scalar_q[1] ;
  (* hierconn *) logic [WordBits-1:0] \i_dut.adjust_y_q[0] ;
  (* hierconn *) logic [WordBits-1:0] \i_dut.adjust_y_q[1] ;
  (* hierconn *) logic [WordBits-1:0] \i_dut.adjust_z_q[0] ;
  (* hierconn *) logic [WordBits-1:0] \i_dut.adjust_z_q[1] ;
  (* hierconn *) logic [Lanes-1:0] \i_dut.mask_q[0] ;
  (* hierconn *) logic [Lanes-1:0] \i_dut.mask_q[1] ;
  (* hierconn *) logic [WalkBits-1:0] \i_dut.walk_q[0] ;
  (* hierconn *) logic [WalkBits-1:0] \i_dut.walk_q[1] ;

  // ---- the state of the CTA ----
  logic [3:0] phase;
  logic [WordBits-1:0] value, scalar, adjust_y, adjust_z;
  logic [Lanes-1:0] mask;
  affine_pkg::Walk walk;

  // ---- what the tuple means ----
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

  // threadIdx of thread t: {z, y, x}
  function automatic logic [3*ThreadBits-1:0] place_of(
      input logic [ThreadBits-1:0] t, input logic [ThreadBits-1:0] row, input logic [ThreadBits-1:0] rows);
    logic [ThreadBits-1:0] x, y, z;
    {x, y, z} = '0;
    for (int i = 0; i < Threads; i++) begin
      if (i < t) begin
        x = x + 1'b1;
        if (x == row) begin
          x = '0;
          y = y + 1'b1;
          if (y == rows) begin
            y = '0;
            z = z + 1'b1;
          end
        end
      end
    end
    place_of = {z, y, x};
  endfunction

  // Terms of the tuple as they stand, for as long as the unit adds them up; from then on as they were found.
  logic [WordBits-1:0] start, row_change, plane_change, limit_term, goal_term, limit, goal, limit_q, goal_q;
  // The way to the thread: so many threads, ends of rows and of planes are ahead; changes that are due at once
  logic [WordBits-1:0] ahead, pending;
  logic [ThreadBits-1:0] x, y, z, its_x, its_y, its_z, done, run, in_plane, line, its_line;
  logic has_rows, has_planes, by_row, by_plane, same, truth, wanted, stale, waits, refused, ends_warp;
  logic [LaneBits-1:0] lane;  // of the thread
  logic near, same_warp, passed, in_run, row_ends, plane_ends, busy;
  logic [7:0] rank, rank_q;
  logic busy_q, served_q, selected_q, outside_q, refused_q;

  always_comb begin
    // inputs
    shape = {row, rows, ThreadBits'(row * rows), ThreadBits'(row * rows * planes)};
    selected = select == cta;
    work = work_i;
    work[cta] = has_q;
    entry_of_cta = selected ? entry_q : entry_i;
    cta_of_cycle = selected ? its : cta_i;

    // state
    phase = cta ? \i_dut.phase_q[1]  : \i_dut.phase_q[0] ;
    value = cta ? \i_dut.value_q[1]  : \i_dut.value_q[0] ;
    scalar = cta ? \i_dut.scalar_q[1]  : \i_dut.scalar_q[0] ;
    adjust_y = cta ? \i_dut.adjust_y_q[1]  : \i_dut.adjust_y_q[0] ;
    adjust_z = cta ? \i_dut.adjust_z_q[1]  : \i_dut.adjust_z_q[0] ;
    mask = cta ? \i_dut.mask_q[1]  : \i_dut.mask_q[0] ;
    walk = cta ? \i_dut.walk_q[1]  : \i_dut.walk_q[0] ;
    stale = pop.valid && pop.cta == cta;
    waits = phase == Asking && !(lanes_i.valid && !request.valid);
    refused = offer.valid && !accept_i;

    // meaning
    has_rows = row != shape.threads;
    has_planes = shape.plane != shape.threads;
    {its_z, its_y, its_x} = place_of(thread, row, rows);
    its_line = its_y + ThreadBits'(rows * its_z);
    start = entry_q.base + entry_q.block_x * its.index_x + entry_q.block_y * its.index_y + entry_q.block_z * its.index_z;
    limit_term = entry_q.scalar + entry_q.scalar_block_x * its.index_x + entry_q.scalar_block_y * its.index_y +
                 entry_q.scalar_block_z * its.index_z;
    goal_term = start + entry_q.offset_x * WordBits'(its_x) + entry_q.offset_y * WordBits'(its_y) +
                entry_q.offset_z * WordBits'(its_z);
    row_change = has_rows ? entry_q.offset_y - entry_q.offset_x * WordBits'(row) : '0;
    plane_change = has_planes ? entry_q.offset_z - entry_q.offset_y * WordBits'(rows) : '0;
    goal = phase < Walking ? goal_term : goal_q;
    limit = phase < Walking ? limit_term : limit_q;
    truth = holds(entry_q.compare, goal, limit);
    same = entry_q.offset_x == '0 && (!has_rows || entry_q.offset_y == '0) && (!has_planes || entry_q.offset_z == '0);
    near = $signed(entry_q.offset_x) >= -(1 << (WordBits - LaneBits)) &&
           $signed(entry_q.offset_x) < (1 << (WordBits - LaneBits));

    // where the walk is: `done` threads lie behind
    done = shape.threads - walk.cta_left;
    {z, y, x} = place_of(done, row, rows);
    line = y + ThreadBits'(rows * z);
    in_plane = x + ThreadBits'(y * row);
    by_row = adjust_y != '0;
    by_plane = adjust_z != '0;
    row_ends = by_row && walk.row_left == '0;
    plane_ends = by_plane && walk.plane_left == '0;
    pending = (row_ends ? adjust_y : '0) + (plane_ends ? adjust_z : '0);
    ahead = entry_q.offset_x * WordBits'(thread - done) + adjust_y * WordBits'(its_line - line) +
            adjust_z * WordBits'(its_z - z);
    run = affine_pkg::walk_run(walk.lane, walk.row_left, walk.plane_left, walk.cta_left, by_row, by_plane);
    ends_warp = ThreadBits'(walk.lane) + run == ThreadBits'(Lanes) || run == walk.cta_left;
    lane = thread[LaneBits-1:0];
    same_warp = done[ThreadBits-1:LaneBits] == thread[ThreadBits-1:LaneBits];
    passed = done[ThreadBits-1:LaneBits] > thread[ThreadBits-1:LaneBits];
    in_run = done <= thread && thread < done + run;
    wanted = entry_q.warps[its.first_warp + thread[ThreadBits-1:LaneBits]];

    // R7: how far it is to the next record or to the end
    busy = selected && has_q && !stale && !waits && !refused;
    rank = phase == Idle ? 8'd200
         : phase < Walking ? 8'd150 - 8'(phase)
         : 8'(walk.cta_left) * 8'd8 + (phase == Walking ? 8'd4 + 8'(row_ends) + 8'(plane_ends)
                                       : phase == Last ? 8'd3 : phase == Asking ? 8'd2 : offer.valid && selected ? 8'd0 : 8'd1);
  end

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    reset_q <= !rst_ni;
    if (!has_q || stale) entry_q <= next_i;
    has_q <= rst_ni && (!has_q || stale ? next_valid_i : 1'b1);
    if (!rst_ni || stale) served_q <= 1'b0;
    else if (offer.valid && accept_i && selected && offer.warp == its.first_warp + thread[ThreadBits-1:LaneBits])
      served_q <= 1'b1;
    limit_q <= limit;
    goal_q <= goal;
    busy_q <= rst_ni && busy;
    rank_q <= rank;
    selected_q <= selected;
    outside_q <= rst_ni && !selected && has_q && !stale;
    refused_q <= refused;
  end

  always_comb begin
    if (!started_q) assume (!rst_ni);
    assume (row != '0 && rows != '0 && planes != '0 && row <= Threads && rows <= Threads && planes <= Threads);
    assume (8'(row) * 8'(rows) * 8'(planes) <= 8'(Threads));
    assume (8'(its.first_warp) * 8'(Lanes) + 8'(shape.threads) <= 8'(Threads));
    assume (thread < shape.threads);
    assume (entry_q.kind == affine_pkg::KindPredicate && entry_q.compare <= affine_pkg::CompareHs);
    // The lanes' answer to what was asked; asked_right below says that it was the thread's value.
    if (selected && phase == Asking && lanes_i.valid && in_run) assume (lanes_i.mask[lane] == truth);

    if (started_q) begin
      // ---- what the state is ----
      known_phase:   assert (phase <= Offering);
      if (phase != Idle) keeps_entry: assert (has_q && !stale);
      if (request.valid) asks_once: assert ((select ? \i_dut.phase_q[1]  : \i_dut.phase_q[0] ) == Asking);
      if (phase == Asking) stays_while_asking: assert (selected);
      if (offer.valid) offers: assert ((select ? \i_dut.phase_q[1]  : \i_dut.phase_q[0] ) == Offering);
      if (phase != Idle && phase < Walking) walk_starts: assert (walk == {its.first_warp, LaneBits'(0), row, shape.plane, shape.threads});
      if (phase != Idle && phase <= AdjustY) change_begins: assert (adjust_y == (has_rows ? entry_q.offset_y : '0));
      if (phase > AdjustY) change_of_a_row: assert (adjust_y == row_change);
      if (phase != Idle && phase <= AdjustZ) change_of_planes: assert (adjust_z == (has_planes ? entry_q.offset_z : '0));
      if (phase > AdjustZ) change_of_a_plane: assert (adjust_z == plane_change);
      if (phase > 4'd3) start_value: assert (phase >= Walking || value == start);  // R1
      if (phase == 4'd1) value_x: assert (value == entry_q.base);
      if (phase == 4'd2) value_y: assert (value == entry_q.base + entry_q.block_x * its.index_x);
      if (phase == 4'd3) value_z: assert (value == entry_q.base + entry_q.block_x * its.index_x + entry_q.block_y * its.index_y);
      if (phase != Idle && phase <= 4'd4) scalar_x: assert (scalar == entry_q.scalar);
      if (phase == 4'd5) scalar_y: assert (scalar == entry_q.scalar + entry_q.scalar_block_x * its.index_x);
      if (phase == 4'd6) scalar_z: assert (scalar == entry_q.scalar + entry_q.scalar_block_x * its.index_x + entry_q.scalar_block_y * its.index_y);
      if (phase > 4'd6) scalar_found: assert (scalar == limit);
      if (phase == AdjustY) needs_rows: assert (has_rows && entry_q.offset_x != '0);
      if (phase == AdjustZ) needs_planes: assert (has_planes && entry_q.offset_y != '0);
      if (phase == Same) same_only: assert (same);
      // What the thread's value means is what the walk adds up from the start to it.
      meaning: assert (start + entry_q.offset_x * WordBits'(thread) + row_change * WordBits'(its_line) +
                       plane_change * WordBits'(its_z) == goal_term);

      // ---- R2: the walk ----
      if (phase >= Walking) begin
        within:      assert (walk.cta_left != '0 && walk.cta_left <= shape.threads);
        lane_of:     assert (walk.lane == done[LaneBits-1:0]);
        warp_of:     assert (walk.warp == its.first_warp + done[ThreadBits-1:LaneBits]);
        rows_left:   assert (!by_row || walk.row_left == row - x || (walk.row_left == '0 && x == '0 && done != '0));
        planes_left: assert (!by_plane || walk.plane_left == shape.plane - in_plane || (walk.plane_left == '0 && in_plane == '0 && done != '0));
        at_a_thread: assert (phase == Walking || (!row_ends && !plane_ends));
        if (done <= thread) value_of: assert (value + pending + ahead == goal);
      end

      // ---- R3 to R5: outcomes ----
      if (phase == Last) first_told: assert (mask == {Lanes{holds(entry_q.compare, value, limit)}} && walk.lane == '0 && ends_warp && !same && near && entry_q.compare >= affine_pkg::CompareLt);
      if (phase == Walking && same) walks_past: assert (!entry_q.warps[walk.warp]);
      if (phase >= Walking && same) told_once: assert (mask[lane] == truth && phase != Last && phase != Asking);
      if (phase >= Walking && !same && same_warp && thread < done && wanted) told_before: assert (mask[lane] == truth);
      if ((phase == Walking || phase == Asking) && !same && same_warp && thread >= done && walk.lane != '0 && wanted)
        not_told_yet: assert (!mask[lane]);
      if (phase == Offering) whole_warp: assert (ends_warp);
      if (phase == Offering && same_warp) outcome: assert (mask[lane] == truth);
      if (phase > Walking) for_a_wanted_warp: assert (entry_q.warps[walk.warp]);
      // What the lanes are asked is the threads' value.
      if (request.valid && selected) asked_right: assert (
          request.compare == entry_q.compare && request.scalar == limit && request.first == walk.lane &&
          ThreadBits'(request.count) == run && request.offset == entry_q.offset_x && request.base == value);
      if (request.valid && selected && in_run) asked_value: assert (
          request.base + request.offset * WordBits'(thread - done) == goal);

      // ---- R6: records ----
      if (offer.valid && selected) offered_warp: assert (offer.warp == walk.warp);
      if (offer.valid && selected && same_warp) offered_outcome: assert (offer.mask[lane] == (truth && entry_q.lanes[lane]));
      if (offer.valid && selected) no_other_lane: assert (
          (offer.mask >> (ThreadBits'(walk.lane) + walk.cta_left)) == '0 && (offer.mask & ~entry_q.lanes) == '0);
      if (phase == Idle && !stale) served_from_none: assert (!served_q);
      if (phase != Idle && phase < Walking) served_none: assert (!served_q);
      if (phase >= Walking) served_once: assert (served_q == (passed && wanted));
      if (stale) served_all: assert (served_q == wanted && phase == Idle && has_q);  // at its pop

      // ---- R7: progress ----
      if (busy_q) nearer: assert (rank < rank_q || stale);
      if (outside_q && (refused_q || pop.valid)) goes_on: assert (selected);  // the other CTA is left or done
      if (reset_q) blank_after_reset: assert (phase == Idle && !offer.valid && !pop.valid && !request.valid);
    end

    pair:        cover (rst_ni && selected && happened.pair && offer.valid && offer.mask != '0);
    scalar_case: cover (rst_ni && selected && happened.scalar && offer.valid);
    differs:     cover (rst_ni && selected && happened.differs);
    wraps:       cover (rst_ni && selected && happened.wraps && phase == Asking && entry_q.offset_x == WordBits'(1));
    stepped:     cover (rst_ni && selected && happened.lanes && walk.lane != '0);
    came_back:   cover (rst_ni && selected && !selected_q && phase == Offering && served_q == 1'b0);
    popped:      cover (rst_ni && stale && served_q);
  end
endmodule
