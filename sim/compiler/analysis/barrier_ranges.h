// SPDX-License-Identifier: Apache-2.0
// Where a convergence barrier is joined, where it is live, and which two keep lanes from each other (SR sec. 4.2.1, 4.3).
//
// Joined (eq. 1, forward): on some way from the start of the function, a Join came last and no Wait behind it.
// Live (eq. 2, backward): on some way from here, a Wait comes next and no Join before it.
// The range: where a barrier is both. Who is there is waited for and may still come. A lane that leaves the range has
// joined and will not come: that edge needs a Cancel. A lane that has waited where the barrier is live needs a Rejoin.
//
// Joins and Waits alone are in the equations, as in the paper: Rejoin and Cancel follow from them. Lanes that break out
// in front of another barrier's Wait (deconfliction) are in them once that is known.
//
// A predicted function (sec. 4.4) has its Wait at its first instruction. Calls that may lead there are followed: into the
// function, through it, and back.
#pragma once

#include <set>
#include <vector>

#include "sim/compiler/code/virtual_code.h"

namespace heddle::compiler {

/// In front of an instruction, or behind it on the way to the next one.
struct Place {
  isa::Pc pc = 0;
  bool behind = false;
  bool operator<(const Place& other) const { return std::pair(pc, behind) < std::pair(other.pc, other.behind); }
};

/// What the equations see of a barrier. In front of one instruction, a Cancel comes before a Wait, and that before a Join.
struct JoinsAndWaits {
  std::set<Place> joins;
  std::set<isa::Pc> waits;
  std::set<isa::Pc> cancels = {};     // by deconfliction
  std::set<isa::Pc> calls = {};       // that may lead to a Wait
  std::vector<bool> on_the_way = {};  // by function: those that such calls go to
};

/// What lanes do on a way that leads to no Wait: Cancel, or nothing, as in default barriers, which they only leave when
/// they exit.
enum class OnTheWayOut : std::uint8_t { Cancel, Stay };

class BarrierRange {
 public:
  BarrierRange(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks, const JoinsAndWaits& barrier,
               OnTheWayOut way_out = OnTheWayOut::Cancel);

  /// In front of what the barrier has in front of this instruction: by eq. 1, by eq. 2, by eq. 1 with Rejoins as Joins.
  bool is_joined(isa::Pc pc) const { return joined_[pc]; }
  bool is_live(isa::Pc pc) const { return live_[pc]; }
  bool has_members(isa::Pc pc) const { return member_[pc]; }

  /// A lane that joins here may come to a Wait before it comes to another Join.
  bool leads_to_a_wait(const Place& join) const { return useful_.count(join) != 0; }

  /// Waits behind which the barrier is live: there lanes rejoin. A Join there already does so.
  const std::set<isa::Pc>& rejoins() const { return rejoins_; }
  /// Lanes are in the barrier here, counting those that have rejoined.
  bool holds(isa::Pc pc) const { return member_[pc] && (live_[pc] || way_out_ == OnTheWayOut::Stay); }
  /// First instructions of blocks that lanes in the barrier come to and from which no Wait is reached. None with Stay.
  const std::set<isa::Pc>& cancels() const { return cancels_; }

 private:
  OnTheWayOut way_out_;
  std::vector<bool> joined_, live_, member_;  // by pc
  std::set<isa::Pc> rejoins_, cancels_;
  std::set<Place> useful_;
};

/// Ranges that overlap and of which neither includes the other (SR sec. 4.3): lanes may wait at each one's Wait for lanes
/// that wait at the other's. So a Wait of each is where the range of the other holds. A range that includes another holds
/// at the inner Wait, and the inner one does not hold at the outer.
bool conflict(const BarrierRange& a, const std::set<isa::Pc>& waits_of_a, const BarrierRange& b,
              const std::set<isa::Pc>& waits_of_b);

}  // namespace heddle::compiler
