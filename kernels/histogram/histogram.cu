// How often each byte occurs: a block counts its share in shared memory with atomics, and adds its counts to the
// result. One of the regular kernels that DAC is about; the values that the atomics return are not used, so that counts
// do not depend on the order of threads.
#include "../cuda_device.h"
#include "histogram.h"

using namespace heddle::kernels::histogram;

extern "C" __global__ void histogram(const unsigned* words, unsigned* counts, unsigned total) {
  __shared__ unsigned block_counts[Bins];
  HEDDLE_ROLLED_LOOP
  for (unsigned bin = threadIdx.x; bin < Bins; bin += blockDim.x) block_counts[bin] = 0;
  __syncthreads();
  HEDDLE_ROLLED_LOOP
  for (unsigned index = global_thread(); index < total; index += gridDim.x * blockDim.x) {
    const unsigned word = words[index];
    for (unsigned byte = 0; byte < 4; ++byte) atomicAdd(&block_counts[word >> 8 * byte & 255U], 1U);
  }
  __syncthreads();
  HEDDLE_ROLLED_LOOP
  for (unsigned bin = threadIdx.x; bin < Bins; bin += blockDim.x) atomicAdd(&counts[bin], block_counts[bin]);
}
// SPDX-License-Identifier: Apache-2.0
