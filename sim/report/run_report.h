// SPDX-License-Identifier: Apache-2.0
// The numbers of runs (DESIGN sec. 7): a table for people, JSON for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sim/gpu/run.h"

namespace heddle::report {

/// A request and what came of it.
struct FinishedRun {
  const gpu::RunRequest* request;
  const gpu::RunResult* result;
};

/// "spe/baseline", and what else there was a choice of.
std::string mechanism(const FinishedRun& run);

/// What the runs ran on, a line a machine: design point, SMs, and how much of the chip's memory they have.
std::string machines(const std::vector<FinishedRun>& runs);
/// One row a run; where a kernel ran under several mechanisms, speed-up over the first of them.
std::string run_table(const std::vector<FinishedRun>& runs);
/// One row a kernel, for many of them: every mechanism's cycles, its speed-up over the first, and whether all is right.
std::string kernel_table(const std::vector<FinishedRun>& runs);
/// Runs of the oracle alone: thread instructions, CPU seconds, rate, and whether the results are right.
std::string functional_table(const std::vector<FinishedRun>& runs);
/// Where the cycles without an issue went, one column a run.
std::string stall_table(const std::vector<FinishedRun>& runs);
/// Where the cycles went, line by line and instruction by instruction: of each run that was asked for it.
std::string profiles(const std::vector<FinishedRun>& runs);
/// One line a failed run.
std::string failures(const std::vector<FinishedRun>& runs);
/// Whether everything is as it should be (a deadlock that is expected is).
bool all_good(const std::vector<FinishedRun>& runs);

nlohmann::json to_json(const std::vector<FinishedRun>& runs);

}  // namespace heddle::report
