// SPDX-License-Identifier: Apache-2.0
// What of a kernel an affine warp computes for all others (DAC), for people: each instruction, and why not.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sim/compiler/explanation.h"

namespace heddle::report {

std::string affine_text(const compiler::AffineExplanation& explanation);
nlohmann::json affine_json(const compiler::AffineExplanation& explanation);

}  // namespace heddle::report
