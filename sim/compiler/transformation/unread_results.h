// SPDX-License-Identifier: Apache-2.0
// An atomic whose result nobody reads has none: then it is a reduction, and is complete when it is ordered.
#pragma once

#include "sim/compiler/code/virtual_code.h"

namespace heddle::compiler {

void drop_unread_results(VirtualCode& code);

}  // namespace heddle::compiler
