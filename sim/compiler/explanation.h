// Why convergence barriers stand where they do.
#pragma once

#include <string>
#include <vector>

#include "sim/compiler/options.h"
#include "sim/compiler/transformation/barrier_list.h"
#include "sim/ptx/module.h"

namespace heddle::compiler {

/// Where the compiler looked for a prediction of its own.
struct ExplainedCandidate {
  std::string kind, block;  // iteration delay or loop merge; of its point
  unsigned line = 0;        // of the point, in the PTX file
  bool is_chosen = false;
  std::string why;
};

/// The list of an entry's barriers, with the code in front of the pass that places them, whose instructions it names.
struct BarrierExplanation {
  VirtualCode code;
  std::vector<isa::BasicBlock> blocks;
  BarrierList list;
  std::vector<ExplainedCandidate> candidates;  // with Reconverge::Automatic
};

/// For a machine with convergence barriers. Throws as compile does.
BarrierExplanation explain_barriers(const ptx::Module& module, const std::string& entry, const CompileOptions& options);

}  // namespace heddle::compiler
