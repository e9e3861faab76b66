#include "sim/compiler/control_flow.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dominator_tree.hpp>
#include <fmt/format.h>

namespace heddle::compiler {
namespace {

std::vector<bool> find_leaders(const VirtualCode& code) {
  std::vector<bool> leads(code.code.size() + 1, false);
  leads[0] = true;
  for (const FunctionCode& function : code.functions) leads[function.first] = true;
  for (isa::Pc pc = 0; pc < code.code.size(); ++pc) {
    if (!code.code[pc].ends_block()) continue;
    leads[pc + 1] = true;
    for (const isa::Pc next : successors_of(code, pc)) leads[next] = true;
  }
  return leads;
}

std::string name_of_block(const VirtualCode& code, isa::Pc first) {
  const auto label = code.labels.find(first);
  if (label != code.labels.end()) return label->second;
  for (const FunctionCode& function : code.functions)
    if (function.first == first && first != 0) return function.name;
  return first == 0 ? "entry" : fmt::format("after_{}", first - 1);
}

/// Which blocks can reach the program's end.
std::vector<bool> blocks_that_end(const std::vector<std::vector<BlockIndex>>& successors,
                                  const std::vector<bool>& exits) {
  std::vector<bool> ends(successors.size());
  for (std::size_t block = 0; block < successors.size(); ++block)
    ends[block] = successors[block].empty() || exits[block];
  bool changed = true;
  while (changed) {
    changed = false;
    for (std::size_t block = successors.size(); block-- > 0;) {
      for (const BlockIndex next : successors[block])
        if (!ends[block] && ends[next]) changed = ends[block] = true;
    }
  }
  return ends;
}

}  // namespace

std::vector<BlockIndex> immediate_post_dominators(const std::vector<std::vector<BlockIndex>>& successors,
                                                  const std::vector<bool>& exits) {
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS>;
  const auto count = successors.size();
  Graph reversed(count + 1);  // vertex `count` is the virtual exit
  // Lanes in a loop without end meet nobody, and Boost's algorithm must not see vertices that it cannot reach.
  const std::vector<bool> ends = blocks_that_end(successors, exits);
  for (std::size_t block = 0; block < count; ++block) {
    for (const BlockIndex next : successors[block])
      if (ends[next]) boost::add_edge(next, block, reversed);
    if (successors[block].empty() || exits[block]) boost::add_edge(count, block, reversed);
  }
  const auto none = boost::graph_traits<Graph>::null_vertex();
  std::vector<boost::graph_traits<Graph>::vertex_descriptor> parents(count + 1, none);
  boost::lengauer_tarjan_dominator_tree(
      reversed, count, boost::make_iterator_property_map(parents.begin(), get(boost::vertex_index, reversed)));
  std::vector<BlockIndex> result(count, VirtualExit);
  for (std::size_t block = 0; block < count; ++block)
    if (parents[block] != none && parents[block] != count) result[block] = static_cast<BlockIndex>(parents[block]);
  return result;
}

std::vector<isa::BasicBlock> find_blocks(const VirtualCode& code) {
  const std::vector<bool> leads = find_leaders(code);
  std::vector<isa::BasicBlock> blocks;
  std::vector<BlockIndex> block_of(code.code.size());
  for (isa::Pc pc = 0; pc < code.code.size(); ++pc) {
    if (leads[pc]) {
      blocks.emplace_back();
      blocks.back().first = pc;
      blocks.back().name = name_of_block(code, pc);
    }
    blocks.back().last = pc;
    block_of[pc] = static_cast<BlockIndex>(blocks.size() - 1);
  }

  std::vector<std::vector<BlockIndex>> successors(blocks.size());
  std::vector<bool> exits(blocks.size(), false);
  for (std::size_t index = 0; index < blocks.size(); ++index) {
    const isa::Pc last = blocks[index].last;
    exits[index] = code.code[last].body.kind == isa::Kind::Exit;
    for (const isa::Pc next : successors_of(code, last)) successors[index].push_back(block_of[next]);
  }

  const std::vector<BlockIndex> post_dominators = immediate_post_dominators(successors, exits);
  for (std::size_t index = 0; index < blocks.size(); ++index) {
    blocks[index].successors = successors[index];
    if (post_dominators[index] != VirtualExit) blocks[index].rpc = blocks[post_dominators[index]].first;
  }
  return blocks;
}

}  // namespace heddle::compiler
