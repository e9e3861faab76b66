// Predicate expansion unit (DAC sec. 4.3): from a predicate tuple, the outcome of `tuple compare scalar` for every
// thread of a CTA, one record a warp, with as few comparisons as will do.
//
// What   select_o                  the CTA that the unit works for in this cycle; about it are entry_i, cta_i, shape_i
//        work_i          a bit a CTA: its oldest entry in the affine tuple queue is a predicate
//        entry_i, cta_i, shape_i   Enqueue, Cta, Shape  that entry, the CTA, blockDim; they stay until pop_o
//        offer_o         PredicateOffer  a record for a warp;  accept_i: it is taken in this cycle
//        pop_o           Pop       the entry of this CTA is done
//        lanes_o         LaneCompare     the SIMT lanes shall compare a run of threads (one cycle; one outstanding)
//        lanes_i         LaneReply       their answer, in a later cycle
//        event_o         PredicateEvent  what the last edge did, for statistics
//        idle_o          without work nothing changes
// Rules  R1 Start: the value of thread 0 and the scalar for this CTA, and what the value changes by at the end of a row
//           and of a plane; a multiply-add a cycle, terms that are zero take none.
//        R2 Walk: by runs of threads of one warp between which the value grows by offset_x. Rows and planes after which
//           it goes on by offset_x too do not end a run; the others take a cycle to add the adjustment.
//        R3 A tuple without thread offsets takes one comparison a CTA.
//        R4 A warp whose threads are one run, in an ordered comparison, takes two, of its first and its last thread, if
//           they agree and the value does not wrap around between them.
//        R5 Any other warp is compared on the SIMT lanes, run by run.
//        R6 Every warp of the entry gets one record, in order; lanes that are not in the entry, or have no thread, read
//           0. The other warps are walked past.
//        R7 A record that is not taken stays with its CTA, and the unit goes to the next CTA that has work.
//        R8 Refused by name: work without a known predicate, an answer that nobody waits for.
// Time   work in cycle n for the selected CTA, with s cycles for the terms of R1: its first record is on offer_o in
//        cycle n+2+s (R3), n+3+s (R4), or a cycle after the answer to its last run (R5), which is asked for in n+2+s at
//        the earliest. From then on R3 offers one record a cycle, R4 one every three.
// Cost   asked from the inventory: Ctas x (5 words and masks, a Walk, 4), and the output registers.
// Twin   predicate_expansion_unit.sv, same ports, same state.
#pragma once

#include "rtl/affine/affine.h"
#include "rtl/base/clocked.h"
#include "rtl/base/inventory.h"
#include "rtl/base/refusal.h"

namespace heddle {

/// How far the unit is with a CTA's entry. ValueX to AdjustZ find one term each (R1).
enum class PredicatePhase : unsigned {
  Idle = 0,
  ValueX = 1,
  ValueY = 2,
  ValueZ = 3,
  ScalarX = 4,
  ScalarY = 5,
  ScalarZ = 6,
  AdjustY = 7,
  AdjustZ = 8,
  Same = 9,   ///< the one comparison of R3
  Walk = 10,  ///< at the start of a run
  Last = 11,  ///< the second comparison of R4
  Lanes = 12,
  Offer = 13,
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
    declare(*this, "phase_q", phase_q, {Storage::Flop, paper_none(), "ours, how far each CTA is"});
    declare(*this, "value_q", value_q, {Storage::Ram, paper_all(), "DAC sec. 4.2, 4.3: an accumulator a CTA", "1R1W"});
    declare(*this, "scalar_q", scalar_q, {Storage::Ram, paper_none(), "ours, the other operand", "1R1W"});
    declare(*this, "adjust_y_q", adjust_y_q, {Storage::Ram, paper_none(), "ours, at the end of a row", "1R1W"});
    declare(*this, "adjust_z_q", adjust_z_q, {Storage::Ram, paper_none(), "ours, at the end of a plane", "1R1W"});
    declare(*this, "mask_q", mask_q, {Storage::Ram, paper_none(), "ours, outcomes so far", "1R1W"});
    declare(*this, "walk_q", walk_q, {Storage::Ram, paper_none(), "ours, the next thread", "1R1W"});
    declare(*this, "offer_o", offer_o, {Storage::Flop, paper_none(), "ours, output register"});
    declare(*this, "pop_o", pop_o, {Storage::Flop, paper_none(), "ours, output register"});
    declare(*this, "lanes_o", lanes_o, {Storage::Flop, paper_none(), "ours, output register"});
    declare(*this, "event_o", event_o, {Storage::Flop, paper_none(), "ours, for statistics"});
    declare(*this, "idle_o", idle_o, {Storage::Flop, paper_none(), "ours, nothing changes without work"});
  }

