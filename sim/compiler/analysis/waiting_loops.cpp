// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/analysis/waiting_loops.h"

#include <algorithm>
#include <set>

namespace heddle::compiler {

bool waits_for_a_lane(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks, const NaturalLoop& loop) {
  std::set<VirtualId> asked;
  for (BlockIndex block = 0; block < blocks.size(); ++block) {
    if (!loop.inside[block]) continue;
    const VirtualInstruction& last = code.code[blocks[block].last];
    const auto& next = blocks[block].successors;
    const bool leaves = std::any_of(next.begin(), next.end(), [&](unsigned to) { return !loop.inside[to]; });
    if ((leaves || last.body.kind == isa::Kind::Exit) && last.is_guarded()) asked.insert(last.guard);
  }
  for (std::size_t before = 0; before != asked.size();) {
    before = asked.size();
    for (BlockIndex block = 0; block < blocks.size(); ++block) {
      if (!loop.inside[block]) continue;
      for (isa::Pc pc = blocks[block].first; pc <= blocks[block].last; ++pc) {
        const VirtualInstruction& instruction = code.code[pc];
        if (instruction.destination == NoVirtual || asked.count(instruction.destination) == 0) continue;
        const isa::Instruction& body = instruction.body;
        if (body.kind == isa::Kind::Atomic || (body.kind == isa::Kind::Load && body.is_volatile)) return true;
        for (const VirtualId source : instruction.sources)
          if (source != NoVirtual) asked.insert(source);
        if (instruction.is_guarded()) asked.insert(instruction.guard);
      }
    }
  }
  return false;
}

}  // namespace heddle::compiler
