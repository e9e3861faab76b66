// SPDX-License-Identifier: Apache-2.0
#include "kernels/laplace/laplace.h"

#include <fmt/format.h>
#include <utility>

#include "sim/gpu/workload.h"

namespace heddle::kernels::laplace {
namespace {

/// The blocks of threads that cover so many points.
unsigned blocks_for(unsigned points, unsigned points_of_block) {
  return (points + points_of_block - 1) / points_of_block;
}

class Laplace : public gpu::Workload {
 public:
  std::string name() const override { return "laplace"; }
  std::string summary() const override { return "Jacobi steps of Laplace's equation in a cube with fixed surfaces"; }
  std::string branches() const override {
    return "surface or inside: one loads its own point, the other its six neighbours; which cell of the halo, once; "
           "its loads are one-sided";
  }
  std::string sizes() const override { return Sides.text("points a side") + "; " + Steps.text("steps"); }
  bool takes_any_warps() const override { return false; }

  gpu::Outcome run(gpu::Device& device, const gpu::FindProgram& find_program,
                   const gpu::WorkloadOptions& options) const override {
    const unsigned side = Sides.at(options), steps = Steps.at(options);
    gpu::Random random(options.seed);
    std::vector<float> values(side * side * side);
    for (float& value : values) value = random.between(-1, 1);

    std::uint64_t from = gpu::upload(device, values);
    std::uint64_t to = device.allocate(values.size() * sizeof(float));
    for (unsigned step = 0; step < steps; ++step) {
      gpu::launch(device, find_program(name()), {blocks_for(side, LaplaceWidth), blocks_for(side, LaplaceHeight)},
                  {LaplaceWidth, LaplaceHeight}, from, to, side, side, side);
      std::swap(from, to);
    }
    for (unsigned step = 0; step < steps; ++step) values = relaxed(values, side);
    const gpu::Outcome outcome = gpu::compare_exactly(gpu::download<float>(device, from, values.size()), values);
    return {outcome.ok, fmt::format("a cube of {} points, {} steps: {}", side, steps, outcome.message)};
  }

 private:
  static constexpr gpu::PerSize Sides{60, 124, 124}, Steps{2, 3, 16};

  static std::vector<float> relaxed(const std::vector<float>& from, unsigned side) {
    std::vector<float> to = from;
    const unsigned area = side * side;
    for (unsigned z = 1; z + 1 < side; ++z) {
      for (unsigned y = 1; y + 1 < side; ++y) {
        for (unsigned x = 1; x + 1 < side; ++x) {
          const float* point = &from[z * area + y * side + x];
          to[z * area + y * side + x] =
              (point[-1] + point[1] + *(point - side) + point[side] + *(point - area) + point[area]) * (1.0F / 6);
        }
      }
    }
    return to;
  }
};

const gpu::RegisterWorkload<Laplace> Registered;

}  // namespace
}  // namespace heddle::kernels::laplace
