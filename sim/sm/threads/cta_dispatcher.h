// SPDX-License-Identifier: Apache-2.0
// Hands out the CTAs of a launch to the SMs of the GPU.
//
// The first ones go round: SM s gets CTAs s, s + SMs, s + 2 SMs ... as long as each SM has room for one more, as a GPU
// hands them out; they come with the launch. Those that are left go, in their order, to whichever SM asks first, which has
// them `dispatch_latency` cycles later (sim/sm/threads/cta_unit.h).
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "sim/isa/launch.h"

namespace heddle {

class CtaDispatcher {
 public:
  /// \param ctas_per_sm  what an empty SM holds at once, at least 1
  void start(const isa::Dim3& grid, unsigned sms, unsigned ctas_per_sm) {
    grid_ = grid;
    firsts_.assign(sms, 0);
    ctas_per_sm_ = ctas_per_sm;
    next_ = std::uint64_t(sms) * ctas_per_sm;
  }
  /// CTAs that SMs have taken.
  std::uint64_t started() const {
    return std::accumulate(firsts_.begin(), firsts_.end(), next_ - firsts_.size() * ctas_per_sm_);
  }
  /// Is there nothing left for this SM?
  bool empty(unsigned sm) const { return (is_first(sm) ? first(sm) : next_) >= grid_.count(); }
  /// Does the next one come with the launch?
  bool is_first(unsigned sm) const { return firsts_[sm] != ctas_per_sm_; }
  /// The next one; !empty(sm).
  isa::Dim3 next(unsigned sm) {
    if (!is_first(sm)) return isa::coordinates(next_++, grid_);
    const std::uint64_t cta = first(sm);
    ++firsts_[sm];
    return isa::coordinates(cta, grid_);
  }

 private:
  std::uint64_t first(unsigned sm) const { return sm + firsts_[sm] * firsts_.size(); }

  isa::Dim3 grid_{0, 0, 0};
  std::vector<std::uint64_t> firsts_;  ///< by SM: how many of its first CTAs it has taken
  std::uint64_t ctas_per_sm_ = 1;
  std::uint64_t next_ = 0;  ///< behind the first ones
};

}  // namespace heddle
