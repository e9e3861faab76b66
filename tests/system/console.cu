// printf and assert as clang and nvcc compile them, from divergent lanes, with strings in every memory.
// console_test.cpp has the same on the host.
#if defined(__clang__)
#include "kernels/cuda_device.h"
extern "C" __device__ int printf(const char*, ...);
extern "C" __device__ __attribute__((noreturn)) void __assertfail(const char*, const char*, unsigned, const char*,
                                                                   unsigned long long);
#else
#include <cassert>
#include <cstdio>
#endif

extern "C" __global__ void prints(int* counts, const char* word) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  char own[8];
  for (unsigned i = 0; i < 5; ++i) own[i] = static_cast<char>('a' + (t + i) % 26);
  own[5] = 0;
  __shared__ char shared[4];
  if (threadIdx.x < 3) shared[threadIdx.x] = static_cast<char>('x' + threadIdx.x);
  if (threadIdx.x == 3) shared[3] = 0;
  __syncthreads();
  int count = -7;
  if (t % 3 == 0) {
    count = printf("thread %u: %d %5.2f [%s] %c %lld\n", t, -static_cast<int>(t), t * 0.25, own, 'A' + t % 26,
                   static_cast<long long>(t) << 33);
  } else if (t % 3 == 1) {
    count = printf("%s %-4x|%04u|100%% %s\n", word, t, t, shared);
  }
  for (unsigned i = 0; i < t % 4; ++i) printf("%u.%u\n", t, i);
  counts[t] = count;
}

extern "C" __global__ void asserts(const int* values) {
#if defined(__clang__)
  if (!(values[threadIdx.x] < 40)) __assertfail("values[threadIdx.x] < 40", "console.cu", 40, "asserts", 1);
#else
  assert(values[threadIdx.x] < 40);
#endif
}
// SPDX-License-Identifier: Apache-2.0
