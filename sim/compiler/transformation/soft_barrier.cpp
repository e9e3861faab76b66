// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/transformation/soft_barrier.h"

namespace heddle::compiler {

using isa::ConvergenceOp;

VirtualInstruction barrier_instruction(ConvergenceOp op, const char* mnemonic, int barrier,
                                       const VirtualInstruction& where) {
  VirtualInstruction instruction;
  instruction.body.kind = isa::Kind::Convergence;
  instruction.body.unit = isa::Unit::Control;
  instruction.body.mnemonic = mnemonic;
  instruction.body.convergence = op;
  instruction.body.barrier = static_cast<std::uint8_t>(barrier);
  instruction.where = where.where;
  instruction.body.line = where.body.line;
  instruction.body.source_file = where.body.source_file;
  instruction.body.source_line = where.body.source_line;
  return instruction;
}

BarrierInstructions::BarrierInstructions(VirtualCode& code, const Barrier& barrier) : code_(code), barrier_(barrier) {
  if (!barrier.threshold || barrier.barrier < 0) return;
  is_enough_ = static_cast<VirtualId>(code.registers.size());
  code.registers.push_back({"%enough", Class::Predicate, true});
}

VirtualInstruction BarrierInstructions::operation(ConvergenceOp op, const char* mnemonic, int barrier,
                                                  isa::Pc pc) const {
  return barrier_instruction(op, mnemonic, barrier, code_.code[pc]);
}

/// Copies another mask: its lanes become those that are waited for.
VirtualInstruction BarrierInstructions::from(ConvergenceOp op, const char* mnemonic, int source, isa::Pc pc) const {
  VirtualInstruction instruction = operation(op, mnemonic, barrier_.barrier, pc);
  instruction.body.barrier_source = static_cast<std::uint8_t>(source);
  return instruction;
}

std::vector<VirtualInstruction> BarrierInstructions::join(isa::Pc pc) const {
  std::vector<VirtualInstruction> code = rejoin(pc);
  if (barrier_.has_all()) code.insert(code.begin(), operation(ConvergenceOp::Join, "bssy", barrier_.all, pc));
  return code;
}

std::vector<VirtualInstruction> BarrierInstructions::rejoin(isa::Pc pc) const {
  if (barrier_.has_all()) return {from(ConvergenceOp::Copy, "bmov", barrier_.all, pc)};
  return {operation(ConvergenceOp::Join, "bssy", barrier_.barrier, pc)};
}

void BarrierInstructions::guard(VirtualInstruction& instruction, bool if_enough) const {
  instruction.guard = is_enough_;
  instruction.body.guard.kind = isa::Source::Kind::Predicate;
  instruction.body.guard.negated = !if_enough;
}

std::vector<VirtualInstruction> BarrierInstructions::wait(isa::Pc pc, std::vector<VirtualInstruction> others) const {
  VirtualInstruction wait = operation(ConvergenceOp::Wait, "bsync", barrier_.barrier, pc);
  if (barrier_.role == BarrierRole::Predicted) wait.prediction = barrier_.prediction;
  if (!barrier_.threshold) return {wait};
  VirtualInstruction arrive = operation(ConvergenceOp::Arrive, "arrive", barrier_.count, pc);
  arrive.set_destination(is_enough_, Class::Predicate);
  arrive.set_immediate(0, *barrier_.threshold);
  VirtualInstruction take = from(ConvergenceOp::Take, "btake", barrier_.count, pc);
  guard(take, true);
  VirtualInstruction leave = operation(ConvergenceOp::Cancel, "break", barrier_.all, pc);
  VirtualInstruction come_back = operation(ConvergenceOp::Join, "bssy", barrier_.all, pc);
  guard(leave, true), guard(come_back, true);
  const bool some_stay_in_others = !others.empty();
  std::vector<VirtualInstruction> code{arrive};
  for (VirtualInstruction& other : others) {
    guard(other, false);
    code.push_back(other);
  }
  if (some_stay_in_others) code.push_back(leave);
  code.insert(code.end(), {take, wait});
  std::vector<VirtualInstruction> behind = cancel(pc);
  if (barrier_.is_joined_behind(pc)) behind = {operation(ConvergenceOp::Cancel, "break", barrier_.count, pc)};
  code.insert(code.end(), behind.begin(), behind.end());
  if (some_stay_in_others && barrier_.rejoins.count(pc) != 0) code.push_back(come_back);
  return code;
}

std::vector<VirtualInstruction> BarrierInstructions::cancel(isa::Pc pc) const {
  std::vector<VirtualInstruction> code;
  for (const int barrier : {barrier_.all, barrier_.count, barrier_.barrier})
    if (barrier >= 0) code.push_back(operation(ConvergenceOp::Cancel, "break", barrier, pc));
  return code;
}

}  // namespace heddle::compiler
