// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/links/code_counts.h"

#include <numeric>

namespace heddle {

std::uint64_t CodeCount::stalled() const {
  return std::accumulate(stalls.begin(), stalls.end(), std::uint64_t(0));
}

CodeCount& CodeCount::operator+=(const CodeCount& other) {
  issues += other.issues;
  active_lanes += other.active_lanes;
  branches += other.branches;
  divergent += other.divergent;
  line_requests += other.line_requests;
  shared_passes += other.shared_passes;
  for (unsigned i = 0; i < Stalls; ++i) stalls[i] += other.stalls[i];
  return *this;
}

}  // namespace heddle
