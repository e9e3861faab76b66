// SPDX-License-Identifier: Apache-2.0
// Hands out the CTAs of a launch to the SMs of the GPU.
//
// The first ones go round: SM s gets CTAs s, s + SMs, s + 2 SMs ... as long as each SM has room for one more, as a GPU
// deals them. Those that are left go, in their order, to whichever SM has room first.
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
    dealt_.assign(sms, 0);
    ctas_per_sm_ = ctas_per_sm;
    next_ = std::uint64_t(sms) * ctas_per_sm;
  }
  /// CTAs that SMs have taken.
  std::uint64_t started() const {
    return std::accumulate(dealt_.begin(), dealt_.end(), next_ - dealt_.size() * ctas_per_sm_);
  }
  /// Is there nothing left for this SM?
  bool empty(unsigned sm) const { return (dealt_[sm] == ctas_per_sm_ ? next_ : dealt(sm)) >= grid_.count(); }
  /// The next one; !empty(sm).
  isa::Dim3 next(unsigned sm) {
    if (dealt_[sm] == ctas_per_sm_) return isa::coordinates(next_++, grid_);
    const std::uint64_t cta = dealt(sm);
    ++dealt_[sm];
    return isa::coordinates(cta, grid_);
  }

 private:
  std::uint64_t dealt(unsigned sm) const { return sm + dealt_[sm] * dealt_.size(); }

  isa::Dim3 grid_{0, 0, 0};
  std::vector<std::uint64_t> dealt_;  ///< by SM: CTAs of the deal that it has taken
  std::uint64_t ctas_per_sm_ = 1;
  std::uint64_t next_ = 0;  ///< after the deal
};

}  // namespace heddle
