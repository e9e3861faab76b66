// SPDX-License-Identifier: Apache-2.0
// Predicate expansion unit (DAC sec. 4.3): from a predicate tuple, the outcome of `tuple compare scalar` for every
// thread of a CTA, one record a warp, with as few comparisons as will do.
//
// What   select_o                  the CTA of this cycle; the tuple queue answers in the next one
//        work_i          a bit a CTA: its oldest entry in the affine tuple queue is a predicate
//        entry_i, cta_i, shape_i   Enqueue, Cta, Shape  that entry, the CTA, blockDim; they stay until pop_o
//        offer_o         PredicateOffer  a record for a warp;  accept_i: it is taken in this cycle
//        pop_o           Pop       the entry of this CTA is done
//        lanes_o         LaneCompare     the SIMT lanes shall compare a run of threads (one cycle; one outstanding)
//        lanes_i         LaneReply       their answer, in a later cycle
//        event_o         PredicateEvent  what the last edge did, for statistics
//        idle_o          without work nothing changes
// Rules  R1 Start: the value of thread 0 and the scalar for this CTA, and what the value changes by at the end of a row
//           and of a plane; two bits of a factor a cycle, terms that are zero take none.
//        R2 Walk: by runs of threads of one warp between which the value grows by offset_x. Rows and planes after which
//           it goes on by offset_x too do not end a run; the others take a cycle to add the adjustment. From the first
//           thread of a run to its last the value grows by a span, found anew when a run is of another length.
//        R3 A tuple without thread offsets takes one comparison a CTA.
//        R4 A warp whose threads are one run, in an ordered comparison, takes two, of its first and its last thread, if
//           they agree and the value does not wrap around between them.
//        R5 Any other warp is compared on the SIMT lanes, run by run.
//        R6 Every warp of the entry gets one record, in order; lanes that are not in the entry, or have no thread, read
//           0. The other warps are walked past.
//        R7 A record that is not taken stays with its CTA, and the unit goes to the next CTA that has work.
//        R8 Refused by name: work without a known predicate, an answer that nobody waits for.
// Time   work in cycle n for the selected CTA, its entry in n+1, s cycles for the terms of R1, d for a span: its first
//        record is on offer_o in cycle n+4+s (R3), n+5+s+d (R4), or a cycle after the answer to its last run (R5), which
//        is asked for in n+4+s+d at the earliest. From then on R3 offers a record every other cycle, R4 every four.
// Cost   asked from the inventory: for each CTA, in a RAM, 5 words and masks and a Walk; the same for the CTA at work, a
//        span, the operands of the one adder, and the output registers.
// Twin   predicate_expansion_unit.sv, same ports, same state.
#pragma once

#include "rtl/affine/affine.h"
#include "rtl/base/clocked.h"
#include "rtl/base/inventory.h"
#include "rtl/base/refusal.h"

