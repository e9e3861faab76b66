// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/workload.h"

namespace heddle::kernels::reduce {
namespace {

class Reduce : public gpu::Workload {
 public:
  std::string name() const override { return "reduce"; }
  std::string summary() const override { return "the sum of each block by a tree in shared memory, with barriers"; }
  std::string branches() const override { return "none to interleave: the adding side stands against an empty one"; }
  std::string sizes() const override { return Warps.text("warps"); }

  gpu::Outcome run(gpu::Device& device, const gpu::FindProgram& find_program,
                   const gpu::WorkloadOptions& options) const override {
    const gpu::Shape shape = gpu::shape_for(options, Warps.at(options), 8);
    gpu::Random random(options.seed);
    std::vector<unsigned> values(shape.total()), expected(shape.blocks, 0);
    for (unsigned index = 0; index < shape.total(); ++index) {
      values[index] = static_cast<unsigned>(random.next());
      expected[index / shape.threads] += values[index];
    }
    const std::uint64_t sums = device.allocate(shape.blocks * sizeof(unsigned));
    gpu::launch(device, find_program(name()), {shape.blocks}, {shape.threads}, gpu::upload(device, values), sums);
    return gpu::compare_words(gpu::download<unsigned>(device, sums, shape.blocks), expected);
  }

 private:
  static constexpr gpu::PerSize Warps{8, 64, 512};
};

const gpu::RegisterWorkload<Reduce> Registered;

}  // namespace
}  // namespace heddle::kernels::reduce
