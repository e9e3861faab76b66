// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/memory/accesses_of.h"

namespace heddle {

unsigned accesses_of(const isa::Instruction& instruction, const isa::Launch& launch) {
  return instruction.space == isa::Space::Generic && isa::shared_bytes(launch) != 0 ? 2 : 1;
}

}  // namespace heddle
