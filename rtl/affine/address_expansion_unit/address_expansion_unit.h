// SPDX-License-Identifier: Apache-2.0
// Address expansion unit (DAC sec. 4.2, Fig. 11): turns the address tuples of each concurrent CTA into records, a
// region of Lanes units with a bit a unit that is accessed, without an address a thread.
//
// What   work_i              a bit a CTA: its oldest tuple is for this unit
//        select_o            the CTA of this cycle; the tuple queue answers in the next one with
//        entry_i, cta_i      Enqueue, Cta  its oldest tuple and where it runs;  shape_i  Shape  of all CTAs
//        offer_o             AddressOffer  a record;  accept_i  it is taken in this cycle
//        pop_o               Pop           the oldest tuple of this CTA is done
//        event_o             AddressEvent  what the last edge did, for statistics
//        idle_o              without work nothing changes
// Rules  R1-R12 in README.md.
// Time   a tuple is in work_i in cycle n, in entry_i in n+1: its first record is on offer_o in n+5, after the digits of
//        what is multiplied; then a record a cycle, and a cycle between two rows that do not go on linearly. The last is
//        taken in m: pop_o in m+1.
// Cost   asked from the inventory: for each CTA, in a RAM, an accumulator, two adjustments and where it stands; the same
//        for the CTA at work, in three stages (runs, segments, records); operands of the one adder; the outputs.
// Twin   address_expansion_unit.sv, same ports, same state.
#pragma once

#include "rtl/affine/affine.h"
#include "rtl/base/clocked.h"
#include "rtl/base/inventory.h"
#include "rtl/base/refusal.h"

namespace heddle {

/// What the unit does for the CTA that it looks at. Terms with a factor of 0 are left out.
enum class AddressPhase : unsigned {
  Idle = 0,    ///< looks for work
  Begin = 1,   ///< the tuple is here: base, or where the CTA stood
  BlockX = 2,  ///< ... + block_x * blockIdx.x
  BlockY = 3,  ///< ... + block_y * blockIdx.y
  BlockZ = 4,
  Row = 5,    ///< the adjustment at the end of a row
  Plane = 6,  ///< ... and of a plane
  Walk = 7,   ///< records
};

/// What is added where a row or a plane of threads ends.
template <class A>
struct Adjustment {
  sc_uint<A::WordBits> row;
  sc_uint<A::WordBits> plane;
  HEDDLE_RECORD(Adjustment, row, plane)
};

/// How the addresses of neighbours stand in a region: `shift` is the logarithm of their distance in units.
template <class A>
struct AddressForm {
  sc_uint<1> closed;
  sc_uint<2> order;  // LaneOrder
  sc_uint<A::LaneBits> shift;
  HEDDLE_RECORD(AddressForm, closed, order, shift)
};

/// Threads of one warp between which the value grows by offset_x, as far as they are not done.
template <class A>
struct AddressRun {
  sc_uint<1> valid;
  sc_uint<1> dead;        // the tuple is not for this warp
  sc_uint<1> row_ends;    // an adjustment follows ...
  sc_uint<1> plane_ends;  // ... and this one
  sc_uint<A::LaneBits + 1> left;
  sc_uint<A::LaneBits + 1> existing;  // threads in this warp
  HEDDLE_RECORD(AddressRun, valid, dead, row_ends, plane_ends, left, existing)
};

/// The part of a run that lies in one region.
template <class A>
struct AddressSegment {
  sc_uint<1> valid;
  sc_uint<1> dead;
  sc_uint<A::LaneBits + 1> count;
  sc_uint<A::LaneBits + 1> existing;
  HEDDLE_RECORD(AddressSegment, valid, dead, count, existing)
};

/// Where a run begins, and how far it is done: enough to go on from here.
template <class A>
struct AddressStand {
  sc_uint<A::WordBits> value;
  sc_uint<A::LaneBits> lane;  // the next thread's
  sc_uint<A::WarpBits> warp;
  sc_uint<A::LaneBits> first;       // the lane in which its run began, ...
  sc_uint<A::ThreadBits> row_left;  // ... and the threads left there
  sc_uint<A::ThreadBits> plane_left;
  sc_uint<A::ThreadBits> cta_left;
  HEDDLE_RECORD(AddressStand, value, lane, warp, first, row_left, plane_left, cta_left)
};

/// What is kept of a CTA whose record was refused.
template <class A>
struct AddressSaved {
  sc_uint<A::WordBits> value;
  sc_uint<A::WordBits> row;
  sc_uint<A::WordBits> plane;
  sc_uint<A::LaneBits> lane;
  sc_uint<A::WarpBits> warp;
  sc_uint<A::LaneBits> first;
  sc_uint<A::ThreadBits> row_left;
  sc_uint<A::ThreadBits> plane_left;
  sc_uint<A::ThreadBits> cta_left;
  HEDDLE_RECORD(AddressSaved, value, row, plane, lane, warp, first, row_left, plane_left, cta_left)
};

template <class A>
class address_expansion_unit : public sc_core::sc_module {
 public:
  using Word = typename A::Word;
  using Mask = typename A::Mask;
  using CtaMask = typename A::CtaMask;
  using Enqueue = typename A::Enqueue;
  using Cta = typename A::Cta;
  using Shape = typename A::Shape;
  using AddressOffer = typename A::AddressOffer;
  using Pop = typename A::Pop;
  using AddressEvent = typename A::AddressEvent;
  using Walk = typename A::Walk;
  using Product = typename A::Product;
  using Adjust = Adjustment<A>;
  using Form = AddressForm<A>;
  using Run = AddressRun<A>;
  using Segment = AddressSegment<A>;
  using Stand = AddressStand<A>;
  using Saved = AddressSaved<A>;
  using Phase = sc_uint<3>;
  using CtaIndex = sc_uint<A::CtaBits>;
  static constexpr unsigned Lanes = A::Lanes, Ctas = A::Ctas, LaneBits = A::LaneBits, WordBits = A::WordBits;

  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_in<bool> rst_ni{"rst_ni"};
  sc_core::sc_in<CtaMask> work_i{"work_i"};
  sc_core::sc_in<Enqueue> entry_i{"entry_i"};
  sc_core::sc_in<Cta> cta_i{"cta_i"};
  sc_core::sc_in<Shape> shape_i{"shape_i"};
  sc_core::sc_in<bool> accept_i{"accept_i"};
  sc_core::sc_out<CtaIndex> select_o{"select_o"};
  sc_core::sc_out<AddressOffer> offer_o{"offer_o"};
  sc_core::sc_out<Pop> pop_o{"pop_o"};
  sc_core::sc_out<AddressEvent> event_o{"event_o"};
  sc_core::sc_out<bool> idle_o{"idle_o"};

