// SPDX-License-Identifier: Apache-2.0
#include "kernels/matrix_multiply/matrix_multiply.h"

#include "sim/gpu/workload.h"

namespace heddle::kernels::matrix_multiply {
namespace {

/// Row times matrix; the terms of an element are added in the order of the kernel, so that the bits are the same.
std::vector<float> multiply(const std::vector<float>& left, const std::vector<float>& right, unsigned width) {
  std::vector<float> product(width * width, 0);
  for (unsigned row = 0; row < width; ++row)
    for (unsigned index = 0; index < width; ++index)
      for (unsigned column = 0; column < width; ++column)
        product[row * width + column] += left[row * width + index] * right[index * width + column];
  return product;
}

class MatrixMultiply : public gpu::Workload {
 public:
  std::string name() const override { return "matrix_multiply"; }
  std::string summary() const override { return "product of two square matrices by tiles in shared memory"; }
  std::string branches() const override {
    return "none: the only branch is that of a loop which all threads leave together";
  }
  std::string sizes() const override { return Widths.text("rows and columns"); }
  bool takes_any_warps() const override { return false; }

  gpu::Outcome run(gpu::Device& device, const gpu::FindProgram& find_program,
                   const gpu::WorkloadOptions& options) const override {
    const unsigned width = Widths.at(options);
    gpu::Random random(options.seed);
    std::vector<float> left(width * width), right(width * width);
    for (float& value : left) value = random.between(-1, 1);
    for (float& value : right) value = random.between(-1, 1);
    const std::uint64_t product = device.allocate(left.size() * sizeof(float));
    const unsigned tiles = width / TileWidth;
    const std::uint64_t of_right = gpu::upload(device, right), of_left = gpu::upload(device, left);
    gpu::launch(device, find_program(name()), {tiles, tiles}, {TileWidth, TileWidth}, of_left, of_right, product,
                width);
    return gpu::compare_exactly(gpu::download<float>(device, product, left.size()), multiply(left, right, width));
  }

 private:
  static constexpr gpu::PerSize Widths{11 * TileWidth, 24 * TileWidth, 43 * TileWidth};
};

const gpu::RegisterWorkload<MatrixMultiply> Registered;

}  // namespace
}  // namespace heddle::kernels::matrix_multiply
