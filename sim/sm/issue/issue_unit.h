// SPDX-License-Identifier: Apache-2.0
// The issue side of one scheduler: what stands between the blocks of its slice and the lanes. It keeps the instruction
// buffers filled, tells the slice which heads may issue, takes the granted one out, and knows what of each warp is on
// its way.
//
// One edge, in this order (IssuePipeline calls):
//   sample(view, ..)    what the slice did in the cycle that ends: paths came and went; why nothing was issued
//   executed(done)      what an instruction did that left operand read in this edge
//   issue(view)         the granted head leaves its buffer
//   written(result)     a writeback
//   drive(..)           fetch; what may issue in the next cycle
//
// Its warps' states are of path slots: with dynamic warp formation another unit stands here.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "sim/sm/issue/affine_heads.h"
#include "sim/sm/lanes/affine_tags.h"
#include "sim/sm/lanes/execute.h"
#include "sim/sm/slice/fetch.h"
#include "sim/sm/units/issue_side.h"
#include "sim/sm/units/issue_state.h"

namespace heddle {

template <unsigned Paths>
class IssueUnit {
 public:
  IssueUnit(const DesignPoint& point, unsigned scheduler, const Mechanism& mechanism, IssueSlice<Paths>& slice,
            const Execute& execute, const RegisterFile& registers, CtaUnit& ctas, load_store_unit& lsu,
            const DequeueUnit& dequeues, const CodeMemory& code, InFlightPool& in_flight, Counters& counters);

  /// \param code  address of the program
  void load(const isa::Launch& launch, std::uint64_t code);

  // From the CTA unit.
  /// A warp starts: the slice is told in one of the next edges.
  void start(SliceWarp warp, isa::Lanes lanes);
  void barrier_opened(SliceWarp warp, isa::Lanes lanes);

  // One edge; `cycles` after the last one, more than one if the clock was gated.
  void sample(const SliceView<Paths>& view, std::uint64_t cycle, std::uint64_t cycles);
  void executed(const Executed& done);
  /// Returns the token of the instruction that enters operand read.
  unsigned issue(const SliceView<Paths>& view);
  void written(const WrittenBack& result);
  void drive(const Executed& done, const WrittenBack& result);
  /// Instead of all of these: nothing runs, and nothing is asked for.
  void rest();

  /// An access of the instruction did not hit.
  void missed(const InFlight& flight) { side_->long_latency(flight.warp, flight.k); }
  /// Some lanes of a load are served, or all are.
  void partly_served(unsigned token, isa::Lanes served) { side_->partly_served(token, served); }
  void served(unsigned token) { side_->served(token); }
  /// What of a load is to be written in this edge, instead of a result that waits.
  MissingPart take_part() { return side_->take_part(); }
  /// An instruction without a result is done.
  void retired(const InFlight& flight) { done(flight.warp, flight.path_lanes); }

  isa::Lanes live(SliceWarp w) const { return warp(w).live; }
  isa::Lanes waiting(SliceWarp w) const { return warp(w).waiting; }
  /// Can nothing in this warp go on before a barrier opens?
  bool blocked_at_barriers(SliceWarp w) const;
  /// May the warp's slot be given to another warp?
  bool drained(SliceWarp w) const;
  /// Another edge would change nothing, here or in the slice: no register is about to move, and what stands on the
  /// links has been heard and driven.
  bool idle() const;
  /// What others may see of it and of its slice, as numbers.
  std::vector<std::uint64_t> shows() const;

 private:
  struct Resolved {
    bool valid = false;
    SliceWarp warp;
  };

  IssueWarp<Paths>& warp(SliceWarp w) { return state_[w]; }
  const IssueWarp<Paths>& warp(SliceWarp w) const { return state_[w]; }
  SmWarp row(SliceWarp w) const { return numbers_.in_sm(scheduler_, w); }
  /// An instruction of these lanes is no longer in flight.
  void done(SliceWarp w, isa::Lanes lanes);
  CtaWarp in_cta(SliceWarp w) const { return ctas_.threads()[row(w)].warp; }
  /// The place of a lane that waits at a CTA barrier.
  isa::FaultSite barrier_site(SliceWarp w, isa::Lanes lanes) const;

