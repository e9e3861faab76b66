// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <fmt/format.h>

#include "sim/gpu/workload.h"

namespace heddle::kernels::vector_add {
namespace {

class VectorAdd : public gpu::Workload {
 public:
  std::string name() const override { return "vector_add"; }
  std::string summary() const override { return "c = a + b on floats, with a bounds check"; }
  std::string branches() const override { return "none to interleave: the bounds check has an empty side"; }
  std::string sizes() const override { return Warps.text("warps"); }

  gpu::Outcome run(gpu::Device& device, const gpu::FindProgram& find_program,
                   const gpu::WorkloadOptions& options) const override {
    const gpu::Shape shape = gpu::shape_for(options, Warps.at(options));
    const unsigned count = shape.total() - 1;  // so that the bounds check cuts one thread off
    gpu::Random random(options.seed);
    std::vector<float> a(count), b(count), expected(count);
    for (unsigned index = 0; index < count; ++index) {
      a[index] = static_cast<float>(random.below(1000)) / 8;
      b[index] = static_cast<float>(random.below(1000)) / 8;
      expected[index] = a[index] + b[index];
    }
    const std::uint64_t c = device.allocate(count * sizeof(float));
    const std::uint64_t of_b = gpu::upload(device, b), of_a = gpu::upload(device, a);
    gpu::launch(device, find_program(name()), {shape.blocks}, {shape.threads}, of_a, of_b, c, count);
    const bool equal =
        std::memcmp(gpu::download<float>(device, c, count).data(), expected.data(), count * sizeof(float)) == 0;
    return {equal, fmt::format("{} sums {} the CPU reference", count, equal ? "equal" : "differ from")};
  }

 private:
  static constexpr gpu::PerSize Warps{8, 64, 512};
};

const gpu::RegisterWorkload<VectorAdd> Registered;

}  // namespace
}  // namespace heddle::kernels::vector_add