namespace heddle {

/// How far the unit is with a CTA's entry. ValueX to AdjustZ find one term each (R1).
enum class PredicatePhase : unsigned {
  Idle = 0,   ///< looks for work
  Begin = 1,  ///< the entry is here, or the record that was refused
  ValueX = 2,
  ValueY = 3,
  ValueZ = 4,
  ScalarX = 5,
  ScalarY = 6,
  ScalarZ = 7,
  AdjustY = 8,
  AdjustZ = 9,
  Same = 10,   ///< the one comparison of R3
  Walk = 11,   ///< at the start of a run
  Span = 12,   ///< what the value grows by from its first thread to its last
  First = 13,  ///< the first comparison of R4, or the question of R5
  Last = 14,   ///< the second
  Lanes = 15,
  Offer = 16,
  Past = 17,   ///< a run that the entry is not for
  Step = 18,   ///< from the last thread of a run to the next thread
  Again = 19,  ///< at the run of a record that was refused
};

/// What is kept of a CTA whose record was refused.
template <class A>
struct PredicateSaved {
  sc_uint<A::WordBits> value;  // of the last thread of the run
  sc_uint<A::WordBits> scalar;
  sc_uint<A::WordBits> row;
  sc_uint<A::WordBits> plane;
  sc_uint<A::Lanes> mask;
  sc_uint<A::WarpBits> warp;
  sc_uint<A::LaneBits> lane;
  sc_uint<A::ThreadBits> row_left;
  sc_uint<A::ThreadBits> plane_left;
  sc_uint<A::ThreadBits> cta_left;
  HEDDLE_RECORD(PredicateSaved, value, scalar, row, plane, mask, warp, lane, row_left, plane_left, cta_left)
};

/// Threads of one warp between which the value grows by offset_x.
template <class A>
struct PredicateRun {
  sc_uint<A::LaneBits + 1> count;
  sc_uint<A::LaneBits + 1> existing;  // threads in this warp
  sc_uint<1> ends_warp;
  sc_uint<1> ends_cta;
  HEDDLE_RECORD(PredicateRun, count, existing, ends_warp, ends_cta)
};

template <class A>
class predicate_expansion_unit : public sc_core::sc_module {
 public:
  using Enqueue = typename A::Enqueue;
  using Cta = typename A::Cta;
  using Shape = typename A::Shape;
  using Walk = typename A::Walk;
  using Offer = typename A::PredicateOffer;
  using Pop = typename A::Pop;
  using Request = typename A::LaneCompare;
  using Reply = typename A::LaneReply;
  using Event = typename A::PredicateEvent;
  using Word = typename A::Word;
  using Mask = typename A::Mask;
  using CtaMask = typename A::CtaMask;
  using Product = typename A::Product;
  using Saved = PredicateSaved<A>;
  using Run = PredicateRun<A>;
  using Select = sc_uint<A::CtaBits>;
  using Phase = PredicatePhase;
  static constexpr unsigned Ctas = A::Ctas, Lanes = A::Lanes, WordBits = A::WordBits, LaneBits = A::LaneBits;

  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_in<bool> rst_ni{"rst_ni"};
  sc_core::sc_in<CtaMask> work_i{"work_i"};
  sc_core::sc_in<Enqueue> entry_i{"entry_i"};
  sc_core::sc_in<Cta> cta_i{"cta_i"};
  sc_core::sc_in<Shape> shape_i{"shape_i"};
  sc_core::sc_in<bool> accept_i{"accept_i"};
  sc_core::sc_in<Reply> lanes_i{"lanes_i"};
  sc_core::sc_out<Select> select_o{"select_o"};
  sc_core::sc_out<Offer> offer_o{"offer_o"};
  sc_core::sc_out<Pop> pop_o{"pop_o"};
  sc_core::sc_out<Request> lanes_o{"lanes_o"};
  sc_core::sc_out<Event> event_o{"event_o"};
  sc_core::sc_out<bool> idle_o{"idle_o"};

  SC_CTOR(predicate_expansion_unit) {
    HEDDLE_ON_EDGE(step, clk_i);
    probe(*this, "work_i", work_i);
    probe(*this, "entry_i", entry_i);
    probe(*this, "cta_i", cta_i);
    probe(*this, "shape_i", shape_i);
    probe(*this, "accept_i", accept_i);
    probe(*this, "lanes_i", lanes_i);
    declare(*this, "select_o", select_o, {Storage::Flop, paper_none(), "ours, the CTA of this cycle"});
    declare(*this, "saved_q", saved_q,
            {Storage::Ram, paper_fields("value"), "DAC sec. 4.2, 4.3: an accumulator a CTA; the rest ours",
             "1R1W, read first"});
    declare(*this, "saved_word_q", saved_word_q, {Storage::Flop, paper_none(), "read port of saved_q"});
    declare(*this, "is_saved_q", is_saved_q, {Storage::Flop, paper_none(), "ours, CTAs that go on from there"});
    declare(*this, "phase_q", phase_q, {Storage::Flop, paper_none(), "ours"});
    declare(*this, "product_q", product_q, {Storage::Flop, paper_none(), "ours, operands of the adder"});
    declare(*this, "value_q", value_q, {Storage::Flop, paper_none(), "ours, the accumulator of the CTA at work"});
    declare(*this, "scalar_q", scalar_q, {Storage::Flop, paper_none(), "ours, the other operand"});
    declare(*this, "adjust_y_q", adjust_y_q, {Storage::Flop, paper_none(), "ours, at the end of a row"});
    declare(*this, "adjust_z_q", adjust_z_q, {Storage::Flop, paper_none(), "ours, at the end of a plane"});
    declare(*this, "span_q", span_q, {Storage::Flop, paper_none(), "ours, from the first thread of a run to the last"});
    declare(*this, "span_of_q", span_of_q, {Storage::Flop, paper_none(), "ours, threads of such a run"});
    declare(*this, "last_q", last_q,
            {Storage::Flop, paper_none(), "ours, of the last thread, for the second comparison"});
    declare(*this, "mask_q", mask_q, {Storage::Flop, paper_none(), "ours, outcomes so far"});
    declare(*this, "walk_q", walk_q, {Storage::Flop, paper_none(), "ours, the next thread"});
    declare(*this, "run_q", run_q, {Storage::Flop, paper_none(), "ours, the run that begins there"});
    declare(*this, "offer_o", offer_o, {Storage::Flop, paper_none(), "ours, output register"});
    declare(*this, "pop_o", pop_o, {Storage::Flop, paper_none(), "ours, output register"});
    declare(*this, "lanes_o", lanes_o, {Storage::Flop, paper_none(), "ours, output register"});
    declare(*this, "event_o", event_o, {Storage::Flop, paper_none(), "ours, for statistics"});
    declare(*this, "idle_o", idle_o, {Storage::Flop, paper_none(), "ours, nothing changes without work"});
  }

