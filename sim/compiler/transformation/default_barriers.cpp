// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/transformation/default_barriers.h"

#include <algorithm>
#include <map>

#include "sim/compiler/analysis/divergence.h"
#include "sim/compiler/analysis/traps.h"

namespace heddle::compiler {
namespace {

using Blocks = std::vector<bool>;
using BlockList = std::vector<BlockIndex>;

class Regions {
 public:
  Regions(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks, const Dominators& dominators,
          const std::vector<NaturalLoop>& loops)
      : code_(code), blocks_(blocks), dominators_(dominators), loops_(loops), predecessors_(predecessors_of(blocks)) {}

  std::vector<Barrier> find() {
    std::vector<Barrier> found;
    const Divergence divergence = analyse_divergence(code_, blocks_);
    const std::vector<bool> traps = trapping_blocks(code_, blocks_);
    std::map<isa::Pc, BlockList> branches;  // by meeting point
    for (BlockIndex block = 0; block < blocks_.size(); ++block) {
      // Lanes on their way to a trap meet nobody: they come from any region, still in its barrier, and end the launch.
      if (traps[block]) continue;
      const isa::Instruction& last = code_.code[blocks_[block].last].body;
      const auto& next = blocks_[block].successors;
      const bool has_trap_side = std::any_of(next.begin(), next.end(), [&](unsigned to) { return traps[to]; });
      // Lanes that do not trap take one side together: a jump has two.
      const bool may_part = last.kind == isa::Kind::Branch && next.size() > (has_trap_side ? 2 : 1);
      if (may_part && blocks_[block].rpc != isa::NoPc && divergence.is_divergent(blocks_[block].last))
        branches[blocks_[block].rpc].push_back(block);
    }
    for (const auto& [meet, parting] : branches) {
      Barrier region;
      region.points.waits = {meet};
      region.function = function_at(code_, meet);
      if (code_.functions[region.function].is_recursive) continue;
      region.inside.assign(blocks_.size(), false);
      for (const BlockIndex block : parting) {
        region.branches.push_back(blocks_[block].last);
        const Blocks way = reached(block, block_at(meet));
        region.inside[block] = true;
        for (BlockIndex one = 0; one < blocks_.size(); ++one) region.inside[one] = region.inside[one] || way[one];
        if (!has_joined(block, parting, meet)) region.points.joins.insert(place_of_join(block, meet));
      }
      found.push_back(std::move(region));
    }
    return found;
  }

 private:
  BlockIndex block_at(isa::Pc pc) const { return compiler::block_at(blocks_, pc); }

  /// Blocks that can be reached from the end of `from` without passing `end`.
  Blocks reached(BlockIndex from, BlockIndex end) const {
    Blocks found(blocks_.size(), false);
    BlockList rest(blocks_[from].successors.begin(), blocks_[from].successors.end());
    while (!rest.empty()) {
      const BlockIndex one = rest.back();
      rest.pop_back();
      if (one == end || found[one]) continue;
      found[one] = true;
      rest.insert(rest.end(), blocks_[one].successors.begin(), blocks_[one].successors.end());
    }
    return found;
  }

  /// Lanes that come to `block` have joined at another of these branches, and have not met since.
  bool has_joined(BlockIndex block, const BlockList& parting, isa::Pc meet) const {
    return std::any_of(parting.begin(), parting.end(), [&](BlockIndex other) {
      return other != block && dominators_.dominates(other, block) && !reached(block_at(meet), other)[block];
    });
  }

  /// In front of the branch, or of the outermost loop that it is in and its meeting point is not, if one way leads into
  /// that loop: from a block that goes nowhere else, or that falls into it.
  Place place_of_join(BlockIndex block, isa::Pc meet) const {
    const BlockIndex end = block_at(meet);
    Place place{blocks_[block].last, false};
    std::size_t widest = 0;
    for (const NaturalLoop& loop : loops_) {
      if (!loop.inside[block] || loop.inside[end]) continue;
      BlockList outside;
      for (const BlockIndex from : predecessors_[loop.head])
        if (!loop.inside[from]) outside.push_back(from);
      if (outside.size() != 1 || loop.size() <= widest) continue;
      const isa::BasicBlock& from = blocks_[outside.front()];
      const isa::Instruction& last = code_.code[from.last].body;
      const bool jumps = last.kind == isa::Kind::Branch;
      if (jumps && last.branch != isa::BranchKind::Jump) continue;  // comes back from a call
      const bool falls = from.last + 1 == blocks_[loop.head].first && !(jumps && last.target == from.last + 1);
      if (!falls && from.successors.size() != 1) continue;
      widest = loop.size();
      place = {from.last, falls};
    }
    return place;
  }

  const VirtualCode& code_;
  const std::vector<isa::BasicBlock>& blocks_;
  const Dominators& dominators_;
  const std::vector<NaturalLoop>& loops_;
  std::vector<BlockList> predecessors_;
};

}  // namespace

std::vector<Barrier> default_barriers(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks,
                                      const Dominators& dominators, const std::vector<NaturalLoop>& loops) {
  return Regions(code, blocks, dominators, loops).find();
}

void explain_default_barriers(BarrierList& list) {
  for (std::size_t index = 0; index < list.barriers.size(); ++index) {
    const Barrier barrier = list.barriers[index];
    if (barrier.role != BarrierRole::Default || barrier.barrier < 0) continue;
    for (const Place& join : barrier.points.joins) {
      const bool is_branch = std::count(barrier.branches.begin(), barrier.branches.end(), join.pc) != 0 && !join.behind;
      list.decide(
          index, "bssy", join,
          is_branch ? "lanes may part at this branch" : "lanes may leave the loop that begins here in different turns");
    }
    for (const isa::Pc wait : barrier.points.waits)
      list.decide(index, "bsync", {wait}, "all ways of those branches lead here: their immediate post-dominator");
  }
}

}  // namespace heddle::compiler
