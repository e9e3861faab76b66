// Made to need the shadow scoreboard. A value is still being loaded when the warp diverges and both sides use it; each
// side leaves a load of its own pending in the register that is read after the paths meet; strides differ, so that
// some loads hit and others miss. Accesses are volatile to stay where they are written, and the store on one side keeps
// clang from merging the two loads into one behind the branch.
#include "../cuda_device.h"

extern "C" __global__ void hazard(const volatile unsigned* table, volatile unsigned* trail, unsigned* results,
                                  unsigned entries, unsigned rounds) {
  const unsigned index = global_thread();
  unsigned at = index % entries, sum = index;
  HEDDLE_ROLLED_LOOP
  for (unsigned round = 0; round < rounds; ++round) {
    const unsigned before = table[at];                       // far: pending when the branch issues
    const unsigned near = table[(index + round) % entries];  // near: often back before it
    unsigned after;
    if ((((index >> (round & 3U)) + round) & 1U) != 0) {
      sum = sum * 5U + before;  // true dependency across the divergence
      sum += near << 3;
      after = table[(sum ^ near) % entries];  // pending when the paths meet
      trail[index] = sum;
    } else {
      sum ^= before * 7U;
      sum = (sum << 9 | sum >> 23) - near;
      after = table[(sum + before) % entries];
    }
    sum += after ^ sum >> 4;  // true dependency across the reconvergence
    at = (at * 37U + after) % entries;
  }
  results[index] = sum;
}
// SPDX-License-Identifier: Apache-2.0
