// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/analysis/code_check.h"

#include <fmt/format.h>
#include <stdexcept>

namespace heddle::compiler {
namespace {

class CodeCheck {
 public:
  CodeCheck(const VirtualCode& code, const char* after) : code_(code), after_(after) {}

  void run() {
    expect(!code_.code.empty() && code_.code.back().ends_block(),
           "the code does not end with a branch, an exit or a trap");
    for (pc_ = 0; pc_ < code_.code.size(); ++pc_) check_instruction(code_.code[pc_]);
    isa::Pc next = 0;
    for (const FunctionCode& function : code_.functions) {
      pc_ = function.first;
      expect(function.first == next && function.last >= function.first,
             function.name + " does not follow the last one");
      next = function.last + 1;
    }
    pc_ = next;
    expect(next == code_.code.size(), "the functions are not all of the code");
    for (const auto& table : code_.tables)
      for (const isa::Pc target : table) expect(target == isa::NoPc || exists(target), "a table leads out of the code");
    for (const CallSite& call : code_.calls) {
      pc_ = call.branch;
      expect(exists(call.branch) && code_.code[call.branch].body.branch == isa::BranchKind::Call, "it is no call");
      expect(call.first <= call.branch, "the call is in front of its arguments");
    }
    for (const auto& [pc, label] : code_.labels) {
      pc_ = pc;
      expect(exists(pc), "label " + label + " is not in the code");
    }
  }

 private:
  void check_instruction(const VirtualInstruction& instruction) {
    const isa::Instruction& body = instruction.body;
    if (body.target != isa::NoPc) expect(exists(body.target), "its target is not in the code");
    expect(instruction.code_address == isa::NoPc || exists(instruction.code_address), "it names no instruction");
    const auto prediction = static_cast<std::size_t>(instruction.prediction);
    const bool is_wait = body.kind == isa::Kind::Convergence && body.convergence == isa::ConvergenceOp::Wait;
    if (instruction.mark == Mark::None && !is_wait)
      expect(instruction.prediction < 0, "it is no mark, nor a Wait, and has a prediction");
    else if (instruction.mark != Mark::None || instruction.prediction >= 0)
      expect(prediction < code_.predictions.size(), "its prediction is not there");
    if (instruction.guard != NoVirtual)
      expect(width(instruction.guard) == Class::Predicate, "its guard is no predicate");
    if (instruction.destination != NoVirtual)
      expect(body.destination.wide == (width(instruction.destination) == Class::Wide), "it writes another width");
    for (std::size_t index = 0; index < body.sources.size(); ++index) {
      const isa::Source& source = body.sources[index];
      const VirtualId id = instruction.sources[index];
      const bool is_carry = source.kind == isa::Source::Kind::Predicate && source.index == isa::CarryPredicate;
      const bool is_named = source.kind == isa::Source::Kind::Register || source.kind == isa::Source::Kind::Predicate;
      expect((id != NoVirtual) == (is_named && !is_carry), "an operand has no register, or one too many");
      if (id == NoVirtual) continue;
      expect((width(id) == Class::Predicate) == (source.kind == isa::Source::Kind::Predicate),
             "an operand is of another class");
      expect(source.wide == (width(id) == Class::Wide), "an operand is of another width");
    }
  }

  bool exists(isa::Pc pc) const { return pc < code_.code.size(); }

  Class width(VirtualId id) const {
    expect(static_cast<std::size_t>(id) < code_.registers.size(), "it names a register that is not there");
    return code_.registers[static_cast<std::size_t>(id)].width;
  }

  void expect(bool holds, const std::string& what) const {
    if (holds) return;
    const bool here = exists(pc_);
    throw std::logic_error(fmt::format(
        "after pass {}: instruction {}{}: {}", after_, pc_,
        here ? fmt::format(" ({}, line {})", code_.code[pc_].body.mnemonic, code_.code[pc_].body.line) : "", what));
  }

  const VirtualCode& code_;
  const char* after_;
  isa::Pc pc_ = 0;
};

}  // namespace

void check_code(const VirtualCode& code, const char* after) {
  CodeCheck(code, after).run();
}

}  // namespace heddle::compiler
