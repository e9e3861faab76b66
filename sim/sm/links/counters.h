// SPDX-License-Identifier: Apache-2.0
// What the modules of an SM report of themselves. They write here and never read: nothing depends on it but what
// people are told, and the watchdog.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/sm/links/code_counts.h"
#include "sim/sm/links/statistics.h"

namespace heddle {

struct Counters {
  Statistics statistics{};
  CodeCounts code{};
  std::uint64_t last_progress = 0;  ///< last cycle in which a thread exited, a barrier opened or a store was issued
};

}  // namespace heddle
