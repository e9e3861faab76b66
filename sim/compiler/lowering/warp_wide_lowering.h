// SPDX-License-Identifier: Apache-2.0
// Statements whose operation needs more than one thread: warp-wide operations and CTA barriers.
#pragma once

#include "sim/compiler/lowering/emitter.h"

namespace heddle::compiler {

/// shfl, vote, match, redux, elect, activemask, bar.warp.sync: d[|p], operands, member mask.
void lower_warp_wide(Emitter& emitter, const Opcode& opcode);

/// bar and barrier: sync a{, b}; arrive a, b; red d, a{, b}, {!}c.
void lower_barrier(Emitter& emitter, const Opcode& opcode);

}  // namespace heddle::compiler
