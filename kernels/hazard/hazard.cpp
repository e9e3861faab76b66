// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/workload.h"

namespace heddle::kernels::hazard {
namespace {

unsigned reference(const std::vector<unsigned>& table, unsigned index, unsigned rounds) {
  const auto entries = static_cast<unsigned>(table.size());
  unsigned at = index % entries, sum = index;
  for (unsigned round = 0; round < rounds; ++round) {
    const unsigned before = table[at], near = table[(index + round) % entries];
    unsigned after = 0;
    if ((((index >> (round & 3U)) + round) & 1U) != 0) {
      sum = sum * 5U + before;
      sum += near << 3;
      after = table[(sum ^ near) % entries];
    } else {
      sum ^= before * 7U;
      sum = (sum << 9 | sum >> 23) - near;
      after = table[(sum + before) % entries];
    }
    sum += after ^ sum >> 4;
    at = (at * 37U + after) % entries;
  }
  return sum;
}

class Hazard : public gpu::Workload {
 public:
  std::string name() const override { return "hazard"; }
  std::string summary() const override {
    return "loads pending across divergence and reconvergence (shadow scoreboard)";
  }
  std::string branches() const override { return "the if/else: both sides load and compute"; }
  std::string sizes() const override { return Warps.text("warps") + "; " + Rounds.text("rounds"); }

  gpu::Outcome run(gpu::Device& device, const gpu::FindProgram& find_program,
                   const gpu::WorkloadOptions& options) const override {
    const unsigned rounds = Rounds.at(options);
    const gpu::Shape shape = gpu::shape_for(options, Warps.at(options));
    constexpr unsigned Entries = 16 * 1024;  // 64 KB: more than an L1
    gpu::Random random(options.seed);
    std::vector<unsigned> table(Entries), expected(shape.total());
    for (unsigned& entry : table) entry = static_cast<unsigned>(random.next());
    for (unsigned index = 0; index < shape.total(); ++index) expected[index] = reference(table, index, rounds);
    const std::uint64_t trail = device.allocate(shape.total() * sizeof(unsigned));
    const std::uint64_t results = device.allocate(shape.total() * sizeof(unsigned));
    gpu::launch(device, find_program(name()), {shape.blocks}, {shape.threads}, gpu::upload(device, table), trail,
                results, Entries, rounds);
    return gpu::compare_words(gpu::download<unsigned>(device, results, shape.total()), expected);
  }

 private:
  static constexpr gpu::PerSize Warps{4, 32, 32}, Rounds{12, 64, 500};
};

const gpu::RegisterWorkload<Hazard> Registered;

}  // namespace
}  // namespace heddle::kernels::hazard
