// State spaces as CUDA C++ spells them: system_spaces_test runs it, as clang makes it with and without optimisation.
#include "kernels/cuda_device.h"

__constant__ unsigned primes[6] = {2, 3, 5, 7, 11, 13};
__device__ unsigned launches = 100;
__device__ const unsigned* const rows[2] = {primes, primes + 3};
extern __shared__ unsigned words[];

static __device__ __attribute__((noinline)) unsigned sum_of(const unsigned* values, unsigned count) {
  unsigned sum = 0;
  HEDDLE_ROLLED_LOOP
  for (unsigned i = 0; i < count; ++i) sum += values[i];
  return sum;
}

/// One function sums values in shared, constant and local memory, through generic addresses.
extern "C" __global__ void spaces(unsigned* out, unsigned count) {
  const unsigned long long begin = clock64();
  const unsigned thread = threadIdx.x;
  if (thread == 0) words[blockDim.x] = launches;
  words[thread] = thread * 3;
  __syncthreads();
  const unsigned seed = words[blockDim.x];
  unsigned own[8];
  HEDDLE_ROLLED_LOOP
  for (unsigned i = 0; i < 8; ++i) own[(i * thread) % 8] = i + seed;
  own[(thread + 1) % 8] = thread;
  const unsigned* from = thread % 3 == 0 ? words + thread / 2 : thread % 3 == 1 ? rows[thread & 1] : own + thread % 8;
  const unsigned sum = sum_of(from, thread % 3 == 2 ? 1 : 3);
  if (clock64() < begin || thread >= count) __trap();
  out[global_thread()] = sum;
}

extern "C" __global__ void count_launch() {
  atomicAdd(&launches, 1U);
}
// SPDX-License-Identifier: Apache-2.0
