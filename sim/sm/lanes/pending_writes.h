// SPDX-License-Identifier: Apache-2.0
// Which lanes of a warp have a write of which register on its way: exact, without limit of entries. It tells true from
// false dependencies, and it is the optimistic scoreboard (DPE sec. 4), which is a reference and not hardware.
#pragma once

#include <vector>

#include "sim/isa/instruction.h"

namespace heddle {

class PendingWrites {
 public:
  void start() { lanes_.assign(isa::CarryId + 2U, 0); }
  void note(isa::RegisterName name, isa::Lanes lanes, bool on);
  /// Does the instruction name a register that some of these lanes have on its way?
  bool hold(const isa::Instruction& instruction, isa::Lanes lanes) const;

 private:
  std::vector<isa::Lanes> lanes_;  // by scoreboard name
};

}  // namespace heddle
