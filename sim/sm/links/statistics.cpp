// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/links/statistics.h"

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
      {"structural: lanes", "math_pipe_throttle"},
      {"structural: load/store unit", "lg_throttle"},
      {"warp formation", ""},
      {"commit port", ""},
      {"pending warps full", ""},
      {"affine queue", ""},
      {"affine warp", ""},
  }};
  return names[static_cast<unsigned>(stall)];
}

double Statistics::lane_utilisation() const {
  const double slots = double(lanes) * double(warp_instructions);
  return slots == 0 ? 0 : double(thread_instructions) / slots;
}

const std::vector<StatisticRow>& statistic_rows() {
  using S = Statistics;
  constexpr Together Sum = Together::Sum, Max = Together::Max;
  static const std::vector<StatisticRow> rows{
      {"cycles", "", "cycles", "cycles", "from a launch's start to its last thread's exit", &S::cycles, Sum, Max,
       false},
      {"warp_instructions", "", "warp instructions", "instructions", "issued", &S::warp_instructions, Sum, Sum, true},
      {"thread_instructions", "", "thread instructions", "instructions", "active lanes, summed over the issues",
       &S::thread_instructions, Sum, Sum, true},
      {"spill_instructions", "", "spill instructions", "instructions",
       "issued by warps: a value that found no register goes to local memory or comes back by them",
       &S::spill_instructions, Sum, Sum, true},
      {"paths", "", "paths", "paths", "valid paths of the issued warp, summed over the issues", &S::paths, Sum, Sum,
       true},
      {"idle_cycles", "", "idle cycles", "cycles", "of an SM, without an issue", &S::idle_cycles, Sum, Sum, false},
      {"scheduler_cycles", "", "scheduler cycles", "cycles", "cycles of each scheduler: issues and all stalls",
       &S::scheduler_cycles, Sum, Sum, false},
      {"branches", "", "branches", "instructions", "resolved", &S::branches, Sum, Sum, true},
      {"divergent_branches", "", "divergent branches", "instructions", "of them, those whose lanes went both ways",
       &S::divergent_branches, Sum, Sum, true},
      {"barriers", "", "barriers", "times", "a CTA barrier opened", &S::barriers, Sum, Sum, true},
      {"forced_releases", "", "forced releases", "times",
       "convergence barriers let lanes go although others were missing, as nobody else could run", &S::forced_releases,
       Sum, Sum, true},
      {"memory_splits", "", "memory splits", "times", "lanes that a load had served went on without the others",
       &S::memory_splits, Sum, Sum, true},
      {"memory_joins", "", "memory joins", "times", "... and met them again before an instruction for all",
       &S::memory_joins, Sum, Sum, true},
      {"formation_hits", "", "formation hits", "updates", "threads met a warp of their PC that is being formed",
       &S::formation_hits, Sum, Sum, true},
      {"formation_conflicts", "", "formation conflicts", "updates", "... but some found their lane taken",
       &S::formation_conflicts, Sum, Sum, true},
      {"formation_evictions", "", "formation evictions", "times",
       "a warp that was being formed lost its place in the LUT", &S::formation_evictions, Sum, Sum, true},
      {"commit_holds", "", "commit holds", "cycles",
       "a warp in the last stage waited for one that came back from memory", &S::commit_holds, Sum, Sum, true},
      {"pending_warps", "", "pending warps", "warps", "whose access missed: they left the pipeline until it was done",
       &S::pending_warps, Sum, Sum, true},
      {"post_dominator_saturations", "", "post-dominator saturations", "warps",
       "passed one more post-dominator than they can count", &S::post_dominator_saturations, Sum, Sum, true},
      {"bank_conflict_cycles", "", "register bank conflicts", "cycles",
       "that threads of one home lane took beyond the first turn", &S::bank_conflict_cycles, Sum, Sum, true},
      {"affine_batches", "affine", "batches", "batches", "of CTAs, for which the affine warp ran once each",
       &S::affine_batches, Sum, Sum, true},
      {"affine_ctas", "affine", "CTAs", "CTAs", "in those batches", &S::affine_ctas, Sum, Sum, true},
      {"affine_instructions", "affine", "affine instructions", "instructions",
       "issued by the affine warp: not among the warp instructions", &S::affine_instructions, Sum, Sum, true},
      {"affine_enqueues", "affine", "enqueues", "tuples", "that the affine warp put into the tuple queue",
       &S::affine_enqueues, Sum, Sum, true},
      {"affine_outcome_cycles", "affine", "outcome waits", "cycles",
       "in which the affine warp waited for where threads go from a branch", &S::affine_outcome_cycles, Sum, Sum,
       false},
      {"affine_full_cycles", "affine", "enqueue waits", "cycles", "in which it waited for room in a queue",
       &S::affine_full_cycles, Sum, Sum, false},
      {"affine_lane_compares", "affine", "lane comparisons", "times",
       "the predicate expansion unit asked the SIMT lanes", &S::affine_lane_compares, Sum, Sum, true},
      {"affine_scalar_predicates", "affine", "scalar predicates", "expansions",
       "one comparison told the outcome of a CTA", &S::affine_scalar_predicates, Sum, Sum, true},
      {"affine_pair_predicates", "affine", "pair predicates", "expansions",
       "two comparisons told the outcome of a warp", &S::affine_pair_predicates, Sum, Sum, true},
      {"affine_regions", "affine", "regions", "records", "addresses with a closed form", &S::affine_regions, Sum, Sum,
       true},
      {"affine_threads", "affine", "single threads", "records",
       "addresses of one thread, as their offset has no closed form", &S::affine_threads, Sum, Sum, true},
      {"affine_requests", "affine", "early requests", "lines", "asked of the L1 before the load came",
       &S::affine_requests, Sum, Sum, true},
      {"affine_lock_refusals", "affine", "lock refusals", "cycles",
       "in which a record waited as its line could not be locked", &S::affine_lock_refusals, Sum, Sum, false},
      {"global_loads", "affine", "global loads", "instructions", "of warps, of global and local memory: all launches",
       &S::global_loads, Sum, Sum, true},
      {"shared_loads", "affine", "shared loads", "instructions", "of warps: all launches", &S::shared_loads, Sum, Sum,
       true},
      {"decoupled_loads", "affine", "decoupled loads", "instructions", "of warps, whose address was dequeued",
       &S::decoupled_loads, Sum, Sum, true},
      {"decoupled_stores", "affine", "decoupled stores", "instructions", "of warps, whose address was dequeued",
       &S::decoupled_stores, Sum, Sum, true},
      {"decoupled_branches", "affine", "decoupled branches", "instructions", "of warps, whose predicate was dequeued",
       &S::decoupled_branches, Sum, Sum, true},
      {"dequeued_records", "affine", "dequeued records", "records", "addresses and predicates, by warps",
       &S::dequeued_records, Sum, Sum, true},
      {"tuple_queue_sum", "affine", "tuple queue, summed", "tuples",
       "waiting, summed over the cycles in which a batch ran", &S::tuple_queue_sum, Sum, Sum, false},
      {"tuple_queue_cycles", "affine", "batch cycles", "cycles", "in which a batch ran", &S::tuple_queue_cycles, Sum,
       Sum, false},
      {"tuple_queue_max", "affine", "fullest tuple queue", "tuples", "", &S::tuple_queue_max, Max, Max, true},
      {"whole_launches", "affine", "whole launches", "launches", "that could not run in two streams",
       &S::whole_launches, Sum, Max, true},
      {"unit_instructions", "affine", "affine unit's instructions", "instructions",
       "of warps, that the affine unit beside the lanes computed", &S::affine_unit_instructions, Sum, Sum, true},
      {"asked", "prefetch", "prefetches asked", "lines", "of the prefetch buffer", &S::prefetch_asked, Sum, Sum, true},
      {"outside", "prefetch", "prefetches outside", "lines", "not asked, as no allocation holds the address",
       &S::prefetch_outside, Sum, Sum, true},
      {"throttled", "prefetch", "throttled prefetches", "lines", "not asked, by the throttle's degree",
       &S::prefetch_throttled, Sum, Sum, true},
      {"redundant", "prefetch", "redundant prefetches", "lines", "that were in the L1 or the buffer, or on their way",
       &S::prefetch_redundant, Sum, Sum, true},
      {"dropped", "prefetch", "dropped prefetches", "lines", "that found no room to wait", &S::prefetch_dropped, Sum,
       Sum, true},
      {"sent", "prefetch", "prefetches sent", "lines", "to the memory below", &S::prefetch_sent, Sum, Sum, true},
      {"hits", "prefetch", "prefetch hits", "requests", "of the L1, for a line in the buffer", &S::prefetch_hits, Sum,
       Sum, true},
      {"late", "prefetch", "late prefetches", "requests", "of the L1 that joined one under way", &S::prefetch_merges,
       Sum, Sum, true},
      {"early_evictions", "prefetch", "early evictions", "lines", "that left the buffer before anybody loaded them",
       &S::prefetch_early_evictions, Sum, Sum, true},
      {"stale", "prefetch", "stale prefetches", "lines", "that a store, an atomic or an acquire made void",
       &S::prefetch_stale, Sum, Sum, true},
      {"periods", "prefetch", "throttle periods", "periods", "that ended", &S::prefetch_periods, Sum, Sum, true},
      {"degree_sum", "prefetch", "throttle degree, summed", "degrees", "over the periods, at their ends",
       &S::prefetch_degree_sum, Sum, Sum, true},
      {"degree", "prefetch", "throttle degree", "of 5", "at the end of a launch, the highest; 5: no prefetch",
       &S::prefetch_degree, Max, Max, true},
      {"max", "stack_depth", "deepest stack", "entries", "of any warp", &S::max_depth, Max, Max, true},
      {"icache_accesses", "memory_system", "instruction cache accesses", "fetches", "", &S::icache_accesses, Sum, Sum,
       true},
      {"icache_misses", "memory_system", "instruction cache misses", "fetches", "that had to wait for a line",
       &S::icache_misses, Sum, Sum, true},
      {"icache_fills", "memory_system", "instruction cache fills", "lines", "of code, asked of the L2",
       &S::icache_fills, Sum, Sum, true},
      {"icache_stalls", "memory_system", "instruction cache stalls", "cycles",
       "of the schedulers, with an empty buffer whose line was awaited", &S::icache_stalls, Sum, Sum, false},
      {"constant_accesses", "memory_system", "constant accesses", "instructions", "loads of warps",
       &S::constant_accesses, Sum, Sum, true},
      {"constant_passes", "memory_system", "constant passes", "requests", "a distinct address each",
       &S::constant_passes, Sum, Sum, true},
      {"constant_misses", "memory_system", "constant cache misses", "lines", "asked of the L2", &S::constant_misses,
       Sum, Sum, true},
      {"global_accesses", "memory_system", "global accesses", "instructions", "loads, stores and atomics of warps",
       &S::global_accesses, Sum, Sum, true},
      {"line_requests", "memory_system", "line requests", "requests", "of the load/store unit", &S::line_requests, Sum,
       Sum, true},
      {"shared_accesses", "memory_system", "shared accesses", "instructions", "of shared memory", &S::shared_accesses,
       Sum, Sum, true},
      {"shared_passes", "memory_system", "shared passes", "passes", "over the banks of shared memory",
       &S::shared_passes, Sum, Sum, true},
      {"l1_accesses", "memory_system", "L1 accesses", "requests", "", &S::l1_accesses, Sum, Sum, true},
      {"l1_hits", "memory_system", "L1 hits", "requests", "", &S::l1_hits, Sum, Sum, true},
      {"l1_misses", "memory_system", "L1 misses", "requests", "", &S::l1_misses, Sum, Sum, true},
      {"l1_merges", "memory_system", "L1 merges", "requests", "that joined a miss under way", &S::l1_merges, Sum, Sum,
       true},
      {"l1_acquires", "memory_system", "L1 acquires", "times", "a fence of a scope beyond the CTA made its lines stale",
       &S::l1_acquires, Sum, Sum, true},
      {"l1_acquire_invalidations", "memory_system", "L1 acquire invalidations", "lines",
       "that were there, and that acquires dropped", &S::l1_acquire_invalidations, Sum, Sum, true},
      {"crossbar_request_bytes", "memory_system", "crossbar requests", "bytes", "whole flits, from SMs to the L2",
       &S::crossbar_request_bytes, Sum, Sum, true},
      {"crossbar_reply_bytes", "memory_system", "crossbar replies", "bytes", "whole flits, from the L2 to SMs",
       &S::crossbar_reply_bytes, Sum, Sum, true},
      {"l2_accesses", "memory_system", "L2 accesses", "requests", "loads, stores and atomics", &S::l2_accesses, Sum,
       Sum, true},
      {"l2_hits", "memory_system", "L2 hits", "requests", "that found their bytes, or their line for a store",
       &S::l2_hits, Sum, Sum, true},
      {"l2_misses", "memory_system", "L2 misses", "requests", "loads and atomics that fetched a line", &S::l2_misses,
       Sum, Sum, true},
      {"l2_merges", "memory_system", "L2 merges", "requests", "that joined a miss under way", &S::l2_merges, Sum, Sum,
       true},
      {"l2_write_misses", "memory_system", "L2 write misses", "requests", "stores that took a line, without a fetch",
       &S::l2_write_misses, Sum, Sum, true},
      {"l2_write_backs", "memory_system", "L2 write backs", "lines", "dirty, that made room", &S::l2_write_backs, Sum,
       Sum, true},
      {"dram_reads", "memory_system", "DRAM reads", "requests", "", &S::dram_reads, Sum, Sum, true},
      {"dram_writes", "memory_system", "DRAM writes", "requests", "written back, or stores and atomics without an L2",
       &S::dram_writes, Sum, Sum, true},
      {"dram_bytes", "memory_system", "DRAM bytes", "bytes", "moved, whole bursts", &S::dram_bytes, Sum, Sum, true},
      {"dram_activations", "memory_system", "DRAM activations", "rows", "opened", &S::dram_activations, Sum, Sum, true},
      {"dram_row_hits", "memory_system", "DRAM row hits", "requests", "that found their row open", &S::dram_row_hits,
       Sum, Sum, true}};
  return rows;
}

