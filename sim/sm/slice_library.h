// Where the hardware blocks of an SM come from: they are templates on widths and depths, compiled for a design point
// (scripts/slice_point) into a library for each family, which is loaded here.
#pragma once

#include <memory>
#include <string>

#include "rtl/config/design_points.h"
#include "sim/sm/mechanisms.h"
#include "sim/twin/twin.h"

namespace heddle {

/// What the library of a family has under this name at a point's widths and depths; null: nothing.
/// \throws std::runtime_error for a point whose library was not built
void* slice_factory(const std::string& family, const DesignPoint& point, const char* factory);

/// The twin that stands in place of this block, loaded; null: the block stands there itself.
/// \throws std::runtime_error if the twin's library cannot be loaded
std::unique_ptr<Twin> twin_of(const std::string& block, const Twins& twins);

/// Where the block of this hierarchical name is recorded: only that of the first scheduler of the first SM is, and of
/// several alike, which SystemC numbers, the first. Null: not.
const RecordingTo* recording_of(const std::string& name, const Twins& twins);

}  // namespace heddle
