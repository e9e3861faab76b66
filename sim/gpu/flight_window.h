// SPDX-License-Identifier: Apache-2.0
// Which waveform a run leaves that fails (heddle run --flight-recorder).
#pragma once

#include <cstdint>
#include <string>

#include "rtl/base/trace_window.h"

namespace heddle::gpu {

struct FlightParameters {
  std::string file;            ///< of the waveform, without .vcd; empty: there is none
  std::uint64_t cycles = 500;  ///< before the failure
};

/// \param what  the failure: of a block that it names as sm0.slice0.scoreboard there is its state too
/// \param sm    of which the ports are in the waveform
/// \param last  the cycle of its last edge: soon after it the waveform ends, if the failure was found much later
TraceWindow flight_window(const FlightParameters& parameters, const std::string& what, unsigned sm, std::uint64_t last);

}  // namespace heddle::gpu