namespace {

double over(std::uint64_t count, std::uint64_t by) {
  return by == 0 ? 0 : double(count) / double(by);
}

}  // namespace

const std::vector<DerivedRow>& derived_rows() {
  using S = Statistics;
  static const std::vector<DerivedRow> rows{
      {"ipc", "", "IPC", "instructions a cycle", "warp instructions / cycles", [](const S& s) { return s.ipc(); }},
      {"thread_ipc", "", "thread IPC", "instructions a cycle", "thread instructions / cycles",
       [](const S& s) { return s.thread_ipc(); }},
      {"lane_utilisation", "", "lanes used", "share", "thread instructions / (lanes x warp instructions)",
       [](const S& s) { return s.lane_utilisation(); }},
      {"avg_path", "", "AvgPath", "paths", "paths / warp instructions (DPE eq. 1)",
       [](const S& s) { return s.avg_path(); }},
      {"instruction_share", "affine", "affine share", "share",
       "affine instructions / (affine instructions + warp instructions)",
       [](const S& s) { return over(s.affine_instructions, s.affine_instructions + s.warp_instructions); }},
      {"ctas_per_batch", "affine", "CTAs a batch", "CTAs", "CTAs / batches",
       [](const S& s) { return over(s.affine_ctas, s.affine_batches); }},
      {"tuple_queue_mean", "affine", "tuple queue, on average", "tuples", "waiting in a cycle in which a batch ran",
       [](const S& s) { return over(s.tuple_queue_sum, s.tuple_queue_cycles); }},
      {"useful", "prefetch", "useful prefetches", "requests", "prefetch hits + late prefetches",
       [](const S& s) { return double(s.prefetch_hits + s.prefetch_merges); }},
      {"mean_degree", "prefetch", "throttle degree, on average", "of 5", "throttle degree, summed / throttle periods",
       [](const S& s) { return over(s.prefetch_degree_sum, s.prefetch_periods); }},
      {"dram_bytes_per_cycle", "memory_system", "DRAM bytes a cycle", "bytes a cycle", "DRAM bytes / cycles",
       [](const S& s) { return over(s.dram_bytes, s.cycles); }}};
  return rows;
}

