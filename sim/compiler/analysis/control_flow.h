// SPDX-License-Identifier: Apache-2.0
// Basic blocks of a program, with successors and RPCs.
#pragma once

#include <vector>

#include "sim/compiler/analysis/meeting_points.h"

namespace heddle::compiler {

/// Blocks in code order with successors and RPCs. Leaders: the first instruction, targets, and what follows a branch
/// or an exit. RPCs: meeting_points.h.
std::vector<isa::BasicBlock> find_blocks(const VirtualCode& code);

}  // namespace heddle::compiler