 private:
  using Bits = sc_dt::uint64;
  static constexpr Bits AllLanes = ~Bits(0) >> (64 - Lanes);

  using Count = sc_uint<LaneBits + 1>;

  Saved saved_q[Ctas];
  Saved saved_word_q;
  CtaMask is_saved_q;
  sc_uint<5> phase_q;  // PredicatePhase
  Product product_q;
  Word value_q;
  Word scalar_q;
  Word adjust_y_q;
  Word adjust_z_q;
  Word span_q;
  Count span_of_q;
  Word last_q;
  Mask mask_q;
  Walk walk_q;
  Run run_q;

  static Bits phase_bit(Phase phase) { return Bits(1) << unsigned(phase); }

  /// R8
  static bool legal(const Enqueue& entry, const Shape& shape) {
    return entry.kind == unsigned(TupleKind::Predicate) && entry.compare <= unsigned(Compare::Hs) && shape.threads != 0;
  }

  /// R3: no thread of the CTA differs from another.
  static bool is_same(const Enqueue& entry, const Shape& shape) {
    return entry.offset_x == 0 && (shape.row == shape.threads || entry.offset_y == 0) &&
           (shape.plane == shape.threads || entry.offset_z == 0);
  }

  /// R1: the next phase whose term is not zero.
  static unsigned next_phase(unsigned after, const Enqueue& entry, const Cta& cta, const Shape& shape) {
    Bits needed = phase_bit(Phase::Walk);
    if (entry.block_x != 0 && cta.index_x != 0) needed |= phase_bit(Phase::ValueX);
    if (entry.block_y != 0 && cta.index_y != 0) needed |= phase_bit(Phase::ValueY);
    if (entry.block_z != 0 && cta.index_z != 0) needed |= phase_bit(Phase::ValueZ);
    if (entry.scalar_block_x != 0 && cta.index_x != 0) needed |= phase_bit(Phase::ScalarX);
    if (entry.scalar_block_y != 0 && cta.index_y != 0) needed |= phase_bit(Phase::ScalarY);
    if (entry.scalar_block_z != 0 && cta.index_z != 0) needed |= phase_bit(Phase::ScalarZ);
    if (shape.row != shape.threads && entry.offset_x != 0) needed |= phase_bit(Phase::AdjustY);
    if (shape.plane != shape.threads && entry.offset_y != 0) needed |= phase_bit(Phase::AdjustZ);
    if (is_same(entry, shape)) needed |= phase_bit(Phase::Same);
    return lowest_set(needed >> (after + 1) << (after + 1));
  }

  /// a < b, as signed or unsigned words.
  static bool less(const Word& a, const Word& b, bool as_signed) {
    const Bits sign = as_signed ? Bits(1) << (WordBits - 1) : 0;
    return (Bits(a) ^ sign) < (Bits(b) ^ sign);
  }

  static bool is_signed(unsigned compare) {
    return compare >= unsigned(Compare::Lt) && compare <= unsigned(Compare::Ge);
  }
  static bool is_ordered(unsigned compare) { return compare >= unsigned(Compare::Lt); }

