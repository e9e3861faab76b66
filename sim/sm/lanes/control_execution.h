// SPDX-License-Identifier: Apache-2.0
// What a branch, an exit or a barrier operation asks of the control flow unit, from the values that its lanes read.
#pragma once

#include <vector>

#include "sim/sm/lanes/operands.h"
#include "sim/sm/links/counters.h"
#include "sim/sm/links/in_flight.h"
#include "sim/sm/slice/issue_slice.h"

namespace heddle {

class ControlExecution {
 public:
  /// \param barriers  the control flow unit has convergence barriers
  /// \param software  programs push and pop
  ControlExecution(const OperandCollector& operands, const ThreadTable& threads, Counters& counters, bool barriers,
                   bool software)
      : operands_(operands), threads_(threads), counters_(counters), barriers_(barriers), software_(software) {}

  void load(const isa::Program& program);

  /// A request to the stacks, or under convergence barriers of a branch with a target a lane a Jump: one of the two is
  /// None. \throws isa::ExecutionError for a target that is no instruction, or lanes that would have to part and cannot
  Resolution branch(const InFlight& flight, isa::Lanes taken, std::uint64_t cycle, Convergence& asked);
  /// A push of the program's own.
  static Resolution push(const InFlight& flight) {
    return {ResolveOp::Push, flight.warp, flight.k, flight.path_lanes, flight.pc + 1, flight.instruction->target};
  }
  /// An operation on a barrier register.
  Convergence convergence(const InFlight& flight, std::uint64_t cycle) const;
  /// PCs by lane, of the last Jump.
  const isa::LaneValues& targets() const { return targets_; }

 private:
  Convergence jump(const InFlight& flight, std::uint64_t cycle);
  Convergence meeting(const InFlight& flight, std::uint64_t cycle) const;
  void expect_one_target(const InFlight& flight, const isa::LaneValues& value) const;
  void count(isa::Pc pc, bool divergent);
  void read_first_source(const InFlight& flight, std::uint64_t cycle, isa::LaneValues& value) const {
    operands_.read(flight.instruction->sources[0], flight.threads, cycle, value);
  }
  isa::FaultSite site(const InFlight& flight, unsigned lane) const {
    return threads_.site(flight.threads[lane], flight.pc);
  }

  const OperandCollector& operands_;
  const ThreadTable& threads_;
  Counters& counters_;
  const bool barriers_, software_;
  const isa::Program* program_ = nullptr;
  // By PC, of a branch: instructions of the block at its post-dominator. 0, that is never the stack, if lanes may come to
  // a place before that at which they wait for others, which a stack would mask.
  std::vector<unsigned> meeting_block_;
  isa::LaneValues targets_{};
};

}  // namespace heddle
