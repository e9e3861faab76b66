// compiled_functions.h for the device: an entry a function, a thread a set of words.
#include "tests/system/compiled_functions.h"
#if defined(__clang__)
#include "kernels/cuda_device.h"
#endif

#define ENTRY(name)                                                                                      \
  extern "C" __attribute__((global)) void name(const unsigned long long* in, unsigned long long* out) {  \
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;                                             \
    compiled::name(in + 4 * i, out + 8 * i);                                                              \
  }

FOR_ALL_FUNCTIONS(ENTRY)
#if HAS_DIVISION_OF_128_BITS
ENTRY(division_128)
#endif
// SPDX-License-Identifier: Apache-2.0
