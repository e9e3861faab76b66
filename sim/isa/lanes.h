// SPDX-License-Identifier: Apache-2.0
// Sets of lanes: what everybody does with them.
#pragma once

#include "sim/isa/instruction.h"

namespace heddle::isa {

inline unsigned count_of(Lanes lanes) {
  return static_cast<unsigned>(__builtin_popcount(lanes));
}

/// Lanes 0 to count - 1.
inline Lanes first_lanes(unsigned count) {
  return static_cast<Lanes>((std::uint64_t{1} << count) - 1);
}

/// Calls visit(lane), from the lowest on.
template <class Visit>
void for_each_lane(Lanes lanes, Visit&& visit) {
  for (; lanes != 0; lanes &= lanes - 1) visit(static_cast<unsigned>(__builtin_ctz(lanes)));
}

}  // namespace heddle::isa
