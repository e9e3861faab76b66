// SPDX-License-Identifier: Apache-2.0
// Runs of litmus tests, many timings in one process.
#pragma once

#include <string>
#include <vector>

#include "sim/gpu/run.h"
#include "tests/litmus/program.h"

namespace heddle::tests {

struct LitmusMachine {
  std::string name;
  const DesignPoint* point = nullptr;
  Mechanism mechanism;
  unsigned sms = 2;
  bool skewed = false;  ///< before skewed_memory.h, not before the chip's memory
};

/// Which timings of each test: seeds first, first + step, ... below end.
struct LitmusSeeds {
  unsigned first = 0, step = 1, end = 1;
};

/// Runs the tests on one machine, in one process. The message of the result has a line "test outcome seed" for each run.
/// \param folder  for the PTX of the tests, NAME.ptx
gpu::RunRequest litmus_runs(const std::vector<LitmusTest>& tests, const LitmusMachine& machine,
                            const LitmusSeeds& seeds, const std::string& folder);

/// The ones of such lines whose outcome is not allowed: "test TEST ended with OUTCOME at seed SEED, ...".
std::string forbidden_outcomes(const std::vector<LitmusTest>& tests, const std::string& lines);

}  // namespace heddle::tests
