// Scores of the global alignment of two sequences (Needleman and Wunsch), tile by tile, in the style of Rodinia's NW
// (DPE table 2).
//
// A launch takes a diagonal of tiles, which depend only on the diagonal before; a block of one warp takes a tile in
// shared memory. Inside it the wavefront is a diagonal of cells, one thread a column: it grows to all threads and
// shrinks to one again.
#include "../cuda_device.h"
#include "needleman_wunsch.h"

using namespace heddle::kernels::needleman_wunsch;

static __device__ __forceinline__ int better(int a, int b) {
  return a > b ? a : b;
}

// `scores` is a matrix of (length + 1) x (length + 1) with its first row and column filled in.
extern "C" __global__ void needleman_wunsch(const int* down, const int* across, const int* substitution, int* scores,
                                            int length, int gap, int diagonal, int first_tile_column) {
  __shared__ int score[AlignmentTile + 1][AlignmentTile + 1];
  __shared__ int similarity[AlignmentTile][AlignmentTile];
  const int thread = static_cast<int>(threadIdx.x);
  const int tile_column = first_tile_column + static_cast<int>(blockIdx.x);
  const int first_row = (diagonal - tile_column) * AlignmentTile, first_column = tile_column * AlignmentTile,
            pitch = length + 1;
  int* const corner = scores + first_row * pitch + first_column;

  const int residue = across[first_column + thread];
  HEDDLE_ROLLED_LOOP
  for (int row = 0; row < AlignmentTile; ++row)
    similarity[row][thread] = substitution[down[first_row + row] * AlignmentResidues + residue];
  if (thread == 0) score[0][0] = corner[0];
  score[0][thread + 1] = corner[thread + 1];
  score[thread + 1][0] = corner[(thread + 1) * pitch];
  __syncthreads();

  HEDDLE_ROLLED_LOOP
  for (int front = 0; front < 2 * AlignmentTile - 1; ++front) {
    const int row = front - thread;
    if (row >= 0 && row < AlignmentTile) {
      const int matched = score[row][thread] + similarity[row][thread];
      const int skipped = better(score[row + 1][thread], score[row][thread + 1]) - gap;
      score[row + 1][thread + 1] = better(matched, skipped);
    }
    __syncthreads();
  }

  HEDDLE_ROLLED_LOOP
  for (int row = 1; row <= AlignmentTile; ++row) corner[row * pitch + thread + 1] = score[row][thread + 1];
}
// SPDX-License-Identifier: Apache-2.0
