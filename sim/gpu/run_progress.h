// SPDX-License-Identifier: Apache-2.0
// How far a run in a child process is, as its parent sees it: the child writes to a page that both have.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>

#include "sim/isa/launch_progress.h"

namespace heddle::gpu {

enum class RunStage : std::uint8_t { Waiting, Timed, Oracle, Ended };

struct RunProgress {
  RunStage stage = RunStage::Waiting;
  isa::LaunchProgress launch;                    ///< its number counts from 1 in each stage
  std::uint64_t count = 0;                       ///< cycles, or thread instructions, of all launches of the stage
  double launch_seconds = 0, stage_seconds = 0;  ///< since they began
};

/// Written by one process, read by another one. Each number is whole; several may be of two moments.
class ProgressPage {
 public:
  using Clock = std::chrono::steady_clock;

  /// In memory that a child process shares with this one.
  static std::shared_ptr<ProgressPage> make();

  /// \param launch  0 as its number: none has begun
  void tell(RunStage stage, const isa::LaunchProgress& launch);
  void end() { stage_ = RunStage::Ended; }
  RunProgress now() const;

 private:
  std::atomic<RunStage> stage_{RunStage::Waiting};
  std::atomic<std::uint64_t> number_{0}, launch_{0}, ended_{0}, blocks_{0}, count_{0}, before_{0};
  std::atomic<Clock::rep> launch_began_{0}, stage_began_{0};
};

}  // namespace heddle::gpu
