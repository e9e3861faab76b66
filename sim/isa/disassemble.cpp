// SPDX-License-Identifier: Apache-2.0
#include "sim/isa/disassemble.h"

#include <fmt/format.h>

namespace heddle::isa {
namespace {

constexpr std::array<const char*, SpecialRegisters> SpecialNames = {"%tid.x",
                                                                    "%tid.y",
                                                                    "%tid.z",
                                                                    "%ntid.x",
                                                                    "%ntid.y",
                                                                    "%ntid.z",
                                                                    "%ctaid.x",
                                                                    "%ctaid.y",
                                                                    "%ctaid.z",
                                                                    "%nctaid.x",
                                                                    "%nctaid.y",
                                                                    "%nctaid.z",
                                                                    "%laneid",
                                                                    "%warpid",
                                                                    "%nwarpid",
                                                                    "%lanemask_eq",
                                                                    "%lanemask_le",
                                                                    "%lanemask_lt",
                                                                    "%lanemask_ge",
                                                                    "%lanemask_gt",
                                                                    "%smid",
                                                                    "%nsmid",
                                                                    "%dynamic_smem_size",
                                                                    "%total_smem_size",
                                                                    "%clock",
                                                                    "%clock_hi",
                                                                    "%globaltimer_lo",
                                                                    "%globaltimer_hi",
                                                                    "%clock64",
                                                                    "%globaltimer",
                                                                    "%gridid"};

std::string text_of(RegisterName name) {
  if (name.is_none()) return "_";
  if (name.id == CarryId) return "carry";
  if (name.is_predicate()) return fmt::format("p{}", name.id - FirstPredicate);
  return fmt::format("{}{}", name.wide ? "d" : "r", name.id);
}

std::string text_of(Pc pc) {
  return pc == NoPc ? std::string("none") : fmt::format("{}", pc);
}

/// Small numbers in decimal, as people wrote them; bit patterns in hexadecimal.
std::string immediate(std::uint64_t value) {
  constexpr std::int64_t Small = 0x10000;
  const auto number = static_cast<std::int64_t>(value);
  return -Small < number && number < Small ? fmt::format("{}", number) : fmt::format("{:#x}", value);
}

}  // namespace

const char* name_of(Kind kind) {
  constexpr const char* Names[] = {"compute", "load", "store",     "atomic", "branch",      "exit",   "barrier",
                                   "fence",   "trap", "warp-wide", "host",   "convergence", "enqueue"};
  return Names[static_cast<unsigned>(kind)];
}

const char* name_of(Unit unit) {
  constexpr const char* Names[] = {"alu", "multiplier", "special", "load_store", "control"};
  return Names[static_cast<unsigned>(unit)];
}

const char* name_of(Space space) {
  constexpr const char* Names[] = {"none", "global", "shared", "local", "generic"};
  return Names[static_cast<unsigned>(space)];
}

const char* name_of(SpecialRegister which) {
  return SpecialNames.at(static_cast<unsigned>(which));
}

SpecialRegister special_register(const std::string& ptx_name) {
  unsigned index = 0;
  while (index < SpecialRegisters && ptx_name != SpecialNames[index]) ++index;
  return static_cast<SpecialRegister>(index);
}

std::string to_string(const Source& source) {
  switch (source.kind) {
    case Source::Kind::None:
      return "_";
    case Source::Kind::Register:
      return text_of(RegisterName{source.index, source.wide});
    case Source::Kind::Predicate:
      return (source.negated ? "!" : "") +
             text_of(RegisterName{static_cast<std::uint16_t>(FirstPredicate + source.index), false});
    case Source::Kind::Immediate:
      return immediate(source.value);
    case Source::Kind::Special:
      return name_of(static_cast<SpecialRegister>(source.index));
    case Source::Kind::Parameter:
      return fmt::format("param[{}:{}]", source.index, source.bytes);
    case Source::Kind::Queue:
      return (source.negated ? "!" : "") + std::string("deq");
  }
  return "?";
}

std::string to_string(const Instruction& instruction) {
  OperandNames names;
  if (instruction.guard.kind != Source::Kind::None) names.guard = to_string(instruction.guard);
  if (!instruction.destination.is_none()) names.destination = text_of(instruction.destination);
  for (std::size_t index = 0; index < names.sources.size(); ++index)
    names.sources[index] = to_string(instruction.sources[index]);
  return to_string(instruction, names);
}

namespace {

/// What is dequeued; of a branch of the affine warp whose outcome the warps tell, "warps".
std::string name_of_record(QueueOp queue) {
  switch (queue) {
    case QueueOp::Data:
      return "deq.data";
    case QueueOp::Address:
      return "deq.addr";
    case QueueOp::Predicate:
      return "deq.pred";
    case QueueOp::None:
      break;
  }
  return "warps";
}

}  // namespace

std::string to_string(const Instruction& instruction, const OperandNames& names) {
  std::string text;
  if (instruction.guard.kind == Source::Kind::Queue)
    text += fmt::format("@{} ", name_of_record(instruction.queue));
  else if (!names.guard.empty())
    text += fmt::format("@{} ", names.guard);
  text += instruction.mnemonic;
  if (!names.destination.empty()) text += fmt::format(" {} <-", names.destination);
  const bool accesses_memory = instruction.kind == Kind::Load || instruction.kind == Kind::Store ||
                               instruction.kind == Kind::Atomic ||
                               (instruction.kind == Kind::Enqueue && instruction.queue != QueueOp::Predicate);
  bool first = true;
  for (std::size_t index = 0; index < names.sources.size(); ++index) {
    if (instruction.sources[index].kind == Source::Kind::None) continue;
    const std::string& source = names.sources[index];
    text += first ? " " : ", ";
    if (instruction.sources[index].kind == Source::Kind::Queue)
      text += fmt::format("[{}]", name_of_record(instruction.queue));
    else
      text += first && accesses_memory ? fmt::format("[{}{:+}]", source, instruction.offset) : source;
    first = false;
  }
  if (instruction.kind == Kind::Convergence && instruction.convergence == ConvergenceOp::Push)
    text += fmt::format(" -> {}", text_of(instruction.target));
  else if (instruction.kind == Kind::Convergence && instruction.convergence != ConvergenceOp::Yield)
    text += fmt::format("{} B{}", first ? "" : ",", instruction.barrier);
  if (instruction.kind == Kind::Convergence &&
      (instruction.convergence == ConvergenceOp::Copy || instruction.convergence == ConvergenceOp::Take))
    text += fmt::format(", B{}", instruction.barrier_source);
  if (instruction.kind == Kind::Branch) {
    if (!instruction.is_indirect()) text += fmt::format(" -> {}", text_of(instruction.target));
    if (instruction.branch == BranchKind::Jump || instruction.branch == BranchKind::Peel)
      text += fmt::format(" (rpc {})", text_of(instruction.rpc));
  }
  return text;
}

std::string disassemble(const Program& program) {
  std::string text =
      fmt::format("{} ({}): {} instructions, {} registers, {} predicates, {} shared bytes, {} local bytes\n",
                  program.name, program.file, program.code.size(), program.registers, program.predicates,
                  program.shared_bytes, program.local_bytes);
  for (const BasicBlock& block : program.blocks) {
    text += fmt::format("{}: (rpc {})\n", block.name, text_of(block.rpc));
    for (Pc pc = block.first; pc <= block.last; ++pc)
      text += fmt::format("  {:4}  {}\n", pc, to_string(program.code[pc]));
  }
  return text;
}

}  // namespace heddle::isa
