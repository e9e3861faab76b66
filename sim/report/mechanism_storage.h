// The mechanisms of one SM at a design point: elaborated for their storage inventory, never run.
#pragma once

#include <systemc>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "rtl/config/design_points.h"

namespace heddle::report {

using Modules = std::vector<std::unique_ptr<sc_core::sc_module>>;

/// Single-path and dual-path stacks with their scoreboards and schedulers, as the SM has them.
Modules elaborate_stacks(const DesignPoint& point);
/// Dynamic warp formation, lane aware, with the Majority policy: what DWF Table 1 counts.
Modules elaborate_formation(const DesignPoint& point);
/// Expansion of affine tuples, and what the affine warp needs besides, its stack and ALU.
Modules elaborate_affine(const DesignPoint& point);
/// Convergence barriers, one unit a scheduler; the picker takes the oldest group, which needs nothing beside the order
/// of lanes.
Modules elaborate_barriers(const DesignPoint& point);
/// Warp-split tables, one unit a scheduler.
Modules elaborate_splits(const DesignPoint& point);

/// visit(constants of the point), for one that the program was built with.
/// \throws std::invalid_argument for another
template <class Visit>
Modules at_point(const DesignPoint& point, Visit&& visit) {
#define HEDDLE_TRY(candidate) \
  if (point.name == std::string(#candidate)) return visit(point::candidate());
  HEDDLE_DESIGN_POINTS(HEDDLE_TRY)
#undef HEDDLE_TRY
  throw std::invalid_argument("design point '" + std::string(point.name) + "' is not built");
}

/// One unit for each of so many schedulers.
template <class Unit>
Modules each_scheduler(const std::string& name, unsigned schedulers) {
  Modules units;
  for (unsigned s = 0; s < schedulers; ++s) {
    units.push_back(std::make_unique<Unit>((name + '_' + std::to_string(s)).c_str()));
  }
  return units;
}

}  // namespace heddle::report
