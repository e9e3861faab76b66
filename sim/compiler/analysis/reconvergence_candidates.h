// SPDX-License-Identifier: Apache-2.0
// Where it may pay that lanes wait for each other before the immediate post-dominator (SR sec. 4.5), and whether it does.
//
// Iteration Delay (SR Fig. 2(a)): a divergent branch in a loop has a side that comes back into the same iteration; lanes
// wait in front of that side until the others take it in an iteration of theirs. Loop Merge (Fig. 2(b)): lanes leave a
// loop inside a loop after different numbers of iterations; they wait in the inner one's body until the others are there
// in the next iteration of the outer one.
//
// The code that is common then runs with more lanes, and the rest of the outer loop, prolog and epilog, which lanes run
// together now, with fewer. The paper's three metrics, as numbers:
//   1. Cycles of both parts an iteration of the outer loop: latencies of instructions, those of what they call included,
//      times TripGuess for each loop between an instruction and the outer loop. A side of a branch counts as taken.
//   2. Accesses of prolog and epilog to a uniform or affine address: one for all lanes now, one a group then. Each
//      costs the latency of a load again.
//   3. Barriers of the CTA, warp-wide operations, and what may wait for another lane, in the outer loop or in what it
//      calls: never chosen.
// The gain is the common cycles less those of prolog and epilog and of accesses. The guesses are ours; the paper gives
// no formula. With the counts of an earlier run, those say how often each block runs in an iteration, loops and sides of
// branches alike.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/compiler/analysis/meeting_points.h"

namespace heddle::compiler {

constexpr unsigned TripGuess = 8;  // iterations of a loop nobody has run; spilling takes the same

/// Cycles, as the design points have them by default.
struct Latencies {
  unsigned alu = 8, multiplier = 10, special = 24, load_store = 28, control = 8;
  unsigned of(isa::Unit unit) const;
};

struct CandidateMetrics {
  double common_cycles = 0, outside_cycles = 0;  // of the part that gains; of prolog and epilog
  double access_cycles = 0;                      // of accesses that become divergent
  bool synchronises = false;
  double gain() const { return common_cycles - outside_cycles - access_cycles; }
};

struct Candidate {
  enum class Kind : std::uint8_t { IterationDelay, LoopMerge };
  Kind kind = Kind::IterationDelay;
  BlockIndex outer = 0;      // head of the loop around
  BlockIndex point = 0;      // lanes meet in front of it
  BlockIndex before = 0;     // the one block from which control enters the outer loop; the outer head: no such block
  std::vector<bool> region;  // by block: the outer loop
  CandidateMetrics metrics;
  bool chosen = false;
  std::string reason;  // why, or why not
};

std::string to_string(Candidate::Kind kind);

/// In code order of their points. Of those whose outer loops share code the one with the largest gain is chosen; none
/// that shares code with the region of a prediction in the code.
/// \param threads  that executed each PTX line in an earlier run; null: guesses
std::vector<Candidate> reconvergence_candidates(const VirtualCode& code, const std::vector<isa::BasicBlock>& blocks,
                                                const std::map<unsigned, std::uint64_t>* threads = nullptr,
                                                const Latencies& latencies = {});

}  // namespace heddle::compiler
