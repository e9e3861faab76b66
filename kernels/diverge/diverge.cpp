#include "kernels/diverge/diverge.h"

#include "sim/gpu/workload.h"

namespace heddle::kernels {
namespace {

class Diverge : public gpu::Workload {
 public:
  std::string name() const override { return "diverge"; }
  std::string summary() const override { return "if/else with a loop of data-dependent length on both sides"; }
  std::string branches() const override { return "the if/else: both sides loop; the loops' exits have an empty side"; }

  gpu::Outcome run(gpu::Device& device, const gpu::FindProgram& find_program,
                   const gpu::WorkloadOptions& options) const override {
    const unsigned default_warps[] = {8, 32, 32}, rounds_of_size[] = {8, 64, 1000};
    const unsigned rounds = rounds_of_size[static_cast<unsigned>(options.size)];
    const gpu::Shape shape = gpu::shape_for(options, default_warps[static_cast<unsigned>(options.size)]);
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
};

const gpu::RegisterWorkload<Diverge> Registered;

}  // namespace
}  // namespace heddle::kernels