 private:
  using Bits = sc_dt::uint64;
  static constexpr Bits AllLanes = ~Bits(0) >> (64 - Lanes);

  sc_uint<4> phase_q[Ctas];  // PredicatePhase
  Word value_q[Ctas];
  Word scalar_q[Ctas];
  Word adjust_y_q[Ctas];
  Word adjust_z_q[Ctas];
  Mask mask_q[Ctas];
  Walk walk_q[Ctas];

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
    const bool below = less(a, b, as_signed), above = less(b, a, as_signed);
    bool outcome = false;
    switch (compare) {
      case unsigned(Compare::Eq):
        outcome = a == b;
        break;
      case unsigned(Compare::Ne):
        outcome = a != b;
        break;
      case unsigned(Compare::Lt):
      case unsigned(Compare::Lo):
        outcome = below;
        break;
      case unsigned(Compare::Le):
      case unsigned(Compare::Ls):
        outcome = !above;
        break;
      case unsigned(Compare::Gt):
      case unsigned(Compare::Hi):
        outcome = above;
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

  /// The lanes below `count`.
  static Bits lanes_below(unsigned count) { return count == 0 ? 0 : AllLanes >> (Lanes - count); }

  HEDDLE_CLOCKED(step) {
    const unsigned cta_at = select_o.read();
    const Enqueue entry = entry_i.read();
    const Cta cta = cta_i.read();
    const Shape shape = shape_i.read();
    const Offer offered = offer_o.read();
    const Pop popped = pop_o.read();
    const Request asked = lanes_o.read();
    const Reply reply = lanes_i.read();
    Offer offer;
    Pop pop;
    Request request;
    Event event;
    Select select = cta_at;
    bool idle = true, entry_illegal = false, reply_illegal = false;

    if (!rst_ni.read()) {
      for (unsigned c = 0; c < Ctas; ++c) phase_q[c] = unsigned(Phase::Idle);
      select = 0;
    } else {
      unsigned phase = phase_q[cta_at];
      Word value = value_q[cta_at], scalar = scalar_q[cta_at];
      Word adjust_y = adjust_y_q[cta_at], adjust_z = adjust_z_q[cta_at];
      Mask mask = mask_q[cta_at];
      Walk walk = walk_q[cta_at];

      // Where the walk stands (R2)
      const bool by_row = adjust_y != 0, by_plane = adjust_z != 0;
      const bool row_ends = by_row && walk.row_left == 0, plane_ends = by_plane && walk.plane_left == 0;
      unsigned run = A::walk_run(walk, by_row, by_plane);
      const unsigned run_end = unsigned(walk.lane) + run;
      const bool ends_warp = run_end == Lanes || run == walk.cta_left, ends_cta = run == walk.cta_left;
      const bool wanted = (Bits(entry.warps) >> unsigned(walk.warp) & 1) != 0;
      const bool same = is_same(entry, shape);
      const bool one_run = walk.lane == 0 && ends_warp;
      const bool tries = is_ordered(entry.compare) && one_run && is_near(entry.offset_x);
      const bool accepted = offered.valid != 0 && accept_i.read();

      // The ALU: sum + or - factor x times
      Word sum = value, factor = entry.offset_x, times = 0;
      bool minus = false;
      switch (phase) {
        case unsigned(Phase::ValueX):
          factor = entry.block_x;
          times = cta.index_x;
          break;
        case unsigned(Phase::ValueY):
          factor = entry.block_y;
          times = cta.index_y;
          break;
        case unsigned(Phase::ValueZ):
          factor = entry.block_z;
          times = cta.index_z;
          break;
        case unsigned(Phase::ScalarX):
          sum = scalar;
          factor = entry.scalar_block_x;
          times = cta.index_x;
          break;
        case unsigned(Phase::ScalarY):
          sum = scalar;
          factor = entry.scalar_block_y;
          times = cta.index_y;
          break;
        case unsigned(Phase::ScalarZ):
          sum = scalar;
          factor = entry.scalar_block_z;
          times = cta.index_z;
          break;
        case unsigned(Phase::AdjustY):
          sum = adjust_y;
          times = shape.row;
          minus = true;
          break;
        case unsigned(Phase::AdjustZ):
          sum = adjust_z;
          factor = entry.offset_y;
          times = shape.rows;
          minus = true;
          break;
        case unsigned(Phase::Walk):
          if (row_ends || plane_ends) {
            factor = row_ends ? adjust_y : adjust_z;
            times = 1;
          } else if (!wanted) {
            times = run;
          }
          break;
        case unsigned(Phase::Last):
          times = run - 1;
          break;
        case unsigned(Phase::Lanes):
        case unsigned(Phase::Offer):
          times = run;
          break;
        default:
          break;
      }
      const Bits product = Bits(factor) * Bits(times);
      const Word result = minus ? Bits(sum) - product : Bits(sum) + product;
      const bool outcome = holds(entry.compare, result, scalar);
      const bool falls = entry.offset_x[WordBits - 1] != 0;
      bool as_signed = is_signed(entry.compare);
      const bool wraps = falls ? less(value, result, as_signed) : less(result, value, as_signed);

      const CtaMask stale = popped.valid != 0 ? Bits(1) << unsigned(popped.cta) : 0;
      const Bits work = work_i.read() & ~stale;  // a pop is seen by the queue only now
      idle = phase == unsigned(Phase::Idle) && work == 0;
      bool walks_on = false, asks = false, leaves = false;
      switch (phase) {
        case unsigned(Phase::Idle):
          entry_illegal = (work >> cta_at & 1) != 0 && !legal(entry, shape);  // R8
          leaves = (work >> cta_at & 1) == 0 || entry_illegal;
          if (!leaves) {
            value = entry.base;
            scalar = entry.scalar;
            adjust_y = shape.row == shape.threads ? Word(0) : Word(entry.offset_y);
            adjust_z = shape.plane == shape.threads ? Word(0) : Word(entry.offset_z);
            walk = A::walk_start(cta, shape);
            phase = next_phase(phase, entry, cta, shape);
          }
          break;
        case unsigned(Phase::ValueX):
        case unsigned(Phase::ValueY):
        case unsigned(Phase::ValueZ):
          value = result;
          event.start = 1;
          phase = next_phase(phase, entry, cta, shape);
          break;
        case unsigned(Phase::ScalarX):
        case unsigned(Phase::ScalarY):
        case unsigned(Phase::ScalarZ):
          scalar = result;
          event.start = 1;
          phase = next_phase(phase, entry, cta, shape);
          break;
        case unsigned(Phase::AdjustY):
          adjust_y = result;
          event.start = 1;
          phase = next_phase(phase, entry, cta, shape);
          break;
        case unsigned(Phase::AdjustZ):
          adjust_z = result;
          event.start = 1;
          phase = next_phase(phase, entry, cta, shape);
          break;
        case unsigned(Phase::Same):  // R3
          mask = outcome ? AllLanes : Bits(0);
          event.scalar = 1;
          phase = wanted ? unsigned(Phase::Offer) : unsigned(Phase::Walk);
          break;
        case unsigned(Phase::Walk):
          if (row_ends) {
            value = result;
            walk = A::walk_row(walk, shape);
            event.adjust = 1;
          } else if (plane_ends) {
            value = result;
            walk = A::walk_plane(walk, shape);
            event.adjust = 1;
          } else if (!wanted) {  // R6
            walks_on = true;
            event.skip = 1;
          } else if (tries) {  // R4
            mask = outcome ? AllLanes : Bits(0);
            phase = unsigned(Phase::Last);
          } else {  // R5
            asks = true;
            event.unordered = walk.lane == 0 && !is_ordered(entry.compare) ? 1 : 0;
            event.steps = walk.lane == 0 && is_ordered(entry.compare) && !one_run ? 1 : 0;
            event.wraps = is_ordered(entry.compare) && one_run ? 1 : 0;
          }
          break;
        case unsigned(Phase::Last):
          if (!wraps && outcome == (mask[0] != 0)) {  // R4
            event.pair = 1;
            phase = unsigned(Phase::Offer);
          } else {
            asks = true;
            event.wraps = wraps ? 1 : 0;
            event.differs = wraps ? 0 : 1;
          }
          break;
        case unsigned(Phase::Lanes):
          if (reply.valid != 0 && asked.valid == 0) {
            const Bits before = walk.lane == 0 ? Bits(0) : Bits(mask);
            mask = before | (Bits(reply.mask) & lanes_below(run_end) & ~lanes_below(walk.lane));
            walks_on = !ends_warp;
            phase = ends_warp ? unsigned(Phase::Offer) : unsigned(Phase::Walk);
          }
          break;
        default:  // Offer
          if (accepted) {
            walks_on = true;
            event.taken = 1;
          } else if (offered.valid != 0) {
            event.refuse = 1;
            leaves = true;  // R7
          }
          break;
      }
      // R8: the lanes answer in a later cycle than they are asked.
      reply_illegal = reply.valid != 0 && (phase_q[cta_at] != unsigned(Phase::Lanes) || asked.valid != 0);

      if (walks_on) {
        value = result;
        walk = A::walk_on(walk, run, by_row, by_plane);
        phase = unsigned(Phase::Walk);
        if (same && (Bits(entry.warps) >> unsigned(walk.warp) & 1) != 0) phase = unsigned(Phase::Offer);
        if (ends_cta) {
          phase = unsigned(Phase::Idle);
          pop.valid = 1;
          pop.cta = cta_at;
          leaves = true;
        }
      }
      if (asks) {
        phase = unsigned(Phase::Lanes);
        event.lanes = 1;
        request.valid = 1;
        request.compare = entry.compare;
        request.base = value;
        request.offset = entry.offset_x;
        request.scalar = scalar;
        request.first = walk.lane;
        request.count = run;
      }

      // R7: round robin over the other CTAs with work
      const Bits others = work & ~(Bits(1) << cta_at);
      if (leaves && others != 0) {
        select = first_from(others, cta_at == Ctas - 1 ? 0 : cta_at + 1);
        event.leave = event.refuse;
      } else if (phase == unsigned(Phase::Offer)) {  // R6
        const unsigned there = unsigned(walk.lane) + unsigned(walk.cta_left);
        offer.valid = 1;
        offer.warp = walk.warp;
        offer.mask = Bits(mask) & Bits(entry.lanes) & lanes_below(there < Lanes ? there : Lanes);
      }

      phase_q[cta_at] = phase;
      value_q[cta_at] = value;
      scalar_q[cta_at] = scalar;
      adjust_y_q[cta_at] = adjust_y;
      adjust_z_q[cta_at] = adjust_z;
      mask_q[cta_at] = mask;
      walk_q[cta_at] = walk;
    }

    select_o.write(select);
    offer_o.write(offer);
    pop_o.write(pop);
    lanes_o.write(request);
    event_o.write(event);
    idle_o.write(idle);
    if (entry_illegal) HEDDLE_REPORT(refuse(cta.first_warp, "work without a known predicate"));
    if (reply_illegal) HEDDLE_REPORT(refuse(cta.first_warp, "an answer of the lanes that nobody waits for"));
  }

  HEDDLE_REPORT(void refuse(unsigned warp, const char* why) {
    SC_REPORT_ERROR("predicate_expansion_unit/illegal", refusal(name(), warp, why).c_str());
  })
};

}  // namespace heddle
