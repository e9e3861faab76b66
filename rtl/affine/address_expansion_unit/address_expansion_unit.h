// Address expansion unit (DAC sec. 4.2, Fig. 11): turns the address tuples of each concurrent CTA into records, a
// region of Lanes units with a bit a unit that is accessed, without an address a thread.
//
// What   work_i              a bit a CTA: its oldest tuple is for this unit
//        select_o            the CTA of this cycle; the tuple queue answers in it with
//        entry_i, cta_i      Enqueue, Cta  its oldest tuple and where it runs;  shape_i  Shape  of all CTAs
//        offer_o             AddressOffer  a record;  accept_i  it is taken in this cycle
//        pop_o               Pop           the oldest tuple of this CTA is done
//        event_o             AddressEvent  what the last edge did, for statistics
//        idle_o              without work nothing changes
// Rules  R1-R12 in README.md.
// Time   a tuple is in work_i in cycle n: its start in n, its first record on offer_o in n+2; then a record a cycle,
//        and a cycle between two rows that do not go on linearly. The last is taken in m: pop_o in m+1.
// Cost   asked from the inventory: for each CTA an accumulator, two adjustments, a walk and a phase; a walk and an
//        accumulator ahead of the record on offer; the outputs.
// Twin   address_expansion_unit.sv, same ports, same state.
#pragma once

#include "rtl/affine/affine.h"
#include "rtl/base/clocked.h"
#include "rtl/base/inventory.h"
#include "rtl/base/refusal.h"

namespace heddle {

/// The tuple of a CTA: what the ALU does next. Those that have nothing to do are left out.
enum class AddressPhase : unsigned {
  BlockX = 0,  ///< base + block_x * blockIdx.x
  BlockY = 1,  ///< ... + block_y * blockIdx.y
  BlockZ = 2,
  Row = 3,    ///< the adjustment at the end of a row
  Plane = 4,  ///< ... and of a plane
  Walk = 5,   ///< records
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
  using Adjust = Adjustment<A>;
  using Form = AddressForm<A>;
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
    declare(*this, "value_q", value_q,
            {Storage::Flop, paper_all(), "DAC sec. 4.2, Fig. 11: an accumulated address a concurrent CTA"});
    declare(*this, "adjust_q", adjust_q,
            {Storage::Flop, paper_fields("row"), "DAC sec. 4.2, Fig. 11: adjustment; planes ours"});
    declare(*this, "walk_q", walk_q, {Storage::Flop, paper_none(), "ours, the next thread of each CTA"});
    declare(*this, "phase_q", phase_q, {Storage::Flop, paper_none(), "ours"});
    declare(*this, "value_ahead_q", value_ahead_q, {Storage::Flop, paper_none(), "ours, behind the record on offer"});
    declare(*this, "walk_ahead_q", walk_ahead_q, {Storage::Flop, paper_none(), "ours, behind the record on offer"});
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
  Word value_q[Ctas];
  Adjust adjust_q[Ctas];
  Walk walk_q[Ctas];
  Phase phase_q[Ctas];
  Word value_ahead_q;
  Walk walk_ahead_q;

  static Mask lowest(unsigned count) { return count >= Lanes ? Mask(~sc_dt::uint64(0)) : Mask((1ULL << count) - 1); }

  /// R11
  static bool legal(const Enqueue& entry, const Cta& cta, const Shape& shape) {
    const bool address = entry.kind == unsigned(TupleKind::Data) || entry.kind == unsigned(TupleKind::Address);
    const bool threads = shape.row != 0 && shape.plane != 0 && shape.threads != 0;
    const bool fits = unsigned(cta.first_warp) * Lanes + unsigned(shape.threads) <= A::Warps * Lanes;
    return address && entry.size <= unsigned(AccessSize::Word) && threads && fits;
  }

  /// R3: the first phase after this one that has something to do.
  static Phase phase_after(const Phase& phase, const Enqueue& entry, const Cta& cta, const Shape& shape) {
    unsigned next = unsigned(AddressPhase::Walk);
    const bool rows = shape.threads != shape.row, planes = shape.threads != shape.plane;
    if (phase < unsigned(AddressPhase::Plane) && planes) next = unsigned(AddressPhase::Plane);
    if (phase < unsigned(AddressPhase::Row) && rows) next = unsigned(AddressPhase::Row);
    if (phase < unsigned(AddressPhase::BlockZ) && entry.block_z != 0 && cta.index_z != 0) {
      next = unsigned(AddressPhase::BlockZ);
    }
    if (phase < unsigned(AddressPhase::BlockY) && entry.block_y != 0 && cta.index_y != 0) {
      next = unsigned(AddressPhase::BlockY);
    }
    return next;
  }

