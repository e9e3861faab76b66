// SPDX-License-Identifier: Apache-2.0
#include "kernels/multipole_lookup/reference.h"
#include "sim/gpu/workload.h"

namespace heddle::kernels::multipole_lookup {
namespace {

class MultipoleLookup : public gpu::Workload {
 public:
  std::string name() const override { return "multipole_lookup"; }
  std::string summary() const override { return "cross sections of materials from poles and windows (RSBench)"; }
  std::string branches() const override {
    return "near or far in the Faddeeva function: a series against two poles; the loops' exits have an empty side";
  }
  std::string sizes() const override { return Warps.text("warps, 2 look-ups a thread"); }
  bool takes_coarsen() const override { return true; }

  gpu::Outcome run(gpu::Device& device, const gpu::FindProgram& find_program,
                   const gpu::WorkloadOptions& options) const override {
    const unsigned lookups = gpu::items_of_thread(options, 2);
    gpu::WorkloadOptions bounded = options;
    bounded.block_threads = std::min(options.block_threads, MaxThreads);
    const gpu::Shape shape = gpu::shape_for(bounded, Warps.at(options), MaxThreads / 32);
    gpu::Random random(options.seed);
    const Data data = generate(random);
    std::vector<float> expected;
    for (unsigned thread = 0; thread < shape.total(); ++thread) {
      const Sums sums = look_up(data, thread, lookups);
      expected.insert(expected.end(), {sums.total, sums.absorption});
    }

    const std::uint64_t sums = device.allocate(expected.size() * sizeof(float));
    const auto upload = [&](const auto& values) -> std::uint64_t { return gpu::upload(device, values); };
    const std::uint64_t weideman = upload(data.weideman), poles = upload(data.poles), windows = upload(data.windows),
                        nuclides = upload(data.nuclides), share = upload(data.materials.share),
                        densities = upload(data.materials.densities), nuclides_of = upload(data.materials.nuclides),
                        first = upload(data.materials.first);
    gpu::launch(device, find_program(name()), {shape.blocks}, {shape.threads}, first, nuclides_of, densities, share,
                nuclides, windows, poles, weideman, sums, lookups);
    return gpu::compare_exactly(gpu::download<float>(device, sums, expected.size()), expected);
  }

 private:
  static constexpr gpu::PerSize Warps{48, 480, 2880};
};

const gpu::RegisterWorkload<MultipoleLookup> Registered;

}  // namespace
}  // namespace heddle::kernels::multipole_lookup
