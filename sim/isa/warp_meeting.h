// SPDX-License-Identifier: Apache-2.0
// Which lanes of one warp wait at warp-wide operations, in the oracle: threads arrive one by one, and a group goes on
// when the mask that its lanes name is complete.
#pragma once

#include <array>

#include "sim/isa/instruction.h"

namespace heddle::isa {

class WarpMeeting {
 public:
  struct Place {
    const Instruction* instruction = nullptr;
    Lanes mask = 0;  // of an operation that meets
  };

  /// This lane exists.
  void start(unsigned lane) { live_ |= bit(lane); }
  void arrive(unsigned lane, const Place& place);
  void exit(unsigned lane);
  void leave(Lanes lanes) { waiting_ &= ~lanes; }

  /// Waiting lanes that match this one: the same operation and the same mask.
  Lanes group(unsigned lane) const;
  /// Live lanes of its mask that are not in its group.
  Lanes missing(unsigned lane) const { return mask(lane) & live_ & ~group(lane); }
  Lanes mask(unsigned lane) const { return places_[lane].mask; }
  /// The group, if nobody is missing; else, or if the lane does not wait with a mask, none.
  Lanes complete_group(unsigned lane) const;

  /// Lanes that wait and may have become complete by an exit since the last call.
  Lanes take_unsettled();
  bool any_without_mask() const { return lanes_without_mask() != 0; }
  /// Lanes that wait at the earliest instruction of those without a mask.
  Lanes earliest_without_mask() const;

 private:
  static Lanes bit(unsigned lane) { return Lanes{1} << lane; }
  Lanes lanes_without_mask() const { return waiting_ & without_mask_; }

  std::array<Place, MaxLanes> places_{};
  Lanes live_ = 0, waiting_ = 0, without_mask_ = 0;
  bool unsettled_ = false;
};

}  // namespace heddle::isa
