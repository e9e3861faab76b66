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

/// Registers whose value is live before each instruction: exact sets, for checks.
std::vector<std::set<VirtualId>> live_before(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks);

/// One range without holes for each register that occurs, sorted by start.
std::vector<LiveRange> live_ranges(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks);

}  // namespace heddle::compiler
