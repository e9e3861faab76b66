// SPDX-License-Identifier: Apache-2.0
// Values and references for the floating-point rows: edges, and results by the host's own rounding modes, which the
// opcode table does not use.
#pragma once

#include <cfenv>
#include <cmath>
#include <cstring>
#include <limits>
#include <xmmintrin.h>

#include "tests/compiler/opcode_semantics.h"

namespace heddle::tests {

template <class T>
using Raw = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

template <class T>
T float_of(Bits bits) {
  const auto raw = static_cast<Raw<T>>(bits);
  T value;
  std::memcpy(&value, &raw, sizeof value);
  return value;
}
template <class T>
Bits bits_of(T value) {
  Raw<T> raw;
  std::memcpy(&raw, &value, sizeof raw);
  return raw;
}

/// A NaN result has all bits but the sign.
template <class T>
Bits result_bits(T value) {
  return std::isnan(value) ? (Bits{1} << (8 * sizeof(T) - 1)) - 1 : bits_of(value);
}

template <class T>
std::vector<Bits> float_edges() {
  using Limits = std::numeric_limits<T>;
  std::vector<Bits> edges;
  for (const T value : {T(0),
                        Limits::denorm_min(),
                        std::nextafter(Limits::min(), T(0)),
                        Limits::min(),
                        std::nextafter(Limits::min(), T(1)),
                        Limits::epsilon(),
                        T(0.1),
                        T(0.5),
                        T(1),
                        std::nextafter(T(1), T(2)),
                        std::nextafter(T(1), T(0)),
                        T(1.5),
                        T(2.5),
                        T(3),
                        T(4),
                        std::ldexp(T(1), Limits::digits),
                        std::sqrt(Limits::max()),
                        std::ldexp(T(1), Limits::max_exponent - 2),
                        std::ldexp(T(1.25), Limits::max_exponent - 2),
                        Limits::max(),
                        Limits::infinity()}) {
    edges.push_back(bits_of(value));
    edges.push_back(bits_of(-value));
  }
  edges.push_back(result_bits(Limits::quiet_NaN()));
  edges.push_back(bits_of(Limits::infinity()) + 1);  // a signalling NaN
  return edges;
}

/// All exponents alike; every fourth number has few digits, so that results are exact or halfway.
template <class T>
Bits random_float(std::mt19937_64& random) {
  const Bits bits = random(), digits = std::numeric_limits<T>::digits;
  return random() % 4 == 0 ? bits & ~((Bits{1} << (digits - 4)) - 1) : bits;
}

/// Numbers of about the same size, so that sums cancel and round.
template <class T>
Bits random_near_one(std::mt19937_64& random) {
  const T fraction = static_cast<T>(random() >> 11) * static_cast<T>(0x1p-53);
  const T value = std::ldexp(T(0.5) + fraction / 2, static_cast<int>(random() % 8));
  return bits_of(random() % 2 == 0 ? value : -value);
}

template <class T>
T flushed_to_zero(T value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(T(0), value) : value;
}

template <class T>
T into_unit_range(T value) {
  if (std::isnan(value) || value <= 0) return 0;
  return std::min(value, T(1));
}

/// Computes with the host's own .ftz: results that are tiny after rounding are zeros.
template <class Compute>
auto in_flush_mode(bool flushes, Compute compute) {
  constexpr unsigned FlushToZero = 0x8000;
  const unsigned before = _mm_getcsr();
  if (flushes) _mm_setcsr(before | FlushToZero);
  volatile auto result = compute();
  _mm_setcsr(before);
  return static_cast<decltype(compute())>(result);
}

inline int host_rounding(const std::string& suffix) {
  if (suffix == "rz" || suffix == "rzi") return FE_TOWARDZERO;
  if (suffix == "rm" || suffix == "rmi") return FE_DOWNWARD;
  if (suffix == "rp" || suffix == "rpi") return FE_UPWARD;
  return FE_TONEAREST;
}

/// Computes in a rounding mode of the host; what it computes must read volatile operands.
template <class Compute>
auto in_rounding(int mode, Compute compute) {
  std::fesetround(mode);
  volatile auto result = compute();
  std::fesetround(FE_TONEAREST);
  return static_cast<decltype(compute())>(result);
}

}  // namespace heddle::tests
