// SPDX-License-Identifier: Apache-2.0
// Sets of path slots of one issue scheduler: one bit a warp and path. A path slot is (warp, k), k < Paths; of two paths
// k is the side of the blocks: 0 left, 1 right.
#pragma once

#include <cstdint>

#include "sim/sm/links/warp_numbers.h"

namespace heddle {

/// A warp in a set of them.
inline std::uint64_t bit(SliceWarp warp) {
  return std::uint64_t(1) << warp.index();
}

/// The most paths of a warp that a reference shows: one a lane.
inline constexpr unsigned MostPaths = 32;

template <unsigned Paths>
struct SlotSet {
  std::uint64_t path[Paths] = {};  ///< the warps that have slot (warp, k) in the set

  bool has(SliceWarp warp, unsigned k) const { return path[k] >> warp.index() & 1; }
  void set(SliceWarp warp, unsigned k, bool on = true) { path[k] = on ? path[k] | bit(warp) : path[k] & ~bit(warp); }
  bool any() const { return warps() != 0; }
  /// Those with any slot in the set.
  std::uint64_t warps() const {
    std::uint64_t all = 0;
    for (const std::uint64_t of : path) all |= of;
    return all;
  }

  friend SlotSet operator&(SlotSet a, const SlotSet& b) {
    for (unsigned k = 0; k < Paths; ++k) a.path[k] &= b.path[k];
    return a;
  }
  friend SlotSet operator|(SlotSet a, const SlotSet& b) {
    for (unsigned k = 0; k < Paths; ++k) a.path[k] |= b.path[k];
    return a;
  }
  friend SlotSet operator~(SlotSet a) {
    for (std::uint64_t& of : a.path) of = ~of;
    return a;
  }
  friend bool operator==(const SlotSet& a, const SlotSet& b) {
    bool same = true;
    for (unsigned k = 0; k < Paths; ++k) same = same && a.path[k] == b.path[k];
    return same;
  }
};

/// All slots of each of these warps.
template <unsigned Paths>
SlotSet<Paths> all_paths(std::uint64_t warps) {
  SlotSet<Paths> all;
  for (std::uint64_t& of : all.path) of = warps;
  return all;
}

/// Calls visit(warp) for each bit.
template <class Visit>
void for_each_warp(std::uint64_t warps, Visit&& visit) {
  for (; warps != 0; warps &= warps - 1) visit(SliceWarp(static_cast<unsigned>(__builtin_ctzll(warps))));
}

/// Calls visit(warp, k) for each slot of the set.
template <unsigned Paths, class Visit>
void for_each_slot(const SlotSet<Paths>& set, Visit&& visit) {
  for (unsigned k = 0; k < Paths; ++k) {
    for (std::uint64_t rest = set.path[k]; rest != 0; rest &= rest - 1) {
      visit(SliceWarp(static_cast<unsigned>(__builtin_ctzll(rest))), k);
    }
  }
}

}  // namespace heddle
