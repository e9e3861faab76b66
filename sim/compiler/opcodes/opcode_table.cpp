// SPDX-License-Identifier: Apache-2.0
#include "sim/compiler/opcodes/opcode_table.h"

#include <fmt/format.h>
#include <unordered_map>

namespace heddle::compiler {

const std::vector<Opcode>& opcode_table() {
  static const std::vector<Opcode> table = [] {
    std::vector<Opcode> rows;
    add_integer_opcodes(rows);
    add_bit_opcodes(rows);
    add_byte_opcodes(rows);
    add_carry_opcodes(rows);
    add_float_opcodes(rows);
    add_approximate_opcodes(rows);
    add_compare_opcodes(rows);
    add_convert_opcodes(rows);
    add_control_and_memory_opcodes(rows);
    add_warp_wide_opcodes(rows);
    return rows;
  }();
  return table;
}

std::string three_input_logic(unsigned table) {
  return fmt::format("lop3.b32 {{{:#04x}", table);
}

const Opcode* find_opcode(const std::string& spelling) {
  static const std::unordered_map<std::string, const Opcode*> by_spelling = [] {
    std::unordered_map<std::string, const Opcode*> map;
    for (const Opcode& row : opcode_table()) map.emplace(row.spelling, &row);
    return map;
  }();
  const auto found = by_spelling.find(spelling);
  if (found != by_spelling.end()) return found->second;
  // One row stands for all spellings of a memory opcode: by its first word.
  const auto family = by_spelling.find(spelling.substr(0, spelling.find('.')));
  return family != by_spelling.end() && family->second->unit == isa::Unit::LoadStore ? family->second : nullptr;
}

}  // namespace heddle::compiler
