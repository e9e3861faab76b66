// SPDX-License-Identifier: Apache-2.0
// IEEE binary16 as a value of the opcode table: only conversions; the host computes in float and double.
#pragma once

#include "sim/compiler/opcodes/float_rounding.h"

namespace heddle::compiler {

constexpr std::uint16_t HalfInfinity = 0x7c00, HalfNan = 0x7fff, HalfSign = 0x8000;

/// Exact.
inline float widen(Half half) {
  const int exponent = half.bits >> 10 & 0x1f, fraction = half.bits & 0x3ff;
  float magnitude = std::numeric_limits<float>::infinity();
  if (exponent == 0x1f && fraction != 0) magnitude = std::numeric_limits<float>::quiet_NaN();
  if (exponent != 0x1f)
    magnitude = std::ldexp(static_cast<float>(exponent == 0 ? fraction : 0x400 + fraction),
                           (exponent == 0 ? 1 : exponent) - 25);
  return (half.bits & HalfSign) != 0 ? -magnitude : magnitude;
}

/// Rounds once, from any value that is exact as a double.
template <Rounding R>
Half to_half(double value) {
  constexpr int FirstExponent = -24, LastExponent = 5;  // of the unit in the last place
  if (value != value) return {HalfNan};
  const bool negative = std::signbit(value);
  unsigned bits = HalfInfinity;
  if (value == 0) {
    bits = 0;
  } else if (std::isfinite(value)) {
    const int exponent = std::max(std::ilogb(value) - 10, FirstExponent);
    const auto units = static_cast<unsigned>(std::fabs(round_to_integral<R>(std::ldexp(value, -exponent))));
    // A normal number has 0x400 to 0x7ff units; 0x800 of them carry into the exponent, as they should.
    if (exponent <= LastExponent) bits = (static_cast<unsigned>(exponent - FirstExponent) << 10) + units;
    const bool away = R == Rounding::Nearest || R == (negative ? Rounding::Down : Rounding::Up);
    if (bits >= HalfInfinity) bits = away ? HalfInfinity : HalfInfinity - 1;
  }
  return {static_cast<std::uint16_t>(bits | (negative ? HalfSign : 0U))};
}

}  // namespace heddle::compiler
