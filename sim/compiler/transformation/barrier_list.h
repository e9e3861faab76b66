// SPDX-License-Identifier: Apache-2.0
// Barriers before they are in the code: a list that predictions add to, and from which a conflict takes something away.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/compiler/analysis/barrier_ranges.h"

namespace heddle::compiler {

/// Default: where a branch's sides meet. Predicted: where a program says. Orthogonal: where those meet that a predicted
/// barrier has taken apart, behind its region (SR Fig. 4(d)).
enum class BarrierRole : std::uint8_t { Default, Predicted, Orthogonal };

struct Barrier {
  BarrierRole role = BarrierRole::Default;
  std::size_t function = 0;
  int prediction = -1;  // index in VirtualCode::predictions
  JoinsAndWaits points;
  std::vector<isa::Pc> branches;  // of a default barrier: at which lanes may part that meet at its Wait
  std::set<isa::Pc> rejoins;      // behind the Wait in front of this instruction
  // In front of this instruction, and of every Wait there: on the way out; points has others.
  std::set<isa::Pc> cancels;
  // Wait of a soft barrier, by its index in the list: of those that come there in this one, who has to wait leaves it.
  std::map<isa::Pc, std::size_t> left_by_who_waits;
  std::vector<bool> inside;  // by block: on the way from a Join to a Wait
  bool is_removed = false;   // by deconfliction: it wants no register
  // Predictions alone have a threshold, see soft_barrier.h.
  std::optional<unsigned> threshold;  // lanes go on when more than so many are there
  // Registers; none: it is not in the code. Who is in the region and who has arrived, of those that have such a mask.
  int barrier = -1, all = -1, count = -1;

  /// Lanes rejoin by a copy of who is in the region: of a soft barrier, and where lanes come by that are not in it.
  bool has_all() const { return threshold || (!points.calls.empty() && !rejoins.empty()); }
  /// Lanes that have waited there are in the barrier behind it.
  bool is_joined_behind(isa::Pc wait) const { return rejoins.count(wait) != 0 || points.joins.count({wait}) != 0; }
};

/// Why something is in the code, or is not: for people (`heddle compile --barriers`).
struct BarrierDecision {
  std::size_t barrier = 0;  // index in BarrierList::barriers
  const char* operation = "";
  Place place;
  std::string why;
};

struct BarrierList {
  void decide(std::size_t barrier, const char* operation, Place place, std::string why) {
    decisions.push_back({barrier, operation, place, std::move(why)});
  }

  std::vector<Barrier> barriers;
  std::vector<BarrierDecision> decisions;
  std::vector<std::vector<bool>> may_be_in;  // [a][b]: who waits for a, in b. Without predictions nobody asks: none
};

/// As a barrier of the list is waited for.
BarrierRange range_of(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks, const Barrier& barrier);

/// Takes Joins away from which no Wait is reached, and Waits that nobody comes to in the barrier; says where, and why.
/// Of a prediction, Rejoins and Cancels are found for what is left.
void leave_out_what_no_lane_does(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks, BarrierList& list,
                                 std::size_t index, const std::string& why_no_join, const std::string& why_no_wait);

}  // namespace heddle::compiler
