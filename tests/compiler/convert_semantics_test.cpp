// SPDX-License-Identifier: Apache-2.0
// Every row of cvt, by way of a long double, as which all integers and floats are exact, and the host's rounding modes.
#include "tests/compiler/float_semantics.h"

namespace {

using namespace heddle::tests;

constexpr Bits HalfMagnitude = 0x7fff, HalfSign = 0x8000, HalfInfinity = 0x7c00;

/// The finite numbers of binary16 that are not negative, by their bits: 1024 of each exponent.
const std::vector<long double>& halves() {
  static const std::vector<long double> values = [] {
    std::vector<long double> all;
    all.reserve(HalfInfinity);
    for (int step = 0; step < 1024; ++step) all.push_back(step * 0x1p-24L);
    for (int exponent = -14; exponent < 16; ++exponent)
      for (int step = 0; step < 1024; ++step) all.push_back((1 + step * 0x1p-10L) * std::pow(2.0L, exponent));
    return all;
  }();
  return values;
}

long double half_value(Bits bits) {
  const Bits magnitude = bits & HalfMagnitude;
  long double value = std::numeric_limits<long double>::infinity();
  if (magnitude > HalfInfinity) value = std::numeric_limits<long double>::quiet_NaN();
  if (magnitude < HalfInfinity) value = halves()[magnitude];
  return (bits & HalfSign) != 0 ? -value : value;
}

/// Between the two neighbours that a search finds; past the largest number comes what would be the next one.
Bits half_bits(long double value, int mode) {
  if (std::isnan(value)) return 0x7fff;
  const bool negative = std::signbit(value);
  const long double magnitude = std::fabs(value);
  const auto above = std::upper_bound(halves().begin(), halves().end(), magnitude);
  Bits bits = static_cast<Bits>(above - halves().begin()) - 1;
  const long double low = halves()[bits], high = above == halves().end() ? 65536.0L : *above;
  if (std::isinf(value)) {
    bits = HalfInfinity;
  } else if (magnitude > low) {
    const bool away = mode == (negative ? FE_DOWNWARD : FE_UPWARD);
    const long double middle = (low + high) / 2;
    const bool nearest_is_high = magnitude > middle || (magnitude == middle && bits % 2 == 1);
    if (away || (mode == FE_TONEAREST && nearest_is_high)) ++bits;
  }
  return bits | (negative ? HalfSign : 0);
}

struct Conversion {
  explicit Conversion(const Spelling& s) : to(s.last(1)), from(s.last()), ftz(s.has("ftz")), sat(s.has("sat")) {
    for (const std::string& suffix : s.suffixes) {
      if (suffix.size() == 3 && suffix[0] == 'r') to_integral = true;
      if (suffix[0] == 'r') mode = host_rounding(suffix);
    }
  }

  long double source(Bits bits) const {
    if (from == "f16") return half_value(bits);
    if (from == "f32") return ftz ? flushed_to_zero(float_of<float>(bits)) : float_of<float>(bits);
    if (from == "f64") return float_of<double>(bits);
    const unsigned width = width_of(from);
    const Bits low = width == 64 ? bits : bits & ((Bits{1} << width) - 1);
    if (from[0] == 's' && (low >> (width - 1) & 1) != 0) return -static_cast<long double>((~low & mask(width)) + 1);
    return static_cast<long double>(low);
  }

  /// The low bits of an exact integer, extended as the type says.
  Bits integer(long double value) const {
    const unsigned width = width_of(to);
    const bool is_signed = to[0] == 's';
    Bits low = static_cast<Bits>(std::fabs(value));
    if (value < 0) low = ~low + 1;
    low &= mask(width);
    if (is_signed && (low >> (width - 1) & 1) != 0) low |= ~mask(width);
    return width == 64 ? low : low & 0xffffffffU;
  }

  Bits clamped(long double value) const {
    const unsigned width = width_of(to);
    const long double least = to[0] == 's' ? -std::pow(2.0L, width - 1) : 0;
    const long double most = std::pow(2.0L, to[0] == 's' ? width - 1 : width) - 1;
    if (std::isnan(value)) {
      const bool zero = from != "f64" && width != 64;
      return zero ? 0 : integer(to[0] == 's' ? least : std::pow(2.0L, width - 1));
    }
    return integer(std::min(std::max(value, least), most));
  }

