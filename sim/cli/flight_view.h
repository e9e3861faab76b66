// SPDX-License-Identifier: Apache-2.0
// What looks at the waveform of the last cycles before a failure (sim/gpu/flight_recorder.h).
#pragma once

#include <string>

namespace heddle::cli {

/// Writes a view beside the waveform: the ports of the block that failed, then of every block what moves. What to type to look
/// at it; empty: there is no waveform.
/// \param file  of the waveform, without .vcd
/// \param what  the failure, which may name a block
std::string last_cycles(const std::string& file, const std::string& what);

}  // namespace heddle::cli
