// DXT1 compression of an image: each 4 x 4 pixels become two colours of 16 bits and a mix of the two a pixel. In the
// style of DXTC of NVIDIA's CUDA samples (DPE table 2).
//
// A block of 64 threads takes 16 pixels. They are sorted along the axis on which their colours vary most, so that the
// pixels of each of the four mixes are neighbours: 965 ways to cut 16 into four, without those that put all into one.
// The threads share the ways out, fit the two colours of each by least squares, round them to 5, 6, 5 bits and keep the
// way of least error; a tree over the threads finds the best, and one thread writes it.
//
// All sums of a fit are of whole numbers below 2^24, so they are exact.
#include "../cuda_device.h"
#include "dxt_compression.h"

using namespace heddle::kernels::dxt_compression;

struct Colour {
  float red, green, blue;
};

static __device__ __forceinline__ float dot(const Colour& a, const Colour& b) {
  return a.red * b.red + a.green * b.green + a.blue * b.blue;
}

// The axis of greatest variance, by power iteration on the covariance.
static __device__ __forceinline__ Colour principal_axis(const Colour* pixels) {
  Colour sum = {0, 0, 0};
  HEDDLE_ROLLED_LOOP
  for (unsigned pixel = 0; pixel < DxtPixels; ++pixel) {
    sum.red += pixels[pixel].red;
    sum.green += pixels[pixel].green;
    sum.blue += pixels[pixel].blue;
  }
  const Colour mean = {sum.red / DxtPixels, sum.green / DxtPixels, sum.blue / DxtPixels};
  Colour row_red = {0, 0, 0}, row_green = {0, 0, 0}, row_blue = {0, 0, 0};
  HEDDLE_ROLLED_LOOP
  for (unsigned pixel = 0; pixel < DxtPixels; ++pixel) {
    const float red = pixels[pixel].red - mean.red, green = pixels[pixel].green - mean.green;
    const float blue = pixels[pixel].blue - mean.blue;
    row_red.red += red * red;
    row_red.green += red * green;
    row_red.blue += red * blue;
    row_green.green += green * green;
    row_green.blue += green * blue;
    row_blue.blue += blue * blue;
  }
  row_green.red = row_red.green;
  row_blue.red = row_red.blue;
  row_blue.green = row_green.blue;

  Colour axis = {1, 1, 1};
  HEDDLE_ROLLED_LOOP
  for (int iteration = 0; iteration < DxtPowerIterations; ++iteration) {
    const Colour next = {dot(row_red, axis), dot(row_green, axis), dot(row_blue, axis)};
    const float largest = fmaxf(fabsf(next.red), fmaxf(fabsf(next.green), fabsf(next.blue)));
    const float scale = largest > 0 ? 1.0F / largest : 0.0F;
    axis = {next.red * scale, next.green * scale, next.blue * scale};
  }
  return axis;
}

// The nearest of `levels` + 1 steps of a channel.
static __device__ __forceinline__ unsigned quantise(float channel, float levels) {
  return static_cast<unsigned>(fminf(fmaxf(channel, 0.0F), 255.0F) * (levels / 255.0F) + 0.5F);
}

// What a decoder makes of 5, 6, 5 bits.
static __device__ __forceinline__ Colour expand(unsigned colour) {
  const unsigned red = colour >> 11, green = colour >> 5 & 63U, blue = colour & 31U;
  return {static_cast<float>(red << 3 | red >> 2), static_cast<float>(green << 2 | green >> 4),
          static_cast<float>(blue << 3 | blue >> 2)};
}

// The weights of the two ends in each pixel's mix are thirds: `first` of one, `second` of the other.
struct Fit {
  unsigned ends;  // two colours of 16 bits
  float error;    // nine times the squared error, less a constant of the pixels
};

