// SPDX-License-Identifier: Apache-2.0
// Random choices of a bench: the same for the same seed.
#pragma once

#include <cstdint>
#include <random>

namespace heddle::bench {

class Dice : public std::mt19937_64 {
 public:
  using std::mt19937_64::mt19937_64;

  /// A number from 0 to n - 1.
  unsigned below(std::uint64_t n) { return static_cast<unsigned>((*this)() % n); }
};

}  // namespace heddle::bench
