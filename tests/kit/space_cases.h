// SPDX-License-Identifier: Apache-2.0
// Kernels that use every state space, for the timed SM beside the oracle and for the mutants of the SM. Each case
// computes on the host what it expects.
#pragma once

#include <fmt/format.h>
#include <string>
#include <vector>

#include "sim/gpu/workload.h"

namespace heddle::tests {

/// All cases, one after the other on one device.
gpu::Outcome run_space_cases(gpu::Device& device);

/// Entry k(p) with this body: %rd1 is the buffer, %r1 %tid.x, %r2 the thread's index in the grid, %rd2 its word.
isa::Program program_of(const std::string& body, const std::string& variables = "");

/// Runs k on a buffer of one word a thread, all 0xdeadbeef, and wants `expected(thread)`.
/// \returns empty, or what is wrong
template <class Expected>
std::string check(gpu::Device& device, const isa::Program& program, unsigned blocks, unsigned threads, unsigned shared,
                  Expected expected) {
  const std::uint64_t buffer =
      gpu::upload(device, std::vector<std::uint32_t>(std::size_t{blocks} * threads, 0xdeadbeef));
  gpu::launch(device, program, {blocks}, {threads}, gpu::SharedBytes{shared}, buffer);
  const std::vector<std::uint32_t> found = gpu::download<std::uint32_t>(device, buffer, std::size_t{blocks} * threads);
  for (unsigned thread = 0; thread < found.size(); ++thread) {
    if (found[thread] != expected(thread))
      return fmt::format("thread {}: {:#x}, expected {:#x}", thread, found[thread], expected(thread));
  }
  return "";
}

}  // namespace heddle::tests
