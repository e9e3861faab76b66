// Ray tracing of spheres above a chequered floor, with one light, shadows, highlights and mirrored rays. A thread
// follows the rays of one pixel. In the style of the ray tracer among GPGPU-Sim's benchmarks (RAY of DPE Table 2): a
// loop over bounces around loops over objects; what a ray hits decides what is computed. Every operation is correctly
// rounded.
#include "../cuda_device.h"
#include "../include/heddle.h"
#include "ray_tracing.h"

using namespace heddle::kernels::ray_tracing;

static constexpr unsigned Nothing = 0xffffffffU, Floor = 0xfffffffeU;

/// The distance at which the ray enters the sphere, or FarthestDistance.
static __device__ __forceinline__ float distance_to(const Sphere& sphere, Vector origin, Vector direction) {
  const Vector to_centre = sphere.centre - origin;
  const float along = dot(to_centre, direction);
  const float beside = dot(to_centre, to_centre) - along * along;
  const float inside = sphere.radius * sphere.radius - beside;
  if (inside <= 0) return FarthestDistance;
  const float distance = along - sqrtf(inside);
  return distance > NearestDistance ? distance : FarthestDistance;
}

static __device__ __forceinline__ unsigned quantised(float channel) {
  return static_cast<unsigned>(fminf(channel, 1) * 255);
}

/// One word a pixel: red in the low byte, then green and blue.
extern "C" __global__ void ray_tracing(const Sphere* spheres, unsigned sphere_count, unsigned* image) {
  const unsigned column = blockIdx.x * TileWidth + threadIdx.x, row = blockIdx.y * TileHeight + threadIdx.y;
  const unsigned width = gridDim.x * TileWidth, height = gridDim.y * TileHeight;
  Vector origin = Camera;
  Vector direction = {(static_cast<float>(column) + 0.5F - static_cast<float>(width) / 2) / static_cast<float>(height),
                      (static_cast<float>(height) / 2 - 0.5F - static_cast<float>(row)) / static_cast<float>(height),
                      1};
  direction = direction * (1 / sqrtf(dot(direction, direction)));
  Vector colour = {0, 0, 0};
  float weight = 1;

  HEDDLE_PREDICT(shadow);
  HEDDLE_ROLLED_LOOP
  for (unsigned bounce = 0; bounce < MaxBounces && weight > LeastWeight; ++bounce) {
    float nearest = FarthestDistance;
    unsigned hit = Nothing;
    HEDDLE_ROLLED_LOOP
    for (unsigned index = 0; index < sphere_count; ++index) {
      const float distance = distance_to(spheres[index], origin, direction);
      if (distance < nearest) {
        nearest = distance;
        hit = index;
      }
    }
    if (direction.y < 0) {
      const float distance = origin.y / -direction.y;
      if (distance > NearestDistance && distance < nearest) {
        nearest = distance;
        hit = Floor;
      }
    }
    if (hit == Nothing) {
      const float up = direction.y * 0.5F + 0.5F;
      colour = colour + Vector{1 - 0.5F * up, 1 - 0.25F * up, 1} * weight;
      break;
    }

    const Vector point = origin + direction * nearest;
    Vector normal, surface;
    float reflection;
    if (hit == Floor) {
      const int cell = static_cast<int>(floorf(point.x)) + static_cast<int>(floorf(point.z));
      const float shade = (cell & 1) != 0 ? 0.875F : 0.25F;
      normal = {0, 1, 0};
      surface = Vector{shade, shade, shade} * (20 / (20 + nearest));
      reflection = FloorReflection;
    } else {
      const Sphere& sphere = spheres[hit];
      normal = (point - sphere.centre) * (1 / sphere.radius);
      surface = sphere.colour;
      reflection = sphere.reflection;
    }
    const Vector mirrored = direction - normal * (2 * dot(direction, normal));

    const Vector to_light = Light - point;
    const float light_distance = sqrtf(dot(to_light, to_light));
    const Vector light_direction = to_light * (1 / light_distance);
    const float slope = dot(normal, light_direction);
    Vector local = surface * Ambient;
    if (slope > 0) {
      HEDDLE_RECONVERGE(shadow);
      unsigned blocker = 0;
      HEDDLE_ROLLED_LOOP
      while (blocker < sphere_count && distance_to(spheres[blocker], point, light_direction) >= light_distance)
        ++blocker;
      if (blocker == sphere_count) {
        float highlight = fmaxf(dot(mirrored, light_direction), 0);
        for (unsigned square = 0; square < 4; ++square) highlight *= highlight;
        highlight *= 0.5F;
        local = local + surface * slope + Vector{highlight, highlight, highlight};
      }
    }
    colour = colour + local * (weight * (1 - reflection));
    weight *= reflection;
    origin = point;
    direction = mirrored;
  }
  image[row * width + column] = quantised(colour.x) | quantised(colour.y) << 8 | quantised(colour.z) << 16;
}
// SPDX-License-Identifier: Apache-2.0
