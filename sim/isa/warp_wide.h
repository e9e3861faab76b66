// SPDX-License-Identifier: Apache-2.0
// Warp-wide operations: what each lane gets from the operands of all lanes that take part. No time, no state: the
// oracle and the SM both call it with the lanes that they found.
//
// Sources: PTX ISA, "Data Movement and Conversion Instructions: shfl, shfl.sync" (the pseudocode with minLane and
// maxLane), "Parallel Synchronization and Communication Instructions: vote, vote.sync, match.sync, activemask,
// redux.sync, elect.sync".
#pragma once

#include "sim/isa/instruction.h"

namespace heddle::isa {

/// Is the lane that a shuffle reads inside its segment? It depends on no other lane: PTX's predicate p.
/// \param offset  PTX's operand b: of it, bits 0 to 4
/// \param limits  PTX's operand c: bits 0 to 4 the clamp, bits 8 to 12 the segment mask
bool shuffle_in_range(WarpOp op, unsigned lane, unsigned offset, unsigned limits);

/// Results of `lanes`, of which there is at least one, from their operands; the other lanes of `d` stay as they are.
/// Narrow results have zeros above their 32 bits, predicates are 0 or 1.
/// Ours, where PTX leaves it open: a shuffle that reads a lane which takes no part gives the reader its own value, and
/// the elected lane is the lowest.
void exchange(const Instruction& instruction, Lanes lanes, const LaneValues& a, const LaneValues& b, LaneValues& d);

/// Lanes that meet, and what is wrong with the mask that one of them names.
struct Members {
  Lanes lanes = 0;    ///< those of the group
  Lanes missing = 0;  ///< live lanes of the mask that are not there
  bool names_itself = true;
};

/// The group of the lowest of `active` lanes of one instruction: those with its mask. (Lanes of one instruction may
/// form several groups, as the tiles of cooperative groups do.)
Members members_of_lowest(Lanes active, Lanes live, const LaneValues& masks);

}  // namespace heddle::isa