  static bool holds(unsigned compare, const Word& a, const Word& b) {
    bool as_signed = is_signed(compare);
    const bool equal = a == b, below = less(a, b, as_signed);
    bool outcome = false;
    switch (compare) {
      case unsigned(Compare::Eq):
        outcome = equal;
        break;
      case unsigned(Compare::Ne):
        outcome = !equal;
        break;
      case unsigned(Compare::Lt):
      case unsigned(Compare::Lo):
        outcome = below;
        break;
      case unsigned(Compare::Le):
      case unsigned(Compare::Ls):
        outcome = below || equal;
        break;
      case unsigned(Compare::Gt):
      case unsigned(Compare::Hi):
        outcome = !below && !equal;
        break;
      default:
        outcome = !below;
        break;
    }
    return outcome;
  }

  /// R4: offset_x is so small that a warp's first and last thread are less than 2^WordBits apart.
  static bool is_near(const Word& offset) {
    const Bits top = Bits(offset) >> (WordBits - LaneBits);
    return top == 0 || top == Lanes - 1;
  }

  /// R1: the two factors of a phase.
  static Product product_of(unsigned phase, const Enqueue& entry, const Cta& cta, const Shape& shape) {
    Product product;
    switch (phase) {
      case unsigned(Phase::ValueX):
        product.term = entry.block_x;
        product.factor = cta.index_x;
        break;
      case unsigned(Phase::ValueY):
        product.term = entry.block_y;
        product.factor = cta.index_y;
        break;
      case unsigned(Phase::ValueZ):
        product.term = entry.block_z;
        product.factor = cta.index_z;
        break;
      case unsigned(Phase::ScalarX):
        product.term = entry.scalar_block_x;
        product.factor = cta.index_x;
        break;
      case unsigned(Phase::ScalarY):
        product.term = entry.scalar_block_y;
        product.factor = cta.index_y;
        break;
      case unsigned(Phase::ScalarZ):
        product.term = entry.scalar_block_z;
        product.factor = cta.index_z;
        break;
      case unsigned(Phase::AdjustY):
        product.term = entry.offset_x;
        product.factor = shape.row;
        break;
      case unsigned(Phase::AdjustZ):
        product.term = entry.offset_y;
        product.factor = shape.rows;
        break;
      default:
        break;
    }
    return product;
  }

  /// R2: the run that begins where the walk stands.
  static Run run_of(const Walk& walk, bool by_row, bool by_plane) {
    Run run;
    run.count = A::walk_run(walk, by_row, by_plane);
    run.existing = A::walk_existing(walk);
    run.ends_cta = walk.cta_left == run.count ? 1 : 0;
    run.ends_warp = run.ends_cta != 0 || unsigned(walk.lane) + unsigned(run.count) == Lanes ? 1 : 0;
    return run;
  }

  /// R7: what is kept of a record that was refused.
  Saved saved_here() const {
    Saved saved;
    saved.value = value_q;
    saved.scalar = scalar_q;
    saved.row = adjust_y_q;
    saved.plane = adjust_z_q;
    saved.mask = mask_q;
    saved.warp = walk_q.warp;
    saved.lane = walk_q.lane;
    saved.row_left = walk_q.row_left;
    saved.plane_left = walk_q.plane_left;
    saved.cta_left = walk_q.cta_left;
    return saved;
  }

  /// The entry is here.
  void begin(const Enqueue& entry, const Cta& cta, const Shape& shape) {
    value_q = entry.base;
    scalar_q = entry.scalar;
    adjust_y_q = shape.row == shape.threads ? Word(0) : Word(entry.offset_y);
    adjust_z_q = shape.plane == shape.threads ? Word(0) : Word(entry.offset_z);
    walk_q = A::walk_start(cta, shape);
    phase_q = next_phase(phase_q, entry, cta, shape);
    product_q = product_of(phase_q, entry, cta, shape);
  }

  /// The record that was refused is.
  void begin_again() {
    const Saved saved = saved_word_q;
    value_q = saved.value;
    scalar_q = saved.scalar;
    adjust_y_q = saved.row;
    adjust_z_q = saved.plane;
    mask_q = saved.mask;
    walk_q.warp = saved.warp;
    walk_q.lane = saved.lane;
    walk_q.row_left = saved.row_left;
    walk_q.plane_left = saved.plane_left;
    walk_q.cta_left = saved.cta_left;
    phase_q = unsigned(Phase::Again);
  }

  /// What an edge finds and does.
  struct Edge {
    unsigned at;                        // the CTA that it is for
    Bits work, others;                  // CTAs with work; but for that one
    bool accepted, refused;             // the record on offer
    bool answered;                      // R5
    bool reads, saves;                  // what is kept of the CTA
    bool pops, leaves;                  // the entry is done; to another CTA
    bool idle;                          // as idle_o
    bool entry_illegal, reply_illegal;  // R8
  };

