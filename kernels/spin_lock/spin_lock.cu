// A spin lock that the lanes of one warp fight for. Each thread alone finishes; on a reconvergence stack the lane that
// holds the lock waits, behind the loop, for those that spin in it: a SIMT deadlock.
#include "../cuda_device.h"

extern "C" __global__ void spin_lock(int* lock, volatile unsigned* counter) {
  HEDDLE_ROLLED_LOOP
  while (atomicCAS(lock, 0, 1) != 0) {}
  *counter = *counter + 1;
  __threadfence();
  atomicExch(lock, 0);
}
// SPDX-License-Identifier: Apache-2.0
