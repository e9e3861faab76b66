// SPDX-License-Identifier: Apache-2.0
// Virtual code as text, for people: what a pass has left.
#pragma once

#include <string>
#include <vector>

#include "sim/compiler/code/virtual_code.h"

namespace heddle::compiler {

/// A line an instruction, with its PC and the registers as PTX names them; #N tells two of one name apart.
std::string to_string(const VirtualCode& code);
/// The same of each instruction, by PC.
std::vector<std::string> texts_of(const VirtualCode& code);

}  // namespace heddle::compiler