  SC_CTOR(address_expansion_unit) {
    HEDDLE_ON_EDGE(step, clk_i);
    probe(*this, "work_i", work_i);
    probe(*this, "entry_i", entry_i);
    probe(*this, "cta_i", cta_i);
    probe(*this, "shape_i", shape_i);
    probe(*this, "accept_i", accept_i);
    declare(*this, "saved_q", saved_q,
            {Storage::Ram, paper_fields("value,row"),
             "DAC sec. 4.2, Fig. 11: an accumulated address a concurrent CTA, and the adjustment; the rest ours",
             "1R1W, read first"});
    declare(*this, "saved_word_q", saved_word_q, {Storage::Flop, paper_none(), "read port of saved_q"});
    declare(*this, "is_saved_q", is_saved_q, {Storage::Flop, paper_none(), "ours, CTAs that go on from there"});
    declare(*this, "phase_q", phase_q, {Storage::Flop, paper_none(), "ours"});
    declare(*this, "product_q", product_q, {Storage::Flop, paper_none(), "ours, operands of the adder"});
    declare(*this, "form_q", form_q, {Storage::Flop, paper_none(), "ours, of the tuple at work"});
    declare(*this, "lanes_q", lanes_q, {Storage::Flop, paper_none(), "ours, of the tuple at work"});
    declare(*this, "adjust_q", adjust_q, {Storage::Flop, paper_none(), "ours, of the CTA at work"});
    declare(*this, "walk_q", walk_q, {Storage::Flop, paper_none(), "ours, where the next run begins"});
    declare(*this, "from_q", from_q, {Storage::Flop, paper_none(), "ours, and where in it to go on"});
    declare(*this, "run_q", run_q, {Storage::Flop, paper_none(), "ours, the run that is cut into segments"});
    declare(*this, "run_at_q", run_at_q, {Storage::Flop, paper_none(), "ours, the accumulator of the CTA at work"});
    declare(*this, "segment_q", segment_q, {Storage::Flop, paper_none(), "ours, threads of the next record"});
    declare(*this, "segment_at_q", segment_at_q, {Storage::Flop, paper_none(), "ours, where they stand"});
    declare(*this, "offer_at_q", offer_at_q, {Storage::Flop, paper_none(), "ours, where those on offer stand"});
    declare(*this, "select_o", select_o, {Storage::Flop, paper_none(), "ours"});
    declare(*this, "offer_o", offer_o, {Storage::Flop, paper_none(), "ours, output register"});
    declare(*this, "pop_o", pop_o, {Storage::Flop, paper_none(), "ours, output register"});
    declare(*this, "event_o", event_o, {Storage::Flop, paper_none(), "ours, statistics"});
    declare(*this, "idle_o", idle_o, {Storage::Flop, paper_none(), "ours, nothing changes without work"});
  }

