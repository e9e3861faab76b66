// SPDX-License-Identifier: Apache-2.0
// Random programs with structured control flow, as PTX text: made to show what a divergence mechanism or a scoreboard
// gets wrong. A seed says everything: text, shape and data.
//
// Control flow: if, if/else, loops of both forms with data-dependent trip counts (at most four), break, continue, early
// exits, one-lane masks, uniform branches, labels that share a PC, back edges right before a reconvergence point; a few
// programs peel off one lane a level, so that the stack is used to its full depth.
// Data flow: five words, two 64-bit pairs and three predicates live throughout, so that one register is written on both
// sides and read after them. Slow results (loads, atomics, divisions, predicates from them) are preferred as operands
// of what comes next, which is often on the other side of a divergence or a reconvergence.
// No data races: a thread stores to its own slots alone; shared memory changes hands between barriers at the top level.
// At the end, and before an early exit, each thread stores what it knows.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "rtl/config/design_points.h"
#include "sim/gpu/device.h"
#include "tests/random/marks.h"

namespace heddle::tests {

/// Words of the kernel's buffers. The table is read-only; the others belong to the threads, but for those that all
/// threads share, which stand behind the threads' scratch.
struct RandomProgramWords {
  static constexpr unsigned Table = 8192, Input = 8, Scratch = 8, Output = 16, MaxThreads = 256, Common = 64;
};

/// ControlFlow: few opcodes, made to find missed hazards and lost lanes. Language: every integer opcode and type, and
/// functions, called directly and through addresses, in divergent code too; generic addresses, whose lanes fall into
/// local, shared and global memory. Synchronisation: threads that meet in memory, see Construct; small. Predictions: small
/// programs of any of these, with marks; those of every second seed are legal. Affine: affine.h. Exits: exits.h.
/// Meetings: as ControlFlow, with `.sync` operations behind branches and loops, at the top level and in the sides of a
/// branch, whose lanes a register names.
enum class Flavour { ControlFlow, Language, Synchronisation, Predictions, Affine, Exits, Meetings };

/// What the synchronisation flavour is made of. What a thread gets to see of others depends on order, so it only goes
/// where order is lost again: sums of tickets, of which all are drawn, data under a lock to which all add.
enum class Construct : unsigned {
  Exit0,  ///< a guarded exit at the top level, then at each depth, in a loop, and where many paths end in a row
  Exit1,
  Exit2,
  Exit3,
  ExitInLoop,
  ExitStairs,
  Fence,
  FenceInBranch,
  VolatileLoad,
  VolatileStore,
  AtomicUsed,
  AtomicUnused,
  Reduction,
  AtomicShared,
  AtomicInLoop,
  Ticket,
  TicketBranch,
  Lock,  ///< taken by one thread of a block
  LockInLoop,
  LockInBranch,
  Count
};
constexpr unsigned Constructs = static_cast<unsigned>(Construct::Count);
const char* name_of(Construct construct);

struct RandomProgram {
  std::uint64_t seed = 0;
  Flavour flavour = Flavour::ControlFlow;
  Marks marks = Marks::None;
  const DesignPoint* point = nullptr;
  std::string ptx;  // one entry, `random`: (u64 table, u64 input, u64 scratch, u64 output, u32 flags)
  gpu::Dim3 grid, block;
  std::uint32_t flags = 0;   // what uniform branches test
  unsigned input_shift = 0;  // bytes that the second pointer is off
  bool lanes_follow_order =
      false;  // how long a lock spins, who draws an odd ticket: which lanes run together depends on it
  bool uses_full_stack = false;    // one more path at the deepest place, and a stack overflows
  bool counts_constructs = false;  // threads that come past a construct count it, in the first common words
};

/// At hpca13, and for every fourth seed at tiny, whose stacks limit the nesting; affine ones at isca17 and at tiny. A
/// quarter of those without marks has trap sides (traps.h).
RandomProgram random_program(std::uint64_t seed, Flavour flavour = Flavour::ControlFlow);

/// `levels` nested ifs that leave one lane behind each, on the side that runs second: so many levels that the stacks of
/// a design point overflow, if wanted.
RandomProgram peeling_program(std::uint64_t seed, const DesignPoint& point, unsigned levels);

/// How many nested two-sided ifs both stacks of a point hold.
unsigned max_nesting(const DesignPoint& point);

}  // namespace heddle::tests
