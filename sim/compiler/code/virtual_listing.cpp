// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/code/virtual_listing.h"

#include <fmt/format.h>

#include "sim/isa/disassemble.h"

namespace heddle::compiler {
namespace {

/// The name of each register, with its number where others have the same.
std::vector<std::string> names_of(const VirtualCode& code) {
  std::map<std::string, unsigned> times;
  for (const VirtualRegister& one : code.registers) ++times[one.name];
  std::vector<std::string> names;
  for (const VirtualRegister& one : code.registers)
    names.push_back(times[one.name] == 1 ? one.name : fmt::format("{}#{}", one.name, names.size()));
  return names;
}

isa::OperandNames operands_of(const VirtualInstruction& instruction, const std::vector<std::string>& names) {
  const auto name = [&](VirtualId id, bool negated = false) {
    return id == NoVirtual ? std::string() : (negated ? "!" : "") + names[static_cast<std::size_t>(id)];
  };
  isa::OperandNames operands;
  operands.guard = name(instruction.guard, instruction.body.guard.negated);
  operands.destination = name(instruction.destination);
  if (operands.destination.empty() && instruction.body.destination.id == isa::CarryId) operands.destination = "carry";
  for (std::size_t index = 0; index < operands.sources.size(); ++index) {
    const isa::Source& source = instruction.body.sources[index];
    operands.sources[index] = instruction.sources[index] == NoVirtual
                                  ? isa::to_string(source)
                                  : name(instruction.sources[index], source.negated);
  }
  return operands;
}

/// A mark with what it says: "predict L1, threshold 8".
std::string text_of_mark(const VirtualCode& code, const VirtualInstruction& instruction) {
  const Prediction& prediction = code.predictions[static_cast<std::size_t>(instruction.prediction)];
  const bool is_soft = instruction.mark == Mark::Predict && prediction.threshold;
  return fmt::format("{} {}{}", instruction.body.mnemonic, prediction.label,
                     is_soft ? fmt::format(", threshold {}", *prediction.threshold) : "");
}

}  // namespace

std::vector<std::string> texts_of(const VirtualCode& code) {
  const std::vector<std::string> names = names_of(code);
  std::vector<std::string> texts;
  for (const VirtualInstruction& instruction : code.code)
    texts.push_back(instruction.mark != Mark::None ? text_of_mark(code, instruction)
                                                   : isa::to_string(instruction.body, operands_of(instruction, names)));
  return texts;
}

std::string to_string(const VirtualCode& code) {
  const std::vector<std::string> texts = texts_of(code);
  std::string text;
  for (isa::Pc pc = 0; pc < code.code.size(); ++pc) {
    for (const FunctionCode& function : code.functions)
      if (function.first == pc) text += fmt::format("{}:\n", function.name);
    if (const auto label = code.labels.find(pc); label != code.labels.end())
      text += fmt::format("{}:\n", label->second);
    text += fmt::format("  {:4}  {}\n", pc, texts[pc]);
  }
  return text;
}

}  // namespace heddle::compiler
