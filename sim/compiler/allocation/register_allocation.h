// SPDX-License-Identifier: Apache-2.0
// Graph colouring: registers of 32 bits, aligned even pairs for 64-bit values, 32 predicates.
//
// Registers are coloured in the reverse of an order in which each, when it is taken out, has the fewest places that its
// remaining neighbours could hold (Matula and Beck's smallest last; Chaitin 1982, Briggs 1994 with pairs).
#pragma once

#include <vector>

#include "sim/compiler/code/virtual_code.h"

namespace heddle::compiler {

struct Assignment {
  std::vector<unsigned> place;  // of each virtual register: index of its (first) register, or of its predicate
  unsigned registers = 0, predicates = 0;  // used per thread
  std::vector<VirtualId> spilled;          // what found no place; then the rest is to be allocated anew
};

/// \param registers  how many there are. Where they do not suffice, what is least used, counted deeper in loops, is
/// given
///                   up, but nothing that `code` marks as a temporary
/// \throws std::length_error with a message if temporaries alone do not fit
Assignment allocate_registers(const VirtualCode& code, unsigned registers);

}  // namespace heddle::compiler
