// SPDX-License-Identifier: Apache-2.0
// Computations whose results nobody needs go.
#pragma once

#include "sim/compiler/code/virtual_code.h"

namespace heddle::compiler {

/// Drops from an entry that calls no function what leads to no access, branch, barrier or other effect, even in a loop.
void drop_unread_values(VirtualCode& code);

}  // namespace heddle::compiler
