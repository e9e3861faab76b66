#include "sim/sm/statistics.h"

#include <algorithm>

namespace heddle {

const StallName& stall_name(Stall stall) {
  static const std::array<StallName, Stalls> names{{
      {"no warp", ""},
      {"instruction buffer empty", "no_instruction"},
      {"branch in flight", "branch_resolving"},
      {"divergence structure full", ""},
      {"barrier", "barrier"},
      {"operand read", "dispatch_stall"},
      {"scoreboard (true dependency)", "long_scoreboard + short_scoreboard + wait"},
      {"scoreboard (false dependency)", ""},
      {"scoreboard full", ""},
      {"memory", "membar"},
      {"structural: special unit", "math_pipe_throttle"},
      {"structural: load/store unit", "lg_throttle"},
  }};
  return names[static_cast<unsigned>(stall)];
}

double Statistics::lane_utilisation() const {
  const double slots = double(lanes) * double(warp_instructions);
  return slots == 0 ? 0 : double(thread_instructions) / slots;
}

Statistics& Statistics::operator+=(const Statistics& other) {
  cycles += other.cycles;
  warp_instructions += other.warp_instructions;
  thread_instructions += other.thread_instructions;
  paths += other.paths;
  idle_cycles += other.idle_cycles;
  scheduler_cycles += other.scheduler_cycles;
  for (unsigned i = 0; i < active_lanes.size(); ++i) active_lanes[i] += other.active_lanes[i];
  for (unsigned i = 0; i < stalls.size(); ++i) stalls[i] += other.stalls[i];
  for (unsigned i = 0; i < depth.size(); ++i) depth[i] += other.depth[i];
  max_depth = std::max(max_depth, other.max_depth);
  divergent_branches += other.divergent_branches;
  branches += other.branches;
  barriers += other.barriers;
  global_accesses += other.global_accesses;
  line_requests += other.line_requests;
  shared_accesses += other.shared_accesses;
  shared_passes += other.shared_passes;
  l1_accesses += other.l1_accesses;
  l1_hits += other.l1_hits;
  l1_misses += other.l1_misses;
  l1_merges += other.l1_merges;
  dram_reads += other.dram_reads;
  dram_writes += other.dram_writes;
  dram_bytes += other.dram_bytes;
  lanes = other.lanes;
  schedulers = other.schedulers;
  return *this;
}

}  // namespace heddle
