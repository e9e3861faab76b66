// SPDX-License-Identifier: Apache-2.0
// A function of the text by the name that its source has: the exact one, or one that a C++ compiler has mangled.
#pragma once

#include <string>

#include "sim/ptx/module.h"

namespace heddle::compiler {

/// The last name of a mangled one (Itanium C++ ABI, as clang and nvcc write it): "_ZN3box4openEi" -> "open"; "" if it is
/// none.
std::string unmangled_name(const std::string& name);

/// \throws ptx::Error at `where` if there is none, more than one, or one without a body
const ptx::Function& named_function(const ptx::Module& module, const std::string& name, ptx::Location where);

}  // namespace heddle::compiler
