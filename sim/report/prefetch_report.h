// SPDX-License-Identifier: Apache-2.0
// What a prefetcher did in runs of machines that have one (MTA), for people.
#pragma once

#include <string>
#include <vector>

#include "sim/report/run_report.h"

namespace heddle::report {

/// Has its machine a prefetcher?
bool prefetches(const FinishedRun& run);

/// One row a run of such a machine; empty if there is none.
std::string prefetch_table(const std::vector<FinishedRun>& runs);

}  // namespace heddle::report
