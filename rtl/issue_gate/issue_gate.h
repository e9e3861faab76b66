// SPDX-License-Identifier: Apache-2.0
// Issue gate: which slots the warp scheduler may pick from, between scoreboard and scheduler (DESIGN 5).
//
// What   eligible_i   Slots   slots that may issue as far as the SM knows (no barrier, unit free, memory has room, ...)
//        status_i     Status  valid and redirected of each slot, from the control flow unit (`lanes_moved` is not used)
//        hazard_i[w]  Hazard  why the heads of warp w must wait, from the scoreboard
//        ready_o      Slots   slots whose head may issue in this cycle
// Rules  R1 A slot is ready when it is eligible, valid and not redirected, and its head has no hazard: no register that is
//        pending on its own side or shadowed on the other one, nor a full set.  R2 Nothing of another slot matters.
// Time   Combinational; it keeps nothing, so it is always idle.
// Cost   no storage. It stands in the chain scoreboard -> gate -> scheduler -> grant of one cycle: a gate for the three
//        hazards, and one for them and the three masks.
// Twin   issue_gate.sv, same ports.
#pragma once

#include "rtl/base/clocked.h"
#include "rtl/base/each_set.h"
#include "rtl/scoreboard/scoreboard_query.h"

namespace heddle {

template <class Flow>
class issue_gate : public sc_core::sc_module {
 public:
  using Slots = typename Flow::Slots;
  using Status = typename Flow::Status;
  using Hazard = ScoreboardHazard;
  static constexpr unsigned Warps = bits_of<decltype(Slots::left)>;

  sc_in<Slots> eligible_i{"eligible_i"};
  sc_in<Status> status_i{"status_i"};
  sc_core::sc_vector<sc_in<Hazard>> hazard_i{"hazard_i", Warps};
  sc_out<Slots> ready_o{"ready_o"};

  SC_CTOR(issue_gate) {
    if (by_process()) {
      SC_METHOD(pass);
      sensitive << eligible_i << status_i;
      for (unsigned w = 0; w < Warps; ++w) sensitive << hazard_i[w];
    }
    probe(*this, "eligible_i", eligible_i);
    probe(*this, "status_i", status_i);
    probe(*this, "hazard_i", hazard_i);
    probe(*this, "ready_o", ready_o);
  }

  /// The gate as it stands.
  void pass() {
    Slots ready;
    const Slots eligible = eligible_i.read();
    const Status status = status_i.read();
    std::uint64_t left = eligible.left & status.valid_left & ~std::uint64_t(status.redirected_left);  // R1
    std::uint64_t right = eligible.right & status.valid_right & ~std::uint64_t(status.redirected_right);
    std::uint64_t waits_left = 0, waits_right = 0;
    HEDDLE_EACH_SET(w, Warps, left) {
      const Hazard hazard = hazard_i[w].read();
      if (must_wait(hazard.own_left, hazard.shadow_left, hazard.full_left)) waits_left |= std::uint64_t(1) << w;
    }
    HEDDLE_EACH_SET(w, Warps, right) {
      const Hazard hazard = hazard_i[w].read();
      if (must_wait(hazard.own_right, hazard.shadow_right, hazard.full_right)) waits_right |= std::uint64_t(1) << w;
    }
    ready.left = left & ~waits_left;
    ready.right = right & ~waits_right;
    ready_o.write(ready);
  }

 private:
  /// R1: whether a head waits for what the scoreboard says of it.
  static bool must_wait(unsigned own, unsigned shadow, unsigned full) { return own != 0 || shadow != 0 || full != 0; }
};

}  // namespace heddle
