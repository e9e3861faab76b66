// SPDX-License-Identifier: Apache-2.0
// How often the banks of shared memory must be read for one access of a warp.
#pragma once

#include <array>
#include <cstdint>

#include "tlm/line_request.h"

namespace heddle {

struct SharedBanks {
  static constexpr unsigned Most = 32;
  unsigned count = 32;  // 1 to Most
  unsigned bytes = 4;   // 4 or 8
};

// The largest number of distinct words that one bank must deliver; at least 1. Lanes that touch one word share it,
// unless `exclusive` (atomics). A 64-bit lane touches two words, so 32 of them in a row take two passes.
unsigned shared_memory_passes(const std::array<std::uint64_t, max_lanes>& address, std::uint32_t lanes, unsigned bytes,
                              bool exclusive, const SharedBanks& banks);

}  // namespace heddle
