// SPDX-License-Identifier: Apache-2.0
#include "kernels/transpose/transpose.h"

#include "kernels/batches.h"

namespace heddle::kernels::transpose {
namespace {

class Transpose : public gpu::Workload {
 public:
  std::string name() const override { return "transpose"; }
  std::string summary() const override { return "transpose of a matrix by tiles in shared memory"; }
  std::string branches() const override { return "none: there is no branch"; }
  std::string sizes() const override { return Matrices.text("matrices of 1024 x 1024"); }
  bool takes_any_warps() const override { return false; }

  gpu::Outcome run(gpu::Device& device, const gpu::FindProgram& find_program,
                   const gpu::WorkloadOptions& options) const override {
    constexpr unsigned Width = 32 * TileWidth, Height = 32 * TileWidth;
    const std::uint64_t from = device.allocate(Width * Height * sizeof(unsigned));
    const std::uint64_t to = device.allocate(Width * Height * sizeof(unsigned));
    gpu::Random random(options.seed);
    return run_in_batches(Matrices.at(options), [&] {
      std::vector<unsigned> matrix(Width * Height), expected(Width * Height);
      for (unsigned row = 0; row < Height; ++row) {
        for (unsigned column = 0; column < Width; ++column) {
          const auto value = static_cast<unsigned>(random.next());
          matrix[row * Width + column] = expected[column * Height + row] = value;
        }
      }
      device.write(from, matrix.data(), matrix.size() * sizeof(unsigned));
      gpu::launch(device, find_program(name()), {Width / TileWidth, Height / TileWidth}, {TileWidth, RowsPerTurn}, from,
                  to, Width, Height);
      return gpu::compare_words(gpu::download<unsigned>(device, to, expected.size()), expected);
    });
  }

 private:
  static constexpr gpu::PerSize Matrices{1, 10, 60};
};

const gpu::RegisterWorkload<Transpose> Registered;

}  // namespace
}  // namespace heddle::kernels::transpose
