// SPDX-License-Identifier: Apache-2.0
// Reference model of the affine ALU: what an operation does in one thread, and, from exact integers at the corners of
// the space of indices, which results the rules promise. No clock, no tuple of a result.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::bench {

struct AluModel {
  using Wide = __int128;                       // exact
  using Index = std::array<std::uint64_t, 6>;  // threadIdx x, y, z, blockIdx x, y, z

  /// A tuple: base first, then as an index.
  struct Tuple {
    std::uint64_t base = 0;
    std::array<std::uint64_t, 6> offset{};
  };

  enum Outcome { Fine, NotAffine, Division, ByZero };

  explicit AluModel(unsigned word_bits) : bits(word_bits), last() { last.fill(word(~std::uint64_t(0))); }

  std::uint64_t word(Wide value) const { return static_cast<std::uint64_t>(value & ((Wide(1) << bits) - 1)); }
  Wide as_signed(std::uint64_t w) const { return (w >> (bits - 1) & 1) != 0 ? Wide(w) - (Wide(1) << bits) : Wide(w); }

  std::uint64_t value(const Tuple& tuple, const Index& index) const {
    Wide sum = tuple.base;
    for (unsigned d = 0; d < 6; ++d) sum += Wide(tuple.offset[d]) * index[d];
    return word(sum);
  }

  /// An operation, by its name, in one thread.
  std::uint64_t per_thread(const std::string& op, std::uint64_t a, std::uint64_t b, std::uint64_t c) const {
    const Wide sa = as_signed(a), sb = as_signed(b);
    if (op == "mov") return a;
    if (op == "neg") return word(-Wide(a));
    if (op == "add") return word(Wide(a) + b);
    if (op == "sub") return word(Wide(a) - b);
    if (op == "mul") return word(Wide(a) * b);
    if (op == "mad") return word(Wide(a) * b + c);
    if (op == "shl") return b >= bits ? 0 : word(Wide(a) << b);
    if (op == "min.s") return sa < sb ? a : b;
    if (op == "max.s") return sa < sb ? b : a;
    if (op == "min.u") return a < b ? a : b;
    if (op == "max.u") return a < b ? b : a;
    if (op == "rem.s") return word(sa % sb);
    if (op == "rem.u") return a % b;
    return c != 0 ? a : b;  // select
  }

  /// What the rules promise.
  Outcome outcome(const std::string& op, const Tuple& a, const Tuple& b, const Tuple& c) const {
    const bool is_signed = op.back() == 's' && op.find('.') != std::string::npos;
    const std::vector<Wide> as = corners(a, is_signed), bs = corners(b, is_signed), cs = corners(c, false);
    if (op == "mul" || op == "mad") return constant(as) || constant(bs) ? Fine : NotAffine;
    if (op == "shl") return constant(bs) ? Fine : NotAffine;
    if (op[0] == 'm' && (op[1] == 'i' || op[1] == 'a') && op.find('.') != std::string::npos) {
      const bool apart = within(as, is_signed) && within(bs, is_signed) &&
                         (largest(as) <= smallest(bs) || largest(bs) <= smallest(as));
      return as == bs || apart ? Fine : NotAffine;
    }
    if (op == "select") {
      const bool never = constant(cs) && cs[0] == 0, always = within(cs, false) && smallest(cs) > 0;
      return as == bs || never || always ? Fine : NotAffine;
    }
    if (op != "rem.s" && op != "rem.u") return Fine;
    if (!constant(bs)) return NotAffine;
    const Wide n = bs[0] < 0 ? -bs[0] : bs[0];
    if (n == 0) return ByZero;
    const bool natural = within(as, is_signed) && smallest(as) >= 0;
    if (natural && largest(as) < n) return Fine;
    bool divides = true;
    for (Wide half = n; half > 1; half /= 2) divides = divides && half % 2 == 0;
    for (unsigned d = 0; d < 6; ++d) divides = divides && (last[d] == 0 || a.offset[d] % n == 0);
    if (divides && (natural || !is_signed)) return Fine;
    return constant(as) ? Division : NotAffine;
  }

  /// The value at each corner of the indices, not wrapped; falling offsets are negative.
  std::vector<Wide> corners(const Tuple& tuple, bool is_signed) const {
    std::vector<Wide> values;
    for (unsigned corner = 0; corner < 64; ++corner) {
      Wide sum = is_signed ? as_signed(tuple.base) : Wide(tuple.base);
      for (unsigned d = 0; d < 6; ++d) {
        if ((corner >> d & 1) != 0) sum += as_signed(tuple.offset[d]) * last[d];
      }
      values.push_back(sum);
    }
    return values;
  }
  bool within(const std::vector<Wide>& values, bool is_signed) const {
    const Wide size = Wide(1) << bits, from = is_signed ? -size / 2 : Wide(0);
    for (const Wide v : values) {
      if (v < from || v >= from + size) return false;
    }
    return true;
  }
  static bool constant(const std::vector<Wide>& values) {
    for (const Wide v : values) {
      if (v != values[0]) return false;
    }
    return true;
  }
  static Wide smallest(const std::vector<Wide>& values) {
    Wide least = values[0];
    for (const Wide v : values) least = v < least ? v : least;
    return least;
  }
  static Wide largest(const std::vector<Wide>& values) {
    Wide most = values[0];
    for (const Wide v : values) most = v > most ? v : most;
    return most;
  }

  unsigned bits;
  Index last;  ///< the largest index in each direction
};

}  // namespace heddle::bench
