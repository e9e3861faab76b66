// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/workload.h"

namespace heddle::kernels::reorder {
namespace {

class Reorder : public gpu::Workload {
 public:
  std::string name() const override { return "reorder"; }
  std::string summary() const override { return "stores into lines on their way, loads back (memory order)"; }
  std::string branches() const override { return "none to interleave: a store on one side, nothing on the other"; }
  std::string sizes() const override { return Warps.text("warps") + "; " + Rounds.text("rounds"); }

  gpu::Outcome run(gpu::Device& device, const gpu::FindProgram& find_program,
                   const gpu::WorkloadOptions& options) const override {
    const unsigned rounds = Rounds.at(options);
    const gpu::Shape shape = gpu::shape_for(options, Warps.at(options));
    gpu::Random random(options.seed);
    std::vector<unsigned> slots(std::size_t{2} * rounds * shape.total());
    for (unsigned& slot : slots) slot = static_cast<unsigned>(random.next());
    const std::uint64_t address = gpu::upload(device, slots);
    std::vector<unsigned> expected(shape.total(), 0);
    for (unsigned index = 0; index < shape.total(); ++index) {
      for (unsigned round = 0; round < rounds; ++round) {
        unsigned* const mine = &slots[std::size_t{2} * (round * shape.total() + index)];
        const unsigned old = mine[0];
        mine[0] = index * 2654435761U + round;
        if (((index + round) & 1U) != 0) mine[1] = round + 1;
        expected[index] = (expected[index] * 31U + old) * 31U + mine[0] + mine[1] * 17U;
      }
    }
    const std::uint64_t results = device.allocate(shape.total() * sizeof(unsigned));
    gpu::launch(device, find_program(name()), {shape.blocks}, {shape.threads}, address, results, rounds);
    const gpu::Outcome sums = gpu::compare_words(gpu::download<unsigned>(device, results, shape.total()), expected);
    return sums.ok ? gpu::compare_words(gpu::download<unsigned>(device, address, slots.size()), slots) : sums;
  }

 private:
  static constexpr gpu::PerSize Warps{4, 16, 32}, Rounds{8, 32, 128};
};

const gpu::RegisterWorkload<Reorder> Registered;

}  // namespace
}  // namespace heddle::kernels::reorder
