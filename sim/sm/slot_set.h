// Sets of path slots of one issue scheduler: one bit a warp and side.
#pragma once

#include <cstdint>

#include "sim/sm/warp_numbers.h"

namespace heddle {

/// A warp in a set of them.
inline std::uint64_t bit(SliceWarp warp) {
  return std::uint64_t(1) << warp.index();
}

struct SlotSet {
  std::uint64_t side[2] = {0, 0};  ///< left, right

  bool has(SliceWarp warp, bool right) const { return side[right] >> warp.index() & 1; }
  void set(SliceWarp warp, bool right, bool on = true) {
    side[right] = on ? side[right] | bit(warp) : side[right] & ~bit(warp);
  }
  bool any() const { return (side[0] | side[1]) != 0; }
  std::uint64_t warps() const { return side[0] | side[1]; }

  friend SlotSet operator&(SlotSet a, SlotSet b) { return {{a.side[0] & b.side[0], a.side[1] & b.side[1]}}; }
  friend SlotSet operator|(SlotSet a, SlotSet b) { return {{a.side[0] | b.side[0], a.side[1] | b.side[1]}}; }
  friend SlotSet operator~(SlotSet a) { return {{~a.side[0], ~a.side[1]}}; }
  friend bool operator==(SlotSet a, SlotSet b) { return a.side[0] == b.side[0] && a.side[1] == b.side[1]; }
};

/// Both slots of each of these warps.
inline SlotSet both_sides(std::uint64_t warps) {
  return {{warps, warps}};
}

/// Calls visit(warp) for each bit.
template <class Visit>
void for_each_warp(std::uint64_t warps, Visit&& visit) {
  for (; warps != 0; warps &= warps - 1) visit(SliceWarp(static_cast<unsigned>(__builtin_ctzll(warps))));
}

/// Calls visit(warp, right) for each slot of the set.
template <class Visit>
void for_each_slot(const SlotSet& set, Visit&& visit) {
  for (unsigned s = 0; s < 2; ++s) {
    for (std::uint64_t rest = set.side[s]; rest != 0; rest &= rest - 1) {
      visit(SliceWarp(static_cast<unsigned>(__builtin_ctzll(rest))), s != 0);
    }
  }
}

}  // namespace heddle
