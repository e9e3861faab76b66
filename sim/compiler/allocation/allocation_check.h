// SPDX-License-Identifier: Apache-2.0
// A check of register allocation that knows nothing of live ranges: follows what each place holds along the code, and
// every instruction must find in a place the register that it names.
#pragma once

#include "sim/compiler/allocation/register_allocation.h"

namespace heddle::compiler {

/// \throws std::logic_error that names the instruction, the register and what its place may hold instead
void check_allocation(const VirtualCode& code, const Assignment& assignment);

}  // namespace heddle::compiler
