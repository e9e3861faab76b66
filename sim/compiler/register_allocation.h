// Linear scan: 256 registers of 32 bits, aligned even pairs for 64-bit values, 32 predicates. No spilling.
#pragma once

#include <vector>

#include "sim/compiler/live_ranges.h"

namespace heddle::compiler {

struct Assignment {
  std::vector<unsigned> place;  // of each virtual register: index of its (first) register, or of its predicate
  unsigned registers = 0, predicates = 0;  // used per thread
};

/// Ranges sorted by start. Throws std::length_error with a message if they do not fit.
Assignment allocate_registers(const VirtualCode& code, const std::vector<LiveRange>& ranges);

}  // namespace heddle::compiler
