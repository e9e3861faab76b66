// SPDX-License-Identifier: Apache-2.0
#include "kernels/bitonic_sort/bitonic_sort.h"

#include <algorithm>

#include "sim/gpu/workload.h"

namespace heddle::kernels::bitonic_sort {
namespace {

class BitonicSort : public gpu::Workload {
 public:
  std::string name() const override { return "bitonic_sort"; }
  std::string summary() const override { return "each block sorts its keys by a bitonic network in shared memory"; }
  std::string branches() const override {
    return "up or down: each side compares and exchanges; the upper thread of a pair and keys in order do nothing";
  }
  std::string sizes() const override {
    return Blocks.text("blocks of 512 keys, of 256 where that are too many threads");
  }
  bool takes_any_warps() const override { return false; }

  gpu::Outcome run(gpu::Device& device, const gpu::FindProgram& find_program,
                   const gpu::WorkloadOptions& options) const override {
    const unsigned blocks = Blocks.at(options), most = options.warps_per_block * options.lanes;
    const bool fewer = most != 0 && most < BitonicKeys;
    const unsigned of_block = fewer ? FewerBitonicKeys : BitonicKeys;
    gpu::Random random(options.seed);
    std::vector<unsigned> values(blocks * of_block);
    // Few enough different keys that some are equal.
    for (unsigned& value : values) value = random.below(10'000);
    const std::uint64_t keys = gpu::upload(device, values);
    gpu::launch(device, find_program(fewer ? "bitonic_sort_fewer" : name()), {blocks}, {of_block}, keys);

    for (auto first = values.begin(); first != values.end(); first += of_block) std::sort(first, first + of_block);
    return gpu::compare_words(gpu::download<unsigned>(device, keys, values.size()), values);
  }

 private:
  static constexpr gpu::PerSize Blocks{48, 480, 2880};
};

const gpu::RegisterWorkload<BitonicSort> Registered;

}  // namespace
}  // namespace heddle::kernels::bitonic_sort
