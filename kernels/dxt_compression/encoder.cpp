// SPDX-License-Identifier: Apache-2.0
#include "kernels/dxt_compression/encoder.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/dxt_compression/dxt_compression.h"

namespace heddle::kernels::dxt_compression {
namespace {

float dot(const Colour& a, const Colour& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

Colour principal_axis(const std::vector<Colour>& pixels) {
  Colour mean{}, axis{1, 1, 1};
  std::array<Colour, 3> covariance{};
  for (unsigned channel = 0; channel < 3; ++channel) {
    for (const Colour& pixel : pixels) mean[channel] += pixel[channel];
    mean[channel] /= DxtPixels;
  }
  for (const Colour& pixel : pixels)
    for (unsigned row = 0; row < 3; ++row)
      for (unsigned column = 0; column < 3; ++column)
        covariance[row][column] += (pixel[row] - mean[row]) * (pixel[column] - mean[column]);
  for (int iteration = 0; iteration < DxtPowerIterations; ++iteration) {
    const Colour next{dot(covariance[0], axis), dot(covariance[1], axis), dot(covariance[2], axis)};
    const float largest = std::max({std::abs(next[0]), std::abs(next[1]), std::abs(next[2])});
    for (unsigned channel = 0; channel < 3; ++channel)
      axis[channel] = largest > 0 ? next[channel] * (1.0F / largest) : 0.0F;
  }
  return axis;
}

constexpr std::array<unsigned, 3> Shifts{11, 5, 0};  // of the channels in a colour of 16 bits
constexpr std::array<unsigned, 3> Levels{31, 63, 31};

Colour expand(unsigned colour) {
  Colour channels{};
  for (unsigned channel = 0; channel < 3; ++channel) {
    const unsigned bits = Levels[channel] == 63 ? 6 : 5, value = colour >> Shifts[channel] & Levels[channel];
    channels[channel] = static_cast<float>(value << (8 - bits) | value >> (2 * bits - 8));
  }
  return channels;
}

}  // namespace

std::vector<unsigned> all_partitions() {
  std::vector<unsigned> partitions;
  for (unsigned one = 0; one <= DxtPixels; ++one) {
    for (unsigned two = one; two <= DxtPixels; ++two) {
      for (unsigned three = two; three <= DxtPixels; ++three) {
        unsigned mixes = 0;
        for (unsigned pixel = 0; pixel < DxtPixels; ++pixel)
          mixes |= (unsigned{pixel >= one} + unsigned{pixel >= two} + unsigned{pixel >= three}) << 2 * pixel;
        if (mixes != (mixes & 3U) * 0x55555555U) partitions.push_back(mixes);
      }
    }
  }
  return partitions;
}

std::array<unsigned, 2> compress(const std::vector<Colour>& pixels, const std::vector<unsigned>& partitions) {
  const Colour axis = principal_axis(pixels);
  std::vector<unsigned> order(DxtPixels);
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](unsigned a, unsigned b) { return dot(pixels[a], axis) < dot(pixels[b], axis); });

  float best_error = 3.0e38F;
  unsigned best_mixes = 0, best_first = 0, best_second = 0;
  for (const unsigned mixes : partitions) {
    float aa = 0, ab = 0, bb = 0;
    Colour sum_a{}, sum_b{};
    for (unsigned pixel = 0; pixel < DxtPixels; ++pixel) {
      const float b = static_cast<float>(mixes >> 2 * pixel & 3U), a = 3 - b;
      aa += a * a;
      ab += a * b;
      bb += b * b;
      for (unsigned channel = 0; channel < 3; ++channel) {
        sum_a[channel] += a * pixels[order[pixel]][channel];
        sum_b[channel] += b * pixels[order[pixel]][channel];
      }
    }
    const float scale = 3.0F / (aa * bb - ab * ab);
    unsigned first = 0, second = 0;
    for (unsigned channel = 0; channel < 3; ++channel) {
      const auto quantise = [&](float value) {
        const float levels = static_cast<float>(Levels[channel]);
        const float nearest = std::floor(std::clamp(value, 0.0F, 255.0F) * (levels / 255.0F) + 0.5F);
        return static_cast<unsigned>(nearest) << Shifts[channel];
      };
      first |= quantise((sum_a[channel] * bb - sum_b[channel] * ab) * scale);
      second |= quantise((sum_b[channel] * aa - sum_a[channel] * ab) * scale);
    }
    const Colour a = expand(first), b = expand(second);
    const float error =
        dot(a, a) * aa + dot(b, b) * bb + 2.0F * dot(a, b) * ab - 6.0F * (dot(a, sum_a) + dot(b, sum_b));
    if (!(error < best_error)) continue;
    best_error = error;
    best_mixes = mixes;
    best_first = first;
    best_second = second;
  }

  constexpr std::array<unsigned, 4> CodeOfMix{0, 2, 3, 1}, CodeIfSwapped{1, 3, 2, 0};
  const bool is_swapped = best_first < best_second;
  unsigned codes = 0;
  for (unsigned place = 0; place < DxtPixels; ++place) {
    const unsigned mix = best_mixes >> 2 * place & 3U;
    codes |= (is_swapped ? CodeIfSwapped : CodeOfMix)[mix] << 2 * order[place];
  }
  return {std::min(best_first, best_second) << 16 | std::max(best_first, best_second),
          best_first == best_second ? 0 : codes};
}

double squared_error(const std::vector<Colour>& pixels, unsigned ends, unsigned codes) {
  const Colour first = expand(ends & 0xffffU), second = expand(ends >> 16);
  constexpr std::array<float, 4> SecondShare{0, 1, 1.0F / 3, 2.0F / 3};
  double sum = 0;
  for (unsigned pixel = 0; pixel < DxtPixels; ++pixel) {
    const float share = SecondShare[codes >> 2 * pixel & 3U];
    for (unsigned channel = 0; channel < 3; ++channel) {
      const double error = pixels[pixel][channel] - (first[channel] * (1 - share) + second[channel] * share);
      sum += error * error;
    }
  }
  return sum;
}

}  // namespace heddle::kernels::dxt_compression
