// Monte Carlo light transport in a closed box with three balls, all made of spheres: one thread a pixel, sample after
// sample, each a path that bounces until it meets the lamp, is ended by Russian roulette, or has bounced often enough.
// In the style of the pathtracer of SR Table 2: a loop over samples around a loop with a random trip count. At each
// bounce the surface decides between three ways on: scattered, reflected, or through glass.
// Random numbers are hashes and all arithmetic is + - * / and sqrt: a path is the same, bit by bit, on a CPU.
#include "../cuda_device.h"
#include "../hash.h"
#include "../include/heddle.h"
#include "path_tracer.h"

using heddle::kernels::draw, heddle::kernels::hash;
using namespace heddle::kernels::path_tracer;

static __device__ __forceinline__ Vector normalised(Vector a) {
  return 1.0F / sqrtf(dot(a, a)) * a;
}

static __device__ __forceinline__ Vector reflected(Vector direction, Vector normal) {
  return direction - 2.0F * dot(direction, normal) * normal;
}

/// The index of the first sphere on the ray, `spheres` if none; `distance` is how far it is.
static __device__ __forceinline__ unsigned find_hit(const Sphere* scene, unsigned spheres, Vector origin,
                                                    Vector direction, float& distance) {
  unsigned hit = spheres;
  distance = 1e9F;
  HEDDLE_ROLLED_LOOP
  for (unsigned index = 0; index < spheres; ++index) {
    const Vector to_centre = scene[index].centre - origin;
    const float along = dot(to_centre, direction);
    const float radicand = along * along - dot(to_centre, to_centre) + scene[index].radius * scene[index].radius;
    if (radicand > 0) {
      const float half_chord = sqrtf(radicand);
      float candidate = along - half_chord;
      if (candidate < Nearest) candidate = along + half_chord;
      if (candidate >= Nearest && candidate < distance) {
        distance = candidate;
        hit = index;
      }
    }
  }
  return hit;
}

/// Lambert's law: the normal and a random direction, found by rejection, added.
static __device__ __forceinline__ Vector scattered(Vector normal, unsigned& state) {
  Vector offset;
  float square;
  HEDDLE_ROLLED_LOOP
  do {
    offset.x = 2.0F * draw(state) - 1.0F;
    offset.y = 2.0F * draw(state) - 1.0F;
    offset.z = 2.0F * draw(state) - 1.0F;
    square = dot(offset, offset);
  } while (square >= 1.0F || square < 1e-4F);
  return normalised(normal + 0.999F / sqrtf(square) * offset);  // shorter than the normal: the sum is not zero
}

/// Schlick's approximation decides between reflection and refraction.
static __device__ __forceinline__ Vector through_glass(Vector direction, Vector outward, unsigned& state) {
  const bool enters = dot(direction, outward) < 0;
  const Vector normal = enters ? outward : -1.0F * outward;
  const float ratio = enters ? 1.0F / RefractiveIndex : RefractiveIndex;
  const float cosine = -dot(direction, normal);
  const float radicand = 1.0F - ratio * ratio * (1.0F - cosine * cosine);
  if (radicand < 0) return reflected(direction, normal);
  const float other_cosine = sqrtf(radicand);
  const float missing = 1.0F - (enters ? cosine : other_cosine), square = missing * missing;
  if (draw(state) < 0.04F + 0.96F * (square * square * missing)) return reflected(direction, normal);
  return normalised(ratio * direction + (ratio * cosine - other_cosine) * normal);
}

extern "C" __global__ void path_tracer(const Sphere* scene, Vector* image, unsigned spheres, unsigned width,
                                       unsigned height, unsigned samples) {
  const unsigned pixel = global_thread();
  unsigned state = hash(pixel);
  Vector sum = {0, 0, 0};
  HEDDLE_PREDICT(bounce);
  HEDDLE_ROLLED_LOOP
  for (unsigned sample = 0; sample < samples; ++sample) {
    const float x = (static_cast<float>(pixel % width) + draw(state)) / static_cast<float>(width) - 0.5F;
    const float y = (static_cast<float>(pixel / width) + draw(state)) / static_cast<float>(height) - 0.5F;
    Vector origin = {0, 0, 2.9F}, direction = normalised({x, -y, -1.0F}), weight = {1, 1, 1};
    HEDDLE_ROLLED_LOOP
    for (unsigned bounce = 0; bounce < MaxBounces; ++bounce) {
      HEDDLE_RECONVERGE(bounce);
      float distance;
      const unsigned hit = find_hit(scene, spheres, origin, direction, distance);
      if (hit == spheres) break;
      const Sphere sphere = scene[hit];
      if (sphere.emission > 0) {
        sum = sum + sphere.emission * weight;
        break;
      }
      weight = weight * sphere.colour;
      if (bounce >= FirstRoulette) {
        const float survival = fmaxf(sphere.colour.x, fmaxf(sphere.colour.y, sphere.colour.z));
        if (draw(state) >= survival) break;
        weight = 1.0F / survival * weight;
      }
      origin = origin + distance * direction;
      const Vector outward = 1.0F / sphere.radius * (origin - sphere.centre);
      if (sphere.surface == Surface::Diffuse) {
        direction = scattered(dot(direction, outward) < 0 ? outward : -1.0F * outward, state);
      } else if (sphere.surface == Surface::Mirror) {
        direction = reflected(direction, outward);
      } else {
        direction = through_glass(direction, outward, state);
      }
    }
  }
  image[pixel] = sum;
}
// SPDX-License-Identifier: Apache-2.0
