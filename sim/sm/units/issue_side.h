// SPDX-License-Identifier: Apache-2.0
// What the issue side of a scheduler does for its control flow unit alone, beside what it does for every unit
// (sim/sm/issue/issue_unit.h). IssueSide itself is that of the stacks: nothing. Each other one has a file: rotation_issue.h,
// memory_split_issue.h, barriers_issue.h, subdivision_issue.h.
#pragma once

#include <memory>

#include "sim/sm/lanes/execute.h"
#include "sim/sm/links/control_heads.h"
#include "sim/sm/links/in_flight.h"
#include "sim/sm/slice/fetch.h"
#include "sim/sm/units/issue_state.h"
#include "sim/sm/units/memory_splits.h"

namespace heddle {

/// What a side reads of the issue unit and of the SM around it.
template <unsigned Paths>
struct IssueSurroundings {
  const DesignPoint& point;
  const unsigned scheduler;
  const bool has_scoreboard;  ///< of hardware: what lanes have in flight may hold back other lanes of their warp
  const IssueState<Paths>& state;
  const Fetch<Paths>& fetch;
  const IssueSlice<Paths>& slice;
  const Execute& execute;
  const RegisterFile& registers;
  CtaUnit& ctas;
  const InFlightPool& in_flight;
  Counters& counters;

  SmWarp row(SliceWarp warp) const { return Scheduling(point.schedulers).in_sm(scheduler, warp); }
  CtaWarp in_cta(SliceWarp warp) const { return ctas.threads()[row(warp)].warp; }
};

template <unsigned Paths>
class IssueSide {
 public:
  explicit IssueSide(const IssueSurroundings<Paths>& around) : around_(around) {}
  virtual ~IssueSide() = default;

  virtual void load(const isa::Launch& launch) { (void)launch; }
  /// Does a path stop at this instruction until the unit has said where it goes on?
  virtual bool is_control(const isa::Instruction& instruction) const { return heddle::is_control(instruction, false); }
  /// Bits of HeadClass beside those that an instruction has under every unit.
  virtual unsigned char classes(const isa::Instruction& instruction) const { return (void)instruction, 0; }
  /// Is it a barrier whose result lanes of other paths may need to come there? Then the lanes of a warp meet before it.
  virtual bool holds_back_others(const isa::Instruction& instruction) const { return (void)instruction, false; }
  /// Does a path that waits at a CTA barrier give its slot to others (R12 in sim/sm/README.md)?
  virtual bool parks_at_barriers() const { return false; }

  // What happens in an edge.
  /// Something of the warp is issued, resolved, started or let go.
  virtual void moved(SliceWarp warp) { (void)warp; }
  /// The slot got a path, or issued.
  virtual void began(SliceWarp warp, unsigned k) { (void)warp, (void)k; }
  /// A long-latency instruction of the slot was issued, or its miss has become known.
  virtual void long_latency(SliceWarp warp, unsigned k) { (void)warp, (void)k; }
  /// These lanes of a load are served, its others are not.
  virtual void partly_served(unsigned token, isa::Lanes served) { (void)token, (void)served; }
  virtual void served(unsigned token) { (void)token; }
  /// The part of a load that is to be written in this edge, instead of a result that waits.
  virtual MissingPart take_part() { return {}; }
  /// A CTA barrier has opened for the warp.
  virtual void barrier_opened(SliceWarp warp) { (void)warp; }
  /// Has one, and the unit is not told yet?
  virtual bool is_opening(SliceWarp warp) const { return (void)warp, false; }

  // What the slice is told, in this order.
  /// A resolution of its own, where nothing else is resolved.
  virtual void ask(SliceDrive<Paths>& drive) { (void)drive; }
  /// Looks at the heads that may wait for lanes of other paths.
  virtual void look() {}
  /// All that is told is there, but for what this unit alone has.
  virtual void complete(SliceDrive<Paths>& drive) { (void)drive; }

  // What holds.
  /// Slots that wait for lanes of other paths.
  const SlotSet<Paths>& meeting() const { return meeting_; }
  /// Warps of which a path goes on without lanes that a load has not served.
  virtual std::uint64_t split_warps() const { return 0; }
  /// Waits every path of the warp, with a slot or without, so that none goes on by itself?
  virtual bool all_wait(SliceWarp warp) const { return (void)warp, false; }
  /// Has the warp a path that has no slot, and that could go on?
  bool hidden_path_may_run(SliceWarp warp) const;
  /// Would another edge change nothing here?
  virtual bool idle() const { return true; }

 protected:
  const IssueSurroundings<Paths> around_;
  SlotSet<Paths> meeting_;
};

template <unsigned Paths>
std::unique_ptr<IssueSide<Paths>> make_issue_side(SmSide side, const IssueSurroundings<Paths>& around);

/// \throws isa::ExecutionError: lanes `there` of a warp wait at a barrier with a result, which holds back `others`
template <unsigned Paths>
[[noreturn]] void throw_result_in_divergent_code(const IssueSurroundings<Paths>& around, SliceWarp warp, isa::Pc pc,
                                                 isa::Lanes there, isa::Lanes others);

inline bool is_barrier_with_result(const isa::Instruction& instruction) {
  return instruction.kind == isa::Kind::Barrier && !instruction.destination.is_none();
}

}  // namespace heddle
