// Convergence barriers of one SM at a design point, elaborated for their storage inventory and never run.
#pragma once

#include <systemc>

#include <memory>
#include <vector>

#include "rtl/config/design_points.h"

namespace heddle::report {

/// One unit a scheduler; the picker is the oldest group's, which keeps nothing beside the order of lanes.
std::vector<std::unique_ptr<sc_core::sc_module>> elaborate_barriers(const DesignPoint& point);

}  // namespace heddle::report
