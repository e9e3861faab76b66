// SPDX-License-Identifier: Apache-2.0
// Programs that an SM cannot run, known before they start.
#pragma once

#include <string>

#include "rtl/config/design_points.h"
#include "sim/isa/instruction.h"
#include "sim/sm/links/mechanisms.h"

namespace heddle {

/// Why, with what would run it; empty: it runs.
std::string why_refused(const isa::Program& program, const Mechanism& mechanism, const DesignPoint& point);

}  // namespace heddle
