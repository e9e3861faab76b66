// SPDX-License-Identifier: Apache-2.0
// Why convergence barriers stand where they do, and what an affine warp computes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/compiler/analysis/decoupling.h"
#include "sim/compiler/options.h"
#include "sim/compiler/transformation/affine_streams.h"
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

/// What of an entry is decoupled (DAC sec. 4.1), with the code of which it says so.
struct AffineExplanation {
  VirtualCode code;
  std::vector<isa::BasicBlock> blocks;
  KernelDecoupling decoupling;
  std::optional<AffineStreams> streams;  // if it is split
};

/// Throws as compile does.
AffineExplanation explain_affine(const ptx::Module& module, const std::string& entry, const CompileOptions& options);

}  // namespace heddle::compiler
