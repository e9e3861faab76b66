// SPDX-License-Identifier: Apache-2.0
// What holds wherever convergence barriers are placed, by default or by predictions. It knows nothing of how they were.
//
// From Join, Arrive, Copy or Take on, its barrier may have participants; up to a Wait, Cancel or Take from it. It is
// wanted where a Wait may follow, or a Copy or Take from it. Calls are followed into the function and back to where they
// came from.
//   - a Wait has participants on some way to it
//   - what is joined is wanted: not behind a Join alone, but also where a function returns. A way to the thread's exit
//     needs no end, as the exit leaves every barrier
//   - lanes do not wait for each other: who waits for a barrier may be in a second one, who waits for that in a third, but
//     that way does not lead back to the first. Barriers of which one includes the other, in every turn of a loop, cannot
//     (SR sec. 4.3); others may not either, as where a Predict stands in front of a branch and its point on one side.
//     Where it would lead back, a Cancel in front of a Wait ends it; in front of a soft barrier's, one for those who have
//     to wait
// Regions that share a register are told apart where nobody goes from one into the other in the barrier.
#pragma once

#include "sim/compiler/code/virtual_code.h"

namespace heddle::compiler {

/// \param after  the pass that has just run
/// \throws std::logic_error that names the pass, the barrier, the instruction and a path to it
void check_barriers(const VirtualCode& code, const char* after);

}  // namespace heddle::compiler
