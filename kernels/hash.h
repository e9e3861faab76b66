// Random numbers without a state in memory, for the device and for the CPU reference. cuda_device.h, included first,
// makes these device functions.
#pragma once

#include "shared_code.h"

namespace heddle::kernels {

/// A permutation of the 32-bit words that leaves no bit where it was: the finaliser of MurmurHash3.
HEDDLE_DEVICE inline unsigned hash(unsigned value) {
  value = (value ^ value >> 16) * 0x85ebca6bU;
  value = (value ^ value >> 13) * 0xc2b2ae35U;
  return value ^ value >> 16;
}

/// In [0, 1), in steps of 2^-24, and moves the state on. The numbers are exact, so that decisions taken on them are
/// the same on every machine.
HEDDLE_DEVICE inline float draw(unsigned& state) {
  state += 0x9e3779b9U;
  return static_cast<float>(hash(state) >> 8) * 0x1p-24F;
}

}  // namespace heddle::kernels
// SPDX-License-Identifier: Apache-2.0
