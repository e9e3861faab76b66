// SPDX-License-Identifier: Apache-2.0
// Where an indirect branch goes.
#pragma once

#include "sim/isa/instruction.h"

namespace heddle::isa {

/// \param value  of sources[0], for one thread
/// \returns NoPc if it names no target: then a program that runs it is wrong
Pc indirect_target(const Program& program, const Instruction& branch, std::uint64_t value);

}  // namespace heddle::isa
