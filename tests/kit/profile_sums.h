// SPDX-License-Identifier: Apache-2.0
// What a run's profiles say in sum, against its statistics.
#pragma once

#include <string>
#include <vector>

#include "sim/gpu/run.h"

namespace heddle::tests {

/// One line for each number whose sum over all instructions is not the run's own; none: all is accounted for.
std::vector<std::string> unaccounted(const gpu::RunResult& result);

}  // namespace heddle::tests