static __device__ __forceinline__ Fit fit(const Colour* sorted, unsigned mixes) {
  unsigned first_first = 0, first_second = 0, second_second = 0;
  Colour first_sum = {0, 0, 0}, second_sum = {0, 0, 0};
  HEDDLE_ROLLED_LOOP
  for (unsigned pixel = 0; pixel < DxtPixels; ++pixel, mixes >>= 2) {
    const unsigned second = mixes & 3U, first = 3 - second;
    const float first_weight = static_cast<float>(first), second_weight = static_cast<float>(second);
    const Colour colour = sorted[pixel];
    first_first += first * first;
    first_second += first * second;
    second_second += second * second;
    first_sum.red += first_weight * colour.red;
    first_sum.green += first_weight * colour.green;
    first_sum.blue += first_weight * colour.blue;
    second_sum.red += second_weight * colour.red;
    second_sum.green += second_weight * colour.green;
    second_sum.blue += second_weight * colour.blue;
  }
  const float aa = static_cast<float>(first_first), ab = static_cast<float>(first_second);
  const float bb = static_cast<float>(second_second);
  const float scale = 3.0F / (aa * bb - ab * ab);
  const unsigned first_end = quantise((first_sum.red * bb - second_sum.red * ab) * scale, 31) << 11 |
                             quantise((first_sum.green * bb - second_sum.green * ab) * scale, 63) << 5 |
                             quantise((first_sum.blue * bb - second_sum.blue * ab) * scale, 31);
  const unsigned second_end = quantise((second_sum.red * aa - first_sum.red * ab) * scale, 31) << 11 |
                              quantise((second_sum.green * aa - first_sum.green * ab) * scale, 63) << 5 |
                              quantise((second_sum.blue * aa - first_sum.blue * ab) * scale, 31);
  const Colour a = expand(first_end), b = expand(second_end);
  const float squares = dot(a, a) * aa + dot(b, b) * bb + 2.0F * dot(a, b) * ab;
  return {first_end << 16 | second_end, squares - 6.0F * (dot(a, first_sum) + dot(b, second_sum))};
}

extern "C" __global__ void dxt_compression(const unsigned* image, const unsigned* partitions, unsigned* compressed,
                                           unsigned width, unsigned partition_count) {
  __shared__ Colour pixels[DxtPixels];
  __shared__ Colour sorted[DxtPixels];
  __shared__ float position[DxtPixels];
  __shared__ unsigned rank[DxtPixels];
  __shared__ float error[DxtThreads];
  __shared__ unsigned choice[DxtThreads];
  __shared__ unsigned ends[DxtThreads];
  const unsigned thread = threadIdx.x, block = blockIdx.y * gridDim.x + blockIdx.x;

  if (thread < DxtPixels) {
    const unsigned rgb = image[(blockIdx.y * 4 + thread / 4) * width + blockIdx.x * 4 + thread % 4];
    pixels[thread] = {static_cast<float>(rgb >> 16 & 255U), static_cast<float>(rgb >> 8 & 255U),
                      static_cast<float>(rgb & 255U)};
  }
  __syncthreads();
  if (thread < DxtPixels) position[thread] = dot(pixels[thread], principal_axis(pixels));
  __syncthreads();
  if (thread < DxtPixels) {
    unsigned before = 0;
    HEDDLE_ROLLED_LOOP
    for (unsigned other = 0; other < DxtPixels; ++other)
      before += position[other] < position[thread] || (position[other] == position[thread] && other < thread);
    rank[thread] = before;
    sorted[before] = pixels[thread];
  }
  __syncthreads();

  Fit best = {0, 3.0e38F};
  unsigned best_choice = 0;
  HEDDLE_ROLLED_LOOP
  for (unsigned partition = thread; partition < partition_count; partition += DxtThreads) {
    const Fit found = fit(sorted, partitions[partition]);
    if (found.error < best.error) {
      best = found;
      best_choice = partition;
    }
  }
  error[thread] = best.error;
  choice[thread] = best_choice;
  ends[thread] = best.ends;
  __syncthreads();
  HEDDLE_ROLLED_LOOP
  for (unsigned half = DxtThreads / 2; half > 0; half /= 2) {
    if (thread < half) {
      const unsigned other = thread + half;
      const bool is_less = error[other] < error[thread];
      if (is_less || (error[other] == error[thread] && choice[other] < choice[thread])) {
        error[thread] = error[other];
        choice[thread] = choice[other];
        ends[thread] = ends[other];
      }
    }
    __syncthreads();
  }

  if (thread == 0) {
    // A decoder mixes in thirds only if the first of the two colours is the greater number; 0 and 1 are the ends, 2 and
    // 3 the mixes.
    const unsigned mixes = partitions[choice[0]], first = ends[0] >> 16, second = ends[0] & 0xffffU;
    const unsigned swap = first < second ? 1 : 0;
    unsigned codes = 0;
    HEDDLE_ROLLED_LOOP
    for (unsigned pixel = 0; pixel < DxtPixels; ++pixel) {
      const unsigned mix = mixes >> 2 * rank[pixel] & 3U;
      codes |= ((0x78U >> 2 * mix & 3U) ^ swap) << 2 * pixel;
    }
    compressed[2 * block] = swap != 0 ? first << 16 | second : second << 16 | first;
    compressed[2 * block + 1] = first == second ? 0 : codes;
  }
}
// SPDX-License-Identifier: Apache-2.0
