// SPDX-License-Identifier: Apache-2.0
// In what order a warp executes the pieces of its threads' traces, and which of them together.
#pragma once

#include <vector>

#include "sim/limit/trace.h"

namespace heddle::limit {

struct Column {
  PieceIndex piece = 0;
  isa::Lanes lanes = 0;  // at least one
};

/// Each lane's pieces, in the order of its trace.
using Schedule = std::vector<Column>;

/// Issue slots of the warp: one an instruction, whatever its lanes.
inline std::uint64_t slots(const Schedule& schedule, const std::vector<Piece>& pieces) {
  std::uint64_t sum = 0;
  for (const Column& column : schedule) sum += pieces[column.piece].instructions();
  return sum;
}

/// The traces of a warp, by lane; a lane without a thread has none.
using WarpTraces = std::vector<const Trace*>;

/// What a reconvergence stack does with the compiler's reconvergence points (DWF sec. 3.2): a model of its own, which
/// knows traces alone. No memory, no barriers: lanes part and meet where the stack says.
Schedule post_dominator_schedule(const LaunchTrace& launch, const WarpTraces& traces);

/// Few slots, by oracle knowledge: equal traces first, then always the two groups whose alignment saves most (DWF sec.
/// 3.3, "repeated applications", "all possible pair-wise alignments between the threads within a warp"). Ours: what was
/// aligned once stays so. Lanes pass their n-th CTA barrier together, for none goes on before the others have come.
Schedule aligned_schedule(const LaunchTrace& launch, const WarpTraces& traces);

/// No order has fewer slots (ours): between two barriers neither two lanes can share more than their best alignment, nor
/// is a piece issued less often than by the lane that executes it most. It may be out of reach.
std::uint64_t fewest_slots(const LaunchTrace& launch, const WarpTraces& traces);

}  // namespace heddle::limit
