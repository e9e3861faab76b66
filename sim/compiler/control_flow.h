// Basic blocks and immediate post-dominators: where diverged paths meet again.
#pragma once

#include <vector>

#include "sim/compiler/virtual_code.h"

namespace heddle::compiler {

using BlockIndex = unsigned;
constexpr BlockIndex VirtualExit = 0xffffffffU;

/// For each block its immediate post-dominator: VirtualExit if paths meet only after the program's end, or if the
/// block cannot reach the end at all. Blocks without successors lead to the virtual exit; `exits[b]` says that b may
/// also do so besides its successors (a guarded exit).
std::vector<BlockIndex> immediate_post_dominators(const std::vector<std::vector<BlockIndex>>& successors,
                                                  const std::vector<bool>& exits);

/// Blocks in code order with successors and RPCs. Leaders: the first instruction, targets, and what follows a branch
/// or an exit.
std::vector<isa::BasicBlock> find_blocks(const VirtualCode& code);

}  // namespace heddle::compiler
