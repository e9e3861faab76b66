// SPDX-License-Identifier: Apache-2.0
// A barrier that lanes go on from when more than a threshold of them are there (SR sec. 4.6, Fig. 6).
//
//   all    who is in the region
//   own    who is waited for (bTemp of the figure): at first and behind each Wait all of them
//   count  who has arrived and still waits
//
//   Join     bssy all; bmov own <- all
//   Wait     arrive p <- count; @p btake own <- count; bsync own; break count
//   Rejoin   bmov own <- all
//   Cancel   break all; break count; break own
//
// Whose arrival makes enough takes `own` for those who have arrived, and with it the wait for the others. Where too few
// can come, they go on when all others have left the region or wait with them.
//
// Whoever has to wait leaves the barriers in which lanes would wait for it meanwhile (bPdom of the figure); who makes
// enough stays in them. Then (ours) he must not be in `all` until he has gone on: between his btake and his bsync, lanes
// that have just gone on copy `all` to `own`, and he would wait for everybody while others wait for him.
//
//            arrive p <- count; @!p break others; @p break all; @p btake own <- count; bsync own; break count
//   Rejoin   @p bssy all; bmov own <- all
//
// Cancel leaves `own` last: others copy `all` to it and take `count` for it meanwhile. Where nobody rejoins, a Cancel
// stands behind the Wait: one is in the region then, by the figure, until it leaves it. A predicted function that lanes
// rejoin at has `all` for another reason: who comes by and is not in the region must not join, and a copy of `all` does
// not.
#pragma once

#include <vector>

#include "sim/compiler/code/virtual_code.h"
#include "sim/compiler/transformation/barrier_list.h"

namespace heddle::compiler {

/// The instructions of one barrier, whatever kind it is of, in front of an instruction. One without registers has none.
class BarrierInstructions {
 public:
  BarrierInstructions(VirtualCode& code, const Barrier& barrier);

  std::vector<VirtualInstruction> join(isa::Pc pc) const;
  /// \param others  Cancels of barriers that only who has to wait leaves; none where the barrier is not soft
  std::vector<VirtualInstruction> wait(isa::Pc pc, std::vector<VirtualInstruction> others) const;
  std::vector<VirtualInstruction> rejoin(isa::Pc pc) const;
  std::vector<VirtualInstruction> cancel(isa::Pc pc) const;

 private:
  void guard(VirtualInstruction& instruction, bool if_enough) const;
  VirtualInstruction operation(isa::ConvergenceOp op, const char* mnemonic, int barrier, isa::Pc pc) const;
  VirtualInstruction from(isa::ConvergenceOp op, const char* mnemonic, int source, isa::Pc pc) const;

  const VirtualCode& code_;
  const Barrier& barrier_;
  VirtualId is_enough_ = NoVirtual;  // a predicate of soft barriers
};

/// An operation on a barrier register that stands where `where` does.
VirtualInstruction barrier_instruction(isa::ConvergenceOp op, const char* mnemonic, int barrier,
                                       const VirtualInstruction& where);

}  // namespace heddle::compiler
