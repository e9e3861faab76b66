// SPDX-License-Identifier: Apache-2.0
// Which set of a cache a line is in: L1 (tlm/l1_cache) and the locks of its lines (rtl/affine/line_locks) must agree.
//
// Linear: the lowest bits of the line's number. Hashed: the five lowest are exclusive-or bits 6, 7, 8, 10 and 12 of it, as
// measured on a Fermi by Nugteren et al., "A Detailed GPU Cache Model Based on Reuse Distance Theory", HPCA 2014, sec. 4,
// with lines of 128 bytes and 32 sets; with 64 sets bit 5 is as it is. With fewer sets the lowest of the five remain.
#pragma once

#include <cstdint>

namespace heddle {

/// What the five lowest bits of a line's number are exclusive-or'd with.
constexpr std::uint64_t set_hash(std::uint64_t line) {
  return (line >> 6 & 7) | (line >> 10 & 1) << 3 | (line >> 12 & 1) << 4;
}

/// \param line  its address in lines
/// \param sets  a power of two
constexpr std::uint64_t set_of_line(std::uint64_t line, std::uint64_t sets, bool hashed) {
  return (hashed ? line ^ set_hash(line) : line) & (sets - 1);
}

}  // namespace heddle
