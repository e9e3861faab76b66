// SPDX-License-Identifier: Apache-2.0
// Every row of integer arithmetic, logic, shifts and comparisons, against exact arithmetic on 256-bit numbers that is
// cut to the type at the end.
#include <boost/multiprecision/cpp_int.hpp>
#include <map>

#include "tests/compiler/opcode_semantics.h"

namespace {

using namespace heddle::tests;
using Exact = boost::multiprecision::int256_t;

Exact power(unsigned exponent) {
  return Exact(1) << exponent;
}

struct Type {
  explicit Type(const std::string& name) : width(width_of(name)), is_signed(name[0] == 's') {}
  Type(unsigned bits_wide, bool with_sign) : width(bits_wide), is_signed(with_sign) {}

  Exact least() const { return is_signed ? -power(width - 1) : Exact(0); }
  Exact most() const { return is_signed ? Exact(power(width - 1) - 1) : Exact(power(width) - 1); }
  Exact value(Bits bits) const {
    const Exact low = Exact(bits) % power(width);
    return is_signed && low >= power(width - 1) ? Exact(low - power(width)) : low;
  }
  Bits bits(const Exact& value) const {
    Exact low = value % power(width);
    if (low < 0) low += power(width);
    return static_cast<Bits>(low);
  }
  Exact clamp(const Exact& value) const { return value < least() ? least() : value > most() ? most() : value; }

  unsigned width;
  bool is_signed;
};

Exact floor_shift(const Exact& value, unsigned by) {
  const Exact quotient = value / power(by);
  return value < 0 && quotient * power(by) != value ? Exact(quotient - 1) : quotient;
}

Exact minimum(const Exact& a, const Exact& b) {
  return a < b ? a : b;
}

/// A product as .lo, .hi or .wide takes it.
Exact product(const Spelling& s, Type type, Bits a, Bits b) {
  if (s.word == "mul24" || s.word == "mad24") {
    const Type low(24, type.is_signed);
    const Exact whole = low.value(a) * low.value(b);
    return s.has("hi") ? type.value(type.bits(floor_shift(whole, 16))) : whole;
  }
  const Exact whole = type.value(a) * type.value(b);
  return s.has("hi") ? floor_shift(whole, type.width) : whole;
}

Bits shifted(const Spelling& s, Type type, Bits a, Bits b) {
  const auto by = static_cast<unsigned>(std::min<Bits>(b & 0xffffffffU, 100));
  return type.bits(s.word == "shl" ? Exact(type.value(a) * power(by)) : floor_shift(type.value(a), by));
}

Bits logic(const Spelling& s, Type type, Bits a, Bits b) {
  Bits result = 0;
  for (unsigned bit = 0; bit < type.width; ++bit) {
    const bool p = (a >> bit & 1) != 0, q = (b >> bit & 1) != 0;
    const bool r = s.word == "and" ? p && q : s.word == "or" ? p || q : s.word == "xor" ? p != q : !p;
    result |= Bits{r} << bit;
  }
  return result;
}

Bits expected(const Spelling& s, Bits a, Bits b, Bits c) {
  const Type type(s.last());
  const Type result = s.has("wide") ? Type(2 * type.width, type.is_signed) : type;
  const auto cut = [&](const Exact& value) { return result.bits(s.has("sat") ? type.clamp(value) : value); };
  const Exact x = type.value(a), y = type.value(b);
  if (s.word == "add") return cut(x + y);
  if (s.word == "sub") return cut(x - y);
  if (s.word == "mul" || s.word == "mul24") return cut(product(s, type, a, b));
  if (s.word == "mad" || s.word == "mad24") return cut(product(s, type, a, b) + result.value(c));
  if (s.word == "sad") return cut(type.value(c) + abs(Exact(x - y)));
  if (s.word == "div") return y == 0 ? type.bits(-1) : cut(x / y);  // truncates
  if (s.word == "rem") return y == 0 ? type.bits(-1) : cut(x - x / y * y);
  if (s.word == "neg") return cut(-x);
  if (s.word == "abs") return cut(abs(x));
  if (s.word == "min") return cut(minimum(x, y));
  if (s.word == "max") return cut(-minimum(-x, -y));
  if (s.word == "cnot") return x == 0 ? 1 : 0;
  if (s.word == "shl" || s.word == "shr") return shifted(s, type, a, b);
  if (s.word == "selp") return type.bits(c != 0 ? x : y);
  return logic(s, type, a, b);
}

/// setp: a comparison, true for some orders of its operands, and then the predicate operand.
Reference comparison(const Spelling& s, const std::vector<int>& holds_for) {
  const Type type(s.last());
  return [=](Bits a, Bits b, Bits c) -> Bits {
    const Exact x = type.value(a), y = type.value(b);
    const int order = x < y ? -1 : x > y ? 1 : 0;
    const bool holds = std::count(holds_for.begin(), holds_for.end(), order) != 0, other = c != 0;
    return s.has("and") ? holds && other : s.has("or") ? holds || other : s.has("xor") ? holds != other : holds;
  };
}

}  // namespace

BOOST_AUTO_TEST_CASE(arithmetic_logic_and_shifts) {
  Tally tally;
  for (const auto* row : rows_of(Part::Integer)) {
    const Spelling spelling(row->spelling);
    // Results of 16 bits are extended in one way or another, which is of no concern: operands are cut to their type.
    const bool is_short = width_of(spelling.last()) == 16 && !spelling.has("wide");
    const Reference reference = [&](Bits a, Bits b, Bits c) { return expected(spelling, a, b, c); };
    check_row(*row, reference, Integers, tally, is_short ? 0xffffU : ~Bits{0});
  }
  BOOST_TEST_MESSAGE(tally.rows << " rows, " << tally.cases << " cases");
  BOOST_TEST(tally.rows > 130U);
}

BOOST_AUTO_TEST_CASE(comparisons_and_their_opposites) {
  // Which of less (-1), equal and greater make a comparison true. lo, ls, hi and hs are those of numbers without sign.
  const std::map<std::string, std::vector<int>> truth = {{"eq", {0}}, {"ne", {-1, 1}}, {"lt", {-1}}, {"le", {-1, 0}},
                                                         {"gt", {1}}, {"ge", {0, 1}},  {"lo", {-1}}, {"ls", {-1, 0}},
                                                         {"hi", {1}}, {"hs", {0, 1}}};
  const std::map<std::string, std::string> opposite = {{"eq", "ne"}, {"ne", "eq"}, {"lt", "ge"}, {"le", "gt"},
                                                       {"gt", "le"}, {"ge", "lt"}, {"lo", "hs"}, {"ls", "hi"},
                                                       {"hi", "ls"}, {"hs", "lo"}};
  Tally tally;
  for (const auto* row : rows_of(Part::IntegerComparison)) {
    const Spelling spelling(row->spelling);
    const std::string& name = spelling.suffixes.front();
    const Operands operands{IntegerEdges, random_integer, 200};
    check_row(*row, comparison(spelling, truth.at(name)), operands, tally);
    heddle::compiler::Opcode second = *row;
    second.evaluate = row->inverse;
    check_row(second, comparison(spelling, truth.at(opposite.at(name))), operands, tally);
  }
  BOOST_TEST_MESSAGE(tally.rows << " rows with their opposites, " << tally.cases << " cases");
  BOOST_TEST(tally.rows > 200U);
}
