// SPDX-License-Identifier: Apache-2.0
// Which register of a warp each barrier has: see convergence_barriers.h for who may share one.
#pragma once

#include "sim/compiler/transformation/barrier_list.h"

namespace heddle::compiler {

/// In the list's order. Where one finds none, the innermost default barrier of those around makes way: a decision says so.
/// \throws std::invalid_argument  a prediction that somebody wrote finds none
void choose_barrier_registers(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks, BarrierList& list,
                              std::size_t registers);

}  // namespace heddle::compiler
