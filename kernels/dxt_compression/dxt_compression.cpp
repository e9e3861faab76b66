// SPDX-License-Identifier: Apache-2.0
#include "kernels/dxt_compression/dxt_compression.h"

#include <cmath>
#include <fmt/format.h>

#include "kernels/dxt_compression/encoder.h"
#include "sim/gpu/workload.h"

namespace heddle::kernels::dxt_compression {
namespace {

struct Image {
  unsigned width, height;
  std::vector<unsigned> pixels;  // 0xRRGGBB
};

/// A slope of colour with discs on it and some noise: smooth blocks, blocks with an edge, and rough ones.
Image random_image(unsigned width, unsigned height, gpu::Random& random) {
  Image image{width, height, {}};
  struct Disc {
    int x, y, radius;
    unsigned colour;
  };
  std::vector<Disc> discs;
  for (unsigned disc = 0; disc < width * height / 128; ++disc) {
    discs.push_back({static_cast<int>(random.below(width)), static_cast<int>(random.below(height)),
                     2 + static_cast<int>(random.below(6)), random.below(1U << 24)});
  }
  for (int y = 0; y < static_cast<int>(height); ++y) {
    for (int x = 0; x < static_cast<int>(width); ++x) {
      unsigned colour =
          static_cast<unsigned>(x * 200) / width << 16 | static_cast<unsigned>(y * 200) / height << 8 | 90U;
      for (const Disc& disc : discs) {
        const int dx = x - disc.x, dy = y - disc.y;
        if (dx * dx + dy * dy <= disc.radius * disc.radius) colour = disc.colour;
      }
      image.pixels.push_back(colour ^ (random.next() & 0x070707U));
    }
  }
  return image;
}

std::vector<Colour> pixels_of_block(const Image& image, unsigned block) {
  const unsigned left = block % (image.width / 4) * 4, top = block / (image.width / 4) * 4;
  std::vector<Colour> pixels;
  for (unsigned pixel = 0; pixel < DxtPixels; ++pixel) {
    const unsigned rgb = image.pixels[(top + pixel / 4) * image.width + left + pixel % 4];
    pixels.push_back(
        {static_cast<float>(rgb >> 16), static_cast<float>(rgb >> 8 & 255U), static_cast<float>(rgb & 255U)});
  }
  return pixels;
}

class DxtCompression : public gpu::Workload {
 public:
  std::string name() const override { return "dxt_compression"; }
  std::string summary() const override {
    return "DXT1 compression of an image: the best of 965 ways to mix two colours, shared out among 64 threads";
  }
  std::string branches() const override {
    return "in the closing tree alone: a smaller error is copied, else ties are looked at; phases of 16 threads, or "
           "one, have an empty side";
  }
  std::string sizes() const override { return Rows.text("rows of 8 blocks of 4 x 4 pixels"); }
  bool takes_any_warps() const override { return false; }

  gpu::Outcome run(gpu::Device& device, const gpu::FindProgram& find_program,
                   const gpu::WorkloadOptions& options) const override {
    gpu::Random random(options.seed);
    const unsigned columns = 8, rows = Rows.at(options), blocks = rows * columns;
    const Image image = random_image(columns * 4, rows * 4, random);
    const std::vector<unsigned> partitions = all_partitions();
    const std::uint64_t compressed = device.allocate(2 * blocks * sizeof(unsigned));
    const std::uint64_t of_partitions = gpu::upload(device, partitions), of_pixels = gpu::upload(device, image.pixels);
    gpu::launch(device, find_program(name()), {columns, rows}, {DxtThreads}, of_pixels, of_partitions, compressed,
                image.width, static_cast<unsigned>(partitions.size()));

    const std::vector<unsigned> found = gpu::download<unsigned>(device, compressed, 2 * blocks);
    std::vector<unsigned> expected;
    double error = 0;
    for (unsigned block = 0; block < blocks; ++block) {
      const std::vector<Colour> pixels = pixels_of_block(image, block);
      for (const unsigned word : compress(pixels, partitions)) expected.push_back(word);
      error += squared_error(pixels, found[2 * block], found[2 * block + 1]);
    }
    const gpu::Outcome outcome = gpu::compare_words(found, expected);
    return {outcome.ok, fmt::format("{} x {} pixels, decoded with a mean error of {:.1f} of 255: {}", image.width,
                                    image.height, std::sqrt(error / (3.0 * DxtPixels * blocks)), outcome.message)};
  }

 private:
  static constexpr gpu::PerSize Rows{5, 50, 300};
};

const gpu::RegisterWorkload<DxtCompression> Registered;

}  // namespace
}  // namespace heddle::kernels::dxt_compression
