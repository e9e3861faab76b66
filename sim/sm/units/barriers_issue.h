// SPDX-License-Identifier: Apache-2.0
// Issue with convergence barriers (rtl/convergence_barrier; SR sec. 2): the unit parks a path at a CTA barrier, and is told
// of which warps something is in flight and for which a CTA barrier has opened.
#pragma once

#include "sim/sm/units/issue_side.h"

namespace heddle {

template <unsigned Paths>
class BarriersIssue final : public IssueSide<Paths> {
 public:
  using IssueSide<Paths>::IssueSide;

  bool is_control(const isa::Instruction& instruction) const override { return heddle::is_control(instruction, true); }
  bool holds_back_others(const isa::Instruction& instruction) const override {
    return around_.has_scoreboard && is_barrier_with_result(instruction);
  }
  bool parks_at_barriers() const override { return true; }
  void barrier_opened(SliceWarp warp) override { opening_ |= bit(warp); }
  bool is_opening(SliceWarp warp) const override { return (opening_ & bit(warp)) != 0; }
  void complete(SliceDrive<Paths>& drive) override {
    const bool free = drive.resolve.op == ResolveOp::None && drive.convergence.op == BarrierOp::None;
    if (free && opening_ != 0) {
      const SliceWarp w(static_cast<unsigned>(__builtin_ctzll(opening_)));
      opening_ &= opening_ - 1;
      drive.convergence = {BarrierOp::Open, w, 0, 0, 0};
    }
    for_each_warp(around_.state.live_warps, [&](SliceWarp w) {
      if (around_.state[w].in_flight != 0 || around_.state[w].branching) drive.busy |= bit(w);
    });
  }
  bool idle() const override { return opening_ == 0; }

 private:
  using IssueSide<Paths>::around_;

  std::uint64_t opening_ = 0;  // warps for which a CTA barrier has opened, and the unit is not told yet
};

}  // namespace heddle
