// SPDX-License-Identifier: Apache-2.0
// PTX statements into virtual code: names resolved, operands checked against the opcode table.
#pragma once

#include "sim/compiler/code/virtual_code.h"
#include "sim/ptx/module.h"

namespace heddle::compiler {

/// Throws ptx::Error at the statement or operand that is wrong or not supported.
VirtualCode lower(const ptx::Module& module, const ptx::Function& entry, const isa::GlobalData& globals);

}  // namespace heddle::compiler
