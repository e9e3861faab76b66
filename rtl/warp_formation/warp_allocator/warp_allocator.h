// SPDX-License-Identifier: Apache-2.0
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
// Time   what is taken and freed in cycle n is in offer_o in cycle n+1: the list is read at the edge, for what comes next.
// Idle   always: it changes only when an entry is taken or freed.
// Cost   asked from the inventory: the list, Threads x IdxBits, is the paper's; pointers, count and read ports are ours.
// Twin   warp_allocator.sv, same ports, same state.
#pragma once

#include "rtl/base/clocked.h"
#include "rtl/base/inventory.h"
#include "rtl/base/link.h"
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
    SC_METHOD(show);
    sensitive << head_q << free_q << round_q << first_word_q << second_word_q;
    probe(*this, "place_i", place_i);
    probe(*this, "free_i", free_i);
    probe(*this, "offer_o", offer_o);
    declare(*this, "list_q", list_q, {Storage::Ram, paper_all(), "DWF Table 1, warp allocator", "2R1W, write first"});
    declare(*this, "first_word_q", first_word_q, {Storage::Flop, paper_none(), "read port of list_q"});
    declare(*this, "second_word_q", second_word_q, {Storage::Flop, paper_none(), "read port of list_q"});
    declare(*this, "head_q", head_q, {Storage::Flop, paper_none(), "ours, where the entry is that is taken next"});
    declare(*this, "tail_q", tail_q, {Storage::Flop, paper_none(), "ours, where the next freed entry goes"});
    declare(*this, "free_q", free_q, {Storage::Flop, paper_none(), "ours, free entries"});
    declare(*this, "round_q", round_q, {Storage::Flop, paper_none(), "ours, every entry has held a warp"});
  }

 private:
  Idx list_q[Threads];
  Link<Idx> first_word_q{"first_word_q"}, second_word_q{"second_word_q"};  ///< at head_q and behind it
  Link<Idx> head_q{"head_q"};
  Idx tail_q;
  Link<Count> free_q{"free_q"};
  Link<bool> round_q{"round_q"};

  static unsigned after(unsigned at) { return at == Threads - 1 ? 0 : at + 1; }

  /// R4; R3: as if each place of the list had held its own number at first.
  void show() {
    const unsigned head = head_q.read(), free = free_q.read();
    const bool round = round_q.read();
    Offer offer;
    offer.free = free;
    if (free >= 1) offer.first = round ? first_word_q.read() : Idx(head);
    if (free >= 2) offer.second = round || head == Threads - 1 ? second_word_q.read() : Idx(head + 1);
    offer_o.write(offer);
  }

  HEDDLE_CLOCKED(step) {
    if (!rst_ni.read()) {
      head_q.write(0);
      tail_q = 0;
      free_q.write(Threads);
      round_q.write(false);
    } else {
      const Issue free = free_i.read();
      const unsigned take = (place_i[0].read().open != 0 ? 1U : 0U) + (place_i[1].read().open != 0 ? 1U : 0U);
      const bool legal = take <= free_q.read() && (free.valid == 0 || free_q.read() != Threads);  // R5
      const bool freed = legal && free.valid != 0;
      unsigned head_d = head_q.read();
      bool round_d = round_q.read();
      for (unsigned k = 0; k < 2; ++k) {
        if (legal && k < take) {
          round_d = round_d || head_d == Threads - 1;
          head_d = after(head_d);
        }
      }
      head_q.write(head_d);
      round_q.write(round_d);
      if (legal) free_q.write(free_q.read() - take + (freed ? 1U : 0U));
      // R2: an entry that is freed now can be among the next two.
      const unsigned behind = after(head_d);
      first_word_q.write(freed && tail_q == head_d ? free.idx : list_q[head_d]);
      second_word_q.write(freed && tail_q == behind ? free.idx : list_q[behind]);
      if (freed) {
        list_q[tail_q] = free.idx;
        tail_q = after(tail_q);
      }
      if (!legal) {
        HEDDLE_REPORT(SC_REPORT_ERROR(
                          "warp_allocator/illegal",
                          refusal(name(), free.idx, "more warps open, or entries are freed, than there are").c_str());)
      }
    }
  }
};

}  // namespace heddle
