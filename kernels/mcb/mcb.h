// What kernel and CPU reference of `mcb` share: the mesh, the materials, and how a particle begins. cuda_device.h,
// included first, makes these device functions.
#pragma once

#include "../hash.h"
#include "../logarithm.h"

namespace heddle::kernels::mcb {

constexpr unsigned Side = 16;  // cells of the square mesh, each as wide as the unit of length
constexpr float Census = 24;   // time after which a history ends
constexpr float Never = 1e9F;
constexpr float Slowest = 0.25F;

/// Of a cell, by what it is made of.
struct Material {
  float free_time;       // mean time to the next collision
  float absorbed_share;  // of the collisions that end a particle
};

/// How a history ends.
enum End : unsigned { Absorbed, Escaped, Counted, Ends };

/// A component of a velocity: never zero.
HEDDLE_DEVICE inline float draw_speed(unsigned& state) {
  const float value = 2 * draw(state) - 1;
  return value < 0 ? value - Slowest : value + Slowest;
}

// No holes: the driver copies whole objects to the device.
static_assert(sizeof(Material) == 2 * sizeof(float));

}  // namespace heddle::kernels::mcb
// SPDX-License-Identifier: Apache-2.0
