// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/analysis/liveness.h"

#include <iterator>
#include <map>

namespace heddle::compiler {
namespace {

template <class Visit>
void visit_reads(const VirtualInstruction& instruction, Visit visit) {
  for (const VirtualId source : instruction.sources)
    if (source != NoVirtual) visit(static_cast<std::size_t>(source));
  if (instruction.guard != NoVirtual) visit(static_cast<std::size_t>(instruction.guard));
}

/// Live before the instruction, from live after it.
void step_back(const VirtualInstruction& instruction, LiveSet& live) {
  if (instruction.destination != NoVirtual && !instruction.is_guarded())
    live[static_cast<std::size_t>(instruction.destination)] = false;
  visit_reads(instruction, [&](std::size_t id) { live[id] = true; });
}

bool merge(const LiveSet& from, LiveSet& into) {
  if (from.is_subset_of(into)) return false;
  into |= from;
  return true;
}

std::vector<LiveSet> live_out_of_blocks(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks) {
  const std::size_t count = code.registers.size();
  std::vector<LiveSet> in(blocks.size(), LiveSet(count)), out = in;
  bool changed = true;
  while (changed) {
    changed = false;
    for (std::size_t index = blocks.size(); index-- > 0;) {
      for (const unsigned next : blocks[index].successors) merge(in[next], out[index]);
      LiveSet live = out[index];
      for (isa::Pc pc = blocks[index].last + 1; pc-- > blocks[index].first;) step_back(code.code[pc], live);
      changed = merge(live, in[index]) || changed;
    }
  }
  return out;
}

}  // namespace

std::vector<isa::BasicBlock> across_calls(const VirtualCode& code, std::vector<isa::BasicBlock> blocks) {
  std::map<isa::Pc, unsigned> block_at;  // by first instruction
  for (unsigned index = 0; index < blocks.size(); ++index) block_at[blocks[index].first] = index;
  const auto block_of = [&](isa::Pc pc) { return std::prev(block_at.upper_bound(pc))->second; };
  for (const auto& [from, to] : code.turns) blocks[block_of(from)].successors.push_back(block_of(to));
  for (const CallSite& call : code.calls) {
    const unsigned caller = block_of(call.branch), behind = block_of(call.branch + 1);
    blocks[caller].successors.clear();
    const int callee = code.code[call.branch].callee;
    for (unsigned index = 0; index < code.functions.size(); ++index) {
      const FunctionCode& function = code.functions[index];
      if (callee >= 0 ? static_cast<unsigned>(callee) != index : !function.has_address_taken) continue;
      blocks[caller].successors.push_back(block_of(function.first));
      blocks[block_of(function.last)].successors.push_back(behind);
    }
  }
  return blocks;
}

LiveSet visit_live_after(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks,
                         const std::function<void(isa::Pc, const LiveSet&)>& visit) {
  const std::vector<LiveSet> out = live_out_of_blocks(code, blocks);
  LiveSet at_entry;
  for (std::size_t index = 0; index < blocks.size(); ++index) {
    LiveSet live = out[index];
    for (isa::Pc pc = blocks[index].last + 1; pc-- > blocks[index].first;) {
      visit(pc, live);
      step_back(code.code[pc], live);
    }
    if (index == 0) at_entry = std::move(live);
  }
  return at_entry;
}

std::vector<std::set<VirtualId>> live_before(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks) {
  std::vector<std::set<VirtualId>> result(code.code.size());
  visit_live_after(code, blocks, [&](isa::Pc pc, LiveSet live) {
    step_back(code.code[pc], live);
    for (std::size_t id = live.find_first(); id != LiveSet::npos; id = live.find_next(id))
      result[pc].insert(static_cast<VirtualId>(id));
  });
  return result;
}

}  // namespace heddle::compiler
