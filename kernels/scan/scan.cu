// Exclusive prefix sums by the work-efficient algorithm: in each block a tree of sums is built in shared memory from
// the leaves to the root, then turned into prefixes from the root to the leaves. The sums of blocks are scanned in the
// same way and added. One of the regular kernels that DAC is about; fewer threads work at each level of the tree.
#include "../cuda_device.h"
#include "scan.h"

using namespace heddle::kernels::scan;

/// A gap after every 32 values, so that strides that are powers of two do not meet in one bank.
static __device__ __forceinline__ unsigned padded(unsigned index) {
  return index + index / 32;
}

extern "C" __global__ void scan_blocks(const unsigned* values, unsigned* prefixes, unsigned* block_sums,
                                       unsigned total) {
  __shared__ unsigned tree[ScanValues + ScanValues / 32];
  const unsigned thread = threadIdx.x, first = blockIdx.x * ScanValues + thread, second = first + ScanThreads;
  tree[padded(thread)] = first < total ? values[first] : 0;
  tree[padded(thread + ScanThreads)] = second < total ? values[second] : 0;

  unsigned stride = 1;
  HEDDLE_ROLLED_LOOP
  for (unsigned working = ScanThreads; working > 0; working /= 2) {
    __syncthreads();
    if (thread < working) {
      const unsigned right = stride * (2 * thread + 2) - 1;
      tree[padded(right)] += tree[padded(right - stride)];
    }
    stride *= 2;
  }
  if (thread == 0) {
    unsigned& root = tree[padded(ScanValues - 1)];
    block_sums[blockIdx.x] = root;
    root = 0;
  }
  HEDDLE_ROLLED_LOOP
  for (unsigned working = 1; working <= ScanThreads; working *= 2) {
    stride /= 2;
    __syncthreads();
    if (thread < working) {
      const unsigned right = stride * (2 * thread + 2) - 1;
      unsigned &left_value = tree[padded(right - stride)], &right_value = tree[padded(right)];
      const unsigned left_sum = left_value;
      left_value = right_value;
      right_value += left_sum;
    }
  }
  __syncthreads();
  if (first < total) prefixes[first] = tree[padded(thread)];
  if (second < total) prefixes[second] = tree[padded(thread + ScanThreads)];
}

extern "C" __global__ void add_block_prefixes(unsigned* prefixes, const unsigned* block_prefixes, unsigned total) {
  const unsigned first = blockIdx.x * ScanValues + threadIdx.x, second = first + ScanThreads;
  const unsigned before = block_prefixes[blockIdx.x];
  if (first < total) prefixes[first] += before;
  if (second < total) prefixes[second] += before;
}
// SPDX-License-Identifier: Apache-2.0
