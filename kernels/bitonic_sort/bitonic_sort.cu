// Each block sorts its keys in shared memory by a bitonic network: one thread a key, a barrier after every
// compare-exchange. In the style of the early CUDA SDK program that DWF sec. 5 runs as "Bitonic": of each pair the
// lower thread works and the upper one waits, so that at small distances even and odd lanes part (DWF sec. 3.3), and
// the direction of a run is chosen by an if/else.
#include "../cuda_device.h"
#include "bitonic_sort.h"

using namespace heddle::kernels::bitonic_sort;

static __device__ __forceinline__ void swap(unsigned& left, unsigned& right) {
  const unsigned kept = left;
  left = right;
  right = kept;
}

template <unsigned Keys>
static __device__ __forceinline__ void sort_block(unsigned* keys) {
  __shared__ unsigned sorted[Keys];
  const unsigned thread = threadIdx.x;
  sorted[thread] = keys[global_thread()];
  __syncthreads();
  HEDDLE_ROLLED_LOOP
  for (unsigned run = 2; run <= Keys; run *= 2) {
    HEDDLE_ROLLED_LOOP
    for (unsigned distance = run / 2; distance > 0; distance /= 2) {
      const unsigned partner = thread ^ distance;
      if (partner > thread) {
        // clang keeps one copy of the exchange: each side of the if/else comes to it on its own.
        if ((thread & run) == 0) {
          if (sorted[thread] > sorted[partner]) swap(sorted[thread], sorted[partner]);
        } else {
          if (sorted[thread] < sorted[partner]) swap(sorted[thread], sorted[partner]);
        }
      }
      __syncthreads();
    }
  }
  keys[global_thread()] = sorted[thread];
}

extern "C" __global__ void bitonic_sort(unsigned* keys) {
  sort_block<BitonicKeys>(keys);
}

extern "C" __global__ void bitonic_sort_fewer(unsigned* keys) {
  sort_block<FewerBitonicKeys>(keys);
}
// SPDX-License-Identifier: Apache-2.0
