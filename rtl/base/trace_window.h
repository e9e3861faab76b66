// SPDX-License-Identifier: Apache-2.0
// Opt-in waveforms: which structures, and in which window of time.
//
// Tracing costs 10 to 15 times the cycles, so a VCD file is open only inside its window. Never included by a block: a
// synthesis tool takes over the start of the simulation.
#pragma once

#include <string>

#include "rtl/base/inventory.h"

namespace heddle {

/// Structures whose path (block instance, dot, structure) matches `wanted` go to `file`.vcd from `from` to `to`.
struct TraceWindow {
  std::string file;    ///< without .vcd; empty: no waveform
  std::string wanted;  ///< regular expression on paths
  sc_core::sc_time from, to;
  sc_core::sc_time cycle{2, sc_core::SC_NS};  ///< how long one is: the waveform counts them
  std::string asked = {};                     ///< `wanted` in a user's words, for messages
};

/// Opens and closes the file of a window while the simulation runs. Keep it alive until the simulation ends.
class trace_recorder {
 public:
  explicit trace_recorder(const TraceWindow& window) : window_(window) {}
  ~trace_recorder() { close(); }
  trace_recorder(const trace_recorder&) = delete;
  trace_recorder& operator=(const trace_recorder&) = delete;

  /// Runs for `length` from now, opening and closing the file at the window's ends.
  /// \throws std::runtime_error when nothing in the design matches `wanted`.
  void run(const sc_core::sc_time& length);
  void close();
  const TraceWindow& window() const { return window_; }
  /// Another window from now on.
  void show(const TraceWindow& window) { window_ = window; }

 private:
  void open();
  void run_counting(const sc_core::sc_time& until);

  TraceWindow window_;
  sc_core::sc_trace_file* file_ = nullptr;
  unsigned cycle_ = 0;
};

}  // namespace heddle
