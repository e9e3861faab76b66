// Made to need memory order (DESIGN 5). Each thread loads its slot (a miss), stores to it while the fill is on its way,
// and loads it back; then it stores on one path only and loads after the paths meet. Threads of a warp share lines,
// and no thread reads another's slot, so the result is fixed. Accesses are volatile: the compiler keeps all.
#include "../cuda_device.h"

extern "C" __global__ void reorder(volatile unsigned* slots, unsigned* results, unsigned rounds) {
  const unsigned index = global_thread();
  const unsigned threads = gridDim.x * blockDim.x;
  unsigned sum = 0;
  HEDDLE_ROLLED_LOOP
  for (unsigned round = 0; round < rounds; ++round) {
    volatile unsigned* const mine = slots + 2 * (round * threads + index);  // new lines every round
    const unsigned old = mine[0];
    mine[0] = index * 2654435761U + round;  // does not depend on the load
    const unsigned stored = mine[0];
    if ((index + round & 1U) != 0) mine[1] = round + 1;
    const unsigned met = mine[1];
    sum = (sum * 31U + old) * 31U + stored + met * 17U;
  }
  results[index] = sum;
}
// SPDX-License-Identifier: Apache-2.0
