// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/opcodes/opcode_rows.h"

#include <utility>

namespace heddle::compiler {

namespace {

bool is_shift(const std::string& spelling) {
  const std::string word = spelling.substr(0, spelling.find('.'));
  return word == "shl" || word == "shr" || word == "shf";
}

}  // namespace

Opcode& add_row(std::vector<Opcode>& table, isa::Unit unit, std::string spelling, const Signature& signature,
                const Evaluators& evaluate) {
  Opcode& row = table.emplace_back();
  row.spelling = std::move(spelling);
  row.unit = unit;
  row.half_rate = signature.is_integer && (unit == isa::Unit::Multiplier || is_shift(row.spelling));
  row.narrowest = signature.narrowest;
  row.result = signature.result;
  row.operands = signature.operands;
  row.evaluate = evaluate;
  return row;
}

}  // namespace heddle::compiler
