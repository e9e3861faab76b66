// SPDX-License-Identifier: Apache-2.0
// The set of L1 that a line is in, as benches expect it: rtl/base/set_index.h said again, bit by bit, with nothing of it.
#pragma once

#include <cstdint>
#include <map>

namespace heddle::bench {

/// Bit i of the set is bit i of the line, exclusive-or a bit further up where there is one.
/// \param line       its address in lines
/// \param sets       a power of two
/// \param hash_from  the lowest bit that is hashed in; 0: linear
inline std::uint64_t set_in_l1(std::uint64_t line, unsigned sets, unsigned hash_from) {
  static const std::map<unsigned, unsigned> further_up{{0, 0}, {1, 1}, {2, 2}, {3, 4}, {4, 6}};
  std::uint64_t set = line % sets;
  if (hash_from == 0) return set;
  for (const auto& [bit, other] : further_up) {
    if (sets >> bit > 1 && (line >> (hash_from + other) & 1) != 0) set ^= std::uint64_t(1) << bit;
  }
  return set;
}

/// A stride in lines that stays within one set: it changes no bit that makes the set.
constexpr std::uint64_t stride_of_one_set(unsigned sets, unsigned hash_from) {
  constexpr unsigned farthest = 6;
  return hash_from == 0 ? sets : std::uint64_t(2) << (hash_from + farthest);
}

}  // namespace heddle::bench
