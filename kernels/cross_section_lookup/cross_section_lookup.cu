// Macroscopic cross sections of a material from tables: a binary search on the union of all nuclides' energies, then
// for each nuclide of the material the interval of its own grid, which the union's table names, and an interpolation.
// One thread does several lookups one after the other, in the style of XSBench as SR sec. 5.1 describes it: an inner
// loop with a trip count that depends on the material, and an expensive epilog, which here draws the reaction: the
// neutron scatters several times and goes on with less energy, or is absorbed and another one is born.
#include "../cuda_device.h"
#include "../hash.h"
#include "../include/heddle.h"
#include "cross_section_lookup.h"

using heddle::kernels::draw, heddle::kernels::hash;
using namespace heddle::kernels::cross_section_lookup;

/// In [0, 1), more often in the middle.
static __device__ __forceinline__ float birth_energy(unsigned& state) {
  const float first = draw(state), second = draw(state), third = draw(state);
  return (first + second + third) / 3.0F;
}

/// The highest point of the union that is not above the energy, but neither the last one.
static __device__ __forceinline__ unsigned find_interval(const float* energies, unsigned points, float energy) {
  unsigned low = 0, high = points - 1;
  HEDDLE_ROLLED_LOOP
  while (high - low > 1) {
    const unsigned middle = (low + high) / 2;
    if (energies[middle] > energy)
      high = middle;
    else
      low = middle;
  }
  return low;
}

extern "C" __global__ void cross_section_lookup(const unsigned* material_first, const unsigned* material_nuclides,
                                                const float* densities, const float* material_share,
                                                const float* union_energies, const unsigned* union_points,
                                                const GridPoint* grids, Score* scores, unsigned lookups) {
  unsigned state = hash(global_thread()), scatterings = 0;
  CrossSections sums = {0, 0, 0, 0, 0};
  float energy = birth_energy(state);
  HEDDLE_PREDICT(nuclide);
  HEDDLE_ROLLED_LOOP
  for (unsigned lookup = 0; lookup < lookups; ++lookup) {
    const float pick = draw(state);
    unsigned material = 0;
    HEDDLE_ROLLED_LOOP
    while (pick >= material_share[material]) ++material;
    const unsigned interval = find_interval(union_energies, Nuclides * PointsPerNuclide, energy);

    CrossSections macro = {0, 0, 0, 0, 0};
    const unsigned first = material_first[material], end = material_first[material + 1];
    HEDDLE_ROLLED_LOOP
    for (unsigned entry = first; entry < end; ++entry) {
      HEDDLE_RECONVERGE(nuclide);
      const unsigned nuclide = material_nuclides[entry];
      const GridPoint* low = grids + nuclide * PointsPerNuclide + union_points[interval * Nuclides + nuclide];
      const GridPoint* high = low + 1;
      const float density = densities[entry];
      const float fraction = (high->energy - energy) / (high->energy - low->energy);
      macro.total += density * (high->at.total - fraction * (high->at.total - low->at.total));
      macro.elastic += density * (high->at.elastic - fraction * (high->at.elastic - low->at.elastic));
      macro.absorption += density * (high->at.absorption - fraction * (high->at.absorption - low->at.absorption));
      macro.fission += density * (high->at.fission - fraction * (high->at.fission - low->at.fission));
      macro.neutrons += density * (high->at.neutrons - fraction * (high->at.neutrons - low->at.neutrons));
    }
    sums.total += macro.total;
    sums.elastic += macro.elastic;
    sums.absorption += macro.absorption;
    sums.fission += macro.fission;
    sums.neutrons += macro.neutrons;

    if (draw(state) * macro.total < macro.elastic) {
      for (unsigned collision = 0; collision < 4; ++collision) energy *= 0.5F + 0.5F * draw(state);
      ++scatterings;
    } else {
      energy = birth_energy(state);
    }
  }
  scores[global_thread()] = {sums, energy, scatterings};
}
// SPDX-License-Identifier: Apache-2.0
