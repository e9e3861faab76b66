// The sum of each block by a tree in shared memory, for any block size up to 1024.
#include "../cuda_device.h"

extern "C" __global__ void reduce(const unsigned* values, unsigned* sums) {
  __shared__ unsigned partial[1024];
  const unsigned thread = threadIdx.x;
  partial[thread] = values[global_thread()];
  __syncthreads();
  // The barrier is outside the branch: all threads of the block reach it.
  HEDDLE_ROLLED_LOOP
  for (unsigned width = blockDim.x; width > 1; width = (width + 1) / 2) {
    const unsigned half = (width + 1) / 2;
    if (thread + half < width) partial[thread] += partial[thread + half];
    __syncthreads();
  }
  if (thread == 0) sums[blockIdx.x] = partial[0];
}
// SPDX-License-Identifier: Apache-2.0
