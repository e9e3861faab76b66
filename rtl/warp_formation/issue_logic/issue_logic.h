// Issue logic (DWF sec. 4.3): which warp of the pool goes to the pipeline.
//
// What   warp_i[i]                  PoolWarp   every entry of the pool
//        update_i[k], place_i[k]    Update, Placement  what enters the pool in this cycle; k = 0, 1, in this order
//        ready_i                               the pipeline can take a warp
//        issue_o                    Issue      the entry that is issued in this cycle
//        drain_o                               the majority table overflowed in the last cycle: the PC-warp LUT forgets
//                                              its warps, so that those that are not counted take no more threads
//        idle_o                                drain_o is not set: while nothing enters and nothing can be issued, all
//                                              stays as it is
// Kinds  Policy: Majority, Minority, TimeStamp, PostDominatorPriority, ProgramCounter. Slots: entries of the table that
//        Majority and Minority have.
// Rules  R1 A candidate is a warp that is there and does not wait. With ready_i and a candidate, one is issued.
//        R2 TimeStamp: the one that was opened first. PostDominatorPriority: the smallest data. ProgramCounter: the
//           smallest PC. Majority and Minority: one at the PC that is aimed at; see R5 to R8.
//        R3 Among equals: the first at or after the turn, which is the entry after the one issued last.
//        R4 Table {PC, count}: an issue takes its threads off the count of its PC; then the first update's threads are
//           added to theirs, then the second's, in a free slot (count 0; the first) where the PC has none. A slot that
//           now has more than the one before it, or less than the one after it, changes places with it: once an update,
//           so the order is approximate.
//        R5 Majority aims at the PC in the first slot in use. Once a warp of it is issued, it aims there until none is
//           left.
//        R6 Minority aims at the smallest count (the first slot among equals), chosen anew in each cycle.
//        R7 Not counted are warps that opened at a barrier, and all warps that are in the pool when the table
//           overflows. They are issued before an aim that is not begun.
//        R8 When the PC of an update finds no slot, the table is emptied and no warp is counted any more: they drain,
//           by R7, while what enters from then on is counted. drain_o is set for one cycle.
// Time   issue_o follows warp_i and ready_i in the same cycle; the table, the aim and the turn at its end.
// Cost   asked from the inventory: the paper counts Slots x (PcBits + TidBits) for Majority, and nothing for the
//        others.
// Twin   issue_logic.sv, same ports, same state.
#pragma once

#include "rtl/base/clocked.h"
#include "rtl/base/inventory.h"
#include "rtl/warp_formation/formation.h"

namespace heddle {

/// A slot of the table, free when the count is 0.
template <class F>
struct MajoritySlot {
  sc_uint<F::PcBits> pc;
  sc_uint<F::CountBits> count;
  HEDDLE_RECORD(MajoritySlot, pc, count)
};

/// The PC whose warps are issued next.
template <class F>
struct IssueAim {
  sc_uint<F::PcBits> pc;
  sc_uint<1> valid;
  sc_uint<1> begun;  // a warp of it has been issued since it was chosen; Minority: never
  HEDDLE_RECORD(IssueAim, pc, valid, begun)
};

template <class F, Policy Order, unsigned Slots>
class issue_logic : public sc_core::sc_module {
  static_assert(Slots >= 1, "the table has a slot");

 public:
  using Update = typename F::Update;
  using Placement = typename F::Placement;
  using PoolWarp = typename F::PoolWarp;
  using Issue = typename F::Issue;
  using Idx = typename F::Idx;
  using Pc = typename F::Pc;
  using Slot = MajoritySlot<F>;
  using Aim = IssueAim<F>;
  static constexpr unsigned Threads = F::Threads;
  static constexpr bool Counts = Order == Policy::Majority || Order == Policy::Minority;
  static constexpr bool Ages = Order == Policy::TimeStamp;

  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_in<bool> rst_ni{"rst_ni"};
  sc_core::sc_vector<sc_core::sc_in<PoolWarp>> warp_i{"warp_i", Threads};
  sc_core::sc_vector<sc_core::sc_in<Update>> update_i{"update_i", 2};
  sc_core::sc_vector<sc_core::sc_in<Placement>> place_i{"place_i", 2};
  sc_core::sc_in<bool> ready_i{"ready_i"};
  sc_core::sc_out<Issue> issue_o{"issue_o"};
  sc_core::sc_out<bool> drain_o{"drain_o"};
  sc_core::sc_out<bool> idle_o{"idle_o"};

