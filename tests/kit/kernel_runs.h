// SPDX-License-Identifier: Apache-2.0
// Kernels of ours beside the oracle: how their runs have to end, with the clock gate and without.
#pragma once

#include <functional>

#include "sim/gpu/run.h"

namespace heddle::tests {

/// Every kernel at a point under a mechanism. A part of a campaign stops those that take more than `in_time` cycles, the
/// whole lets all end.
std::vector<gpu::RunRequest> every_kernel(const DesignPoint& point, const Mechanism& mechanism,
                                          const std::string& ptx_directory, std::uint64_t in_time = 200'000);

/// Whether it is the kernel that each mechanism runs at each point in few cycles, with loads of an affine address: for
/// part_with.
bool runs_everywhere(const gpu::RunRequest& request);

/// Runs them. Each is Ok and equals the oracle, but for those that are refused or too big for their point, which are
/// counted in a line by reason, and in a part those that take too long. Calls `check` with what ended.
/// Returns how many equal the oracle.
unsigned check_kernels(const std::vector<gpu::RunRequest>& requests,
                       const std::function<void(const gpu::RunRequest&, const gpu::RunResult&)>& check);

/// As check_kernels; what is not long runs without the gate too, and counts the same.
unsigned check_kernels_with_and_without_gate(
    const std::vector<gpu::RunRequest>& requests,
    const std::function<void(const gpu::RunRequest&, const gpu::RunResult&)>& check);

}  // namespace heddle::tests
