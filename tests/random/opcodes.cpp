// SPDX-License-Identifier: Apache-2.0
#include "tests/random/opcodes.h"

#include <fmt/format.h>
#include <iterator>

namespace heddle::tests {

namespace {

using compiler::Class;
using compiler::Opcode;
using compiler::Pattern;

bool is_on_integers(const Opcode& row) {
  switch (row.pattern) {
    case Pattern::Plain:
    case Pattern::Convert:
    case Pattern::Compare:
    case Pattern::Carry:
    case Pattern::ProductSum:
    case Pattern::Insert:
    case Pattern::Logic:
      break;
    default:
      return false;
  }
  for (const char* other : {"{", "f16", "f32", "f64", "bf16", "tf32"})
    if (row.spelling.find(other) != std::string::npos) return false;
  return row.kind == isa::Kind::Compute;
}

class Statement {
 public:
  Statement(const Opcode& row, const RegisterNames& names, gpu::Random& random)
      : row_(row), names_(names), random_(random) {}

  std::string text() {
    std::string result = written(row_.result);
    std::vector<std::string> sources;
    switch (row_.pattern) {
      case Pattern::Compare:
        if (chance(30)) result += '|' + written(Class::Predicate);
        [[fallthrough]];
      case Pattern::Plain:
        for (const Class operand : row_.operands)
          if (operand != Class::None) sources.push_back(read(operand));
        break;
      case Pattern::Convert:
        if (chance(20)) result = written(Class::Wide);
        sources = {read(chance(20) ? Class::Wide : row_.operands[0])};
        break;
      case Pattern::Carry:
        sources = {read(row_.operands[0]), read(row_.operands[1])};
        break;
      case Pattern::ProductSum: {
        const Opcode &product = *compiler::find_opcode(row_.steps[0]), &sum = *compiler::find_opcode(row_.steps[1]);
        result = written(sum.result);
        sources = {read(product.operands[0]), read(product.operands[1]), read(sum.operands[1])};
        break;
      }
      case Pattern::Insert:
        sources = {read(row_.operands[0]), read(row_.operands[1]), read(Class::Narrow), read(Class::Narrow)};
        break;
      case Pattern::Logic:
        sources = {read(Class::Narrow), read(Class::Narrow), read(Class::Narrow), std::to_string(random_.below(256))};
        result = written(Class::Narrow);
        if (row_.spelling == "lop3.b32") break;
        result = (chance(20) ? "_" : result) + '|' + written(Class::Predicate);
        sources.push_back(read(Class::Predicate));
        break;
      default:
        break;
    }
    std::string text = fmt::format("{} {}", row_.spelling, result);
    for (const std::string& source : sources) text += ", " + source;
    return text + ';';
  }

 private:
  bool chance(unsigned percent) { return random_.below(100) < percent; }

  std::string written(Class width) { return name(width); }

  std::string read(Class width) {
    if (width == Class::Predicate) return (chance(20) ? "!" : "") + name(width);
    if (!chance(20)) return name(width);
    constexpr std::uint64_t Edges[] = {0,  1,  7,    8,    15,     16,         31,         32,        33,
                                       63, 64, 0x7f, 0x80, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff};
    constexpr std::uint64_t WideEdges[] = {0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff, 0x100000000};
    if (width == Class::Wide && chance(30)) return fmt::format("{:#x}", WideEdges[random_.below(std::size(WideEdges))]);
    if (chance(15)) return fmt::format("-{}", 1 + random_.below(100));
    return fmt::format("{:#x}", Edges[random_.below(std::size(Edges))]);
  }

  std::string name(Class width) {
    if (width == Class::Predicate) return fmt::format("%p{}", random_.below(names_.predicates));
    if (width == Class::Wide) return fmt::format("%w{}", random_.below(names_.pairs));
    return fmt::format("%v{}", random_.below(names_.words));
  }

  const Opcode& row_;
  const RegisterNames& names_;
  gpu::Random& random_;
};

}  // namespace

const std::vector<const Opcode*>& integer_opcodes() {
  static const std::vector<const Opcode*> rows = [] {
    std::vector<const Opcode*> found;
    for (const Opcode& row : compiler::opcode_table())
      if (is_on_integers(row)) found.push_back(&row);
    return found;
  }();
  return rows;
}

std::string random_statement(const Opcode& row, const RegisterNames& names, gpu::Random& random) {
  return Statement(row, names, random).text();
}

}  // namespace heddle::tests
