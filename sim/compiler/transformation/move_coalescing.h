// SPDX-License-Identifier: Apache-2.0
// Registers that a copy connects become one where nothing keeps them apart, and the copy goes (Chaitin 1982): what a
// front end leaves of phis, and conversions that change no bit.
#pragma once

#include "sim/compiler/code/virtual_code.h"

namespace heddle::compiler {

void coalesce_moves(VirtualCode& code);

}  // namespace heddle::compiler
