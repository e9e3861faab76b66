// SPDX-License-Identifier: Apache-2.0
#include "kernels/hot_spot/hot_spot.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "sim/gpu/workload.h"

namespace heddle::kernels::hot_spot {
namespace {

constexpr int Rows = 90, Columns = 100;
constexpr std::size_t Cells = std::size_t{Rows} * Columns;
constexpr HotSpotChip Chip{0.34F, 0.12F, 0.11F, 0.002F, 80.0F};

/// Little power everywhere, much in some rectangles: the units that work.
std::vector<float> random_power(gpu::Random& random) {
  std::vector<float> power(Cells);
  for (float& value : power) value = random.between(0.0F, 0.1F);
  for (int unit = 0; unit < 12; ++unit) {
    const int top = static_cast<int>(random.below(Rows - 16)), left = static_cast<int>(random.below(Columns - 16));
    const float watts = random.between(0.5F, 2.0F);
    for (int row = top; row < top + 16; ++row)
      for (int column = left; column < left + 16; ++column) power[row * Columns + column] += watts;
  }
  return power;
}

void step(std::vector<float>& temperatures, const std::vector<float>& power) {
  const std::vector<float> before = temperatures;
  const auto at = [&](int row, int column) {
    return before[std::clamp(row, 0, Rows - 1) * Columns + std::clamp(column, 0, Columns - 1)];
  };
  for (int row = 0; row < Rows; ++row) {
    for (int column = 0; column < Columns; ++column) {
      const float here = at(row, column);
      const float vertical = (at(row - 1, column) + at(row + 1, column) - 2 * here) * Chip.per_row;
      const float horizontal = (at(row, column - 1) + at(row, column + 1) - 2 * here) * Chip.per_column;
      const float cooling = (Chip.ambient - here) * Chip.per_ambient;
      const int cell = row * Columns + column;
      temperatures[cell] = here + (power[cell] * Chip.per_power + vertical + horizontal + cooling);
    }
  }
}

class HotSpot : public gpu::Workload {
 public:
  std::string name() const override { return "hot_spot"; }
  std::string summary() const override {
    return "the temperature of a chip over time, some steps at once in shared memory with ghost zones";
  }
  std::string branches() const override {
    return "none to interleave: cells that are stale stand against no work or three moves; the rim is a select";
  }
  std::string sizes() const override { return Steps.text("steps of 90 x 100 cells"); }
  bool takes_any_warps() const override { return false; }

  gpu::Outcome run(gpu::Device& device, const gpu::FindProgram& find_program,
                   const gpu::WorkloadOptions& options) const override {
    const int steps = static_cast<int>(Steps.at(options));
    gpu::Random random(options.seed);
    const std::vector<float> power = random_power(random);
    std::vector<float> expected(Cells, Chip.ambient);

    const std::uint64_t power_address = gpu::upload(device, power);
    std::uint64_t before = gpu::upload(device, expected), after = gpu::upload(device, expected);
    const int owned = HotSpotTile - 2 * HotSpotStepsPerLaunch;
    for (int done = 0; done < steps; done += HotSpotStepsPerLaunch) {
      gpu::launch(device, find_program(name()), {(Columns + owned - 1) / owned, (Rows + owned - 1) / owned},
                  {HotSpotTile, HotSpotTile}, power_address, before, after, Rows, Columns, Chip.per_power, Chip.per_row,
                  Chip.per_column, Chip.per_ambient, Chip.ambient);
      std::swap(before, after);
    }
    for (int done = 0; done < steps; ++done) step(expected, power);
    const gpu::Outcome outcome = gpu::compare_exactly(gpu::download<float>(device, before, Cells), expected);
    return {outcome.ok, fmt::format("{} x {} cells, {} steps: {}", Rows, Columns, steps, outcome.message)};
  }

 private:
  static constexpr gpu::PerSize Steps{20, 200, 1200};
};

const gpu::RegisterWorkload<HotSpot> Registered;

}  // namespace
}  // namespace heddle::kernels::hot_spot
