#include "sim/compiler/control_flow.h"

#include <algorithm>
#include <fmt/format.h>

namespace heddle::compiler {
namespace {

std::vector<bool> find_leaders(const VirtualCode& code) {
  std::vector<bool> leads(code.code.size() + 1, false);
  leads[0] = true;
  for (std::size_t pc = 0; pc < code.code.size(); ++pc) {
    const VirtualInstruction& instruction = code.code[pc];
    if (instruction.body.kind == isa::Kind::Branch) leads[instruction.body.target] = true;
    if (instruction.ends_block()) leads[pc + 1] = true;
  }
  return leads;
}

std::string name_of_block(const VirtualCode& code, isa::Pc first) {
  const auto label = code.labels.find(first);
  if (label != code.labels.end()) return label->second;
  return first == 0 ? "entry" : fmt::format("after_{}", first - 1);
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

  FlowGraph graph(blocks.size());
  for (std::size_t index = 0; index < blocks.size(); ++index) {
    const VirtualInstruction& last = code.code[blocks[index].last];
    const bool falls_through = !last.ends_block() || last.is_guarded();
    std::vector<BlockIndex>& successors = graph.successors[index];
    if (last.body.kind == isa::Kind::Branch) successors.push_back(block_of[last.body.target]);
    if (last.body.kind == isa::Kind::Exit) graph.ends[index] = true;
    if (falls_through) {
      const BlockIndex next = block_of[blocks[index].last + 1];
      if (std::count(successors.begin(), successors.end(), next) == 0) successors.push_back(next);
    }
    graph.only_exits[index] = graph.ends[index] && !falls_through && blocks[index].first == blocks[index].last;
    for (isa::Pc pc = blocks[index].first; pc <= blocks[index].last; ++pc)
      if (code.code[pc].body.kind == isa::Kind::Barrier) graph.waits[index] = true;
  }

  const std::vector<BlockIndex> meet = meeting_points(graph);
  for (std::size_t index = 0; index < blocks.size(); ++index) {
    blocks[index].successors = graph.successors[index];
    if (meet[index] != VirtualExit) blocks[index].rpc = blocks[meet[index]].first;
  }
  return blocks;
}

}  // namespace heddle::compiler
