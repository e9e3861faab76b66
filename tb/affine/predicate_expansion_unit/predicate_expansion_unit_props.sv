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
  localparam int WalkBits = affine_pkg::WalkBits;
  localparam logic [3:0] Idle = 4'd0;
  localparam logic [3:0] AdjustY = 4'd7;
  localparam logic [3:0] AdjustZ = 4'd8;
  localparam logic [3:0] Same = 4'd9;
  localparam logic [3:0] Walking = 4'd10;
  localparam logic [3:0] Last = 4'd11;
  localparam logic [3:0] Asking = 4'd12;
  localparam logic [3:0] Offering = 4'd13;

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

  predicate_expansion_unit i_dut (
    .clk_i, .rst_ni, .work_i(work), .entry_i(entry_of_cycle), .cta_i(cta_of_cycle), .shape_i(shape_of_cycle), .accept_i,
    .lanes_i, .select_o(select), .offer_o(offer), .pop_o(pop), .lanes_o(request), .event_o(happened), .idle_o(idle)
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

  // ---- the state of the CTA; of its walk, `done` threads lie behind ----
  logic [3:0] phase;
  logic [WordBits-1:0] value, scalar, adjust_y, adjust_z, here, pending, asked;
  logic [Lanes-1:0] mask;
  affine_pkg::Walk walk;
  logic [ThreadBits-1:0] done, run, in_row, in_plane;
  logic by_row, by_plane, row_ends, plane_ends, ends_warp, stale, waits, refused, same_warp, passed, in_run, terms, walks;
  logic busy, busy_q, served_q, selected_q, outside_q, refused_q;
  logic [7:0] rank, rank_q;
  localparam int ViewBits = 2 * (4 + 4 * WordBits + Lanes + WalkBits) + 1 + $bits(offer) + $bits(pop) + $bits(request) +
                            $bits(happened);
  logic [ViewBits-1:0] view, view_q;
  logic quiet_q, blank_q;
  assign view = {\i_dut.phase_q[0] , \i_dut.phase_q[1] , \i_dut.value_q[0] , \i_dut.value_q[1] , \i_dut.scalar_q[0] ,
                 \i_dut.scalar_q[1] , \i_dut.adjust_y_q[0] , \i_dut.adjust_y_q[1] , \i_dut.adjust_z_q[0] ,
                 \i_dut.adjust_z_q[1] , \i_dut.mask_q[0] , \i_dut.mask_q[1] , \i_dut.walk_q[0] , \i_dut.walk_q[1] ,
                 select, offer, pop, request, happened};
  always_comb begin
    selected = select == cta;
    mine = has_q && mine_q;
    work = work_i;
    work[cta] = has_q;
    entry_of_cycle = selected && mine ? entry : entry_i;
    cta_of_cycle = selected && mine ? its : cta_i;
    shape_of_cycle = selected && mine ? shape : shape_i;

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
    terms = mine && phase != Idle && phase < Walking;
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

    asked = request.base;  // what the lanes take for the thread's value
    for (int l = 1; l < Lanes; l++) if (done + ThreadBits'(l) <= thread) asked = asked + request.offset;

    // R7: how far it is to the next record or to the end
    busy = selected && mine && !stale && !waits && !refused;
    rank = phase == Idle ? 8'd200
         : phase < Walking ? 8'd150 - 8'(phase)
         : 8'(walk.cta_left) * 8'd8 + (phase == Walking ? 8'd4 + 8'(row_ends) + 8'(plane_ends)
                                       : phase == Last ? 8'd3
                                       : phase == Asking ? 8'd2
                                       : offer.valid && selected ? 8'd0 : 8'd1);
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
    blank_q <= work == '0 && (select ? \i_dut.phase_q[1]  : \i_dut.phase_q[0] ) == Idle;
    selected_q <= selected;
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
      known_phase: assert (phase <= Offering);
      if (phase != Idle) keeps_entry: assert (has_q && !stale);
      if (request.valid) asks_once: assert ((select ? \i_dut.phase_q[1]  : \i_dut.phase_q[0] ) == Asking);
      if (phase == Asking) stays_while_asking: assert (selected);
      if (offer.valid) offers: assert ((select ? \i_dut.phase_q[1]  : \i_dut.phase_q[0] ) == Offering);

      // ---- R1: the terms ----
      if (terms) walk_starts: assert (walk == {its.first_warp, LaneBits'(0), row, shape.plane, shape.threads});
      if (terms && phase == 4'd1) value_x: assert (value == entry.base);
      if (terms && phase == 4'd2) value_y: assert (value == entry.base + term_x);
      if (terms && phase == 4'd3) value_z: assert (value == entry.base + term_x + term_y);
      if (terms && phase > 4'd3) start_value: assert (value == start);
      if (terms && phase <= 4'd4) scalar_x: assert (scalar == entry.scalar);
      if (terms && phase == 4'd5) scalar_y: assert (scalar == entry.scalar + scalar_term_x);
      if (terms && phase == 4'd6) scalar_z: assert (scalar == entry.scalar + scalar_term_x + scalar_term_y);
      if (mine && phase > 4'd6) scalar_found: assert (scalar == limit);
      if (terms && phase <= AdjustY) row_begins: assert (adjust_y == (has_rows ? entry.offset_y : '0));
      if (mine && phase > AdjustY) change_of_a_row: assert (adjust_y == row_change);
      if (terms && phase <= AdjustZ) plane_begins: assert (adjust_z == (has_planes ? entry.offset_z : '0));
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
      if (walks) value_of: assert (value + pending == here);

      // ---- R3 to R5: outcomes ----
      if (walks && phase == Last) first_told: assert (
          mask == {Lanes{holds(entry.compare, value, limit)}} && walk.lane == '0 && ends_warp && !same && near &&
          entry.compare >= affine_pkg::CompareLt);
      if (walks && same) told_once: assert (mask[lane] == truth && phase != Last && phase != Asking);
      if (walks && same && phase == Walking) walks_past: assert (!entry.warps[walk.warp]);
      if (walks && !same && same_warp && thread < done && wanted) told_before: assert (mask[lane] == truth);
      if (walks && !same && same_warp && thread >= done && wanted && walk.lane != '0 && (phase == Walking || phase == Asking))
        not_told_yet: assert (!mask[lane]);
      if (walks && phase > Walking) for_a_wanted_warp: assert (entry.warps[walk.warp]);
      if (walks && phase == Offering) whole_warp: assert (ends_warp);
      if (walks && phase == Offering && same_warp) outcome: assert (mask[lane] == truth);
      // What the lanes are asked is the threads' values.
      if (mine && request.valid && selected) asked_right: assert (
          request.compare == entry.compare && request.scalar == limit && request.first == walk.lane &&
          ThreadBits'(request.count) == run && request.offset == entry.offset_x && request.base == value);
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
      idle_means: assert (!idle || ({offer, pop, request, happened} == '0 &&
                                       (select ? \i_dut.phase_q[1]  : \i_dut.phase_q[0] ) == Idle));
      if (blank_q) idle_comes: assert (idle);
    end

    pair:        cover (rst_ni && mine && selected && happened.pair && offer.valid && offer.mask != '0);
    scalar_case: cover (rst_ni && mine && selected && happened.scalar && offer.valid);
    differs:     cover (rst_ni && mine && selected && happened.differs);
    wraps:       cover (rst_ni && mine && selected && happened.wraps && phase == Asking && near);
    stepped:     cover (rst_ni && mine && selected && happened.lanes && walk.lane != '0);
    came_back:   cover (rst_ni && mine && selected && !selected_q && phase == Offering);
    popped:      cover (rst_ni && mine && stale && served_q);
  end
endmodule
