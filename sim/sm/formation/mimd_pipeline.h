// SPDX-License-Identifier: Apache-2.0
// One scheduler of a MIMD machine with the same peak (DWF sec. 6): no warps, and no blocks. Each lane is a scalar barrel
// pipeline of its own: it has the threads of its lane in each warp slot, and issues for one of them a cycle, whatever
// other lanes do. A reference; what the paper does not say of it is ours.
//
//   cycle n        each lane whose operand read is free issues for the thread that has been ready longest, of those whose
//                  unit is free
//   edge n+1       operand read: r cycles, r = words / words a cycle
//   edge n+1+r     executed: a branch is resolved, an access goes to the load/store unit
//   ... + latency  a result is written, one a cycle and lane; the thread is ready again, in that cycle
//
// Barrel:   a thread has one instruction on its way. Alone it issues an addition every 1 + 1 + `alu_latency` cycles, as
//   under `--scoreboard barrel`.
// Fetch:    each lane has the instruction behind the last one by then; a thread that starts, or jumps, is ready
//   `fetch_latency` later. The instruction cache is not asked.
// Accesses: lanes that issue one instruction in one cycle, for threads of one CTA, hand over one access: it is coalesced
//   as a warp's is, and complete for all of them at once. Others wait in the order of the load/store unit. A lane that
//   finds no room there issues for another thread, and comes first as soon as there is room.
// Misses:   the thread waits, in its own place; its lane goes on with others.
// An issue, as statistics count it: a cycle in which any lane issues. Its lanes are those that do. In a profile it is
//   counted for the instruction of the lane that came first.
#pragma once

#include <deque>
#include <vector>

#include "sim/sm/issue/issue_pipeline.h"
#include "sim/sm/memory/fence_wait.h"

namespace heddle {

class MimdPipeline final : public IssuePipeline {
 public:
  MimdPipeline(const DesignPoint& point, unsigned scheduler, const SmModules& sm);

  void load(const isa::Launch& launch, std::uint64_t code) override;
  bool step(std::uint64_t cycle, std::uint64_t cycles) override;
  void rest() override {}
  void complete(unsigned token, std::uint64_t cycle) override;
  void partly_served(unsigned, isa::Lanes) override {}
  void missed(const InFlight&) override {}
  bool idle() const override;
  std::vector<std::uint64_t> shows() const override;

  void start(SliceWarp warp, isa::Lanes lanes) override;
  void barrier_opened(SliceWarp warp, isa::Lanes lanes) override;
  isa::Lanes live(SliceWarp warp) const override { return rows_[warp.index()].live; }
  isa::Lanes waiting(SliceWarp warp) const override { return rows_[warp.index()].waiting; }
  bool blocked_at_barriers(SliceWarp warp) const override;
  bool drained(SliceWarp warp) const override;

  /// For messages: threads of a row that stand at one PC.
  unsigned paths() const override { return point_.lanes; }
  PathView path(SliceWarp warp, unsigned k) const override;
  std::uint64_t releases() const override { return 0; }

 private:
  enum class State : std::uint8_t { Gone, Fetched, Ready, InFlight, AtBarrier, AtFence };
  /// Threads that one warp slot of the CTA unit has, by lane.
  struct Row {
    isa::Lanes live = 0;
    isa::Lanes waiting = 0;  ///< at a CTA barrier
  };
  struct Lane {
    std::deque<unsigned> ready;  ///< threads, who has been ready longest first
    std::deque<unsigned> last;   ///< whose results wait for their turn to be written
    std::uint64_t free = 0;      ///< cycle from which on operand read takes another instruction
    std::uint64_t special_free = 0, alu_free = 0;
  };
  /// An instruction in operand read, for all lanes that issued it together.
  struct Reading {
    unsigned token;
    std::uint64_t ends;  ///< cycle
  };
  struct Fetch {
    unsigned thread;
    std::uint64_t comes;  ///< cycle
  };

  /// A thread at a fence that waits.
  struct Fence {
    unsigned thread;
    FenceWait wait;
  };

  void take_fetched();
  FenceWait continue_fence(const Fence& fence) const;
  bool is_over(const Fence& fence) const;
  void look_at_fences();
  void execute();
  void executed(unsigned token, const Executed& done);
  void branched(const InFlight& flight, const Executed& done);
  void arrived(const InFlight& flight);
  void write_back();
  void issue();
  void issue(unsigned lane);
  bool may_issue(unsigned lane, unsigned thread);
  bool has_room(const isa::Instruction& instruction) const;
  unsigned issued_with(unsigned thread) const;
  void issue(unsigned lane, unsigned thread);
  void count_issue();
  void find_reason();
  Stall reason(unsigned thread) const;

  void ready(unsigned thread);
  void go_on(unsigned thread);
  void go_on(const InFlight& flight, isa::Lanes lanes);
  void fetch(unsigned thread, isa::Pc pc);

  // A thread is a number of this scheduler: slice warp x lanes + lane.
  SmWarp row(unsigned thread) const { return numbers_.in_sm(scheduler_, SliceWarp(thread / point_.lanes)); }
  unsigned lane(unsigned thread) const { return thread % point_.lanes; }
  unsigned thread(ThreadSlot slot) const { return numbers_.in_slice(slot.row).index() * point_.lanes + slot.home; }
  unsigned cta(unsigned thread) const { return ctas_.threads()[row(thread)].cta; }
  const isa::Instruction& instruction(unsigned thread) const { return launch_->program->code[pcs_[thread]]; }

  static constexpr unsigned None = ~0U;

  const DesignPoint& point_;
  const unsigned scheduler_;
  const Scheduling numbers_;
  RegisterFile& registers_;
  CtaUnit& ctas_;
  load_store_unit& lsu_;
  InFlightPool& in_flight_;
  Counters& counters_;
  Writeback writeback_;  // what is due; `Lane::last` has the turns
  Execute execute_;

  const isa::Launch* launch_ = nullptr;
  unsigned most_accesses_ = 1;  // of an instruction
  std::uint64_t cycle_ = 0;

  std::vector<Row> rows_;
  std::vector<State> states_;  // by thread
  std::vector<isa::Pc> pcs_;   // by thread: of the instruction in flight, or the next one
  std::vector<Lane> lanes_;
  std::deque<Fetch> fetches_;
  std::vector<Reading> reading_;
  std::vector<Fence> fences_;
  unsigned first_lane_ = 0;  // that found no room for an access: it chooses first until it has some
  unsigned refused_ = None;  // of those that chose in this cycle, the first that found none

  // The last step: instructions issued together, by token, and if there were none, why
  std::vector<unsigned> issued_;
  Stall why_ = Stall::NoWarp;
  isa::Pc why_pc_ = 0;
};

}  // namespace heddle