  static void begin(unsigned at, Edge& edge) {
    edge.at = at;
    edge.work = 0;
    edge.others = 0;
    edge.accepted = false;
    edge.refused = false;
    edge.answered = false;
    edge.reads = false;
    edge.saves = false;
    edge.pops = false;
    edge.leaves = false;
    edge.idle = true;
    edge.entry_illegal = false;
    edge.reply_illegal = false;
  }

  void clear() {
    const Product no_product;
    const Walk no_walk;
    const Run no_run;
    is_saved_q = 0;
    phase_q = unsigned(Phase::Idle);
    product_q = no_product;
    value_q = 0;
    scalar_q = 0;
    adjust_y_q = 0;
    adjust_z_q = 0;
    span_q = 0;
    span_of_q = 0;
    last_q = 0;
    mask_q = 0;
    walk_q = no_walk;
    run_q = no_run;
  }

  /// The CTA with work, and what became of the record and of the question of the last edge. R8: the lanes answer in a later
  /// cycle than they are asked.
  void find(const Reply& reply, Edge& edge) const {
    const Offer offered = offer_o.read();
    const Pop popped = pop_o.read();
    const Request asked = lanes_o.read();
    const unsigned phase = phase_q;
    const CtaMask stale = popped.valid != 0 ? Bits(1) << unsigned(popped.cta) : 0;
    const Bits work = work_i.read() & ~stale;  // a pop is seen by the queue only now
    edge.work = work;
    edge.others = work & ~(Bits(1) << edge.at);
    edge.accepted = offered.valid != 0 && accept_i.read();
    edge.refused = offered.valid != 0 && !accept_i.read();
    edge.answered = reply.valid != 0 && phase == unsigned(Phase::Lanes) && asked.valid == 0;
    edge.reply_illegal = reply.valid != 0 && !edge.answered;
    edge.idle = phase == unsigned(Phase::Idle) && work == 0;
  }

  /// R6: the entry is for this warp.
  bool wanted(const Enqueue& entry) const { return (Bits(entry.warps) >> unsigned(walk_q.warp) & 1) != 0; }

  /// R7: to work on this CTA, or on to another one.
  void look_for_work(Edge& edge) {
    edge.reads = (edge.work >> edge.at & 1) != 0;
    edge.leaves = !edge.reads;
    if (edge.reads) phase_q = unsigned(Phase::Begin);
  }

  /// R1, R7, R8: the entry is here.
  void start(const Enqueue& entry, const Cta& cta, const Shape& shape, Edge& edge) {
    span_of_q = 0;
    if (is_saved_q[edge.at]) {  // R7
      begin_again();
      is_saved_q[edge.at] = 0;
    } else if (legal(entry, shape)) {
      begin(entry, cta, shape);
    } else {  // R8
      edge.entry_illegal = true;
      edge.leaves = true;
    }
  }

  /// R1: a digit of a term, and after the last one to the next term.
  void multiply(const Enqueue& entry, const Cta& cta, const Shape& shape, Event& event) {
    const Word digit = A::digit_of(product_q);
    switch (unsigned(phase_q)) {
      case unsigned(Phase::ValueX):
      case unsigned(Phase::ValueY):
      case unsigned(Phase::ValueZ):
        value_q = value_q + digit;
        break;
      case unsigned(Phase::ScalarX):
      case unsigned(Phase::ScalarY):
      case unsigned(Phase::ScalarZ):
        scalar_q = scalar_q + digit;
        break;
      case unsigned(Phase::AdjustY):
        adjust_y_q = adjust_y_q - digit;
        break;
      default:
        adjust_z_q = adjust_z_q - digit;
        break;
    }
    product_q = A::product_on(product_q);
    if (product_q.factor == 0 && product_q.carry == 0) {
      event.start = 1;
      phase_q = next_phase(phase_q, entry, cta, shape);
      product_q = product_of(phase_q, entry, cta, shape);
    }
  }

  /// R3: one comparison for all threads of the CTA.
  void compare_same(const Enqueue& entry, Event& event) {
    mask_q = holds(entry.compare, value_q, scalar_q) ? AllLanes : Bits(0);
    event.scalar = 1;
    phase_q = unsigned(Phase::Walk);
  }

