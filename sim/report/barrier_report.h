// SPDX-License-Identifier: Apache-2.0
// Convergence barriers for people who learn the scheme from them: whose each is, where lanes join and wait, and why.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sim/compiler/explanation.h"

namespace heddle::report {

std::string barrier_text(const compiler::BarrierExplanation& explanation);
nlohmann::json barrier_json(const compiler::BarrierExplanation& explanation);
/// By name of a block: the barriers that lanes may be in there, such as "in b0, b3".
std::map<std::string, std::string> barriers_by_block(const compiler::BarrierExplanation& explanation);

}  // namespace heddle::report
