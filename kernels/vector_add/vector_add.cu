// c = a + b: no divergence but for the last warp's bounds check.
#include "../cuda_device.h"

extern "C" __global__ void vector_add(const float* a, const float* b, float* c, unsigned count) {
  const unsigned index = global_thread();
  if (index < count) c[index] = a[index] + b[index];
}
// SPDX-License-Identifier: Apache-2.0
