// SPDX-License-Identifier: Apache-2.0
#include "kernels/path_finding/path_finding.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "sim/gpu/workload.h"

namespace heddle::kernels::path_finding {
namespace {

/// The weights of a strip of the grid, row by row; the grid is the strip over and over.
struct Strip {
  int columns;
  int rows;
  std::vector<int> weights;
};

Strip random_strip(int columns, int rows, gpu::Random& random) {
  Strip strip{columns, rows, std::vector<int>(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows))};
  for (int& weight : strip.weights) weight = static_cast<int>(random.below(10));
  return strip;
}

/// The cheapest cost of reaching each column of the last of `rows` rows.
std::vector<int> cheapest_costs(const Strip& strip, int rows) {
  std::vector<int> costs(static_cast<std::size_t>(strip.columns), 0), before;
  for (int row = 0; row < rows; ++row) {
    before = costs;
    for (int column = 0; column < strip.columns; ++column) {
      const int first = std::max(column - 1, 0), last = std::min(column + 1, strip.columns - 1);
      costs[column] = *std::min_element(before.begin() + first, before.begin() + last + 1) +
                      strip.weights[row % strip.rows * strip.columns + column];
    }
  }
  return costs;
}

class PathFinding : public gpu::Workload {
 public:
  std::string name() const override { return "path_finding"; }
  std::string summary() const override {
    return "the cheapest way down a grid, several rows at a time in shared memory with ghost zones";
  }
  std::string branches() const override {
    return "none to interleave: columns that are wrong already stand against an empty side; minima are instructions";
  }
  std::string sizes() const override { return Rows.text("rows of 4000 columns"); }
  bool takes_any_warps() const override { return false; }

  gpu::Outcome run(gpu::Device& device, const gpu::FindProgram& find_program,
                   const gpu::WorkloadOptions& options) const override {
    const int rows = static_cast<int>(Rows.at(options)), columns = 4000;
    gpu::Random random(options.seed);
    const Strip strip = random_strip(columns, 4 * PathRowsPerLaunch, random);

    const std::uint64_t weights = gpu::upload(device, strip.weights);
    std::uint64_t costs_in = gpu::upload(device, std::vector<int>(columns, 0));
    std::uint64_t costs_out = device.allocate(columns * sizeof(int));
    for (int row = 0; row < rows; row += PathRowsPerLaunch) {
      const int owned = PathBlockColumns - 2 * PathRowsPerLaunch;
      const std::uint64_t first_weight = weights + static_cast<unsigned>(row % strip.rows * columns) * sizeof(int);
      gpu::launch(device, find_program(name()), {static_cast<unsigned>((columns + owned - 1) / owned)},
                  {PathBlockColumns}, first_weight, costs_in, costs_out, columns, PathRowsPerLaunch);
      std::swap(costs_in, costs_out);
    }
    const std::vector<int> expected = cheapest_costs(strip, rows);
    const gpu::Outcome outcome =
        gpu::compare_words(gpu::download<unsigned>(device, costs_in, columns), {expected.begin(), expected.end()});
    return {outcome.ok, fmt::format("{} rows of {} columns: {}", rows, columns, outcome.message)};
  }

 private:
  static constexpr gpu::PerSize Rows{192, 1920, 11'520};
};

const gpu::RegisterWorkload<PathFinding> Registered;

}  // namespace
}  // namespace heddle::kernels::path_finding
