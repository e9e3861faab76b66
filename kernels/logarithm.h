// A logarithm that the device and the CPU reference share. cuda_device.h, included first, makes it a device function.
#pragma once

#include "shared_code.h"

namespace heddle::kernels {

/// ln x of a normal x > 0 by correctly rounded operations alone, so that CPU and device have the same bits: the series
/// of the inverse hyperbolic tangent around 1, with an error of a few units in the last place.
HEDDLE_DEVICE inline float natural_logarithm(float x) {
  const unsigned bits = __builtin_bit_cast(unsigned, x);
  int exponent = static_cast<int>(bits >> 23) - 127;
  float mantissa = __builtin_bit_cast(float, (bits & 0x7fffffU) | 0x3f800000U);
  if (mantissa > 1.4142135F) {
    mantissa *= 0.5F;
    ++exponent;
  }
  const float ratio = (mantissa - 1) / (mantissa + 1), square = ratio * ratio;
  const float series = 1 + square * (1.0F / 3 + square * (1.0F / 5 + square * (1.0F / 7 + square * (1.0F / 9))));
  return 2 * ratio * series + static_cast<float>(exponent) * 0.6931472F;
}

}  // namespace heddle::kernels
// SPDX-License-Identifier: Apache-2.0
