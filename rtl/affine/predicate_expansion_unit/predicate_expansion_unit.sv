// Predicate expansion unit: SystemVerilog twin of predicate_expansion_unit.h, which states the contract and the timing;
// rules R1-R8 in README.md.
module predicate_expansion_unit (
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
  localparam int WalkBits = affine_pkg::WalkBits;
  localparam logic [Ctas-1:0] Bit = 1;

  // How far the unit is with a CTA's entry; ValueX to AdjustZ find one term each (R1)
  localparam logic [3:0] Idle = 4'd0;
  localparam logic [3:0] ValueX = 4'd1;
  localparam logic [3:0] ValueY = 4'd2;
  localparam logic [3:0] ValueZ = 4'd3;
  localparam logic [3:0] ScalarX = 4'd4;
  localparam logic [3:0] ScalarY = 4'd5;
  localparam logic [3:0] ScalarZ = 4'd6;
  localparam logic [3:0] AdjustY = 4'd7;
  localparam logic [3:0] AdjustZ = 4'd8;
  localparam logic [3:0] Same = 4'd9;
  localparam logic [3:0] Walking = 4'd10;
  localparam logic [3:0] Last = 4'd11;
  localparam logic [3:0] Asking = 4'd12;
  localparam logic [3:0] Offering = 4'd13;

  // State: for each CTA
  logic [3:0] phase_q [Ctas];
  logic [WordBits-1:0] value_q [Ctas];
  logic [WordBits-1:0] scalar_q [Ctas];
  logic [WordBits-1:0] adjust_y_q [Ctas];
  logic [WordBits-1:0] adjust_z_q [Ctas];
  logic [Lanes-1:0] mask_q [Ctas];
  logic [WalkBits-1:0] walk_q [Ctas];
  // and the output registers
  logic [CtaBits-1:0] select_q, select_d;
  affine_pkg::PredicateOffer offer_q, offer_d;
  affine_pkg::Pop pop_q, pop_d;
  affine_pkg::LaneCompare request_q, request_d;
  affine_pkg::PredicateEvent event_q, event_d;

  // R1: the next phase whose term is not zero
  function automatic logic [3:0] next_phase(input logic [3:0] after, input logic [9:0] needed);
    next_phase = Walking;
    for (int p = 9; p > 0; p--) if (needed[p] && 4'(p) > after) next_phase = 4'(p);
  endfunction

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
  function automatic logic [Lanes-1:0] lanes_below(input logic [ThreadBits-1:0] count);
    for (int l = 0; l < Lanes; l++) lanes_below[l] = ThreadBits'(l) < count;
  endfunction

  logic [3:0] phase, phase_d;
  logic [WordBits-1:0] value, scalar, adjust_y, adjust_z, value_d, scalar_d, adjust_y_d, adjust_z_d;
  logic [Lanes-1:0] mask, mask_d;
  affine_pkg::Walk walk, walk_d;
  logic by_row, by_plane, row_ends, plane_ends, ends_warp, ends_cta, wanted, wanted_next, same, one_run, near;
  logic as_signed, ordered, tries, accepted, legal, minus, outcome, wraps, answered;
  logic walks_on, asks, leaves, entry_illegal, reply_illegal, any, upper;
  logic [ThreadBits-1:0] run, run_end, there;
  logic [WordBits-1:0] sum, factor, times, product, result;
  logic [LaneBits-1:0] top;
  logic [9:0] needed;
  logic [Ctas-1:0] work, others;
  logic [CtaBits-1:0] at, from, first, first_upper;

  always_comb begin
    phase = phase_q[select_q];
    value = value_q[select_q];
    scalar = scalar_q[select_q];
    adjust_y = adjust_y_q[select_q];
    adjust_z = adjust_z_q[select_q];
    mask = mask_q[select_q];
    walk = walk_q[select_q];

    // R2: where the walk stands
    by_row = adjust_y != '0;
    by_plane = adjust_z != '0;
    row_ends = by_row && walk.row_left == '0;
    plane_ends = by_plane && walk.plane_left == '0;
    run = affine_pkg::walk_run(walk.lane, walk.row_left, walk.plane_left, walk.cta_left, by_row, by_plane);
    run_end = ThreadBits'(walk.lane) + run;
    ends_cta = run == walk.cta_left;
    ends_warp = 32'(run_end) == Lanes || ends_cta;
    wanted = entry_i.warps[walk.warp];
    same = entry_i.offset_x == '0 && (shape_i.row == shape_i.threads || entry_i.offset_y == '0) &&
           (shape_i.plane == shape_i.threads || entry_i.offset_z == '0);
    one_run = walk.lane == '0 && ends_warp;
    top = entry_i.offset_x[WordBits-1-:LaneBits];
    near = top == '0 || top == ~'0;  // R4
    as_signed = entry_i.compare >= affine_pkg::CompareLt && entry_i.compare <= affine_pkg::CompareGe;
    ordered = entry_i.compare >= affine_pkg::CompareLt;
    tries = ordered && one_run && near;
    accepted = offer_q.valid && accept_i;
    legal = entry_i.kind == affine_pkg::KindPredicate && entry_i.compare <= affine_pkg::CompareHs &&
            shape_i.threads != '0;

    // R1: the terms that are not zero
    needed = '0;
    needed[ValueX] = entry_i.block_x != '0 && cta_i.index_x != '0;
    needed[ValueY] = entry_i.block_y != '0 && cta_i.index_y != '0;
    needed[ValueZ] = entry_i.block_z != '0 && cta_i.index_z != '0;
    needed[ScalarX] = entry_i.scalar_block_x != '0 && cta_i.index_x != '0;
    needed[ScalarY] = entry_i.scalar_block_y != '0 && cta_i.index_y != '0;
    needed[ScalarZ] = entry_i.scalar_block_z != '0 && cta_i.index_z != '0;
    needed[AdjustY] = shape_i.row != shape_i.threads && entry_i.offset_x != '0;
    needed[AdjustZ] = shape_i.plane != shape_i.threads && entry_i.offset_y != '0;
    needed[Same] = same;

    // The ALU: sum + or - factor x times
    sum = value;
    factor = entry_i.offset_x;
    times = '0;
    minus = 1'b0;
    case (phase)
      ValueX: {factor, times} = {entry_i.block_x, cta_i.index_x};
      ValueY: {factor, times} = {entry_i.block_y, cta_i.index_y};
      ValueZ: {factor, times} = {entry_i.block_z, cta_i.index_z};
      ScalarX: {sum, factor, times} = {scalar, entry_i.scalar_block_x, cta_i.index_x};
      ScalarY: {sum, factor, times} = {scalar, entry_i.scalar_block_y, cta_i.index_y};
      ScalarZ: {sum, factor, times} = {scalar, entry_i.scalar_block_z, cta_i.index_z};
      AdjustY: {sum, minus, times} = {adjust_y, 1'b1, WordBits'(shape_i.row)};
      AdjustZ: {sum, minus, factor, times} = {adjust_z, 1'b1, entry_i.offset_y, WordBits'(shape_i.rows)};
      Walking:
        if (row_ends || plane_ends) begin
          factor = row_ends ? adjust_y : adjust_z;
          times[0] = 1'b1;
        end else if (!wanted) begin
          times = WordBits'(run);
        end
      Last: times = WordBits'(run) - 1'b1;
      Asking, Offering: times = WordBits'(run);
      default: times = '0;
    endcase
    product = factor * times;
    result = minus ? sum - product : sum + product;
    outcome = holds(entry_i.compare, result == scalar, less(result, scalar, as_signed));
    wraps = entry_i.offset_x[WordBits-1] ? less(value, result, as_signed) : less(result, value, as_signed);

    work = work_i;
    if (pop_q.valid) work = work & ~(Bit << pop_q.cta);  // a pop is seen by the queue only now
    answered = lanes_i.valid && phase == Asking && !request_q.valid;
    reply_illegal = lanes_i.valid && !answered;  // R8
    entry_illegal = 1'b0;
    {phase_d, value_d, scalar_d, adjust_y_d, adjust_z_d, mask_d} = {phase, value, scalar, adjust_y, adjust_z, mask};
    walk_d = walk;
    {offer_d, pop_d, request_d, event_d} = '0;
    {walks_on, asks, leaves} = '0;
    case (phase)
      Idle: begin
        entry_illegal = work[select_q] && !legal;  // R8
        leaves = !work[select_q] || !legal;
        if (!leaves) begin
          value_d = entry_i.base;
          scalar_d = entry_i.scalar;
          adjust_y_d = shape_i.row == shape_i.threads ? '0 : entry_i.offset_y;
          adjust_z_d = shape_i.plane == shape_i.threads ? '0 : entry_i.offset_z;
          walk_d = {cta_i.first_warp, LaneBits'(0), shape_i.row, shape_i.plane, shape_i.threads};
          phase_d = next_phase(phase, needed);
        end
      end
      ValueX, ValueY, ValueZ: begin
        value_d = result;
        event_d.start = 1'b1;
        phase_d = next_phase(phase, needed);
      end
      ScalarX, ScalarY, ScalarZ: begin
        scalar_d = result;
        event_d.start = 1'b1;
        phase_d = next_phase(phase, needed);
      end
      AdjustY: begin
        adjust_y_d = result;
        event_d.start = 1'b1;
        phase_d = next_phase(phase, needed);
      end
      AdjustZ: begin
        adjust_z_d = result;
        event_d.start = 1'b1;
        phase_d = next_phase(phase, needed);
      end
      Same: begin  // R3
        mask_d = {Lanes{outcome}};
        event_d.scalar = 1'b1;
        phase_d = wanted ? Offering : Walking;
      end
      Walking:
        if (row_ends) begin
          value_d = result;
          walk_d.row_left = shape_i.row;
          event_d.adjust = 1'b1;
        end else if (plane_ends) begin
          value_d = result;
          walk_d.plane_left = shape_i.plane;
          event_d.adjust = 1'b1;
        end else if (!wanted) begin  // R6
          walks_on = 1'b1;
          event_d.skip = 1'b1;
        end else if (tries) begin  // R4
          mask_d = {Lanes{outcome}};
          phase_d = Last;
        end else begin  // R5
          asks = 1'b1;
          event_d.unordered = walk.lane == '0 && !ordered;
          event_d.steps = walk.lane == '0 && ordered && !one_run;
          event_d.wraps = ordered && one_run;
        end
      Last:
        if (!wraps && outcome == mask[0]) begin  // R4
          event_d.pair = 1'b1;
          phase_d = Offering;
        end else begin
          asks = 1'b1;
          event_d.wraps = wraps;
          event_d.differs = !wraps;
        end
      Asking:
        if (answered) begin
          mask_d = (walk.lane == '0 ? '0 : mask) |
                   (lanes_i.mask & lanes_below(run_end) & ~lanes_below(ThreadBits'(walk.lane)));
          walks_on = !ends_warp;
          phase_d = ends_warp ? Offering : Walking;
        end
      default:  // Offering
        if (accepted) begin
          walks_on = 1'b1;
          event_d.taken = 1'b1;
        end else if (offer_q.valid) begin
          event_d.refuse = 1'b1;
          leaves = 1'b1;  // R7
        end
    endcase

    if (walks_on) begin
      value_d = result;
      walk_d = affine_pkg::walk_on(walk.warp, walk.lane, walk.row_left, walk.plane_left, walk.cta_left, run, by_row,
                                   by_plane);
      phase_d = Walking;
    end
    wanted_next = entry_i.warps[walk_d.warp];
    if (walks_on && same && wanted_next) phase_d = Offering;
    if (walks_on && ends_cta) begin
      phase_d = Idle;
      pop_d.valid = 1'b1;
      pop_d.cta = select_q;
      leaves = 1'b1;
    end
    if (asks) begin
      phase_d = Asking;
      event_d.lanes = 1'b1;
      request_d.valid = 1'b1;
      request_d.compare = entry_i.compare;
      request_d.base = value;
      request_d.offset = entry_i.offset_x;
      request_d.scalar = scalar;
      request_d.first = walk.lane;
      request_d.count = (LaneBits+1)'(run);
    end

    // R7: round robin over the other CTAs with work
    others = work & ~(Bit << select_q);
    from = 32'(select_q) == Ctas - 1 ? '0 : select_q + 1'b1;
    {at, any, upper, first, first_upper} = '0;
    for (int c = 0; c < Ctas; c++) begin
      if (others[c] && !any) begin
        any = 1'b1;
        first = at;
      end
      if (others[c] && at >= from && !upper) begin
        upper = 1'b1;
        first_upper = at;
      end
      at = at + 1'b1;
    end
    select_d = select_q;
    there = ThreadBits'(walk_d.lane) + walk_d.cta_left;
    if (leaves && any) begin
      select_d = upper ? first_upper : first;
      event_d.leave = event_d.refuse;
    end else if (phase_d == Offering) begin  // R6
      offer_d.valid = 1'b1;
      offer_d.warp = walk_d.warp;
      offer_d.mask = mask_d & entry_i.lanes & lanes_below(there);
    end
  end

  // Registers
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int c = 0; c < Ctas; c++) phase_q[c] <= Idle;
      select_q <= '0;
      offer_q <= '0;
      pop_q <= '0;
      request_q <= '0;
      event_q <= '0;
      idle_o <= 1'b1;
    end else begin
      phase_q[select_q] <= phase_d;
      value_q[select_q] <= value_d;
      scalar_q[select_q] <= scalar_d;
      adjust_y_q[select_q] <= adjust_y_d;
      adjust_z_q[select_q] <= adjust_z_d;
      mask_q[select_q] <= mask_d;
      walk_q[select_q] <= walk_d;
      select_q <= select_d;
      offer_q <= offer_d;
      pop_q <= pop_d;
      request_q <= request_d;
      event_q <= event_d;
      idle_o <= phase == Idle && work == '0;
      illegal: assert (!entry_illegal && !reply_illegal);  // R8
    end
  end

  assign select_o = select_q;
  assign offer_o = offer_q;
  assign pop_o = pop_q;
  assign lanes_o = request_q;
  assign event_o = event_q;
endmodule