  SC_CTOR(issue_logic) {
    HEDDLE_ON_EDGE(step, clk_i);
    SC_METHOD(pick);
    sensitive << ready_i << turn_q << aim_q;
    for (unsigned i = 0; i < Threads; ++i) sensitive << warp_i[i];
    for (unsigned i = 0; i < (Counts ? Threads : 0); ++i) sensitive << counted_q[i];
    for (unsigned i = 0; i < (Ages ? Threads : 0); ++i) sensitive << rank_q[i];
    probe(*this, "update_i", update_i);
    probe(*this, "place_i", place_i);
    probe(*this, "ready_i", ready_i);
    probe(*this, "issue_o", issue_o);
    if constexpr (Counts) {
      declare(*this, "slot_q", slot_q,
              {Storage::Cam,
               Order == Policy::Majority ? paper_fields("pc,count:" + std::to_string(F::TidBits)) : paper_none(),
               "DWF Table 1, issue logic, 32 x {PC, counter}", "3 searches"});
      declare(
          *this, "aim_q", aim_q,
          {Storage::Flop, paper_none(), "ours, the PC that is issued", "", Order == Policy::Minority ? "begun" : ""});
      declare(*this, "counted_q", counted_q, {Storage::Flop, paper_none(), "ours, warps that the table counts"});
      declare(*this, "drain_o", drain_o, {Storage::Flop, paper_none(), "ours, the table overflowed"});
      declare(*this, "idle_o", idle_o, {Storage::Flop, paper_none(), "ours, nothing changes without a request"});
    } else {
      probe(*this, "drain_o", drain_o);
      probe(*this, "idle_o", idle_o);
    }
    if constexpr (Ages) {
      declare(*this, "rank_q", rank_q, {Storage::Flop, paper_none(), "ours, warps in the pool that are older"});
      declare(*this, "used_q", used_q, {Storage::Flop, paper_none(), "ours, warps in the pool"});
    } else {
      declare(*this, "turn_q", turn_q, {Storage::Flop, paper_none(), "ours, round robin among equals"});
    }
  }

  /// For benches, not hardware.
  const Slot& slot_of(unsigned s) const { return slot_q[s]; }
  bool is_counted(unsigned idx) const { return counted_q[idx].read(); }

 private:
  Slot slot_q[Slots];
  sc_core::sc_signal<Aim> aim_q{"aim_q"};
  sc_core::sc_vector<sc_core::sc_signal<bool>> counted_q{"counted_q", Counts ? Threads : 0};
  sc_core::sc_vector<sc_core::sc_signal<Idx>> rank_q{"rank_q", Ages ? Threads : 0};
  sc_core::sc_signal<Idx> turn_q{"turn_q"};
  typename F::Count used_q;

  void pick() {
    // R2: the key of each candidate; the smallest goes first.
    std::uint64_t key[Threads];
    bool candidate[Threads];
    std::uint64_t least = 0;
    bool any = false;
    const Aim aim = aim_q.read();
    for (unsigned i = 0; i < Threads; ++i) {
      const PoolWarp warp = warp_i[i].read();
      candidate[i] = warp.lanes != 0 && warp.waits == 0;  // R1
      key[i] = 0;
      if constexpr (Order == Policy::TimeStamp) key[i] = sc_dt::uint64(rank_q[i].read());
      if constexpr (Order == Policy::PostDominatorPriority) key[i] = sc_dt::uint64(warp.data);
      if constexpr (Order == Policy::ProgramCounter) key[i] = sc_dt::uint64(warp.pc);
      if constexpr (Counts) {
        const bool counted = counted_q[i].read();
        key[i] = counted ? 1 : aim.begun != 0 ? 2 : 0;  // R7
        if (counted && (aim.valid == 0 || warp.pc != aim.pc)) candidate[i] = false;
      }
      if (candidate[i] && (!any || key[i] < least)) {
        any = true;
        least = key[i];
      }
    }
    // R3
    unsigned first = Threads, ahead = Threads;
    const unsigned turn = turn_q.read();
    for (unsigned i = 0; i < Threads; ++i) {
      if (candidate[i] && key[i] == least) {
        if (first == Threads) first = i;
        if (i >= turn && ahead == Threads) ahead = i;
      }
    }
    Issue issue;
    if (any && ready_i.read()) {
      issue.valid = 1;
      issue.idx = ahead != Threads ? ahead : first;
    }
    issue_o.write(issue);
  }

  // ---- the table, R4 ----
  static void swap(Slot& a, Slot& b) {
    const Slot kept = a;
    a = b;
    b = kept;
  }

