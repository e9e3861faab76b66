// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/analysis/natural_loops.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dominator_tree.hpp>
#include <map>

namespace heddle::compiler {

BlockIndex block_at(const std::vector<isa::BasicBlock>& blocks, isa::Pc pc) {
  const auto found = std::upper_bound(blocks.begin(), blocks.end(), pc,
                                      [](isa::Pc at, const isa::BasicBlock& block) { return at < block.first; });
  return static_cast<BlockIndex>(found - blocks.begin() - 1);
}

Dominators::Dominators(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks) {
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS>;
  const std::size_t count = blocks.size();
  Graph graph(count + 1);  // vertex `count` leads to every function
  for (const FunctionCode& function : code.functions) boost::add_edge(count, block_at(blocks, function.first), graph);
  for (BlockIndex block = 0; block < count; ++block)
    for (const unsigned next : blocks[block].successors) boost::add_edge(block, next, graph);
  immediate_.assign(count + 1, count);
  boost::lengauer_tarjan_dominator_tree(
      graph, count, boost::make_iterator_property_map(immediate_.begin(), get(boost::vertex_index, graph)));
}

bool Dominators::dominates(BlockIndex block, std::size_t other) const {
  while (other + 1 < immediate_.size() && other != block) other = immediate_[other];
  return other == block;
}

std::size_t NaturalLoop::size() const {
  return static_cast<std::size_t>(std::count(inside.begin(), inside.end(), true));
}

std::vector<std::vector<BlockIndex>> predecessors_of(const std::vector<isa::BasicBlock>& blocks) {
  std::vector<std::vector<BlockIndex>> predecessors(blocks.size());
  for (BlockIndex block = 0; block < blocks.size(); ++block)
    for (const unsigned next : blocks[block].successors) predecessors[next].push_back(block);
  return predecessors;
}

std::vector<NaturalLoop> natural_loops(const std::vector<isa::BasicBlock>& blocks, const Dominators& dominators) {
  const std::vector<std::vector<BlockIndex>> predecessors = predecessors_of(blocks);
  std::map<BlockIndex, NaturalLoop> by_head;
  for (BlockIndex block = 0; block < blocks.size(); ++block) {
    for (const unsigned head : blocks[block].successors) {
      if (!dominators.dominates(head, block)) continue;
      NaturalLoop& loop = by_head[head];
      loop.head = head;
      if (loop.inside.empty()) loop.inside.assign(blocks.size(), false);
      loop.inside[head] = true;
      std::vector<BlockIndex> rest{block};
      while (!rest.empty()) {
        const BlockIndex one = rest.back();
        rest.pop_back();
        if (loop.inside[one]) continue;
        loop.inside[one] = true;
        rest.insert(rest.end(), predecessors[one].begin(), predecessors[one].end());
      }
    }
  }
  std::vector<NaturalLoop> loops;
  for (auto& [head, loop] : by_head) loops.push_back(std::move(loop));
  return loops;
}

}  // namespace heddle::compiler
