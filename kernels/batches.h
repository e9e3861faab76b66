// A data set that is larger than a device's memory should be goes through the same buffers in batches.
#pragma once

#include <fmt/format.h>

#include "sim/gpu/workload.h"

namespace heddle::kernels {

/// Calls `run_batch()`, which fills the buffers, launches and compares, that often; stops at the first that differs.
template <class RunBatch>
gpu::Outcome run_in_batches(unsigned batches, const RunBatch& run_batch) {
  gpu::Outcome outcome;
  for (unsigned batch = 0; batch < batches; ++batch) {
    outcome = run_batch();
    if (!outcome.ok) return {false, fmt::format("batch {} of {}: {}", batch + 1, batches, outcome.message)};
  }
  if (batches > 1) outcome.message = fmt::format("each of {} batches: {}", batches, outcome.message);
  return outcome;
}

}  // namespace heddle::kernels
// SPDX-License-Identifier: Apache-2.0
