// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "sim/gpu/workload.h"

namespace heddle::kernels::wide_address {
namespace {

class WideAddress : public gpu::Workload {
 public:
  std::string name() const override { return "wide_address"; }
  std::string summary() const override { return "64-bit index arithmetic and strides, buffers above 4 GiB"; }
  std::string branches() const override {
    return "clang's own: a remainder of 64 bits against one of 32, where the operands fit; the loop is uniform";
  }
  std::string sizes() const override { return Warps.text("warps") + "; " + Steps.text("steps"); }

  gpu::Outcome run(gpu::Device& device, const gpu::FindProgram& find_program,
                   const gpu::WorkloadOptions& options) const override {
    const unsigned steps = Steps.at(options);
    const gpu::Shape shape = gpu::shape_for(options, Warps.at(options));
    const std::int64_t total = shape.total(), stride = -0x1'2345'6789;
    gpu::Random random(options.seed);
    std::vector<unsigned> values(shape.total());
    for (unsigned& value : values) value = static_cast<unsigned>(random.next());
    std::vector<std::uint64_t> expected(shape.total());
    for (std::int64_t index = 0; index < total; ++index) {
      std::uint64_t sum = 0;
      for (unsigned step = 0; step < steps; ++step) {
        const std::int64_t far = (index + step) * stride, slot = (far >> 33) % total;
        const auto at = static_cast<std::size_t>(slot >= 0 ? slot : total + slot);
        sum = sum * 0x100000001b3U + values[at] + static_cast<std::uint64_t>(far);
      }
      expected[static_cast<std::size_t>(total - 1 - index)] = sum;
    }
    const std::uint64_t results = device.allocate(shape.total() * sizeof(std::uint64_t));
    gpu::launch(device, find_program(name()), {shape.blocks}, {shape.threads}, gpu::upload(device, values), results,
                stride, steps);
    const bool equal = gpu::download<std::uint64_t>(device, results, shape.total()) == expected;
    return {equal, fmt::format("{} sums {} the CPU reference", total, equal ? "equal" : "differ from")};
  }

 private:
  static constexpr gpu::PerSize Warps{4, 32, 64}, Steps{8, 32, 200};
};

const gpu::RegisterWorkload<WideAddress> Registered;

}  // namespace
}  // namespace heddle::kernels::wide_address