  /// Why nothing was issued, and an instruction of which that is true.
  struct Stalled {
    Stall why = Stall::NoWarp;
    isa::Pc pc = isa::NoPc;  ///< NoPc: there was no warp
  };
  Stalled stalled(const SliceView<Paths>& view) const;
  Stalled stalled_at(Stall why, const SlotSet<Paths>& slots) const;
  std::uint64_t in_turn(std::uint64_t warps) const;
  SlotSet<Paths> true_dependency(const SlotSet<Paths>& stalled) const;
  void count_stall(const Stalled& stalled, std::uint64_t cycles);
  bool waits_for_own_lanes(SliceWarp w, unsigned k) const;
  bool has_busy_lanes(SliceWarp w, unsigned k) const;
  SlotSet<Paths> without_dependency(SlotSet<Paths> may) const;
  void forget_released();
  void sample_control_flow(const SliceView<Paths>& view);
  void hold_at_barrier(const InFlight& flight);
  void check_divergent_barrier(SliceWarp w) const;
  void check_result_for_all(const InFlight& flight) const;
  Resolution next_launch();
  void decode_heads();
  SlotSet<Paths> able_but_for_order() const;
  SlotSet<Paths> able_to_issue() const;
  SlotSet<Paths> waiting_for_lanes(SlotSet<Paths> heads) const;
  AffineTag affine_result(SliceWarp w, unsigned k) const;
  void take_lanes(InFlight& flight);
  SlotSet<Paths> held_by_affine() const;
  /// In the cycle that begins.
  bool lends_slot() const { return decouples_ && scheduler_ == 0 && dequeues_.port().takes_slot(); }
  bool accesses_ordered(SliceWarp w) const;
  FenceWait fence_wait(SliceWarp w, unsigned k) const;
  void continue_waits();
  /// Would the next edge change what a fence waits for?
  bool waits_continue() const;
  bool order_is_kept(SliceWarp w, unsigned k) const;

  const DesignPoint& point_;
  const unsigned scheduler_;
  const Scheduling numbers_;
  const bool optimistic_;  // the slice has no scoreboard: a head waits here, for lanes of its own alone
  const bool barrel_;      // nor here: a head waits until no lane of its path has an instruction in flight
  IssueSlice<Paths>& slice_;
  const Execute& execute_;
  const RegisterFile& registers_;
  CtaUnit& ctas_;
  load_store_unit& lsu_;
  const DequeueUnit& dequeues_;
  const std::unique_ptr<AffineTags> tags_;  // null: no affine unit stands beside the lanes
  InFlightPool& in_flight_;
  Counters& counters_;

  const isa::Launch* launch_ = nullptr;
  bool decouples_ = false;              // the launch runs in two streams
  std::vector<unsigned char> classes_;  // by PC: what eligibility asks of a head
  unsigned most_accesses_ = 1;          // of an instruction: the load/store unit has room for so many

  IssueState<Paths> state_;
  Fetch<Paths> fetch_;
  const IssueSurroundings<Paths> around_;
  const std::unique_ptr<IssueSide<Paths>> side_;  // what is done for the control flow unit alone
  AffineHeads<Paths> affine_;                     // by head
  SlotSet<Paths> dependent_;  // where the slice has no scoreboard: could issue, but for what is on its way
  SlotSet<Paths> held_;       // of a launch in two streams: wait for the affine warp's side
  SlotSet<Paths> lent_;       // could issue, but for the slot that the affine warp has

  std::uint64_t special_free_ = 0, lanes_free_ = 0;  // from this cycle on
  WrittenBack released_;  // in the last step: a head waits for it still, for the scoreboard hears of it an edge later
  SliceWarp issued_last_;
  std::deque<SliceWarp> launches_;
  Resolved resolved_[2];  // in the last step, in the step before
};

}  // namespace heddle
