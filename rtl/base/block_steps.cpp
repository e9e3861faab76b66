// SPDX-License-Identifier: Apache-2.0
#include "rtl/base/block_steps.h"

namespace heddle {

BlockSteps* BlockSteps::collects_ = nullptr;
bool BlockSteps::in_order_ = false;

}  // namespace heddle
