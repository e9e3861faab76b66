// Address expansion unit: SystemVerilog twin of address_expansion_unit.h, which states the contract and the timing;
// rules R1-R12 in README.md. What is kept for CTA c is at the bottom plus c times its width.
module address_expansion_unit (
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
  localparam int CtaBits = affine_pkg::CtaBits;
  localparam int ThreadBits = affine_pkg::ThreadBits;
  localparam int RegionBits = affine_pkg::RegionBits;
  localparam int WalkBits = affine_pkg::WalkBits;

  // AddressPhase
  localparam logic [2:0] BlockX = 3'd0;
  localparam logic [2:0] BlockY = 3'd1;
  localparam logic [2:0] BlockZ = 3'd2;
  localparam logic [2:0] Row = 3'd3;
  localparam logic [2:0] Plane = 3'd4;
  localparam logic [2:0] Walk = 3'd5;

  typedef struct packed {
    logic [WordBits-1:0] row;
    logic [WordBits-1:0] plane;
  } Adjust;

  logic [Ctas*WordBits-1:0] value_q, value_d;
  logic [Ctas*2*WordBits-1:0] adjust_q, adjust_d;
  logic [Ctas*WalkBits-1:0] walk_q, walk_d;
  logic [Ctas*3-1:0] phase_q, phase_d;
  logic [WordBits-1:0] value_ahead_q, value_ahead_d;
  logic [WalkBits-1:0] walk_ahead_q, walk_ahead_d;
  logic [CtaBits-1:0] select_d;
  affine_pkg::AddressOffer offer_d;
  affine_pkg::Pop pop_d;
  affine_pkg::AddressEvent event_d;

  // R6: how the addresses of neighbours stand in a region
  logic down, closed;
  logic [1:0] order;
  logic [WordBits-1:0] distance;
  int shift;
  always_comb begin
    down = entry_i.offset_x[WordBits-1];
    distance = down ? -entry_i.offset_x : entry_i.offset_x;
    closed = entry_i.offset_x == '0;
    order = closed ? affine_pkg::OrderSame : affine_pkg::OrderUp;
    shift = 0;
    for (int k = 0; k < LaneBits; k++) begin
      if (distance == WordBits'(1) << (k + 32'(entry_i.size))) begin
        closed = 1'b1;
        order = down ? affine_pkg::OrderDown : affine_pkg::OrderUp;
        shift = k;
      end
    end
  end

  // R9: where the CTA stands; what the record on offer stands for is done only when it is taken.
  int here;
  logic taken, refused, aligned;
  logic [2:0] phase;
  Adjust adjust;
  affine_pkg::Walk walk;
  logic [WordBits-1:0] value, offered_value;
  always_comb begin
    here = 32'(select_o);
    taken = offer_o.valid && accept_i;
    refused = offer_o.valid && !accept_i;
    phase = phase_q[here*3+:3];
    adjust = adjust_q[here*2*WordBits+:2*WordBits];
    offered_value = value_q[here*WordBits+:WordBits];
    value = taken ? value_ahead_q : offered_value;
    walk = taken ? walk_ahead_q : walk_q[here*WalkBits+:WalkBits];
    aligned = (offered_value[1:0] & ~(2'b11 << entry_i.size)) == '0;  // R8
  end

  // R10; the queue still shows the tuple that it pops in this cycle.
  logic [Ctas-1:0] work, others;
  logic [CtaBits-1:0] next, at_cta;
  always_comb begin
    work = work_i;
    if (pop_o.valid) work[pop_o.cta] = 1'b0;
    others = work;
    others[select_o] = 1'b0;
    next = select_o;
    at_cta = '0;
    for (int c = Ctas - 1; c > 0; c--) begin
      at_cta = CtaBits'(here + c < Ctas ? here + c : here + c - Ctas);
      if (others[at_cta]) next = at_cta;
    end
  end

  // R5 to R8: the record of the threads that come next
  logic by_row, by_plane;
  logic [Lanes-1:0] existing, live, rest;
  logic [ThreadBits-1:0] run, room, count, first;
  logic [LaneBits-1:0] at_unit;
  int lane, unit;
  logic [WordBits-1:0] units;
  affine_pkg::AddressOffer record;
  always_comb begin
    by_row = adjust.row != '0;
    by_plane = adjust.plane != '0;
    run = affine_pkg::walk_run(walk.lane, walk.row_left, walk.plane_left, walk.cta_left, by_row, by_plane);
    units = value >> entry_i.size;
    unit = 32'(units[LaneBits-1:0]);
    lane = 32'(walk.lane);

    // R6: threads of the run that are in the region of the first
    room = run;
    if (order == affine_pkg::OrderUp) room = ThreadBits'(((Lanes - 1 - unit) >> shift) + 1);
    if (order == affine_pkg::OrderDown) room = ThreadBits'((unit >> shift) + 1);
    if (!closed) room = ThreadBits'(1);
    count = room < run ? room : run;

    record = '0;
    rest = '0;
    first = run;
    at_unit = '0;
    for (int l = 0; l < Lanes; l++) begin
      existing[l] = l < lane + 32'(walk.cta_left);
      live[l] = existing[l] && entry_i.lanes[l] && 32'(walk.warp) < Warps && entry_i.warps[walk.warp];  // R7
    end
    for (int l = Lanes - 1; l >= 0; l--) begin
      if (live[l] && l >= lane) begin
        if (l - lane < 32'(count)) begin
          record.lanes[l] = 1'b1;
          at_unit = LaneBits'(unit);
          if (order == affine_pkg::OrderUp) at_unit = LaneBits'(unit + ((l - lane) << shift));
          if (order == affine_pkg::OrderDown) at_unit = LaneBits'(unit - ((l - lane) << shift));
          record.mask[at_unit] = 1'b1;
        end else begin
          rest[l] = 1'b1;
        end
        if (l - lane < 32'(run)) first = ThreadBits'(l - lane);
      end
    end
    if (record.lanes == '0) begin
      record = '0;
      count = first;  // R7: on to the next thread that the tuple is for
    end else begin
      record.valid = 1'b1;
      record.data = entry_i.kind == affine_pkg::KindData;
      record.warp = walk.warp;
      record.size = entry_i.size;
      record.order = order;
      record.region = RegionBits'(units >> LaneBits) << entry_i.size;
      record.last = rest == '0;
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
    legal_work = work[select_o] || phase == BlockX || (refused && others != '0);
  end

  // The one ALU: a multiply-add.
  logic acts, done, offers, row_ends, plane_ends;
  logic [WordBits-1:0] addend, factor, term, sum;
  affine_pkg::Walk walk_next;
  Adjust adjust_next;
  always_comb begin
    acts = work[select_o] && !(refused && others != '0);
    row_ends = by_row && walk.row_left == '0;
    plane_ends = by_plane && walk.plane_left == '0;
    done = 1'b0;
    offers = 1'b0;
    addend = value;
    factor = WordBits'(1);
    term = '0;
    walk_next = walk;
    case (phase)
      BlockX: begin
        addend = entry_i.base;
        factor = cta_i.index_x;
        term = entry_i.block_x;
        walk_next = {cta_i.first_warp, {LaneBits{1'b0}}, shape_i.row, shape_i.plane, shape_i.threads};
        done = !legal_entry;
      end
      BlockY: begin
        factor = cta_i.index_y;
        term = entry_i.block_y;
      end
      BlockZ: begin
        factor = cta_i.index_z;
        term = entry_i.block_z;
      end
      Row: begin
        addend = entry_i.offset_y;
        factor = '0 - WordBits'(shape_i.row);
        term = entry_i.offset_x;
      end
      Plane: begin
        addend = entry_i.offset_z;
        factor = '0 - WordBits'(shape_i.rows);
        term = entry_i.offset_y;
      end
      default: begin
        if (walk.cta_left == '0) begin
          done = 1'b1;
        end else if (row_ends) begin  // R4
          term = adjust.row;
          walk_next.row_left = shape_i.row;
        end else if (plane_ends) begin
          term = adjust.plane;
          walk_next.plane_left = shape_i.plane;
        end else begin
          factor = WordBits'(count);
          term = entry_i.offset_x;
          walk_next = affine_pkg::walk_on(walk.warp, walk.lane, walk.row_left, walk.plane_left, walk.cta_left, count,
                                          by_row, by_plane);
          offers = record.valid;
        end
      end
    endcase
    sum = addend + factor * term;
    adjust_next = phase == BlockX ? '0 : adjust;
    if (phase == Row) adjust_next.row = sum;
    if (phase == Plane) adjust_next.plane = sum;
  end

  // R3: the first phase after this one that has something to do
  logic [2:0] phase_next;
  always_comb begin
    phase_next = Walk;
    if (phase < Plane && shape_i.threads != shape_i.plane) phase_next = Plane;
    if (phase < Row && shape_i.threads != shape_i.row) phase_next = Row;
    if (phase < BlockZ && entry_i.block_z != '0 && cta_i.index_z != '0) phase_next = BlockZ;
    if (phase < BlockY && entry_i.block_y != '0 && cta_i.index_y != '0) phase_next = BlockY;
  end

  always_comb begin
    value_d = value_q;
    adjust_d = adjust_q;
    walk_d = walk_q;
    phase_d = phase_q;
    value_ahead_d = value_ahead_q;
    walk_ahead_d = walk_ahead_q;
    select_d = select_o;
    offer_d = '0;
    pop_d = '0;
    event_d = '0;
    event_d.region = taken && closed;
    event_d.thread = taken && !closed;
    event_d.refuse = refused;
    if (taken) begin
      value_d[here*WordBits+:WordBits] = value_ahead_q;
      walk_d[here*WalkBits+:WalkBits] = walk_ahead_q;
    end
    if (!acts) begin
      event_d.leave = refused && others != '0;
      if (!event_d.leave) phase_d[here*3+:3] = BlockX;
      select_d = next;
    end else if (done) begin
      pop_d.valid = 1'b1;
      pop_d.cta = select_o;
      phase_d[here*3+:3] = BlockX;
      select_d = next;
    end else if (offers) begin
      offer_d = record;
      value_ahead_d = sum;
      walk_ahead_d = walk_next;
    end else begin
      event_d.start = phase != Walk;
      event_d.adjust = phase == Walk && (row_ends || plane_ends);
      event_d.skip = phase == Walk && !row_ends && !plane_ends;
      walk_d[here*WalkBits+:WalkBits] = walk_next;
      adjust_d[here*2*WordBits+:2*WordBits] = adjust_next;
      if (phase != Row && phase != Plane) value_d[here*WordBits+:WordBits] = sum;
      if (phase != Walk) phase_d[here*3+:3] = phase_next;
    end
  end

  // Registers
  always_ff @(posedge clk_i) begin
    value_q <= rst_ni ? value_d : '0;
    adjust_q <= rst_ni ? adjust_d : '0;
    walk_q <= rst_ni ? walk_d : '0;
    phase_q <= rst_ni ? phase_d : '0;
    value_ahead_q <= rst_ni ? value_ahead_d : '0;
    walk_ahead_q <= rst_ni ? walk_ahead_d : '0;
    select_o <= rst_ni ? select_d : '0;
    offer_o <= rst_ni ? offer_d : '0;
    pop_o <= rst_ni ? pop_d : '0;
    event_o <= rst_ni ? event_d : '0;
    idle_o <= !rst_ni || (!acts && !offer_o.valid && others == '0);
  end

  // R8, R11
  always_ff @(posedge clk_i) begin
    if (rst_ni) illegal: assert (legal_accept && legal_work && (legal_entry || phase != BlockX || !acts));
  end
endmodule
