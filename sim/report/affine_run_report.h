// SPDX-License-Identifier: Apache-2.0
// What an affine warp did in runs of machines that have one (DAC), for people and programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sim/report/run_report.h"

namespace heddle::report {

/// Has its machine an affine warp?
bool decouples(const FinishedRun& run);

/// Has it an affine unit beside the lanes?
bool has_affine_unit(const FinishedRun& run);
/// What computes what is affine, as its part of a machine's name: "+dac"; empty if there is nothing.
std::string affine_part(const FinishedRun& run);

/// One column a run of such a machine; empty if there is none.
std::string affine_table(const std::vector<FinishedRun>& runs);
/// Which kernels ran as one stream on such a machine, and why; empty if there is none.
std::string whole_kernels(const std::vector<FinishedRun>& runs);

/// How much the affine unit beside the lanes took in each run that has one; empty if there is none.
std::string affine_unit_shares(const std::vector<FinishedRun>& runs);

/// Which affine unit, how it was set, and which kernels ran as one stream: beside the statistics of group "affine".
nlohmann::json affine_choice(const FinishedRun& run);

}  // namespace heddle::report
