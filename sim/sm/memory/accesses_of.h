// SPDX-License-Identifier: Apache-2.0
// How many accesses of the load/store unit a memory instruction may become.
#pragma once

#include "sim/isa/launch.h"

namespace heddle {

/// A generic access may have lanes in shared memory, if there is any, and lanes elsewhere: then it is two.
unsigned accesses_of(const isa::Instruction& instruction, const isa::Launch& launch);

}  // namespace heddle
