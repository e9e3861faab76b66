// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/analysis/traps.h"

#include "sim/compiler/analysis/calls.h"
#include "sim/compiler/analysis/natural_loops.h"  // block_at

namespace heddle::compiler {
namespace {

using Blocks = std::vector<isa::BasicBlock>;

/// Does control end at this instruction, given which functions trap?
bool traps_at(const VirtualCode& code, isa::Pc pc, const std::vector<bool>& functions) {
  const VirtualInstruction& instruction = code.code[pc];
  if (instruction.is_certain_trap()) return true;
  if (!is_call(instruction) || instruction.callee < 0 || instruction.is_guarded()) return false;
  return functions[static_cast<std::size_t>(instruction.callee)];
}

/// Does a thread that enters the function trap, unless it never ends?
bool only_traps(const VirtualCode& code, const Blocks& blocks, const FunctionCode& function,
                const std::vector<bool>& functions) {
  std::vector<bool> seen(blocks.size(), false);
  std::vector<unsigned> pending{block_at(blocks, function.first)};
  bool traps = false;
  while (!pending.empty()) {
    const unsigned block = pending.back();
    pending.pop_back();
    if (seen[block]) continue;
    seen[block] = true;
    const isa::Pc last = blocks[block].last;
    if (traps_at(code, last, functions)) {
      traps = true;
      continue;
    }
    if (last == function.last || code.code[last].body.kind == isa::Kind::Exit) return false;
    pending.insert(pending.end(), blocks[block].successors.begin(), blocks[block].successors.end());
  }
  return traps;
}

}  // namespace

std::vector<bool> functions_that_trap(const VirtualCode& code, const Blocks& blocks) {
  std::vector<bool> functions(code.functions.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t f = 1; f < functions.size(); ++f) {  // the entry is first
      if (functions[f] || !only_traps(code, blocks, code.functions[f], functions)) continue;
      functions[f] = changed = true;
    }
  }
  return functions;
}

std::vector<bool> trapping_ends(const VirtualCode& code, const Blocks& blocks) {
  const std::vector<bool> functions = functions_that_trap(code, blocks);
  std::vector<bool> ends;
  for (const isa::BasicBlock& block : blocks) ends.push_back(traps_at(code, block.last, functions));
  return ends;
}

std::vector<bool> trapping_blocks(const VirtualCode& code, const Blocks& blocks) {
  FlowGraph graph(blocks.size());
  for (std::size_t index = 0; index < blocks.size(); ++index) {
    graph.ends[index] = code.code[blocks[index].last].body.kind == isa::Kind::Exit;
    graph.successors[index] = blocks[index].successors;
  }
  graph.traps = trapping_ends(code, blocks);
  return blocks_that_trap(graph);
}

}  // namespace heddle::compiler
