// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/analysis/control_dependence.h"

#include <algorithm>

#include "sim/compiler/analysis/traps.h"

namespace heddle::compiler {

std::vector<BlockIndex> post_dominators(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks) {
  FlowGraph graph(blocks.size());
  for (std::size_t index = 0; index < blocks.size(); ++index) {
    graph.ends[index] = code.code[blocks[index].last].body.kind == isa::Kind::Exit;
    graph.successors[index].assign(blocks[index].successors.begin(), blocks[index].successors.end());
  }
  graph.traps = trapping_ends(code, blocks);
  return immediate_post_dominators(without_trap_sides(graph));
}

std::vector<std::vector<BlockIndex>> control_dependence(const VirtualCode& code,
                                                        const std::vector<isa::BasicBlock>& blocks) {
  const std::vector<BlockIndex> next = post_dominators(code, blocks);
  std::vector<std::vector<BlockIndex>> decided_by(blocks.size());
  const auto add = [&](BlockIndex block, BlockIndex branch) {
    auto& its = decided_by[block];
    if (std::count(its.begin(), its.end(), branch) == 0) its.push_back(branch);
  };
  for (BlockIndex branch = 0; branch < blocks.size(); ++branch) {
    const bool ends_too = code.code[blocks[branch].last].body.kind == isa::Kind::Exit;
    if (blocks[branch].successors.size() + (ends_too ? 1 : 0) < 2) continue;
    for (const BlockIndex side : blocks[branch].successors)
      for (BlockIndex block = side; block != VirtualExit && block != next[branch]; block = next[block])
        add(block, branch);
  }
  return decided_by;
}

std::vector<bool> blocks_before(const std::vector<isa::BasicBlock>& blocks, BlockIndex first, BlockIndex meeting) {
  std::vector<bool> seen(blocks.size(), false);
  std::vector<BlockIndex> pending{first};
  while (!pending.empty()) {
    const BlockIndex block = pending.back();
    pending.pop_back();
    if (block == meeting || seen[block]) continue;
    seen[block] = true;
    pending.insert(pending.end(), blocks[block].successors.begin(), blocks[block].successors.end());
  }
  return seen;
}

}  // namespace heddle::compiler