  /// R2: a row or a plane that ended takes an adjustment, then a run begins.
  void walk(const Enqueue& entry, const Shape& shape, Event& event) {
    if (adjust_y_q != 0 && walk_q.row_left == 0) {
      value_q = value_q + adjust_y_q;
      walk_q = A::walk_row(walk_q, shape);
      event.adjust = 1;
    } else if (adjust_z_q != 0 && walk_q.plane_left == 0) {
      value_q = value_q + adjust_z_q;
      walk_q = A::walk_plane(walk_q, shape);
      event.adjust = 1;
    } else {
      run_q = run_of(walk_q, adjust_y_q != 0, adjust_z_q != 0);
      begin_run(entry, shape);
    }
  }

  /// R2, R3, R6: what the run needs: no more, the comparisons, or its span first.
  void begin_run(const Enqueue& entry, const Shape& shape) {
    if (is_same(entry, shape)) {
      phase_q = unsigned(wanted(entry) ? Phase::Offer : Phase::Step);
    } else if (span_of_q == run_q.count) {
      phase_q = unsigned(wanted(entry) ? Phase::First : Phase::Past);
    } else {
      span_q = 0;
      product_q.term = entry.offset_x;
      product_q.factor = unsigned(run_q.count) - 1;
      product_q.carry = 0;
      phase_q = unsigned(Phase::Span);
    }
  }

  /// R2: a digit of what the value grows by within a run.
  void find_span(const Enqueue& entry) {
    span_q = span_q + A::digit_of(product_q);
    product_q = A::product_on(product_q);
    if (product_q.factor == 0 && product_q.carry == 0) {
      span_of_q = run_q.count;
      phase_q = unsigned(wanted(entry) ? Phase::First : Phase::Past);
    }
  }

  /// R4: of the first thread of the run; or R5.
  void compare_first(const Enqueue& entry, Request& request, Event& event) {
    const bool ordered = is_ordered(entry.compare);
    const bool one_run = walk_q.lane == 0 && run_q.ends_warp != 0;
    const bool tries = ordered && one_run && is_near(entry.offset_x);
    if (tries) {
      mask_q = holds(entry.compare, value_q, scalar_q) ? AllLanes : Bits(0);
      last_q = value_q + span_q;
      phase_q = unsigned(Phase::Last);
    } else {
      ask(entry, value_q, request, event);
      event.unordered = walk_q.lane == 0 && !ordered ? 1 : 0;
      event.steps = walk_q.lane == 0 && ordered && !one_run ? 1 : 0;
      event.wraps = ordered && one_run ? 1 : 0;
      value_q = value_q + span_q;
    }
  }

  /// R4: of its last thread; R5 where the two do not tell.
  void compare_last(const Enqueue& entry, Request& request, Event& event) {
    const Word value = value_q;
    value_q = last_q;
    const bool falls = entry.offset_x[WordBits - 1] != 0;
    bool as_signed = is_signed(entry.compare);
    const bool wraps = falls ? less(value, value_q, as_signed) : less(value_q, value, as_signed);
    if (!wraps && holds(entry.compare, value_q, scalar_q) == (mask_q[0] != 0)) {
      event.pair = 1;
      phase_q = unsigned(Phase::Offer);
    } else {
      ask(entry, value, request, event);
      event.wraps = wraps ? 1 : 0;
      event.differs = wraps ? 0 : 1;
    }
  }

  /// R5: the lanes compare the run, whose first thread has this value.
  void ask(const Enqueue& entry, const Word& value, Request& request, Event& event) {
    phase_q = unsigned(Phase::Lanes);
    event.lanes = 1;
    request.valid = 1;
    request.compare = entry.compare;
    request.base = value;
    request.offset = entry.offset_x;
    request.scalar = scalar_q;
    request.first = walk_q.lane;
    request.count = run_q.count;
  }

  /// R5: their answer, for the lanes of the run.
  void hear(const Reply& reply) {
    const unsigned run_end = unsigned(walk_q.lane) + unsigned(run_q.count);
    const Bits so_far = walk_q.lane == 0 ? Bits(0) : Bits(mask_q);
    mask_q = so_far | (Bits(reply.mask) & A::lanes_below(run_end) & ~A::lanes_below(walk_q.lane));
    phase_q = unsigned(run_q.ends_warp != 0 ? Phase::Offer : Phase::Step);
  }

