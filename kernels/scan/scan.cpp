// SPDX-License-Identifier: Apache-2.0
#include "kernels/scan/scan.h"

#include "kernels/batches.h"

namespace heddle::kernels::scan {
namespace {

/// Scans any number of values: blocks, then the sums of blocks by itself, then one is added to the other.
void scan_on_device(gpu::Device& device, const gpu::FindProgram& find_program, std::uint64_t values,
                    std::uint64_t prefixes, unsigned total) {
  const unsigned blocks = (total + ScanValues - 1) / ScanValues;
  const std::uint64_t sums = device.allocate(blocks * sizeof(unsigned));
  gpu::launch(device, find_program("scan_blocks"), {blocks}, {ScanThreads}, values, prefixes, sums, total);
  if (blocks == 1) return;
  const std::uint64_t block_prefixes = device.allocate(blocks * sizeof(unsigned));
  scan_on_device(device, find_program, sums, block_prefixes, blocks);
  gpu::launch(device, find_program("add_block_prefixes"), {blocks}, {ScanThreads}, prefixes, block_prefixes, total);
}

class Scan : public gpu::Workload {
 public:
  std::string name() const override { return "scan"; }
  std::string summary() const override { return "exclusive prefix sums by a tree in shared memory, work-efficient"; }
  std::string branches() const override {
    return "none to interleave: threads without a node of the tree have no work";
  }
  std::string sizes() const override { return Batches.text("batches of 153500 words"); }
  bool takes_any_warps() const override { return false; }

  gpu::Outcome run(gpu::Device& device, const gpu::FindProgram& find_program,
                   const gpu::WorkloadOptions& options) const override {
    constexpr unsigned Total = 300 * ScanValues - 100;  // two levels of blocks; the last block is not full
    const std::uint64_t from = device.allocate(Total * sizeof(unsigned));
    const std::uint64_t to = device.allocate(Total * sizeof(unsigned));
    gpu::Random random(options.seed);
    return run_in_batches(Batches.at(options), [&] {
      std::vector<unsigned> values(Total), expected(Total);
      unsigned sum = 0;
      for (unsigned index = 0; index < Total; ++index) {
        values[index] = static_cast<unsigned>(random.next());
        expected[index] = sum;
        sum += values[index];
      }
      device.write(from, values.data(), values.size() * sizeof(unsigned));
      scan_on_device(device, find_program, from, to, Total);
      return gpu::compare_words(gpu::download<unsigned>(device, to, Total), expected);
    });
  }

 private:
  static constexpr gpu::PerSize Batches{1, 10, 60};
};

const gpu::RegisterWorkload<Scan> Registered;

}  // namespace
}  // namespace heddle::kernels::scan
