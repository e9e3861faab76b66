// Dynamic warp formation at a design point, elaborated for its storage inventory and never run.
#pragma once

#include <systemc>

#include <memory>

#include "rtl/config/design_points.h"

namespace heddle::report {

/// Lane aware, with the Majority policy: what DWF Table 1 counts.
std::unique_ptr<sc_core::sc_module> elaborate_formation(const DesignPoint& point);

}  // namespace heddle::report
