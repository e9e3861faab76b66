// The pipeline behind one issue scheduler: fetch and instruction buffers, operand read, execution, writeback, and what
// the SM tells the blocks of its slice. One step() an edge.
//
//   cycle n      the scheduler grants a head                      (blocks, combinational)
//   edge n+1     the instruction leaves its buffer and enters operand read
//   edge n+1+r   r = words to read / words a cycle: operands are read, lanes compute, a branch or exit goes to the
//                control flow unit, an access to the load/store unit
//   later        writeback, one a cycle and scheduler, when the unit's latency has passed: registers are written, the
//                scoreboard is released
#pragma once

#include <deque>
#include <queue>
#include <vector>

#include "sim/sm/instruction_buffers.h"
#include "sim/sm/issue_slice.h"
#include "sim/sm/slot_rotation.h"
#include "sim/sm/sm_state.h"

namespace heddle {

class IssuePipeline {
 public:
  IssuePipeline(SmState& sm, IssueSlice& slice, unsigned scheduler, const Mechanism& mechanism);

  void load();
  /// Queues a warp for launch; its Warp record is ready.
  void launch(unsigned warp) { launches_.push_back(warp); }

  /// One edge, `cycles` after the last one: more than one if the clock was gated. Returns whether an instruction was
  /// issued in the cycle that ends here.
  bool step(std::uint64_t cycles);
  /// A load, store or atomic is complete; its values are in the in-flight record.
  void complete(unsigned token);
  /// A CTA barrier opened for lanes of this warp: they are no longer in its `waiting`.
  void barrier_opened(unsigned warp);
  /// Can nothing in this warp go on before a barrier opens?
  bool blocked_at_barriers(unsigned warp) const;
  /// May the warp's slot be given to another warp?
  bool drained(unsigned warp) const;
  /// Another edge would change nothing, here or in the slice: no register is about to move, and what stands on the
  /// links has been heard and driven.
  bool idle() const;
  /// What others may see of it and of its slice, as numbers.
  std::vector<std::uint64_t> shows() const;

  const IssueSlice& slice() const { return slice_; }

  /// CTAs whose live count or barrier changed in the last step are looked at by the SM.
  bool take_cta_news() { return std::exchange(cta_news_, false); }

 private:
  struct Due {
    std::uint64_t ready, order;
    unsigned token;
    bool operator>(const Due& other) const { return ready != other.ready ? ready > other.ready : order > other.order; }
  };
  struct Resolved {
    bool valid = false;
    unsigned warp = 0;
  };

  Warp& warp(unsigned w) { return sm_.warps[sm_.global_warp(scheduler_, w)]; }
  const Warp& warp(unsigned w) const { return sm_.warps[sm_.global_warp(scheduler_, w)]; }

  Stall stall_reason(const SliceView& view) const;
  bool true_dependency(const SlotSet& stalled) const;
  bool waits_for_own_lanes(unsigned w, bool right) const;
  SlotSet without_dependency(SlotSet may) const;
  void forget_released();
  void hear_control_flow(const SliceView& view);
  void issue(const SliceView& view);
  SlotSet candidates_to_yield() const;
  SlotSet being_fetched() const;
  bool hidden_path_may_run(unsigned w) const;
  void hold_at_barrier(const InFlight& flight);
  bool arrive_at_barrier(unsigned token);
  void check_divergent_barrier(unsigned w) const;
  Resolution operand_read();
  Resolution execute(unsigned token);
  void call_host(InFlight& flight);
  Resolution resolve_branch(const InFlight& flight, isa::Lanes taken);
  void expect_one_target(const InFlight& flight, const isa::LaneValues& value) const;
  void count_branch(isa::Pc pc, bool divergent);
  Convergence convergence(const InFlight& flight);
  Convergence meeting(const InFlight& flight);
  Convergence jump(const InFlight& flight);
  void drive_barriers(SliceDrive& drive);
  void read_first_source(const InFlight& flight, isa::LaneValues& value);
  Resolution resolve_exit(const InFlight& flight);
  Resolution next_launch();
  void write_back_later(unsigned token, unsigned latency);
  Released write_back();
  void present_heads();
  SlotSet able_to_issue() const;
  unsigned accesses_of(const isa::Instruction& instruction) const;
  bool accesses_ordered(unsigned w, bool drained_stores) const;

  SmState& sm_;
  IssueSlice& slice_;
  const unsigned scheduler_;
  const bool barriers_;    // the control flow unit has convergence barriers
  const bool optimistic_;  // the slice has no scoreboard: a head waits here, for lanes of its own alone
  InstructionBuffers buffers_;
  std::vector<unsigned char> classes_;   // by PC: what eligibility asks of a head
  std::vector<unsigned> meeting_block_;  // by PC: instructions of the block at its post-dominator, of a branch
  SlotRotation rotation_;
  unsigned most_accesses_ = 1;  // of an instruction: the load/store unit has room for so many

  // by head
  SlotSet control_, barrier_, fence_, special_, memory_;
  // by slot
  SlotSet valid_, waiting_;
  SlotSet dependent_;  // where the scoreboard is optimistic: could issue, but for a register on its way
  SlotSet branching_;  // the slot whose branch or exit is unresolved
  std::uint64_t branching_warps_ = 0, live_warps_ = 0;
  std::uint64_t crowded_ = 0;  // warps with a path that has no slot

  unsigned reading_ = 0;         // token in operand read
  unsigned reading_cycles_ = 0;  // left; 0: empty
  std::uint64_t special_free_ = 0;
  std::priority_queue<Due, std::vector<Due>, std::greater<Due>> due_;
  struct {
    bool valid = false;
    unsigned warp = 0;
    isa::RegisterName name;
    isa::Lanes lanes = 0;
  } released_;  // in the last step: a head waits for it still, for the scoreboard hears of it an edge later
  std::uint64_t due_order_ = 0;
  std::deque<unsigned> launches_;
  Resolved resolved_[2];  // in the last step, in the step before
  SliceDrive driven_;
  Convergence asked_;          // by what was executed in this step
  std::uint64_t opening_ = 0;  // warps for which a CTA barrier has opened, and the unit is not told yet
  bool cta_news_ = false;
};

}  // namespace heddle
