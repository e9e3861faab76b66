// SPDX-License-Identifier: Apache-2.0
// The errors of a running kernel, under the name that users of a device know. Wording: sim/isa/execution_error.h.
#pragma once

#include "sim/isa/execution_error.h"

namespace heddle::gpu {

using isa::ErrorCode;
using isa::ExecutionError;

}  // namespace heddle::gpu
