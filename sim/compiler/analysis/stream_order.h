// SPDX-License-Identifier: Apache-2.0
// Does the affine stream enqueue on every way what the warps dequeue, in the same order (DESIGN 6.7)? Asked of the two
// finished streams, by the instructions of the whole kernel that they come from: nothing of how they were made.
#pragma once

#include <string>

#include "sim/compiler/code/virtual_code.h"

namespace heddle::compiler {

/// An event is an enq or deq, a barrier, an exit, or a branch that both streams take together. Behind each, on each side of
/// a branch, both streams must come to the same next one, and to no other.
/// \returns where they do not; empty: the order is the same
std::string difference_in_order(const VirtualCode& warps, const VirtualCode& affine);

}  // namespace heddle::compiler
