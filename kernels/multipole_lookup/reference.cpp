// SPDX-License-Identifier: Apache-2.0
#include "kernels/multipole_lookup/reference.h"

#include <cmath>
#include <complex>

#include "kernels/hash.h"

namespace heddle::kernels::multipole_lookup {
namespace {

using gpu::Random;
using Number = std::complex<float>;

constexpr unsigned Nuclides = 24;

/// Weideman's coefficients (SIAM J. Numer. Anal. 31, 1994): cosine sums of exp(-t^2) (L^2 + t^2) at t = L tan(angle /
/// 2).
std::vector<float> weideman_coefficients() {
  constexpr int Steps = 2 * WeidemanTerms;
  const double scale = std::sqrt(WeidemanTerms / std::sqrt(2.0)), pi = std::acos(-1.0);
  std::vector<float> coefficients;
  for (unsigned term = 1; term <= WeidemanTerms; ++term) {
    double sum = 0;
    for (int step = 1 - Steps; step < Steps; ++step) {
      const double angle = step * pi / Steps, t = scale * std::tan(angle / 2);
      sum += std::exp(-t * t) * (scale * scale + t * t) * std::cos(term * angle);
    }
    coefficients.push_back(static_cast<float>(sum / (2 * Steps)));
  }
  coefficients.push_back(static_cast<float>(scale));
  return coefficients;
}

Complex random_residue(Random& random) {
  const float re = random.between(0, 1), im = random.between(-1, 1);
  return {re, im};
}

/// A resonance somewhere in the window, below the real axis.
Pole random_pole(Random& random, unsigned window) {
  const float energy = (static_cast<float>(window) + random.between(0, 1)) / static_cast<float>(Windows);
  const Complex position = {std::sqrt(energy), random.between(-0.01F, -0.0005F)};
  const Complex total = random_residue(random), absorption = random_residue(random);
  return {position, total, absorption, random.below(AngularMomenta)};
}

Number number(const Complex& value) {
  return {value.re, value.im};
}

/// As in the kernel; the library computes a quotient another way.
Number reciprocal(Number value) {
  const float norm = value.real() * value.real() + value.imag() * value.imag();
  return {value.real() / norm, -value.imag() / norm};
}

Number turn(float a, float b) {
  return Number(a, b) * reciprocal({a, -b});
}

Number phase_factor(float x, unsigned angular_momentum) {
  const Number first = turn(1 - x * x / 3, -x);
  switch (angular_momentum) {
    case 0:
      return first;
    case 1:
      return first * turn(1, x);
    case 2:
      return first * turn(3 - x * x, 3 * x);
    default:
      return first * turn(15 - 6 * (x * x), x * (15 - x * x));
  }
}

Number faddeeva(Number z, const std::vector<float>& weideman) {
  if (z.real() * z.real() + z.imag() * z.imag() >= 36) {
    const Number square = z * z;
    return Number(-z.imag(), z.real()) *
           (0.5124242F * reciprocal(square - 0.2752551F) + 0.05176536F * reciprocal(square - 2.724745F));
  }
  const Number inverse = reciprocal({weideman.back() + z.imag(), -z.real()});
  const Number variable = Number(weideman.back() - z.imag(), z.real()) * inverse;
  Number series = 0;
  for (unsigned term = WeidemanTerms; term-- > 0;) series = series * variable + weideman[term];
  return (2.0F * series * inverse + 0.56418958F) * inverse;
}

Sums microscopic(const Data& data, unsigned nuclide, float energy) {
  const float root = std::sqrt(energy);
  const Window& window = data.windows[nuclide * Windows + static_cast<unsigned>(energy * Windows)];
  Sums sums = {window.total * energy, window.absorption * energy};
  for (unsigned index = window.first_pole; index < window.end_pole; ++index) {
    const Pole& pole = data.poles[index];
    const Number z = data.nuclides[nuclide].broadening * Number(root - pole.position.re, -pole.position.im);
    const Number broadened = faddeeva(z, data.weideman);
    const Number factor = phase_factor(data.nuclides[nuclide].radius * root, pole.angular_momentum);
    sums.total += (number(pole.total) * broadened * factor).real();
    sums.absorption += (number(pole.absorption) * broadened).real();
  }
  return sums;
}

}  // namespace

Data generate(Random& random) {
  Data data;
  // One material with many nuclides, most with few: trip counts between 2 and 12.
  data.materials = heddle::kernels::make_materials(random, Nuclides, {12, 2, 3, 3, 8, 6, 6, 5, 5, 4, 4, 2});
  for (unsigned nuclide = 0; nuclide < Nuclides; ++nuclide) {
    const float radius = random.between(0.1F, 0.6F), broadening = random.between(50, 400);
    data.nuclides.push_back({radius, broadening});
    for (unsigned window = 0; window < Windows; ++window) {
      const auto first = static_cast<unsigned>(data.poles.size()), count = random.below(4);
      for (unsigned pole = 0; pole < count; ++pole) data.poles.push_back(random_pole(random, window));
      const float total = random.between(1, 10), absorption = random.between(0, 1);
      data.windows.push_back({first, first + count, total, absorption});
    }
  }
  data.weideman = weideman_coefficients();
  return data;
}

Sums look_up(const Data& data, unsigned thread, unsigned lookups) {
  unsigned state = hash(thread);
  Sums sums = {0, 0};
  for (unsigned lookup = 0; lookup < lookups; ++lookup) {
    const float energy = draw(state), pick = draw(state);
    Sums macro = {0, 0};
    data.materials.for_each_nuclide(pick, [&](unsigned nuclide, float density) {
      const Sums micro = microscopic(data, nuclide, energy);
      macro.total += density * micro.total;
      macro.absorption += density * micro.absorption;
    });
    sums.total += macro.total;
    sums.absorption += macro.absorption;
  }
  return sums;
}

}  // namespace heddle::kernels::multipole_lookup
