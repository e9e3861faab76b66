// SPDX-License-Identifier: Apache-2.0
// Room in the affine stack (rtl/affine/affine_stack, rules R5, R6 and R13): how many paths an affine stream may have on it,
// and how many masks of lanes a warp may have there, whatever its branches do. A stream that may need more than there are
// is not made, since an overflow in the middle of a launch ends it.
//
// A branch that threads leave both ways keeps its own path, unless that path meets the others where the branch does (R5),
// and adds one for each side that does not begin at the meeting point. The side that takes the branch runs first, above the
// other one. So only a way that comes back to a branch from its first side, past no meeting point, adds paths without end:
// a loop whose threads leave it one by one through code of their own.
#pragma once

#include <string>

#include "sim/compiler/analysis/divergence.h"

namespace heddle::compiler {

/// The size of an affine stack, as the design point has it.
struct AffineStackSize {
  unsigned paths = 0, masks = 0;
};

/// Why the stream may need more than that, with the line of the branch; empty: it never does.
/// \param stream  the affine stream
/// \param lanes  of the whole kernel: which branches the lanes of one warp may leave both ways, by `origin`
std::string why_beyond(const AffineStackSize& size, const VirtualCode& stream, const Divergence& lanes);

}  // namespace heddle::compiler