  void remove(const Pc& pc, unsigned count) {
    unsigned at = Slots;
    for (unsigned s = 0; s < Slots; ++s) {
      if (slot_q[s].count != 0 && slot_q[s].pc == pc) at = s;
    }
    if (at != Slots) {
      slot_q[at].count = slot_q[at].count - count;
      if (at != Slots - 1) {
        if (slot_q[at].count < slot_q[at + 1].count) swap(slot_q[at], slot_q[at + 1]);
      }
    }
  }

  /// False: there is no slot for this PC.
  bool add(const Pc& pc, unsigned count) {
    unsigned at = Slots, free = Slots;
    for (unsigned s = 0; s < Slots; ++s) {
      if (slot_q[s].count == 0) {
        if (free == Slots) free = s;
      } else if (slot_q[s].pc == pc) {
        at = s;
      }
    }
    const unsigned to = at != Slots ? at : free;
    if (to != Slots) {
      slot_q[to].pc = pc;
      slot_q[to].count = at != Slots ? typename F::Count(slot_q[to].count + count) : typename F::Count(count);
      if (to != 0) {
        if (slot_q[to].count > slot_q[to - 1].count) swap(slot_q[to - 1], slot_q[to]);
      }
    }
    return to != Slots;
  }

  void step_table(const Issue& issue) {
    const Aim aim = aim_q.read();
    bool begun = aim.begun != 0, overflow = false;
    if (issue.valid != 0) {
      if (counted_q[issue.idx].read()) {
        PoolWarp warp = warp_i[issue.idx].read();
        unsigned leaving = count_set(warp.lanes);
        remove(warp.pc, leaving);
        begun = Order == Policy::Majority;
      }
    }
    for (unsigned k = 0; k < 2; ++k) {
      Update update = update_i[k].read();
      const Placement place = place_i[k].read();
      unsigned coming = count_set(update.req);
      if (coming != 0 && update.waits == 0 && !overflow) overflow = !add(update.pc, coming);
      if (place.open != 0) counted_q[place.open_idx].write(update.waits == 0);  // R7
    }
    Aim next;
    if (overflow) {  // R8
      const Slot blank;
      for (unsigned s = 0; s < Slots; ++s) slot_q[s] = blank;
      for (unsigned i = 0; i < Threads; ++i) counted_q[i].write(false);
    } else {
      unsigned best = Slots;
      bool keep = false;
      for (unsigned s = 0; s < Slots; ++s) {
        if (slot_q[s].count != 0) {
          if (begun && slot_q[s].pc == aim.pc) keep = true;
          if (best == Slots) best = s;  // R5
          if constexpr (Order == Policy::Minority) {
            if (slot_q[s].count < slot_q[best].count) best = s;  // R6
          }
        }
      }
      if (keep) {
        next = aim;
        next.begun = 1;
      } else if (best != Slots) {
        next.pc = slot_q[best].pc;
        next.valid = 1;
      }
    }
    aim_q.write(next);
    drain_o.write(overflow);
    idle_o.write(!overflow);
  }

  void step_ranks(const Issue& issue) {
    unsigned used = used_q;
    if (issue.valid != 0) {
      const Idx gone = rank_q[issue.idx].read();
      for (unsigned i = 0; i < Threads; ++i) {
        const Idx rank = rank_q[i].read();
        if (rank > gone) rank_q[i].write(rank - 1);
      }
      --used;
    }
    for (unsigned k = 0; k < 2; ++k) {
      const Placement place = place_i[k].read();
      if (place.open != 0) {
        rank_q[place.open_idx].write(used);
        ++used;
      }
    }
    used_q = used;
  }

  HEDDLE_CLOCKED(step) {
    if (!rst_ni.read()) {
      const Slot blank;
      const Aim nowhere;
      for (unsigned s = 0; s < Slots; ++s) slot_q[s] = blank;
      if constexpr (Counts) {
        for (unsigned i = 0; i < Threads; ++i) counted_q[i].write(false);
      }
      if constexpr (Ages) {
        for (unsigned i = 0; i < Threads; ++i) rank_q[i].write(0);
      }
      aim_q.write(nowhere);
      drain_o.write(false);
      idle_o.write(true);
      turn_q.write(0);
      used_q = 0;
    } else {
      const Issue issue = issue_o.read();
      if constexpr (Counts) step_table(issue);
      if constexpr (Ages)
        step_ranks(issue);
      else if (issue.valid != 0)
        turn_q.write(issue.idx == Threads - 1 ? Idx(0) : Idx(issue.idx + 1));
    }
  }
};

}  // namespace heddle
