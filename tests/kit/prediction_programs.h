// SPDX-License-Identifier: Apache-2.0
// Programs with predictions, each of one warp, that store a word a thread.
#pragma once

#include <string>

#include "sim/compiler/options.h"
#include "sim/gpu/run.h"

namespace heddle::tests {

/// SR Listing 1: 48 turns; each lane takes the expensive side in every eighth, lanes in different ones. Behind the loop all
/// lanes have work that they should do together.
extern const std::string IterationDelay;

/// The same, but the expensive side has a branch by the turn's lowest bit, behind which the lanes that came to the point in
/// different turns have work that they should do together.
extern const std::string TurnsMeet;

/// SR Fig. 2(c): in each turn of a loop both sides of a divergent branch call foo(); a function between them and foo() calls
/// it on one side, but once in 32 turns.
extern const std::string CommonFunction;

/// Iteration delay as in IterationDelay: in a loop that odd lanes come into in the middle (irreducible); with lanes that exit
/// behind the point; and in the expensive side another such loop with a point of its own.
extern const std::string TwoWaysIn, ExitInside, InEachOther;

/// Both sides of a branch call f, which calls itself: lanes are predicted to meet where it begins; and inside of it.
extern const std::string RecursiveFunction, InRecursion;

/// Each side of a branch has a barrier of the block, and a point: one in front of it, the other behind it.
extern const std::string AcrossABarrier;

/// \param mechanism  for whose barriers the program is compiled
gpu::HostProgram prediction_program(const std::string& ptx, const Mechanism& mechanism,
                                    compiler::CompileOptions options);

}  // namespace heddle::tests
