// SPDX-License-Identifier: Apache-2.0
// The steps from a PTX entry to code that gets registers: the one list of them.
#pragma once

#include <string>
#include <vector>

#include "sim/compiler/code/virtual_code.h"
#include "sim/compiler/options.h"
#include "sim/compiler/transformation/automatic_predictions.h"
#include "sim/compiler/transformation/barrier_list.h"
#include "sim/ptx/module.h"

namespace heddle::compiler {

struct Pass {
  const char* name;
  const char* what;  // in a line, for people
  bool (*applies)(const VirtualCode& code, const CompileOptions& options);
  void (*run)(VirtualCode& code, const CompileOptions& options);
};

/// In the order in which they run, in front of register allocation. The first, "lower", stands for lower(), which makes
/// the code.
const std::vector<Pass>& passes();

/// The pass "automatic_predictions", by the counts of an earlier run if there are any.
/// \throws std::invalid_argument  they are of other entries
std::vector<Candidate> predict_automatically(VirtualCode& code, const CompileOptions& options);

/// The pass "convergence_barriers": what it placed and why, by places in the code as it was without marks.
BarrierList place_barriers(VirtualCode& code, const CompileOptions& options);

/// The entry, lowered, after the passes that apply; in debug builds the code is checked after each (code_check.h).
/// \param last  stops after the pass of this name; empty: runs all
/// \throws ptx::Error as lower() does; std::invalid_argument for a pass that is not there
VirtualCode virtual_code(const ptx::Module& module, const ptx::Function& entry, const isa::GlobalData& globals,
                         const CompileOptions& options = {}, const std::string& last = "");

}  // namespace heddle::compiler
