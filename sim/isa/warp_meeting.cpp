// SPDX-License-Identifier: Apache-2.0
#include "sim/isa/warp_meeting.h"

#include "sim/isa/lanes.h"

namespace heddle::isa {

void WarpMeeting::arrive(unsigned lane, const Place& place) {
  places_[lane] = place;
  waiting_ |= bit(lane);
  without_mask_ = place.instruction->meets ? without_mask_ & ~bit(lane) : without_mask_ | bit(lane);
}

void WarpMeeting::exit(unsigned lane) {
  live_ &= ~bit(lane);
  unsettled_ = waiting_ != 0;
}

Lanes WarpMeeting::group(unsigned lane) const {
  const Place& place = places_[lane];
  Lanes same = 0;
  for_each_lane(waiting_ & ~without_mask_, [&](unsigned other) {
    const Place& its = places_[other];
    const bool matches = its.mask == place.mask && its.instruction->warp_op == place.instruction->warp_op &&
                         its.instruction->lane_limits == place.instruction->lane_limits;
    same |= Lanes{matches} << other;
  });
  return same;
}

Lanes WarpMeeting::complete_group(unsigned lane) const {
  const Lanes absent = places_[lane].mask & live_ & ~waiting_;  // most often somebody is: no need to compare places
  const bool waits = (waiting_ & ~without_mask_ & bit(lane)) != 0;
  return !waits || absent != 0 || missing(lane) != 0 ? 0 : group(lane);
}

Lanes WarpMeeting::take_unsettled() {
  const Lanes lanes = unsettled_ ? waiting_ : 0;
  unsettled_ = false;
  return lanes;
}

Lanes WarpMeeting::earliest_without_mask() const {
  const Instruction* earliest = nullptr;
  for_each_lane(lanes_without_mask(), [&](unsigned lane) {
    const Instruction* its = places_[lane].instruction;
    if (earliest == nullptr || its < earliest) earliest = its;
  });
  Lanes lanes = 0;
  for_each_lane(lanes_without_mask(),
                [&](unsigned lane) { lanes |= Lanes{places_[lane].instruction == earliest} << lane; });
  return lanes;
}

}  // namespace heddle::isa
