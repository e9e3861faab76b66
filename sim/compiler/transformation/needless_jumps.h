// SPDX-License-Identifier: Apache-2.0
// Jumps to the next instruction go: compilers of PTX leave them to the assembler. Behind what puts instructions between
// them and their targets, and what takes marks out.
#pragma once

#include "sim/compiler/code/virtual_code.h"

namespace heddle::compiler {

void drop_needless_jumps(VirtualCode& code);

}  // namespace heddle::compiler
