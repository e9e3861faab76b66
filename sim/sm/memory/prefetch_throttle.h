// SPDX-License-Identifier: Apache-2.0
// How many of the prefetches that are asked for are let through (MTA): a degree from 0, all, to 5, none, which
// moves once a period by what prefetches brought in it.
//
//   early evictions / useful prefetches   merges / requests   degree
//   high, above 2%                        -                   5: none
//   medium, 1% to 2%                      -                   one more
//   low                                   high, above 15%     one less: prefetches are late, but wanted
//   low                                   low                 one more: they bring nothing
//
// The merge ratio is the mean of the last one and this period's. Ours: of five prefetches the first 5 - degree are let
// through; a launch starts at MTA's 2 again, as what was learnt of another kernel says nothing; a period without
// requests changes nothing.
#pragma once

#include <cstdint>

namespace heddle {

/// What prefetches have brought so far.
struct PrefetchYield {
  std::uint64_t requests = 0, merges = 0, useful = 0, early_evictions = 0;
};

class PrefetchThrottle {
 public:
  static constexpr unsigned None = 5;  ///< the highest degree

  /// A launch begins.
  void start(const PrefetchYield& so_far);
  /// A period ends.
  void decide(const PrefetchYield& so_far);
  /// Asked once for each prefetch.
  bool admits();
  unsigned degree() const { return degree_; }

 private:
  unsigned degree_ = 2;
  unsigned turn_ = 0;  ///< of five
  double merge_ratio_ = 0;
  PrefetchYield before_;
};

}  // namespace heddle
