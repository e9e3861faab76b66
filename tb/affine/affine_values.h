// SPDX-License-Identifier: Apache-2.0
// What an affine tuple means, thread by thread (DAC sec. 3; DESIGN 6.7): the reference of every bench of rtl/affine.
// It knows no walk, no line and no shortcut: each thread's value is computed from its own threadIdx.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace heddle::bench {

/// x, y, z
using Dim = std::array<std::uint64_t, 3>;

struct AffineTuple {
  std::uint64_t base = 0;
  Dim offset{}, block{};
};

/// A CTA that is resident.
struct AffineCta {
  unsigned slot = 0, first_warp = 0;
  Dim index{};
};

/// Arithmetic in words of so many bits.
class WordOf {
 public:
  explicit WordOf(unsigned bits) : mask_(~std::uint64_t(0) >> (64 - bits)), bits_(bits) {}

  std::uint64_t operator()(std::uint64_t value) const { return value & mask_; }
  std::int64_t as_signed(std::uint64_t value) const {
    const std::uint64_t sign = std::uint64_t(1) << (bits_ - 1);
    return static_cast<std::int64_t>(((value & mask_) ^ sign) - sign);
  }
  /// threadIdx of thread `number` of a CTA of this blockDim.
  static Dim thread_index(const Dim& dim, std::uint64_t number) {
    return {number % dim[0], number / dim[0] % dim[1], number / (dim[0] * dim[1])};
  }
  std::uint64_t value(const AffineTuple& tuple, const Dim& thread, const Dim& block) const {
    std::uint64_t sum = tuple.base;
    for (unsigned d = 0; d < 3; ++d) sum += tuple.offset[d] * thread[d] + tuple.block[d] * block[d];
    return (*this)(sum);
  }
  /// a `compare` b, as PTX's setp: eq ne lt le gt ge, and unsigned lo ls hi hs.
  bool compares(unsigned compare, std::uint64_t a, std::uint64_t b) const {
    const std::int64_t sa = as_signed(a), sb = as_signed(b);
    switch (compare) {
      case 0:
        return a == b;
      case 1:
        return a != b;
      case 2:
        return sa < sb;
      case 3:
        return sa <= sb;
      case 4:
        return sa > sb;
      case 5:
        return sa >= sb;
      case 6:
        return a < b;
      case 7:
        return a <= b;
      case 8:
        return a > b;
      default:
        return a >= b;
    }
  }

 private:
  std::uint64_t mask_;
  unsigned bits_;
};

}  // namespace heddle::bench
