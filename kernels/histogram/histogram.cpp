// SPDX-License-Identifier: Apache-2.0
#include "kernels/histogram/histogram.h"

#include "kernels/batches.h"

namespace heddle::kernels::histogram {
namespace {

class Histogram : public gpu::Workload {
 public:
  std::string name() const override { return "histogram"; }
  std::string summary() const override {
    return "how often each byte occurs: atomics in shared memory, then global ones";
  }
  std::string branches() const override { return "none to interleave: threads that leave a loop wait for the others"; }
  std::string sizes() const override { return Batches.text("batches of 921601 words"); }

  gpu::Outcome run(gpu::Device& device, const gpu::FindProgram& find_program,
                   const gpu::WorkloadOptions& options) const override {
    const gpu::Shape shape = gpu::shape_for(options, 48, 8);
    const unsigned words = 600 * shape.total() + 1;  // so that the last turn of the loop is that of one thread
    const std::uint64_t from = device.allocate(words * sizeof(unsigned));
    const std::uint64_t counts = gpu::upload(device, std::vector<unsigned>(Bins, 0));
    gpu::Random random(options.seed);
    std::vector<unsigned> expected(Bins, 0);
    return run_in_batches(Batches.at(options), [&] {
      std::vector<unsigned> values(words);
      for (unsigned& value : values) {
        for (unsigned byte = 0; byte < 4; ++byte) {
          // Small values are more frequent, so that lanes often meet in one bin.
          const unsigned bin = random.below(random.below(Bins) + 1);
          value |= bin << 8 * byte;
          ++expected[bin];
        }
      }
      device.write(from, values.data(), values.size() * sizeof(unsigned));
      gpu::launch(device, find_program(name()), {shape.blocks}, {shape.threads}, from, counts, words);
      return gpu::compare_words(gpu::download<unsigned>(device, counts, Bins), expected);
    });
  }

 private:
  static constexpr gpu::PerSize Batches{1, 10, 60};
};

const gpu::RegisterWorkload<Histogram> Registered;

}  // namespace
}  // namespace heddle::kernels::histogram
