// SPDX-License-Identifier: Apache-2.0
// One scheduler of the SM, wired: its issue slice, the issue side, execution and writeback. It has no state of its own.
//
//   cycle n      the scheduler grants a head                      (blocks, combinational)
//   edge n+1     the instruction leaves its buffer and enters operand read
//   edge n+1     or, of one that dequeues, the dequeue unit, which keeps it until it has what it needs
//   edge n+1+r   r = words to read / words a cycle: operands are read, lanes compute, a branch or exit goes to the
//                control flow unit, an access to the load/store unit
//   later        writeback, one a cycle and scheduler, when the unit's latency has passed: registers are written, the
//                scoreboard is released
#pragma once

#include "sim/sm/issue/issue_unit.h"

namespace heddle {

/// What all schedulers of an SM use.
struct SmModules {
  RegisterFile& registers;
  const OperandCollector& operands;
  CtaUnit& ctas;
  AddressUnit& addresses;
  load_store_unit& lsu;
  DequeueUnit& dequeues;
  CodeMemory code;
  InFlightPool& in_flight;
  Counters& counters;
};

/// A scheduler, however many paths of a warp it may issue.
class IssuePipeline {
 public:
  virtual ~IssuePipeline() = default;

  virtual void load(const isa::Launch& launch, std::uint64_t code) = 0;
  /// One edge, `cycles` after the last one: more than one if the clock was gated. Returns whether an instruction was
  /// issued in the cycle that ends here.
  virtual bool step(std::uint64_t cycle, std::uint64_t cycles) = 0;
  /// An edge at which the SM has nothing to run: no request of its last one stays on the links.
  virtual void rest() = 0;
  /// A load, store or atomic is complete, or a barrier has answered; values are in the in-flight record.
  virtual void complete(unsigned token, std::uint64_t cycle) = 0;
  /// These lanes of a load are served, its others are not; the served ones' values are in the in-flight record.
  virtual void partly_served(unsigned token, isa::Lanes served) = 0;
  /// An access of the instruction did not hit.
  virtual void missed(const InFlight& flight) = 0;
  virtual bool idle() const = 0;
  /// What others may see of it and of its slice, as numbers.
  virtual std::vector<std::uint64_t> shows() const = 0;
  /// Between edges: what has to hold in every cycle. \throws std::logic_error
  virtual void check() const {}

  // What its warps do: see IssueUnit.
  virtual void start(SliceWarp warp, isa::Lanes lanes) = 0;
  virtual void barrier_opened(SliceWarp warp, isa::Lanes lanes) = 0;
  virtual isa::Lanes live(SliceWarp warp) const = 0;
  virtual isa::Lanes waiting(SliceWarp warp) const = 0;
  virtual bool blocked_at_barriers(SliceWarp warp) const = 0;
  virtual bool drained(SliceWarp warp) const = 0;

  // What its slice has: see IssueSlice.
  virtual unsigned paths() const = 0;  ///< slots of a warp
  virtual PathView path(SliceWarp warp, unsigned k) const = 0;
  virtual std::uint64_t releases() const = 0;

  /// For messages: threads that could have been issued for at least so many cycles, by place, and what issues others
  /// first. Empty: there are none.
  virtual std::string who_is_passed_over(std::uint64_t) const { return ""; }
};

}  // namespace heddle
