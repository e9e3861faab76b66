// SPDX-License-Identifier: Apache-2.0
// The core's clock in simulated time.
#pragma once

#include <systemc>

#include <cstdint>

namespace heddle {

/// One core cycle. Two waveform units, so that what memory sends half a cycle before an edge has a time of its own; the
/// benches of the blocks do the same.
inline sc_core::sc_time core_cycles(double n) {
  return {2 * n, sc_core::SC_NS};
}

/// The cycle that an edge of the core's clock ends.
inline std::uint64_t core_cycle() {
  return sc_core::sc_time_stamp().value() / core_cycles(1).value() - 1;
}

}  // namespace heddle
