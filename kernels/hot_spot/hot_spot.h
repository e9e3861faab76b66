// What kernel and driver of `hot_spot` agree on.
#pragma once

namespace heddle::kernels::hot_spot {

constexpr int HotSpotTile = 16;           // a block of so many by so many threads, a cell each
constexpr int HotSpotStepsPerLaunch = 2;  // a ghost zone is as wide

/// The chip as a network of thermal resistors and capacitors: what a step adds to a cell, a unit of difference each.
struct HotSpotChip {
  float per_power, per_row, per_column, per_ambient, ambient;
};

}  // namespace heddle::kernels::hot_spot
// SPDX-License-Identifier: Apache-2.0
