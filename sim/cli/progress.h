// SPDX-License-Identifier: Apache-2.0
// How far long runs are, on standard error: a bar on a terminal, lines elsewhere.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "sim/gpu/run.h"

namespace heddle::cli {

constexpr unsigned MostProgressSeconds = 86'400;  // that --progress takes

/// What is shown now and then: a line that is replaced on a terminal, further lines elsewhere.
class ProgressLine {
 public:
  /// \param seconds  after which it begins to speak, and between two texts; 0: it never does
  explicit ProgressLine(unsigned seconds);
  /// Leaves no line behind on a terminal.
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  bool is_terminal() const { return is_terminal_; }
  bool is_due() const { return between_.count() != 0 && Clock::now() >= next_; }
  /// \param text  without a line feed at its end; on a terminal one line, cut at its width
  void show(const std::string& text);

 private:
  using Clock = std::chrono::steady_clock;

  const bool is_terminal_;
  const std::chrono::seconds between_;
  Clock::time_point next_;
  bool is_shown_ = false;
};

class ProgressDisplay {
 public:
  /// \param names    of the runs: "nest under dpe/shadow"
  /// \param seconds  as a ProgressLine has them
  ProgressDisplay(std::vector<std::string> names, unsigned seconds) : names_(std::move(names)), line_(seconds) {}

  void show(const std::vector<gpu::RunProgress>& runs);

 private:
  std::string bar(const std::vector<gpu::RunProgress>& runs) const;
  std::string lines(const std::vector<gpu::RunProgress>& runs) const;

  const std::vector<std::string> names_;
  ProgressLine line_;
};

/// "launch 3: 12 of 64 CTAs, 1,234,567 cycles, 210,000 a second, about 80 s left": of a run that is under way.
std::string describe(const gpu::RunProgress& run);

}  // namespace heddle::cli
