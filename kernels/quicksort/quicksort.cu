// Quicksort of many arrays, each by one block, with an explicit stack of segments in shared memory. In the style of
// GPU-Quicksort (the Quick Sort of DPE Table 2): the threads of a block take the keys of a segment in turns, count
// those below and above the pivot, add the counts up over the block, and then write every key to its side of the other
// of two buffers; keys equal to the pivot are done. A short segment is sorted by a bitonic network in shared memory.
//
// The longer part waits, so the stack stays shorter than the logarithm of the array. Sorted integers have one order.
#include "../cuda_device.h"
#include "quicksort.h"

using namespace heddle::kernels::quicksort;

static constexpr unsigned Threads = QuicksortThreads;

struct Segment {
  unsigned begin, end;
  unsigned in_scratch;  // the keys lie in the scratch buffer, not in the array
};

static __device__ __forceinline__ unsigned median(unsigned a, unsigned b, unsigned c) {
  const unsigned low = a < b ? a : b, high = a < b ? b : a;
  return c < low ? low : c < high ? c : high;
}

/// Volatile: else clang makes one side of the two that call it, with selected addresses.
static __device__ __forceinline__ void order(volatile unsigned* lower, volatile unsigned* upper) {
  const unsigned first = *lower, second = *upper;
  if (first > second) {
    *lower = second;
    *upper = first;
  }
}

/// Sorts one key a thread in a network of the given width, up and down in turns: which way depends on the lane.
static __device__ __forceinline__ void sort_network(volatile unsigned* keys, unsigned width) {
  const unsigned thread = threadIdx.x;
  HEDDLE_ROLLED_LOOP
  for (unsigned length = 2; length <= width; length *= 2) {
    HEDDLE_ROLLED_LOOP
    for (unsigned distance = length / 2; distance > 0; distance /= 2) {
      const unsigned partner = thread ^ distance;
      if (partner > thread && partner < width) {
        if ((thread & length) == 0) {
          order(keys + thread, keys + partner);
        } else {
          order(keys + partner, keys + thread);
        }
      }
      __syncthreads();
    }
  }
}

/// Replaces each count by the sum of those of the threads before it; counts[Threads] becomes the sum of all.
static __device__ __forceinline__ void exclusive_sums(unsigned* counts) {
  const unsigned thread = threadIdx.x;
  const unsigned own = counts[thread];
  HEDDLE_ROLLED_LOOP
  for (unsigned distance = 1; distance < Threads; distance *= 2) {
    unsigned sum = counts[thread];
    if (thread >= distance) sum += counts[thread - distance];
    __syncthreads();
    counts[thread] = sum;
    __syncthreads();
  }
  const unsigned before = counts[thread] - own;
  if (thread == Threads - 1) counts[Threads] = counts[thread];
  __syncthreads();
  counts[thread] = before;
}

extern "C" __global__ void quicksort(unsigned* arrays, unsigned* scratches, unsigned keys_of_array) {
  __shared__ Segment stack[QuicksortStack];
  __shared__ unsigned below_counts[Threads + 1], above_counts[Threads + 1];
  __shared__ unsigned network[Threads];
  const unsigned thread = threadIdx.x;
  unsigned* array = arrays + blockIdx.x * keys_of_array;
  unsigned* scratch = scratches + blockIdx.x * keys_of_array;
  unsigned depth = 1;  // the same in all threads
  if (thread == 0) stack[0] = {0, keys_of_array, 0};
  __syncthreads();

  HEDDLE_ROLLED_LOOP
  while (depth > 0) {
    const Segment segment = stack[--depth];
    const unsigned* from = segment.in_scratch != 0 ? scratch : array;
    unsigned* to = segment.in_scratch != 0 ? array : scratch;
    const unsigned length = segment.end - segment.begin;
    if (length <= Threads) {
      network[thread] = thread < length ? from[segment.begin + thread] : 0xffffffffU;
      __syncthreads();
      unsigned width = 1;
      while (width < length) width *= 2;
      sort_network(network, width);
      if (thread < length) array[segment.begin + thread] = network[thread];
      __syncthreads();
      continue;
    }

    const unsigned pivot = median(from[segment.begin], from[segment.begin + length / 2], from[segment.end - 1]);
    unsigned below = 0, above = 0;
    HEDDLE_ROLLED_LOOP
    for (unsigned index = segment.begin + thread; index < segment.end; index += Threads) {
      const unsigned key = from[index];
      if (key < pivot)
        ++below;
      else if (key > pivot)
        ++above;
    }
    below_counts[thread] = below;
    above_counts[thread] = above;
    __syncthreads();
    exclusive_sums(below_counts);
    exclusive_sums(above_counts);

    unsigned next_below = segment.begin + below_counts[thread];
    unsigned next_above = segment.end - 1 - above_counts[thread];
    HEDDLE_ROLLED_LOOP
    for (unsigned index = segment.begin + thread; index < segment.end; index += Threads) {
      const unsigned key = from[index];
      if (key < pivot) {
        to[next_below] = key;
        ++next_below;
      } else if (key > pivot) {
        to[next_above] = key;
        --next_above;
      }
    }
    __syncthreads();
    const unsigned below_end = segment.begin + below_counts[Threads];
    const unsigned above_begin = segment.end - above_counts[Threads];
    HEDDLE_ROLLED_LOOP
    for (unsigned index = below_end + thread; index < above_begin; index += Threads) array[index] = pivot;

    const unsigned left_is_longer = below_counts[Threads] > above_counts[Threads] ? 1 : 0;
    if (thread == 0) {
      stack[depth + 1 - left_is_longer] = {segment.begin, below_end, segment.in_scratch ^ 1U};
      stack[depth + left_is_longer] = {above_begin, segment.end, segment.in_scratch ^ 1U};
    }
    depth += 2;
    __syncthreads();
  }
}
// SPDX-License-Identifier: Apache-2.0
