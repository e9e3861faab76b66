// The computation of `diverge`, for the device and for the CPU reference: two sides, each a loop whose trip count
// depends on the data. cuda_device.h, included first, gives the two macros their meaning on the device.
#pragma once

#include "../shared_code.h"

namespace heddle::kernels::diverge {

HEDDLE_DEVICE inline unsigned diverge_round(unsigned& value, unsigned sum) {
  const unsigned trips = (value >> 8 & 15U) + 1;
  if ((value >> 16 & 1U) != 0) {
    HEDDLE_ROLLED_LOOP
    for (unsigned trip = 0; trip < trips; ++trip) {
      value = value * 1664525U + 1013904223U;
      sum += value >> 7 ^ sum << 3;
    }
  } else {
    HEDDLE_ROLLED_LOOP
    for (unsigned trip = 0; trip < trips; ++trip) {
      value ^= value << 13;
      value ^= value >> 17;
      value ^= value << 5;
      sum = (sum ^ value) * 2654435761U;
    }
  }
  return sum;
}

}  // namespace heddle::kernels::diverge
// SPDX-License-Identifier: Apache-2.0
