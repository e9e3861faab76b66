// Two operations of linear algebra on long vectors: y = a x + y, and the dot product, where each thread sums its share
// in a register and each block adds its threads' sums by a tree in shared memory. Regular kernels as DAC has them: all
// addresses and trip counts are affine in the thread's index.
#include "../cuda_device.h"
#include "vector_ops.h"

using namespace heddle::kernels::vector_ops;

extern "C" __global__ void saxpy(const float* x, float* y, float factor, unsigned total) {
  HEDDLE_ROLLED_LOOP
  for (unsigned index = global_thread(); index < total; index += gridDim.x * blockDim.x)
    y[index] = factor * x[index] + y[index];
}

extern "C" __global__ void dot(const float* x, const float* y, float* block_sums, unsigned total) {
  __shared__ float sums[MaxThreads];
  const unsigned thread = threadIdx.x;
  float sum = 0;
  HEDDLE_ROLLED_LOOP
  for (unsigned index = global_thread(); index < total; index += gridDim.x * blockDim.x) sum += x[index] * y[index];
  sums[thread] = sum;
  // The upper half is added to the lower; where the number is odd, the one in the middle waits.
  HEDDLE_ROLLED_LOOP
  for (unsigned width = blockDim.x; width > 1; width = (width + 1) / 2) {
    const unsigned half = (width + 1) / 2;
    __syncthreads();
    if (thread + half < width) sums[thread] += sums[thread + half];
  }
  if (thread == 0) block_sums[blockIdx.x] = sums[0];
}
// SPDX-License-Identifier: Apache-2.0
