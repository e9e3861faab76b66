// SPDX-License-Identifier: Apache-2.0
// The affine warp (DAC sec. 4.1, 4.4): it executes the affine stream of a kernel once for each batch of resident CTAs, on
// tuples. It decides at an edge what it issues in the cycle that begins, and what it asks of the blocks then.
//
// In order: an instruction issues when what it reads and writes has been written, the latency of its unit after the
// issue that writes it. Fetch takes no time but after a branch, or where the stack goes on elsewhere. An enq issues once
// for each group of the stack: at the pace of one a cycle, or of two cycles where the path has several groups, since each
// must show first. A branch that threads may leave differently waits until each warp of the path has its outcome, of
// which it takes one a cycle.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/isa/launch.h"
#include "sim/sm/affine/affine_blocks.h"
#include "sim/sm/affine/affine_values.h"
#include "sim/sm/links/statistics.h"
#include "sim/sm/threads/thread_table.h"

namespace heddle {

class AffineWarp {
 public:
  /// \param strict  no enq issues while a predicate queue is full, else enq.pred alone waits
  AffineWarp(const DesignPoint& point, const SmPlace& place, bool strict, Statistics& statistics);

  /// \pre the launch's program has an affine stream
  void load(const isa::Launch& launch);

  /// A batch begins: asks it of the stack. \param tail_warps  of them: those with the lanes tail_lanes alone
  void launch(std::uint64_t warps, std::uint64_t tail_warps, isa::Lanes tail_lanes, AffineDrive& drive);
  /// A batch has begun, and the stack has not ended it yet.
  bool is_running() const { return running_; }

  /// An edge. \param has_slot  may it issue in the cycle that begins? \throws std::logic_error, naming the instruction,
  /// for what no affine stream has
  void step(const AffineView& view, std::uint64_t cycle, bool has_slot, AffineDrive& drive);

  // What the last edge did:
  bool issues() const { return issues_; }
  /// It will do something without hearing anything new.
  bool is_busy() const { return busy_; }
  bool waits_for_outcomes() const { return running_ && open_; }
  bool waits_for_room() const { return waits_for_room_; }

  /// Has it room for the outcome of a branch of this warp?
  bool accepts_outcome(unsigned warp) const { return (notified_ >> warp & 1) == 0; }
  /// Where the warp's threads went: lanes that took the branch. \throws std::logic_error unless accepts_outcome()
  void outcome(unsigned warp, isa::Lanes lanes);
  /// Warps whose outcome it has not used.
  std::uint64_t outcomes() const { return notified_; }
  isa::Pc pc() const { return pc_; }

  /// For people: where it stands and what it waits for.
  std::string describe() const;

 private:
  using PathOp = AffineDrive::Path::Op;

  /// Predicate records of a warp that are still to be expanded, in order; bit i: the i-th is an outcome.
  struct Expected {
    std::uint64_t is_outcome = 0;
    unsigned count = 0;
  };
  /// When what is under way is written.
  struct Register {
    AffineTuple value;
    std::uint64_t ready = 0;
  };
  struct PredicateRegister {
    AffinePredicate value;
    std::uint64_t ready = 0;
  };

  void sample(const AffineView::Predicate& expanded);
  void notify_outcome(AffineDrive& drive);
  std::optional<isa::Pc> next_pc(const AffineView& view, PathOp last) const;
  bool may_issue(isa::Pc pc, std::uint64_t cycle);
  void issue(const AffineView& view, std::uint64_t cycle, AffineDrive& drive);
  void enqueue(const AffineView& view, AffineDrive& drive);
  void barrier(const AffineView& view, AffineDrive& drive);
  void put(AffineDrive::Enqueue entry, std::uint64_t warps, isa::Lanes lanes, AffineDrive& drive);
  AffineDrive::Enqueue tuple() const;
  void expect(std::uint64_t warps);
  bool has_room(const AffineView& view) const;
  void branch(const AffineView& view, AffineDrive& drive);
  void compute(std::uint64_t cycle);
  AffineTuple result() const;
  AffinePredicate predicate_result() const;
  std::uint64_t evaluated() const;
  void go(PathOp op, AffineDrive& drive);

  std::uint64_t ready(const isa::Source& source) const;
  bool guard_holds() const;
  AffinePredicate predicate(const isa::Source& source) const;
  AffineTuple read(const isa::Source& source) const;
  AffineTuple special(isa::SpecialRegister which) const;
  unsigned latency(isa::Unit unit) const;
  const isa::Instruction& instruction() const { return (*code_)[pc_]; }
  std::string place_of(isa::Pc pc) const;
  [[noreturn]] void refuse(const std::string& why) const;

  const DesignPoint& point_;
  const SmPlace place_;
  const bool strict_;
  Statistics& statistics_;

  isa::Launch launch_;
  const std::vector<isa::Instruction>* code_ = nullptr;
  std::vector<bool> meets_;  ///< by PC: paths may end here
  std::vector<Register> registers_;
  std::vector<PredicateRegister> predicates_;

  bool running_ = false;
  isa::Pc pc_ = 0, sequential_ = isa::NoPc;  ///< of the last instruction; the one that is there without a fetch
  std::uint64_t fetched_ = 0;
  PathOp requested_ = PathOp::None;         ///< in the last edge, so that the stack shows its answer only later
  bool nexted_ = false, enqueued_ = false;  ///< the same
  bool after_next_ = false, after_enqueue_ = false;  ///< what those were an edge ago

  bool open_ = false;           ///< a branch waits for outcomes
  std::uint64_t asked_ = 0;     ///< warps whose outcome it waits for
  std::uint64_t notified_ = 0;  ///< warps whose outcome is known
  std::vector<isa::Lanes> outcomes_;
  std::vector<Expected> expected_;

  bool issues_ = false, busy_ = false, waits_for_room_ = false;
};

}  // namespace heddle