  Bits result(long double value) const {
    if (to_integral) value = in_rounding(mode, [&] { return std::rint(static_cast<volatile long double&>(value)); });
    if (to == "f16") return half_bits(sat ? into_unit_range(value) : value, mode);
    return to == "f32" ? narrowed<float>(value) : narrowed<double>(value);
  }

  template <class T>
  Bits narrowed(long double value) const {
    volatile long double exact = value;
    T rounded = in_rounding(mode, [&] { return static_cast<T>(exact); });
    volatile double narrow = static_cast<double>(value);  // exact: what is not is an integer, and not tiny
    if (ftz && to == "f32" && std::fabs(rounded) <= std::numeric_limits<T>::min())
      rounded = in_rounding(mode, [&] { return in_flush_mode(true, [&] { return static_cast<T>(narrow); }); });
    return result_bits(sat ? into_unit_range(rounded) : rounded);
  }

  Bits operator()(Bits bits) const {
    if (is_float(to)) return result(source(bits));
    if (!is_float(from)) return sat ? clamped(source(bits)) : integer(source(bits));
    volatile long double value = source(bits);
    return clamped(in_rounding(mode, [&] { return std::rint(value); }));
  }

  static Bits mask(unsigned width) { return width == 64 ? ~Bits{0} : (Bits{1} << width) - 1; }

  std::string to, from;
  bool ftz, sat, to_integral = false;
  int mode = FE_TONEAREST;
};

/// Around the limits of the integer types, halfway between two integers and between two f16.
template <class T>
std::vector<Bits> edges_of_float() {
  std::vector<Bits> edges = float_edges<T>();
  for (const T value : {T(127.5),
                        T(128),
                        T(255.5),
                        T(256),
                        T(32767.5),
                        T(32768),
                        T(65504),
                        T(65519.99),
                        T(65520),
                        T(65536),
                        T(2147483647),
                        T(2147483648.0),
                        T(4294967295.0),
                        T(4294967296.0),
                        T(9223372036854775807.0),
                        T(18446744073709551615.0),
                        T(0x1p-24),
                        T(0x1p-25),
                        T(0x1.8p-24),
                        T(0x1p-26),
                        T(0x1.ffcp-15),
                        T(0x1.ffep-15),
                        T(2049),
                        T(2050.5),
                        T(2051),
                        T(0x1.004p0),
                        T(0x1.002p0),
                        T(0x1.006p0)})
    for (const T near :
         {value, std::nextafter(value, T(0)), std::nextafter(value, T(1e30)), std::floor(value) + T(0.5)}) {
      edges.push_back(bits_of(near));
      edges.push_back(bits_of(-near));
    }
  return edges;
}

/// Floats that fit into an integer type as often as not.
template <class T>
Bits random_number(std::mt19937_64& random) {
  const T value = std::ldexp(static_cast<T>(random() >> 11), static_cast<int>(random() % 110) - 90);
  return bits_of(random() % 2 == 0 ? value : -value);
}

Operands operands_for(const std::string& type) {
  if (type == "f32") return {edges_of_float<float>(), random_number<float>, 2000};
  if (type == "f64") return {edges_of_float<double>(), random_number<double>, 2000};
  if (type != "f16") return {IntegerEdges, random_integer, 2000};
  Operands all{{}, random_integer, 0};
  for (Bits bits = 0; bits < 0x10000; ++bits) all.edges.push_back(bits);
  return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(conversions) {
  Tally tally;
  for (const auto* row : rows_of(Part::Convert)) {
    const Conversion conversion{Spelling(row->spelling)};
    const Reference reference = [&](Bits a, Bits, Bits) { return conversion(a); };
    check_row(*row, reference, operands_for(conversion.from), tally);
  }
  BOOST_TEST_MESSAGE(tally.rows << " rows, " << tally.cases << " cases");
  BOOST_TEST(tally.rows > 600U);
}
