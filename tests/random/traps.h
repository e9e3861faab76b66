// SPDX-License-Identifier: Apache-2.0
// Trap sides in random programs: branches to code that ends the launch, as compiled assertions have them.
#pragma once

#include "tests/random/program.h"

namespace heddle::tests {

/// The program with trap sides anywhere in its entry and its functions, which no thread takes. Forms: a block at the end of
/// the code, of one branch or of several, or code that the branch goes around; it traps at once, stores first, has a
/// branch or a loop of its own, calls a function that is declared .noreturn and traps or exits, or one of which only its
/// body says that it does not return. Programs of points whose stacks are shallow stay as they are.
RandomProgram with_trap_sides(RandomProgram program);

/// One of the functions that trap sides call: no thread enters it.
bool is_of_trap_sides(const std::string& function);

/// The program with such a side at the beginning, inside a branch that parts each warp: thread 1 of each block takes it.
RandomProgram with_taken_trap(RandomProgram program);

}  // namespace heddle::tests
