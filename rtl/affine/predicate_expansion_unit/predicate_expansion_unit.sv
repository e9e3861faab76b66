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
  localparam int CountBits = affine_pkg::CountBits;
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
  // and what the output registers get
  logic [CtaBits-1:0] select;
  affine_pkg::PredicateOffer offer;
  affine_pkg::Pop pop;
  affine_pkg::LaneCompare request;
  affine_pkg::PredicateEvent event_d;

  // a < b, as signed or unsigned words
  function automatic logic less(input logic [WordBits-1:0] a, input logic [WordBits-1:0] b, input logic as_signed);
    less = {a[WordBits-1] ^ as_signed, a[WordBits-2:0]} < {b[WordBits-1] ^ as_signed, b[WordBits-2:0]};
  endfunction

  function automatic logic is_signed(input logic [3:0] compare);
    is_signed = compare >= affine_pkg::CompareLt && compare <= affine_pkg::CompareGe;
  endfunction
  function automatic logic is_ordered(input logic [3:0] compare);
    is_ordered = compare >= affine_pkg::CompareLt;
  endfunction

  // The outcome of two words of which the first one is equal to the second, or below it
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

  // R4: offset_x, of which this is the top, is so small that a warp's first and last thread are less than 2^WordBits
  // apart.
  function automatic logic is_near(input logic [LaneBits-1:0] top);
    is_near = top == '0 || top == ~'0;
  endfunction

  logic rows, planes, is_same;
  logic [4:0] next_phase;
  affine_pkg::Product product;
  always_comb begin : product_of  // R1: the next phase whose term is not zero, and its two factors
    rows = shape_i.row != shape_i.threads;
    planes = shape_i.plane != shape_i.threads;
    is_same = entry_i.offset_x == '0 && (!rows || entry_i.offset_y == '0) && (!planes || entry_i.offset_z == '0);  // R3
    next_phase = is_same ? Same : Walking;
    product = '0;
    if (phase_q < AdjustZ && planes && entry_i.offset_y != '0) begin
      next_phase = AdjustZ;
      product = {entry_i.offset_y, WordBits'(shape_i.rows), 1'b0};
    end
    if (phase_q < AdjustY && rows && entry_i.offset_x != '0) begin
      next_phase = AdjustY;
      product = {entry_i.offset_x, WordBits'(shape_i.row), 1'b0};
    end
    if (phase_q < ScalarZ && entry_i.scalar_block_z != '0 && cta_i.index_z != '0) begin
      next_phase = ScalarZ;
      product = {entry_i.scalar_block_z, cta_i.index_z, 1'b0};
    end
    if (phase_q < ScalarY && entry_i.scalar_block_y != '0 && cta_i.index_y != '0) begin
      next_phase = ScalarY;
      product = {entry_i.scalar_block_y, cta_i.index_y, 1'b0};
    end
    if (phase_q < ScalarX && entry_i.scalar_block_x != '0 && cta_i.index_x != '0) begin
      next_phase = ScalarX;
      product = {entry_i.scalar_block_x, cta_i.index_x, 1'b0};
    end
    if (phase_q < ValueZ && entry_i.block_z != '0 && cta_i.index_z != '0) begin
      next_phase = ValueZ;
      product = {entry_i.block_z, cta_i.index_z, 1'b0};
    end
    if (phase_q < ValueY && entry_i.block_y != '0 && cta_i.index_y != '0) begin
      next_phase = ValueY;
      product = {entry_i.block_y, cta_i.index_y, 1'b0};
    end
    if (phase_q < ValueX && entry_i.block_x != '0 && cta_i.index_x != '0) begin
      next_phase = ValueX;
      product = {entry_i.block_x, cta_i.index_x, 1'b0};
    end
  end

  logic by_row, by_plane, wanted;
  logic [ThreadBits-1:0] length;
  Run run;
  always_comb begin : run_of  // R2: the run that begins where the walk stands
    by_row = adjust_y_q != '0;
    by_plane = adjust_z_q != '0;
    wanted = entry_i.warps[walk_q.warp];  // R6
    length = affine_pkg::walk_run(walk_q.lane, walk_q.row_left, walk_q.plane_left, walk_q.cta_left, by_row, by_plane);
    run.count = CountBits'(length);
    run.existing = affine_pkg::walk_existing(walk_q.lane, walk_q.cta_left);
    run.ends_cta = length == walk_q.cta_left;
    run.ends_warp = run.ends_cta || 32'(walk_q.lane) + 32'(run.count) == Lanes;
  end

  // The CTAs with work, and what became of the record and of the question of the last edge
  logic [Ctas-1:0] stale, work, others;
  logic accepted, refused, answered, reply_illegal, idle;
  always_comb begin : find  // R5, R7, R8
    stale = pop_o.valid ? Bit << pop_o.cta : '0;  // a pop is seen by the queue only now
    work = work_i & ~stale;
    others = work & ~(Bit << select_o);
    accepted = offer_o.valid && accept_i;
    refused = offer_o.valid && !accept_i;
    answered = lanes_i.valid && phase_q == Asking && !lanes_o.valid;
    reply_illegal = lanes_i.valid && !answered;
    idle = phase_q == Idle && work == '0;
  end

  // What the phases do. Each of these is for one of them, or says so.
  logic reads;
  always_comb begin : look_for_work  // R7: to work on this CTA, or on to another one
    reads = phase_q == Idle && work[select_o];
  end

  logic goes_on;
  Saved saved;
  always_comb begin : begin_again  // R7: the record that was refused is here
    goes_on = phase_q == Begin && is_saved_q[select_o];
    saved = saved_word_q;
  end

  logic begins, legal, entry_illegal;
  always_comb begin : start  // R1, R8: the entry is here
    legal = entry_i.kind == affine_pkg::KindPredicate && entry_i.compare <= affine_pkg::CompareHs &&
            shape_i.threads != '0;
    begins = phase_q == Begin && !is_saved_q[select_o] && legal;
    entry_illegal = phase_q == Begin && !is_saved_q[select_o] && !legal;
  end

  logic saves;
  always_comb begin : await  // R7: a record that is not taken stays, and its CTA gives way
    saves = phase_q == Offering && refused && others != '0;
    is_saved_d = is_saved_q;
    if (phase_q == Begin) is_saved_d[select_o] = 1'b0;
    if (saves) is_saved_d[select_o] = 1'b1;
  end

  logic steps, pops;
  always_comb begin : step_on  // R2: from the last thread of a run to the next one. R6: the entry is done.
    steps = phase_q == Step || (phase_q == Offering && accepted);
    pops = steps && run_q.ends_cta;
    pop = '0;
    if (pops) pop = {1'b1, select_o};
  end

  logic row_ends, plane_ends, adjusts;
  always_comb begin : walk  // R2: a row or a plane that ended takes an adjustment, then a run begins
    row_ends = by_row && walk_q.row_left == '0;
    plane_ends = by_plane && walk_q.plane_left == '0;
    adjusts = phase_q == Walking && (row_ends || plane_ends);
    walk_d = walk_q;
    if (goes_on) walk_d = {saved.warp, saved.lane, saved.row_left, saved.plane_left, saved.cta_left};
    if (begins) walk_d = {cta_i.first_warp, LaneBits'(0), shape_i.row, shape_i.plane, shape_i.threads};
    if (adjusts && row_ends) walk_d.row_left = shape_i.row;
    if (adjusts && !row_ends) walk_d.plane_left = shape_i.plane;
    if (steps) begin
      walk_d = affine_pkg::walk_on(walk_q.warp, walk_q.lane, walk_q.row_left, walk_q.plane_left, walk_q.cta_left,
                                   ThreadBits'(run_q.count), by_row, by_plane);
    end
  end

  logic begins_run, needs_span;
  always_comb begin : begin_run  // R2, R3: a run of another length than the last one needs its span first
    begins_run = phase_q == Walking && !row_ends && !plane_ends;
    needs_span = span_of_q != run.count;
    run_d = begins_run || phase_q == Again ? run : run_q;
  end

  logic finds_term, multiplies, minus, last_digit;
  logic [WordBits-1:0] addend, digit, part, sum;
  always_comb begin : add  // the one adder: a digit, a span, a step or an adjustment
    finds_term = phase_q >= ValueX && phase_q <= AdjustZ;
    multiplies = finds_term || phase_q == Span;
    last_digit = product_q.factor[WordBits-1:1] == '0;
    minus = multiplies && product_q.factor[1] != (phase_q == AdjustY || phase_q == AdjustZ);
    case (phase_q)
      ScalarX, ScalarY, ScalarZ: addend = scalar_q;
      AdjustY: addend = adjust_y_q;
      AdjustZ: addend = adjust_z_q;
      Span: addend = span_q;
      default: addend = value_q;
    endcase
    digit = affine_pkg::digit_of(product_q.term, product_q.factor[1:0], product_q.carry);
    part = span_q;
    if (multiplies) part = digit;
    if (phase_q == Walking) part = row_ends ? adjust_y_q : adjust_z_q;
    if (phase_q == Offering || phase_q == Step) part = entry_i.offset_x;
    sum = addend + (minus ? ~part : part) + WordBits'(minus);
  end

  logic ends_term;
  always_comb begin : multiply  // R1: after the last digit of a term the next term. R2: or the product of a span.
    ends_term = finds_term && last_digit;
    product_d = product_q;
    if (multiplies) product_d = affine_pkg::product_on(product_q.term, product_q.factor);
    if (begins || ends_term) product_d = product;
    if (begins_run && !is_same && needs_span) product_d = {entry_i.offset_x, WordBits'(run.count) - 1'b1, 1'b0};
  end

  always_comb begin : find_span  // R2: what the value grows by within a run
    span_d = span_q;
    span_of_d = span_of_q;
    if (phase_q == Begin) span_of_d = '0;
    if (begins_run && !is_same && needs_span) span_d = '0;
    if (phase_q == Span) span_d = sum;
    if (phase_q == Span && last_digit) span_of_d = run_q.count;
  end

  logic as_signed, ordered, outcome;
  logic [WordBits-1:0] compared;
  always_comb begin : compare_same  // R3, R4: the one comparison: of all threads, of a run's first one or of its last one
    as_signed = is_signed(entry_i.compare);
    ordered = is_ordered(entry_i.compare);
    compared = phase_q == Last ? last_q : value_q;
    outcome = holds(entry_i.compare, compared == scalar_q, less(compared, scalar_q, as_signed));
  end

  logic one_run, tries;
  always_comb begin : compare_first  // R4: of the first thread of the run; or R5
    one_run = walk_q.lane == '0 && run_q.ends_warp;
    tries = ordered && one_run && is_near(entry_i.offset_x[WordBits-1-:LaneBits]);
    last_d = phase_q == First && tries ? sum : last_q;
  end

  logic falls, wraps, agrees;
  always_comb begin : compare_last  // R4: of its last thread; R5 where the two do not tell
    falls = entry_i.offset_x[WordBits-1];
    wraps = falls ? less(value_q, last_q, as_signed) : less(last_q, value_q, as_signed);
    agrees = !wraps && outcome == mask_q[0];
  end

  logic asks_first, asks_last;
  always_comb begin : ask  // R5: the lanes compare the run, whose first thread has value_q
    asks_first = phase_q == First && !tries;
    asks_last = phase_q == Last && !agrees;
    request = '0;
    if (asks_first || asks_last) begin
      request.valid = 1'b1;
      request.compare = entry_i.compare;
      request.base = value_q;
      request.offset = entry_i.offset_x;
      request.scalar = scalar_q;
      request.first = walk_q.lane;
      request.count = run_q.count;
    end
  end

  logic [CountBits-1:0] run_end;
  logic [Lanes-1:0] so_far;
  always_comb begin : hear  // R5: their answer, for the lanes of the run. R3, R4: or an outcome for all lanes.
    run_end = CountBits'(walk_q.lane) + run_q.count;
    so_far = walk_q.lane == '0 ? '0 : mask_q;
    mask_d = mask_q;
    if (goes_on) mask_d = saved.mask;
    if (phase_q == Same || (phase_q == First && tries)) mask_d = {Lanes{outcome}};
    if (answered) begin
      mask_d = so_far | (lanes_i.mask & affine_pkg::lanes_below(run_end) &
                         ~affine_pkg::lanes_below(CountBits'(walk_q.lane)));
    end
  end

  always_comb begin : values  // R1, R2: the value, the scalar and the adjustments
    {value_d, scalar_d, adjust_y_d, adjust_z_d} = {value_q, scalar_q, adjust_y_q, adjust_z_q};
    case (phase_q)
      Begin:
        if (goes_on) begin
          {value_d, scalar_d, adjust_y_d, adjust_z_d} = {saved.value, saved.scalar, saved.row, saved.plane};
        end else if (legal) begin
          value_d = entry_i.base;
          scalar_d = entry_i.scalar;
          adjust_y_d = rows ? entry_i.offset_y : '0;
          adjust_z_d = planes ? entry_i.offset_z : '0;
        end
      ValueX, ValueY, ValueZ, Past: value_d = sum;
      ScalarX, ScalarY, ScalarZ: scalar_d = sum;
      AdjustY: adjust_y_d = sum;
      AdjustZ: adjust_z_d = sum;
      Walking: if (adjusts) value_d = sum;
      First: if (!tries) value_d = sum;
      Last: value_d = last_q;
      Offering, Step: if (steps) value_d = sum;
      default: value_d = value_q;
    endcase
  end

  logic leaves;
  always_comb begin : leave  // R7: to the next CTA with work
    leaves = (phase_q == Idle && !reads) || entry_illegal || saves || pops;
    select = leaves ? affine_pkg::next_cta(others, select_o) : select_o;
  end

  logic [4:0] phase;
  always_comb begin : act  // the next phase, unless the unit leaves
    phase = phase_q;
    case (phase_q)
      Idle: phase = Begin;
      Begin: phase = goes_on ? Again : next_phase;
      Same: phase = Walking;
      Walking:
        if (begins_run) begin
          phase = needs_span ? Span : wanted ? First : Past;
          if (is_same) phase = wanted ? Offering : Step;
        end
      Span: if (last_digit) phase = wanted ? First : Past;
      First: phase = tries ? Last : Asking;
      Last: phase = agrees ? Offering : Asking;
      Asking: if (answered) phase = run_q.ends_warp ? Offering : Step;
      Offering: if (accepted) phase = Walking;
      Past: phase = Step;
      Step: phase = Walking;
      Again: phase = Offering;
      default: if (ends_term) phase = next_phase;
    endcase
    phase_d = leaves ? Idle : phase;
  end

  always_comb begin : offer_record  // R6: the record of the warp
    offer = '0;
    if (!leaves && phase == Offering) begin
      offer.valid = 1'b1;
      offer.warp = walk_q.warp;
      offer.mask = mask_d & entry_i.lanes & affine_pkg::lanes_below(run_d.existing);
    end
  end

  always_comb begin : events
    event_d.start = ends_term;
    event_d.adjust = adjusts;
    event_d.skip = phase_q == Step && !wanted;
    event_d.scalar = phase_q == Same;
    event_d.pair = phase_q == Last && agrees;
    event_d.lanes = request.valid;
    event_d.unordered = asks_first && walk_q.lane == '0 && !ordered;
    event_d.steps = asks_first && walk_q.lane == '0 && ordered && !one_run;
    event_d.wraps = (asks_first && ordered && one_run) || (asks_last && wraps);
    event_d.differs = asks_last && !wraps;
    event_d.taken = phase_q == Offering && accepted;
    event_d.refuse = phase_q == Offering && refused;
    event_d.leave = saves;
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
    select_o <= rst_ni ? select : '0;
    offer_o <= rst_ni ? offer : '0;
    pop_o <= rst_ni ? pop : '0;
    lanes_o <= rst_ni ? request : '0;
    event_o <= rst_ni ? event_d : '0;
    idle_o <= !rst_ni || idle;
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni && saves) begin  // saved_here
      saved_q[select_o] <= {value_q, scalar_q, adjust_y_q, adjust_z_q, mask_q, walk_q};
    end
    if (rst_ni && reads) saved_word_q <= saved_q[select_o];
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni) illegal: assert (!entry_illegal && !reply_illegal);  // R8
  end

  if (Formal != 0) begin : g_formal
    logic [Ctas*SavedBits-1:0] saved_of;
    for (genvar c = 0; c < Ctas; c++) begin : g_cta
      assign saved_of[c*SavedBits+:SavedBits] = saved_q[c];
    end
  end
endmodule
