// SPDX-License-Identifier: Apache-2.0
// Floating-point results in the four roundings of PTX, flushed and saturated, without touching the host's rounding
// mode: the host computes the nearest result, an exact comparison says on which side of the true value it lies, and
// directed rounding is that or the next number.
//
// Exact comparisons run in a type that holds any product: double for float, quadruple for double.
#pragma once

#include <cmath>
#include <limits>

#include "sim/compiler/opcodes/evaluators.h"

namespace heddle::compiler {

enum class Rounding { Nearest, Zero, Down, Up };

__extension__ using Quadruple = __float128;
template <class T>
using Wider = std::conditional_t<sizeof(T) == 4, double, Quadruple>;

template <class T>
using Word = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
template <class T>
constexpr Word<T> SignBit = Word<T>{1} << (8 * sizeof(T) - 1);

/// The NaN of a result is 0x7fffffff or 0x7fffffffffffffff, as on the GPU for f32 and ours for f64: the host's payloads
/// depend on how the compiler orders operands, and results must not.
template <class T>
T canonical(T value) {
  return value != value ? from_bits<T>(SignBit<T> - 1) : value;
}

/// .ftz: a subnormal number is a zero of its sign.
template <class T>
T flush(T value) {
  const Word<T> bits = static_cast<Word<T>>(to_bits(value)), magnitude = bits & (SignBit<T> - 1);
  return magnitude < to_bits(std::numeric_limits<T>::min()) ? from_bits<T>(bits & SignBit<T>) : value;
}

/// .ftz on a result: flushed if it is below the normal numbers when it is rounded as if exponents had no end, which is
/// seen on `scaled`, the same 2^64 times as large. (On the grid of subnormal numbers it may round up to a normal one.)
template <class T, class Scaled>
T flush_result(T value, Scaled scaled) {
  constexpr T Least = std::numeric_limits<T>::min();
  if (std::fabs(value) == Least && std::fabs(scaled()) < Least * T{0x1p64}) return value < 0 ? -T{0} : T{0};
  return flush(value);
}

/// .sat: into [0, 1]; a NaN and -0 are +0.
template <class T>
T saturate(T value) {
  return value > 0 ? value < 1 ? value : T{1} : T{0};
}

template <Rounding R, class T>
T round_to_integral(T value) {
  if constexpr (R == Rounding::Nearest) return std::nearbyint(value);  // the host's mode is nearest even
  if constexpr (R == Rounding::Zero) return std::trunc(value);
  if constexpr (R == Rounding::Down) return std::floor(value);
  if constexpr (R == Rounding::Up) return std::ceil(value);
}

/// Is `value`, the nearest to something, on the wrong side of it? `above`: value > exact, `below`: value < exact.
template <Rounding R, class T>
T adjust(T value, bool above, bool below, bool negative) {
  constexpr T Infinity = std::numeric_limits<T>::infinity();
  const bool step_down = above && (R == Rounding::Down || (R == Rounding::Zero && !negative));
  const bool step_up = below && (R == Rounding::Up || (R == Rounding::Zero && negative));
  if (step_down) return std::nextafter(value, -Infinity);
  if (step_up) return std::nextafter(value, Infinity);
  return value;
}

template <class... T>
bool all_finite(T... values) {
  return (std::isfinite(values) && ...);
}

template <Rounding R, class T>
T product(T a, T b) {
  const T nearest = a * b;
  if (R == Rounding::Nearest || !all_finite(a, b)) return nearest;
  const Wider<T> exact = Wider<T>{a} * Wider<T>{b}, found = nearest;
  return adjust<R>(nearest, found > exact, found < exact, exact < 0);
}

template <Rounding R, class T>
T product_sum(T a, T b, T c) {
  const T nearest = std::fma(a, b, c);
  if (R == Rounding::Nearest || !all_finite(a, b, c)) return nearest;
  // Knuth's two-sum: sum + error is a * b + c, exactly.
  const Wider<T> left = Wider<T>{a} * Wider<T>{b}, right = c;
  const Wider<T> sum = left + right, back = sum - left;
  const Wider<T> error = (left - (sum - back)) + (right - back);
  if (sum == 0) {
    const bool left_negative = std::signbit(a) != std::signbit(b);
    if (left_negative == std::signbit(c)) return nearest;
    return R == Rounding::Down ? -T{0} : T{0};  // x - x
  }
  const Wider<T> found = nearest;
  return adjust<R>(nearest, found > sum || (found == sum && error < 0), found < sum || (found == sum && error > 0),
                   sum < 0);
}

template <Rounding R, class T>
T sum(T a, T b) {
  if constexpr (R == Rounding::Nearest) return a + b;
  return product_sum<R>(a, T{1}, b);
}

template <Rounding R, class T>
T quotient(T a, T b) {
  const T nearest = a / b;
  if (R == Rounding::Nearest || !all_finite(a, b)) return nearest;  // x / 0 compares with nothing
  const bool negative = std::signbit(a) != std::signbit(b);
  const Wider<T> product = Wider<T>{nearest} * Wider<T>{b}, exact = a;  // above if product / b > exact / b
  return b > 0 ? adjust<R>(nearest, product > exact, product < exact, negative)
               : adjust<R>(nearest, product<exact, product> exact, negative);
}

template <Rounding R, class T>
T square_root(T a) {
  const T nearest = std::sqrt(a);
  if (R == Rounding::Nearest || !all_finite(a, nearest)) return nearest;
  const Wider<T> square = Wider<T>{nearest} * Wider<T>{nearest}, exact = a;
  return adjust<R>(nearest, square > exact, square < exact, false);
}

}  // namespace heddle::compiler
