// For each virtual register, where its value may still be read.
//
// A guarded write does not end the life of the value before it: lanes whose guard is false keep it. Divergence needs
// no more than that: the two paths of a branch own disjoint lanes, so liveness along the edges of the graph suffices.
#pragma once

#include <set>
#include <vector>

#include "sim/compiler/virtual_code.h"

namespace heddle::compiler {

/// Positions: instruction pc reads at 2 pc and writes at 2 pc + 1. Both ends are inclusive.
struct LiveRange {
  VirtualId id = NoVirtual;
  unsigned from = 0, to = 0;

  bool overlaps(const LiveRange& other) const { return from <= other.to && other.from <= to; }
};

/// Blocks whose successors follow calls: into the function, and from its return to behind each call of it. Within a
/// function alone, `find_blocks` goes from a call to what is behind it. A value of one caller so seems live in others
/// too: that costs registers and never correctness.
std::vector<isa::BasicBlock> across_calls(const VirtualCode& code, std::vector<isa::BasicBlock> blocks);

/// Registers whose value is live before each instruction: exact sets, for checks.
std::vector<std::set<VirtualId>> live_before(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks);

/// One range without holes for each register that occurs, sorted by start.
std::vector<LiveRange> live_ranges(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks);

}  // namespace heddle::compiler
