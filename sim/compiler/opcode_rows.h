// How the opcodes_*.cpp files write rows: one call per opcode, one suffix per type.
#pragma once

#include <initializer_list>

#include "sim/compiler/opcode_table.h"

namespace heddle::compiler {

template <class T>
constexpr Class class_of() {
  return std::is_same_v<T, bool> ? Class::Predicate : sizeof(T) == 8 ? Class::Wide : Class::Narrow;
}

namespace detail {

template <class R, class... A>
void set_classes(Opcode& row, R (*)(A...)) {
  row.result = class_of<R>();
  const Class classes[] = {class_of<A>()...};
  for (unsigned index = 0; index < sizeof...(A); ++index) row.operands[index] = classes[index];
}

}  // namespace detail

/// Rows that compute Function; operand classes come from its signature. Several spellings may mean the same.
template <auto Function>
void compute(std::vector<Opcode>& table, isa::Unit unit, std::initializer_list<const char*> spellings) {
  for (const char* spelling : spellings) {
    Opcode row;
    row.spelling = spelling;
    row.unit = unit;
    detail::set_classes(row, Function);
    row.evaluate = evaluators<Function>();
    table.push_back(std::move(row));
  }
}

}  // namespace heddle::compiler
