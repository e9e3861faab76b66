// SPDX-License-Identifier: Apache-2.0
// A warp has three numbers: of the SM, of the issue slice that schedules it, and of its CTA. They are different types,
// so that none stands where another is meant.
#pragma once

#include <cstdint>

namespace heddle {

template <class Of>
class WarpNumber {
 public:
  constexpr WarpNumber() = default;
  constexpr explicit WarpNumber(unsigned index) : index_(index) {}
  constexpr unsigned index() const { return index_; }
  friend constexpr bool operator==(WarpNumber a, WarpNumber b) { return a.index_ == b.index_; }

 private:
  unsigned index_ = 0;
};

using SmWarp = WarpNumber<struct OfSm>;        ///< a warp slot of the SM: a row of thread slots
using SliceWarp = WarpNumber<struct OfSlice>;  ///< of the warps that one scheduler has
using CtaWarp = WarpNumber<struct OfCta>;      ///< threads index x lanes and on of their CTA

/// Warps of an SM go round its schedulers: even and odd ones where there are two.
class Scheduling {
 public:
  explicit Scheduling(unsigned schedulers) : schedulers_(schedulers) {}
  unsigned schedulers() const { return schedulers_; }
  unsigned scheduler_of(SmWarp warp) const { return warp.index() % schedulers_; }
  SliceWarp in_slice(SmWarp warp) const { return SliceWarp(warp.index() / schedulers_); }
  SmWarp in_sm(unsigned scheduler, SliceWarp warp) const { return SmWarp(warp.index() * schedulers_ + scheduler); }

 private:
  unsigned schedulers_;
};

}  // namespace heddle
