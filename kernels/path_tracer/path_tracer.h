// What host and device share of `path_tracer`. cuda_device.h, included first, makes these device functions.
#pragma once

#include "../vector.h"

namespace heddle::kernels::path_tracer {

constexpr unsigned MaxBounces = 16;
constexpr unsigned FirstRoulette = 1;  // the bounce from which on a path may be ended by Russian roulette
constexpr float Nearest = 1e-3F;       // a hit nearer than this is the surface that the ray leaves
constexpr float RefractiveIndex = 1.5F;

using kernels::Vector;

enum class Surface : unsigned { Diffuse, Mirror, Glass };

struct Sphere {
  Vector centre;
  float radius;
  Vector colour;
  float emission;  // a path ends where it is not 0
  Surface surface;
};

// No holes: the driver copies whole objects to the device and back.
static_assert(sizeof(Vector) == 3 * sizeof(float));
static_assert(sizeof(Sphere) == 9 * sizeof(float));

}  // namespace heddle::kernels::path_tracer
// SPDX-License-Identifier: Apache-2.0
