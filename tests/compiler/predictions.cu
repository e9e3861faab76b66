// Predictions in CUDA, of each kind in SR Fig. 1 to 3: what compilers leave of them is in marks_test.cpp.
#include "kernels/cuda_device.h"
#include "kernels/include/heddle.h"

// SR Fig. 2 (a), iteration delay: one arm in a loop takes long.
extern "C" __global__ void iteration_delay(unsigned* data, unsigned turns) {
  unsigned x = data[threadIdx.x];
  HEDDLE_PREDICT(expensive);
  for (unsigned turn = 0; turn < turns; ++turn) {
    x = x * 1664525U + 1013904223U;
    if (x % 5U == 0) {
      HEDDLE_RECONVERGE(expensive);
      data[(x >> 20U) + 64U] += 3;
      x ^= data[x >> 20U];
    }
  }
  data[threadIdx.x] = x;
}

// SR Fig. 2 (b), loop merge: lanes go around the inner loop for different turns of the outer one.
#define FEW 8
extern "C" __global__ void loop_merge(unsigned* data, unsigned turns) {
  unsigned x = data[threadIdx.x];
  HEDDLE_PREDICT_THRESHOLD(inner, FEW);
  for (unsigned turn = 0; turn < turns; ++turn) {
    const unsigned trips = data[x % 64U];
    for (unsigned trip = 0; trip < trips; ++trip) {
      HEDDLE_RECONVERGE(inner);
      x = x * 1664525U + data[trip];
    }
    data[turn] = x;
  }
  data[threadIdx.x] = x;
}

// SR Fig. 2 (c): both sides call a function.
static __device__ __attribute__((noinline)) unsigned shade(unsigned x, const unsigned* data) {
  for (unsigned turn = 0; turn < x % 16U; ++turn) x += data[turn] * x;
  return x;
}

extern "C" __global__ void common_call(unsigned* data) {
  unsigned x = data[threadIdx.x];
  HEDDLE_PREDICT_FUNCTION(shade);
  if (x % 2U == 0) {
    x = shade(x + data[1], data) ^ data[2];
  } else {
    x = shade(x * data[3], data) + 7U;
  }
  data[threadIdx.x] = x;
}
// SPDX-License-Identifier: Apache-2.0
