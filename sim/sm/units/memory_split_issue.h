// SPDX-License-Identifier: Apache-2.0
// Issue with memory divergence (DPE sec. 7.2): lanes that a load has served go on in the free slot of their warp
// (sim/sm/units/memory_splits.h).
#pragma once

#include "sim/sm/units/issue_side.h"

namespace heddle {

template <unsigned Paths>
class MemorySplitIssue final : public IssueSide<Paths> {
 public:
  explicit MemorySplitIssue(const IssueSurroundings<Paths>& around)
      : IssueSide<Paths>(around), splits_(around.in_flight, around.counters) {}

  unsigned char classes(const isa::Instruction& instruction) const override {
    return is_for_all(instruction) ? ForAll : 0;
  }
  void partly_served(unsigned token, isa::Lanes served) override { splits_.partly_served(token, served); }
  void served(unsigned token) override { splits_.served(token); }
  MissingPart take_part() override { return splits_.take_due(); }
  void ask(SliceDrive<Paths>& drive) override {
    const auto look = [this](SliceWarp w) { return view(w); };
    splits_.settle(look);
    if (drive.resolve.op == ResolveOp::None) drive.resolve = splits_.ask(look);
  }
  std::uint64_t split_warps() const override { return splits_.split_warps(); }
  bool idle() const override { return splits_.idle(); }

 private:
  using IssueSide<Paths>::around_;

  static bool is_for_all(const isa::Instruction& instruction) {
    switch (instruction.kind) {
      case isa::Kind::Branch:
        return instruction.may_part || (instruction.is_recursive && instruction.branch == isa::BranchKind::Call);
      case isa::Kind::Barrier:
      case isa::Kind::Fence:
      case isa::Kind::Atomic:
      case isa::Kind::WarpWide:
      case isa::Kind::Host:
        return true;
      case isa::Kind::Load:
      case isa::Kind::Store:
        return instruction.is_volatile || instruction.is_coherent || instruction.space == isa::Space::Shared ||
               instruction.space == isa::Space::Generic;
      case isa::Kind::Exit:
      case isa::Kind::Convergence:
      case isa::Kind::Trap:
      case isa::Kind::Compute:
      case isa::Kind::Enqueue:
        return false;
    }
    return true;
  }

  /// The warp as its slots stand after this edge, unless something of it is on the way.
  SplitView view(SliceWarp w) const {
    const IssueState<Paths>& state = around_.state;
    const bool split_by_memory = state.driven.resolve.op == ResolveOp::MemorySplit && state.driven.resolve.warp == w;
    SplitView view;
    view.settled = !state[w].branching && !(state.granted.valid && state.granted.warp == w) && !split_by_memory;
    view.waiting = state[w].waiting;
    const SlotSet<Paths> for_all = state.valid & around_.fetch.buffered() & state.heads.for_all;
    for (unsigned k = 0; k < 2; ++k) {
      view.path[k] = around_.slice.path(w, k);
      view.together[k] = for_all.has(w, k);
    }
    return view;
  }

  MemorySplits splits_;
};

}  // namespace heddle
