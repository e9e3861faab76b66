// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/units/ideal_splits.h"

#include <algorithm>
#include <stdexcept>

#include "rtl/base/bits.h"
#include "sim/isa/lanes.h"

namespace heddle {

unsigned IdealSplits::depth(SliceWarp w) const {
  const Warp& warp = warps_[w.index()];
  return warp.running ? static_cast<unsigned>(warp.beneath.size()) + 1 : 0;
}

unsigned IdealSplits::paths(SliceWarp w) const {
  const auto& split = warps_[w.index()].split;
  return static_cast<unsigned>(
      std::count_if(split.begin(), split.end(), [](const PathView& s) { return s.mask != 0; }));
}

void IdealSplits::drive(const SliceDrive<MostPaths>& drive) {
  const std::uint64_t popping = blank_;
  redirected_ = {};
  if (granted_.valid) advance();
  if (driven_.resolve.op != ResolveOp::None) resolve(driven_.resolve);
  if (popping != 0) {  // one a cycle, in turn, as on the stacks
    popped_ = first_from(popping, (popped_ + 1) % static_cast<unsigned>(warps_.size()));
    pop(SliceWarp(popped_));
  }
  driven_ = drive;

  // Loose round robin over (warp, k).
  granted_ = {};
  const SlotSet<MostPaths> ready = drive.eligible & valid_ & ~redirected_;
  const std::uint64_t asking = ready.warps();
  if (asking == 0) return;
  unsigned warp = turn_, k = turn_path_;
  while (!ready.has(SliceWarp(warp), k)) {
    if (++k < MostPaths && (asking >> warp & 1) != 0) continue;
    k = 0;
    warp = (warp + 1) % static_cast<unsigned>(warps_.size());
  }
  granted_ = {true, SliceWarp(warp), k};
  turn_ = warp, turn_path_ = k + 1;
  if (turn_path_ == MostPaths) turn_ = (warp + 1) % static_cast<unsigned>(warps_.size()), turn_path_ = 0;
}

/// R1
void IdealSplits::advance() {
  Warp& warp = warps_[granted_.warp.index()];
  if (driven_.held.has(granted_.warp, granted_.k)) {
    warp.branching |= isa::Lanes(1) << granted_.k;
    return;
  }
  const PathView at = warp.split[granted_.k];
  place(granted_.warp, granted_.k, at.pc + 1, at.mask, false);
  note_blank(granted_.warp);
}

void IdealSplits::resolve(const Resolution& resolution) {
  const SliceWarp w = resolution.warp;
  Warp& warp = warps_[w.index()];
  const PathView from = warp.split[resolution.k];
  warp.branching &= ~(isa::Lanes(1) << resolution.k);
  switch (resolution.op) {
    case ResolveOp::Launch:  // R2
      warp = Warp();
      warp.running = true;
      warp.live = resolution.lanes;
      warp.rpc = resolution.rpc;
      place(w, 0, resolution.target, resolution.lanes, true);
      break;
    case ResolveOp::Branch:
      branch(w, resolution, from);
      break;
    case ResolveOp::Exit:  // R8
      warp.live &= ~resolution.lanes;
      place(w, resolution.k, from.pc + 1, from.mask & ~resolution.lanes, true);
      break;
    case ResolveOp::Call:
    case ResolveOp::MemorySplit:
    case ResolveOp::Push:
    case ResolveOp::Pop:
    case ResolveOp::None:
      throw std::logic_error("warp splits have no entries for calls, and no lanes of two splits meet on request");
  }
  note_blank(w);
}

void IdealSplits::branch(SliceWarp w, const Resolution& resolution, const PathView& from) {
  Warp& warp = warps_[w.index()];
  const isa::Lanes taken = resolution.lanes, rest = from.mask & ~taken;
  const isa::Pc fall = from.pc + 1;
  if (taken == 0 || rest == 0) {  // R3
    place(w, resolution.k, taken == 0 ? fall : resolution.target, from.mask, true);
    return;
  }
  if (paths(w) == 1 && resolution.block > threshold_) {  // R4: the stack
    if (resolution.rpc != warp.rpc) warp.beneath.push_back({{resolution.rpc, from.mask}, warp.rpc});
    const PathView left{resolution.target, taken}, right{fall, rest};
    const bool both = left.pc != resolution.rpc && right.pc != resolution.rpc;
    if (both) warp.beneath.push_back({right, resolution.rpc});
    warp.rpc = resolution.rpc;
    const PathView runs = left.pc != resolution.rpc ? left : right;
    place(w, resolution.k, runs.pc, runs.mask, true);
    return;
  }
  place(w, resolution.k, resolution.target, taken, true);  // R5
  place(w, free_slot(warp), fall, rest, true);
}

/// R12
void IdealSplits::pop(SliceWarp w) {
  Warp& warp = warps_[w.index()];
  const Entry entry = warp.beneath.back();
  warp.beneath.pop_back();
  warp.rpc = entry.rpc;
  place(w, 0, entry.path.pc, entry.path.mask & warp.live, true);
  note_blank(w);
}

/// These lanes are split k, or with the one that stands there (R7), or gone (R9).
void IdealSplits::place(SliceWarp w, unsigned k, isa::Pc pc, isa::Lanes mask, bool is_redirected) {
  Warp& warp = warps_[w.index()];
  warp.split[k] = {};
  valid_.set(w, k, false);
  if (mask == 0 || pc == warp.rpc) return;
  for (unsigned other = 0; other < MostPaths; ++other) {
    PathView& there = warp.split[other];
    if (there.mask == 0 || there.pc != pc || (warp.branching >> other & 1) != 0) continue;
    there.mask |= mask;
    redirected_.set(w, other);  // who comes may wait at a CTA barrier
    return;
  }
  warp.split[k] = {pc, mask};
  valid_.set(w, k);
  if (is_redirected) redirected_.set(w, k);
}

unsigned IdealSplits::free_slot(const Warp& warp) const {
  unsigned k = 0;
  while (warp.split[k].mask != 0) ++k;  // one a lane: there is always one
  return k;
}

/// R12, R13: what is to be popped, or done.
void IdealSplits::note_blank(SliceWarp w) {
  Warp& warp = warps_[w.index()];
  blank_ &= ~bit(w);
  if (!warp.running || paths(w) != 0) return;
  if (warp.live == 0 || warp.beneath.empty()) {
    warp.running = false;
    warp.beneath.clear();
  } else {
    blank_ |= bit(w);
  }
}

}  // namespace heddle
