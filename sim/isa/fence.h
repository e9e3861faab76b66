// SPDX-License-Identifier: Apache-2.0
// What a fence is for. Its scope is the CTA, whose threads share an L1, unless it acquires or releases for the device:
// fence.acq_rel, fence.sc and membar do both, the fence of an access with .acquire or .release does one of them.
#pragma once

#include "sim/isa/instruction.h"

namespace heddle::isa {

/// Do loads of its thread behind this fence see what other SMs have stored? As a coherent load does.
inline bool acquires_for_device(const Instruction& instruction) {
  return instruction.kind == Kind::Fence && instruction.is_coherent;
}

/// Is what its CTA has stored in global memory before anything behind this fence?
inline bool releases_for_device(const Instruction& instruction) {
  return instruction.kind == Kind::Fence && instruction.space == Space::Global;
}

inline void set_fence(Instruction& instruction, bool acquires, bool releases) {
  instruction.is_coherent = acquires;
  instruction.space = releases ? Space::Global : Space::None;
}

}  // namespace heddle::isa
