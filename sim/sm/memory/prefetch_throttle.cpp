// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/memory/prefetch_throttle.h"

#include <algorithm>

namespace heddle {

namespace {

constexpr unsigned FirstDegree = 2;
constexpr double HighEviction = 0.02, LowEviction = 0.01, HighMerge = 0.15;

/// With nothing useful, one eviction is too many.
double ratio(std::uint64_t part, std::uint64_t of) {
  return part == 0 ? 0 : of == 0 ? 1 : double(part) / double(of);
}

}  // namespace

void PrefetchThrottle::start(const PrefetchYield& so_far) {
  *this = {};
  degree_ = FirstDegree;
  before_ = so_far;
}

void PrefetchThrottle::decide(const PrefetchYield& so_far) {
  const std::uint64_t requests = so_far.requests - before_.requests;
  if (requests == 0) return;
  const double evictions = ratio(so_far.early_evictions - before_.early_evictions, so_far.useful - before_.useful);
  merge_ratio_ = (merge_ratio_ + ratio(so_far.merges - before_.merges, requests)) / 2;
  before_ = so_far;
  if (evictions > HighEviction)
    degree_ = None;
  else if (evictions >= LowEviction || merge_ratio_ <= HighMerge)
    degree_ = std::min(degree_ + 1, None);
  else if (degree_ > 0)
    --degree_;
}

bool PrefetchThrottle::admits() {
  const unsigned turn = turn_;
  turn_ = (turn_ + 1) % None;
  return turn < None - degree_;
}

}  // namespace heddle
