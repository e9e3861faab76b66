// Warp allocator (DWF sec. 4.2): the free entries of the warp pool, in the order in which they became free.
//
// What   place_i[0], place_i[1]  Placement  `open` with lanes: a new warp takes an entry in this cycle
//        free_i                  Issue      this entry's warp is issued in this cycle: the entry is free again
//        offer_o                 Offer      the two entries that are taken next, and how many are free
// Rules  R1 The first new warp of a cycle takes offer_o.first; when there are two, the other takes offer_o.second.
//        R2 A freed entry is behind all others, and can be taken from the next cycle on.
//        R3 Entries that never held a warp go first, 0, 1, 2, ...: so the list needs no reset.
//        R4 offer_o.first is 0 when nothing is free, offer_o.second when less than two entries are.
//        R5 To take more than there are, or to free when all are free, is refused as a whole by a named error.
// Time   what is taken and freed in cycle n is in offer_o in cycle n+1.
// Idle   always: it changes only when an entry is taken or freed.
// Cost   asked from the inventory: the list, Threads x IdxBits, is the paper's; pointers and offer_o are ours.
// Twin   warp_allocator.sv, same ports, same state.
#pragma once

#include "rtl/base/clocked.h"
#include "rtl/base/inventory.h"
#include "rtl/base/refusal.h"
#include "rtl/warp_formation/formation.h"

namespace heddle {

template <class F>
class warp_allocator : public sc_core::sc_module {
 public:
  using Placement = typename F::Placement;
  using Issue = typename F::Issue;
  using Offer = typename F::Offer;
  using Idx = typename F::Idx;
  using Count = typename F::Count;
  static constexpr unsigned Threads = F::Threads;

  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_in<bool> rst_ni{"rst_ni"};
  sc_core::sc_vector<sc_core::sc_in<Placement>> place_i{"place_i", 2};
  sc_core::sc_in<Issue> free_i{"free_i"};
  sc_core::sc_out<Offer> offer_o{"offer_o"};

  SC_CTOR(warp_allocator) {
    HEDDLE_ON_EDGE(step, clk_i);
    probe(*this, "place_i", place_i);
    probe(*this, "free_i", free_i);
    declare(*this, "list_q", list_q, {Storage::Ram, paper_all(), "DWF Table 1, warp allocator", "2R1W"});
    declare(*this, "head_q", head_q, {Storage::Flop, paper_none(), "ours, the oldest of the list"});
    declare(*this, "tail_q", tail_q, {Storage::Flop, paper_none(), "ours, where the next freed entry goes"});
    declare(*this, "fresh_q", fresh_q, {Storage::Flop, paper_none(), "ours, entries that have held a warp"});
    declare(*this, "offer_o", offer_o, {Storage::Flop, paper_none(), "ours, the next two and how many"});
  }

 private:
  Idx list_q[Threads];
  Idx head_q, tail_q;
  Count fresh_q;

  static unsigned after(unsigned at) { return at == Threads - 1 ? 0 : at + 1; }

  HEDDLE_CLOCKED(step) {
    Offer offer;
    if (!rst_ni.read()) {
      head_q = 0;
      tail_q = 0;
      fresh_q = 0;
      offer.second = 1;
      offer.free = Threads;
      offer_o.write(offer);
    } else {
      const Issue freed = free_i.read();
      const unsigned take = (place_i[0].read().open != 0 ? 1U : 0U) + (place_i[1].read().open != 0 ? 1U : 0U);
      const Offer offered = offer_o.read();
      const unsigned free = offered.free;
      const bool legal = take <= free && (freed.valid == 0 || free != Threads);  // R5
      unsigned head = head_q, fresh = fresh_q, left = free;
      if (legal) {
        left = free - take + (freed.valid != 0 ? 1U : 0U);
        for (unsigned k = 0; k < 2; ++k) {
          if (k < take) {
            if (fresh != Threads)
              ++fresh;  // R3
            else
              head = after(head);
          }
        }
        if (freed.valid != 0) {  // R2
          list_q[tail_q] = freed.idx;
          tail_q = after(tail_q);
        }
        head_q = head;
        fresh_q = fresh;
      }
      // R4: the next two, of those that never held a warp and then of the list.
      offer.free = left;
      if (left >= 1) offer.first = fresh < Threads ? Idx(fresh) : list_q[head];
      if (left >= 2) {
        offer.second = fresh + 1 < Threads ? Idx(fresh + 1) : fresh < Threads ? list_q[head] : list_q[after(head)];
      }
      offer_o.write(offer);
      if (!legal) {
        HEDDLE_REPORT(SC_REPORT_ERROR(
                          "warp_allocator/illegal",
                          refusal(name(), freed.idx, "more warps open, or entries are freed, than there are").c_str());)
      }
    }
  }
};

}  // namespace heddle
