// SPDX-License-Identifier: Apache-2.0
// A waveform that a run wrote: which signals it has, and which of them move.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::cli {

struct VcdSignal {
  std::string path;  ///< "SystemC.sm0.slice0.dual_path_stack.left_o_0.pc"
  std::string name;  ///< as GTKWave has it, with its range behind it: "...pc[31:0]"
  unsigned width;
  std::uint64_t changes;  ///< after the first time
};

struct VcdFile {
  std::vector<VcdSignal> signals;     // as they are declared
  std::uint64_t first = 0, last = 0;  // times
};

/// Reads a file that SystemC wrote. A file that is not there has no signals.
VcdFile read_vcd(const std::string& file);

}  // namespace heddle::cli
