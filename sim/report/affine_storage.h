// Decoupled affine computation at a design point, elaborated for its storage inventory and never run.
#pragma once

#include <systemc>

#include <memory>
#include <vector>

#include "rtl/config/design_points.h"

namespace heddle::report {

/// One SM's: the expansion of tuples, and what the affine warp needs besides, its stack and ALU.
std::vector<std::unique_ptr<sc_core::sc_module>> elaborate_affine(const DesignPoint& point);

}  // namespace heddle::report
