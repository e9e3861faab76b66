// SPDX-License-Identifier: Apache-2.0
// Where diverged lanes meet again: the RPC of every block.
//
// The immediate post-dominator (DPE sec. 2.1), with one addition of ours for lanes that leave for good: lanes that
// exit never wait, so an early exit says nothing about where the other lanes meet.
#pragma once

#include <vector>

#include "sim/compiler/code/virtual_code.h"

namespace heddle::compiler {

using BlockIndex = unsigned;
constexpr BlockIndex VirtualExit = 0xffffffffU;

/// What the rules below need to know of a program. All vectors have an element for each block, in code order.
struct FlowGraph {
  std::vector<std::vector<BlockIndex>> successors;
  std::vector<bool> ends;        // threads may end here: a guarded exit, which has a successor too, or an unguarded one
  std::vector<bool> only_exits;  // the block is an unguarded exit and nothing else
  std::vector<bool> waits;       // it waits for other threads: a barrier or a warp-wide operation
  std::vector<bool> traps;       // a thread that comes to its end ends the launch (traps.h)
  std::vector<bool> computes;    // no other thread sees what it does: it has no store and waits for nobody

  explicit FlowGraph(std::size_t blocks)
      : successors(blocks),
        ends(blocks, false),
        only_exits(blocks, false),
        waits(blocks, false),
        traps(blocks, false),
        computes(blocks, false) {}
};

/// For each block whether its threads end the launch, if they end: traps are reached from it, and no other end is.
std::vector<bool> blocks_that_trap(const FlowGraph& graph);

/// Rule 0 below.
FlowGraph without_trap_sides(FlowGraph graph);

/// For each block its immediate post-dominator over all paths: VirtualExit if paths meet only after the program's end,
/// or if the block cannot reach the end at all. Blocks without successors lead to the virtual exit.
std::vector<BlockIndex> immediate_post_dominators(const FlowGraph& graph);

/// For each block where its lanes meet again, early exits left out of account:
///
/// 0. The edges to blocks that trap are dropped, but for those from blocks that trap as well: behind a trap there are no
///    lanes to meet, nor others that could meet elsewhere.
///    An exit in front of which only such checks stand is as one without them: where a program ends with an assertion, its
///    lanes need not meet to leave.
/// 1. Compilers let every return branch to one exit at the end of the code. Where the other side of a branch may still
///    wait at a barrier, which must not wait for lanes that leave, each returning path has that exit to itself.
/// 2. The edge of a guarded exit to the virtual exit is dropped if its block still reaches an end without it; so is,
///    where the other side may wait at a barrier, a conditional branch to a block that only exits, as that is a guarded
///    exit. In code order, so that what stays is at the end.
/// 3. Of the ends that are left, the last in the code comes first, and those of sides that only leave come last: the
///    blocks that reach it form a class. Those left that reach the next one form the next class, and so on. A block's
///    meeting point is its immediate post-dominator within its class, in which there is one end.
///
/// Then every lane that does not end first reaches the meeting point m of its block b: a path from b that stays in the
/// class of b passes m on its way to the only end there, and from a block outside of the class no path leads back into
/// it (or that block would have reached the end of the class too, and be part of it). Lanes on a path out of the class
/// exit or trap, or they never end, with or without those that wait for them at m.
std::vector<BlockIndex> meeting_points(const FlowGraph& graph);

}  // namespace heddle::compiler