  /// R6: threads of the run that are in the region of the first.
  static unsigned in_region(const Form& form, unsigned unit, unsigned run) {
    unsigned count = 1;
    if (form.closed != 0) {
      count = run;
      unsigned room = run;
      if (form.order == unsigned(LaneOrder::Up)) room = ((Lanes - 1 - unit) >> unsigned(form.shift)) + 1;
      if (form.order == unsigned(LaneOrder::Down)) room = (unit >> unsigned(form.shift)) + 1;
      if (room < count) count = room;
    }
    return count;
  }

  /// R5 to R8: the record of the next `count` threads; not valid when none of them is live.
  static AddressOffer record_of(const Enqueue& entry, const Form& form, const Word& value, const Walk& walk,
                                const Mask& live, unsigned count) {
    AddressOffer record;
    const unsigned lane = walk.lane, shift = form.shift, beyond = lane + count;
    const unsigned unit = unsigned(value >> unsigned(entry.size)) % Lanes;
    const Mask behind = live & ~lowest(beyond);
    record.lanes = live & lowest(beyond) & ~lowest(lane);
    if (record.lanes != 0) {
      record.valid = 1;
      record.data = entry.kind == unsigned(TupleKind::Data) ? 1 : 0;
      record.warp = walk.warp;
      record.size = entry.size;
      record.order = form.order;
      record.region = value >> (LaneBits + unsigned(entry.size)) << unsigned(entry.size);
      record.last = behind == 0 ? 1 : 0;
      const sc_dt::uint64 lanes = record.lanes;
      sc_dt::uint64 mask = 0;
      for (unsigned l = 0; l < Lanes; ++l) {
        if ((lanes >> l & 1) != 0) {
          const unsigned steps = (l - lane) << shift;
          unsigned at = unit;
          if (form.order == unsigned(LaneOrder::Up)) at = unit + steps;
          if (form.order == unsigned(LaneOrder::Down)) at = unit - steps;
          mask |= sc_dt::uint64(1) << at % Lanes;
        }
      }
      record.mask = mask;
    }
    return record;
  }

