// Five levels of if/else: up to 32 paths in one warp.
#include "../cuda_device.h"
#include "nest.h"

using namespace heddle::kernels::nest;

extern "C" __global__ void nest(const unsigned* bits, unsigned* results, unsigned rounds) {
  const unsigned index = global_thread();
  const unsigned mine = bits[index];
  unsigned value = index;
  HEDDLE_ROLLED_LOOP
  for (unsigned round = 0; round < rounds; ++round) value = Nest<5, 1>::run(value, mine ^ value >> 13);
  results[index] = value;
}
// SPDX-License-Identifier: Apache-2.0
