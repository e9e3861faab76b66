// CUDA's warp, block and atomic functions of cuda_device.h, as clang compiles them: compiler_clang_warps_test runs it
// with two warps and knows the results. Each thread has sixteen words.
#include "kernels/cuda_device.h"

extern "C" __global__ void warps(unsigned* words, float* floats, double* doubles, unsigned long long* pairs) {
  constexpr unsigned All = 0xffffffffU;
  const unsigned t = threadIdx.x, lane = t % 32;
  unsigned* const w = words + 16 * t;
  const unsigned value = w[0];
  w[1] = __shfl_sync(All, value, lane / 3);
  w[2] = __shfl_up_sync(All, value, 2, 8);
  w[3] = __shfl_down_sync(All, static_cast<int>(value), 5) + 1;
  floats[t] = __shfl_xor_sync(All, floats[t], 9);
  doubles[t] = __shfl_down_sync(All, doubles[t], 1, 16);
  unsigned sum = value;
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(All, sum, step);
  w[4] = sum;
  w[5] = __ballot_sync(All, value & 1);
  w[6] = __any_sync(All, value == 0x1234) + 2 * __all_sync(All, value != 0x1234);
  if (lane < 16) {
    w[7] = __ballot_sync(0xffff, lane > 3) + __activemask();
    __syncwarp(0xffff);
  } else {
    w[7] = __reduce_max_sync(0xffff0000U, lane) + __reduce_min_sync(0xffff0000U, -static_cast<int>(lane));
  }
  w[8] = __match_any_sync(All, lane % 5);
  int all = 0;
  w[9] = __match_all_sync(All, t / 32, &all);
  w[9] += static_cast<unsigned>(all);
  w[10] = static_cast<unsigned>(__syncthreads_count(t < 10));
  w[11] = static_cast<unsigned>(__syncthreads_and(t < 64) + 2 * __syncthreads_and(t < 63) + 4 * __syncthreads_or(t == 9) +
                                8 * __syncthreads_or(t == 64));
  w[12] = __reduce_add_sync(All, value) + __reduce_xor_sync(All, value);
  barrier_sync(3, 64);

  atomicAdd(floats + 64, static_cast<float>(t));
  atomicAdd(doubles + 64, static_cast<double>(t));
  atomicAdd(pairs, static_cast<unsigned long long>(t) << 30);
  atomicMax(pairs + 1, static_cast<unsigned long long>(t) << 40);
  atomicOr(pairs + 2, 1ULL << t);
  atomicCAS(pairs + 3, 0ULL, 5ULL);
  atomicMin(words + 1024, t + 7);
  atomicInc(words + 1025, 9U);
  atomicSub(words + 1026, 3U);
  atomicXor(words + 1027, 1U << t % 32);
}
// SPDX-License-Identifier: Apache-2.0
