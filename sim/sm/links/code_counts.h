// SPDX-License-Identifier: Apache-2.0
// What an SM counts of each instruction of the program: where a profile comes from (`heddle run --profile`).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/sm/links/statistics.h"

namespace heddle {

/// The counts of one instruction in a launch. Over all instructions, issues and stalls add up to the scheduler cycles in
/// which a warp was there; each of the others to the statistic of its name.
struct CodeCount {
  std::uint64_t issues = 0;         ///< of warp instructions
  std::uint64_t active_lanes = 0;   ///< of all issues: thread instructions
  std::uint64_t branches = 0;       ///< executed as a branch
  std::uint64_t divergent = 0;      ///< of these, those whose lanes went both ways
  std::uint64_t line_requests = 0;  ///< of its accesses
  std::uint64_t shared_passes = 0;  ///< over the banks of shared memory
  /// Scheduler cycles without an issue, by reason. A cycle counts once: for the instruction that waits in the first
  /// slot, behind the one that issued last, that the reason holds of; where a branch is in flight, for the branch.
  std::array<std::uint64_t, Stalls> stalls{};

  std::uint64_t stalled() const;
  CodeCount& operator+=(const CodeCount& other);
};

/// By PC; an SM counts by at(), for a path may stand behind the code.
using CodeCounts = std::vector<CodeCount>;

}  // namespace heddle
