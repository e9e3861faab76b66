// SPDX-License-Identifier: Apache-2.0
// A kernel in two streams (DAC sec. 4.1, Fig. 7): what the affine warp executes, and what is left to the warps.
#pragma once

#include "sim/compiler/analysis/decoupling.h"

namespace heddle::compiler {

struct AffineStreams {
  VirtualCode warps;   // accesses and branches that dequeue; what only these needed is gone
  VirtualCode affine;  // tuples in registers of one word; `turns` say in which order the sides of its branches run
  std::vector<isa::LaunchCondition> conditions;
};

/// \pre decoupling.why_not is empty
AffineStreams split_streams(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks,
                            const KernelDecoupling& decoupling);

}  // namespace heddle::compiler
