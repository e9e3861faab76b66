// SPDX-License-Identifier: Apache-2.0
// Needleman and Wunsch's alignment of two sequences (DWF [24]): what both have in the same order, as heavy as possible.
//
// A match weighs what it saves, the instructions of the piece; a gap costs nothing, a mismatch is two gaps. So the score
// is the issue slots that the two save when they run aligned. Exact, in memory linear in the longer sequence (Hirschberg).
// Common beginnings are aligned first, which no score forbids: of equal alignments, the one that meets early.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace heddle::limit {

using Symbols = std::vector<std::uint32_t>;

/// Weight of the best alignment. \param weights  of each symbol
std::uint64_t alignment_score(const Symbols& a, const Symbols& b, const std::vector<std::uint32_t>& weights);

using Matches = std::vector<std::pair<std::size_t, std::size_t>>;

/// Places in a and b that are aligned, in order.
Matches align(const Symbols& a, const Symbols& b, const std::vector<std::uint32_t>& weights);

}  // namespace heddle::limit
