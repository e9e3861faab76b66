// SPDX-License-Identifier: Apache-2.0
// Marks of predictions, where nobody asks for them.
#pragma once

#include "sim/compiler/code/virtual_code.h"

namespace heddle::compiler {

bool has_marks(const VirtualCode& code);

/// Leaves the code that a program without its marks has.
void take_out_marks(VirtualCode& code);

}  // namespace heddle::compiler
