// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/lowering/emitter.h"

namespace heddle::compiler {

void Emitter::add_row(const Opcode& row, const ptx::Operand& result, const std::vector<ptx::Operand>& from) {
  VirtualInstruction& instruction = add_instruction(row);
  set_destination(instruction, result, row.result);
  for (unsigned index = 0; index < from.size(); ++index)
    set_source(instruction, index, from[index], row.operands[index]);
}

void Emitter::add_row(const std::string& spelling, const ptx::Operand& result, const std::vector<ptx::Operand>& from) {
  add_row(*find_opcode(spelling), result, from);
}

ptx::Operand Emitter::compute(const std::string& spelling, const std::vector<ptx::Operand>& from) {
  ptx::Operand result = new_register(find_opcode(spelling)->result, statement().where);
  add_row(spelling, result, from);
  make_unconditional();
  return result;
}

ptx::Operand Emitter::number(std::uint64_t value) {
  ptx::Operand operand;
  operand.kind = ptx::Operand::Kind::Immediate;
  operand.value = value;
  return operand;
}

bool Emitter::is_read(const std::string& name,
                      bool (*is_result)(const ptx::Statement&, std::size_t, std::size_t)) const {
  for (const ptx::Statement& statement : body()) {
    if (statement.guard == name) return true;
    for (std::size_t index = 0; index < statement.operands.size(); ++index) {
      const ptx::Operand& operand = statement.operands[index];
      if (operand.name == name) return true;
      for (std::size_t element = 0; element < operand.elements.size(); ++element)
        if (operand.elements[element].name == name && !is_result(statement, index, element)) return true;
    }
  }
  return false;
}

}  // namespace heddle::compiler