  /// R6
  static Form form_of(const Enqueue& entry) {
    Form form;
    const bool down = entry.offset_x[WordBits - 1];
    const Word distance = down ? Word(0 - entry.offset_x) : Word(entry.offset_x);
    for (unsigned k = 0; k < LaneBits; ++k) {
      if (distance == sc_dt::uint64(1) << (unsigned(entry.size) + k)) {
        form.closed = 1;
        form.order = unsigned(down ? LaneOrder::Down : LaneOrder::Up);
        form.shift = k;
      }
    }
    if (entry.offset_x == 0) {
      form.closed = 1;
      form.order = unsigned(LaneOrder::Same);
    }
    return form;
  }

 private:
  Saved saved_q[Ctas];
  Saved saved_word_q;
  CtaMask is_saved_q;
  Phase phase_q;
  Product product_q;
  Form form_q;
  Mask lanes_q;
  Adjust adjust_q;
  Walk walk_q;
  sc_uint<A::LaneBits> from_q;
  Run run_q;
  Stand run_at_q;
  Segment segment_q;
  Stand segment_at_q;
  Stand offer_at_q;

  /// R11
  static bool legal(const Enqueue& entry, const Cta& cta, const Shape& shape) {
    const bool address = entry.kind == unsigned(TupleKind::Data) || entry.kind == unsigned(TupleKind::Address);
    const bool threads = shape.row != 0 && shape.plane != 0 && shape.threads != 0;
    const bool fits = unsigned(cta.first_warp) * Lanes + unsigned(shape.threads) <= A::Warps * Lanes;
    return address && entry.size <= unsigned(AccessSize::Word) && threads && fits;
  }

  /// R2, R3: the first phase after this one that has something to do.
  static Phase next_phase(const Phase& phase, const Enqueue& entry, const Cta& cta, const Shape& shape) {
    unsigned next = unsigned(AddressPhase::Walk);
    const bool rows = shape.threads != shape.row, planes = shape.threads != shape.plane;
    if (phase < unsigned(AddressPhase::Plane) && planes && entry.offset_y != 0) next = unsigned(AddressPhase::Plane);
    if (phase < unsigned(AddressPhase::Row) && rows && entry.offset_x != 0) next = unsigned(AddressPhase::Row);
    if (phase < unsigned(AddressPhase::BlockZ) && entry.block_z != 0 && cta.index_z != 0) {
      next = unsigned(AddressPhase::BlockZ);
    }
    if (phase < unsigned(AddressPhase::BlockY) && entry.block_y != 0 && cta.index_y != 0) {
      next = unsigned(AddressPhase::BlockY);
    }
    if (phase < unsigned(AddressPhase::BlockX) && entry.block_x != 0 && cta.index_x != 0) {
      next = unsigned(AddressPhase::BlockX);
    }
    return next;
  }

  /// The two factors of a phase.
  static Product product_of(const Phase& phase, const Enqueue& entry, const Cta& cta, const Shape& shape) {
    Product product;
    if (phase == unsigned(AddressPhase::BlockX)) {
      product.term = entry.block_x;
      product.factor = cta.index_x;
    } else if (phase == unsigned(AddressPhase::BlockY)) {
      product.term = entry.block_y;
      product.factor = cta.index_y;
    } else if (phase == unsigned(AddressPhase::BlockZ)) {
      product.term = entry.block_z;
      product.factor = cta.index_z;
    } else if (phase == unsigned(AddressPhase::Row)) {
      product.term = entry.offset_x;
      product.factor = shape.row;
    } else if (phase == unsigned(AddressPhase::Plane)) {
      product.term = entry.offset_y;
      product.factor = shape.rows;
    }
    return product;
  }

