// SPDX-License-Identifier: Apache-2.0
// Operand collection and the lanes of one scheduler: takes an issued instruction, reads its operands, executes it.
//
//   accept(token)   at the edge in which it leaves its buffer; busy() is false
//   step(cycle)     r edges later, r = words to read / words a cycle: lanes compute. A result goes to writeback, an
//                   access to the load/store unit, an arrival or exit to the CTA unit; what the issue side must know is
//                   returned
//
//   late(token, ..) an instruction that has dequeued what it needs (dequeue_unit.h), beside the one in operand read:
//                   its other operand is read now
//
// One instruction is in operand read. Values are read then and not at issue, so that a missed hazard gives a wrong
// result (DESIGN 2.1).
#pragma once

#include <deque>

#include "rtl/config/design_points.h"
#include "sim/sm/lanes/address_unit.h"
#include "sim/sm/lanes/affine_tags.h"
#include "sim/sm/lanes/control_execution.h"
#include "sim/sm/lanes/dequeue_unit.h"
#include "sim/sm/lanes/writeback.h"

namespace heddle {

/// What an instruction that was executed in this edge means to the issue side.
struct Executed {
  bool any = false;
  SliceWarp warp;
  isa::Lanes path_lanes = 0;  ///< active at issue
  bool is_done = false;       ///< nothing of it will be written back
  bool arrived = false;       ///< at a CTA barrier
  bool acquires = false;      ///< a fence: loads behind it see what other SMs have stored
  isa::Lanes exited = 0;
  Resolution resolution;    ///< of a branch or exit,
  Convergence convergence;  ///< or this
  bool resolves() const { return resolution.op != ResolveOp::None || convergence.op != BarrierOp::None; }
};

class Execute {
 public:
  /// \param barriers  the control flow unit has convergence barriers
  /// \param software  programs push and pop
  Execute(const DesignPoint& point, const RegisterFile& registers, const OperandCollector& operands, CtaUnit& ctas,
          AddressUnit& addresses, load_store_unit& lsu, Writeback& writeback, InFlightPool& in_flight,
          Counters& counters, bool barriers, bool software);

  void load(const isa::Program& program) { control_.load(program); }
  /// \param turns  at the registers: how often each word is read, for other threads of the same bank each time
  void accept(unsigned token, unsigned turns = 1);
  Executed step(std::uint64_t cycle);
  /// The cycles of operand read.
  unsigned cycles_of(const isa::Instruction& instruction, unsigned turns = 1) const;
  /// An instruction whose operand read is kept elsewhere, and ends in this edge.
  Executed run(unsigned token, std::uint64_t cycle);
  /// \param dequeued  its addresses or predicate
  Executed late(unsigned token, const Dequeued& dequeued, std::uint64_t cycle);
  /// Sets the port that branches tell where their lanes go, if they have to.
  void attach(AffinePort& port) { port_ = &port; }
  /// No instruction may be issued in this cycle: operand read goes on.
  bool busy() const { return cycles_ > 1; }
  /// Arrive has been asked of convergence barriers, and they have not answered.
  bool awaits_arrival() const { return !arriving_.empty(); }
  /// The answer to the oldest one: the value of its destination.
  void arrived(bool passed, std::uint64_t cycle);
  /// The instruction in operand read, or null; an edge without one changes nothing.
  const InFlight* reading() const { return cycles_ == 0 ? nullptr : &in_flight_[token_]; }
  const OperandCollector& operands() const { return operands_; }
  /// PCs by lane, of the Jump that step() returned.
  const isa::LaneValues& targets() const { return control_.targets(); }

 private:
  Executed execute(InFlight& flight, std::uint64_t cycle);
  void compute(InFlight& flight, std::uint64_t cycle);
  static void check_affine(const InFlight& flight);
  void call_host(InFlight& flight, std::uint64_t cycle);
  void access(InFlight& flight, std::uint64_t cycle);
  void note_progress(const isa::Instruction& instruction, std::uint64_t cycle);
  void notify_outcome(const InFlight& flight, isa::Lanes taken) const;
  bool arrive(const InFlight& flight, std::uint64_t cycle, Executed& done);
  void write_back(std::uint64_t cycle, unsigned latency) { writeback_.expect(token_, cycle, latency); }

  const DesignPoint& point_;
  const RegisterFile& registers_;
  const OperandCollector& operands_;
  CtaUnit& ctas_;
  AddressUnit& addresses_;
  load_store_unit& lsu_;
  Writeback& writeback_;
  InFlightPool& in_flight_;
  Counters& counters_;
  const bool barriers_;
  ControlExecution control_;
  AffinePort* port_ = nullptr;

  unsigned token_ = 0;   // in operand read
  unsigned cycles_ = 0;  // left of it; 0: none
  std::deque<unsigned> arriving_;
};

}  // namespace heddle
