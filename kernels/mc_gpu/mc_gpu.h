// What kernel and CPU reference of `mc_gpu` share: voxels, materials and units. cuda_device.h, included first, makes
// these device functions.
#pragma once

#include "../hash.h"
#include "../logarithm.h"
#include "../vector.h"

namespace heddle::kernels::mc_gpu {

using kernels::Vector;

constexpr unsigned Side = 24;      // voxels of the cube, each as wide as the unit of length
constexpr unsigned Bins = 16;      // of energy
constexpr float KeVOfBin = 8;      // Bins times it is more than the hottest photon has
constexpr float RestEnergy = 511;  // of an electron, keV
constexpr float Lowest = 10;       // keV; what is below is deposited where it is
constexpr float Units = 64;        // tallies are integers, so that the order of additions does not matter

/// Interactions a unit of length, at the energies of one bin.
struct Attenuation {
  float photoelectric, compton, rayleigh;
};

struct Photon {
  Vector place, direction;
  float energy;  // keV
};

HEDDLE_DEVICE inline unsigned bin_of(float energy) {
  return static_cast<unsigned>(energy * (1 / KeVOfBin));
}
HEDDLE_DEVICE inline unsigned units(float energy) {
  return static_cast<unsigned>(energy * Units);
}
HEDDLE_DEVICE inline bool is_inside(Vector place) {
  return place.x >= 0 && place.x < Side && place.y >= 0 && place.y < Side && place.z >= 0 && place.z < Side;
}
HEDDLE_DEVICE inline unsigned voxel_at(Vector place) {
  return (static_cast<unsigned>(place.z) * Side + static_cast<unsigned>(place.y)) * Side +
         static_cast<unsigned>(place.x);
}

// No holes: the driver copies whole objects to the device.
static_assert(sizeof(Attenuation) == 3 * sizeof(float));

}  // namespace heddle::kernels::mc_gpu
// SPDX-License-Identifier: Apache-2.0
