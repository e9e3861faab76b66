// Monte Carlo transport of light in layered tissue, in the style of MCML (Wang, Jacques, Zheng) on a GPU (DPE Table 2):
// a thread follows photons one after another, for so many steps a launch, and keeps the last one for the next launch. A
// step ends at a boundary of the layer, where the photon is mirrored, refracted or escapes, or inside, where it leaves
// some of its weight and is scattered; a light photon plays roulette. A lane whose photon is gone starts another.
//
// Every operation is correctly rounded and tallies are integers: the results have one value.
#include "../cuda_device.h"
#include "../include/heddle.h"
#include "photon_transport.h"

using namespace heddle::kernels::photon_transport;

static __device__ __forceinline__ unsigned cell(float distance, unsigned cells) {
  return static_cast<unsigned>(fminf(distance * CellsPerCm, static_cast<float>(cells - 1)));
}

/// Fresnel's reflectance of unpolarised light; the cosine behind the boundary too, if light gets there.
static __device__ __forceinline__ float reflectance(float from, float to, float cosine, float& cosine_behind) {
  const float ratio = from / to;
  const float sine_square_behind = ratio * ratio * (1 - cosine * cosine);
  if (sine_square_behind >= 1) return 1;
  cosine_behind = sqrtf(1 - sine_square_behind);
  const float across = (from * cosine - to * cosine_behind) / (from * cosine + to * cosine_behind);
  const float along = (from * cosine_behind - to * cosine) / (from * cosine_behind + to * cosine);
  return 0.5F * (across * across + along * along);
}

/// Henyey and Greenstein's distribution.
static __device__ __forceinline__ float scattering_cosine(float anisotropy, Draws& draws) {
  if (anisotropy == 0) return draws.symmetric();
  const float part = (1 - anisotropy * anisotropy) / (1 - anisotropy + 2 * anisotropy * draws.uniform());
  return (1 + anisotropy * anisotropy - part * part) / (2 * anisotropy);
}

static __device__ __forceinline__ void scatter(Photon& photon, float anisotropy, Draws& draws) {
  const float cosine = scattering_cosine(anisotropy, draws);
  const float sine = sqrtf(fmaxf(1 - cosine * cosine, 0));
  // A random point of the disc gives an azimuth without sine and cosine.
  float a, b, square;
  HEDDLE_ROLLED_LOOP
  do {
    a = draws.symmetric();
    b = draws.symmetric();
    square = a * a + b * b;
  } while (square > 1 || square == 0);
  const float azimuth_cosine = (a * a - b * b) / square, azimuth_sine = 2 * a * b / square;

  const float ux = photon.x_direction, uy = photon.y_direction, uz = photon.z_direction;
  if (fabsf(uz) > AlmostVertical) {
    photon.x_direction = sine * azimuth_cosine;
    photon.y_direction = sine * azimuth_sine;
    photon.z_direction = uz > 0 ? cosine : -cosine;
  } else {
    const float flat = sqrtf(1 - uz * uz);
    photon.x_direction = sine * (ux * uz * azimuth_cosine - uy * azimuth_sine) / flat + ux * cosine;
    photon.y_direction = sine * (uy * uz * azimuth_cosine + ux * azimuth_sine) / flat + uy * cosine;
    photon.z_direction = uz * cosine - sine * azimuth_cosine * flat;
  }
}

/// `streams`: one a thread. `absorbed`: [RadialCells][DepthCells], `escaped`: [above, below][RadialCells], in units.
extern "C" __global__ void photon_transport(const Layer* layers, unsigned layer_count, Stream* streams, unsigned steps,
                                            float first_weight, unsigned* absorbed, unsigned* escaped) {
  Draws draws = streams[global_thread()].draws;
  Photon photon = streams[global_thread()].photon;
  HEDDLE_PREDICT(inside);
  HEDDLE_ROLLED_LOOP
  for (unsigned count = 0; count < steps; ++count) {
    if (photon.weight == 0) photon = {0, 0, 0, 0, 0, 1, first_weight, 0};

    const Layer layer = layers[photon.layer];
    const bool down = photon.z_direction > 0;
    const float boundary = down ? layer.bottom : layer.top;
    const float to_boundary = photon.z_direction != 0 ? (boundary - photon.z) / photon.z_direction : VeryFar;
    const float free_step = -natural_logarithm(draws.positive()) * layer.free_path;
    const float step = fminf(free_step, to_boundary);
    photon.x += photon.x_direction * step;
    photon.y += photon.y_direction * step;
    const unsigned ring = cell(sqrtf(photon.x * photon.x + photon.y * photon.y), RadialCells);
    if (free_step >= to_boundary) {
      photon.z = boundary;
      const unsigned next_layer = down ? photon.layer + 1 : photon.layer - 1;  // past either end: outside
      const bool leaves = next_layer >= layer_count;
      const float refraction = leaves ? Air : layers[next_layer].refraction;
      float cosine_behind = 0;
      if (draws.uniform() < reflectance(layer.refraction, refraction, fabsf(photon.z_direction), cosine_behind)) {
        photon.z_direction = -photon.z_direction;
      } else if (leaves) {
        atomicAdd(&escaped[(down ? RadialCells : 0) + ring], static_cast<unsigned>(photon.weight * WeightUnits));
        photon.weight = 0;
      } else {
        const float ratio = layer.refraction / refraction;
        photon.x_direction *= ratio;
        photon.y_direction *= ratio;
        photon.z_direction = down ? cosine_behind : -cosine_behind;
        photon.layer = next_layer;
      }
    } else {
      HEDDLE_RECONVERGE(inside);
      photon.z += photon.z_direction * step;
      const float share = photon.weight * layer.absorbed_share;
      atomicAdd(&absorbed[ring * DepthCells + cell(photon.z, DepthCells)], static_cast<unsigned>(share * WeightUnits));
      photon.weight -= share;
      scatter(photon, layer.anisotropy, draws);
    }

    if (photon.weight < LightWeight && photon.weight > 0) {
      if (draws.uniform() < RouletteChance)
        photon.weight *= 1 / RouletteChance;
      else
        photon.weight = 0;
    }
  }
  streams[global_thread()] = {draws, photon};
}
// SPDX-License-Identifier: Apache-2.0
