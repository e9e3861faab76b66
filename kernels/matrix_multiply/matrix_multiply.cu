// The product of two square matrices in row-major order: a block computes a tile, one thread an element, and walks
// along tiles of both factors that it brings into shared memory. In the style of the CUDA program that DWF sec. 5 runs
// as "Matrix": regular, no divergence.
#include "../cuda_device.h"
#include "matrix_multiply.h"

using namespace heddle::kernels::matrix_multiply;

extern "C" __global__ void matrix_multiply(const float* left, const float* right, float* product, unsigned width) {
  __shared__ float left_tile[TileWidth][TileWidth], right_tile[TileWidth][TileWidth];
  const unsigned x = threadIdx.x, y = threadIdx.y;
  const unsigned column = blockIdx.x * TileWidth + x, row = blockIdx.y * TileWidth + y;
  float sum = 0;
  HEDDLE_ROLLED_LOOP
  for (unsigned tile = 0; tile < width; tile += TileWidth) {
    left_tile[y][x] = left[row * width + tile + x];
    right_tile[y][x] = right[(tile + y) * width + column];
    __syncthreads();
#pragma unroll
    for (unsigned index = 0; index < TileWidth; ++index) sum += left_tile[y][index] * right_tile[index][x];
    __syncthreads();
  }
  product[row * width + column] = sum;
}
// SPDX-License-Identifier: Apache-2.0
