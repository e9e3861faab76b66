// SPDX-License-Identifier: Apache-2.0
// Jumps to the next instruction go.
#pragma once

#include "sim/compiler/code/virtual_code.h"

namespace heddle::compiler {

void drop_needless_jumps(VirtualCode& code);

}  // namespace heddle::compiler
