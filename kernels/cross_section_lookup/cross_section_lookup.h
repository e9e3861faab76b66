// What host and device share of `cross_section_lookup`.
#pragma once

namespace heddle::kernels::cross_section_lookup {

constexpr unsigned Nuclides = 32, PointsPerNuclide = 64;

/// Cross sections of a nuclide at one energy, or sums of them.
struct CrossSections {
  float total, elastic, absorption, fission, neutrons;  // neutrons: fission times the neutrons that it frees
};

struct GridPoint {
  float energy;
  CrossSections at;
};

/// What a thread sums over its look-ups.
struct Score {
  CrossSections sums;
  float last_energy;
  unsigned scatterings;
};

// No holes: the driver copies whole objects to the device and back.
static_assert(sizeof(GridPoint) == 6 * sizeof(float));
static_assert(sizeof(Score) == 7 * sizeof(float));

}  // namespace heddle::kernels::cross_section_lookup
// SPDX-License-Identifier: Apache-2.0
