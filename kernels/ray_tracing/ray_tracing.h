// The scene of `ray_tracing`, as kernel and CPU reference see it. cuda_device.h, included first, gives HEDDLE_DEVICE
// its meaning on the device.
#pragma once

#include "../vector.h"

namespace heddle::kernels::ray_tracing {

using kernels::Vector;

struct Sphere {
  Vector centre;
  float radius;
  Vector colour;     // red, green, blue, of 1
  float reflection;  // how much of the light that arrives is mirrored
};

constexpr unsigned TileWidth = 16, TileHeight = 8;  // threads a block: pixels
constexpr unsigned MaxBounces = 5;
constexpr float NearestDistance = 0.001F;  // so that a ray does not hit the surface that it leaves
constexpr float FarthestDistance = 200;
constexpr float LeastWeight = 0.02F;  // of a reflected ray that is worth following
constexpr float FloorReflection = 0.25F, Ambient = 0.125F;
constexpr Vector Camera = {0, 2, -9};
constexpr Vector Light = {-8, 12, -6};

// No holes: the driver copies whole objects to the device and back.
static_assert(sizeof(Sphere) == 8 * sizeof(float));

}  // namespace heddle::kernels::ray_tracing
// SPDX-License-Identifier: Apache-2.0
