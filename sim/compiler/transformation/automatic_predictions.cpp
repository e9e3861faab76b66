// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/transformation/automatic_predictions.h"

#include "sim/compiler/analysis/control_flow.h"
#include "sim/compiler/code/code_edit.h"

namespace heddle::compiler {
namespace {

VirtualInstruction mark_at(const VirtualCode& code, isa::Pc pc, Mark mark, int prediction) {
  VirtualInstruction instruction = VirtualInstruction::of(mark, prediction);
  instruction.body.line = code.code[pc].body.line;
  instruction.body.source_file = code.code[pc].body.source_file;
  instruction.body.source_line = code.code[pc].body.source_line;
  instruction.where = code.code[pc].where;
  return instruction;
}

/// Does the block fall into the next one, by no branch?
bool falls_into(const VirtualCode& code, const isa::BasicBlock& from, const isa::BasicBlock& to) {
  return from.last + 1 == to.first && code.code[from.last].body.target != to.first;
}

}  // namespace

std::vector<Candidate> add_automatic_predictions(VirtualCode& code, const std::map<unsigned, std::uint64_t>* threads) {
  const std::vector<isa::BasicBlock> blocks = find_blocks(code);
  std::vector<Candidate> candidates = reconvergence_candidates(code, blocks, threads);
  CodeEdit edit(code);
  for (const Candidate& candidate : candidates) {
    if (!candidate.chosen) continue;
    const auto prediction = static_cast<int>(code.predictions.size());
    const isa::BasicBlock &before = blocks[candidate.before], &point = blocks[candidate.point];
    // In front of a branch that may also go elsewhere, if it must be: those lanes withdraw.
    const VirtualInstruction predict = mark_at(code, before.last, Mark::Predict, prediction);
    falls_into(code, before, blocks[candidate.outer]) ? edit.after(before.last, {predict})
                                                      : edit.before(before.last, {predict});
    edit.before(point.first, {mark_at(code, point.first, Mark::Reconverge, prediction)});
    code.predictions.push_back({"auto_" + point.name, -1, {}, predict.where, true});
  }
  edit.apply();
  return candidates;
}

}  // namespace heddle::compiler
