// What host and device share of `common_call`. cuda_device.h, included first, makes these device functions.
#pragma once

#include "../hash.h"

namespace heddle::kernels::common_call {

constexpr unsigned Turns = 24;  // of the common function's loop

/// What the sides of the branch make of a value, each its own.
HEDDLE_DEVICE inline unsigned of_taken(unsigned value, unsigned round) {
  return value * 3 + round;
}
HEDDLE_DEVICE inline unsigned of_other(unsigned value, unsigned round) {
  return (value ^ 0x5bd1e995U) >> (round & 3U);
}

}  // namespace heddle::kernels::common_call
// SPDX-License-Identifier: Apache-2.0
