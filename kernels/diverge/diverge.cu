// An if/else with a loop of data-dependent trip count on each side, round after round: both sides have work, so that
// a machine that interleaves the two paths gains.
#include "../cuda_device.h"
#include "diverge.h"

using namespace heddle::kernels::diverge;

extern "C" __global__ void diverge(const unsigned* values, unsigned* sums, unsigned rounds) {
  const unsigned index = global_thread();
  unsigned value = values[index], sum = 0;
  HEDDLE_ROLLED_LOOP
  for (unsigned round = 0; round < rounds; ++round) sum = diverge_round(value, sum);
  sums[index] = sum;
}
// SPDX-License-Identifier: Apache-2.0
