// What kernel and CPU reference of `photon_transport` share: the medium, the tallies and random numbers.
// cuda_device.h, included first, gives HEDDLE_DEVICE its meaning on the device.
#pragma once

#include "../logarithm.h"

namespace heddle::kernels::photon_transport {

using kernels::natural_logarithm;

/// A slab from depth `top` to `bottom`, in cm.
struct Layer {
  float top, bottom;
  float refraction;      // index of refraction
  float free_path;       // mean way to the next interaction, cm
  float absorbed_share;  // of the weight, at an interaction
  float anisotropy;      // mean cosine of the angle of scattering
};

constexpr float Air = 1;                               // index of refraction above and below the layers
constexpr unsigned RadialCells = 64, DepthCells = 64;  // the last ones also take what is beyond
constexpr float CellsPerCm = 128;
constexpr float WeightUnits = 16384;  // tallies are integers, so that the order of additions does not matter
constexpr float LightWeight = 0.01F;  // below it a photon plays roulette
constexpr float RouletteChance = 0.1F;
constexpr float AlmostVertical = 0.99999F;
constexpr float VeryFar = 1e9F;

/// A linear congruential generator (multiplier of Knuth's MMIX), a stream a thread. The high bits are used.
struct Draws {
  unsigned long long state;

  HEDDLE_DEVICE unsigned next() {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<unsigned>(state >> 40);
  }
  /// In [0, 1), steps of 2^-24.
  HEDDLE_DEVICE float uniform() { return static_cast<float>(next()) * 0x1p-24F; }
  /// In (0, 1].
  HEDDLE_DEVICE float positive() { return static_cast<float>(next() + 1) * 0x1p-24F; }
  /// In [-1, 1).
  HEDDLE_DEVICE float symmetric() { return static_cast<float>(next()) * 0x1p-23F - 1; }
};

/// Where a photon is and goes, in cm. Weight 0: it is gone.
struct Photon {
  float x, y, z;
  float x_direction, y_direction, z_direction;
  float weight;
  unsigned layer;
};

/// One photon after another, and the random numbers that it gets.
struct Stream {
  Draws draws;
  Photon photon;
};

// No holes: the driver copies whole objects to the device and back.
static_assert(sizeof(Layer) == 6 * sizeof(float));
static_assert(sizeof(Stream) == sizeof(unsigned long long) + 8 * sizeof(float));

}  // namespace heddle::kernels::photon_transport
// SPDX-License-Identifier: Apache-2.0
