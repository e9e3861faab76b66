// SPDX-License-Identifier: Apache-2.0
#include "kernels/stencil_3d/stencil_3d.h"

#include <fmt/format.h>
#include <utility>

#include "sim/gpu/workload.h"

namespace heddle::kernels::stencil_3d {
namespace {

constexpr float CentreWeight = 1.0F / 6, NeighbourWeight = 1.0F / 36;

struct Grid {
  unsigned width = 0, height = 0, depth = 0;
  unsigned points() const { return width * height * depth; }
  unsigned index(unsigned x, unsigned y, unsigned z) const { return (z * height + y) * width + x; }
};

class Stencil3d : public gpu::Workload {
 public:
  std::string name() const override { return "stencil_3d"; }
  std::string summary() const override { return "steps of a seven-point stencil on a 3-D grid"; }
  std::string branches() const override {
    return "the four neighbours in the plane: a load from shared memory on one side, from global memory on the other";
  }
  std::string sizes() const override { return Sides.text("points a side, 64 deep") + "; " + Steps.text("steps"); }
  bool takes_any_warps() const override { return false; }

  gpu::Outcome run(gpu::Device& device, const gpu::FindProgram& find_program,
                   const gpu::WorkloadOptions& options) const override {
    const unsigned side = Sides.at(options);
    const Grid grid = {side, side, 64};
    const unsigned steps = Steps.at(options);
    gpu::Random random(options.seed);
    std::vector<float> values(grid.points());
    for (float& value : values) value = random.between(0, 1);

    std::uint64_t from = gpu::upload(device, values);
    std::uint64_t to = device.allocate(values.size() * sizeof(float));
    for (unsigned step = 0; step < steps; ++step) {
      gpu::launch(device, find_program(name()), {grid.width / StencilWidth, grid.height / StencilHeight},
                  {StencilWidth, StencilHeight}, from, to, grid.depth, CentreWeight, NeighbourWeight);
      std::swap(from, to);
    }
    for (unsigned step = 0; step < steps; ++step) values = stepped(grid, values);
    const gpu::Outcome outcome = gpu::compare_exactly(gpu::download<float>(device, from, values.size()), values);
    return {outcome.ok, fmt::format("{} x {} x {} points, {} steps: {}", grid.width, grid.height, grid.depth, steps,
                                    outcome.message)};
  }

 private:
  static constexpr gpu::PerSize Sides{64, 128, 128}, Steps{2, 5, 32};

  static std::vector<float> stepped(const Grid& grid, const std::vector<float>& from) {
    std::vector<float> to = from;
    for (unsigned z = 1; z + 1 < grid.depth; ++z) {
      for (unsigned y = 1; y + 1 < grid.height; ++y) {
        for (unsigned x = 1; x + 1 < grid.width; ++x) {
          const float neighbours = from[grid.index(x - 1, y, z)] + from[grid.index(x + 1, y, z)] +
                                   from[grid.index(x, y - 1, z)] + from[grid.index(x, y + 1, z)] +
                                   from[grid.index(x, y, z - 1)] + from[grid.index(x, y, z + 1)];
          to[grid.index(x, y, z)] = neighbours * NeighbourWeight - from[grid.index(x, y, z)] * CentreWeight;
        }
      }
    }
    return to;
  }
};

const gpu::RegisterWorkload<Stencil3d> Registered;

}  // namespace
}  // namespace heddle::kernels::stencil_3d
