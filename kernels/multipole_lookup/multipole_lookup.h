// What host and device share of `multipole_lookup`.
#pragma once

namespace heddle::kernels::multipole_lookup {

constexpr unsigned MaxThreads = 128;  // of a block
constexpr unsigned Windows = 16;      // of energy, equally wide, a nuclide
constexpr unsigned AngularMomenta = 4;
constexpr unsigned WeidemanTerms = 8;  // absolute error below 2e-4 for |z| < 6

struct Complex {
  float re, im;
};

/// A resonance. Total cross sections are turned by the phase shift of its angular momentum.
struct Pole {
  Complex position;  // on the plane of the square root of the energy, below the real axis
  Complex total, absorption;
  unsigned angular_momentum;
};

/// Where a window's poles are, and the smooth part of its cross sections.
struct Window {
  unsigned first_pole, end_pole;
  float total, absorption;
};

/// Radius and temperature of a nuclide, in the units of the formulas.
struct Nuclide {
  float radius, broadening;
};

/// Cross sections that a thread adds up.
struct Sums {
  float total, absorption;
};

// No holes: the driver copies whole objects to the device and back.
static_assert(sizeof(Nuclide) == 2 * sizeof(float));
static_assert(sizeof(Window) == 4 * sizeof(float));
static_assert(sizeof(Pole) == 7 * sizeof(float));
static_assert(sizeof(Sums) == 2 * sizeof(float));

}  // namespace heddle::kernels::multipole_lookup
// SPDX-License-Identifier: Apache-2.0
