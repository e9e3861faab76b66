// SPDX-License-Identifier: Apache-2.0
// On which branches it depends whether a block runs (Ferrante, Ottenstein and Warren 1987), and which blocks the lanes
// of a branch run before they meet.
#pragma once

#include <vector>

#include "sim/compiler/analysis/meeting_points.h"

namespace heddle::compiler {

/// For each block the blocks whose last instruction decides, directly, whether it runs.
std::vector<std::vector<BlockIndex>> control_dependence(const VirtualCode& code,
                                                        const std::vector<isa::BasicBlock>& blocks);

/// Where all ways from each block meet but those to traps, early exits not left out; VirtualExit: behind the end.
std::vector<BlockIndex> post_dominators(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks);

/// Blocks that a way from `first` comes by before it is at the block `meeting`, that one not included.
/// \param meeting  VirtualExit: there is none
std::vector<bool> blocks_before(const std::vector<isa::BasicBlock>& blocks, BlockIndex first, BlockIndex meeting);

}  // namespace heddle::compiler
