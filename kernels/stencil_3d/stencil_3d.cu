// One step of a seven-point stencil on a 3-D grid: a thread takes a column of points and goes up in z. In the style of
// Parboil's Stencil (DPE Table 2): the block keeps its part of the current plane in shared memory; a neighbour inside
// the block comes from there, one outside it from global memory. Points on the surface of the grid keep their values.
#include "../cuda_device.h"
#include "stencil_3d.h"

using namespace heddle::kernels::stencil_3d;

/// `from` and `to`: [depth][gridDim.y * StencilHeight][gridDim.x * StencilWidth].
extern "C" __global__ void stencil_3d(const float* from, float* to, unsigned depth, float centre_weight,
                                      float neighbour_weight) {
  // Volatile: else clang merges the two sides of a branch into one load from a selected generic address.
  __shared__ volatile float plane[StencilHeight][StencilWidth];
  const unsigned column = threadIdx.x, row = threadIdx.y;
  const unsigned width = gridDim.x * StencilWidth, height = gridDim.y * StencilHeight;
  const unsigned x = blockIdx.x * StencilWidth + column, y = blockIdx.y * StencilHeight + row;
  const unsigned area = width * height;
  unsigned index = y * width + x;
  const bool inside = x > 0 && x < width - 1 && y > 0 && y < height - 1;

  float below = from[index], centre = from[index + area];
  to[index] = below;
  index += area;
  HEDDLE_ROLLED_LOOP
  for (unsigned z = 1; z < depth - 1; ++z) {
    const float above = from[index + area];
    plane[row][column] = centre;
    __syncthreads();
    if (inside) {
      float left, right, front, back;
      if (column > 0)
        left = plane[row][column - 1];
      else
        left = from[index - 1];
      if (column < StencilWidth - 1)
        right = plane[row][column + 1];
      else
        right = from[index + 1];
      if (row > 0)
        front = plane[row - 1][column];
      else
        front = from[index - width];
      if (row < StencilHeight - 1)
        back = plane[row + 1][column];
      else
        back = from[index + width];
      to[index] = (left + right + front + back + below + above) * neighbour_weight - centre * centre_weight;
    } else {
      to[index] = centre;
    }
    __syncthreads();
    below = centre;
    centre = above;
    index += area;
  }
  to[index] = centre;
}
// SPDX-License-Identifier: Apache-2.0
