// SPDX-License-Identifier: Apache-2.0
// Branches at which a thread may wait for another one: the oracle lets others run there.
#pragma once

#include "sim/isa/instruction.h"

namespace heddle::isa {

/// An atomic with a result, or a load that sees what another SM has stored: what a thread that waits has to execute.
bool gives_what_others_write(const Instruction& instruction);

/// Branches that lead back in a loop which a thread leaves by what such an instruction in the loop gave, by way of
/// registers and of local or shared memory.
std::vector<Pc> waiting_branches(const Program& program);

}  // namespace heddle::isa
