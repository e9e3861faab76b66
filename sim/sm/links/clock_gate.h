// SPDX-License-Identifier: Apache-2.0
// The clock of one SM, with a gate: no edge comes while all that hangs on the clock is idle. An SM that waits for a
// reply has no edges and costs nothing.
//
// As the latch of a clock gate in hardware it asks before an edge, when every signal of the cycle has settled: at the
// edge's own time, and again when `reconsider` says that something came from outside. What it asks must be exact, since
// a closed gate hides whatever is missed; nothing is counted and nothing is guessed.
//
// Edges come at multiples of the period, also after the gate was closed. Simulator code, not a block.
#pragma once

#include <systemc>

#include <functional>
#include <string>

#include "sim/twin/core_cycle.h"

namespace heddle {

/// A clock whose rising edges are heard; nobody listens to falling ones, and a waveform has its cycles counted
/// (rtl/base/trace_window.h).
class rising_clock : public sc_core::sc_signal<bool> {
 public:
  explicit rising_clock(const char* name) : sc_signal(name), edge_((std::string(name) + "_edge").c_str()) {}
  const sc_core::sc_event& posedge_event() const override { return edge_; }
  void rise() { edge_.notify(sc_core::SC_ZERO_TIME); }

 private:
  sc_core::sc_event edge_;
};

class clock_gate : public sc_core::sc_module {
 public:
  rising_clock clk{"clk"};

  /// \param may_stop  would the next edge change nothing? Asked only between edges.
  /// \param rises     an edge comes: a clock of a part, with a gate of its own, may rise with this one
  clock_gate(
      const sc_core::sc_module_name& name, const sc_core::sc_time& period, std::function<bool()> may_stop,
      std::function<void()> rises = [] {});

  /// Something came from outside, between edges: a closed gate asks again.
  void reconsider();

 private:
  void wake();
  sc_core::sc_time to_next_edge() const;

  sc_core::sc_time period_;
  std::function<bool()> may_stop_;
  std::function<void()> rises_;
  sc_core::sc_event opened_;
  bool closed_ = false;
  /// The edge comes without being asked for: the first one, which resets, and one that opened the gate.
  bool is_due_ = true;
};

}  // namespace heddle
