// SPDX-License-Identifier: Apache-2.0
// Which functions of virtual code a call leads to.
#pragma once

#include <vector>

#include "sim/compiler/code/virtual_code.h"

namespace heddle::compiler {

bool is_call(const VirtualInstruction& instruction);

/// Indices in VirtualCode::functions: the one named, or each that an indirect call may go to.
std::vector<std::size_t> callees_of(const VirtualCode& code, isa::Pc call);

/// [a][b]: b may run while a call in a does.
std::vector<std::vector<bool>> calls_between_functions(const VirtualCode& code);

}  // namespace heddle::compiler
