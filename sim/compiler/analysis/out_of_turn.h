// SPDX-License-Identifier: Apache-2.0
// Where lanes meet that do not come from one branch: at the points of predictions (SR sec. 4), in different turns of a
// loop or called from different places. What a loop counts is then not the same for all of them.
#pragma once

#include <map>

#include "sim/compiler/analysis/written_registers.h"

namespace heddle::compiler {

/// By instruction in front of which such lanes are together: registers in which they may differ.
///
/// At a point: what is written on ways from there back to there; in a function, whatever it and its callers write.
/// Behind a call that leads to a point, for lanes go on together there: the same of the call.
/// Points are marks, and once they are placed the Waits of predictions.
std::map<isa::Pc, Registers> registers_out_of_turn(const VirtualCode& code, const WrittenByCalls& calls);

}  // namespace heddle::compiler
