// SPDX-License-Identifier: Apache-2.0
// The ports of the instruction cache, which the schedulers' fetches share: so many fetches an SM and cycle.
//
// Who may fetch in a cycle is chosen in turn among those that had a slot to serve after their last step; if there is none,
// the one whose number it is. So it does not depend on the order in which the schedulers step.
#pragma once

#include <cstdint>

#include "rtl/base/bits.h"

namespace heddle {

class FetchPort {
 public:
  /// \param each_cycle  fetches, at least 1
  explicit FetchPort(unsigned each_cycle) : each_cycle_(each_cycle) {}

  /// The number of another fetch that shares it; at most 64.
  unsigned add() { return fetches_++; }

  bool grants(unsigned fetch, std::uint64_t cycle) {
    if (fetches_ <= each_cycle_) return true;
    if (cycle != cycle_) choose(cycle);
    return (granted_ >> fetch & 1) != 0;
  }

  /// What it has at the end of its step: a slot to serve, or none.
  void ask(unsigned fetch, bool wants) {
    const std::uint64_t bit = std::uint64_t{1} << fetch;
    asking_ = wants ? asking_ | bit : asking_ & ~bit;
  }

 private:
  void choose(std::uint64_t cycle) {
    cycle_ = cycle;
    granted_ = 0;
    std::uint64_t asking = asking_;
    for (unsigned n = 0; n < each_cycle_ && asking != 0; ++n) {
      last_ = first_from(asking, (last_ + 1) % 64);
      granted_ |= std::uint64_t{1} << last_;
      asking &= ~granted_;
    }
    if (granted_ == 0) granted_ = std::uint64_t{1} << cycle % fetches_;
  }

  const unsigned each_cycle_;
  unsigned fetches_ = 0, last_ = 63;
  std::uint64_t cycle_ = ~std::uint64_t{0}, asking_ = 0, granted_ = 0;
};

}  // namespace heddle
