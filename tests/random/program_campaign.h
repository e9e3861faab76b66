// SPDX-License-Identifier: Apache-2.0
// Runs random programs on the oracle and, in one process a design point and mechanism, on the timed device: memory,
// thread instructions and lane utilisation must be equal everywhere, and with and without the clock gate each number
// that a run reports.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sim/compiler/options.h"
#include "tests/kit/mechanism_runs.h"
#include "tests/random/program.h"

namespace heddle::tests {

/// Where lanes meet on machines with convergence barriers, of which the marks of a program are part.
struct Placement {
  const char* name;
  compiler::Reconverge reconverge;
  compiler::Deconfliction deconfliction;
  bool is_soft = false;  // with a threshold that the program's seed says
};
/// Default, dynamic, static, automatic, soft.
const std::vector<Placement>& all_placements();

struct Campaign {
  std::uint64_t first_seed = 1;
  Flavour flavour = Flavour::ControlFlow;
  unsigned programs = 500;
  unsigned jobs = 2;
  unsigned sms = 1;
  std::vector<Mechanism> mechanisms = stack_mechanisms();
  std::vector<const DesignPoint*> points;  ///< beside a program's own: by its seed, one with as many lanes
  std::vector<Placement> placements = {all_placements().front()};  ///< under mechanisms with convergence barriers
  bool both_clocks = false;                                        ///< each mechanism gated and not: the same numbers
  std::string record;  ///< folder for what the blocks' ports show (heddle run --record); empty: nothing is recorded
  std::string failures_directory;                             ///< gets the PTX of a program that fails
  std::function<void(unsigned done, unsigned all)> progress;  ///< called as each process ends
};

/// What became of programs for an affine warp: in their texts, and of what ran.
struct AffineCensus {
  unsigned split = 0, whole_launches = 0;  ///< programs in two streams; of them, those whose launch asks for one
  std::map<std::string, unsigned> whole;   ///< programs in one stream, by the reason, without names and numbers
  unsigned loads = 0, stores = 0;          ///< that are decoupled
  unsigned itself = 0, predicates = 0, warps = 0;  ///< branches of the affine stream, by who knows where they go
  unsigned apart = 0;         ///< programs with decoupled accesses where threads of a warp may have gone another way
  unsigned with_barrier = 0;  ///< split programs with barriers
  std::uint64_t dequeued_loads = 0, dequeued_stores = 0, dequeued_branches = 0, batches = 0, kept_waits = 0;
};

struct CampaignResult {
  std::vector<std::string> failures;  ///< one a process that failed: seed, mechanism, what, how to repeat it
  unsigned programs = 0, runs = 0, compared_without_gate = 0;
  unsigned left_out = 0;  ///< runs not made: the mechanism refuses the program by name, or may
  struct ByMechanism {
    unsigned runs = 0, left_out = 0;
  };
  std::map<std::string, ByMechanism> by_mechanism;
  std::uint64_t words_compared = 0, thread_instructions = 0, warp_instructions = 0;
  // What happened at least once, to be asserted: the programs are worth something only if these are not zero.
  std::uint64_t divergent_branches = 0, barriers = 0, memory_splits = 0, memory_joins = 0;
  std::uint64_t deepest_single_path = 0, deepest_dual_path = 0;  ///< at hpca13
  std::array<std::uint64_t, Constructs> constructs{};  ///< by Construct: threads that came past, where counted
  std::uint64_t gated_cycles = 0;                      ///< idle cycles of runs that were compared without the gate
  // The counts of programs with marks, by placement.
  struct Predicted {
    unsigned changed = 0;   ///< programs whose code is not that of the default placement
    unsigned released = 0;  ///< programs in which barriers had to let lanes go, under one mechanism at least
    unsigned refused = 0;
  };
  std::map<std::string, Predicted> legal, misplaced;
  AffineCensus affine;
  std::map<std::string, unsigned> refusals;  ///< compilations, by what is said, without names and numbers
  double cpu_seconds = 0;                    ///< of the timed device
};

CampaignResult run_campaign(const Campaign& campaign);

/// One program on a device, compiled for its machine, with its buffers made there: what `run_in_children` runs.
gpu::HostProgram host_program(const RandomProgram& program);

}  // namespace heddle::tests
