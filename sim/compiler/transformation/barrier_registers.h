// Which register of a warp each barrier has: see convergence_barriers.h for who may share one.
#pragma once

#include "sim/compiler/transformation/barrier_list.h"

namespace heddle::compiler {

/// In the list's order. What finds no register keeps none: a decision says so.
void choose_barrier_registers(const VirtualCode& code, BarrierList& list, std::size_t registers);

}  // namespace heddle::compiler