  /// R5: the run that begins where the walk stands, from lane `from` on.
  static Run run_of(const Walk& walk, unsigned from, unsigned length, const Adjust& adjust, bool live) {
    Run run;
    if (walk.cta_left != 0) {
      const bool goes_on = walk.cta_left != length;
      run.valid = 1;
      run.dead = live ? 0 : 1;
      run.row_ends = adjust.row != 0 && walk.row_left == length && goes_on ? 1 : 0;
      run.plane_ends = adjust.plane != 0 && walk.plane_left == length && goes_on ? 1 : 0;
      run.left = unsigned(walk.lane) + length - from;
      run.existing = A::walk_existing(walk);
    }
    return run;
  }

  /// R4: after that run. Rows and planes that do not matter are not counted.
  static Walk walk_after(const Walk& walk, unsigned length, const Adjust& adjust, const Shape& shape) {
    Walk walk_d = A::walk_on(walk, length, adjust.row != 0, adjust.plane != 0);
    if (adjust.row != 0 && walk.row_left == length) walk_d.row_left = shape.row;
    if (adjust.plane != 0 && walk.plane_left == length) walk_d.plane_left = shape.plane;
    return walk_d;
  }

  /// R6, R7: threads of the run, from `value` on, that the next segment has.
  static unsigned count_of(const Run& run, const Form& form, const Enqueue& entry, const Word& value) {
    const unsigned unit = unsigned(value >> unsigned(entry.size)) % Lanes, left = run.left;
    unsigned count = left;
    if (form.closed == 0) {
      if (run.dead == 0 || left != Lanes) count = 1;
    } else if (run.dead == 0 && form.order != unsigned(LaneOrder::Same)) {
      const unsigned before_end = form.order == unsigned(LaneOrder::Up) ? Lanes - 1 - unit : unit;
      const unsigned room = (before_end >> unsigned(form.shift)) + 1;
      if (room < count) count = room;
    }
    return count;
  }

  /// What the value grows by: `count` steps. Without a closed form they are one, or those of a whole warp.
  static Word steps_of(unsigned count, const Form& form, const Enqueue& entry) {
    Word steps = 0;
    if (form.closed == 0) {
      steps = count == 1 ? entry.offset_x : Word(entry.offset_x << LaneBits);
    } else if (form.order != unsigned(LaneOrder::Same)) {
      steps = Word(count) << (unsigned(form.shift) + unsigned(entry.size));
      if (form.order == unsigned(LaneOrder::Down)) steps = 0 - steps;
    }
    return steps;
  }

  /// R5 to R8, R12: the record of a segment; not valid when none of its threads is live.
  static AddressOffer record_of(const Enqueue& entry, const Form& form, const Segment& segment, const Stand& at,
                                const Mask& lanes) {
    AddressOffer record;
    const unsigned lane = at.lane, shift = form.shift, beyond = lane + unsigned(segment.count);
    const Mask live = lanes & A::lanes_below(segment.existing);  // R7
    record.lanes = live & A::lanes_below(beyond) & ~A::lanes_below(lane);
    if (segment.valid == 0 || segment.dead != 0) record.lanes = 0;
    if (record.lanes != 0) {
      const unsigned unit = unsigned(at.value >> unsigned(entry.size)) % Lanes;
      record.valid = 1;
      record.data = entry.kind == unsigned(TupleKind::Data) ? 1 : 0;
      record.warp = at.warp;
      record.size = entry.size;
      record.order = form.order;
      record.region = at.value >> (LaneBits + unsigned(entry.size)) << unsigned(entry.size);
      record.last = (live & ~A::lanes_below(beyond)) == 0 ? 1 : 0;
      const sc_dt::uint64 served = record.lanes;
      sc_dt::uint64 mask = 0;
      for (unsigned l = 0; l < Lanes; ++l) {
        if ((served >> l & 1) != 0) {
          const unsigned steps = (l - lane) << shift;
          unsigned unit_of = unit;
          if (form.order == unsigned(LaneOrder::Up)) unit_of = unit + steps;
          if (form.order == unsigned(LaneOrder::Down)) unit_of = unit - steps;
          mask |= sc_dt::uint64(1) << unit_of % Lanes;
        }
      }
      record.mask = mask;
    }
    return record;
  }

