// SPDX-License-Identifier: Apache-2.0
// Where convergence barriers go by default, as vendors' compilers place them (SR sec. 2: BSSY before a divergent
// branch, BSYNC at its immediate post-dominator).
//
// One register for each point where divergent branches meet. Join stands before each of those branches, unless one
// that dominates it has joined already; for a branch inside a loop that the meeting point is not part of, in front of
// the loop where there is a place for it. Wait stands at the meeting point. Nobody skips it: a lane on its way there
// can only exit, and then leaves every barrier. Branches that lanes take together have none.
//
// Lanes of the two sides of a branch may be in regions of their own at once, and functions while their callers are in
// one: such regions have different registers. Where there are not enough, regions that share no code share one (their
// lanes then wait for each other), but for those of predictions and where lanes would then wait in a ring; where that is
// not enough either, the innermost has none, and its lanes meet further out. Functions that may call themselves have none.
//
// No register is saved across a call for the callee to use: while its mask is away, a lane of the caller's region that
// comes to bsync is no participant and passes, and the ones that wait there are not woken by what the callee does.
//
// Yield stands at the head of a loop that an atomic or a volatile load may let a lane leave: it may wait for a lane
// that waits for it. Meet stands before each .sync operation, and before a CTA barrier with a result for all
// lanes of the warp; where there are any, the last register is for them.
#pragma once

#include "sim/compiler/transformation/predictions.h"

namespace heddle::compiler {

/// Marks of predictions go (predictions.h).
/// \param registers  of a warp, at least 2
/// \returns what was placed and why; places are those in the code as it was
BarrierList insert_convergence_barriers(VirtualCode& code, unsigned registers,
                                        const PredictionOptions& predictions = {});

}  // namespace heddle::compiler
