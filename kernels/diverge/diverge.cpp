// SPDX-License-Identifier: Apache-2.0
#include "kernels/diverge/diverge.h"

#include "sim/gpu/workload.h"

namespace heddle::kernels::diverge {
namespace {

class Diverge : public gpu::Workload {
 public:
  std::string name() const override { return "diverge"; }
  std::string summary() const override { return "if/else with a loop of data-dependent length on both sides"; }
  std::string branches() const override { return "the if/else: both sides loop; the loops' exits have an empty side"; }
  std::string sizes() const override { return Warps.text("warps") + "; " + Rounds.text("rounds"); }

  gpu::Outcome run(gpu::Device& device, const gpu::FindProgram& find_program,
                   const gpu::WorkloadOptions& options) const override {
    const unsigned rounds = Rounds.at(options);
    const gpu::Shape shape = gpu::shape_for(options, Warps.at(options));
    gpu::Random random(options.seed);
    std::vector<unsigned> values(shape.total()), expected(shape.total(), 0);
    for (unsigned index = 0; index < shape.total(); ++index) {
      values[index] = static_cast<unsigned>(random.next());
      unsigned value = values[index];
      for (unsigned round = 0; round < rounds; ++round) expected[index] = diverge_round(value, expected[index]);
    }
    const std::uint64_t sums = device.allocate(shape.total() * sizeof(unsigned));
    gpu::launch(device, find_program(name()), {shape.blocks}, {shape.threads}, gpu::upload(device, values), sums,
                rounds);
    return gpu::compare_words(gpu::download<unsigned>(device, sums, shape.total()), expected);
  }

 private:
  static constexpr gpu::PerSize Warps{8, 32, 32}, Rounds{8, 64, 1000};
};

const gpu::RegisterWorkload<Diverge> Registered;

}  // namespace
}  // namespace heddle::kernels::diverge
