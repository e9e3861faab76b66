// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/analysis/control_flow.h"

#include <algorithm>
#include <fmt/format.h>

#include "sim/compiler/analysis/traps.h"

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

/// At a barrier, or where lanes of a warp meet or should.
bool waits_for_others(const isa::Instruction& instruction) {
  return instruction.kind == isa::Kind::Barrier || instruction.kind == isa::Kind::WarpWide;
}

/// Nothing in front of the last instruction, or marks, which do nothing.
bool is_alone(const VirtualCode& code, const isa::BasicBlock& block) {
  return std::all_of(code.code.begin() + block.first, code.code.begin() + block.last,
                     [](const VirtualInstruction& instruction) { return instruction.mark != Mark::None; });
}

/// Does it neither store nor wait, but for what its last instruction does? Its threads may then run it apart.
bool only_computes(const VirtualCode& code, const isa::BasicBlock& block) {
  return std::all_of(code.code.begin() + block.first, code.code.begin() + block.last,
                     [](const VirtualInstruction& instruction) {
                       return instruction.body.kind == isa::Kind::Compute || instruction.body.kind == isa::Kind::Load;
                     });
}

/// Does one of the functions wait for other threads? Then a call may.
bool functions_wait(const VirtualCode& code) {
  const isa::Pc first = code.functions.front().last + 1;
  return std::any_of(code.code.begin() + first, code.code.end(),
                     [](const VirtualInstruction& instruction) { return waits_for_others(instruction.body); });
}

}  // namespace

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

  const bool calls_wait = functions_wait(code);
  FlowGraph graph(blocks.size());
  for (std::size_t index = 0; index < blocks.size(); ++index) {
    const isa::Pc last = blocks[index].last;
    graph.ends[index] = code.code[last].body.kind == isa::Kind::Exit;
    graph.only_exits[index] = graph.ends[index] && !code.code[last].is_guarded() && is_alone(code, blocks[index]);
    graph.computes[index] = code.code[last].body.kind == isa::Kind::Branch && only_computes(code, blocks[index]);
    for (const isa::Pc next : successors_of(code, last)) graph.successors[index].push_back(block_of[next]);
    const isa::Instruction& end = code.code[last].body;
    graph.waits[index] = calls_wait && end.kind == isa::Kind::Branch && end.branch == isa::BranchKind::Call;
    for (isa::Pc pc = blocks[index].first; pc <= last; ++pc)
      if (waits_for_others(code.code[pc].body)) graph.waits[index] = true;
  }

  for (std::size_t index = 0; index < blocks.size(); ++index) blocks[index].successors = graph.successors[index];
  graph.traps = trapping_ends(code, blocks);
  const std::vector<BlockIndex> meet = meeting_points(graph);
  for (std::size_t index = 0; index < blocks.size(); ++index) {
    if (meet[index] != VirtualExit) blocks[index].rpc = blocks[meet[index]].first;
  }
  // All lanes come by where a peel goes, group after group: they meet behind that, not there.
  for (isa::BasicBlock& block : blocks) {
    const isa::Instruction& last = code.code[block.last].body;
    if (last.kind == isa::Kind::Branch && last.branch == isa::BranchKind::Peel)
      block.rpc = blocks[block_of[last.target]].rpc;
  }
  return blocks;
}

}  // namespace heddle::compiler
