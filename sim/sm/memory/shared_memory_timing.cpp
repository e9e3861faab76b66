// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/memory/shared_memory_timing.h"

#include <algorithm>

namespace heddle {

unsigned shared_memory_passes(const std::array<std::uint64_t, max_lanes>& address, std::uint32_t lanes, unsigned bytes,
                              bool exclusive, const SharedBanks& banks) {
  // The words that each bank has to deliver so far. A lane touches at most two words.
  std::array<std::array<std::uint64_t, 2 * max_lanes>, SharedBanks::Most> words;
  std::array<std::uint8_t, SharedBanks::Most> count{};
  unsigned passes = 1;
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const std::uint64_t first = address[static_cast<unsigned>(__builtin_ctz(rest))] / banks.bytes;
    for (std::uint64_t word = first; word * banks.bytes < first * banks.bytes + bytes; ++word) {
      const unsigned bank = static_cast<unsigned>(word % banks.count);
      auto* const end = words[bank].data() + count[bank];
      if (!exclusive && std::find(words[bank].data(), end, word) != end) continue;
      *end = word;
      passes = std::max<unsigned>(passes, ++count[bank]);
    }
  }
  return passes;
}

}  // namespace heddle
