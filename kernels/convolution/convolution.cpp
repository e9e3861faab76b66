// SPDX-License-Identifier: Apache-2.0
#include "kernels/convolution/convolution.h"

#include "kernels/batches.h"

namespace heddle::kernels::convolution {
namespace {

constexpr unsigned Width = 3 * RowTile, Height = 8 * ColumnTile;

/// At steps of `stride` from the pixel; `position` of `length` is where it is in its row or column. Zeros outside add
/// nothing, so leaving them out gives the same bits.
float convolve(const std::vector<float>& image, const std::vector<float>& taps, unsigned pixel, unsigned position,
               unsigned length, unsigned stride) {
  float sum = 0;
  for (unsigned tap = 0; tap < Taps; ++tap) {
    const int offset = static_cast<int>(tap) - static_cast<int>(Radius);
    const int at = static_cast<int>(position) + offset;
    if (at < 0 || at >= static_cast<int>(length)) continue;
    sum += taps[tap] * image[static_cast<std::size_t>(static_cast<int>(pixel) + offset * static_cast<int>(stride))];
  }
  return sum;
}

std::vector<float> convolve(const std::vector<float>& image, const std::vector<float>& taps) {
  std::vector<float> rows(image.size()), both(image.size());
  for (unsigned pixel = 0; pixel < image.size(); ++pixel)
    rows[pixel] = convolve(image, taps, pixel, pixel % Width, Width, 1);
  for (unsigned pixel = 0; pixel < image.size(); ++pixel)
    both[pixel] = convolve(rows, taps, pixel, pixel / Width, Height, Width);
  return both;
}

class Convolution : public gpu::Workload {
 public:
  std::string name() const override { return "convolution"; }
  std::string summary() const override { return "separable convolution of an image, rows then columns, with halos"; }
  std::string branches() const override { return "none to interleave: pixels outside the image are not loaded"; }
  std::string sizes() const override { return Images.text("images of 384 x 256 pixels"); }
  bool takes_any_warps() const override { return false; }

  gpu::Outcome run(gpu::Device& device, const gpu::FindProgram& find_program,
                   const gpu::WorkloadOptions& options) const override {
    gpu::Random random(options.seed);
    std::vector<float> taps(Taps);
    for (float& tap : taps) tap = random.between(-0.2F, 0.3F);
    const std::uint64_t tap_table = gpu::upload(device, taps);
    const std::uint64_t from = device.allocate(Width * Height * sizeof(float));
    const std::uint64_t rows = device.allocate(Width * Height * sizeof(float));
    const std::uint64_t to = device.allocate(Width * Height * sizeof(float));
    return run_in_batches(Images.at(options), [&] {
      std::vector<float> image(Width * Height);
      for (float& pixel : image) pixel = random.between(0, 255);
      device.write(from, image.data(), image.size() * sizeof(float));
      gpu::launch(device, find_program("convolve_rows"), {Width / RowTile, Height}, {RowTile}, from, tap_table, rows,
                  Width);
      gpu::launch(device, find_program("convolve_columns"), {Width / ColumnTile, Height / ColumnTile},
                  {ColumnTile, ColumnThreads}, rows, tap_table, to, Width, Height);
      return gpu::compare_exactly(gpu::download<float>(device, to, image.size()), convolve(image, taps));
    });
  }

 private:
  static constexpr gpu::PerSize Images{1, 10, 60};
};

const gpu::RegisterWorkload<Convolution> Registered;

}  // namespace
}  // namespace heddle::kernels::convolution
