// SPDX-License-Identifier: Apache-2.0
// The .global and .const variables of a module with their initial values, as a device loads them.
#pragma once

#include <memory>

#include "sim/isa/global_data.h"
#include "sim/ptx/module.h"

namespace heddle::compiler {

/// All that are defined in the module, in its order. Throws ptx::Error for an initial value that cannot be, and for a
/// variable that is defined twice or too large.
std::shared_ptr<const isa::GlobalData> global_data(const ptx::Module& module);

}  // namespace heddle::compiler
