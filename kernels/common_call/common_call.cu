// SR Fig. 2(c): a divergent branch, both of whose sides call the same expensive function. By post-dominators lanes meet
// behind the branch alone, so that the function runs twice; the prediction has them meet where it begins.
#include "../cuda_device.h"
#include "../include/heddle.h"
#include "common_call.h"

using namespace heddle::kernels;
using namespace heddle::kernels::common_call;

extern "C" __device__ __noinline__ unsigned common_work(unsigned value) {
  HEDDLE_ROLLED_LOOP
  for (unsigned turn = 0; turn < Turns; ++turn) value = hash(value + turn);
  return value;
}

extern "C" __global__ void common_call(const unsigned* starts, unsigned* results, unsigned rounds) {
  const unsigned index = global_thread();
  unsigned value = starts[index];
  HEDDLE_ROLLED_LOOP
  for (unsigned round = 0; round < rounds; ++round) {
    HEDDLE_PREDICT_FUNCTION(common_work);
    // What follows the calls differs, or clang makes one call of them.
    if ((value & 1U) != 0)
      value = common_work(of_taken(value, round)) + round;
    else
      value = common_work(of_other(value, round)) ^ index;
  }
  results[index] = value;
}
// SPDX-License-Identifier: Apache-2.0
