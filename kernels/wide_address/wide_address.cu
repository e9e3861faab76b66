// 64-bit index arithmetic: strides whose products pass 32 bits before a shift brings them back, negative steps, and a
// walk by pointers. Buffers lie above 4 GiB, so a pointer cut to 32 bits faults.
#include "../cuda_device.h"

extern "C" __global__ void wide_address(const unsigned* values, unsigned long long* results, long long stride,
                                        unsigned steps) {
  const long long index = global_thread();
  const long long total = static_cast<long long>(gridDim.x) * blockDim.x;
  unsigned long long sum = 0;
  HEDDLE_ROLLED_LOOP
  for (unsigned step = 0; step < steps; ++step) {
    const long long far = (index + step) * stride;  // beyond 32 bits
    const long long slot = (far >> 33) % total;
    const unsigned* const from = slot >= 0 ? values + slot : values + (total + slot);
    sum = sum * 0x100000001b3ULL + *from + static_cast<unsigned long long>(far);
  }
  results[total - 1 - index] = sum;
}
// SPDX-License-Identifier: Apache-2.0
