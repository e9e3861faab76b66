// SPDX-License-Identifier: Apache-2.0
// Which set of a cache a line is in: L1 (tlm/l1_cache) and the locks of its lines (rtl/affine/line_locks) must agree.
//
// Linear: the lowest bits of the line's number. Hashed from bit b on: the five lowest are exclusive-or'd with bits b, b + 1,
// b + 2, b + 4 and b + 6 of it. With b = 6 that was measured on a Fermi by Nugteren et al., "A Detailed GPU Cache Model
// Based on Reuse Distance Theory", HPCA 2014, sec. 4, with lines of 128 bytes and 32 sets; with 64 sets bit 5 is as it is.
// With fewer sets the lowest of the five remain. b is above the bits of a set, so that a set and the bits above it make the
// line again.
#pragma once

#include <cstdint>

namespace heddle {

/// What the five lowest bits of a line's number are exclusive-or'd with.
constexpr std::uint64_t set_hash(std::uint64_t line, unsigned hash_from) {
  const std::uint64_t above = line >> hash_from;
  return (above & 7) | (above >> 4 & 1) << 3 | (above >> 6 & 1) << 4;
}

/// \param line       its address in lines
/// \param sets       a power of two
/// \param hash_from  the lowest bit that is hashed in; 0: linear
constexpr std::uint64_t set_of_line(std::uint64_t line, std::uint64_t sets, unsigned hash_from) {
  return (hash_from != 0 ? line ^ set_hash(line, hash_from) : line) & (sets - 1);
}

}  // namespace heddle
