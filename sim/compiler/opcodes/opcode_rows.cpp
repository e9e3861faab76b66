#include "sim/compiler/opcodes/opcode_rows.h"

#include <utility>

namespace heddle::compiler {

Opcode& add_row(std::vector<Opcode>& table, isa::Unit unit, std::string spelling, const Signature& signature,
                const Evaluators& evaluate) {
  Opcode& row = table.emplace_back();
  row.spelling = std::move(spelling);
  row.unit = unit;
  row.result = signature.result;
  row.operands = signature.operands;
  row.evaluate = evaluate;
  return row;
}

}  // namespace heddle::compiler
