// SPDX-License-Identifier: Apache-2.0
// Every row of exact floating point, against the host's arithmetic in the host's rounding modes.
#include "tests/compiler/float_semantics.h"

#include <map>

namespace {

using namespace heddle::tests;

template <class T>
T computed(const std::string& word, T x, T y, T z) {
  volatile T a = x, b = y, c = z;
  if (word == "add") return a + b;
  if (word == "sub") return a - b;
  if (word == "mul") return a * b;
  if (word == "div") return a / b;
  if (word == "rcp") return T(1) / a;
  if (word == "sqrt") return std::sqrt(static_cast<T>(a));
  return std::fma(static_cast<T>(a), static_cast<T>(b), static_cast<T>(c));  // fma, mad
}

template <class T>
Reference arithmetic(const Spelling& s) {
  int mode = FE_TONEAREST;
  for (const std::string& suffix : s.suffixes)
    if (host_rounding(suffix) != FE_TONEAREST) mode = host_rounding(suffix);
  return [=](Bits a, Bits b, Bits c) {
    const auto operand = [&](Bits bits) {
      return s.has("ftz") ? flushed_to_zero(float_of<T>(bits)) : float_of<T>(bits);
    };
    const T x = operand(a), y = operand(b), z = operand(c);
    const T result =
        in_rounding(mode, [&] { return in_flush_mode(s.has("ftz"), [&] { return computed(s.word, x, y, z); }); });
    return result_bits(s.has("sat") ? into_unit_range(result) : result);
  };
}

/// min and max by the position of a number on the line from -infinity to infinity, where -0 comes before 0.
template <class T>
Bits extreme(const Spelling& s, Bits a, Bits b) {
  const auto position = [](Bits bits) {
    const auto magnitude = static_cast<std::int64_t>(bits & ((Bits{1} << (8 * sizeof(T) - 1)) - 1));
    return std::signbit(float_of<T>(bits)) ? -magnitude - 1 : magnitude;
  };
  const bool a_nan = std::isnan(float_of<T>(a)), b_nan = std::isnan(float_of<T>(b));
  if ((a_nan && b_nan) || (s.has("NaN") && (a_nan || b_nan))) return result_bits(std::numeric_limits<T>::quiet_NaN());
  if (a_nan || b_nan) return a_nan ? b : a;
  return (position(a) < position(b)) == (s.word == "min") ? a : b;
}

/// What changes or chooses bits.
template <class T>
Bits of_bits(const Spelling& s, Bits a, Bits b) {
  const Bits sign = Bits{1} << (8 * sizeof(T) - 1);
  const auto operand = [&](Bits bits) {
    return s.has("ftz") ? bits_of(flushed_to_zero(float_of<T>(bits))) : static_cast<Raw<T>>(bits);
  };
  const Bits x = operand(a), y = operand(b);
  if (s.word == "neg") return x ^ sign;
  if (s.word == "abs") return x & ~sign;
  if (s.word == "copysign") return (y & ~sign) | (x & sign);
  return extreme<T>(s, x, y);
}

template <class T>
Bits tested(const Spelling& s, Bits a) {
  static const std::map<std::string, std::set<int>> kinds = {
      {"finite", {FP_ZERO, FP_NORMAL, FP_SUBNORMAL}},
      {"infinite", {FP_INFINITE}},
      {"number", {FP_ZERO, FP_NORMAL, FP_SUBNORMAL, FP_INFINITE}},
      {"notanumber", {FP_NAN}},
      {"normal", {FP_ZERO, FP_NORMAL}},
      {"subnormal", {FP_SUBNORMAL}}};
  return kinds.at(s.suffixes.front()).count(std::fpclassify(float_of<T>(a)));
}

Bits selected(const Spelling& s, Bits a, Bits b, Bits c) {
  const Bits mask = width_of(s.last(1)) == 64 ? ~Bits{0} : 0xffffffffU;
  bool first = static_cast<std::int32_t>(c) >= 0;
  if (s.last() == "f32") {
    const float chooser = s.has("ftz") ? flushed_to_zero(float_of<float>(c)) : float_of<float>(c);
    first = !std::isnan(chooser) && (chooser == 0 || !std::signbit(chooser));
  }
  return (first ? a : b) & mask;
}

template <class T>
Reference reference(const Spelling& s) {
  static const std::set<std::string> rounded = {"add", "sub", "mul", "div", "rcp", "sqrt", "fma", "mad"};
  if (rounded.count(s.word) != 0) return arithmetic<T>(s);
  if (s.word == "testp") return [=](Bits a, Bits, Bits) { return tested<T>(s, a); };
  return [=](Bits a, Bits b, Bits) { return of_bits<T>(s, a, b); };
}

template <class T>
void check_family(Tally& tally, const char* type) {
  for (const auto* row : rows_of(Part::Float, type)) {
    const Reference expected = reference<T>(Spelling(row->spelling));
    check_row(*row, expected, {float_edges<T>(), random_float<T>, 2000}, tally);
    check_row(*row, expected, {{}, random_near_one<T>, 2000}, tally);
    --tally.rows;
  }
}

/// setp: less, equal, greater and unordered, in this order, as 1 where the comparison holds.
const std::map<std::string, std::string> Truth = {{"eq", "0100"},  {"ne", "1010"},  {"lt", "1000"},  {"le", "1100"},
                                                  {"gt", "0010"},  {"ge", "0110"},  {"num", "1110"}, {"equ", "0101"},
                                                  {"neu", "1011"}, {"ltu", "1001"}, {"leu", "1101"}, {"gtu", "0011"},
                                                  {"geu", "0111"}, {"nan", "0001"}};

template <class T>
Reference comparison(const Spelling& s, bool opposite) {
  return [=](Bits a, Bits b, Bits c) -> Bits {
    T x = float_of<T>(a), y = float_of<T>(b);
    if (s.has("ftz")) x = flushed_to_zero(x), y = flushed_to_zero(y);
    const unsigned order = std::isunordered(x, y) ? 3 : x < y ? 0 : x == y ? 1 : 2;
    const bool holds = (Truth.at(s.suffixes.front())[order] == '1') != opposite, other = c != 0;
    return s.has("and") ? holds && other : s.has("or") ? holds || other : s.has("xor") ? holds != other : holds;
  };
}

template <class T>
void check_comparisons(Tally& tally, const char* type) {
  const Operands operands{float_edges<T>(), random_near_one<T>, 200};
  for (const auto* row : rows_of(Part::FloatComparison, type)) {
    check_row(*row, comparison<T>(Spelling(row->spelling), false), operands, tally);
    heddle::compiler::Opcode second = *row;
    second.evaluate = row->inverse;
    check_row(second, comparison<T>(Spelling(row->spelling), true), operands, tally);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(arithmetic_in_every_rounding) {
  Tally tally;
  check_family<float>(tally, "f32");
  check_family<double>(tally, "f64");
  BOOST_TEST_MESSAGE(tally.rows << " rows, " << tally.cases << " cases");
  BOOST_TEST(tally.rows > 170U);
}

BOOST_AUTO_TEST_CASE(selection_by_sign) {
  Tally tally;
  for (const auto* row : rows_of(Part::SignSelection)) {
    const Spelling spelling(row->spelling);
    const Reference expected = [&](Bits a, Bits b, Bits c) { return selected(spelling, a, b, c); };
    check_row(*row, expected, {float_edges<float>(), random_float<float>, 2000}, tally);
  }
  BOOST_TEST_MESSAGE(tally.rows << " rows, " << tally.cases << " cases");
  BOOST_TEST(tally.rows == 24U);
}

BOOST_AUTO_TEST_CASE(comparisons_and_their_opposites) {
  Tally tally;
  check_comparisons<float>(tally, "f32");
  check_comparisons<double>(tally, "f64");
  BOOST_TEST_MESSAGE(tally.rows << " rows with their opposites, " << tally.cases << " cases");
  BOOST_TEST(tally.rows == 2U * 3 * 14 * 4);
}
