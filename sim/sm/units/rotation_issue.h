// SPDX-License-Identifier: Apache-2.0
// Issue with path rotation (rtl/path_rotation; DPE sec. 3.3): it is told which slots wait at a CTA barrier, those that the
// scheduler does not see included, and which have met a long latency.
#pragma once

#include <utility>

#include "sim/sm/units/issue_side.h"

namespace heddle {

template <unsigned Paths>
class RotationIssue final : public IssueSide<Paths> {
 public:
  using IssueSide<Paths>::IssueSide;

  void long_latency(SliceWarp warp, unsigned k) override { long_latency_.set(warp, k); }
  void complete(SliceDrive<Paths>& drive) override {
    drive.long_latency = std::exchange(long_latency_, {});
    drive.waiting = waiting_slots();
  }
  bool idle() const override {
    const SliceDrive<Paths>& driven = around_.state.driven;
    if (driven.long_latency.any() || long_latency_.any()) return false;
    return waiting_slots() == driven.waiting;
  }

 private:
  using IssueSide<Paths>::around_;

  SlotSet<Paths> waiting_slots() const {
    SlotSet<Paths> waiting;
    for_each_warp(around_.state.live_warps, [&](SliceWarp w) {
      const isa::Lanes lanes = around_.state[w].waiting;
      if (lanes == 0) return;
      for (unsigned k = 0; k < Paths; ++k) waiting.set(w, k, (around_.slice.path(w, k).mask & lanes) != 0);
    });
    return waiting;
  }

  SlotSet<Paths> long_latency_;  // that met one since the slice was driven
};

}  // namespace heddle
