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

namespace {

struct Counter {
  const char* name;
  std::uint64_t Statistics::*value;
};

/// Move with time alone, as the stalls do.
constexpr Counter Times[] = {{"cycles", &Statistics::cycles},
                             {"idle cycles", &Statistics::idle_cycles},
                             {"scheduler cycles", &Statistics::scheduler_cycles}};
constexpr Counter Work[] = {{"warp instructions", &Statistics::warp_instructions},
                            {"thread instructions", &Statistics::thread_instructions},
                            {"paths", &Statistics::paths},
                            {"divergent branches", &Statistics::divergent_branches},
                            {"branches", &Statistics::branches},
                            {"barriers", &Statistics::barriers},
                            {"global accesses", &Statistics::global_accesses},
                            {"line requests", &Statistics::line_requests},
                            {"shared accesses", &Statistics::shared_accesses},
                            {"shared passes", &Statistics::shared_passes},
                            {"L1 accesses", &Statistics::l1_accesses},
                            {"L1 hits", &Statistics::l1_hits},
                            {"L1 misses", &Statistics::l1_misses},
                            {"L1 merges", &Statistics::l1_merges},
                            {"DRAM reads", &Statistics::dram_reads},
                            {"DRAM writes", &Statistics::dram_writes},
                            {"DRAM bytes", &Statistics::dram_bytes}};

}  // namespace

Statistics& Statistics::operator+=(const Statistics& other) {
  for (const Counter& counter : Times) this->*counter.value += other.*counter.value;
  for (const Counter& counter : Work) this->*counter.value += other.*counter.value;
  for (unsigned i = 0; i < active_lanes.size(); ++i) active_lanes[i] += other.active_lanes[i];
  for (unsigned i = 0; i < stalls.size(); ++i) stalls[i] += other.stalls[i];
  for (unsigned i = 0; i < depth.size(); ++i) depth[i] += other.depth[i];
  max_depth = std::max(max_depth, other.max_depth);
  lanes = other.lanes;
  schedulers = other.schedulers;
  return *this;
}

std::vector<Statistics::Number> Statistics::numbers() const {
  std::vector<Number> all;
  for (const Counter& counter : Times) all.push_back({counter.name, this->*counter.value});
  for (const Counter& counter : Work) all.push_back({counter.name, this->*counter.value});
  for (unsigned i = 0; i < stalls.size(); ++i)
    all.push_back({"stall: " + std::string(stall_name(static_cast<Stall>(i)).name), stalls[i]});
  for (unsigned i = 0; i < active_lanes.size(); ++i)
    all.push_back({"issues of " + std::to_string(i) + " lanes", active_lanes[i]});
  for (unsigned i = 0; i < depth.size(); ++i) all.push_back({"issues at depth " + std::to_string(i), depth[i]});
  all.push_back({"deepest stack", max_depth});
  return all;
}

std::vector<std::uint64_t> Statistics::counts_of_work() const {
  std::vector<std::uint64_t> counts{max_depth};
  for (const Counter& counter : Work) counts.push_back(this->*counter.value);
  return counts;
}

}  // namespace heddle
