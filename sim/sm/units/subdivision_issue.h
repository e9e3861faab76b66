// SPDX-License-Identifier: Apache-2.0
// Issue with dynamic warp subdivision (rtl/warp_split_table; DPE sec. 2.2). A warp may have more splits than slots: a split
// that cannot issue for long gives its slot to one that has none. And splits of a warp wait for each other at `.sync`
// operations (R17 in sim/sm/README.md).
#pragma once

#include <vector>

#include "sim/sm/units/issue_side.h"
#include "sim/sm/units/slot_rotation.h"
#include "sim/sm/units/waiting_splits.h"

namespace heddle {

template <unsigned Paths>
class SubdivisionIssue final : public IssueSide<Paths> {
 public:
  explicit SubdivisionIssue(const IssueSurroundings<Paths>& around);

  void load(const isa::Launch& launch) override;
  unsigned char classes(const isa::Instruction& instruction) const override {
    return instruction.meets || holds_back_others(instruction) ? Meets : 0;
  }
  bool holds_back_others(const isa::Instruction& instruction) const override {
    return around_.has_scoreboard && is_barrier_with_result(instruction);
  }
  void moved(SliceWarp warp) override { splits_[warp.index()].forget(); }
  void began(SliceWarp warp, unsigned k) override { rotation_.began(warp, k, around_.state.cycle); }
  void look() override;
  void complete(SliceDrive<Paths>& drive) override;
  bool all_wait(SliceWarp warp) const override;
  bool idle() const override;

 private:
  using IssueSide<Paths>::around_;
  using IssueSide<Paths>::meeting_;

  SlotSet<Paths> candidates_to_yield() const;
  SlotSet<Paths> being_fetched() const;
  isa::Lanes missing_at(SliceWarp w, unsigned k) const;
  SlotSet<Paths> heads_that_miss_lanes() const;
  SlotSet<Paths> slots_to_note() const;
  void note(SliceWarp w, unsigned k);
  [[noreturn]] void throw_never_meets(SliceWarp w) const;
  const isa::Instruction& head(SliceWarp w, unsigned k) const {
    return launch_->program->code[around_.fetch.head(w, k)];
  }

  const isa::Launch* launch_ = nullptr;
  bool any_meets_ = false;  // some head of the program may wait for lanes of other splits
  SlotRotation<Paths> rotation_;
  std::vector<WaitingSplits> splits_;  // of each warp
};

}  // namespace heddle
