// SPDX-License-Identifier: Apache-2.0
// How the opcodes_*.cpp files write rows: one call per opcode, one suffix per type.
#pragma once

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>
#include <vector>

#include "sim/compiler/opcodes/opcode_table.h"

namespace heddle::compiler {

template <class T>
constexpr Class class_of() {
  return std::is_same_v<T, bool> ? Class::Predicate : sizeof(T) == 8 ? Class::Wide : Class::Narrow;
}

/// Classes of the operands of a function, and what its types say besides.
struct Signature {
  Class result;
  std::array<Class, 3> operands;
  bool is_integer;         ///< its result
  std::uint8_t narrowest;  ///< bits, as of an Instruction
};

template <class T>
constexpr std::uint8_t bits_of() {
  return std::is_same_v<T, bool> ? 64 : 8 * sizeof(T);
}

template <class R, class... A>
constexpr Signature signature_of(R (*)(A...)) {
  return {class_of<R>(), {class_of<A>()...}, std::is_integral_v<R>, std::min({bits_of<R>(), bits_of<A>()...})};
}

/// A row of the table. Not a template: there are hundreds of functions.
Opcode& add_row(std::vector<Opcode>& table, isa::Unit unit, std::string spelling, const Signature& signature,
                const Evaluators& evaluate);

/// Rows that compute Function; operand classes come from its signature. Several spellings may mean the same.
template <auto Function>
void compute(std::vector<Opcode>& table, isa::Unit unit, std::initializer_list<const char*> spellings,
             isa::Op op = isa::Op::Other) {
  for (const char* spelling : spellings)
    add_row(table, unit, spelling, signature_of(Function), evaluators<Function>()).op = op;
}

}  // namespace heddle::compiler
