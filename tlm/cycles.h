// SPDX-License-Identifier: Apache-2.0
// Whole cycles on SystemC time, and the rule by which clocked and event-driven modules meet without a race:
//
//   A clock edge of cycle c is at c * period. What a memory module sends on its own accord "at cycle c" it sends half a
//   period before that edge. So the clocked process at the edge always sees it, whatever order the kernel runs
//   processes in, and both instants count as cycle c.
#pragma once

#include <systemc>

#include <cstdint>

namespace heddle {

class Cycles {
 public:
  explicit Cycles(const sc_core::sc_time& period) : period_(period.value()), half_(period.value() / 2) {
    if (half_ == 0) SC_REPORT_FATAL("heddle/cycles", "the period must be at least two ticks of the time resolution");
  }

  std::uint64_t now() const { return (sc_core::sc_time_stamp().value() + half_) / period_; }

  // The first cycle that is not yet too late to send something at.
  std::uint64_t earliest() const {
    const std::uint64_t cycle = now();
    return sc_core::sc_time_stamp().value() + half_ <= cycle * period_ ? cycle : cycle + 1;
  }

  // From now until half a period before the edge of a cycle; zero if that has passed.
  sc_core::sc_time until(std::uint64_t cycle) const {
    const std::uint64_t earliest_edge = sc_core::sc_time_stamp().value() + half_;
    const std::uint64_t edge = cycle * period_;
    return sc_core::sc_time::from_value(edge > earliest_edge ? edge - earliest_edge : 0);
  }

 private:
  std::uint64_t period_;
  std::uint64_t half_;
};

}  // namespace heddle
