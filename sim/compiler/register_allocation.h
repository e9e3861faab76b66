// Linear scan: registers of 32 bits, aligned even pairs for 64-bit values, 32 predicates.
#pragma once

#include <vector>

#include "sim/compiler/live_ranges.h"

namespace heddle::compiler {

struct Assignment {
  std::vector<unsigned> place;  // of each virtual register: index of its (first) register, or of its predicate
  unsigned registers = 0, predicates = 0;  // used per thread
  std::vector<VirtualId> spilled;          // what found no place; then the rest is to be allocated anew
};

/// \param ranges     sorted by start
/// \param registers  how many there are. Where they do not suffice, the range that ends last is given up, but none
///                   that `code` marks as a temporary
/// \throws std::length_error with a message if temporaries alone do not fit
Assignment allocate_registers(const VirtualCode& code, const std::vector<LiveRange>& ranges, unsigned registers);

}  // namespace heddle::compiler
