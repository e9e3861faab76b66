// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/analysis/reaching_definitions.h"

#include <algorithm>

namespace heddle::compiler {
namespace {

using Definitions = std::vector<isa::Pc>;  // in order
using State = std::vector<Definitions>;    // by register

bool merge(const State& from, State& into) {
  bool changed = false;
  for (std::size_t id = 0; id < from.size(); ++id) {
    if (from[id].empty()) continue;
    Definitions both;
    std::set_union(from[id].begin(), from[id].end(), into[id].begin(), into[id].end(), std::back_inserter(both));
    if (both.size() == into[id].size()) continue;
    into[id] = std::move(both);
    changed = true;
  }
  return changed;
}

void step(const VirtualCode& code, isa::Pc pc, State& state) {
  const VirtualInstruction& instruction = code.code[pc];
  if (instruction.destination == NoVirtual) return;
  Definitions& its = state[static_cast<std::size_t>(instruction.destination)];
  if (!instruction.is_guarded()) its.clear();
  const auto place = std::lower_bound(its.begin(), its.end(), pc);
  if (place == its.end() || *place != pc) its.insert(place, pc);
}

}  // namespace

ReachingDefinitions::ReachingDefinitions(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks)
    : code_(code), found_(code.code.size()) {
  std::vector<State> in(blocks.size(), State(code.registers.size()));
  std::vector<bool> pending(blocks.size(), true);
  for (bool any = true; any;) {
    any = false;
    for (std::size_t index = 0; index < blocks.size(); ++index) {
      if (!pending[index]) continue;
      pending[index] = false;
      any = true;
      State state = in[index];
      for (isa::Pc pc = blocks[index].first; pc <= blocks[index].last; ++pc) step(code, pc, state);
      for (const unsigned next : blocks[index].successors)
        if (merge(state, in[next])) pending[next] = true;
    }
  }
  for (std::size_t index = 0; index < blocks.size(); ++index) {
    State state = in[index];
    for (isa::Pc pc = blocks[index].first; pc <= blocks[index].last; ++pc) {
      const VirtualInstruction& instruction = code.code[pc];
      for (const VirtualId id :
           {instruction.sources[0], instruction.sources[1], instruction.sources[2], instruction.guard})
        if (id != NoVirtual) found_[pc][id] = state[static_cast<std::size_t>(id)];
      step(code, pc, state);
    }
  }
}

}  // namespace heddle::compiler
