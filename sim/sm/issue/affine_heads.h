// SPDX-License-Identifier: Apache-2.0
// What the heads of a scheduler's path slots want of the affine warp's side (affine_port.h), so that asking who has to
// wait for it looks at no instruction.
#pragma once

#include <cstdint>

#include "sim/isa/instruction.h"
#include "sim/sm/links/affine_port.h"
#include "sim/sm/links/slot_set.h"

namespace heddle {

template <unsigned Paths>
class AffineHeads {
 public:
  /// \param head  null: the slot has none
  void show(SliceWarp warp, unsigned k, const isa::Instruction* head) {
    const isa::QueueOp queue = head == nullptr ? isa::QueueOp::None : head->queue;
    predicates_.set(warp, k, queue == isa::QueueOp::Predicate);
    addresses_.set(warp, k, queue == isa::QueueOp::Data || queue == isa::QueueOp::Address);
    outcomes_.set(warp, k, head != nullptr && head->outcome == isa::OutcomeFrom::Warps);
    alone_.set(warp, k, head != nullptr && head->one_path);
  }

  /// Those that must wait: for a record, for room to tell an outcome, or for the other path of their warp.
  /// \param row  of a warp: its slot in the SM
  template <class Row>
  SlotSet<Paths> waiting(const AffinePort& port, const SlotSet<Paths>& valid, Row row) const {
    const auto without = [&](const SlotSet<Paths>& heads, auto&& has) {
      std::uint64_t missing = 0;
      for_each_warp(heads.warps(), [&](SliceWarp warp) { missing |= has(row(warp)) ? 0 : bit(warp); });
      return heads & all_paths<Paths>(missing);
    };
    const std::uint64_t addresses = port.records(isa::QueueOp::Data),
                        predicates = port.records(isa::QueueOp::Predicate);
    SlotSet<Paths> waits = without(addresses_, [&](SmWarp warp) { return (addresses >> warp.index() & 1) != 0; }) |
                           without(predicates_, [&](SmWarp warp) { return (predicates >> warp.index() & 1) != 0; }) |
                           without(outcomes_, [&](SmWarp warp) { return port.accepts_outcome(warp); });
    for (unsigned k = 1; k < Paths; ++k) waits.path[k] |= alone_.path[k] & valid.path[0];
    return waits;
  }

 private:
  SlotSet<Paths> addresses_, predicates_, outcomes_;
  SlotSet<Paths> alone_;  ///< issue while path 0 has nothing to
};

}  // namespace heddle
