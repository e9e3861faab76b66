// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/progress.h"

#include <algorithm>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "sim/report/table.h"

namespace heddle::cli {

using gpu::RunProgress;
using gpu::RunStage;
using report::grouped;

namespace {

constexpr std::chrono::milliseconds BetweenBars{200};
constexpr unsigned BarCells = 20;

bool is_under_way(const RunProgress& run) {
  return run.stage == RunStage::Timed || run.stage == RunStage::Oracle;
}

/// The part of the run's launch that is done, as far as its blocks say.
double part(const RunProgress& run) {
  if (run.stage == RunStage::Ended) return 1;
  return run.launch.blocks == 0 ? 0 : double(run.launch.ended) / double(run.launch.blocks);
}

std::size_t terminal_width() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0 ? size.ws_col : 80;
}

std::size_t ended(const std::vector<RunProgress>& runs) {
  return static_cast<std::size_t>(
      std::count_if(runs.begin(), runs.end(), [](const RunProgress& run) { return run.stage == RunStage::Ended; }));
}

std::string time_left(const RunProgress& run) {
  if (run.launch.ended == 0) return "";
  const double left = run.launch_seconds * double(run.launch.blocks - run.launch.ended) / double(run.launch.ended);
  return fmt::format(", about {:.0f} s left", left);
}

}  // namespace

std::string describe(const RunProgress& run) {
  const char* const unit = run.stage == RunStage::Timed ? "cycles" : "thread instructions";
  const double rate = run.stage_seconds > 0 ? double(run.count) / run.stage_seconds : 0;
  std::string text = run.launch.launch > 1 ? fmt::format("launch {}: ", run.launch.launch) : "";
  text += fmt::format("{} of {} CTAs, {} {}, {} a second{}", grouped(run.launch.ended), grouped(run.launch.blocks),
                      grouped(run.count), unit, grouped(static_cast<std::uint64_t>(rate)), time_left(run));
  return text + (run.launch.launch > 1 ? " of this launch" : "");
}

ProgressLine::ProgressLine(unsigned seconds)
    : is_terminal_(::isatty(STDERR_FILENO) != 0),
      between_(seconds),
      next_(Clock::now() + (is_terminal_ ? std::min(between_, std::chrono::seconds(1)) : between_)) {}

ProgressLine::~ProgressLine() {
  if (is_shown_ && is_terminal_) fmt::print(stderr, "\r\033[K");
}

void ProgressLine::show(const std::string& text) {
  if (is_terminal_)
    fmt::print(stderr, "\r\033[K{}", text.substr(0, terminal_width() - 1));
  else
    fmt::print(stderr, "{}\n", text);
  std::fflush(stderr);
  is_shown_ = true;
  next_ = Clock::now() + (is_terminal_ ? std::chrono::duration_cast<Clock::duration>(BetweenBars) : between_);
}

void ProgressDisplay::show(const std::vector<RunProgress>& runs) {
  if (!line_.is_due() || std::none_of(runs.begin(), runs.end(), is_under_way)) return;
  line_.show(line_.is_terminal() ? bar(runs) : lines(runs));
}

/// The first run that is under way stands for those beside it.
std::string ProgressDisplay::bar(const std::vector<RunProgress>& runs) const {
  double done = 0;
  for (const RunProgress& run : runs) done += part(run);
  const auto cells = static_cast<std::size_t>(BarCells * done / double(runs.size()));
  const auto one = std::find_if(runs.begin(), runs.end(), is_under_way);
  std::string line = fmt::format("[{}{}] ", std::string(cells, '#'), std::string(BarCells - cells, '-'));
  if (runs.size() > 1) line += fmt::format("{} of {} runs; ", ended(runs), runs.size());
  return line + names_[static_cast<std::size_t>(one - runs.begin())] + ": " + describe(*one);
}

std::string ProgressDisplay::lines(const std::vector<RunProgress>& runs) const {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (is_under_way(runs[i])) lines.push_back(names_[i] + ": " + describe(runs[i]));
  if (runs.size() > 1) lines.push_back(fmt::format("{} of {} runs have ended", ended(runs), runs.size()));
  return fmt::format("{}", fmt::join(lines, "\n"));
}

}  // namespace heddle::cli