  /// R9: what is kept of the record on offer.
  static Saved saved_here(const Stand& at, const Adjust& adjust) {
    Saved saved;
    saved.value = at.value;
    saved.row = adjust.row;
    saved.plane = adjust.plane;
    saved.lane = at.lane;
    saved.warp = at.warp;
    saved.first = at.first;
    saved.row_left = at.row_left;
    saved.plane_left = at.plane_left;
    saved.cta_left = at.cta_left;
    return saved;
  }

  /// The tuple is here.
  void begin(const Enqueue& entry, const Cta& cta, const Shape& shape, bool goes_on) {
    const Saved saved = saved_word_q;
    lanes_q = entry.lanes;
    form_q = form_of(entry);
    if (goes_on) {  // R9
      run_at_q.value = saved.value;
      adjust_q.row = saved.row;
      adjust_q.plane = saved.plane;
      walk_q.warp = saved.warp;
      walk_q.lane = saved.first;
      walk_q.row_left = saved.row_left;
      walk_q.plane_left = saved.plane_left;
      walk_q.cta_left = saved.cta_left;
      from_q = saved.lane;
      phase_q = unsigned(AddressPhase::Walk);
    } else {
      run_at_q.value = entry.base;
      adjust_q.row = shape.threads != shape.row ? Word(entry.offset_y) : Word(0);
      adjust_q.plane = shape.threads != shape.plane ? Word(entry.offset_z) : Word(0);
      walk_q = A::walk_start(cta, shape);
      from_q = 0;
      phase_q = next_phase(phase_q, entry, cta, shape);
      product_q = product_of(phase_q, entry, cta, shape);
    }
  }

  /// R2, R3: a digit of the product; says whether it was the last.
  bool multiply(const Enqueue& entry, const Cta& cta, const Shape& shape) {
    const Product product = product_q;
    if (phase_q == unsigned(AddressPhase::Row)) {
      adjust_q.row = adjust_q.row - A::digit_of(product);
    } else if (phase_q == unsigned(AddressPhase::Plane)) {
      adjust_q.plane = adjust_q.plane - A::digit_of(product);
    } else {
      run_at_q.value = run_at_q.value + A::digit_of(product);
    }
    product_q = A::product_on(product);
    const bool last = product_q.factor == 0 && product_q.carry == 0;
    if (last) {
      phase_q = next_phase(phase_q, entry, cta, shape);
      product_q = product_of(phase_q, entry, cta, shape);
    }
    return last;
  }

  /// R6, R7: the next segment of the run.
  void cut(const Enqueue& entry, Run& run) {
    unsigned count = count_of(run, form_q, entry, run_at_q.value);
    segment_q.valid = 1;
    segment_q.dead = run.dead;
    segment_q.count = count;
    segment_q.existing = run.existing;
    run_at_q.value = run_at_q.value + steps_of(count, form_q, entry);
    run_at_q.lane = unsigned(run_at_q.lane) + count;
    run.left = unsigned(run.left) - count;
  }

  /// R4: an adjustment after the run, of the row first; says whether there was one.
  bool adjust(Run& run) {
    bool adjusts = false;
    if (run.row_ends != 0) {
      run_at_q.value = run_at_q.value + adjust_q.row;
      run.row_ends = 0;
      adjusts = true;
    } else if (run.plane_ends != 0) {
      run_at_q.value = run_at_q.value + adjust_q.plane;
      run.plane_ends = 0;
      adjusts = true;
    }
    return adjusts;
  }

  /// R5: the run that begins where the walk stands, and where the one after it begins.
  void begin_run(const Enqueue& entry, const Shape& shape, Run& run) {
    const Walk walk = walk_q;
    unsigned length = A::walk_run(walk, adjust_q.row != 0, adjust_q.plane != 0);
    const bool live = walk.cta_left != 0 && entry.warps[walk.warp];  // there is no warp behind the last thread
    run = run_of(walk, from_q, length, adjust_q, live);
    run_at_q.lane = from_q;
    run_at_q.warp = walk.warp;
    run_at_q.first = walk.lane;
    run_at_q.row_left = walk.row_left;
    run_at_q.plane_left = walk.plane_left;
    run_at_q.cta_left = walk.cta_left;
    if (walk.cta_left != 0) {
      walk_q = walk_after(walk, length, adjust_q, shape);
      from_q = walk_q.lane;
    }
  }

