// One Jacobi step of Laplace's equation on a 3-D grid: inside, a point becomes the mean of its six neighbours; on the
// surface it keeps its value (Dirichlet's condition). In the style of Giles's laplace3d (LPS of DPE Table 2): a block
// goes up in z with three planes of its part of the grid in shared memory, each with a halo that some threads load.
#include "../cuda_device.h"
#include "laplace.h"

using namespace heddle::kernels::laplace;

static constexpr unsigned Pitch = LaplaceWidth + 2, Rows = LaplaceHeight + 2;  // of a plane with its halo
static constexpr unsigned HaloOfRows = 2 * Pitch, Halo = HaloOfRows + 2 * LaplaceHeight;

/// `from` and `to`: [depth][height][width].
extern "C" __global__ void laplace(const float* from, float* to, unsigned width, unsigned height, unsigned depth) {
  __shared__ float planes[3][Rows * Pitch];
  const unsigned thread = threadIdx.y * LaplaceWidth + threadIdx.x;
  const unsigned x = blockIdx.x * LaplaceWidth + threadIdx.x, y = blockIdx.y * LaplaceHeight + threadIdx.y;
  const unsigned area = width * height, own = (threadIdx.y + 1) * Pitch + threadIdx.x + 1;
  const bool active = x < width && y < height;

  // The halo's cell of this thread: its place in the plane, and where it lies in the grid.
  unsigned halo_column = 0, halo_row = 0;
  if (thread < HaloOfRows) {
    halo_column = thread % Pitch;
    halo_row = thread < Pitch ? 0 : Rows - 1;
  } else {
    halo_column = (thread - HaloOfRows) % 2 * (Pitch - 1);
    halo_row = (thread - HaloOfRows) / 2 + 1;
  }
  const unsigned halo_x = blockIdx.x * LaplaceWidth + halo_column - 1;  // wraps left of the grid
  const unsigned halo_y = blockIdx.y * LaplaceHeight + halo_row - 1;
  const bool loads_halo = thread < Halo && halo_x < width && halo_y < height;
  const unsigned halo = halo_row * Pitch + halo_column, halo_index = halo_y * width + halo_x;

  const unsigned index = y * width + x;
  if (active) planes[0][own] = from[index];
  if (loads_halo) planes[0][halo] = from[halo_index];
  float* below = planes[2];  // not read on the lowest plane
  float* centre = planes[0];
  float* above = planes[1];
  HEDDLE_ROLLED_LOOP
  for (unsigned z = 0; z < depth; ++z) {
    if (z + 1 < depth) {
      if (active) above[own] = from[(z + 1) * area + index];
      if (loads_halo) above[halo] = from[(z + 1) * area + halo_index];
    }
    __syncthreads();
    if (active) {
      float value;
      if (x == 0 || x == width - 1 || y == 0 || y == height - 1 || z == 0 || z == depth - 1) {
        value = centre[own];
      } else {
        const float sum =
            centre[own - 1] + centre[own + 1] + centre[own - Pitch] + centre[own + Pitch] + below[own] + above[own];
        value = sum * (1.0F / 6);
      }
      to[z * area + index] = value;
    }
    __syncthreads();
    float* oldest = below;
    below = centre;
    centre = above;
    above = oldest;
  }
}
// SPDX-License-Identifier: Apache-2.0
