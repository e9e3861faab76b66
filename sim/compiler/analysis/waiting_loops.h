// SPDX-License-Identifier: Apache-2.0
// Loops in which a thread may wait for what another one does.
#pragma once

#include "sim/compiler/analysis/natural_loops.h"

namespace heddle::compiler {

/// A branch out of the loop goes by what an atomic or a volatile load in it gave.
bool waits_for_a_lane(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks, const NaturalLoop& loop);

}  // namespace heddle::compiler
