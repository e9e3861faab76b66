// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/analysis/meeting_points.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dominator_tree.hpp>
#include <utility>

namespace heddle::compiler {
namespace {

using Blocks = std::vector<bool>;

/// The blocks for which `hit` holds, and those that reach one of them. `graph.successors` says how.
Blocks blocks_that_reach(const FlowGraph& graph, const Blocks& hit) {
  std::vector<std::vector<BlockIndex>> predecessors(graph.successors.size());
  for (BlockIndex block = 0; block < graph.successors.size(); ++block)
    for (const BlockIndex next : graph.successors[block]) predecessors[next].push_back(block);
  Blocks reaches = hit;
  std::vector<BlockIndex> pending;
  for (BlockIndex block = 0; block < hit.size(); ++block)
    if (hit[block]) pending.push_back(block);
  while (!pending.empty()) {
    const BlockIndex block = pending.back();
    pending.pop_back();
    for (const BlockIndex previous : predecessors[block]) {
      if (reaches[previous]) continue;
      reaches[previous] = true;
      pending.push_back(previous);
    }
  }
  return reaches;
}

Blocks blocks_that_end(const FlowGraph& graph) {
  Blocks ends = graph.ends;
  for (std::size_t block = 0; block < ends.size(); ++block)
    if (graph.successors[block].empty()) ends[block] = true;
  return blocks_that_reach(graph, ends);
}

/// The blocks of `first`, and those that they reach other than through `except`.
Blocks reachable_from(const FlowGraph& graph, const std::vector<BlockIndex>& first, BlockIndex except) {
  Blocks seen(graph.successors.size(), false);
  std::vector<BlockIndex> pending = first;
  while (!pending.empty()) {
    const BlockIndex block = pending.back();
    pending.pop_back();
    if (seen[block] || block == except) continue;
    seen[block] = true;
    pending.insert(pending.end(), graph.successors[block].begin(), graph.successors[block].end());
  }
  return seen;
}

/// Counts the blocks of rule 0, which compute, check and go to an exit. A check is a side that `graph` has lost.
void count_checked_exits(const FlowGraph& whole, FlowGraph& graph) {
  for (bool changed = true; changed;) {
    changed = false;
    for (BlockIndex block = 0; block < graph.successors.size(); ++block) {
      const std::vector<BlockIndex>& next = graph.successors[block];
      const bool checks = next.size() == 1 && whole.successors[block].size() > 1 && !graph.ends[block];
      if (!checks || !graph.computes[block] || graph.only_exits[block] || !graph.only_exits[next.front()]) continue;
      graph.only_exits[block] = changed = true;
    }
  }
}

/// The two kinds of ways on from a branch, if it has both: to where lanes may wait for others, and to where they never do.
struct Sides {
  std::vector<BlockIndex> waiting, leaving;
  bool has_both() const { return !waiting.empty() && !leaving.empty(); }
};

Sides sides_of(const FlowGraph& graph, BlockIndex branch, const Blocks& may_wait) {
  Sides sides;
  for (const BlockIndex next : graph.successors[branch])
    (may_wait[next] ? sides.waiting : sides.leaving).push_back(next);
  return sides;
}

/// Rule 1.
void split_exits(FlowGraph& graph, const Blocks& may_wait) {
  for (BlockIndex branch = 0; branch < graph.successors.size(); ++branch) {
    const Sides sides = sides_of(graph, branch, may_wait);
    if (!sides.has_both()) continue;
    const Blocks left = reachable_from(graph, sides.leaving, branch),
                 others = reachable_from(graph, sides.waiting, branch);
    for (BlockIndex block = 0; block < graph.successors.size(); ++block) {
      if (!left[block] || others[block]) continue;
      std::vector<BlockIndex>& successors = graph.successors[block];
      const auto own = std::remove_if(successors.begin(), successors.end(),
                                      [&](BlockIndex next) { return graph.only_exits[next] && others[next]; });
      if (own == successors.end()) continue;
      successors.erase(own, successors.end());
      graph.ends[block] = true;
    }
  }
}

/// Rules 1 and 2.
FlowGraph without_early_exits(FlowGraph graph) {
  const Blocks may_wait = blocks_that_reach(graph, graph.waits);
  split_exits(graph, may_wait);
  for (BlockIndex block = 0; block < graph.successors.size(); ++block) {
    std::vector<BlockIndex>& successors = graph.successors[block];
    if (graph.ends[block] && !successors.empty()) {
      graph.ends[block] = false;
      graph.ends[block] = !blocks_that_end(graph)[block];
    }
    if (successors.size() < 2) continue;
    const std::vector<BlockIndex> all = successors;
    const bool others_wait = std::any_of(all.begin(), all.end(), [&](BlockIndex next) { return may_wait[next]; });
    if (!others_wait) continue;
    successors.erase(
        std::remove_if(successors.begin(), successors.end(), [&](BlockIndex next) { return graph.only_exits[next]; }),
        successors.end());
    if (!blocks_that_end(graph)[block] || successors.empty()) graph.successors[block] = all;
  }
  return graph;
}

/// Blocks that only lanes reach which leave: on a side of a branch from which no path leads to a wait, while the other
/// side may wait, does not come there and does not come back to the branch.
Blocks only_leaving(const FlowGraph& graph) {
  const Blocks may_wait = blocks_that_reach(graph, graph.waits);
  Blocks found(graph.successors.size(), false);
  for (BlockIndex branch = 0; branch < graph.successors.size(); ++branch) {
    const Sides sides = sides_of(graph, branch, may_wait);
    if (!sides.has_both()) continue;
    Blocks returns(graph.successors.size(), false);
    returns[branch] = true;
    returns = blocks_that_reach(graph, returns);
    if (std::any_of(sides.waiting.begin(), sides.waiting.end(), [&](BlockIndex next) { return returns[next]; }))
      continue;
    const Blocks left = reachable_from(graph, sides.leaving, branch),
                 others = reachable_from(graph, sides.waiting, branch);
    for (std::size_t block = 0; block < found.size(); ++block)
      if (left[block] && !others[block]) found[block] = true;
  }
  return found;
}

/// The ends in the order of rule 3.
std::vector<BlockIndex> ends_in_order(const FlowGraph& graph) {
  std::vector<BlockIndex> ends;
  for (BlockIndex block = static_cast<BlockIndex>(graph.successors.size()); block-- > 0;)
    if (graph.ends[block] || graph.successors[block].empty()) ends.push_back(block);
  const Blocks leaving = only_leaving(graph);
  std::stable_partition(ends.begin(), ends.end(), [&](BlockIndex end) { return !leaving[end]; });
  return ends;
}

/// The blocks of a class alone, with `end` as their end; the others are cut off.
FlowGraph only_class(const FlowGraph& graph, const Blocks& in_class, BlockIndex end) {
  FlowGraph part(graph.successors.size());
  for (BlockIndex block = 0; block < graph.successors.size(); ++block) {
    if (!in_class[block]) continue;
    for (const BlockIndex next : graph.successors[block])
      if (in_class[next]) part.successors[block].push_back(next);
  }
  part.ends[end] = true;
  return part;
}

}  // namespace

std::vector<bool> blocks_that_trap(const FlowGraph& graph) {
  FlowGraph cut = graph;
  Blocks ends = graph.ends;
  for (BlockIndex block = 0; block < ends.size(); ++block) {
    if (graph.traps[block])
      cut.successors[block].clear();
    else if (graph.successors[block].empty())
      ends[block] = true;
  }
  const Blocks ended = blocks_that_reach(cut, ends);
  Blocks trapped = blocks_that_reach(cut, graph.traps);
  for (BlockIndex block = 0; block < ends.size(); ++block) trapped[block] = trapped[block] && !ended[block];
  return trapped;
}

FlowGraph without_trap_sides(FlowGraph graph) {
  const Blocks trapped = blocks_that_trap(graph);
  for (BlockIndex block = 0; block < trapped.size(); ++block) {
    std::vector<BlockIndex>& successors = graph.successors[block];
    if (graph.traps[block]) successors.clear();
    if (trapped[block]) continue;
    successors.erase(
        std::remove_if(successors.begin(), successors.end(), [&](BlockIndex next) { return trapped[next]; }),
        successors.end());
  }
  return graph;
}

std::vector<BlockIndex> immediate_post_dominators(const FlowGraph& graph) {
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS>;
  const auto count = graph.successors.size();
  Graph reversed(count + 1);  // vertex `count` is the virtual exit
  // Lanes in a loop without end meet nobody, and Boost's algorithm must not see vertices that it cannot reach.
  const Blocks ends = blocks_that_end(graph);
  for (std::size_t block = 0; block < count; ++block) {
    for (const BlockIndex next : graph.successors[block])
      if (ends[next]) boost::add_edge(next, block, reversed);
    if (graph.successors[block].empty() || graph.ends[block]) boost::add_edge(count, block, reversed);
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

std::vector<BlockIndex> meeting_points(const FlowGraph& whole) {
  FlowGraph living = without_trap_sides(whole);
  count_checked_exits(whole, living);
  const FlowGraph graph = without_early_exits(std::move(living));
  const std::size_t count = graph.successors.size();
  std::vector<BlockIndex> result(count, VirtualExit);
  Blocks classified(count, false);
  for (const BlockIndex end : ends_in_order(graph)) {
    if (classified[end]) continue;
    Blocks target(count, false);
    target[end] = true;
    Blocks in_class = blocks_that_reach(graph, target);
    for (std::size_t block = 0; block < count; ++block) in_class[block] = in_class[block] && !classified[block];
    const std::vector<BlockIndex> found = immediate_post_dominators(only_class(graph, in_class, end));
    for (std::size_t block = 0; block < count; ++block) {
      if (!in_class[block]) continue;
      classified[block] = true;
      result[block] = found[block];
    }
  }
  return result;
}

}  // namespace heddle::compiler
