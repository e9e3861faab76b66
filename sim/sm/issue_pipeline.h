// One scheduler of the SM, wired: its issue slice, the issue side, execution and writeback. It has no state of its own.
//
//   cycle n      the scheduler grants a head                      (blocks, combinational)
//   edge n+1     the instruction leaves its buffer and enters operand read
//   edge n+1+r   r = words to read / words a cycle: operands are read, lanes compute, a branch or exit goes to the
//                control flow unit, an access to the load/store unit
//   later        writeback, one a cycle and scheduler, when the unit's latency has passed: registers are written, the
//                scoreboard is released
#pragma once

#include "sim/sm/issue_unit.h"

namespace heddle {

class IssuePipeline {
 public:
  /// \param addresses, operands, ... modules of the SM that all its schedulers use
  IssuePipeline(const DesignPoint& point, unsigned scheduler, const Mechanism& mechanism, IssueSlice& slice,
                RegisterFile& registers, const OperandCollector& operands, CtaUnit& ctas, AddressUnit& addresses,
                load_store_unit& lsu, InFlightPool& in_flight, Counters& counters);
  IssuePipeline(const IssuePipeline&) = delete;  // its parts refer to each other

  void load(const isa::Launch& launch);
  /// One edge, `cycles` after the last one: more than one if the clock was gated. Returns whether an instruction was
  /// issued in the cycle that ends here.
  bool step(std::uint64_t cycle, std::uint64_t cycles);
  /// An edge at which the SM has nothing to run: no request of its last one stays on the links.
  void rest() { issue_.rest(); }
  /// A load, store or atomic is complete, or a barrier has answered; values are in the in-flight record.
  void complete(unsigned token, std::uint64_t cycle);

  bool idle() const { return execute_.reading() == nullptr && writeback_.waiting() == 0 && issue_.idle(); }
  /// What others may see of it and of its slice, as numbers.
  std::vector<std::uint64_t> shows() const;

  IssueUnit& issue() { return issue_; }
  const IssueUnit& issue() const { return issue_; }
  const IssueSlice& slice() const { return slice_; }

 private:
  IssueSlice& slice_;
  InFlightPool& in_flight_;
  Writeback writeback_;
  Execute execute_;
  IssueUnit issue_;
};

}  // namespace heddle
