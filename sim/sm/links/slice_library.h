// SPDX-License-Identifier: Apache-2.0
// Where the hardware blocks of an SM come from: they are templates on widths and depths, compiled for a design point
// (scripts/slice_point) into a library for each family, which is loaded here.
#pragma once

#include <string>

#include "rtl/config/design_points.h"

namespace heddle {

/// What the library of a family has under this name at a point's widths and depths; null: nothing.
/// \throws std::runtime_error for a point whose library was not built
void* slice_factory(const std::string& family, const DesignPoint& point, const char* factory);

}  // namespace heddle
