// LU decomposition in place, without pivoting, by tiles: L has ones on its diagonal, which are not stored. In the style
// of Rodinia's LUD (DPE Table 2, Fig. 9): a step decomposes the diagonal tile (one block of one thread a row), then the
// tiles right of it and below it (one block for each such pair; half of its 32 threads take a column of the right tile
// each, the other half a row of the lower tile), then updates all tiles right and below of those (a thread an element).
//
// Every element takes its products in the order of the columns of L, as in the textbook's elimination: same bits.
#include "../cuda_device.h"
#include "lu_decomposition.h"

using namespace heddle::kernels::lu_decomposition;

extern "C" __global__ void lu_diagonal(float* matrix, unsigned size, unsigned offset) {
  __shared__ float tile[LuTile][LuTile];
  const unsigned thread = threadIdx.x;
  float* corner = matrix + offset * size + offset;
  for (unsigned row = 0; row < LuTile; ++row) tile[row][thread] = corner[row * size + thread];
  __syncthreads();
  HEDDLE_ROLLED_LOOP
  for (unsigned pivot = 0; pivot < LuTile - 1; ++pivot) {
    if (thread > pivot) {
      HEDDLE_ROLLED_LOOP
      for (unsigned k = 0; k < pivot; ++k) tile[thread][pivot] -= tile[thread][k] * tile[k][pivot];
      tile[thread][pivot] /= tile[pivot][pivot];
    }
    __syncthreads();
    if (thread > pivot) {
      HEDDLE_ROLLED_LOOP
      for (unsigned k = 0; k <= pivot; ++k) tile[pivot + 1][thread] -= tile[pivot + 1][k] * tile[k][thread];
    }
    __syncthreads();
  }
  for (unsigned row = 1; row < LuTile; ++row) corner[row * size + thread] = tile[row][thread];
}

extern "C" __global__ void lu_perimeter(float* matrix, unsigned size, unsigned offset) {
  __shared__ float diagonal[LuTile][LuTile];
  __shared__ float right[LuTile][LuTile];
  __shared__ float lower[LuTile][LuTile];
  float* corner = matrix + offset * size + offset;
  const unsigned distance = (blockIdx.x + 1) * LuTile;
  float* right_corner = corner + distance;
  float* lower_corner = corner + distance * size;
  // Both halves load: rows of half the diagonal tile, and of their own tile.
  if (threadIdx.x < LuTile) {
    const unsigned column = threadIdx.x;
    HEDDLE_ROLLED_LOOP
    for (unsigned row = 0; row < LuTile / 2; ++row) diagonal[row][column] = corner[row * size + column];
    HEDDLE_ROLLED_LOOP
    for (unsigned row = 0; row < LuTile; ++row) right[row][column] = right_corner[row * size + column];
  } else {
    const unsigned column = threadIdx.x - LuTile;
    HEDDLE_ROLLED_LOOP
    for (unsigned row = LuTile / 2; row < LuTile; ++row) diagonal[row][column] = corner[row * size + column];
    HEDDLE_ROLLED_LOOP
    for (unsigned row = 0; row < LuTile; ++row) lower[row][column] = lower_corner[row * size + column];
  }
  __syncthreads();
  if (threadIdx.x < LuTile) {
    // right := L(diagonal)^-1 right, down a column.
    const unsigned column = threadIdx.x;
    HEDDLE_ROLLED_LOOP
    for (unsigned row = 1; row < LuTile; ++row) {
      float value = right[row][column];
      HEDDLE_ROLLED_LOOP
      for (unsigned k = 0; k < row; ++k) value -= diagonal[row][k] * right[k][column];
      right[row][column] = value;
    }
  } else {
    // lower := lower U(diagonal)^-1, along a row.
    const unsigned row = threadIdx.x - LuTile;
    HEDDLE_ROLLED_LOOP
    for (unsigned column = 0; column < LuTile; ++column) {
      float value = lower[row][column];
      HEDDLE_ROLLED_LOOP
      for (unsigned k = 0; k < column; ++k) value -= lower[row][k] * diagonal[k][column];
      lower[row][column] = value / diagonal[column][column];
    }
  }
  __syncthreads();
  if (threadIdx.x < LuTile) {
    const unsigned column = threadIdx.x;
    HEDDLE_ROLLED_LOOP
    for (unsigned row = 1; row < LuTile; ++row) right_corner[row * size + column] = right[row][column];
  } else {
    const unsigned column = threadIdx.x - LuTile;
    HEDDLE_ROLLED_LOOP
    for (unsigned row = 0; row < LuTile; ++row) lower_corner[row * size + column] = lower[row][column];
  }
}

extern "C" __global__ void lu_internal(float* matrix, unsigned size, unsigned offset) {
  __shared__ float lower[LuTile][LuTile];
  __shared__ float right[LuTile][LuTile];
  const unsigned column = threadIdx.x, row = threadIdx.y;
  const unsigned first_row = offset + (blockIdx.y + 1) * LuTile, first_column = offset + (blockIdx.x + 1) * LuTile;
  lower[row][column] = matrix[(first_row + row) * size + offset + column];
  right[row][column] = matrix[(offset + row) * size + first_column + column];
  __syncthreads();
  float* element = matrix + (first_row + row) * size + first_column + column;
  float value = *element;
  for (unsigned k = 0; k < LuTile; ++k) value -= lower[row][k] * right[k][column];
  *element = value;
}
// SPDX-License-Identifier: Apache-2.0
