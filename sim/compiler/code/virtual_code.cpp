// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/code/virtual_code.h"

#include <algorithm>

namespace heddle::compiler {

using isa::Source;

VirtualInstruction VirtualInstruction::of(const Opcode& row) {
  VirtualInstruction instruction;
  instruction.body.kind = row.kind;
  instruction.body.unit = row.unit;
  instruction.body.op = row.op;
  instruction.body.half_rate = row.half_rate;
  instruction.body.narrowest = row.narrowest;
  instruction.body.mnemonic = row.spelling.c_str();
  instruction.set_evaluators(row.evaluate);
  return instruction;
}

VirtualInstruction VirtualInstruction::of(Mark mark, int prediction) {
  VirtualInstruction instruction;
  instruction.body.kind = isa::Kind::Convergence;
  instruction.body.unit = isa::Unit::Control;
  instruction.body.mnemonic = mark == Mark::Predict ? "predict" : "reconverge";
  instruction.mark = mark;
  instruction.prediction = prediction;
  return instruction;
}

void VirtualInstruction::set_evaluators(const Evaluators& evaluators) {
  body.evaluate = evaluators.one;
  body.evaluate_lanes = evaluators.lanes;
}

void VirtualInstruction::set_destination(VirtualId id, Class width) {
  destination = id;
  body.destination.wide = width == Class::Wide;
}

void VirtualInstruction::set_source(unsigned index, VirtualId id, Class width) {
  sources[index] = id;
  body.sources[index].kind = width == Class::Predicate ? Source::Kind::Predicate : Source::Kind::Register;
  body.sources[index].wide = width == Class::Wide;
}

void VirtualInstruction::set_immediate(unsigned index, std::uint64_t value) {
  body.sources[index].kind = Source::Kind::Immediate;
  body.sources[index].value = value;
}

std::size_t function_at(const VirtualCode& code, isa::Pc pc) {
  std::size_t index = 0;
  while (pc > code.functions[index].last) ++index;
  return index;
}

std::vector<isa::Pc> successors_of(const VirtualCode& code, isa::Pc pc) {
  const VirtualInstruction& instruction = code.code[pc];
  if (!instruction.ends_block()) return {pc + 1};
  std::vector<isa::Pc> successors;
  bool falls_through = instruction.is_guarded();
  if (instruction.body.kind == isa::Kind::Branch) {
    switch (instruction.body.branch) {
      case isa::BranchKind::Jump:
      case isa::BranchKind::Pop:
        successors.push_back(instruction.body.target);
        break;
      case isa::BranchKind::Peel:
        successors.push_back(instruction.body.target);
        falls_through = true;
        break;
      case isa::BranchKind::Call:
        falls_through = true;
        break;
      case isa::BranchKind::Return:
        break;
      case isa::BranchKind::Table:
        for (const isa::Pc target : code.tables[instruction.body.table])
          if (target != isa::NoPc) successors.push_back(target);
        break;
    }
  }
  if (falls_through) successors.push_back(pc + 1);
  std::vector<isa::Pc> unique;
  for (const isa::Pc next : successors)
    if (std::count(unique.begin(), unique.end(), next) == 0) unique.push_back(next);
  return unique;
}

void resolve_code_addresses(VirtualCode& code) {
  for (VirtualInstruction& instruction : code.code)
    if (instruction.code_address != isa::NoPc) instruction.body.sources[0].value = instruction.code_address;
}

}  // namespace heddle::compiler
