// SPDX-License-Identifier: Apache-2.0
// How far long runs are, on standard error: a bar on a terminal, lines elsewhere.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "sim/gpu/run.h"

namespace heddle::cli {

class ProgressDisplay {
 public:
  /// \param names    of the runs: "nest under dpe/shadow"
  /// \param seconds  after which it begins to speak, and between two lines; 0: it never does
  ProgressDisplay(std::vector<std::string> names, unsigned seconds);
  /// Leaves no bar behind.
  ~ProgressDisplay();
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;

  void show(const std::vector<gpu::RunProgress>& runs);

 private:
  using Clock = std::chrono::steady_clock;
  void show_bar(const std::vector<gpu::RunProgress>& runs);
  void show_lines(const std::vector<gpu::RunProgress>& runs) const;

  const std::vector<std::string> names_;
  const bool is_terminal_;
  const std::chrono::seconds between_;
  Clock::time_point next_;
  bool has_bar_ = false;
};

/// "launch 3: 12 of 64 CTAs, 1,234,567 cycles, 210,000 a second, about 80 s left": of a run that is under way.
std::string describe(const gpu::RunProgress& run);

}  // namespace heddle::cli
