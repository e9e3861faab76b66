// SPDX-License-Identifier: Apache-2.0
// What the registers of the affine warp hold (DAC sec. 2): tuples, which stand for a value of 32 bits a thread, and
// predicates, which are known bits or comparisons that nobody has made yet.
#pragma once

#include <array>
#include <cstdint>

#include "sim/isa/launch.h"

namespace heddle {

/// base + thread . threadIdx + block . blockIdx, modulo 2^32. Coordinates in the order x, y, z.
struct AffineTuple {
  std::uint32_t base = 0;
  std::array<std::uint32_t, 3> thread{}, block{};

  AffineTuple() = default;
  AffineTuple(std::uint32_t value) : base(value) {}  // NOLINT: a number is a tuple

  /// The same for all threads of a CTA.
  bool is_same_in_cta() const { return thread == std::array<std::uint32_t, 3>{}; }
  /// The same for all threads of the grid.
  bool is_scalar() const { return is_same_in_cta() && block == std::array<std::uint32_t, 3>{}; }
  /// The value of one thread.
  std::uint32_t at(const isa::Dim3& thread_index, const isa::Dim3& block_index) const;
};

bool operator==(const AffineTuple& a, const AffineTuple& b);
AffineTuple operator+(const AffineTuple& a, const AffineTuple& b);
AffineTuple operator-(const AffineTuple& a, const AffineTuple& b);
/// \throws std::logic_error if neither is a scalar
AffineTuple operator*(const AffineTuple& a, const AffineTuple& b);
/// By 32 and more: 0. \throws std::logic_error if `by` is no scalar
AffineTuple shifted_left(const AffineTuple& value, const AffineTuple& by);

/// A comparison of the same operands that holds where this one does not.
isa::Comparison inverse(isa::Comparison comparison);
/// The same of exchanged operands.
isa::Comparison mirrored(isa::Comparison comparison);
bool holds(isa::Comparison comparison, std::uint32_t a, std::uint32_t b);

/// A bit a thread.
struct AffinePredicate {
  bool is_known = true;  ///< and `value` for the whole grid; else `tuple comparison scalar`
  bool value = false;
  isa::Comparison comparison = isa::Comparison::Eq;
  AffineTuple tuple, scalar;  ///< scalar: the same for all threads of a CTA

  AffinePredicate() = default;
  AffinePredicate(bool known) : value(known) {}  // NOLINT: a bit is a predicate

  AffinePredicate operator!() const;
  bool at(const isa::Dim3& thread_index, const isa::Dim3& block_index) const;
};

/// \throws std::logic_error if both sides differ between threads of a CTA
AffinePredicate compared(isa::Comparison comparison, const AffineTuple& a, const AffineTuple& b);

}  // namespace heddle
