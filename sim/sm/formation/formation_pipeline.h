// SPDX-License-Identifier: Apache-2.0
// One scheduler under dynamic warp formation (DWF sec. 2.1, 4): a barrel pipeline whose issue stage is the block
// rtl/warp_formation. Warps have no slots: threads are issued together when they met at one PC, and part again when
// their instruction is done.
//
//   cycle n        the block issues a warp                                (issued_o, issued_ready_i)
//   edge n+1       it is fetched; then one more stage                     (formation_fetch.h)
//   ... + r        operand read: r = words / words a cycle, times the most threads of a home lane where the register
//                  file takes turns
//   ... + latency  done: a result is written, a branch resolved, a store ordered. Each thread has its next PC
//   then           the warp goes back to the block by the commit port, one a cycle
//
// The last stage: warps that are done wait for the commit port in their order. While it takes one that has more than two
//   next PCs, or one that comes back from memory, nothing moves in front of it.
// Misses (ours): a warp whose access is not done at the latency of a hit leaves the pipeline for the pending table, and
//   goes back whole; it takes the commit port first. When the table is full nothing moves until it has room.
// Barriers: threads at a CTA barrier go to the block, and wait there until it is told that the barrier opens. A result
//   is written to their registers at the opening, before they can be issued. The block knows one barrier a CTA.
#pragma once

#include <deque>
#include <vector>

#include "sim/sm/formation/formation_fetch.h"
#include "sim/sm/issue/issue_pipeline.h"
#include "sim/sm/memory/fence_wait.h"
#include "sim/sm/slice/formation_slice.h"

namespace heddle {

class FormationPipeline final : public IssuePipeline {
 public:
  FormationPipeline(std::unique_ptr<FormationSlice> slice, const DesignPoint& point, unsigned scheduler,
                    const Mechanism& mechanism, const SmModules& sm);

  void load(const isa::Launch& launch, std::uint64_t code) override;
  bool step(std::uint64_t cycle, std::uint64_t cycles) override;
  void rest() override;
  void complete(unsigned token, std::uint64_t cycle) override;
  void partly_served(unsigned, isa::Lanes) override {}
  void missed(const InFlight&) override {}
  bool idle() const override;
  std::vector<std::uint64_t> shows() const override;
  void check() const override;

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
  std::string who_is_passed_over(std::uint64_t cycles) const override;

 private:
  /// Threads that one warp slot of the CTA unit has, by home lane.
  struct Row {
    isa::Lanes live = 0;
    isa::Lanes waiting = 0;  ///< at a CTA barrier
  };
  /// What the block says of a warp in flight, by token.
  struct Carried {
    unsigned cta = 0, data = 0;
    bool missed = false;  ///< its access has been in the pending table
  };
  struct Access {
    unsigned token;
    std::uint64_t due;  ///< cycle in which one that hits is complete
    bool pending;       ///< in the table
  };
  /// A fence that waits.
  struct Fence {
    FormationCommit commit;
    const isa::Instruction* instruction = nullptr;
    Threads threads;
    isa::Lanes lanes = 0;  ///< whose guard holds
    FenceWait wait;
  };

  void sample(const FormationView& view);
  void look_for_misses();
  void look_at_fences();
  void execute();
  void executed(unsigned token, const Executed& done);
  void arrived(unsigned token);
  void write_back();
  void enter_operand_read();
  bool may_execute(const isa::Instruction& instruction, Stall& why) const;
  void take(const FormationView& view);
  void drive();
  void release(FormationDrive& drive);

  bool continue_fence(Fence& fence) const;
  bool is_over(const Fence& fence) const;
  bool continues(const Fence& fence) const;
  void pass(const Fence& fence, bool missed);
  FormationCommit after(unsigned token, isa::Lanes lanes) const;
  void finish(FormationCommit commit, bool missed);
  WarpAccess::Space space_of(const isa::Instruction& instruction) const;
  unsigned threads_of_a_home(const InFlight& flight, isa::Lanes lanes) const;
  unsigned pending() const;
  bool pipeline_empty() const;
  void count_issue(const FormationView& view);
  void count_stall(const FormationView& view, std::uint64_t cycles);

  SmWarp row(unsigned tid) const { return numbers_.in_sm(scheduler_, SliceWarp(tid / point_.lanes)); }
  unsigned tid(ThreadSlot slot) const { return numbers_.in_slice(slot.row).index() * point_.lanes + slot.home; }
  Row& row_of(SmWarp row) { return rows_[numbers_.in_slice(row).index()]; }
  unsigned cta_of(SliceWarp warp) const { return ctas_.threads()[numbers_.in_sm(scheduler_, warp)].cta; }

  const DesignPoint& point_;
  const unsigned scheduler_;
  const Scheduling numbers_;
  const std::string policy_;  // the row of --divergence
  const bool takes_turns_;    // threads of one home lane, at its bank
  std::unique_ptr<FormationSlice> slice_;
  RegisterFile& registers_;
  CtaUnit& ctas_;
  load_store_unit& lsu_;
  InFlightPool& in_flight_;
  Counters& counters_;
  Writeback writeback_;
  Execute execute_;
  FormationFetch fetch_;

  const isa::Launch* launch_ = nullptr;
  unsigned most_accesses_ = 1;  // of an instruction
  std::uint64_t cycle_ = 0, special_free_ = 0, lanes_free_ = 0;

  std::vector<Row> rows_;
  std::vector<isa::Pc> pcs_;         // by TID: of the instruction in flight, or the next one
  std::vector<bool> in_pipeline_;    // by TID: else in the block, or exited
  std::vector<std::uint64_t> back_;  // by TID: cycle in which it went to the block, or its barrier opened
  std::vector<Carried> carried_;     // by token
  unsigned reading_ = 0;             // token in operand read
  unsigned writing_ = 0;             // turns that a result still takes, and what goes on then
  FormationCommit written_;
  bool written_missed_ = false;
  std::deque<SliceWarp> launches_;  // rows that start
  std::deque<Access> accesses_;     // under way
  std::deque<Fence> fences_;
  std::deque<FormationCommit> last_stage_, returning_;  // for the commit port
  std::uint64_t opening_ = 0;                           // CTAs whose barrier has opened, and the block is not told yet
  FormationDrive driven_;
  bool returns_ = false;      // what was driven last came from the pending table
  bool commit_held_ = false;  // it has more next PCs than went in a cycle: it is driven again as it is

  // The stall of the last step, for what is counted of the cycles until the next one
  Stall held_ = Stall::Formation;
  bool was_empty_ = true;
  isa::Pc last_pc_ = 0, access_pc_ = isa::NoPc;
};

}  // namespace heddle
