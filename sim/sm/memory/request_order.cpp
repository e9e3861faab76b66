// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/memory/request_order.h"

#include <algorithm>

namespace heddle {

std::uint64_t RequestOrder::sent(const Threads& threads, isa::Lanes lanes) {
  if (!tracks_) return 0;
  for_each_row(threads, lanes, [&](SmWarp row, isa::Lanes) { unanswered_[row.index()].push_back(next_); });
  return next_++;
}

void RequestOrder::answered(const Threads& threads, isa::Lanes lanes, std::uint64_t number) {
  if (number == 0) return;
  for_each_row(threads, lanes, [&](SmWarp row, isa::Lanes) {
    std::vector<std::uint64_t>& its = unanswered_[row.index()];
    its.erase(std::find(its.begin(), its.end(), number));
  });
}

}  // namespace heddle
