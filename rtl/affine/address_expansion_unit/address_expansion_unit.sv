// SPDX-License-Identifier: Apache-2.0
// Address expansion unit: SystemVerilog twin of address_expansion_unit.h, which states the contract and the timing;
// rules R1-R12 in README.md. Formal = 1 adds g_formal, a view of the memory that address_expansion_unit_props reads;
// nothing else changes.
module address_expansion_unit #(
  parameter int Formal = 0
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic [affine_pkg::Ctas-1:0] work_i,
  /* verilator lint_off UNUSEDSIGNAL */  // of a tuple, what predicates need is not for this unit
  input  affine_pkg::Enqueue entry_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  affine_pkg::Cta cta_i,
  input  affine_pkg::Shape shape_i,
  input  logic accept_i,
  output logic [affine_pkg::CtaBits-1:0] select_o,
  output affine_pkg::AddressOffer offer_o,
  output affine_pkg::Pop pop_o,
  output affine_pkg::AddressEvent event_o,
  output logic idle_o
);
  localparam int Warps = affine_pkg::Warps;
  localparam int Lanes = affine_pkg::Lanes;
  localparam int Ctas = affine_pkg::Ctas;
  localparam int WordBits = affine_pkg::WordBits;
  localparam int LaneBits = affine_pkg::LaneBits;
  localparam int WarpBits = affine_pkg::WarpBits;
  localparam int CtaBits = affine_pkg::CtaBits;
  localparam int ThreadBits = affine_pkg::ThreadBits;
  localparam int RegionBits = affine_pkg::RegionBits;
  localparam int CountBits = affine_pkg::CountBits;
  localparam int SavedBits = 3 * WordBits + 2 * LaneBits + WarpBits + 3 * ThreadBits;

  // AddressPhase
  localparam logic [2:0] Idle = 3'd0;
  localparam logic [2:0] Begin = 3'd1;
  localparam logic [2:0] BlockX = 3'd2;
  localparam logic [2:0] BlockY = 3'd3;
  localparam logic [2:0] BlockZ = 3'd4;
  localparam logic [2:0] Row = 3'd5;
  localparam logic [2:0] Plane = 3'd6;
  localparam logic [2:0] Walk = 3'd7;

  typedef struct packed {
    logic [WordBits-1:0] row;
    logic [WordBits-1:0] plane;
  } Adjust;
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

  // State: of CTAs whose record was refused
  logic [SavedBits-1:0] saved_q [Ctas];
  logic [SavedBits-1:0] saved_word_q;
  logic [Ctas-1:0] is_saved_q, is_saved_d;
  // of the CTA at work
  logic [2:0] phase_q, phase_d;
  affine_pkg::Product product_q, product_d;
  Form form_q, form_d;
  logic [Lanes-1:0] lanes_q, lanes_d;
  Adjust adjust_q, adjust_d;
  affine_pkg::Walk walk_q, walk_d;
  logic [LaneBits-1:0] from_q, from_d;
  Run run_q, run_d;
  Stand run_at_q, run_at_d;
  Segment segment_q, segment_d;
  Stand segment_at_q, segment_at_d;
  Stand offer_at_q, offer_at_d;
  // and what the output registers get
  logic [CtaBits-1:0] select;
  affine_pkg::AddressOffer offer;
  affine_pkg::Pop pop;
  affine_pkg::AddressEvent event_d;

  Form form;
  always_comb begin : form_of  // R6: how the addresses of neighbours stand in a region
    form = '0;
    for (int k = 0; k < LaneBits; k++) begin
      for (int s = 0; s < 3; s++) begin
        if (32'(entry_i.size) == s && k + s < WordBits && entry_i.offset_x == WordBits'(1) << (k + s)) begin
          form = {1'b1, entry_i.offset_x[WordBits-1] ? affine_pkg::OrderDown : affine_pkg::OrderUp, LaneBits'(k)};
        end
        if (32'(entry_i.size) == s && entry_i.offset_x == {WordBits{1'b1}} << (k + s)) begin
          form = {1'b1, affine_pkg::OrderDown, LaneBits'(k)};
        end
      end
    end
    if (entry_i.offset_x == '0) form = {1'b1, affine_pkg::OrderSame, LaneBits'(0)};
  end

  // What became of the record on offer; what it stands for is done only when it is taken.
  logic taken, refused, accept_illegal, misaligned;
  always_comb begin : look  // R8, R9, R11
    taken = offer_o.valid && accept_i;
    refused = offer_o.valid && !accept_i;
    accept_illegal = accept_i && !offer_o.valid;
    misaligned = taken && (offer_at_q.value[1:0] & ~(2'b11 << offer_o.size)) != '0;
  end

  logic [Ctas-1:0] work, others, is_saved;
  logic idle;
  always_comb begin : find  // R10: who has work; the queue still shows the tuple that it pops in this cycle
    work = work_i;
    if (pop_o.valid) work[pop_o.cta] = 1'b0;
    others = work;
    others[select_o] = 1'b0;
    is_saved = is_saved_q & work;
    idle = phase_q == Idle && work == '0;
  end

  // What this edge does: at most one of these
  logic has_work, entry_gone, begins, multiplies, walks, waits, done, moves;
  always_comb begin : act
    has_work = work[select_o];
    entry_gone = phase_q != Idle && !has_work;  // R11
    begins = has_work && phase_q == Begin;
    multiplies = has_work && phase_q > Begin && phase_q != Walk;
    walks = has_work && phase_q == Walk;
    waits = walks && refused;
    done = walks && !refused && walk_q.cta_left == '0 && !run_q.valid && !segment_q.valid;
    moves = walks && !refused && !done;
  end

  logic address, threads, fits, legal, goes_on, starts, entry_illegal;
  Saved saved;
  always_comb begin : start  // R1, R9, R11: the tuple is here
    address = entry_i.kind == affine_pkg::KindData || entry_i.kind == affine_pkg::KindAddress;
    threads = shape_i.row != '0 && shape_i.plane != '0 && shape_i.threads != '0;
    fits = 32'(cta_i.first_warp) * Lanes + 32'(shape_i.threads) <= Warps * Lanes;
    legal = address && entry_i.size <= affine_pkg::SizeWord && threads && fits;
    goes_on = begins && is_saved[select_o];
    starts = begins && !is_saved[select_o];
    entry_illegal = starts && !legal;
    saved = saved_word_q;
    lanes_d = begins ? entry_i.lanes : lanes_q;
    form_d = begins ? form : form_q;
  end

  logic reads;
  always_comb begin : look_for_work  // R10: to work on this CTA, or on to another one
    reads = phase_q == Idle && has_work;
  end

  logic saves;
  logic [SavedBits-1:0] saved_here;
  always_comb begin : await  // R9, R10: a record that was refused stays, and its CTA gives way
    saves = waits && others != '0;
    saved_here = {offer_at_q.value, adjust_q, offer_at_q.lane, offer_at_q.warp, offer_at_q.first, offer_at_q.row_left,
                  offer_at_q.plane_left, offer_at_q.cta_left};
    is_saved_d = is_saved;
    if (begins) is_saved_d[select_o] = 1'b0;
    if (saves) is_saved_d[select_o] = 1'b1;
  end

  logic pops, leaves;
  always_comb begin : leave  // R10: to the next CTA with work
    pops = entry_illegal || done;
    pop = '0;
    if (pops) pop = {1'b1, select_o};
    leaves = (phase_q == Idle && !has_work) || entry_gone || saves || pops;
    select = leaves ? affine_pkg::next_cta(others, select_o) : select_o;
  end

  logic rows, planes;
  logic [2:0] next_phase;
  affine_pkg::Product product;
  always_comb begin : product_of  // R2, R3: the first phase after this one that has something to do, and its factors
    rows = shape_i.threads != shape_i.row;
    planes = shape_i.threads != shape_i.plane;
    next_phase = Walk;
    product = '0;
    if (phase_q < Plane && planes && entry_i.offset_y != '0) begin
      next_phase = Plane;
      product = {entry_i.offset_y, WordBits'(shape_i.rows), 1'b0};
    end
    if (phase_q < Row && rows && entry_i.offset_x != '0) begin
      next_phase = Row;
      product = {entry_i.offset_x, WordBits'(shape_i.row), 1'b0};
    end
    if (phase_q < BlockZ && entry_i.block_z != '0 && cta_i.index_z != '0) begin
      next_phase = BlockZ;
      product = {entry_i.block_z, cta_i.index_z, 1'b0};
    end
    if (phase_q < BlockY && entry_i.block_y != '0 && cta_i.index_y != '0) begin
      next_phase = BlockY;
      product = {entry_i.block_y, cta_i.index_y, 1'b0};
    end
    if (phase_q < BlockX && entry_i.block_x != '0 && cta_i.index_x != '0) begin
      next_phase = BlockX;
      product = {entry_i.block_x, cta_i.index_x, 1'b0};
    end
  end

  logic by_row, by_plane;
  logic [ThreadBits-1:0] length;
  affine_pkg::Walk walk_after;
  Run run;
  always_comb begin : run_of  // R5: the run that begins where the walk stands; it does not depend on any address
    by_row = adjust_q.row != '0;
    by_plane = adjust_q.plane != '0;
    length = affine_pkg::walk_run(walk_q.lane, walk_q.row_left, walk_q.plane_left, walk_q.cta_left, by_row, by_plane);
    walk_after = affine_pkg::walk_on(walk_q.warp, walk_q.lane, walk_q.row_left, walk_q.plane_left, walk_q.cta_left,
                                     length, by_row, by_plane);
    if (by_row && walk_after.row_left == '0) walk_after.row_left = shape_i.row;  // R4
    if (by_plane && walk_after.plane_left == '0) walk_after.plane_left = shape_i.plane;
    run = '0;
    if (walk_q.cta_left != '0) begin
      run.valid = 1'b1;
      run.dead = 32'(walk_q.warp) >= Warps || !entry_i.warps[walk_q.warp];
      run.row_ends = by_row && walk_q.row_left == length && walk_q.cta_left != length;
      run.plane_ends = by_plane && walk_q.plane_left == length && walk_q.cta_left != length;
      run.left = CountBits'(walk_q.lane) + CountBits'(length) - CountBits'(from_q);
      run.existing = affine_pkg::walk_existing(walk_q.lane, walk_q.cta_left);
    end
  end

  // What is left of the run, and what the region has room for, are shifted before it is known which of them is less.
  logic whole, by_room, down, same;
  logic [LaneBits-1:0] unit, before_end, aligned_end;
  logic [CountBits-1:0] room, count;
  logic [2*LaneBits:0] units_left, units_room, units;
  logic [WordBits-1:0] steps;
  always_comb begin : count_of  // R6, R7: how many threads of the run are in the region of its first one
    down = form_q.order == affine_pkg::OrderDown;
    same = form_q.order == affine_pkg::OrderSame;
    unit = LaneBits'(run_at_q.value >> entry_i.size);
    before_end = form_q.order == affine_pkg::OrderUp ? ~unit : unit;
    room = (CountBits'(before_end) >> form_q.shift) + 1'b1;
    aligned_end = before_end & ({LaneBits{1'b1}} << form_q.shift);
    units_left = (2*LaneBits+1)'(run_q.left) << form_q.shift;
    units_room = (2*LaneBits+1)'(aligned_end) + ((2*LaneBits+1)'(1) << form_q.shift);
    by_room = form_q.closed && !same && !run_q.dead && room < run_q.left;
    whole = form_q.closed || (run_q.dead && 32'(run_q.left) == Lanes);
    count = !whole ? CountBits'(1) : by_room ? room : run_q.left;
    units = by_room ? units_room : units_left;
  end
  always_comb begin : steps_of  // what the value grows by over them
    steps = WordBits'(units) << entry_i.size;
    if (same) steps = '0;
    if (!form_q.closed) steps = whole ? entry_i.offset_x << LaneBits : entry_i.offset_x;
  end

  // Counted from the first unit of the record: lane k of the segment has unit k << shift. Down is Up in a mirror.
  logic [Lanes-1:0] live, up_to, served, rest, spread, ordered, mask;
  logic [CountBits-1:0] beyond;
  logic [LaneBits-1:0] record_unit;
  affine_pkg::AddressOffer record;
  always_comb begin : record_of  // R5 to R8: the record of a segment
    beyond = CountBits'(segment_at_q.lane) + segment_q.count;
    up_to = affine_pkg::lanes_below(beyond);
    live = lanes_q & affine_pkg::lanes_below(segment_q.existing);  // R7
    served = live & up_to & ~affine_pkg::lanes_below(CountBits'(segment_at_q.lane));
    if (!segment_q.valid || segment_q.dead) served = '0;
    rest = live & ~up_to;
    ordered = served >> segment_at_q.lane;
    spread = '0;
    for (int k = 0; k < LaneBits; k++) begin
      for (int l = 0; l < Lanes; l++) begin
        if (32'(form_q.shift) == k && (l << k) < Lanes) spread[(l << k) % Lanes] = ordered[l];
      end
    end
    if (same) spread = Lanes'(1);
    record_unit = LaneBits'(segment_at_q.value >> entry_i.size);
    mask = spread << (down ? ~record_unit : record_unit);
    record = '0;
    if (served != '0) begin
      record.valid = 1'b1;
      record.data = entry_i.kind == affine_pkg::KindData;
      record.warp = segment_at_q.warp;
      record.size = entry_i.size;
      record.order = form_q.order;
      record.region = RegionBits'(segment_at_q.value >> (32'(entry_i.size) + LaneBits)) << entry_i.size;
      record.mask = mask;
      if (down) begin
        for (int u = 0; u < Lanes; u++) record.mask[u] = mask[Lanes-1-u];
      end
      record.lanes = served;
      record.last = rest == '0;
    end
  end

  logic adjusts;
  logic [WordBits-1:0] adjustment;
  always_comb begin : adjust  // R4: an adjustment after the run, of the row first
    adjusts = run_q.left == '0 && (run_q.row_ends || run_q.plane_ends);
    adjustment = run_q.row_ends ? adjust_q.row : run_q.plane_ends ? adjust_q.plane : '0;
  end

  logic minus;
  logic [WordBits-1:0] addend, part, sum;
  always_comb begin : add  // the one adder: a digit, a segment's steps or an adjustment
    addend = phase_q == Row ? adjust_q.row : phase_q == Plane ? adjust_q.plane : run_at_q.value;
    if (phase_q != Walk) begin
      part = affine_pkg::digit_of(product_q.term, product_q.factor[1:0], product_q.carry);
      minus = product_q.factor[1] != (phase_q == Row || phase_q == Plane);
    end else begin
      part = run_q.left != '0 ? steps : adjustment;
      minus = run_q.left != '0 && form_q.closed && down;
    end
    sum = addend + (minus ? ~part : part) + WordBits'(minus);
  end

  logic last;
  always_comb begin : multiply  // R2, R3: after the last digit of a product the next one
    last = product_q.factor[WordBits-1:1] == '0;
    product_d = product_q;
    if (multiplies) product_d = affine_pkg::product_on(product_q.term, product_q.factor);
    if (starts || (multiplies && last)) product_d = product;
    adjust_d = adjust_q;
    if (goes_on) adjust_d = {saved.row, saved.plane};
    if (starts) adjust_d = {rows ? entry_i.offset_y : '0, planes ? entry_i.offset_z : '0};
    if (multiplies && phase_q == Row) adjust_d.row = sum;
    if (multiplies && phase_q == Plane) adjust_d.plane = sum;
  end

  logic next_run;
  always_comb begin : walk_on  // R4 to R7: a segment of the run, or an adjustment after it, and the next run
    next_run = run_q.left == '0 ? !(run_q.row_ends && run_q.plane_ends)
                                : count == run_q.left && !run_q.row_ends && !run_q.plane_ends;
    run_d = run_q;
    run_at_d = run_at_q;
    if (begins) run_at_d.value = goes_on ? saved.value : entry_i.base;
    if (multiplies && phase_q != Row && phase_q != Plane) run_at_d.value = sum;
    if (moves) begin
      run_at_d.value = sum;
      if (run_q.left != '0) begin
        run_at_d.lane = run_at_q.lane + LaneBits'(count);
        run_d.left = run_q.left - count;
      end else if (run_q.row_ends) begin
        run_d.row_ends = 1'b0;
      end
      if (next_run) begin
        run_d = run;
        run_at_d = {sum, from_q, walk_q.warp, walk_q.lane, walk_q.row_left, walk_q.plane_left, walk_q.cta_left};
      end
    end
    if (leaves) run_d = '0;
  end

  always_comb begin : begin_run  // R5: where the run after the next one begins
    walk_d = walk_q;
    from_d = from_q;
    if (goes_on) begin
      walk_d = {saved.warp, saved.first, saved.row_left, saved.plane_left, saved.cta_left};
      from_d = saved.lane;
    end
    if (starts) begin
      walk_d = {cta_i.first_warp, {LaneBits{1'b0}}, shape_i.row, shape_i.plane, shape_i.threads};
      from_d = '0;
    end
    if (moves && next_run && walk_q.cta_left != '0) begin
      walk_d = walk_after;
      from_d = walk_after.lane;
    end
  end

  always_comb begin : cut  // R6, R7: the next segment of the run
    segment_d = segment_q;
    segment_at_d = segment_at_q;
    if (moves) begin
      segment_d = '0;
      segment_at_d = run_at_q;
    end
    if (moves && run_q.left != '0) segment_d = {1'b1, run_q.dead, count, run_q.existing};
    if (leaves) segment_d = '0;
  end

  always_comb begin : make_record  // R9: the record of the segment, or the one that was refused
    offer = '0;
    offer_at_d = offer_at_q;
    if (waits && !saves) offer = offer_o;
    if (moves) begin
      offer = record;
      offer_at_d = segment_at_q;
    end
  end

  always_comb begin : phases
    phase_d = phase_q;
    if (reads) phase_d = Begin;
    if (goes_on) phase_d = Walk;
    if (starts || (multiplies && last)) phase_d = next_phase;
    if (leaves) phase_d = Idle;
  end

  always_comb begin : events
    event_d.start = (starts && legal) || (multiplies && last);
    event_d.adjust = moves && adjusts;
    event_d.skip = moves && segment_q.valid && served == '0;
    event_d.region = taken && form_q.closed;
    event_d.thread = taken && !form_q.closed;
    event_d.refuse = refused;
    event_d.leave = saves;
  end

  // Registers
  always_ff @(posedge clk_i) begin
    is_saved_q <= rst_ni ? is_saved_d : '0;
    phase_q <= rst_ni ? phase_d : Idle;
    product_q <= rst_ni ? product_d : '0;
    form_q <= rst_ni ? form_d : '0;
    lanes_q <= rst_ni ? lanes_d : '0;
    adjust_q <= rst_ni ? adjust_d : '0;
    walk_q <= rst_ni ? walk_d : '0;
    from_q <= rst_ni ? from_d : '0;
    run_q <= rst_ni ? run_d : '0;
    run_at_q <= rst_ni ? run_at_d : '0;
    segment_q <= rst_ni ? segment_d : '0;
    segment_at_q <= rst_ni ? segment_at_d : '0;
    offer_at_q <= rst_ni ? offer_at_d : '0;
    select_o <= rst_ni ? select : '0;
    offer_o <= rst_ni ? offer : '0;
    pop_o <= rst_ni ? pop : '0;
    event_o <= rst_ni ? event_d : '0;
    idle_o <= !rst_ni || idle;
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni && saves) saved_q[select_o] <= saved_here;
    if (rst_ni && reads) saved_word_q <= saved_q[select_o];
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni) illegal: assert (!accept_illegal && !misaligned && !entry_gone && !entry_illegal);  // R8, R11
  end

  if (Formal != 0) begin : g_formal
    logic [Ctas*SavedBits-1:0] saved_of;
    for (genvar c = 0; c < Ctas; c++) begin : g_cta
      assign saved_of[c*SavedBits+:SavedBits] = saved_q[c];
    end
  end
endmodule
