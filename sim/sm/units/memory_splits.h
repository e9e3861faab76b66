// SPDX-License-Identifier: Apache-2.0
// Memory divergence of one scheduler's warps (DPE sec. 7.2): when some lanes of a load are served and others are not,
// the served ones go on in the free slot of their warp.
//
// DPE says where they wait for the others: "at the first divergent branch or when the RPC is reached". The rest is ours:
//   Split    a load of one path that is alone in its warp, all of whose lines were asked for, those that the L1 had are
//            here, others are not. Lanes that miss keep the slot: the scoreboard knows the load's register as pending
//            there, and the part that is written is released for the other side alone.
//   Together what all lanes execute at once. A branch that the compiler cannot show to be uniform, since half of a warp
//            cannot know whether the other half agrees; a call with an entry of its own; and all by which lanes of a
//            warp notice each other: warp-wide operations, barriers, fences, atomics, shared and volatile memory, and
//            what the host prints.
//   Wait     a part whose head is such an instruction waits for the other one. When both stand at the same they are
//            one path again (MemorySplit). When they stand at two of them, lanes have parted by what they read at
//            different times: they are two paths as of any branch. When the other one is done, there is nobody to wait
//            for.
//            So nobody waits for ever: a part that does not wait goes on, to such an instruction or to its end.
#pragma once

#include <functional>
#include <vector>

#include "sim/sm/links/counters.h"
#include "sim/sm/links/in_flight.h"
#include "sim/sm/slice/issue_slice.h"

namespace heddle {

/// What decides about a warp with two slots.
struct SplitView {
  bool settled = false;    ///< nothing of it was issued in this edge, and no request of it is under way
  isa::Lanes waiting = 0;  ///< at a CTA barrier
  PathView path[2];        ///< without lanes: not there
  bool together[2] = {};   ///< the slot's head is for all lanes at once
};

/// Lanes of a load that are not served yet.
struct MissingPart {
  bool valid = false;
  unsigned token = 0;
  isa::Lanes missing = 0;
};

class MemorySplits {
 public:
  using Look = std::function<SplitView(SliceWarp)>;

  MemorySplits(const InFlightPool& in_flight, Counters& counters) : in_flight_(in_flight), counters_(counters) {}

  /// These lanes of a load are served, its others are not.
  void partly_served(unsigned token, isa::Lanes served);
  /// All of it is.
  void served(unsigned token);

  /// Warps that need not wait any more are no longer split. Before waits() and ask(), at each edge.
  void settle(const Look& look);
  std::uint64_t split_warps() const { return split_; }
  /// A MemorySplit for the control flow unit, or nothing.
  Resolution ask(const Look& look);
  /// The served part of the load whose warp was split at the last edge: it is written in this one.
  MissingPart take_due();

  bool idle() const { return parts_.empty() && !due_.valid; }

 private:
  struct Part {
    unsigned token;
    isa::Lanes served;
  };

  Resolution split(const Look& look);
  Resolution join(const Look& look);

  const InFlightPool& in_flight_;
  Counters& counters_;
  std::vector<Part> parts_;  // of loads whose warps may be split
  MissingPart due_;
  std::uint64_t split_ = 0;  // warps
};

}  // namespace heddle
