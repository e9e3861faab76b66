// SPDX-License-Identifier: Apache-2.0
// One streaming multiprocessor: it makes the modules, links them and hands them the clock.
//
//   cta_unit         CTAs onto warp slots and off them, their barriers, which thread lives where
//   issue_pipeline   a scheduler: issue slice (the hardware that decides which threads run), issue side, execution,
//                    writeback
//   register_file    values of all thread slots
//   dequeue_unit     instructions that wait for addresses and predicates
//   affine_unit      which computes those, where the SM has an affine warp
//   load_store_unit  a TLM-2.0 socket towards memory
//   Prefetcher       which asks the buffer below the L1 for lines, where the SM prefetches
//   instruction_cache  another one, unless fetch is ideal
//
// What modules share besides their links: the register file, which writeback alone writes, and the thread table, which
// cta_unit alone writes (execution and issue call it at exits and CTA barriers); the records of instructions in flight, of
// which a link carries the number, so that one module at a time has a record; the counters, to which modules add and which
// the SM alone reads.
//
// One process on a gated clock: an SM that only waits for memory has no edges. What it would have done in the cycles
// between, nothing, is accounted at its next edge.
#pragma once

#include <systemc>

#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "rtl/base/block_steps.h"
#include "sim/sm/core/gate_check.h"
#include "sim/sm/issue/issue_pipeline.h"
#include "sim/sm/links/clock_gate.h"
#include "sim/sm/memory/prefetcher.h"
#include "sim/sm/slice/fetch_port.h"
#include "sim/sm/threads/cta_unit.h"
#include "tlm/instruction_cache.h"

namespace heddle {

struct SmParameters {
  const DesignPoint* point = nullptr;
  SmPlace place;
  Mechanism mechanism;
  bool clock_gate = true;       ///< else every cycle has its edge, and is checked
  bool one_process = true;      ///< for all blocks of the schedulers; else each has its own, as in a bench
  unsigned resident_warps = 0;  ///< at most so many warps at once; 0: as many as the point has
  std::uint64_t watchdog_cycles = 1'000'000;  ///< without progress until the kernel is given up; 0: never
  std::uint64_t max_cycles = 0;               ///< of one launch; 0: no limit
};

class AffineUnit;
class LineKeeper;

class sm : public sc_core::sc_module, private WarpPort {
 public:
  sm(const sc_core::sc_module_name& name, const SmParameters& parameters, BackingStore& store);
  ~sm() override;

  load_store_unit& load_store() { return lsu_; }
  const load_store_unit& load_store() const { return lsu_; }

  /// Null where fetch is ideal (`icache_bytes` 0).
  instruction_cache* code_cache() { return icache_.get(); }
  const instruction_cache* code_cache() const { return icache_.get(); }

  /// Which lines its L1 must keep; null: it has no affine warp.
  const LineKeeper* line_keeper() const;

  /// Null: it does not prefetch.
  Prefetcher* prefetcher() { return prefetcher_.get(); }

  /// Starts taking CTAs from the dispatcher. \throws isa::ExecutionError when one CTA does not fit.
  /// \param code  where the program lies, for the instruction cache
  void start(const isa::Launch& launch, CtaDispatcher& dispatcher, std::uint64_t code);
  /// CTAs of the launch that it holds at once when it is empty. \throws isa::ExecutionError when not even one fits.
  unsigned room_for(const isa::Launch& launch) const { return ctas_.room_for(launch); }
  /// The forced releases of convergence barriers, in all launches so far.
  std::uint64_t forced_releases() const;
  /// All its CTAs are done and the dispatcher has none for it.
  bool done() const { return ctas_.done() && !running_; }
  /// What ended the run early, or null: rethrow it outside the simulation.
  std::exception_ptr failure() const { return failure_; }

  /// Counts of the current launch; complete once done.
  const Statistics& statistics() const { return counters_.statistics; }
  /// The counts of the current launch, by PC.
  const CodeCounts& code_counts() const { return counters_.code; }
  std::uint64_t cycle() const { return cycle_; }
  /// Would the next edge change nothing? Asked between edges.
  bool idle() const;

  /// Are threads of this CTA here, or threads in this warp slot?
  bool runs_cta(const isa::Dim3& index) const;
  bool runs_warp(unsigned slot) const;
  unsigned resident_ctas() const { return ctas_.resident(); }
  /// Warps with threads, and those of them whose threads all wait at a barrier of their CTA.
  unsigned resident_warps() const;
  unsigned warps_at_barriers() const;

  /// Where every warp and lane of the SM stands, for a kernel that makes no progress.
  std::string who_is_passed_over() const;
  std::string who_waits_where() const;

 private:
  // What the CTA unit tells the warps, and asks.
  void start(SmWarp warp, isa::Lanes lanes) override;
  void barrier_opened(SmWarp warp, isa::Lanes lanes) override;
  void answer(unsigned token, std::uint64_t value) override;
  isa::Lanes live(SmWarp warp) const override { return pipeline_of(warp).live(numbers_.in_slice(warp)); }
  isa::Lanes waiting(SmWarp warp) const override { return pipeline_of(warp).waiting(numbers_.in_slice(warp)); }
  bool blocked_at_barriers(SmWarp warp) const override;
  bool drained(SmWarp warp) const override { return pipeline_of(warp).drained(numbers_.in_slice(warp)); }

  const IssuePipeline& pipeline_of(SmWarp warp) const { return *pipelines_[numbers_.scheduler_of(warp)]; }
  IssuePipeline& pipeline_of(SmWarp warp) { return *pipelines_[numbers_.scheduler_of(warp)]; }
  PathView path_of(SmWarp warp, unsigned k) const { return pipeline_of(warp).path(numbers_.in_slice(warp), k); }

  void edge();
  void settle();
  void step(std::uint64_t cycle);
  void on_reply() { gate_.reconsider(); }
  bool may_stop_clock();
  std::vector<GateCheck::Part> what_it_shows() const;
  std::uint64_t account(std::uint64_t cycle);
  /// Does the launch run in two streams?
  bool decouples() const { return dequeues_.runs(); }
  void collect_replies();
  static void take_values(InFlight& flight, const Completed& completed);
  void check_progress() const;
  /// ", in the loop at file.ptx:31-38": of threads that run; empty if there is none.
  std::string where_it_loops() const;

  void fail();

  const SmParameters parameters_;
  const DesignPoint& point_;
  const Scheduling numbers_;
  clock_gate gate_;
  sc_core::sc_signal<bool> rst_n_{"rst_n"};
  load_store_unit lsu_;
  std::unique_ptr<instruction_cache> icache_;
  FetchPort fetch_port_;
  BlockSteps blocks_;  // of the schedulers
  sc_core::sc_event settles_;
  BackingStore& store_;
  Counters counters_;
  InFlightPool in_flight_;
  RegisterFile registers_;
  LocalMemory local_;
  std::unique_ptr<AffineUnit> affine_;
  DequeueUnit dequeues_;
  CtaUnit ctas_;
  OperandCollector operands_;
  std::unique_ptr<Prefetcher> prefetcher_;
  AddressUnit addresses_;
  std::vector<std::unique_ptr<IssuePipeline>> pipelines_;

  isa::Launch launch_;
  std::uint64_t cycle_ = 0, first_cycle_ = 0;
  bool running_ = false;
  GateCheck gate_check_;  // without the clock gate
  std::exception_ptr failure_;
};

}  // namespace heddle
