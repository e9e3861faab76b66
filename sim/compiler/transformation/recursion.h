// SPDX-License-Identifier: Apache-2.0
// Recursive functions: a stack in local memory. A call from one recursive function to another saves the caller's
// registers that are still needed, moves the stack pointer past the caller's frame, and takes both back afterwards.
#pragma once

#include "sim/compiler/code/virtual_code.h"

namespace heddle::compiler {

/// Local memory for the frames of recursive calls, a thread (ours: four times CUDA's default stack). A deeper
/// recursion is an access out of bounds.
constexpr unsigned RecursionStackBytes = 4096;

/// Adds saves and restores around calls, and the stack behind the other local variables. The first instruction of the
/// entry sets the stack pointer.
void add_recursion_stack(VirtualCode& code);

}  // namespace heddle::compiler
