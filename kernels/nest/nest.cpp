// SPDX-License-Identifier: Apache-2.0
#include "kernels/nest/nest.h"

#include "sim/gpu/workload.h"

namespace heddle::kernels::nest {
namespace {

class FiveLevels : public gpu::Workload {
 public:
  std::string name() const override { return "nest"; }
  std::string summary() const override { return "if/else nested five deep, 32 leaves"; }
  std::string branches() const override { return "all five levels: work before, on both sides and after each"; }
  std::string sizes() const override { return Warps.text("warps") + "; " + Rounds.text("rounds"); }

  gpu::Outcome run(gpu::Device& device, const gpu::FindProgram& find_program,
                   const gpu::WorkloadOptions& options) const override {
    const unsigned rounds = Rounds.at(options);
    const gpu::Shape shape = gpu::shape_for(options, Warps.at(options));
    gpu::Random random(options.seed);
    std::vector<unsigned> bits(shape.total()), expected(shape.total());
    for (unsigned index = 0; index < shape.total(); ++index) {
      bits[index] = static_cast<unsigned>(random.next());
      unsigned value = index;
      for (unsigned round = 0; round < rounds; ++round) value = Nest<5, 1>::run(value, bits[index] ^ value >> 13);
      expected[index] = value;
    }
    const std::uint64_t results = device.allocate(shape.total() * sizeof(unsigned));
    gpu::launch(device, find_program(name()), {shape.blocks}, {shape.threads}, gpu::upload(device, bits), results,
                rounds);
    return gpu::compare_words(gpu::download<unsigned>(device, results, shape.total()), expected);
  }

 private:
  static constexpr gpu::PerSize Warps{8, 32, 32}, Rounds{4, 32, 400};
};

const gpu::RegisterWorkload<FiveLevels> Registered;

}  // namespace
}  // namespace heddle::kernels::nest
