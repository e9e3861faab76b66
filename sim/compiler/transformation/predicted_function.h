// SPDX-License-Identifier: Apache-2.0
// A function as the point of a prediction (SR sec. 4.4): lanes wait for each other at its first instruction, wherever in
// the region they call it from.
//
// Its barrier is known in every function between the region and the point, and has its register in all of them. Where
// the function is called from elsewhere, no lane is in the barrier and all pass: no wrapper is needed for a function that
// regions share.
#pragma once

#include "sim/compiler/code/virtual_code.h"
#include "sim/compiler/transformation/barrier_list.h"

namespace heddle::compiler {

/// Waits, and the calls that lead there from `barrier.function` and from the functions on the way.
void add_predicted_function(const VirtualCode& code, std::size_t function, Barrier& barrier);

}  // namespace heddle::compiler
