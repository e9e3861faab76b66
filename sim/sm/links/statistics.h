// SPDX-License-Identifier: Apache-2.0
// What a run counts (DESIGN sec. 7). Plain numbers; sim/report turns them into tables and JSON.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/isa/instruction.h"

namespace heddle {

/// Why a scheduler issued nothing in a cycle. The first that applies to any of its slots wins (DESIGN sec. 5).
enum class Stall : unsigned {
  NoWarp,
  BufferEmpty,
  BranchInFlight,
  StructureFull,
  Barrier,
  OperandRead,
  ScoreboardTrue,
  ScoreboardFalse,
  ScoreboardFull,
  Memory,
  StructuralSpecial,
  StructuralLanes,  // an instruction that takes the lanes for several cycles has them
  StructuralLoadStore,
  Formation,    // under warp formation: no warp is formed yet, its threads are on their way
  CommitPort,   // a warp in the last stage waits for the port to warp formation, and all behind it
  PendingFull,  // more warps have missed than the pending table holds
  AffineQueue,  // a record that the affine warp's side has not made yet, or an outcome that it has not taken
  AffineWarp,   // the affine warp, or a comparison for the predicate expansion unit, had the issue slot
  Count
};
constexpr unsigned Stalls = static_cast<unsigned>(Stall::Count);

/// Our name, and Nsight Compute's where it has one.
struct StallName {
  const char* name;
  const char* nsight;
};
const StallName& stall_name(Stall stall);

constexpr unsigned DepthBins = 64;

struct Statistics;

/// How a number of several launches, or of several SMs, follows from theirs.
enum class Together { Sum, Max };

/// One number that a run counts: what tables, JSON and `heddle list statistics` say of it.
struct StatisticRow {
  const char* key;    ///< in JSON
  const char* group;  ///< the JSON object that it stands in; empty: the run itself
  const char* name;
  const char* unit;
  const char* meaning;
  std::uint64_t Statistics::*value;
  Together of_launches, of_sms;
  bool is_work;  ///< moved by work alone: a cycle in which nothing happens leaves it as it is
};

struct Statistics {
  std::uint64_t cycles = 0;
  std::uint64_t warp_instructions = 0, thread_instructions = 0, spill_instructions = 0;
  std::array<std::uint64_t, isa::MaxLanes + 1> active_lanes{};  ///< W0..Wn: issues with n active lanes
  std::uint64_t paths = 0;                                      ///< sum over issues of the paths of the issued warp
  std::uint64_t idle_cycles = 0;                                ///< cycles without an issue in the SM
  std::uint64_t scheduler_cycles = 0;                           ///< cycles x schedulers: issues + all stalls
  std::array<std::uint64_t, Stalls> stalls{};
  std::array<std::uint64_t, DepthBins> depth{};  ///< issues at a stack depth; the last bin holds all above
  std::uint64_t max_depth = 0;
  std::uint64_t divergent_branches = 0, branches = 0, barriers = 0, forced_releases = 0;
  std::uint64_t memory_splits = 0, memory_joins = 0;
  std::uint64_t formation_hits = 0, formation_conflicts = 0, formation_evictions = 0, commit_holds = 0;
  std::uint64_t pending_warps = 0, post_dominator_saturations = 0, bank_conflict_cycles = 0;
  std::uint64_t icache_accesses = 0, icache_misses = 0, icache_fills = 0, icache_stalls = 0;
  std::uint64_t constant_accesses = 0, constant_passes = 0, constant_misses = 0;
  // of decoupled affine computation
  std::uint64_t affine_batches = 0, affine_ctas = 0, affine_instructions = 0, affine_enqueues = 0,
                affine_outcome_cycles = 0, affine_full_cycles = 0, affine_lane_compares = 0,
                affine_scalar_predicates = 0, affine_pair_predicates = 0, affine_regions = 0, affine_threads = 0,
                affine_requests = 0, affine_lock_refusals = 0, global_loads = 0, shared_loads = 0, decoupled_loads = 0,
                decoupled_stores = 0, decoupled_branches = 0, dequeued_records = 0, tuple_queue_sum = 0,
                tuple_queue_cycles = 0, tuple_queue_max = 0, whole_launches = 0;
  // of a prefetcher and its buffer
  std::uint64_t prefetch_asked = 0, prefetch_outside = 0, prefetch_throttled = 0, prefetch_redundant = 0,
                prefetch_dropped = 0, prefetch_sent = 0, prefetch_hits = 0, prefetch_merges = 0,
                prefetch_early_evictions = 0, prefetch_stale = 0, prefetch_periods = 0, prefetch_degree_sum = 0,
                prefetch_degree = 0;
  // of an affine unit beside the lanes
  std::uint64_t affine_unit_instructions = 0;
  // of the memory subsystem
  std::uint64_t global_accesses = 0, line_requests = 0, shared_accesses = 0, shared_passes = 0;
  std::uint64_t l1_accesses = 0, l1_hits = 0, l1_misses = 0, l1_merges = 0, l1_acquires = 0,
                l1_acquire_invalidations = 0;
  std::uint64_t crossbar_request_bytes = 0, crossbar_reply_bytes = 0;
  std::uint64_t l2_accesses = 0, l2_hits = 0, l2_misses = 0, l2_merges = 0, l2_write_misses = 0, l2_write_backs = 0;
  std::uint64_t dram_reads = 0, dram_writes = 0, dram_bytes = 0, dram_activations = 0, dram_row_hits = 0;
  unsigned lanes = 0, schedulers = 0;

  double ipc() const { return cycles == 0 ? 0 : double(warp_instructions) / double(cycles); }
  double thread_ipc() const { return cycles == 0 ? 0 : double(thread_instructions) / double(cycles); }
  /// SIMD lane utilisation: thread instructions / (lanes x warp instructions).
  double lane_utilisation() const;
  /// DPE eq. 1: paths that the issued warp could have issued from, averaged over issues.
  double avg_path() const { return warp_instructions == 0 ? 0 : double(paths) / double(warp_instructions); }

  /// Adds a later launch of the same run.
  void add_launch(const Statistics& later);
  /// Adds the same launch on another SM.
  void add_sm(const Statistics& other);

  /// Every number, each with its name, in a fixed order.
  struct Number {
    std::string name;
    std::uint64_t value;
  };
  std::vector<Number> numbers() const;
  /// Those that only work moves: a cycle in which nothing happens leaves them as they are.
  std::vector<std::uint64_t> counts_of_work() const;

 private:
  void add(const Statistics& other, Together StatisticRow::*how);
};

/// Every number but the histograms (lanes of an issue, depth, stall reasons), in the order of the reports.
const std::vector<StatisticRow>& statistic_rows();

/// A number that follows from others.
struct DerivedRow {
  const char* key;
  const char* group;
  const char* name;
  const char* unit;
  const char* meaning;
  double (*value)(const Statistics&);
};
const std::vector<DerivedRow>& derived_rows();

}  // namespace heddle
