// SPDX-License-Identifier: Apache-2.0
// At which instructions a path waits until it is told where it goes on.
#pragma once

#include "sim/isa/instruction.h"

namespace heddle {

/// barriers: under convergence barriers a path that waits at a CTA barrier makes place for another, and the control flow
/// unit is told.
inline bool is_control(const isa::Instruction& instruction, bool barriers) {
  switch (instruction.kind) {
    case isa::Kind::Branch:
    case isa::Kind::Exit:
    case isa::Kind::Convergence:
      return true;
    case isa::Kind::Barrier:
      return barriers && instruction.barrier_op != isa::BarrierOp::Arrive;
    default:
      return false;
  }
}

}  // namespace heddle
