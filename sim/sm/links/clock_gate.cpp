// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/links/clock_gate.h"

#include <utility>

namespace heddle {

using sc_core::sc_time;
using sc_core::sc_time_stamp;

clock_gate::clock_gate(const sc_core::sc_module_name& name, const sc_time& period, std::function<bool()> may_stop,
                       std::function<void()> rises)
    : sc_module(name), period_(period), may_stop_(std::move(may_stop)), rises_(std::move(rises)) {
  SC_HAS_PROCESS(clock_gate);
  SC_METHOD(wake);
}

sc_time clock_gate::to_next_edge() const {
  const sc_dt::uint64 period = period_.value(), now = sc_time_stamp().value();
  return sc_time::from_value((now / period + 1) * period - now);
}

void clock_gate::wake() {
  if (sc_time_stamp().value() % period_.value() != 0 || sc_time_stamp() == sc_core::SC_ZERO_TIME) {
    next_trigger(to_next_edge());  // the start: wait for the edge's time
    return;
  }
  closed_ = !std::exchange(is_due_, false) && may_stop_();
  if (closed_) {
    next_trigger(opened_);
  } else {
    clk.rise();
    rises_();
    next_trigger(period_);
  }
}

void clock_gate::reconsider() {
  if (!closed_ || may_stop_()) return;
  closed_ = false;
  is_due_ = true;
  opened_.notify(to_next_edge());
}

}  // namespace heddle
