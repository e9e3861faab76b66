// Separable convolution of an image: a pass along rows, then one along columns. A block brings its pixels and a halo on
// both sides into shared memory, with zeros outside the image, then a thread adds up 17 products a pixel. One of the
// regular kernels that DAC is about: the only divergence is at the ends of the halo and of the image.
#include "../cuda_device.h"
#include "convolution.h"

using namespace heddle::kernels::convolution;

extern "C" __global__ void convolve_rows(const float* image, const float* taps, float* result, unsigned width) {
  __shared__ float pixels[RowTile + 2 * Radius];
  const unsigned left = blockIdx.x * RowTile, row = blockIdx.y * width;
  HEDDLE_ROLLED_LOOP
  for (unsigned index = threadIdx.x; index < RowTile + 2 * Radius; index += RowTile) {
    const unsigned column = left + index - Radius;  // wraps round left of the image
    float pixel = 0;
    if (column < width) pixel = image[row + column];
    pixels[index] = pixel;
  }
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (unsigned tap = 0; tap < Taps; ++tap) sum += taps[tap] * pixels[threadIdx.x + tap];
  result[row + left + threadIdx.x] = sum;
}

extern "C" __global__ void convolve_columns(const float* image, const float* taps, float* result, unsigned width,
                                            unsigned height) {
  __shared__ float pixels[ColumnTile + 2 * Radius][ColumnTile];
  const unsigned x = threadIdx.x, column = blockIdx.x * ColumnTile + x, top = blockIdx.y * ColumnTile;
  HEDDLE_ROLLED_LOOP
  for (unsigned index = threadIdx.y; index < ColumnTile + 2 * Radius; index += ColumnThreads) {
    const unsigned row = top + index - Radius;  // wraps round above the image
    float pixel = 0;
    if (row < height) pixel = image[row * width + column];
    pixels[index][x] = pixel;
  }
  __syncthreads();
  HEDDLE_ROLLED_LOOP
  for (unsigned y = threadIdx.y; y < ColumnTile; y += ColumnThreads) {
    float sum = 0;
#pragma unroll
    for (unsigned tap = 0; tap < Taps; ++tap) sum += taps[tap] * pixels[y + tap][x];
    result[(top + y) * width + column] = sum;
  }
}
// SPDX-License-Identifier: Apache-2.0
