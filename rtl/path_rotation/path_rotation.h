// SPDX-License-Identifier: Apache-2.0
// Path rotation: which of the two paths of a warp the constrained scheduler sees (DPE sec. 3.3, 6.4). It keeps one
// entry a warp, as for a single path; when that path meets a long latency, the other one has its turn.
//
// What   status_i   Status  valid of each slot, from the control flow unit (`redirected` and `lanes_moved` are not used)
//        waiting_i  Slots   slots that wait at a CTA barrier
//        long_i     Slots   slots of which in this cycle a long-latency instruction was issued, or a miss became known
//        visible_o  Slots   the slots that the scheduler may look at: one side of each warp
//        turned_o           warps whose visible side changed in the last edge: what was fetched for them is stale
//        idle_o             an edge without long_i changes nothing, as long as status_i and waiting_i stay
// Rules  R1 A side is able when it is valid and does not wait.  R2 One side of each warp is visible, the left one after
//        reset.  R3 A warp turns to its other side where that one is able, and the visible one is not, or has a long_i.
//        R4 Else it does not turn, and nothing is remembered.  R5 turned_o tells who turned in the last edge.
// Time   visible_o and turned_o are of the last edge ("determined in the previous cycle"); idle_o follows status_i and
//        waiting_i in the same cycle.
// Cost   asked from the inventory: two bits a warp, its side and whether it turned.
// Twin   path_rotation.sv, same ports, same state.
#pragma once

#include "rtl/base/clocked.h"
#include "rtl/base/control_flow.h"
#include "rtl/base/inventory.h"

namespace heddle {

using sc_core::sc_in;
using sc_core::sc_out;
using sc_core::sc_signal;

template <class Flow>
class path_rotation : public sc_core::sc_module {
 public:
  using Slots = typename Flow::Slots;
  using Status = typename Flow::Status;
  static constexpr unsigned Warps = bits_of<decltype(Slots::left)>;
  using WarpSet = sc_uint<Warps>;

  sc_in<bool> clk_i{"clk_i"};
  sc_in<bool> rst_ni{"rst_ni"};
  sc_in<Status> status_i{"status_i"};
  sc_in<Slots> waiting_i{"waiting_i"};
  sc_in<Slots> long_i{"long_i"};
  sc_out<Slots> visible_o{"visible_o"};
  sc_out<WarpSet> turned_o{"turned_o"};
  sc_out<bool> idle_o{"idle_o"};

  SC_CTOR(path_rotation) {
    HEDDLE_ON_EDGE(step, clk_i);
    SC_METHOD(show);
    sensitive << status_i << waiting_i << right_q << turned_q;
    probe(*this, "status_i", status_i);
    probe(*this, "waiting_i", waiting_i);
    probe(*this, "long_i", long_i);
    probe(*this, "visible_o", visible_o);
    probe(*this, "turned_o", turned_o);
    probe(*this, "idle_o", idle_o);
    declare(*this, "right_q", right_q, {Storage::Flop, paper_none(), "DPE sec. 3.3"});
    declare(*this, "turned_q", turned_q, {Storage::Flop, paper_none(), "ours, what was fetched is stale"});
  }

 private:
  /// Warps whose visible side is the right one; warps that turned in the last edge.
  sc_signal<WarpSet> right_q{"right_q"}, turned_q{"turned_q"};

  /// R1.
  std::uint64_t able_left() {
    const Status status = status_i.read();
    const Slots waiting = waiting_i.read();
    return status.valid_left & ~std::uint64_t(waiting.left);
  }

  std::uint64_t able_right() {
    const Status status = status_i.read();
    const Slots waiting = waiting_i.read();
    return status.valid_right & ~std::uint64_t(waiting.right);
  }

  std::uint64_t visible_able() {
    const std::uint64_t right = right_q.read();
    return (right & able_right()) | (~right & able_left());
  }

  std::uint64_t hidden_able() {
    const std::uint64_t right = right_q.read();
    return (right & able_left()) | (~right & able_right());
  }

  /// R3: warps that turn because their visible side is not able.
  std::uint64_t due() { return hidden_able() & ~visible_able(); }

  HEDDLE_CLOCKED(step) {
    WarpSet right_d, turned_d;  // R2
    if (rst_ni.read()) {
      const std::uint64_t right = right_q.read();
      const std::uint64_t visible_long = (right & long_i.read().right) | (~right & long_i.read().left);
      turned_d = due() | (hidden_able() & visible_long);  // R3
      right_d = right ^ turned_d;
    }
    right_q.write(right_d);
    turned_q.write(turned_d);  // R5
  }

  void show() {
    Slots visible;
    const std::uint64_t right = right_q.read();
    const std::uint64_t turned = turned_q.read();
    visible.left = ~right;
    visible.right = right;
    visible_o.write(visible);
    turned_o.write(turned);
    idle_o.write((due() | turned) == 0);
  }
};

}  // namespace heddle
