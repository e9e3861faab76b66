// The transpose of a matrix, a block a tile: rows come into shared memory and columns leave it, so that both sides of
// the copy are coalesced. One of the regular kernels that DAC is about: addresses are affine in the thread's indices.
#include "../cuda_device.h"
#include "transpose.h"

using namespace heddle::kernels::transpose;

extern "C" __global__ void transpose(const unsigned* from, unsigned* to, unsigned width, unsigned height) {
  __shared__ unsigned tile[TileWidth][TileWidth + 1];  // one more, or a column would lie in one bank
  const unsigned x = threadIdx.x, y = threadIdx.y, left = blockIdx.x * TileWidth, top = blockIdx.y * TileWidth;
  for (unsigned turn = 0; turn < TileWidth; turn += RowsPerTurn)
    tile[y + turn][x] = from[(top + y + turn) * width + left + x];
  __syncthreads();
  for (unsigned turn = 0; turn < TileWidth; turn += RowsPerTurn)
    to[(left + y + turn) * height + top + x] = tile[x][y + turn];
}
// SPDX-License-Identifier: Apache-2.0
