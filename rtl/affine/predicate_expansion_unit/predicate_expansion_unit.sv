// SPDX-License-Identifier: Apache-2.0
// Predicate expansion unit: SystemVerilog twin of predicate_expansion_unit.h, which states the contract and the timing;
// rules R1-R8 in README.md. Formal = 1 adds g_formal, a view of the memory that predicate_expansion_unit_props reads;
// nothing else changes.
module predicate_expansion_unit #(
  parameter int Formal = 0
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic [affine_pkg::Ctas-1:0] work_i,
  /* verilator lint_off UNUSEDSIGNAL */  // the size of an access does not matter here
  input  affine_pkg::Enqueue entry_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  affine_pkg::Cta cta_i,
  input  affine_pkg::Shape shape_i,
  input  logic accept_i,
  input  affine_pkg::LaneReply lanes_i,
  output logic [affine_pkg::CtaBits-1:0] select_o,
  output affine_pkg::PredicateOffer offer_o,
  output affine_pkg::Pop pop_o,
  output affine_pkg::LaneCompare lanes_o,
  output affine_pkg::PredicateEvent event_o,
  output logic idle_o
);
  localparam int Ctas = affine_pkg::Ctas;
  localparam int Lanes = affine_pkg::Lanes;
  localparam int WordBits = affine_pkg::WordBits;
  localparam int LaneBits = affine_pkg::LaneBits;
  localparam int CtaBits = affine_pkg::CtaBits;
  localparam int ThreadBits = affine_pkg::ThreadBits;
  localparam int WarpBits = affine_pkg::WarpBits;
  localparam int CountBits = LaneBits + 1;
  localparam int SavedBits = 4 * WordBits + Lanes + WarpBits + LaneBits + 3 * ThreadBits;
  localparam logic [Ctas-1:0] Bit = 1;

  // How far the unit is with a CTA's entry; ValueX to AdjustZ find one term each (R1)
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

  typedef struct packed {
    logic [WordBits-1:0] value;
    logic [WordBits-1:0] scalar;
    logic [WordBits-1:0] row;
    logic [WordBits-1:0] plane;
    logic [Lanes-1:0] mask;
    logic [WarpBits-1:0] warp;
    logic [LaneBits-1:0] lane;
    logic [ThreadBits-1:0] row_left;
    logic [ThreadBits-1:0] plane_left;
    logic [ThreadBits-1:0] cta_left;
  } Saved;
  typedef struct packed {
    logic [CountBits-1:0] count;
    logic [CountBits-1:0] existing;
    logic ends_warp;
    logic ends_cta;
  } Run;

  // State: of CTAs whose record was refused
  logic [SavedBits-1:0] saved_q [Ctas];
  logic [SavedBits-1:0] saved_word_q;
  logic [Ctas-1:0] is_saved_q, is_saved_d;
  // of the CTA at work
  logic [4:0] phase_q, phase_d;
  affine_pkg::Product product_q, product_d;
  logic [WordBits-1:0] value_q, scalar_q, adjust_y_q, adjust_z_q, span_q, last_q;
  logic [WordBits-1:0] value_d, scalar_d, adjust_y_d, adjust_z_d, span_d, last_d;
  logic [CountBits-1:0] span_of_q, span_of_d;
  logic [Lanes-1:0] mask_q, mask_d;
  affine_pkg::Walk walk_q, walk_d;
  Run run_q, run_d;
  // and the output registers
  logic [CtaBits-1:0] select_q, select_d;
  affine_pkg::PredicateOffer offer_q, offer_d;
  affine_pkg::Pop pop_q, pop_d;
  affine_pkg::LaneCompare request_q, request_d;
  affine_pkg::PredicateEvent event_q, event_d;

  // a < b, as signed or unsigned words
  function automatic logic less(input logic [WordBits-1:0] a, input logic [WordBits-1:0] b, input logic as_signed);
    less = {a[WordBits-1] ^ as_signed, a[WordBits-2:0]} < {b[WordBits-1] ^ as_signed, b[WordBits-2:0]};
  endfunction

  function automatic logic holds(input logic [3:0] compare, input logic equal, input logic below);
    case (compare)
      affine_pkg::CompareEq: holds = equal;
      affine_pkg::CompareNe: holds = !equal;
      affine_pkg::CompareLt, affine_pkg::CompareLo: holds = below;
      affine_pkg::CompareLe, affine_pkg::CompareLs: holds = below || equal;
      affine_pkg::CompareGt, affine_pkg::CompareHi: holds = !below && !equal;
      default: holds = !below;
    endcase
  endfunction

  // The lanes below `count`
  function automatic logic [Lanes-1:0] lanes_below(input logic [CountBits-1:0] count);
    for (int l = 0; l < Lanes; l++) lanes_below[l] = CountBits'(l) < count;
  endfunction

  // R1: the next phase whose term is not zero, and its factors
  logic same, rows, planes;
  logic [4:0] phase_next;
  affine_pkg::Product product_next;
  always_comb begin
    rows = shape_i.row != shape_i.threads;
    planes = shape_i.plane != shape_i.threads;
    same = entry_i.offset_x == '0 && (!rows || entry_i.offset_y == '0) && (!planes || entry_i.offset_z == '0);
    phase_next = same ? Same : Walking;
    product_next = '0;
    if (phase_q < AdjustZ && planes && entry_i.offset_y != '0) begin
      phase_next = AdjustZ;
      product_next = {entry_i.offset_y, WordBits'(shape_i.rows), 1'b0};
    end
    if (phase_q < AdjustY && rows && entry_i.offset_x != '0) begin
      phase_next = AdjustY;
      product_next = {entry_i.offset_x, WordBits'(shape_i.row), 1'b0};
    end
    if (phase_q < ScalarZ && entry_i.scalar_block_z != '0 && cta_i.index_z != '0) begin
      phase_next = ScalarZ;
      product_next = {entry_i.scalar_block_z, cta_i.index_z, 1'b0};
    end
    if (phase_q < ScalarY && entry_i.scalar_block_y != '0 && cta_i.index_y != '0) begin
      phase_next = ScalarY;
      product_next = {entry_i.scalar_block_y, cta_i.index_y, 1'b0};
    end
    if (phase_q < ScalarX && entry_i.scalar_block_x != '0 && cta_i.index_x != '0) begin
      phase_next = ScalarX;
      product_next = {entry_i.scalar_block_x, cta_i.index_x, 1'b0};
    end
    if (phase_q < ValueZ && entry_i.block_z != '0 && cta_i.index_z != '0) begin
      phase_next = ValueZ;
      product_next = {entry_i.block_z, cta_i.index_z, 1'b0};
    end
    if (phase_q < ValueY && entry_i.block_y != '0 && cta_i.index_y != '0) begin
      phase_next = ValueY;
      product_next = {entry_i.block_y, cta_i.index_y, 1'b0};
    end
    if (phase_q < ValueX && entry_i.block_x != '0 && cta_i.index_x != '0) begin
      phase_next = ValueX;
      product_next = {entry_i.block_x, cta_i.index_x, 1'b0};
    end
  end

  // R2: where the walk stands, and the run that begins there
  logic by_row, by_plane, row_ends, plane_ends, wanted;
  logic [ThreadBits-1:0] length;
  Run run_next;
  always_comb begin
    by_row = adjust_y_q != '0;
    by_plane = adjust_z_q != '0;
    row_ends = by_row && walk_q.row_left == '0;
    plane_ends = by_plane && walk_q.plane_left == '0;
    wanted = entry_i.warps[walk_q.warp];
    length = affine_pkg::walk_run(walk_q.lane, walk_q.row_left, walk_q.plane_left, walk_q.cta_left, by_row, by_plane);
    run_next.count = CountBits'(length);
    run_next.existing = CountBits'(Lanes);
    if (walk_q.cta_left < ThreadBits'(Lanes) - ThreadBits'(walk_q.lane)) begin
      run_next.existing = CountBits'(walk_q.lane) + CountBits'(walk_q.cta_left);
    end
    run_next.ends_cta = length == walk_q.cta_left;
    run_next.ends_warp = run_next.ends_cta || 32'(walk_q.lane) + 32'(run_next.count) == Lanes;
  end

  // R7: the other CTAs with work, in turn
  logic [Ctas-1:0] work, others;
  logic [CtaBits-1:0] next, at_cta;
  always_comb begin
    work = work_i;
    if (pop_q.valid) work = work & ~(Bit << pop_q.cta);  // a pop is seen by the queue only now
    others = work & ~(Bit << select_q);
    next = select_q;
    at_cta = '0;
    for (int c = Ctas - 1; c > 0; c--) begin
      at_cta = CtaBits'(32'(select_q) + c < Ctas ? 32'(select_q) + c : 32'(select_q) + c - Ctas);
      if (others[at_cta]) next = at_cta;
    end
  end

  // The one adder: a digit, a span, a step or an adjustment.
  logic multiplies, minus, last_digit;
  logic [WordBits-1:0] addend, part, sum;
  always_comb begin
    multiplies = (phase_q >= ValueX && phase_q <= AdjustZ) || phase_q == Span;
    last_digit = product_q.factor[WordBits-1:1] == '0;
    minus = multiplies && product_q.factor[1] != (phase_q == AdjustY || phase_q == AdjustZ);
    addend = value_q;
    case (phase_q)
      ScalarX, ScalarY, ScalarZ: addend = scalar_q;
      AdjustY: addend = adjust_y_q;
      AdjustZ: addend = adjust_z_q;
      Span: addend = span_q;
      default: addend = value_q;
    endcase
    part = span_q;
    if (multiplies) part = affine_pkg::digit_of(product_q.term, product_q.factor[1:0], product_q.carry);
    if (phase_q == Walking) part = row_ends ? adjust_y_q : adjust_z_q;
    if (phase_q == Offering || phase_q == Step) part = entry_i.offset_x;
    sum = addend + (minus ? ~part : part) + WordBits'(minus);
  end

  // R3, R4: the first thread's outcome, or the last one's, and whether the value wraps between them
  logic as_signed, ordered, one_run, near, tries, outcome, wraps;
  logic [WordBits-1:0] compared;
  logic [LaneBits-1:0] top;
  always_comb begin
    as_signed = entry_i.compare >= affine_pkg::CompareLt && entry_i.compare <= affine_pkg::CompareGe;
    ordered = entry_i.compare >= affine_pkg::CompareLt;
    one_run = walk_q.lane == '0 && run_q.ends_warp;
    top = entry_i.offset_x[WordBits-1-:LaneBits];
    near = top == '0 || top == ~'0;
    tries = ordered && one_run && near;
    compared = phase_q == Last ? last_q : value_q;
    outcome = holds(entry_i.compare, compared == scalar_q, less(compared, scalar_q, as_signed));
    wraps = entry_i.offset_x[WordBits-1] ? less(value_q, last_q, as_signed) : less(last_q, value_q, as_signed);
  end

  Saved saved;
  logic legal, accepted, refused, answered, walks_on, asks, leaves, reads, saves, entry_illegal, reply_illegal;
  always_comb begin
    legal = entry_i.kind == affine_pkg::KindPredicate && entry_i.compare <= affine_pkg::CompareHs &&
            shape_i.threads != '0;
    accepted = offer_q.valid && accept_i;
    refused = offer_q.valid && !accept_i;
    answered = lanes_i.valid && phase_q == Asking && !request_q.valid;
    reply_illegal = lanes_i.valid && !answered;  // R8
    entry_illegal = 1'b0;
    saved = saved_word_q;
    is_saved_d = is_saved_q;
    phase_d = phase_q;
    product_d = product_q;
    {value_d, scalar_d, adjust_y_d, adjust_z_d, span_d} = {value_q, scalar_q, adjust_y_q, adjust_z_q, span_q};
    last_d = last_q;
    span_of_d = span_of_q;
    mask_d = mask_q;
    walk_d = walk_q;
    run_d = run_q;
    {offer_d, pop_d, request_d, event_d} = '0;
    {walks_on, asks, leaves, reads, saves} = '0;
    case (phase_q)
      Idle: begin
        reads = work[select_q];
        leaves = !reads;
        if (reads) phase_d = Begin;
      end
      Begin: begin
        span_of_d = '0;
        if (is_saved_q[select_q]) begin  // R7
          is_saved_d[select_q] = 1'b0;
          {value_d, scalar_d, adjust_y_d, adjust_z_d} = {saved.value, saved.scalar, saved.row, saved.plane};
          mask_d = saved.mask;
          walk_d = {saved.warp, saved.lane, saved.row_left, saved.plane_left, saved.cta_left};
          phase_d = Again;
        end else if (legal) begin
          value_d = entry_i.base;
          scalar_d = entry_i.scalar;
          adjust_y_d = rows ? entry_i.offset_y : '0;
          adjust_z_d = planes ? entry_i.offset_z : '0;
          walk_d = {cta_i.first_warp, LaneBits'(0), shape_i.row, shape_i.plane, shape_i.threads};
          phase_d = phase_next;
          product_d = product_next;
        end else begin  // R8
          entry_illegal = 1'b1;
          leaves = 1'b1;
        end
      end
      ValueX, ValueY, ValueZ: value_d = sum;
      ScalarX, ScalarY, ScalarZ: scalar_d = sum;
      AdjustY: adjust_y_d = sum;
      AdjustZ: adjust_z_d = sum;
      Same: begin  // R3
        mask_d = {Lanes{outcome}};
        event_d.scalar = 1'b1;
        phase_d = Walking;
      end
      Walking:
        if (row_ends || plane_ends) begin
          value_d = sum;
          if (row_ends) walk_d.row_left = shape_i.row;
          else walk_d.plane_left = shape_i.plane;
          event_d.adjust = 1'b1;
        end else begin
          run_d = run_next;
          if (same) begin
            phase_d = wanted ? Offering : Step;
          end else if (span_of_q == run_next.count) begin
            phase_d = wanted ? First : Past;
          end else begin
            span_d = '0;
            product_d = {entry_i.offset_x, WordBits'(run_next.count) - 1'b1, 1'b0};
            phase_d = Span;
          end
        end
      Span: begin
        span_d = sum;
        product_d = affine_pkg::product_on(product_q.term, product_q.factor);
        if (last_digit) begin
          span_of_d = run_q.count;
          phase_d = wanted ? First : Past;
        end
      end
      First:
        if (tries) begin  // R4
          mask_d = {Lanes{outcome}};
          last_d = sum;
          phase_d = Last;
        end else begin  // R5
          asks = 1'b1;
          event_d.unordered = walk_q.lane == '0 && !ordered;
          event_d.steps = walk_q.lane == '0 && ordered && !one_run;
          event_d.wraps = ordered && one_run;
          value_d = sum;
        end
      Last: begin
        value_d = last_q;
        if (!wraps && outcome == mask_q[0]) begin  // R4
          event_d.pair = 1'b1;
          phase_d = Offering;
        end else begin
          asks = 1'b1;
          event_d.wraps = wraps;
          event_d.differs = !wraps;
        end
      end
      Asking:
        if (answered) begin
          mask_d = (walk_q.lane == '0 ? '0 : mask_q) |
                   (lanes_i.mask & lanes_below(CountBits'(walk_q.lane) + run_q.count) &
                    ~lanes_below(CountBits'(walk_q.lane)));
          phase_d = run_q.ends_warp ? Offering : Step;
        end
      Offering:
        if (accepted) begin
          walks_on = 1'b1;
          event_d.taken = 1'b1;
        end else if (refused) begin
          event_d.refuse = 1'b1;
          saves = others != '0;
          leaves = saves;  // R7
        end
      Past: begin  // R6
        value_d = sum;
        phase_d = Step;
      end
      Step: begin
        walks_on = 1'b1;
        event_d.skip = !wanted;
      end
      default: begin  // Again
        run_d = run_next;
        phase_d = Offering;
      end
    endcase

    if (multiplies && phase_q != Span) begin
      product_d = affine_pkg::product_on(product_q.term, product_q.factor);
      if (last_digit) begin
        event_d.start = 1'b1;
        phase_d = phase_next;
        product_d = product_next;
      end
    end
    if (walks_on) begin
      value_d = sum;
      walk_d = affine_pkg::walk_on(walk_q.warp, walk_q.lane, walk_q.row_left, walk_q.plane_left, walk_q.cta_left,
                                   ThreadBits'(run_q.count), by_row, by_plane);
      phase_d = Walking;
      if (run_q.ends_cta) begin
        pop_d.valid = 1'b1;
        pop_d.cta = select_q;
        leaves = 1'b1;
      end
    end
    if (asks) begin
      phase_d = Asking;
      event_d.lanes = 1'b1;
      request_d.valid = 1'b1;
      request_d.compare = entry_i.compare;
      request_d.base = value_q;
      request_d.offset = entry_i.offset_x;
      request_d.scalar = scalar_q;
      request_d.first = walk_q.lane;
      request_d.count = run_q.count;
    end
    if (saves) is_saved_d[select_q] = 1'b1;
    select_d = select_q;
    if (leaves) begin
      phase_d = Idle;
      event_d.leave = event_d.refuse;
      select_d = next;
    end else if (phase_d == Offering) begin  // R6
      offer_d.valid = 1'b1;
      offer_d.warp = walk_q.warp;
      offer_d.mask = mask_d & entry_i.lanes & lanes_below(run_d.existing);
    end
  end

  // Registers
  always_ff @(posedge clk_i) begin
    is_saved_q <= rst_ni ? is_saved_d : '0;
    phase_q <= rst_ni ? phase_d : Idle;
    product_q <= rst_ni ? product_d : '0;
    value_q <= rst_ni ? value_d : '0;
    scalar_q <= rst_ni ? scalar_d : '0;
    adjust_y_q <= rst_ni ? adjust_y_d : '0;
    adjust_z_q <= rst_ni ? adjust_z_d : '0;
    span_q <= rst_ni ? span_d : '0;
    last_q <= rst_ni ? last_d : '0;
    span_of_q <= rst_ni ? span_of_d : '0;
    mask_q <= rst_ni ? mask_d : '0;
    walk_q <= rst_ni ? walk_d : '0;
    run_q <= rst_ni ? run_d : '0;
    select_q <= rst_ni ? select_d : '0;
    offer_q <= rst_ni ? offer_d : '0;
    pop_q <= rst_ni ? pop_d : '0;
    request_q <= rst_ni ? request_d : '0;
    event_q <= rst_ni ? event_d : '0;
    idle_o <= !rst_ni || (phase_q == Idle && work == '0);
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni && saves) begin
      saved_q[select_q] <= {value_q, scalar_q, adjust_y_q, adjust_z_q, mask_q, walk_q};
    end
    if (rst_ni && reads) saved_word_q <= saved_q[select_q];
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni) illegal: assert (!entry_illegal && !reply_illegal);  // R8
  end

  assign select_o = select_q;
  assign offer_o = offer_q;
  assign pop_o = pop_q;
  assign lanes_o = request_q;
  assign event_o = event_q;

  if (Formal != 0) begin : g_formal
    logic [Ctas*SavedBits-1:0] saved_of;
    for (genvar c = 0; c < Ctas; c++) begin : g_cta
      assign saved_of[c*SavedBits+:SavedBits] = saved_q[c];
    end
  end
endmodule
