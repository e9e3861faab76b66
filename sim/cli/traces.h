// SPDX-License-Identifier: Apache-2.0
// Waveforms of a run: which blocks, which part of them, in which cycles, to which file; and what looks at it well.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "rtl/base/trace_window.h"
#include "rtl/config/design_points.h"
#include "sim/gpu/trace_moment.h"
#include "sim/sm/links/mechanisms.h"

namespace heddle::cli {

struct TraceOptions {
  std::string blocks, file;  // file: as it is asked for; empty: by the run's name
  unsigned sm = 0;
  int warp = -1, slice = -1;  // -1: all
  bool state = false;
  std::string from = "0", to;  // a cycle, cta:N, warp:N or FILE:LINE

  bool any() const { return !blocks.empty(); }
};

void add_options(CLI::App& command, TraceOptions& options);

/// Before anything runs. \throws CLI::ValidationError naming the option, its value and what was expected.
void check(const TraceOptions& options, const DesignPoint& point, unsigned sms,
           const std::vector<Mechanism>& mechanisms);

/// Removes what an earlier run left under that name. \param run      "bfs.dpe.shadow"
/// \param is_one  it is the only run: --trace-file names its file, else a run's name is added
TraceWindow trace_window(const TraceOptions& options, const std::string& run, bool is_one);

/// What --trace-from or --trace-to says, unless it is a cycle.
gpu::TraceMoment moment(const std::string& text);

/// What to type to look at it, with a saved view if there is one whose signals are all there; or why there is none.
/// \param from  what --trace-from says
std::string where_to_look(const TraceWindow& window, std::uint64_t cycles, const std::string& from);

}  // namespace heddle::cli
