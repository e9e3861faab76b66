// SPDX-License-Identifier: Apache-2.0
// Widths, as functions of what is numbered or counted, and the priority encoder that blocks share.
#pragma once

#include <cstdint>

namespace heddle {

/// Bits to number n things (at least one, so that every port has a width).
constexpr unsigned index_bits(unsigned n) {
  return n <= 2 ? 1 : 1 + index_bits((n + 1) / 2);
}

/// Bits to count from 0 to n.
constexpr unsigned count_bits(unsigned n) {
  return index_bits(n + 1);
}

/// Index of the lowest set bit; 63 when there is none.
constexpr unsigned lowest_set(std::uint64_t bits) {
  unsigned at = 0;
  for (unsigned half = 32; half != 0; half /= 2) {
    const std::uint64_t low = (std::uint64_t(1) << half) - 1;
    if ((bits & low) == 0) {
      bits >>= half;
      at += half;
    }
  }
  return at;
}

/// Index of the highest set bit; 0 when there is none.
constexpr unsigned highest_set(std::uint64_t bits) {
  unsigned at = 0;
  for (unsigned half = 32; half != 0; half /= 2) {
    if (bits >> half != 0) {
      bits >>= half;
      at += half;
    }
  }
  return at;
}

/// Round robin: index of the first set bit at or after `from`, cyclically; meaningless when there is none.
constexpr unsigned first_from(std::uint64_t bits, unsigned from) {
  const std::uint64_t upper = bits >> from << from;
  return lowest_set(upper != 0 ? upper : bits);
}

}  // namespace heddle
