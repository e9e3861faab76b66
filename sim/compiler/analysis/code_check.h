// SPDX-License-Identifier: Apache-2.0
// What every pass may rely on and must leave behind: names that exist, operands of the class that the instruction
// reads, targets inside the code, marks of predictions that are there.
#pragma once

#include "sim/compiler/code/virtual_code.h"

namespace heddle::compiler {

/// \param after  the pass that has just run
/// \throws std::logic_error that names the pass, the instruction and what is wrong with it
void check_code(const VirtualCode& code, const char* after);

}  // namespace heddle::compiler
