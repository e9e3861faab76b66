// Macroscopic cross sections of a material at random energies, from the multipole representation: for each nuclide of
// the material, the poles of the energy's window, each broadened by temperature with the Faddeeva function. One thread
// does several lookups one after the other, in the style of the coarsened RSBench of SR sec. 5.1: an outer loop with a
// prolog, an inner loop over nuclides whose trip count depends on the material drawn (SR Fig. 3), an epilog.
// All arithmetic is + - * / and sqrt: the phase factor exp(-2i phi) is its [2/2] Pade approximant, an error of 4e-3 at
// the largest radius, so that a CPU has the same bits. Residues contain the 1 / E of the formulas.
#include "../cuda_device.h"
#include "../hash.h"
#include "../include/heddle.h"
#include "multipole_lookup.h"

using heddle::kernels::draw, heddle::kernels::hash;
using namespace heddle::kernels::multipole_lookup;

static __device__ __forceinline__ Complex operator+(Complex a, Complex b) {
  return {a.re + b.re, a.im + b.im};
}
static __device__ __forceinline__ Complex operator*(Complex a, Complex b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
static __device__ __forceinline__ Complex operator*(float a, Complex b) {
  return {a * b.re, a * b.im};
}
static __device__ __forceinline__ Complex reciprocal(Complex a) {
  const float norm = a.re * a.re + a.im * a.im;
  return {a.re / norm, -a.im / norm};
}

/// w(z) in the upper half plane: far out two poles; near zero Weideman's series in (L + iz) / (L - iz).
static __device__ __forceinline__ Complex faddeeva(Complex z, const float* weideman) {
  Complex result;
  if (z.re * z.re + z.im * z.im < 36.0F) {
    const float scale = weideman[WeidemanTerms];
    const Complex inverse = reciprocal({scale + z.im, -z.re});
    const Complex variable = Complex{scale - z.im, z.re} * inverse;
    Complex series = {0, 0};
    HEDDLE_ROLLED_LOOP
    for (unsigned term = WeidemanTerms; term > 0; --term) {
      series = series * variable;
      series.re += weideman[term - 1];
    }
    Complex bracket = 2.0F * series * inverse;
    bracket.re += 0.56418958F;  // 1 / sqrt(pi)
    result = bracket * inverse;
  } else {
    const Complex square = z * z;
    const Complex inner = 0.5124242F * reciprocal({square.re - 0.2752551F, square.im});
    const Complex outer = 0.05176536F * reciprocal({square.re - 2.724745F, square.im});
    result = Complex{-z.im, z.re} * (inner + outer);
  }
  return result;
}

/// (a + ib) / (a - ib), of modulus 1.
static __device__ __forceinline__ Complex turn(float a, float b) {
  const Complex sum = {a, b};
  return sum * reciprocal({a, -b});
}

/// The phase factors exp(-2i phi) of a hard sphere, a momentum each: phi = x - atan(b / a), with a and b below.
static __device__ __forceinline__ void find_phase_factors(float x, Complex (&factors)[AngularMomenta][MaxThreads]) {
  const float square = x * x;
  const Complex first = turn(1.0F - square / 3.0F, -x);
  factors[0][threadIdx.x] = first;
  factors[1][threadIdx.x] = first * turn(1.0F, x);
  factors[2][threadIdx.x] = first * turn(3.0F - square, 3.0F * x);
  factors[3][threadIdx.x] = first * turn(15.0F - 6.0F * square, x * (15.0F - square));
}

extern "C" __global__ void multipole_lookup(const unsigned* material_first, const unsigned* material_nuclides,
                                            const float* densities, const float* material_share,
                                            const Nuclide* nuclides, const Window* windows, const Pole* poles,
                                            const float* weideman, Sums* sums, unsigned lookups) {
  // A column a thread: which factor a pole needs is known only at run time.
  __shared__ Complex factors[AngularMomenta][MaxThreads];
  unsigned state = hash(global_thread());
  float total_sum = 0, absorption_sum = 0;
  HEDDLE_PREDICT(nuclide);
  HEDDLE_ROLLED_LOOP
  for (unsigned lookup = 0; lookup < lookups; ++lookup) {
    const float energy = draw(state), root = sqrtf(energy), pick = draw(state);
    unsigned material = 0;
    HEDDLE_ROLLED_LOOP
    while (pick >= material_share[material]) ++material;
    float total = 0, absorption = 0;
    const unsigned first = material_first[material], end = material_first[material + 1];
    HEDDLE_ROLLED_LOOP
    for (unsigned entry = first; entry < end; ++entry) {
      HEDDLE_RECONVERGE(nuclide);
      const Nuclide nuclide = nuclides[material_nuclides[entry]];
      find_phase_factors(nuclide.radius * root, factors);
      const Window window =
          windows[material_nuclides[entry] * Windows + static_cast<unsigned>(energy * static_cast<float>(Windows))];
      float micro_total = window.total * energy, micro_absorption = window.absorption * energy;
      HEDDLE_ROLLED_LOOP
      for (unsigned index = window.first_pole; index < window.end_pole; ++index) {
        const Pole pole = poles[index];
        const Complex distance = {root - pole.position.re, -pole.position.im};
        const Complex broadened = faddeeva(nuclide.broadening * distance, weideman);
        micro_total += (pole.total * broadened * factors[pole.angular_momentum][threadIdx.x]).re;
        micro_absorption += (pole.absorption * broadened).re;
      }
      total += densities[entry] * micro_total;
      absorption += densities[entry] * micro_absorption;
    }
    total_sum += total;
    absorption_sum += absorption;
  }
  sums[global_thread()] = {total_sum, absorption_sum};
}
// SPDX-License-Identifier: Apache-2.0
