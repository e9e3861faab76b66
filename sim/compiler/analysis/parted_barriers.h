// SPDX-License-Identifier: Apache-2.0
// Barriers that a part of a block may come to while its other threads still need records of the affine warp.
//
// The records of a block are expanded in the order of the affine stream, and those behind a barrier when the block has
// passed it (rtl/affine/affine_tuple_queue, R6). A barrier opens when the threads that have not left are there. So a thread
// that goes another way must need no record that stands behind that barrier in the stream: it would wait for the barrier,
// and the barrier for the thread. The side of a branch that takes it comes first in the stream, then its other side, then
// what is behind their meeting point. A branch that all threads of a block leave one way sends nobody another way.
#pragma once

#include <string>
#include <vector>

#include "sim/compiler/analysis/decoupling.h"

namespace heddle::compiler {

/// Why the affine stream cannot keep the order, with the lines of branch and barrier; empty: it does.
/// \param kept  by PC: the affine stream has it. \param wanted  by PC: what is decoupled
std::string why_barriers_part(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks,
                              const std::vector<bool>& kept, const std::vector<Decoupling>& wanted);

}  // namespace heddle::compiler
