#include "sim/compiler/live_ranges.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace heddle::compiler {
namespace {

using Bitset = std::vector<bool>;

template <class Visit>
void visit_reads(const VirtualInstruction& instruction, Visit visit) {
  for (const VirtualId source : instruction.sources)
    if (source != NoVirtual) visit(static_cast<std::size_t>(source));
  if (instruction.guard != NoVirtual) visit(static_cast<std::size_t>(instruction.guard));
}

/// Live before the instruction, from live after it.
void step_back(const VirtualInstruction& instruction, Bitset& live) {
  if (instruction.destination != NoVirtual && !instruction.is_guarded())
    live[static_cast<std::size_t>(instruction.destination)] = false;
  visit_reads(instruction, [&](std::size_t id) { live[id] = true; });
}

bool merge(const Bitset& from, Bitset& into) {
  bool changed = false;
  for (std::size_t id = 0; id < from.size(); ++id) {
    if (from[id] && !into[id]) changed = into[id] = true;
  }
  return changed;
}

std::vector<Bitset> live_out_of_blocks(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks) {
  const std::size_t count = code.registers.size();
  std::vector<Bitset> in(blocks.size(), Bitset(count, false)), out = in;
  bool changed = true;
  while (changed) {
    changed = false;
    for (std::size_t index = blocks.size(); index-- > 0;) {
      for (const unsigned next : blocks[index].successors) merge(in[next], out[index]);
      Bitset live = out[index];
      for (isa::Pc pc = blocks[index].last + 1; pc-- > blocks[index].first;) step_back(code.code[pc], live);
      changed = merge(live, in[index]) || changed;
    }
  }
  return out;
}

/// Calls visit(pc, live after pc) for every instruction, backwards within each block.
template <class Visit>
void visit_live_after(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks, Visit visit) {
  const std::vector<Bitset> out = live_out_of_blocks(code, blocks);
  for (std::size_t index = 0; index < blocks.size(); ++index) {
    Bitset live = out[index];
    for (isa::Pc pc = blocks[index].last + 1; pc-- > blocks[index].first;) {
      visit(pc, live);
      step_back(code.code[pc], live);
    }
  }
}

}  // namespace

std::vector<isa::BasicBlock> across_calls(const VirtualCode& code, std::vector<isa::BasicBlock> blocks) {
  std::map<isa::Pc, unsigned> block_at;  // by first instruction
  for (unsigned index = 0; index < blocks.size(); ++index) block_at[blocks[index].first] = index;
  const auto block_of = [&](isa::Pc pc) { return std::prev(block_at.upper_bound(pc))->second; };
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

std::vector<std::set<VirtualId>> live_before(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks) {
  std::vector<std::set<VirtualId>> result(code.code.size());
  visit_live_after(code, blocks, [&](isa::Pc pc, Bitset live) {
    step_back(code.code[pc], live);
    for (std::size_t id = 0; id < live.size(); ++id)
      if (live[id]) result[pc].insert(static_cast<VirtualId>(id));
  });
  return result;
}

std::vector<LiveRange> live_ranges(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks) {
  std::vector<LiveRange> ranges(code.registers.size());
  const auto extend = [&](std::size_t id, unsigned from, unsigned to) {
    LiveRange& range = ranges[id];
    if (range.id == NoVirtual) range = {static_cast<VirtualId>(id), from, to};
    range.from = std::min(range.from, from);
    range.to = std::max(range.to, to);
  };
  visit_live_after(code, blocks, [&](isa::Pc pc, const Bitset& live_after) {
    const VirtualInstruction& instruction = code.code[pc];
    visit_reads(instruction, [&](std::size_t id) { extend(id, 2 * pc, 2 * pc); });
    // What is live after pc was live during its write, and, unless this writes it, before: the loop of the
    // previous instruction extends it there.
    for (std::size_t id = 0; id < live_after.size(); ++id)
      if (live_after[id]) extend(id, 2 * pc + 1, 2 * pc + 1);
    if (instruction.destination != NoVirtual)
      extend(static_cast<std::size_t>(instruction.destination), 2 * pc + 1, 2 * pc + 1);
  });
  // Live into a block: from its first position.
  const std::vector<std::set<VirtualId>> before = live_before(code, blocks);
  for (const isa::BasicBlock& block : blocks)
    for (const VirtualId id : before[block.first])
      extend(static_cast<std::size_t>(id), 2 * block.first, 2 * block.first);

  ranges.erase(std::remove_if(ranges.begin(), ranges.end(), [](const LiveRange& r) { return r.id == NoVirtual; }),
               ranges.end());
  std::sort(ranges.begin(), ranges.end(),
            [](const LiveRange& a, const LiveRange& b) { return a.from != b.from ? a.from < b.from : a.id < b.id; });
  return ranges;
}

}  // namespace heddle::compiler