void Statistics::add(const Statistics& other, Together StatisticRow::*how) {
  for (const StatisticRow& row : statistic_rows()) {
    std::uint64_t& here = this->*row.value;
    const std::uint64_t there = other.*row.value;
    here = row.*how == Together::Sum ? here + there : std::max(here, there);
  }
  for (unsigned i = 0; i < active_lanes.size(); ++i) active_lanes[i] += other.active_lanes[i];
  for (unsigned i = 0; i < stalls.size(); ++i) stalls[i] += other.stalls[i];
  for (unsigned i = 0; i < depth.size(); ++i) depth[i] += other.depth[i];
  lanes = other.lanes;
  schedulers = other.schedulers;
}

void Statistics::add_launch(const Statistics& later) {
  add(later, &StatisticRow::of_launches);
}

void Statistics::add_sm(const Statistics& other) {
  add(other, &StatisticRow::of_sms);
}

std::vector<Statistics::Number> Statistics::numbers() const {
  std::vector<Number> all;
  for (const StatisticRow& row : statistic_rows()) all.push_back({row.name, this->*row.value});
  for (unsigned i = 0; i < stalls.size(); ++i)
    all.push_back({"stall: " + std::string(stall_name(static_cast<Stall>(i)).name), stalls[i]});
  for (unsigned i = 0; i < active_lanes.size(); ++i)
    all.push_back({"issues of " + std::to_string(i) + " lanes", active_lanes[i]});
  for (unsigned i = 0; i < depth.size(); ++i) all.push_back({"issues at depth " + std::to_string(i), depth[i]});
  return all;
}

std::vector<std::uint64_t> Statistics::counts_of_work() const {
  std::vector<std::uint64_t> counts;
  for (const StatisticRow& row : statistic_rows())
    if (row.is_work) counts.push_back(this->*row.value);
  return counts;
}

}  // namespace heddle