  /// R7: a record that is not taken stays, and its CTA gives way.
  void await(const Enqueue& entry, Edge& edge, Event& event) {
    if (edge.accepted) {
      step_on(entry, edge);
      event.taken = 1;
    } else if (edge.refused) {
      event.refuse = 1;
      edge.saves = edge.others != 0;
      edge.leaves = edge.saves;
      if (edge.saves) is_saved_q[edge.at] = 1;
    }
  }

  /// R2: from the last thread of a run to the next one. R6: behind the last thread the entry is done.
  void step_on(const Enqueue& entry, Edge& edge) {
    value_q = value_q + entry.offset_x;
    walk_q = A::walk_on(walk_q, run_q.count, adjust_y_q != 0, adjust_z_q != 0);
    phase_q = unsigned(Phase::Walk);
    edge.pops = run_q.ends_cta != 0;
    edge.leaves = edge.pops;
  }

  /// R1..R8: what the phase has to do.
  void act(const Enqueue& entry, const Cta& cta, const Shape& shape, const Reply& reply, Edge& edge, Request& request,
           Event& event) {
    switch (unsigned(phase_q)) {
      case unsigned(Phase::Idle):
        look_for_work(edge);
        break;
      case unsigned(Phase::Begin):
        start(entry, cta, shape, edge);
        break;
      case unsigned(Phase::Same):
        compare_same(entry, event);
        break;
      case unsigned(Phase::Walk):
        walk(entry, shape, event);
        break;
      case unsigned(Phase::Span):
        find_span(entry);
        break;
      case unsigned(Phase::First):
        compare_first(entry, request, event);
        break;
      case unsigned(Phase::Last):
        compare_last(entry, request, event);
        break;
      case unsigned(Phase::Lanes):
        if (edge.answered) hear(reply);
        break;
      case unsigned(Phase::Offer):
        await(entry, edge, event);
        break;
      case unsigned(Phase::Past):  // R6
        value_q = value_q + span_q;
        phase_q = unsigned(Phase::Step);
        break;
      case unsigned(Phase::Step):
        event.skip = wanted(entry) ? 0 : 1;
        step_on(entry, edge);
        break;
      case unsigned(Phase::Again):  // R7
        run_q = run_of(walk_q, adjust_y_q != 0, adjust_z_q != 0);
        phase_q = unsigned(Phase::Offer);
        break;
      default:  // ValueX to AdjustZ
        multiply(entry, cta, shape, event);
        break;
    }
  }

  /// R7: round robin over the other CTAs with work.
  unsigned leave(const Edge& edge) {
    phase_q = unsigned(Phase::Idle);
    return A::next_cta(edge.others, edge.at);
  }

  /// R6: the record of the warp.
  void offer_record(const Enqueue& entry, Offer& offer) const {
    offer.valid = 1;
    offer.warp = walk_q.warp;
    offer.mask = Bits(mask_q) & Bits(entry.lanes) & A::lanes_below(run_q.existing);
  }

  HEDDLE_CLOCKED(step) {
    const Enqueue entry = entry_i.read();
    const Cta cta = cta_i.read();
    const Shape shape = shape_i.read();
    const Reply reply = lanes_i.read();
    unsigned select = select_o.read();
    Offer offer;
    Pop pop;
    Request request;
    Event event;
    Edge edge;
    begin(select, edge);
    if (!rst_ni.read()) {
      clear();
      select = 0;
    } else {
      find(reply, edge);
      act(entry, cta, shape, reply, edge, request, event);
      if (edge.pops) {
        pop.valid = 1;
        pop.cta = edge.at;
      }
      if (edge.leaves) {
        event.leave = event.refuse;
        select = leave(edge);
      } else if (phase_q == unsigned(Phase::Offer)) {
        offer_record(entry, offer);
      }
      if (edge.reads) saved_word_q = saved_q[edge.at];
      if (edge.saves) saved_q[edge.at] = saved_here();
    }
    select_o.write(select);
    offer_o.write(offer);
    pop_o.write(pop);
    lanes_o.write(request);
    event_o.write(event);
    idle_o.write(edge.idle);
    if (edge.entry_illegal) HEDDLE_REPORT(refuse(cta.first_warp, "work without a known predicate"));
    if (edge.reply_illegal) HEDDLE_REPORT(refuse(cta.first_warp, "an answer of the lanes that nobody waits for"));
  }

  HEDDLE_REPORT(void refuse(unsigned warp, const char* why) {
    SC_REPORT_ERROR("predicate_expansion_unit/illegal", refusal(name(), warp, why).c_str());
  })
};

}  // namespace heddle
