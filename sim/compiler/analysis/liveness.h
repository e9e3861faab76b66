// SPDX-License-Identifier: Apache-2.0
// For each virtual register, where its value may still be read.
//
// A guarded write does not end the life of the value before it: lanes whose guard is false keep it. Divergence needs
// no more than that: the two paths of a branch own disjoint lanes, so liveness along the edges of the graph suffices.
#pragma once

#include <boost/dynamic_bitset.hpp>
#include <functional>
#include <set>
#include <vector>

#include "sim/compiler/code/virtual_code.h"

namespace heddle::compiler {

using LiveSet = boost::dynamic_bitset<>;  // by VirtualId

/// Blocks whose successors follow turns, and calls: into the function, and from its return to behind each call of it. Within a
/// function alone, `find_blocks` goes from a call to what is behind it. A value of one caller so seems live in others
/// too: that costs registers and never correctness.
std::vector<isa::BasicBlock> across_calls(const VirtualCode& code, std::vector<isa::BasicBlock> blocks);

/// Calls visit(pc, live after pc) for every instruction, backwards within each block.
/// \returns what is live before the first instruction
LiveSet visit_live_after(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks,
                         const std::function<void(isa::Pc, const LiveSet&)>& visit);

/// Registers whose value is live before each instruction.
std::vector<std::set<VirtualId>> live_before(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks);

}  // namespace heddle::compiler
