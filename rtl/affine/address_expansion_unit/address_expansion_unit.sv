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
  localparam int CountBits = LaneBits + 1;
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

  logic [SavedBits-1:0] saved_q [Ctas];
  logic [SavedBits-1:0] saved_word_q;
  logic [Ctas-1:0] is_saved_q, is_saved_d;
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
  logic [CtaBits-1:0] select_d;
  affine_pkg::AddressOffer offer_d;
  affine_pkg::Pop pop_d;
  affine_pkg::AddressEvent event_d;

  function automatic logic [Lanes-1:0] lowest(input logic [CountBits-1:0] count);
    for (int l = 0; l < Lanes; l++) lowest[l] = CountBits'(l) < count;
  endfunction

  // R6: how the addresses of neighbours stand in a region
  Form form;
  always_comb begin
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

  // R9: what the record on offer stands for is done only when it is taken.
  logic taken, refused, aligned;
  always_comb begin
    taken = offer_o.valid && accept_i;
    refused = offer_o.valid && !accept_i;
    aligned = (offer_at_q.value[1:0] & ~(2'b11 << offer_o.size)) == '0;  // R8
  end

  // R10; the queue still shows the tuple that it pops in this cycle.
  logic [Ctas-1:0] work, others, is_saved;
  logic [CtaBits-1:0] next, at_cta;
  always_comb begin
    work = work_i;
    if (pop_o.valid) work[pop_o.cta] = 1'b0;
    others = work;
    others[select_o] = 1'b0;
    is_saved = is_saved_q & work;
    next = select_o;
    at_cta = '0;
    for (int c = Ctas - 1; c > 0; c--) begin
      at_cta = CtaBits'(32'(select_o) + c < Ctas ? 32'(select_o) + c : 32'(select_o) + c - Ctas);
      if (others[at_cta]) next = at_cta;
    end
  end

  // R11
  logic legal_entry, legal_accept, legal_work;
  always_comb begin
    legal_entry = (entry_i.kind == affine_pkg::KindData || entry_i.kind == affine_pkg::KindAddress) &&
                  entry_i.size <= affine_pkg::SizeWord &&
                  shape_i.row != '0 && shape_i.plane != '0 && shape_i.threads != '0 &&
                  32'(cta_i.first_warp) * Lanes + 32'(shape_i.threads) <= Warps * Lanes;
    legal_accept = !accept_i || (offer_o.valid && aligned);
    legal_work = work[select_o] || phase_q == Idle;
  end

  // R2, R3: the first phase after this one that has something to do, and its factors
  logic rows, planes;
  logic [2:0] phase_next;
  affine_pkg::Product product_next;
  always_comb begin
    rows = shape_i.threads != shape_i.row;
    planes = shape_i.threads != shape_i.plane;
    phase_next = Walk;
    product_next = '0;
    if (phase_q < Plane && planes && entry_i.offset_y != '0) begin
      phase_next = Plane;
      product_next = {entry_i.offset_y, WordBits'(shape_i.rows), 1'b0};
    end
    if (phase_q < Row && rows && entry_i.offset_x != '0) begin
      phase_next = Row;
      product_next = {entry_i.offset_x, WordBits'(shape_i.row), 1'b0};
    end
    if (phase_q < BlockZ && entry_i.block_z != '0 && cta_i.index_z != '0) begin
      phase_next = BlockZ;
      product_next = {entry_i.block_z, cta_i.index_z, 1'b0};
    end
    if (phase_q < BlockY && entry_i.block_y != '0 && cta_i.index_y != '0) begin
      phase_next = BlockY;
      product_next = {entry_i.block_y, cta_i.index_y, 1'b0};
    end
    if (phase_q < BlockX && entry_i.block_x != '0 && cta_i.index_x != '0) begin
      phase_next = BlockX;
      product_next = {entry_i.block_x, cta_i.index_x, 1'b0};
    end
  end

  // R5: the run that begins where the walk stands; it does not depend on any address.
  logic by_row, by_plane;
  logic [ThreadBits-1:0] length;
  affine_pkg::Walk walk_after;
  Run run_next;
  always_comb begin
    by_row = adjust_q.row != '0;
    by_plane = adjust_q.plane != '0;
    length = affine_pkg::walk_run(walk_q.lane, walk_q.row_left, walk_q.plane_left, walk_q.cta_left, by_row, by_plane);
    walk_after = affine_pkg::walk_on(walk_q.warp, walk_q.lane, walk_q.row_left, walk_q.plane_left, walk_q.cta_left,
                                     length, by_row, by_plane);
    if (by_row && walk_after.row_left == '0) walk_after.row_left = shape_i.row;  // R4
    if (by_plane && walk_after.plane_left == '0) walk_after.plane_left = shape_i.plane;
    run_next = '0;
    if (walk_q.cta_left != '0) begin
      run_next.valid = 1'b1;
      run_next.dead = 32'(walk_q.warp) >= Warps || !entry_i.warps[walk_q.warp];
      run_next.row_ends = by_row && walk_q.row_left == length && walk_q.cta_left != length;
      run_next.plane_ends = by_plane && walk_q.plane_left == length && walk_q.cta_left != length;
      run_next.left = CountBits'(walk_q.lane) + CountBits'(length) - CountBits'(from_q);
      run_next.existing = CountBits'(Lanes);
      if (walk_q.cta_left < ThreadBits'(Lanes) - ThreadBits'(walk_q.lane)) begin
        run_next.existing = CountBits'(walk_q.lane) + CountBits'(walk_q.cta_left);
      end
    end
  end

  // R6, R7: how many threads of the run are in the region of the first, and how much further the next ones stand.
  // What is left, and what the region has room for, are shifted before it is known which of them is less.
  logic whole, by_room;
  logic [LaneBits-1:0] unit, before_end, aligned_end;
  logic [CountBits-1:0] room, count;
  logic [2*LaneBits:0] units_left, units_room, units;
  logic [WordBits-1:0] steps;
  logic down;
  always_comb begin
    unit = LaneBits'(run_at_q.value >> entry_i.size);
    before_end = form_q.order == affine_pkg::OrderUp ? ~unit : unit;
    room = (CountBits'(before_end) >> form_q.shift) + 1'b1;
    aligned_end = before_end & ({LaneBits{1'b1}} << form_q.shift);
    units_left = (2*LaneBits+1)'(run_q.left) << form_q.shift;
    units_room = (2*LaneBits+1)'(aligned_end) + ((2*LaneBits+1)'(1) << form_q.shift);
    by_room = form_q.closed && form_q.order != affine_pkg::OrderSame && !run_q.dead && room < run_q.left;
    whole = form_q.closed || (run_q.dead && 32'(run_q.left) == Lanes);
    count = !whole ? CountBits'(1) : by_room ? room : run_q.left;
    units = by_room ? units_room : units_left;
    down = form_q.order == affine_pkg::OrderDown;
    steps = WordBits'(units) << entry_i.size;
    if (form_q.order == affine_pkg::OrderSame) steps = '0;
    if (!form_q.closed) steps = whole ? entry_i.offset_x << LaneBits : entry_i.offset_x;
  end

  // R5 to R8: the record of a segment
  logic [Lanes-1:0] live, up_to, served, rest, spread, ordered, mask;
  logic [CountBits-1:0] beyond;
  logic [LaneBits-1:0] record_unit;
  affine_pkg::AddressOffer record;
  always_comb begin
    beyond = CountBits'(segment_at_q.lane) + segment_q.count;
    up_to = lowest(beyond);
    live = lanes_q & lowest(segment_q.existing);  // R7
    served = live & up_to & ~lowest(CountBits'(segment_at_q.lane));
    if (!segment_q.valid || segment_q.dead) served = '0;
    rest = live & ~up_to;

    // Counted from the first unit of the record: lane k of the segment has unit k << shift.
    ordered = served >> segment_at_q.lane;
    spread = '0;
    for (int k = 0; k < LaneBits; k++) begin
      for (int l = 0; l < Lanes; l++) begin
        if (32'(form_q.shift) == k && (l << k) < Lanes) spread[(l << k) % Lanes] = ordered[l];
      end
    end
    if (form_q.order == affine_pkg::OrderSame) spread = Lanes'(1);
    // Down is Up in a mirror.
    record_unit = LaneBits'(segment_at_q.value >> entry_i.size);
    mask = spread << (form_q.order == affine_pkg::OrderDown ? ~record_unit : record_unit);
    record = '0;
    if (served != '0) begin
      record.valid = 1'b1;
      record.data = entry_i.kind == affine_pkg::KindData;
      record.warp = segment_at_q.warp;
      record.size = entry_i.size;
      record.order = form_q.order;
      record.region = RegionBits'(segment_at_q.value >> (32'(entry_i.size) + LaneBits)) << entry_i.size;
      record.mask = mask;
      if (form_q.order == affine_pkg::OrderDown) begin
        for (int u = 0; u < Lanes; u++) record.mask[u] = mask[Lanes-1-u];
      end
      record.lanes = served;
      record.last = rest == '0;
    end
  end

  // The one adder: a digit, a segment's steps or an adjustment.
  logic minus, multiplies, next_run;
  logic [WordBits-1:0] addend, part, sum;
  always_comb begin
    multiplies = phase_q != Walk;
    next_run = run_q.left == '0 ? !(run_q.row_ends && run_q.plane_ends)
                                : count == run_q.left && !run_q.row_ends && !run_q.plane_ends;
    addend = phase_q == Row ? adjust_q.row : phase_q == Plane ? adjust_q.plane : run_at_q.value;
    if (multiplies) begin
      part = affine_pkg::digit_of(product_q.term, product_q.factor[1:0], product_q.carry);
      minus = product_q.factor[1] != (phase_q == Row || phase_q == Plane);
    end else begin
      part = run_q.left != '0 ? steps : run_q.row_ends ? adjust_q.row : run_q.plane_ends ? adjust_q.plane : '0;
      minus = run_q.left != '0 && form_q.closed && down;
    end
    sum = addend + (minus ? ~part : part) + WordBits'(minus);
  end

  Saved saved, saves_word;
  logic leaves, reads, saves;
  always_comb begin
    saved = saved_word_q;
    saves_word = {offer_at_q.value, adjust_q, offer_at_q.lane, offer_at_q.warp, offer_at_q.first, offer_at_q.row_left,
                  offer_at_q.plane_left, offer_at_q.cta_left};
    is_saved_d = is_saved;
    phase_d = phase_q;
    product_d = product_q;
    form_d = form_q;
    lanes_d = lanes_q;
    adjust_d = adjust_q;
    walk_d = walk_q;
    from_d = from_q;
    run_d = run_q;
    run_at_d = run_at_q;
    segment_d = segment_q;
    segment_at_d = segment_at_q;
    offer_at_d = offer_at_q;
    offer_d = '0;
    pop_d = '0;
    event_d = '0;
    event_d.region = taken && form_q.closed;
    event_d.thread = taken && !form_q.closed;
    event_d.refuse = refused;
    leaves = 1'b0;
    saves = 1'b0;
    reads = rst_ni && phase_q == Idle && work[select_o];
    if (phase_q == Idle) begin
      if (work[select_o]) phase_d = Begin;
      leaves = !work[select_o];
    end else if (!work[select_o]) begin
      leaves = 1'b1;
    end else if (phase_q == Begin) begin
      lanes_d = entry_i.lanes;
      form_d = form;
      is_saved_d[select_o] = 1'b0;
      if (is_saved[select_o]) begin  // R9
        run_at_d.value = saved.value;
        adjust_d = {saved.row, saved.plane};
        walk_d = {saved.warp, saved.first, saved.row_left, saved.plane_left, saved.cta_left};
        from_d = saved.lane;
        phase_d = Walk;
      end else begin
        run_at_d.value = entry_i.base;
        adjust_d = {rows ? entry_i.offset_y : '0, planes ? entry_i.offset_z : '0};
        walk_d = {cta_i.first_warp, {LaneBits{1'b0}}, shape_i.row, shape_i.plane, shape_i.threads};
        from_d = '0;
        phase_d = phase_next;
        product_d = product_next;
        event_d.start = legal_entry;
        pop_d.valid = !legal_entry;
        leaves = !legal_entry;
      end
    end else if (phase_q != Walk) begin
      if (phase_q == Row) adjust_d.row = sum;
      else if (phase_q == Plane) adjust_d.plane = sum;
      else run_at_d.value = sum;
      product_d = affine_pkg::product_on(product_q.term, product_q.factor);
      if (product_q.factor[WordBits-1:1] == '0) begin
        event_d.start = 1'b1;
        phase_d = phase_next;
        product_d = product_next;
      end
    end else if (refused) begin
      offer_d = offer_o;
      if (others != '0) begin
        saves = 1'b1;
        is_saved_d[select_o] = 1'b1;
        leaves = 1'b1;
        event_d.leave = 1'b1;
      end
    end else if (walk_q.cta_left == '0 && !run_q.valid && !segment_q.valid) begin
      pop_d.valid = 1'b1;
      leaves = 1'b1;
    end else begin
      offer_d = record;
      offer_at_d = segment_at_q;
      event_d.skip = segment_q.valid && served == '0;
      event_d.adjust = run_q.left == '0 && (run_q.row_ends || run_q.plane_ends);
      segment_d = '0;
      segment_at_d = run_at_q;
      run_at_d.value = sum;
      if (run_q.left != '0) begin
        segment_d = {1'b1, run_q.dead, count, run_q.existing};
        run_at_d.lane = run_at_q.lane + LaneBits'(count);
        run_d.left = run_q.left - count;
      end else if (run_q.row_ends) begin
        run_d.row_ends = 1'b0;
      end
      if (next_run) begin
        run_d = run_next;
        run_at_d = {sum, from_q, walk_q.warp, walk_q.lane, walk_q.row_left, walk_q.plane_left, walk_q.cta_left};
        if (walk_q.cta_left != '0) begin
          walk_d = walk_after;
          from_d = walk_after.lane;
        end
      end
    end
    if (leaves) begin
      offer_d = '0;
      phase_d = Idle;
      run_d = '0;
      segment_d = '0;
    end
    if (pop_d.valid) pop_d.cta = select_o;
    select_d = leaves ? next : select_o;
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
    select_o <= rst_ni ? select_d : '0;
    offer_o <= rst_ni ? offer_d : '0;
    pop_o <= rst_ni ? pop_d : '0;
    event_o <= rst_ni ? event_d : '0;
    idle_o <= !rst_ni || (phase_q == Idle && work == '0);
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni && saves) saved_q[select_o] <= saves_word;
    if (reads) saved_word_q <= saved_q[select_o];
  end

  // R8, R11
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      illegal: assert (legal_accept && legal_work &&
                       (legal_entry || phase_q != Begin || !work[select_o] || is_saved[select_o]));
    end
  end

  if (Formal != 0) begin : g_formal
    logic [Ctas*SavedBits-1:0] saved_of;
    for (genvar c = 0; c < Ctas; c++) begin : g_cta
      assign saved_of[c*SavedBits+:SavedBits] = saved_q[c];
    end
  end
endmodule
