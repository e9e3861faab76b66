// SPDX-License-Identifier: Apache-2.0
// Warp scheduler: which ready slot issues next, in loose round robin (DPE sec. 3.3).
//
// What   ready_i  Slots  slots whose head may issue in this cycle
//        grant_o  Grant  the one that does
// Kinds  Paths = 2: over warps and paths, in the order (warp 0, left), (warp 0, right), (warp 1, left), ...: twice the
//        entries of the baseline. Paths = 1: over warps; the right mask is not looked at.
// Rules  R1 A grant names a ready slot.  R2 Whenever a slot is ready there is a grant.  R3 It is the first ready slot
//        at or after the turn, cyclically.  R4 The turn passes to the slot after the granted one; without a grant it
//        stays. So a slot that stays ready is granted within as many picks as there are slots.
// Time   grant_o follows ready_i in the same cycle; the turn moves at the next edge. Always idle: it changes only with
//        a slot that is ready.
// Cost   asked from the inventory: the number of a slot, index_bits(Warps) + Paths - 1 bits.
// Twin   warp_scheduler.sv, same ports, same state.
#pragma once

#include "rtl/base/clocked.h"
#include "rtl/base/control_flow.h"
#include "rtl/base/inventory.h"

namespace heddle {

using sc_core::sc_in;
using sc_core::sc_out;
using sc_core::sc_signal;

/// The slot that is looked at first: the one after the last granted.
template <unsigned WarpBits, unsigned Paths>
struct SchedulerTurn;

template <unsigned WarpBits>
struct SchedulerTurn<WarpBits, 1> {
  sc_uint<WarpBits> warp;
  HEDDLE_RECORD(SchedulerTurn, warp)
};

template <unsigned WarpBits>
struct SchedulerTurn<WarpBits, 2> {
  sc_uint<WarpBits> warp;
  sc_uint<1> right;  // Side
  HEDDLE_RECORD(SchedulerTurn, warp, right)
};

template <class Flow, unsigned Paths>
class warp_scheduler : public sc_core::sc_module {
 public:
  static_assert(Paths == 1 || Paths == 2, "a warp shows one or two paths");
  using Grant = typename Flow::Grant;
  using Slots = typename Flow::Slots;
  using Turn = SchedulerTurn<Flow::WarpBits, Paths>;
  static constexpr unsigned Warps = bits_of<decltype(Slots::left)>;

  sc_in<bool> clk_i{"clk_i"};
  sc_in<bool> rst_ni{"rst_ni"};
  sc_in<Slots> ready_i{"ready_i"};
  sc_out<Grant> grant_o{"grant_o"};

  SC_CTOR(warp_scheduler) {
    HEDDLE_ON_EDGE(step, clk_i);
    if (by_process()) {
      SC_METHOD(pick);
      sensitive << ready_i << turn_q;
    }
    probe(*this, "ready_i", ready_i);
    probe(*this, "grant_o", grant_o);
    declare(*this, "turn_q", turn_q, {Storage::Flop, paper_none(), "DPE sec. 3.3"});
  }

  /// The grant as slots and turn stand.
  void pick() {
    const Grant grant = first_ready(ready_i.read(), turn_q.read());
    grant_o.write(grant);
  }

 private:
  sc_signal<Turn> turn_q{"turn_q"};

  /// R1, R2, R3: the first ready slot at or after the turn, cyclically.
  static Grant first_ready(const Slots& ready, const Turn& turn) {
    Grant grant;
    const std::uint64_t left = ready.left, from_turn = ~std::uint64_t(0) << unsigned(turn.warp);
    std::uint64_t right = 0, left_ahead = left & from_turn, right_ahead = 0;
    if constexpr (Paths == 2) {
      right = ready.right;
      right_ahead = right & from_turn;
      if (turn.right != 0) left_ahead &= ~(std::uint64_t(1) << unsigned(turn.warp));
    }
    if ((left | right) != 0) {  // R2
      const bool is_ahead = (left_ahead | right_ahead) != 0;
      const std::uint64_t among_left = is_ahead ? left_ahead : left,
                          among_right = is_ahead ? right_ahead : right;  // R3
      const unsigned warp = lowest_set(among_left | among_right);
      grant.valid = 1;
      grant.warp = warp;
      grant.right = (among_left >> warp & 1) != 0 ? 0 : 1;  // R1
    }
    return grant;
  }

  /// R4: the slot after the one that is granted.
  static Turn turn_after(const Grant& grant) {
    Turn turn;
    bool next_warp = true;
    if constexpr (Paths == 2) {
      next_warp = grant.right != 0;
      turn.right = next_warp ? 0 : 1;
    }
    if (!next_warp)
      turn.warp = grant.warp;
    else if (grant.warp != Warps - 1)
      turn.warp = grant.warp + 1;
    return turn;
  }

  HEDDLE_CLOCKED(step) {
    Turn turn_d;
    if (!rst_ni.read()) {
      turn_q.write(turn_d);
    } else {
      const Grant grant = grant_o.read();
      if (grant.valid != 0) {  // R4
        turn_d = turn_after(grant);
        turn_q.write(turn_d);
      }
    }
  }
};

}  // namespace heddle
