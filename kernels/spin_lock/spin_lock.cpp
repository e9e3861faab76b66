// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/workload.h"

namespace heddle::kernels::spin_lock {
namespace {

class SpinLock : public gpu::Workload {
 public:
  std::string name() const override { return "spin_lock"; }
  std::string summary() const override { return "a spin lock inside a warp: never ends on a reconvergence stack"; }
  std::string branches() const override { return "the lock's loop: it ends only if the holder can run beside it"; }
  bool expects_deadlock() const override { return true; }
  std::string sizes() const override { return Warps.text("warps"); }

  gpu::Outcome run(gpu::Device& device, const gpu::FindProgram& find_program,
                   const gpu::WorkloadOptions& options) const override {
    const gpu::Shape shape = gpu::shape_for(options, Warps.at(options));
    const std::vector<unsigned> zero = {0};
    const std::uint64_t lock = gpu::upload(device, zero), counter = gpu::upload(device, zero);
    gpu::launch(device, find_program(name()), {shape.blocks}, {shape.threads}, lock, counter);
    return gpu::compare_words(gpu::download<unsigned>(device, counter, 1), {shape.total()});
  }

 private:
  static constexpr gpu::PerSize Warps{1, 4, 16};
};

const gpu::RegisterWorkload<SpinLock> Registered;

}  // namespace
}  // namespace heddle::kernels::spin_lock
