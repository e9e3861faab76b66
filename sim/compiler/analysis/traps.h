// SPDX-License-Identifier: Apache-2.0
// Where threads end the launch: `trap`, an assertion that failed, and calls of functions that do nothing else. Behind a
// call of a function that is declared .noreturn stands a trap (FunctionLowering::end_with_trap), so that it is one of
// these too.
#pragma once

#include <vector>

#include "sim/compiler/code/virtual_code.h"

namespace heddle::compiler {

/// By function: it neither returns nor exits on any path, and on one at least it traps. What is declared .noreturn and
/// exits, or loops for ever, is none.
std::vector<bool> functions_that_trap(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks);

/// By block: its last instruction is a trap under no guard, or calls a function that traps.
/// \param blocks  with successors
std::vector<bool> trapping_ends(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks);

/// By block: every path from it that ends ends in a trap, and one at least does (blocks_that_trap in meeting_points.h).
std::vector<bool> trapping_blocks(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks);

}  // namespace heddle::compiler
