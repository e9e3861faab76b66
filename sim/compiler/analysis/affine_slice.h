// SPDX-License-Identifier: Apache-2.0
// Which instructions of a kernel the affine stream has (DAC sec. 4.1, Fig. 7): an enq for each access that is decoupled,
// barriers and exits, the branches on which these depend, and what addresses and predicates are computed from. A region
// without any of them is cut out.
#pragma once

#include <string>
#include <vector>

#include "sim/compiler/analysis/decoupling.h"

namespace heddle::compiler {

struct AffineSlice {
  std::vector<bool> kept;  // by PC
  std::string why_not;     // it cannot be made; empty: it can
};

/// \param wanted  what could be decoupled, by PC: accesses are, tuples and predicates only where they are needed
AffineSlice affine_slice(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks,
                         const std::vector<Decoupling>& wanted);

/// For each access that could be decoupled, by PC: a branch that its slice has and that the warps decide; NoPc: there is none.
std::vector<isa::Pc> told_branches(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks,
                                   const std::vector<Decoupling>& wanted);

/// What decides a branch that the affine stream has.
isa::OutcomeFrom outcome_of(const Decoupling& branch);

}  // namespace heddle::compiler
