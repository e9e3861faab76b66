// SPDX-License-Identifier: Apache-2.0
// The barriers that stand where branches meet: see convergence_barriers.h for where, and why there.
#pragma once

#include "sim/compiler/analysis/natural_loops.h"
#include "sim/compiler/transformation/barrier_list.h"

namespace heddle::compiler {

/// By meeting point, inner before outer where the code is in that order. Without registers and decisions.
std::vector<Barrier> default_barriers(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks,
                                      const Dominators& dominators, const std::vector<NaturalLoop>& loops);

/// Why those of the list that have registers stand where they do.
void explain_default_barriers(BarrierList& list);

}  // namespace heddle::compiler
