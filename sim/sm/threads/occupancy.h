// SPDX-License-Identifier: Apache-2.0
// How many CTAs of a kernel an SM holds at once, and what sets the limit.
#pragma once

#include <string>

#include "rtl/config/design_points.h"
#include "sim/isa/instruction.h"

namespace heddle {

struct Occupancy {
  unsigned ctas = 0;   ///< 0: not even one fits
  unsigned warps = 0;  ///< of these CTAs
  std::string limit;   ///< "warps", "blocks", "registers" or "shared memory": the first of those that allow no more
};

/// CTAs of `threads` threads, with so many bytes of shared memory beside the program's own, that start on an empty SM,
/// all of it free to them: what sm::start_ctas fills it with.
Occupancy occupancy(const isa::Program& program, unsigned threads, const DesignPoint& point,
                    std::uint64_t dynamic_shared = 0);

}  // namespace heddle
