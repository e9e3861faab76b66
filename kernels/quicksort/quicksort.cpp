// SPDX-License-Identifier: Apache-2.0
#include "kernels/quicksort/quicksort.h"

#include <algorithm>
#include <fmt/format.h>

#include "sim/gpu/workload.h"

namespace heddle::kernels::quicksort {
namespace {

class Quicksort : public gpu::Workload {
 public:
  std::string name() const override { return "quicksort"; }
  std::string summary() const override {
    return "quicksort of many arrays, each by one block, with a stack of segments";
  }
  std::string branches() const override {
    return "key below or above the pivot: each side writes and moves its own pointer; up or down in the bitonic "
           "network";
  }
  std::string sizes() const override { return Arrays.text("arrays") + " of " + Keys.text("keys"); }
  bool takes_any_warps() const override { return false; }

  gpu::Outcome run(gpu::Device& device, const gpu::FindProgram& find_program,
                   const gpu::WorkloadOptions& options) const override {
    const unsigned arrays = Arrays.at(options), keys_of_array = Keys.at(options);
    gpu::Random random(options.seed);
    std::vector<unsigned> keys(arrays * keys_of_array);
    // Few enough values that some keys equal a pivot.
    for (unsigned& key : keys) key = random.below(8 * keys_of_array);
    const std::uint64_t address = gpu::upload(device, keys);
    const std::uint64_t scratch = device.allocate(keys.size() * sizeof(unsigned));
    gpu::launch(device, find_program(name()), {arrays}, {QuicksortThreads}, address, scratch, keys_of_array);
    for (auto begin = keys.begin(); begin != keys.end(); begin += keys_of_array)
      std::sort(begin, begin + keys_of_array);
    const gpu::Outcome outcome = gpu::compare_words(gpu::download<unsigned>(device, address, keys.size()), keys);
    return {outcome.ok, fmt::format("{} arrays of {} keys: {}", arrays, keys_of_array, outcome.message)};
  }

 private:
  static constexpr gpu::PerSize Arrays{10, 48, 192}, Keys{2048, 4096, 6144};
};

const gpu::RegisterWorkload<Quicksort> Registered;

}  // namespace
}  // namespace heddle::kernels::quicksort
