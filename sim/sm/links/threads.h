// SPDX-License-Identifier: Apache-2.0
// Thread slots: where a thread lives in the SM, and which of them an instruction in flight carries.
#pragma once

#include <array>
#include <cstdint>

#include "sim/isa/lanes.h"
#include "sim/sm/links/warp_numbers.h"

namespace heddle {

/// A row of registers and the lane that they belong to (the home lane). A row is a warp slot of the SM.
struct ThreadSlot {
  SmWarp row;
  unsigned home = 0;
};

/// The thread slot of each lane of an instruction. With the stacks, splits and convergence barriers all lanes carry
/// threads of one row, each in its home lane; with dynamic warp formation they may carry any (DWF sec. 4).
class Threads {
 public:
  Threads() = default;
  /// Each of these lanes its own thread of this row.
  explicit Threads(SmWarp row, isa::Lanes lanes = ~isa::Lanes(0)) : row_(row), lanes_(lanes) {}

  bool in_one_row() const { return one_row_; }
  /// The lanes that carry a thread.
  isa::Lanes lanes() const { return lanes_; }
  /// \pre in_one_row()
  SmWarp row() const { return row_; }
  ThreadSlot operator[](unsigned lane) const {
    if (one_row_) return {row_, lane};
    return {SmWarp(places_[lane].row), places_[lane].home};
  }

  /// This lane, which carries one, carries another thread.
  void set(unsigned lane, ThreadSlot slot) {
    if (one_row_) {
      for (unsigned l = 0; l < isa::MaxLanes; ++l) places_[l] = {std::uint16_t(row_.index()), std::uint8_t(l)};
      one_row_ = false;
    }
    places_[lane] = {std::uint16_t(slot.row.index()), std::uint8_t(slot.home)};
  }

 private:
  struct Place {
    std::uint16_t row;
    std::uint8_t home;
  };
  SmWarp row_;
  isa::Lanes lanes_ = ~isa::Lanes(0);
  bool one_row_ = true;
  std::array<Place, isa::MaxLanes> places_;  // unless they are in one row
};

/// Calls visit(row, lanes of the instruction that carry threads of it) for each row of these lanes.
template <class Visit>
void for_each_row(const Threads& threads, isa::Lanes lanes, Visit&& visit) {
  if (threads.in_one_row()) {
    if (lanes != 0) visit(threads.row(), lanes);
    return;
  }
  for (isa::Lanes rest = lanes; rest != 0;) {
    const SmWarp row = threads[static_cast<unsigned>(__builtin_ctz(rest))].row;
    isa::Lanes its = 0;
    isa::for_each_lane(rest, [&](unsigned lane) { its |= isa::Lanes(threads[lane].row == row) << lane; });
    visit(row, its);
    rest &= ~its;
  }
}

/// The home lanes of what these lanes carry: of one row.
inline isa::Lanes homes(const Threads& threads, isa::Lanes lanes) {
  if (threads.in_one_row()) return lanes;
  isa::Lanes at_home = 0;
  isa::for_each_lane(lanes, [&](unsigned lane) { at_home |= isa::Lanes(1) << threads[lane].home; });
  return at_home;
}

}  // namespace heddle
