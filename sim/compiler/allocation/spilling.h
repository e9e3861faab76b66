// SPDX-License-Identifier: Apache-2.0
// Registers for a program, by force: values that find no place go to local memory, or are made again at each use.
#pragma once

#include "sim/compiler/allocation/register_allocation.h"

namespace heddle::compiler {

/// Allocates, and where `registers` do not suffice rewrites the code: a value that is given up has a slot behind the
/// other local variables, every instruction that reads it loads it first, every one that writes it stores it. Also in
/// recursive functions, where calls save and restore the slot as they would the register. A constant, a parameter or a
/// special register has no slot: it is made again in front of each instruction that reads it (Briggs 1992).
/// \throws std::length_error if not even that suffices
Assignment fit_registers(VirtualCode& code, unsigned registers);

}  // namespace heddle::compiler