  /// R4 to R7: a segment of the run, or an adjustment after it, and the next run; says whether it was an adjustment.
  bool walk_on(const Enqueue& entry, const Shape& shape) {
    const Segment no_segment;
    Run run = run_q;
    segment_q = no_segment;
    segment_at_q = run_at_q;
    bool adjusts = false;
    if (run.left != 0) {
      cut(entry, run);
    } else {
      adjusts = adjust(run);
    }
    if (run.left == 0 && run.row_ends == 0 && run.plane_ends == 0) begin_run(entry, shape, run);
    run_q = run;
    return adjusts;
  }

  /// What an edge finds and does.
  struct Edge {
    unsigned at;                                                 // the CTA that it is for
    CtaMask work, others;                                        // CTAs with work; but for that one
    bool taken, refused;                                         // the record on offer
    bool reads, saves;                                           // what is kept of the CTA
    bool pops, leaves;                                           // the tuple is done; to another CTA
    bool idle;                                                   // as idle_o
    bool accept_illegal, misaligned, entry_illegal, entry_gone;  // R8, R11
  };

  static void begin(unsigned at, Edge& edge) {
    edge.at = at;
    edge.work = 0;
    edge.others = 0;
    edge.taken = false;
    edge.refused = false;
    edge.reads = false;
    edge.saves = false;
    edge.pops = false;
    edge.leaves = false;
    edge.idle = true;
    edge.accept_illegal = false;
    edge.misaligned = false;
    edge.entry_illegal = false;
    edge.entry_gone = false;
  }

  void clear() {
    const Product no_product;
    const Form no_form;
    const Adjust no_adjust;
    const Walk no_walk;
    const Run no_run;
    const Segment no_segment;
    const Stand no_stand;
    is_saved_q = 0;
    phase_q = unsigned(AddressPhase::Idle);
    product_q = no_product;
    form_q = no_form;
    lanes_q = 0;
    adjust_q = no_adjust;
    walk_q = no_walk;
    from_q = 0;
    run_q = no_run;
    run_at_q = no_stand;
    segment_q = no_segment;
    segment_at_q = no_stand;
    offer_at_q = no_stand;
  }

  /// R8, R9, R11: what became of the record on offer; what it stands for is done only when it is taken.
  void look(const AddressOffer& offered, Edge& edge, AddressEvent& event) const {
    const bool accept = accept_i.read();
    edge.taken = offered.valid != 0 && accept;
    edge.refused = offered.valid != 0 && !accept;
    edge.accept_illegal = accept && offered.valid == 0;
    edge.misaligned = edge.taken && (offer_at_q.value & A::lanes_below(offered.size)) != 0;
    event.region = edge.taken && form_q.closed != 0 ? 1 : 0;
    event.thread = edge.taken && form_q.closed == 0 ? 1 : 0;
    event.refuse = edge.refused ? 1 : 0;
  }

  /// R10: who has work; the queue still shows the tuple that it pops in this cycle.
  void find(const Pop& popped, Edge& edge) {
    CtaMask work = work_i.read();
    if (popped.valid != 0) work[popped.cta] = 0;
    edge.work = work;
    edge.others = work;
    edge.others[edge.at] = 0;
    is_saved_q = is_saved_q & work;
    edge.idle = phase_q == unsigned(AddressPhase::Idle) && work == 0;
  }

  /// R10: to work on this CTA, or on to another one.
  void look_for_work(Edge& edge) {
    edge.reads = edge.work[edge.at];
    edge.leaves = !edge.reads;
    if (edge.reads) phase_q = unsigned(AddressPhase::Begin);
  }

  /// R1, R9, R11: the tuple is here.
  void start(const Enqueue& entry, const Cta& cta, const Shape& shape, Edge& edge, AddressEvent& event) {
    const bool goes_on = is_saved_q[edge.at];
    edge.entry_illegal = !goes_on && !legal(entry, cta, shape);
    edge.pops = edge.entry_illegal;
    edge.leaves = edge.entry_illegal;
    begin(entry, cta, shape, goes_on);
    event.start = goes_on || edge.pops ? 0 : 1;
    is_saved_q[edge.at] = 0;
  }

