// The cheapest way down a grid of weights, row by row: a path goes straight on or one column left or right. Dynamic
// programming in the style of Rodinia's PathFinder (DPE table 2).
//
// A block takes `rows` rows at once in shared memory, one thread a column. A thread needs its neighbours' costs, so the
// block's edge is wrong one column further in with every row: neighbouring blocks overlap by a ghost zone of `rows`
// columns on each side, and a thread works only as long as it is right.
#include "../cuda_device.h"
#include "path_finding.h"

using namespace heddle::kernels::path_finding;

static __device__ __forceinline__ int cheaper(int a, int b) {
  return a < b ? a : b;
}

extern "C" __global__ void path_finding(const int* weights, const int* costs_in, int* costs_out, int columns,
                                        int rows) {
  __shared__ int previous[PathBlockColumns];
  __shared__ int next[PathBlockColumns];
  const int thread = static_cast<int>(threadIdx.x);
  const int owned = PathBlockColumns - 2 * rows;
  const int first_column = static_cast<int>(blockIdx.x) * owned - rows;
  const int column = first_column + thread;
  const bool is_inside = column >= 0 && column < columns;
  // At the border of the grid there is no neighbour: the thread's own column stands for it.
  const int left = column == 0 ? thread : thread - 1;
  const int right = column == columns - 1 ? thread : thread + 1;

  if (is_inside) previous[thread] = costs_in[column];
  __syncthreads();
  bool is_current = is_inside;
  HEDDLE_ROLLED_LOOP
  for (int row = 0; row < rows; ++row) {
    is_current = is_inside && thread > row && thread < PathBlockColumns - 1 - row;
    if (is_current) {
      const int cheapest = cheaper(cheaper(previous[left], previous[right]), previous[thread]);
      next[thread] = cheapest + weights[row * columns + column];
    }
    __syncthreads();
    if (is_current) previous[thread] = next[thread];
    __syncthreads();
  }
  if (is_current) costs_out[column] = previous[thread];
}
// SPDX-License-Identifier: Apache-2.0