  HEDDLE_CLOCKED(step) {
    AddressOffer offer;
    Pop pop;
    AddressEvent event;
    const unsigned here = select_o.read();
    unsigned select = here;
    bool idle = true;
    const Adjust no_adjust;
    if (!rst_ni.read()) {
      const Walk no_walk;
      for (unsigned c = 0; c < Ctas; ++c) {
        value_q[c] = 0;
        adjust_q[c] = no_adjust;
        walk_q[c] = no_walk;
        phase_q[c] = 0;
      }
      value_ahead_q = 0;
      walk_ahead_q = no_walk;
      select = 0;
    } else {
      const Enqueue entry = entry_i.read();
      const Cta cta = cta_i.read();
      const Shape shape = shape_i.read();
      const AddressOffer offered = offer_o.read();
      const Pop popped = pop_o.read();
      const Form form = form_of(entry);

      // R9: what the record on offer stands for is done only when it is taken.
      const bool taken = offered.valid != 0 && accept_i.read();
      const bool refused = offered.valid != 0 && !accept_i.read();
      if (accept_i.read() && offered.valid == 0) HEDDLE_REPORT(refuse(here, "nothing is on offer"));
      if (taken) {
        event.region = form.closed;
        event.thread = form.closed != 0 ? 0 : 1;
        if ((value_q[here] & lowest(entry.size)) != 0) HEDDLE_REPORT(refuse(here, "misaligned address"));  // R8
        value_q[here] = value_ahead_q;
        walk_q[here] = walk_ahead_q;
      }
      event.refuse = refused ? 1 : 0;
      idle = false;

      // R10; the queue still shows the tuple that it pops in this cycle.
      CtaMask work = work_i.read();
      if (popped.valid != 0) work[popped.cta] = 0;
      CtaMask others = work;
      others[here] = 0;
      const unsigned next = first_from(others, (here + 1) % Ctas);

      if (refused && others != 0) {
        event.leave = 1;
        select = next;
      } else if (!work[here]) {
        if (phase_q[here] != unsigned(AddressPhase::BlockX))
          HEDDLE_REPORT(refuse(here, "its tuple went before it was done"));  // R11
        phase_q[here] = unsigned(AddressPhase::BlockX);
        if (others != 0) select = next;
        idle = offered.valid == 0 && others == 0;
      } else {
        // The one ALU: a multiply-add.
        Word addend = value_q[here], factor = 0, term = 0;
        Walk walk = walk_q[here];
        Adjust adjust = adjust_q[here];
        const Phase phase = phase_q[here];
        const bool by_row = adjust.row != 0, by_plane = adjust.plane != 0;
        unsigned count = 0;
        bool done = false;
        if (phase == unsigned(AddressPhase::BlockX)) {
          addend = entry.base;
          factor = cta.index_x;
          term = entry.block_x;
          walk = A::walk_start(cta, shape);
          adjust = no_adjust;
          if (!legal(entry, cta, shape)) {
            HEDDLE_REPORT(refuse(
                here, "no tuple of addresses, an unknown access size, or a CTA without threads or with too many"));
            done = true;
          }
        } else if (phase == unsigned(AddressPhase::BlockY)) {
          factor = cta.index_y;
          term = entry.block_y;
        } else if (phase == unsigned(AddressPhase::BlockZ)) {
          factor = cta.index_z;
          term = entry.block_z;
        } else if (phase == unsigned(AddressPhase::Row)) {
          addend = entry.offset_y;
          factor = 0 - shape.row;
          term = entry.offset_x;
        } else if (phase == unsigned(AddressPhase::Plane)) {
          addend = entry.offset_z;
          factor = 0 - shape.rows;
          term = entry.offset_y;
        } else if (walk.cta_left == 0) {
          done = true;
        } else if (by_row && walk.row_left == 0) {  // R4
          factor = 1;
          term = adjust.row;
          walk = A::walk_row(walk, shape);
          event.adjust = 1;
        } else if (by_plane && walk.plane_left == 0) {
          factor = 1;
          term = adjust.plane;
          walk = A::walk_plane(walk, shape);
          event.adjust = 1;
        } else {
          Mask live = 0;
          if (entry.warps[walk.warp]) live = entry.lanes & lowest(unsigned(walk.lane) + unsigned(walk.cta_left));  // R7
          unsigned run = A::walk_run(walk, by_row, by_plane);
          const unsigned unit = unsigned(addend >> unsigned(entry.size)) % Lanes;
          count = in_region(form, unit, run);
          offer = record_of(entry, form, addend, walk, live, count);
          if (offer.valid == 0) {  // R7: on to the next thread that the tuple is for
            Mask rest = live & ~lowest(walk.lane);
            const unsigned ahead = lowest_set(rest) - unsigned(walk.lane);
            count = rest != 0 && ahead < run ? ahead : run;
            event.skip = 1;
          }
          factor = count;
          term = entry.offset_x;
          walk = A::walk_on(walk, count, by_row, by_plane);
        }
        const Word sum = addend + factor * term;

        if (done) {
          pop.valid = 1;
          pop.cta = here;
          phase_q[here] = unsigned(AddressPhase::BlockX);
          if (others != 0) select = next;
        } else if (offer.valid != 0) {
          value_ahead_q = sum;
          walk_ahead_q = walk;
        } else {
          walk_q[here] = walk;
          if (phase == unsigned(AddressPhase::Row)) {
            adjust.row = sum;
          } else if (phase == unsigned(AddressPhase::Plane)) {
            adjust.plane = sum;
          } else {
            value_q[here] = sum;
          }
          adjust_q[here] = adjust;
          if (phase != unsigned(AddressPhase::Walk)) {
            event.start = 1;
            phase_q[here] = phase_after(phase, entry, cta, shape);
          }
        }
      }
    }
    select_o.write(select);
    offer_o.write(offer);
    pop_o.write(pop);
    event_o.write(event);
    idle_o.write(idle);
  }

  HEDDLE_REPORT(void refuse(unsigned cta, const char* why) {
    SC_REPORT_ERROR("address_expansion_unit/illegal", refusal(name(), cta, why).c_str());
  })
};

}  // namespace heddle