  /// R9, R10: a record that was refused stays, and its CTA gives way.
  void await(const AddressOffer& offered, Edge& edge, AddressOffer& offer, AddressEvent& event) {
    offer = offered;
    if (edge.others != 0) {
      edge.saves = true;
      is_saved_q[edge.at] = 1;
      edge.leaves = true;
      event.leave = 1;
    }
  }

  /// R4 to R8: the record of the segment, and on to the next one.
  void make_record(const Enqueue& entry, const Shape& shape, AddressOffer& offer, AddressEvent& event) {
    offer = record_of(entry, form_q, segment_q, segment_at_q, lanes_q);
    event.skip = segment_q.valid != 0 && offer.valid == 0 ? 1 : 0;
    offer_at_q = segment_at_q;
    event.adjust = walk_on(entry, shape) ? 1 : 0;
  }

  /// R1..R11: what the phase has to do.
  void act(const AddressOffer& offered, const Enqueue& entry, const Cta& cta, const Shape& shape, Edge& edge,
           AddressOffer& offer, AddressEvent& event) {
    if (phase_q == unsigned(AddressPhase::Idle)) {
      look_for_work(edge);
    } else if (!edge.work[edge.at]) {  // R11
      edge.entry_gone = true;
      edge.leaves = true;
    } else if (phase_q == unsigned(AddressPhase::Begin)) {
      start(entry, cta, shape, edge, event);
    } else if (phase_q != unsigned(AddressPhase::Walk)) {
      event.start = multiply(entry, cta, shape) ? 1 : 0;
    } else if (edge.refused) {
      await(offered, edge, offer, event);
    } else if (walk_q.cta_left == 0 && run_q.valid == 0 && segment_q.valid == 0) {
      edge.pops = true;
      edge.leaves = true;
    } else {
      make_record(entry, shape, offer, event);
    }
  }

  /// R10: to the next CTA with work.
  unsigned leave(const Edge& edge, AddressOffer& offer) {
    const AddressOffer nothing;
    const Run no_run;
    const Segment no_segment;
    offer = nothing;
    phase_q = unsigned(AddressPhase::Idle);
    run_q = no_run;
    segment_q = no_segment;
    return A::next_cta(edge.others, edge.at);
  }

  HEDDLE_CLOCKED(step) {
    const Enqueue entry = entry_i.read();
    const Cta cta = cta_i.read();
    const Shape shape = shape_i.read();
    const AddressOffer offered = offer_o.read();
    const Pop popped = pop_o.read();
    unsigned select = select_o.read();
    AddressOffer offer;
    Pop pop;
    AddressEvent event;
    Edge edge;
    begin(select, edge);
    if (!rst_ni.read()) {
      clear();
      select = 0;
    } else {
      look(offered, edge, event);
      find(popped, edge);
      act(offered, entry, cta, shape, edge, offer, event);
      if (edge.pops) {
        pop.valid = 1;
        pop.cta = edge.at;
      }
      if (edge.leaves) select = leave(edge, offer);
      if (edge.reads) saved_word_q = saved_q[edge.at];
      if (edge.saves) saved_q[edge.at] = saved_here(offer_at_q, adjust_q);
    }
    select_o.write(select);
    offer_o.write(offer);
    pop_o.write(pop);
    event_o.write(event);
    idle_o.write(edge.idle);
    if (edge.accept_illegal) HEDDLE_REPORT(refuse(edge.at, "nothing is on offer"));
    if (edge.misaligned) HEDDLE_REPORT(refuse(edge.at, "misaligned address"));
    if (edge.entry_gone) HEDDLE_REPORT(refuse(edge.at, "its tuple went before it was done"));
    if (edge.entry_illegal)
      HEDDLE_REPORT(
          refuse(edge.at, "no tuple of addresses, an unknown access size, or a CTA without threads or with too many"));
  }

  HEDDLE_REPORT(void refuse(unsigned cta, const char* why) {
    SC_REPORT_ERROR("address_expansion_unit/illegal", refusal(name(), cta, why).c_str());
  })
};

}  // namespace heddle
