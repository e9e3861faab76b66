// SPDX-License-Identifier: Apache-2.0
// Where instructions wait for what the affine warp's side has for them (DAC sec. 4): loads and stores for addresses,
// branches for their predicate. One for all schedulers of an SM; it talks to the affine port alone.
//
//   accept(token)    at issue, instead of operand read. From then on nothing of the warp issues (ours: the paper's deq
//                    stays at the head), and the instruction holds no unit
//   ask()            a record of each kind an edge, for the warp whose instruction waits longest
//   sample()         two edges later the record is here. An access asks again until it has its last one
//   take(..)         an instruction that has all its records is executed: one a scheduler and edge. An access needs
//                    room in the load/store unit, a branch that no other one is resolved in this edge
//
// One edge: sample(), the schedulers, ask().
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "rtl/config/design_points.h"
#include "sim/sm/links/affine_port.h"
#include "sim/sm/links/counters.h"
#include "sim/sm/links/in_flight.h"
#include "sim/sm/memory/load_store_unit.h"

namespace heddle {

/// What an instruction has dequeued.
struct Dequeued {
  isa::Lanes lanes = 0;                            ///< that have an address; of a branch: that take it
  std::array<std::uint32_t, isa::MaxLanes> low{};  ///< of their addresses, the low 32 bits
};

class DequeueUnit {
 public:
  /// \param port  null: the SM has no affine warp
  DequeueUnit(const DesignPoint& point, AffinePort* port, const InFlightPool& in_flight, const load_store_unit& lsu,
              Counters& counters);

  /// \pre the affine unit has the launch
  void load(const isa::Launch& launch);
  /// Does the launch run in two streams? If not, nothing else is asked.
  bool runs() const { return runs_; }
  /// \pre runs()
  AffinePort& port() const { return *port_; }

  void sample();
  void ask();

  // The schedulers.
  /// Its warps of which an instruction is here.
  std::uint64_t waiting(unsigned scheduler) const { return waiting_[scheduler]; }
  /// A branch of its warps has all that it needs.
  bool has_branch(unsigned scheduler) const;
  void accept(unsigned token);
  /// The oldest instruction of the scheduler's warps that may be executed in this edge; false: there is none.
  bool take(unsigned scheduler, bool may_resolve, unsigned& token, Dequeued& dequeued);

  /// Another edge would change nothing.
  bool idle() const;
  /// What others may see of it, as numbers.
  std::vector<std::uint64_t> shows() const;
  /// For messages, a line an instruction.
  std::string describe(const isa::Program& program) const;

 private:
  struct Entry {
    unsigned token = 0;
    isa::QueueOp queue = isa::QueueOp::None;
    isa::Lanes path = 0;
    bool is_asked = false, is_complete = false;
    Dequeued dequeued;
  };
  /// For whom a record was asked for.
  struct Asked {
    bool valid = false;
    SmWarp warp;
  };
  /// In this edge, in the last one.
  using Pipe = std::array<Asked, 2>;

  static Asked advance(Pipe& pipe);
  Entry& due(const Asked& asked, bool arrived, SmWarp warp);
  void ask(Pipe& pipe, bool predicates);
  bool has_room() const { return lsu_.unreserved_room() >= room_needed_; }
  bool may_execute(const Entry& entry) const { return entry.is_complete && (is_branch(entry) || has_room()); }
  static bool is_branch(const Entry& entry) { return entry.queue == isa::QueueOp::Predicate; }
  SmWarp row(const Entry& entry) const { return in_flight_[entry.token].threads.row(); }

  const Scheduling numbers_;
  AffinePort* const port_;
  const InFlightPool& in_flight_;
  const load_store_unit& lsu_;
  Counters& counters_;

  bool runs_ = false;
  unsigned room_needed_ = 0;            ///< so that every head which may issue already still finds its place
  std::vector<Entry> entries_;          ///< one a warp, the oldest first
  std::vector<std::uint64_t> waiting_;  // by scheduler
  Pipe addresses_, predicates_;
};

}  // namespace heddle
