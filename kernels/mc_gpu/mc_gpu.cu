// Monte Carlo transport of x-rays through a body of voxels, in the style of MC-GPU (SR Table 2): a thread follows one
// photon after another. Free paths are those of the densest material (Woodcock), so that a photon need not stop at every
// voxel's side: where it stops, it interacts with a chance that the voxel's material decides. It is absorbed
// (photoelectric), loses energy and turns (Compton), turns only (Rayleigh), or goes on. A loop over photons around one
// with a random trip count (SR Fig. 2(b)).
//
// Every operation is correctly rounded and tallies are integers: the results have one value.
#include "../cuda_device.h"
#include "../include/heddle.h"
#include "mc_gpu.h"

using heddle::kernels::draw, heddle::kernels::hash, heddle::kernels::natural_logarithm;
using namespace heddle::kernels::mc_gpu;

/// Uniform on the sphere, by rejection.
static __device__ __forceinline__ Vector any_direction(unsigned& state) {
  Vector way;
  float square;
  HEDDLE_ROLLED_LOOP
  do {
    way.x = 2 * draw(state) - 1;
    way.y = 2 * draw(state) - 1;
    way.z = 2 * draw(state) - 1;
    square = dot(way, way);
  } while (square > 1 || square < 1e-4F);
  return 1 / sqrtf(square) * way;
}

/// Klein and Nishina's distribution, by rejection: the energy changes with the direction.
static __device__ __forceinline__ void compton(Photon& photon, unsigned& state) {
  Vector way;
  float ratio, chance;
  HEDDLE_ROLLED_LOOP
  do {
    way = any_direction(state);
    const float cosine = dot(way, photon.direction);
    ratio = 1 / (1 + photon.energy / RestEnergy * (1 - cosine));
    chance = 0.5F * ratio * ratio * (ratio + 1 / ratio - (1 - cosine * cosine));
  } while (draw(state) >= chance);
  photon.direction = way;
  photon.energy *= ratio;
}

/// Thomson's distribution, by rejection.
static __device__ __forceinline__ void rayleigh(Photon& photon, unsigned& state) {
  Vector way;
  float cosine;
  HEDDLE_ROLLED_LOOP
  do {
    way = any_direction(state);
    cosine = dot(way, photon.direction);
  } while (2 * draw(state) >= 1 + cosine * cosine);
  photon.direction = way;
}

/// `table`: [materials][Bins]; `largest`: [Bins], of all interactions together; `body`: a material a voxel;
/// `deposited`: energy a voxel; `detected`: energy [Side][Side] behind the body.
extern "C" __global__ void mc_gpu(const Attenuation* table, const float* largest, const unsigned* body,
                                  unsigned photons, unsigned* deposited, unsigned* detected) {
  const unsigned thread = global_thread();
  HEDDLE_PREDICT(flight);
  HEDDLE_ROLLED_LOOP
  for (unsigned count = 0; count < photons; ++count) {
    unsigned state = hash(thread * photons + count);
    Photon photon = {{0, 0, 0}, {1, 0, 0}, 0};
    photon.place.y = Side * (0.25F + 0.5F * draw(state));
    photon.place.z = Side * (0.25F + 0.5F * draw(state));
    photon.energy = 40 + 80 * draw(state);
    HEDDLE_ROLLED_LOOP
    while (photon.energy > 0) {
      HEDDLE_RECONVERGE(flight);
      const unsigned bin = bin_of(photon.energy);
      const float path = -natural_logarithm(1 - draw(state)) / largest[bin];
      photon.place = photon.place + path * photon.direction;
      if (!is_inside(photon.place)) {
        // Back along the way to the detector's plane.
        const float beyond = photon.place.x - Side;
        if (beyond >= 0 && photon.direction.x > 0) {
          const Vector at = photon.place - beyond / photon.direction.x * photon.direction;
          if (at.y >= 0 && at.y < Side && at.z >= 0 && at.z < Side)
            atomicAdd(&detected[static_cast<unsigned>(at.z) * Side + static_cast<unsigned>(at.y)],
                      units(photon.energy));
        }
        break;
      }
      const unsigned voxel = voxel_at(photon.place);
      const Attenuation here = table[body[voxel] * Bins + bin];
      const float before = photon.energy, chance = draw(state) * largest[bin];
      if (chance < here.photoelectric) {
        photon.energy = 0;
      } else if (chance < here.photoelectric + here.compton) {
        compton(photon, state);
        if (photon.energy < Lowest) photon.energy = 0;
      } else if (chance < here.photoelectric + here.compton + here.rayleigh) {
        rayleigh(photon, state);
      }
      if (photon.energy < before) atomicAdd(&deposited[voxel], units(before - photon.energy));
    }
  }
}
// SPDX-License-Identifier: Apache-2.0
