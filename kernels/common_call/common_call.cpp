// SPDX-License-Identifier: Apache-2.0
#include "kernels/common_call/common_call.h"

#include "sim/gpu/workload.h"

namespace heddle::kernels::common_call {
namespace {

unsigned work(unsigned value) {
  for (unsigned turn = 0; turn < Turns; ++turn) value = hash(value + turn);
  return value;
}

unsigned result_of(unsigned value, unsigned index, unsigned rounds) {
  for (unsigned round = 0; round < rounds; ++round)
    value = value % 2 == 1 ? work(of_taken(value, round)) + round : work(of_other(value, round)) ^ index;
  return value;
}

class CommonCall : public gpu::Workload {
 public:
  std::string name() const override { return "common_call"; }
  std::string summary() const override { return "a divergent branch both of whose sides call one expensive function"; }
  std::string branches() const override { return "the branch itself: a call of the same function on both sides"; }
  std::string sizes() const override { return Warps.text("warps, 8 rounds"); }
  bool takes_coarsen() const override { return true; }

  gpu::Outcome run(gpu::Device& device, const gpu::FindProgram& find_program,
                   const gpu::WorkloadOptions& options) const override {
    const unsigned rounds = gpu::items_of_thread(options, 8);
    const gpu::Shape shape = gpu::shape_for(options, Warps.at(options));
    gpu::Random random(options.seed);
    std::vector<unsigned> starts(shape.total()), expected(shape.total());
    for (unsigned index = 0; index < shape.total(); ++index) {
      starts[index] = random.next();
      expected[index] = result_of(starts[index], index, rounds);
    }
    const std::uint64_t results = device.allocate(shape.total() * sizeof(unsigned));
    gpu::launch(device, find_program(name()), {shape.blocks}, {shape.threads}, gpu::upload(device, starts), results,
                rounds);
    return gpu::compare_words(gpu::download<unsigned>(device, results, shape.total()), expected);
  }

 private:
  static constexpr gpu::PerSize Warps{8, 64, 512};
};

const gpu::RegisterWorkload<CommonCall> Registered;

}  // namespace
}  // namespace heddle::kernels::common_call
