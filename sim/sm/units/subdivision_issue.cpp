// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/units/subdivision_issue.h"

#include <algorithm>

#include "sim/isa/lanes.h"
#include "sim/sm/lanes/warp_wide_execution.h"

namespace heddle {

using isa::Instruction;
using isa::Lanes;

template <unsigned Paths>
SubdivisionIssue<Paths>::SubdivisionIssue(const IssueSurroundings<Paths>& around)
    : IssueSide<Paths>(around),
      rotation_(std::max({around.point.alu_latency, around.point.multiplier_latency, around.point.special_latency}) +
                around.point.fetch_latency),
      splits_(around.point.warps / around.point.schedulers) {}

template <unsigned Paths>
void SubdivisionIssue<Paths>::load(const isa::Launch& launch) {
  launch_ = &launch;
  meeting_ = {};
  const std::vector<Instruction>& code = launch.program->code;
  any_meets_ = std::any_of(code.begin(), code.end(), [this](const Instruction& i) { return classes(i) != 0; });
}

// ---- splits without a slot ----

template <unsigned Paths>
void SubdivisionIssue<Paths>::complete(SliceDrive<Paths>& drive) {
  const std::uint64_t cycle = around_.state.cycle;
  rotation_.began(being_fetched(), cycle);
  if (drive.resolve.op == ResolveOp::None) drive.yield = rotation_.pick(candidates_to_yield(), cycle);
  if (drive.yield.valid) drive.eligible.set(drive.yield.warp, drive.yield.k, false);
}

/// A split whose slot waits for a branch keeps it; a warp all of whose lanes wait at CTA barriers has none to bring on.
template <unsigned Paths>
SlotSet<Paths> SubdivisionIssue<Paths>::candidates_to_yield() const {
  const IssueState<Paths>& state = around_.state;
  SlotSet<Paths> candidates = state.valid & ~state.branching & all_paths<Paths>(state.crowded);
  const OneSlot& yielding = state.driven.yield;  // the slice has not acted on it yet
  if (yielding.valid) candidates.set(yielding.warp, yielding.k, false);
  if (!candidates.any()) return candidates;
  for_each_warp(candidates.warps(), [&](SliceWarp w) {
    if (this->hidden_path_may_run(w)) return;
    for (unsigned k = 0; k < Paths; ++k) candidates.set(w, k, false);
  });
  return candidates;
}

/// Slots of crowded warps whose head has not come yet. They do not lose patience: when one gives way both of its warp
/// are fetched anew, and with many warps that takes longer than any patience, so that no head would ever come.
template <unsigned Paths>
SlotSet<Paths> SubdivisionIssue<Paths>::being_fetched() const {
  const IssueState<Paths>& state = around_.state;
  return state.valid & all_paths<Paths>(state.crowded) & ~(around_.fetch.buffered() | state.waiting);
}

// ---- splits that wait for each other ----

/// Live lanes that the head of a slot waits for, and which are not on its path. What it reads may be in flight: then the
/// scoreboard holds it, and the next answer counts.
/// \pre the slot is valid and has a head of class Meets
template <unsigned Paths>
Lanes SubdivisionIssue<Paths>::missing_at(SliceWarp w, unsigned k) const {
  const PathView path = around_.slice.path(w, k);
  const Lanes absent = around_.state[w].live & ~path.mask;
  if (absent == 0) return 0;
  const Instruction& instruction = head(w, k);
  if (instruction.kind == isa::Kind::Barrier) return absent;
  const Threads threads(around_.row(w));
  const Lanes lanes = path.mask & around_.registers.guard(instruction.guard, threads);
  const isa::Source& mask = instruction.sources[2];
  if (mask.kind == isa::Source::Kind::Immediate) return lanes == 0 ? 0 : static_cast<Lanes>(mask.value) & absent;
  isa::LaneValues masks;
  around_.execute.operands().read(mask, threads, around_.state.cycle, masks);
  Lanes missing = 0;
  isa::for_each_lane(lanes, [&](unsigned lane) { missing |= static_cast<Lanes>(masks[lane]) & absent; });
  return missing;
}

template <unsigned Paths>
SlotSet<Paths> SubdivisionIssue<Paths>::heads_that_miss_lanes() const {
  const IssueState<Paths>& state = around_.state;
  SlotSet<Paths> heads = state.valid & state.heads.meets & around_.fetch.buffered() & ~state.branching & ~state.waiting;
  if (!heads.any()) return heads;
  for_each_slot(SlotSet<Paths>(heads), [&](SliceWarp w, unsigned k) {
    if (missing_at(w, k) == 0) heads.set(w, k, false);
  });
  return heads;
}

template <unsigned Paths>
void SubdivisionIssue<Paths>::look() {
  if (!any_meets_) return;
  meeting_ = heads_that_miss_lanes();
  for_each_slot(slots_to_note(), [&](SliceWarp w, unsigned k) { note(w, k); });
}

/// Waiting slots of warps of which nothing is in flight: what is seen of a split then holds until something of the warp
/// issues.
template <unsigned Paths>
SlotSet<Paths> SubdivisionIssue<Paths>::slots_to_note() const {
  SlotSet<Paths> slots = (meeting_ | around_.state.waiting) & around_.state.valid;
  for_each_slot(SlotSet<Paths>(slots), [&](SliceWarp w, unsigned k) {
    const IssueWarp<Paths>& its = around_.state[w];
    if (its.branching || its.in_flight != 0 || splits_[w.index()].knows(around_.slice.path(w, k).pc))
      slots.set(w, k, false);
  });
  return slots;
}

template <unsigned Paths>
void SubdivisionIssue<Paths>::note(SliceWarp w, unsigned k) {
  const PathView path = around_.slice.path(w, k);
  WaitingSplits& splits = splits_[w.index()];
  splits.note({path.pc, path.mask, meeting_.has(w, k) ? missing_at(w, k) : 0});
  if (!all_wait(w)) return;
  if (!splits.any_at_cta_barrier()) throw_never_meets(w);
  around_.ctas.notify();
}

template <unsigned Paths>
bool SubdivisionIssue<Paths>::all_wait(SliceWarp w) const {
  const WaitingSplits& splits = splits_[w.index()];
  return splits.count() != 0 && splits.first_that_misses_lanes() != nullptr && splits.count() == around_.slice.paths(w);
}

template <unsigned Paths>
void SubdivisionIssue<Paths>::throw_never_meets(SliceWarp w) const {
  const WaitingSplits::Split& split = *splits_[w.index()].first_that_misses_lanes();
  const Instruction& instruction = launch_->program->code[split.pc];
  if (instruction.kind == isa::Kind::Barrier)
    throw_result_in_divergent_code(around_, w, split.pc, split.lanes, split.missing);
  isa::LaneValues masks;
  around_.execute.operands().read(instruction.sources[2], Threads(around_.row(w)), around_.state.cycle, masks);
  unsigned lane = 0;
  while ((split.lanes >> lane & 1) == 0 || (masks[lane] & split.missing) == 0) ++lane;
  throw_lanes_missing(around_.ctas.threads(), instruction, around_.row(w), split.pc, split.lanes, split.missing,
                      static_cast<Lanes>(masks[lane]));
}

/// Time alone brings a split on.
template <unsigned Paths>
bool SubdivisionIssue<Paths>::idle() const {
  if (around_.state.driven.yield.valid || candidates_to_yield().any()) return false;
  return !any_meets_ || (!slots_to_note().any() && heads_that_miss_lanes() == meeting_);
}

template class SubdivisionIssue<2>;
template class SubdivisionIssue<MostPaths>;

}  // namespace heddle
