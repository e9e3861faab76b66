// SPDX-License-Identifier: Apache-2.0
// Which slot gives way to a path of its warp that has none (only warp-splits are ever without): the one that has not
// issued for longest, if that is longer than its patience. Ours: DPE sec. 4 lets any number of splits issue.
#pragma once

#include <array>
#include <cstdint>

#include "sim/sm/links/slot_set.h"
#include "sim/sm/slice/issue_slice.h"

namespace heddle {

template <unsigned Paths>
class SlotRotation {
 public:
  /// In cycles; more than any arithmetic takes, so that what gives way waits for memory or at a CTA barrier.
  explicit SlotRotation(unsigned patience) : patience_(patience) {}

  /// The slot got a path, or issued.
  void began(SliceWarp warp, unsigned k, std::uint64_t cycle) { since_[k][warp.index()] = cycle; }
  void began(const SlotSet<Paths>& slots, std::uint64_t cycle) {
    if (!slots.any()) return;
    for_each_slot(slots, [&](SliceWarp w, unsigned k) { began(w, k, cycle); });
  }

  OneSlot pick(const SlotSet<Paths>& candidates, std::uint64_t cycle) const {
    OneSlot oldest;
    if (!candidates.any()) return oldest;
    std::uint64_t since = cycle;
    for_each_slot(candidates, [&](SliceWarp w, unsigned k) {
      const std::uint64_t began = since_[k][w.index()];
      if (began + patience_ >= cycle || began >= since) return;
      since = began;
      oldest = {true, w, k};
    });
    return oldest;
  }

 private:
  unsigned patience_;
  std::array<std::array<std::uint64_t, 64>, Paths> since_{};
};

}  // namespace heddle
