// SPDX-License-Identifier: Apache-2.0
// The warps of one scheduler and their path slots, as the issue side keeps them (issue_unit.h) and as what it does for its
// control flow unit alone reads them (units/issue_side.h).
#pragma once

#include <vector>

#include "sim/sm/lanes/pending_writes.h"
#include "sim/sm/links/slot_set.h"
#include "sim/sm/memory/fence_wait.h"
#include "sim/sm/slice/issue_slice.h"

namespace heddle {

/// What decides whether the head of a slot may issue. Bits; an instruction may have several.
enum HeadClass : unsigned char {
  Control = 1,
  Barrier = 2,
  Fence = 4,
  Special = 8,
  Memory = 16,
  ForAll = 32,  ///< all lanes of a path execute it at once, though a load has not served them all (memory_splits.h)
  OnLanes = 64,
  Meets = 128  ///< it may wait for lanes of other splits
};

template <unsigned Paths>
struct IssueWarp {
  isa::Lanes live = 0;     ///< lanes that have not exited
  isa::Lanes waiting = 0;  ///< lanes that wait at a CTA barrier
  unsigned in_flight = 0;  ///< issued, not yet written back (or, of a store, not yet ordered)
  isa::Lanes busy = 0;     ///< lanes with an instruction in flight: where processing is barrel, at most one each
  bool branching = false;  ///< one unresolved branch or exit, of the slot `branch_path`
  unsigned branch_path = 0;
  isa::Pc branch_pc = 0;  ///< of the last one
  PendingWrites pending;
  FenceWait fence_wait[Paths] = {};      ///< of the heads of its slots that are fences
  unsigned char head_class[Paths] = {};  ///< of the heads of its slots, as IssueHeads has it
};

/// The slots whose head is of a class.
template <unsigned Paths>
struct IssueHeads {
  SlotSet<Paths> control, barrier, fence, special, memory, for_all, on_lanes, meets;
};

template <unsigned Paths>
struct IssueState {
  std::vector<IssueWarp<Paths>> warps;
  IssueHeads<Paths> heads;
  SlotSet<Paths> valid;      ///< has a path, as the control flow unit says
  SlotSet<Paths> waiting;    ///< at a CTA barrier
  SlotSet<Paths> branching;  ///< its branch or exit is unresolved
  std::uint64_t branching_warps = 0, live_warps = 0;
  std::uint64_t crowded = 0;  ///< warps with a path that has no slot
  std::uint64_t cycle = 0;
  OneSlot granted;           ///< in the cycle before
  SliceDrive<Paths> driven;  ///< what the slice was told last

  IssueWarp<Paths>& operator[](SliceWarp warp) { return warps[warp.index()]; }
  const IssueWarp<Paths>& operator[](SliceWarp warp) const { return warps[warp.index()]; }
};

}  // namespace heddle
