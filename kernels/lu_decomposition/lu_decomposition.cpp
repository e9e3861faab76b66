// SPDX-License-Identifier: Apache-2.0
#include "kernels/lu_decomposition/lu_decomposition.h"

#include <fmt/format.h>

#include "sim/gpu/workload.h"

namespace heddle::kernels::lu_decomposition {
namespace {

class LuDecomposition : public gpu::Workload {
 public:
  std::string name() const override { return "lu_decomposition"; }
  std::string summary() const override { return "LU decomposition of a matrix by tiles of 16 x 16, no pivoting"; }
  std::string branches() const override {
    return "the three if/else of lu_perimeter: half a warp works on the right tile, half on the lower one, in loops";
  }
  std::string sizes() const override { return Sizes.text("rows and columns"); }
  bool takes_any_warps() const override { return false; }

  gpu::Outcome run(gpu::Device& device, const gpu::FindProgram& find_program,
                   const gpu::WorkloadOptions& options) const override {
    const unsigned size = Sizes.at(options);
    std::vector<float> matrix = diagonally_dominant(size, options.seed);
    const std::uint64_t address = gpu::upload(device, matrix);
    const isa::Program& diagonal = find_program("lu_diagonal");
    const isa::Program& perimeter = find_program("lu_perimeter");
    const isa::Program& internal = find_program("lu_internal");
    for (unsigned offset = 0; offset < size; offset += LuTile) {
      gpu::launch(device, diagonal, {1}, {LuTile}, address, size, offset);
      const unsigned tiles = (size - offset) / LuTile - 1;
      if (tiles == 0) continue;
      gpu::launch(device, perimeter, {tiles}, {2 * LuTile}, address, size, offset);
      gpu::launch(device, internal, {tiles, tiles}, {LuTile, LuTile}, address, size, offset);
    }
    eliminate(matrix, size);
    const gpu::Outcome outcome = gpu::compare_exactly(gpu::download<float>(device, address, matrix.size()), matrix);
    return {outcome.ok, fmt::format("{0} x {0} matrix: {1}", size, outcome.message)};
  }

 private:
  static constexpr gpu::PerSize Sizes{12 * LuTile, 28 * LuTile, 50 * LuTile};

  /// So that elimination needs no pivoting.
  static std::vector<float> diagonally_dominant(unsigned size, std::uint64_t seed) {
    gpu::Random random(seed);
    std::vector<float> matrix(size * size);
    for (float& element : matrix) element = random.between(-1, 1);
    for (unsigned row = 0; row < size; ++row) matrix[row * size + row] += static_cast<float>(size);
    return matrix;
  }

  /// Gauss's elimination, row from row, with the factors left below the diagonal.
  static void eliminate(std::vector<float>& matrix, unsigned size) {
    for (unsigned pivot = 0; pivot < size; ++pivot) {
      for (unsigned row = pivot + 1; row < size; ++row) {
        const float factor = matrix[row * size + pivot] /= matrix[pivot * size + pivot];
        for (unsigned column = pivot + 1; column < size; ++column)
          matrix[row * size + column] -= factor * matrix[pivot * size + column];
      }
    }
  }
};

const gpu::RegisterWorkload<LuDecomposition> Registered;

}  // namespace
}  // namespace heddle::kernels::lu_decomposition
