// SPDX-License-Identifier: Apache-2.0
// The loops of a program, for messages about kernels that do not end.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/isa/instruction.h"

namespace heddle::isa {

/// A natural loop: its header, which dominates the rest, and all blocks from which a branch leads back to it.
struct Loop {
  unsigned header = 0;           // block
  std::vector<unsigned> blocks;  // in code order, the header among them

  bool operator==(const Loop& other) const { return header == other.header; }
};

/// Innermost first where loops nest.
std::vector<Loop> find_loops(const Program& program);

/// The innermost loop that has this instruction; if its function has none there, one around a call of the function.
std::optional<Loop> loop_at(const Program& program, Pc pc);

/// "file.ptx:31-38", and the lines of the source that PTX was made from if it says so: " (kernel.cu:7-9)".
std::string describe(const Program& program, const Loop& loop);

/// "file.ptx:31", and " (kernel.cu:7)".
std::string describe_place(const Program& program, Pc pc);

/// "in the loop at file.ptx:31-38 (kernel.cu:7-9)", each loop once; empty if none of the places is in a loop.
std::string describe_loops(const Program& program, const std::vector<Pc>& places);

}  // namespace heddle::isa
