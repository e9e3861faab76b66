// A loop whose trip count differs from lane to lane: the Collatz walk.
#include "../cuda_device.h"

extern "C" __global__ void trip_count(const unsigned* starts, unsigned* steps) {
  const unsigned index = global_thread();
  unsigned value = starts[index], count = 0;
  HEDDLE_ROLLED_LOOP
  while (value > 1) {
    value = (value & 1U) != 0 ? 3 * value + 1 : value / 2;
    ++count;
  }
  steps[index] = count;
}
// SPDX-License-Identifier: Apache-2.0
