// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/workload.h"

namespace heddle::kernels::trip_count {
namespace {

unsigned collatz_steps(unsigned value) {
  unsigned count = 0;
  for (; value > 1; ++count) value = (value & 1U) != 0 ? 3 * value + 1 : value / 2;
  return count;
}

class TripCount : public gpu::Workload {
 public:
  std::string name() const override { return "trip_count"; }
  std::string summary() const override { return "a loop whose trip count differs from lane to lane"; }
  std::string branches() const override { return "none to interleave: lanes that leave the loop wait for the others"; }
  std::string sizes() const override { return Warps.text("warps"); }

  gpu::Outcome run(gpu::Device& device, const gpu::FindProgram& find_program,
                   const gpu::WorkloadOptions& options) const override {
    const gpu::Shape shape = gpu::shape_for(options, Warps.at(options));
    gpu::Random random(options.seed);
    std::vector<unsigned> starts(shape.total()), expected(shape.total());
    for (unsigned index = 0; index < shape.total(); ++index) {
      starts[index] = random.below(10'000);
      expected[index] = collatz_steps(starts[index]);
    }
    const std::uint64_t steps = device.allocate(shape.total() * sizeof(unsigned));
    gpu::launch(device, find_program(name()), {shape.blocks}, {shape.threads}, gpu::upload(device, starts), steps);
    return gpu::compare_words(gpu::download<unsigned>(device, steps, shape.total()), expected);
  }

 private:
  static constexpr gpu::PerSize Warps{8, 64, 512};
};

const gpu::RegisterWorkload<TripCount> Registered;

}  // namespace
}  // namespace heddle::kernels::trip_count
