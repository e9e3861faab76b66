// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/issue_unit.h"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>
#include <utility>

#include "sim/isa/lanes.h"
#include "sim/sm/control_heads.h"
#include "sim/sm/warp_wide_execution.h"

namespace heddle {

using isa::Instruction;
using isa::Kind;
using isa::Lanes;

namespace {

enum HeadClass : unsigned char {
  Control = 1,
  Barrier = 2,
  Fence = 4,
  Special = 8,
  Memory = 16,
  ForAll = 32,
  OnLanes = 64,
  Meets = 128
};

unsigned char class_of(const Instruction& instruction, bool barriers) {
  const unsigned char control = is_control(instruction, barriers) ? Control : 0;
  switch (instruction.kind) {
    case Kind::Branch:
    case Kind::Exit:
    case Kind::Convergence:
      return control;
    case Kind::Barrier:
      return Barrier | control;
    case Kind::Fence:
      return Fence;
    case Kind::Load:
    case Kind::Store:
    case Kind::Atomic:
      return Memory;
    case Kind::Trap:
      return 0;
    case Kind::Compute:
      return instruction.needs_lanes() ? OnLanes : Special;
    case Kind::WarpWide:
    case Kind::Host:
    case Kind::Enqueue:
      return 0;
  }
  return 0;
}

/// Must all lanes of a path execute it at once, though a load has not served them all (memory_splits.h)?
bool is_for_all(const Instruction& instruction) {
  switch (instruction.kind) {
    case Kind::Branch:
      return instruction.may_part || (instruction.is_recursive && instruction.branch == isa::BranchKind::Call);
    case Kind::Barrier:
    case Kind::Fence:
    case Kind::Atomic:
    case Kind::WarpWide:
    case Kind::Host:
      return true;
    case Kind::Load:
    case Kind::Store:
      return instruction.is_volatile || instruction.is_coherent || instruction.space == isa::Space::Shared ||
             instruction.space == isa::Space::Generic;
    case Kind::Exit:
    case Kind::Convergence:
    case Kind::Trap:
    case Kind::Compute:
    case Kind::Enqueue:
      return false;
  }
  return true;
}

}  // namespace

template <unsigned Paths>
IssueUnit<Paths>::IssueUnit(const DesignPoint& point, unsigned scheduler, const Mechanism& mechanism,
                            IssueSlice<Paths>& slice, const Execute& execute, const RegisterFile& registers,
                            CtaUnit& ctas, load_store_unit& lsu, const DequeueUnit& dequeues, const CodeMemory& code,
                            InFlightPool& in_flight, Counters& counters)
    : point_(point),
      scheduler_(scheduler),
      numbers_(point.schedulers),
      barriers_(divergence_named(mechanism.divergence).has(SmSide::Barriers)),
      subdivides_(divergence_named(mechanism.divergence).has(SmSide::Subdivision)),
      rotates_(divergence_named(mechanism.divergence).has(SmSide::Rotation)),
      splits_loads_(divergence_named(mechanism.divergence).has(SmSide::MemorySplit)),
      optimistic_(scoreboard_named(mechanism.scoreboard).is_reference),
      barrel_(scoreboard_named(mechanism.scoreboard).is_barrel),
      blind_(scoreboard_named(mechanism.scoreboard).has_block()),
      slice_(slice),
      execute_(execute),
      registers_(registers),
      ctas_(ctas),
      lsu_(lsu),
      dequeues_(dequeues),
      tags_(affine_named(mechanism.affine.name).per_warp
                ? std::make_unique<AffineTags>(point.warps / point.schedulers, registers, ctas.threads())
                : nullptr),
      in_flight_(in_flight),
      counters_(counters),
      warps_(point.warps / point.schedulers),
      fetch_(point.instruction_buffer, point.fetch_width, point.fetch_latency, code),
      rotation_(std::max({point.alu_latency, point.multiplier_latency, point.special_latency}) + point.fetch_latency),
      splits_(in_flight, counters) {}

template <unsigned Paths>
void IssueUnit<Paths>::load(const isa::Launch& launch, std::uint64_t code) {
  launch_ = &launch;
  decouples_ = dequeues_.runs();
  held_ = lent_ = {};
  affine_ = {};
  classes_.clear();
  any_meets_ = false;
  meeting_ = {};
  most_accesses_ = 1;
  for (const Instruction& instruction : launch.program->code) {
    classes_.push_back(class_of(instruction, barriers_));
    if (splits_loads_ && is_for_all(instruction)) classes_.back() |= ForAll;
    if (subdivides_ && (instruction.meets || holds_back_others(instruction))) {
      classes_.back() |= Meets;
      any_meets_ = true;
    }
    if (instruction.queue != isa::QueueOp::None) classes_.back() &= static_cast<unsigned char>(~Memory);  // not yet
    most_accesses_ = std::max(most_accesses_, accesses_of(instruction, launch));
  }
  fetch_.load(*launch.program, code);
  slice_.load(*launch.program);
}

template <unsigned Paths>
void IssueUnit<Paths>::start(SliceWarp w, Lanes lanes) {
  WarpState& fresh = warp(w);
  fresh.live = lanes;
  fresh.waiting = 0;
  fresh.in_flight = 0;
  fresh.busy = 0;
  fresh.branching = false;
  fresh.branch_pc = 0;
  fresh.pending.start();
  fresh.splits.forget();
  if (tags_ != nullptr) tags_->start(w, lanes);
  launches_.push_back(w);
}

template <unsigned Paths>
Resolution IssueUnit<Paths>::next_launch() {
  if (launches_.empty()) return {};
  const SliceWarp w = launches_.front();
  launches_.pop_front();
  live_warps_ |= bit(w);
  return {ResolveOp::Launch, w, false, warp(w).live, 0, isa::NoPc};
}

// ---- what happened ----

template <unsigned Paths>
void IssueUnit<Paths>::hear(const SliceView<Paths>& view, std::uint64_t cycle, std::uint64_t cycles) {
  cycle_ = cycle;
  // Nothing has changed while the clock was gated, so the reason was the same all the time.
  if (!view.granted) count_stall(stalled(view), cycles);
  if (resolved_[1].valid) {
    WarpState& done = warp(resolved_[1].warp);
    branching_.set(resolved_[1].warp, done.branch_path, false);
    branching_warps_ &= ~bit(resolved_[1].warp);
    done.branching = false;
  }
  resolved_[1] = std::exchange(resolved_[0], Resolved());
  granted_ = {view.granted, view.warp, view.k};
  forget_released();
  hear_control_flow(view);
}

template <unsigned Paths>
void IssueUnit<Paths>::executed(const Executed& done) {
  if (!done.any) return;
  WarpState& its = warp(done.warp);
  its.live &= ~done.exited;
  if (its.live == 0) live_warps_ &= ~bit(done.warp);
  if (done.arrived) check_divergent_barrier(done.warp);
  if (done.is_done) this->done(done.warp, done.path_lanes);
  if (done.resolves()) {
    resolved_[0] = {true, done.warp};
    its.splits.forget();
  }
}

template <unsigned Paths>
void IssueUnit<Paths>::written(const WrittenBack& result) {
  if (!result.valid) return;
  if (result.part)
    warp(result.warp).busy &= ~result.path_lanes;
  else
    done(result.warp, result.path_lanes);
  if (!result.name.is_none()) released_ = result;
}

template <unsigned Paths>
void IssueUnit<Paths>::done(SliceWarp w, Lanes lanes) {
  --warp(w).in_flight;
  warp(w).busy &= ~lanes;
}

// ---- what the control flow unit did ----

template <unsigned Paths>
void IssueUnit<Paths>::hear_control_flow(const SliceView<Paths>& view) {
  const SlotSet<Paths> gone = valid_ & ~view.valid;
  valid_ = view.valid;
  if ((view.fresh | gone).any()) {
    for_each_warp((view.fresh | gone).warps(), [&](SliceWarp w) {
      unsigned shown = 0;
      for (unsigned k = 0; k < Paths; ++k) shown += valid_.has(w, k);
      crowded_ = slice_.paths(w) > shown ? crowded_ | bit(w) : crowded_ & ~bit(w);
    });
  }
  if (gone.any()) {
    for_each_slot(gone, [&](SliceWarp w, unsigned k) {
      fetch_.clear(w, k);
      waiting_.set(w, k, false);
      if (warp(w).waiting != 0) ctas_.news();
      check_divergent_barrier(w);
    });
  }
  if (view.fresh.any()) {
    for_each_slot(view.fresh, [&](SliceWarp w, unsigned k) {
      const PathView path = slice_.path(w, k);
      fetch_.restart(w, k, path.pc);
      rotation_.began(w, k, cycle_);
      waiting_.set(w, k, (path.mask & warp(w).waiting) != 0);
      counters_.statistics.max_depth = std::max<std::uint64_t>(counters_.statistics.max_depth, slice_.depth(w));
      if (warp(w).waiting != 0) ctas_.news();
      check_divergent_barrier(w);
    });
  }
}

// ---- issue ----

template <unsigned Paths>
unsigned IssueUnit<Paths>::issue(const SliceView<Paths>& view) {
  const SliceWarp w = view.warp;
  const unsigned k = view.k;
  const PathView path = slice_.path(w, k);
  if (slice_.head(w, k) != path.pc)
    throw std::logic_error(fmt::format("the buffer of warp {} has PC {} at its head, and its path stands at {}",
                                       w.index(), slice_.head(w, k), path.pc));
  const Instruction& instruction = launch_->program->code[path.pc];
  Statistics& statistics = counters_.statistics;
  ++statistics.warp_instructions;
  statistics.spill_instructions += instruction.is_spill ? 1 : 0;
  statistics.thread_instructions += isa::count_of(path.mask);
  ++statistics.active_lanes[isa::count_of(path.mask)];
  ++counters_.code.at(path.pc).issues;
  counters_.code.at(path.pc).active_lanes += isa::count_of(path.mask);
  issued_last_ = w;
  statistics.paths += slice_.paths(w);
  ++statistics.depth[std::min(slice_.depth(w), DepthBins - 1)];

  const unsigned token = in_flight_.take();
  InFlight& flight = in_flight_[token];
  flight.instruction = &instruction;
  flight.pc = path.pc;
  flight.warp = w;
  flight.scheduler = scheduler_;
  flight.k = k;
  flight.path_lanes = flight.lanes = path.mask;
  flight.threads = Threads(row(w));
  WarpState& its_warp = warp(w);
  flight.live = its_warp.live;
  ++its_warp.in_flight;
  its_warp.splits.forget();
  its_warp.busy |= path.mask;
  its_warp.pending.note(instruction.destination, path.mask, true);
  take_lanes(flight);
  fetch_.pop(w, k);
  rotation_.began(w, k, cycle_);

  if ((classes_[path.pc] & Control) != 0) {
    its_warp.branching = true;
    its_warp.branch_path = k;
    its_warp.branch_pc = path.pc;
    branching_.set(w, k);
    branching_warps_ |= bit(w);
  }
  if (instruction.kind == Kind::Barrier) {
    flight.lanes &= registers_.guard(instruction.guard, flight.threads);
    if (holds_back_others(instruction)) check_result_for_all(flight);
    if (instruction.barrier_op != isa::BarrierOp::Arrive) hold_at_barrier(flight);
  } else if (instruction.unit == isa::Unit::Special) {
    special_free_ = cycle_ + point_.special_interval;
    if (rotates_) long_latency_.set(w, k);
  }
  if ((classes_[path.pc] & Memory) != 0) lsu_.reserve(accesses_of(instruction, *launch_));
  return token;
}

/// Or it goes to the affine unit, where there is one.
template <unsigned Paths>
void IssueUnit<Paths>::take_lanes(InFlight& flight) {
  const Instruction& instruction = *flight.instruction;
  if (tags_ != nullptr) {
    flight.affine = affine_result(flight.warp, flight.k);
    tags_->issue(flight.warp, instruction.destination, flight.affine);
    if (flight.affine != AffineTag::None) {
      ++counters_.statistics.affine_unit_instructions;
      return;
    }
  }
  if (!instruction.needs_lanes()) return;
  if (cycle_ < lanes_free_)
    throw std::logic_error(
        fmt::format("internal: PC {} of warp {} issues while others have the lanes", flight.pc, flight.warp.index()));
  if (instruction.half_rate) lanes_free_ = cycle_ + point_.half_rate_interval;
}

// ---- paths without a slot ----

/// A path whose slot waits for a branch keeps it; a warp all of whose lanes wait at CTA barriers has nobody to bring
/// on.
template <unsigned Paths>
SlotSet<Paths> IssueUnit<Paths>::candidates_to_yield() const {
  if (!subdivides_) return {};
  SlotSet<Paths> candidates = valid_ & ~branching_ & all_paths<Paths>(crowded_);
  if (driven_.yield.valid) candidates.set(driven_.yield.warp, driven_.yield.k, false);  // not yet heard of
  if (!candidates.any()) return candidates;
  for_each_warp(candidates.warps(), [&](SliceWarp w) {
    if (hidden_path_may_run(w)) return;
    for (unsigned k = 0; k < Paths; ++k) candidates.set(w, k, false);
  });
  return candidates;
}

/// Slots of crowded warps whose head has not come yet. They do not lose patience: when one gives way both of its warp
/// are fetched anew, and with many warps that takes longer than any patience, so that no head would ever come.
template <unsigned Paths>
SlotSet<Paths> IssueUnit<Paths>::being_fetched() const {
  if (!subdivides_) return {};
  return valid_ & all_paths<Paths>(crowded_) & ~(fetch_.buffered() | waiting_);
}

template <unsigned Paths>
bool IssueUnit<Paths>::hidden_path_may_run(SliceWarp w) const {
  return (crowded_ & bit(w)) != 0 && (warp(w).live & ~warp(w).waiting) != 0 && !all_splits_wait(w);
}

// ---- CTA barriers ----

/// From issue on, a path with lanes that wait does not go on.
template <unsigned Paths>
void IssueUnit<Paths>::hold_at_barrier(const InFlight& flight) {
  if (flight.lanes == 0) return;
  warp(flight.warp).waiting |= flight.lanes;
  if (!barriers_) waiting_.set(flight.warp, flight.k);
}

template <unsigned Paths>
isa::FaultSite IssueUnit<Paths>::barrier_site(SliceWarp w, Lanes lanes) const {
  return ctas_.threads().site({row(w), static_cast<unsigned>(__builtin_ctz(lanes))}, ctas_.barrier_pc(row(w)));
}

/// Lanes that wait at a barrier for all threads, while others of their warp cannot move until they do.
template <unsigned Paths>
void IssueUnit<Paths>::check_divergent_barrier(SliceWarp w) const {
  const WarpState& its_warp = warp(w);
  if (barriers_ || its_warp.waiting == 0) return;
  const isa::CtaBarriers& barriers = ctas_.barriers(row(w));
  if (barriers.has_opened() || hidden_path_may_run(w) || all_splits_wait(w)) return;
  const Lanes for_all = barriers.waiting_for_all(in_cta(w).index());
  if (for_all == 0) return;
  bool any = false;
  for (unsigned k = 0; k < Paths; ++k) {
    if (!valid_.has(w, k)) continue;
    if (!waiting_.has(w, k) || (slice_.path(w, k).mask & for_all) == 0) return;  // this path runs on, or may
    any = true;
  }
  const Lanes stuck = its_warp.live & ~its_warp.waiting;
  if (any && stuck != 0) {
    isa::throw_execution_error(
        isa::ErrorCode::DivergentBarrier,
        fmt::format("barrier in divergent code: lanes {:#010x} of warp {} wait at it while lanes {:#010x} of the same "
                    "warp are masked until those go on",
                    its_warp.waiting, in_cta(w).index(), stuck),
        barrier_site(w, for_all));
  }
}

template <unsigned Paths>
void IssueUnit<Paths>::barrier_opened(SliceWarp w, Lanes lanes) {
  WarpState& its_warp = warp(w);
  its_warp.waiting &= ~lanes;
  its_warp.splits.forget();
  if (barriers_) {
    if (its_warp.waiting != 0)  // the unit opens for all lanes of a warp
      isa::throw_execution_error(
          isa::ErrorCode::NotSupported,
          fmt::format("lanes {:#010x} of warp {} wait at another barrier than the one that opens; "
                      "convergence barriers know one CTA barrier a warp",
                      its_warp.waiting, in_cta(w).index()),
          barrier_site(w, its_warp.waiting));
    opening_ |= bit(w);
  }
  for (unsigned k = 0; k < Paths; ++k)
    if (waiting_.has(w, k)) waiting_.set(w, k, (slice_.path(w, k).mask & its_warp.waiting) != 0);
}

template <unsigned Paths>
bool IssueUnit<Paths>::blocked_at_barriers(SliceWarp w) const {
  const InFlight* reading = execute_.reading();
  const bool arriving = reading != nullptr && reading->warp == w && (classes_[reading->pc] & Barrier) != 0;
  if (barriers_) {
    const bool opens = (opening_ & bit(w)) != 0;
    return (warp(w).live & ~warp(w).waiting) == 0 && !arriving && !opens && !warp(w).branching;
  }
  bool any = false, all = true;
  for (unsigned k = 0; k < Paths; ++k) {
    any = any || valid_.has(w, k);
    all = all && (!valid_.has(w, k) || waiting_.has(w, k));
  }
  all = all || all_splits_wait(w);
  return any && all && !arriving && !warp(w).branching && !hidden_path_may_run(w);
}

// ---- lanes that meet under subdivision ----

/// A barrier with a result: its register is pending until the barrier opens, and a scoreboard of hardware looks at lanes of
/// other paths too, which must use that register to get there.
template <unsigned Paths>
bool IssueUnit<Paths>::holds_back_others(const Instruction& instruction) const {
  return (subdivides_ || barriers_) && blind_ && instruction.kind == Kind::Barrier &&
         !instruction.destination.is_none();
}

template <unsigned Paths>
void IssueUnit<Paths>::check_result_for_all(const InFlight& flight) const {
  const Lanes others = warp(flight.warp).live & ~(barriers_ ? flight.lanes : flight.path_lanes);
  if (flight.lanes != 0 && others != 0) throw_result_in_divergent_code(flight.warp, flight.pc, flight.lanes, others);
}

template <unsigned Paths>
void IssueUnit<Paths>::throw_result_in_divergent_code(SliceWarp w, isa::Pc pc, Lanes there, Lanes others) const {
  isa::throw_execution_error(
      isa::ErrorCode::NotSupported,
      fmt::format(
          "a barrier with a result in divergent code: lanes {:#010x} of warp {} that wait for it would hold back "
          "lanes {:#010x}, which they wait for; expected one of the stacks: --divergence spe or dpe, or "
          "--scoreboard optimistic",
          there, in_cta(w).index(), others),
      ctas_.threads().site({row(w), static_cast<unsigned>(__builtin_ctz(there))}, pc));
}

/// Live lanes that the head of a slot waits for, and which are not on its path. What it reads may be on its way: then the
/// scoreboard holds it, and the next answer counts.
/// \pre the slot is valid and has a head of class Meets
template <unsigned Paths>
Lanes IssueUnit<Paths>::missing_at(SliceWarp w, unsigned k) const {
  const PathView path = slice_.path(w, k);
  const Lanes absent = warp(w).live & ~path.mask;
  if (absent == 0) return 0;
  const Instruction& instruction = launch_->program->code[fetch_.head(w, k)];
  if (instruction.kind == Kind::Barrier) return absent;
  const Threads threads(row(w));
  const Lanes lanes = path.mask & registers_.guard(instruction.guard, threads);
  const isa::Source& mask = instruction.sources[2];
  if (mask.kind == isa::Source::Kind::Immediate) return lanes == 0 ? 0 : static_cast<Lanes>(mask.value) & absent;
  isa::LaneValues masks;
  execute_.operands().read(mask, threads, cycle_, masks);
  Lanes missing = 0;
  isa::for_each_lane(lanes, [&](unsigned lane) { missing |= static_cast<Lanes>(masks[lane]) & absent; });
  return missing;
}

template <unsigned Paths>
SlotSet<Paths> IssueUnit<Paths>::heads_that_miss_lanes() const {
  SlotSet<Paths> heads = valid_ & meets_ & fetch_.buffered() & ~branching_ & ~waiting_;
  if (!heads.any()) return heads;
  for_each_slot(SlotSet<Paths>(heads), [&](SliceWarp w, unsigned k) {
    if (missing_at(w, k) == 0) heads.set(w, k, false);
  });
  return heads;
}

template <unsigned Paths>
void IssueUnit<Paths>::note_waiting_splits() {
  meeting_ = heads_that_miss_lanes();
  for_each_slot(slots_to_note(), [&](SliceWarp w, unsigned k) { note_waiting_split(w, k); });
}

/// Waiting slots of warps of which nothing is on its way: what is seen of a split then holds until something of the warp
/// issues.
template <unsigned Paths>
SlotSet<Paths> IssueUnit<Paths>::slots_to_note() const {
  SlotSet<Paths> slots = (meeting_ | waiting_) & valid_;
  for_each_slot(SlotSet<Paths>(slots), [&](SliceWarp w, unsigned k) {
    const WarpState& its = warp(w);
    if (its.branching || its.in_flight != 0 || its.splits.knows(slice_.path(w, k).pc)) slots.set(w, k, false);
  });
  return slots;
}

template <unsigned Paths>
void IssueUnit<Paths>::note_waiting_split(SliceWarp w, unsigned k) {
  const PathView path = slice_.path(w, k);
  WaitingSplits& splits = warp(w).splits;
  const WaitingSplits::Split split{path.pc, path.mask, meeting_.has(w, k) ? missing_at(w, k) : 0};
  splits.note(split);
  if (!all_splits_wait(w)) return;
  if (!splits.any_at_cta_barrier()) throw_never_meets(w);
  ctas_.news();
}

/// None can go on by itself, whether it has a slot or not.
template <unsigned Paths>
bool IssueUnit<Paths>::all_splits_wait(SliceWarp w) const {
  const WaitingSplits& splits = warp(w).splits;
  return splits.count() != 0 && splits.first_that_misses_lanes() != nullptr && splits.count() == slice_.paths(w);
}

template <unsigned Paths>
void IssueUnit<Paths>::throw_never_meets(SliceWarp w) const {
  const WaitingSplits::Split& split = *warp(w).splits.first_that_misses_lanes();
  const Instruction& instruction = launch_->program->code[split.pc];
  if (instruction.kind == Kind::Barrier) throw_result_in_divergent_code(w, split.pc, split.lanes, split.missing);
  isa::LaneValues masks;
  execute_.operands().read(instruction.sources[2], Threads(row(w)), cycle_, masks);
  unsigned lane = 0;
  while ((split.lanes >> lane & 1) == 0 || (masks[lane] & split.missing) == 0) ++lane;
  throw_lanes_missing(ctas_.threads(), instruction, row(w), split.pc, split.lanes, split.missing,
                      static_cast<Lanes>(masks[lane]));
}

// ---- memory divergence ----

/// As its slots stand after this edge, unless something of it is on the way.
template <unsigned Paths>
SplitView IssueUnit<Paths>::split_view(SliceWarp w) const {
  SplitView view;
  const bool dealt = driven_.resolve.op == ResolveOp::Deal && driven_.resolve.warp == w;
  view.settled = !warp(w).branching && !(granted_.valid && granted_.warp == w) && !dealt;
  view.waiting = warp(w).waiting;
  for (unsigned k = 0; k < 2; ++k) {
    view.path[k] = slice_.path(w, k);
    view.together[k] = valid_.has(w, k) && fetch_.buffered().has(w, k) && together_.has(w, k);
  }
  return view;
}

// ---- what the slice is told ----

template <unsigned Paths>
void IssueUnit<Paths>::drive(const Executed& done, const WrittenBack& result) {
  SliceDrive<Paths> drive;
  drive.resolve = done.resolution;
  drive.convergence = done.convergence;
  if (!done.resolves()) drive.resolve = next_launch();
  if (result.valid && !result.name.is_none()) drive.release = {true, result.warp, result.k, result.name, result.part};
  fetch_.step(cycle_);
  drive.push = fetch_.push(cycle_);
  decode_heads();
  if (splits_loads_) {
    const auto look = [this](SliceWarp w) { return split_view(w); };
    splits_.settle(look);
    if (drive.resolve.op == ResolveOp::None) drive.resolve = splits_.ask(look);
  }
  if (decouples_) held_ = held_by_affine();
  if (fence_.any()) continue_waits();
  if (any_meets_) note_waiting_splits();
  const SlotSet<Paths> able = able_to_issue();
  drive.eligible = without_dependency(able);
  dependent_ = able & ~drive.eligible;
  if (decouples_) { lent_ = lends_slot() ? std::exchange(drive.eligible, {}) : SlotSet<Paths>(); }
  rotation_.began(being_fetched(), cycle_);
  if (drive.resolve.op == ResolveOp::None) drive.yield = rotation_.pick(candidates_to_yield(), cycle_);
  if (drive.yield.valid) drive.eligible.set(drive.yield.warp, drive.yield.k, false);
  if (drive.resolve.op == ResolveOp::Deal)
    for (unsigned k = 0; k < Paths; ++k) drive.eligible.set(drive.resolve.warp, k, false);
  drive.held = control_;
  if (barriers_) drive_barriers(drive);
  if (rotates_) {
    drive.long_latency = std::exchange(long_latency_, {});
    drive.waiting = waiting_slots();
  }
  slice_.drive(drive);
  driven_ = drive;
}

template <unsigned Paths>
void IssueUnit<Paths>::rest() {
  driven_ = {};
  slice_.drive(driven_);
}

/// Hidden ones too.
template <unsigned Paths>
SlotSet<Paths> IssueUnit<Paths>::waiting_slots() const {
  SlotSet<Paths> waiting;
  for_each_warp(live_warps_, [&](SliceWarp w) {
    if (warp(w).waiting == 0) return;
    for (unsigned k = 0; k < Paths; ++k) waiting.set(w, k, (slice_.path(w, k).mask & warp(w).waiting) != 0);
  });
  return waiting;
}

template <unsigned Paths>
void IssueUnit<Paths>::drive_barriers(SliceDrive<Paths>& drive) {
  const bool free = drive.resolve.op == ResolveOp::None && drive.convergence.op == BarrierOp::None;
  if (free && opening_ != 0) {
    const SliceWarp w(static_cast<unsigned>(__builtin_ctzll(opening_)));
    opening_ &= opening_ - 1;
    drive.convergence = {BarrierOp::Open, w, 0, 0, 0};
  }
  for_each_warp(live_warps_, [&](SliceWarp w) {
    if (warp(w).in_flight != 0 || warp(w).branching) drive.busy |= bit(w);
  });
}

template <unsigned Paths>
void IssueUnit<Paths>::forget_released() {
  if (released_.valid) warp(released_.warp).pending.note(released_.name, released_.path_lanes, false);
  released_.valid = false;
}

template <unsigned Paths>
bool IssueUnit<Paths>::drained(SliceWarp w) const {
  return warp(w).live == 0 && warp(w).in_flight == 0 && !warp(w).branching && slice_.depth(w) == 0 &&
         lsu_.outstanding_stores(row(w)) == 0;
}

// ---- what may issue next ----

template <unsigned Paths>
void IssueUnit<Paths>::decode_heads() {
  const SlotSet<Paths> changed = fetch_.take_changed();
  if (!changed.any()) return;
  for_each_slot(changed, [&](SliceWarp w, unsigned k) {
    const bool empty = fetch_.empty(w, k);
    const isa::Pc pc = empty ? isa::NoPc : fetch_.head(w, k);
    warp(w).fence_wait[k] = {};
    slice_.set_head(w, k, pc);
    if (decouples_) affine_.show(w, k, empty ? nullptr : &launch_->program->code[pc]);
    unsigned char& shown = warp(w).head_class[k];
    if (const unsigned char head = empty ? 0 : classes_[pc]; std::exchange(shown, head) != head) {
      control_.set(w, k, (head & Control) != 0);
      barrier_.set(w, k, (head & Barrier) != 0);
      fence_.set(w, k, (head & Fence) != 0);
      special_.set(w, k, (head & Special) != 0);
      memory_.set(w, k, (head & Memory) != 0);
      together_.set(w, k, (head & ForAll) != 0);
      lanes_.set(w, k, (head & OnLanes) != 0);
      meets_.set(w, k, (head & Meets) != 0);
    }
  });
}

template <unsigned Paths>
bool IssueUnit<Paths>::accesses_ordered(SliceWarp w) const {
  const InFlight* reading = execute_.reading();
  if (reading != nullptr && reading->warp == w && (classes_[reading->pc] & Memory) != 0) return false;
  return lsu_.unordered(row(w)) == 0;
}

/// The wait of the fence at the head of a slot as it stands now.
template <unsigned Paths>
FenceWait IssueUnit<Paths>::fence_wait(SliceWarp w, unsigned k) const {
  const FenceWait& wait = warp(w).fence_wait[k];
  if (!accesses_ordered(w)) return wait;
  return continue_wait(wait, launch_->program->code[fetch_.head(w, k)], Threads(row(w)), 1, lsu_);
}

template <unsigned Paths>
void IssueUnit<Paths>::continue_waits() {
  for_each_slot(able_but_for_order() & fence_,
                [&](SliceWarp w, unsigned k) { warp(w).fence_wait[k] = fence_wait(w, k); });
}

template <unsigned Paths>
bool IssueUnit<Paths>::waits_continue() const {
  bool any = false;
  for_each_slot(able_but_for_order() & fence_,
                [&](SliceWarp w, unsigned k) { any = any || !(fence_wait(w, k) == warp(w).fence_wait[k]); });
  return any;
}

/// A barrier, or a fence, at the head of a slot: is what it waits for done?
template <unsigned Paths>
bool IssueUnit<Paths>::order_is_kept(SliceWarp w, unsigned k) const {
  if (!fence_.has(w, k)) return accesses_ordered(w);
  return is_over(warp(w).fence_wait[k], launch_->program->code[fetch_.head(w, k)], Threads(row(w)), 1, lsu_,
                 ctas_.threads());
}

/// Of these slots, those that may be eligible: where the slice has a scoreboard, all.
template <unsigned Paths>
SlotSet<Paths> IssueUnit<Paths>::without_dependency(SlotSet<Paths> may) const {
  if (!optimistic_ && !barrel_) return may;
  for_each_slot(may, [&](SliceWarp w, unsigned k) {
    if (!valid_.has(w, k)) return;
    if (barrel_ ? has_busy_lanes(w, k) : waits_for_own_lanes(w, k)) may.set(w, k, false);
  });
  return may;
}

/// Slots that may issue, were it not for what barriers and fences wait for.
template <unsigned Paths>
SlotSet<Paths> IssueUnit<Paths>::able_but_for_order() const {
  if (execute_.busy()) return {};
  SlotSet<Paths> may =
      fetch_.buffered() & ~waiting_ & ~branching_ & ~meeting_ & ~(control_ & all_paths<Paths>(branching_warps_));
  if (decouples_) {
    may = may & ~held_;
    if (dequeues_.has_branch(scheduler_)) may = may & ~control_;  // which would keep that one from its turn
  }
  if (splits_loads_) may = may & ~(together_ & all_paths<Paths>(splits_.split_warps()));
  if (cycle_ + 1 < special_free_) may = may & ~special_;
  if (cycle_ + 1 < lanes_free_) may = may & ~waiting_for_lanes(may & lanes_);
  if (memory_.any() && lsu_.unreserved_room() < point_.schedulers * most_accesses_) may = may & ~memory_;
  return may;
}

template <unsigned Paths>
SlotSet<Paths> IssueUnit<Paths>::able_to_issue() const {
  SlotSet<Paths> may = able_but_for_order();
  const SlotSet<Paths> ordering = may & (barrier_ | fence_);
  if (ordering.any()) {
    for_each_slot(ordering, [&](SliceWarp w, unsigned k) {
      if (!order_is_kept(w, k)) may.set(w, k, false);
    });
  }
  return may;
}

/// Of these slots, whose heads need the lanes, those that no affine unit takes.
template <unsigned Paths>
SlotSet<Paths> IssueUnit<Paths>::waiting_for_lanes(SlotSet<Paths> heads) const {
  if (tags_ == nullptr) return heads;
  for_each_slot(SlotSet<Paths>(heads), [&](SliceWarp w, unsigned k) {
    if (valid_.has(w, k) && affine_result(w, k) != AffineTag::None) heads.set(w, k, false);
  });
  return heads;
}

/// \pre there is an affine unit, and the slot has a head
template <unsigned Paths>
AffineTag IssueUnit<Paths>::affine_result(SliceWarp w, unsigned k) const {
  return tags_->result(launch_->program->code[fetch_.head(w, k)], w, row(w), slice_.path(w, k).mask, warp(w).live);
}

/// While an instruction of a warp waits for its records, and where a head has to wait for something on that side.
template <unsigned Paths>
SlotSet<Paths> IssueUnit<Paths>::held_by_affine() const {
  const auto row_of = [this](SliceWarp w) { return row(w); };
  return all_paths<Paths>(dequeues_.waiting(scheduler_)) | affine_.waiting(dequeues_.port(), valid_, row_of);
}

// ---- why nothing was issued ----

template <unsigned Paths>
void IssueUnit<Paths>::count_stall(const Stalled& stalled, std::uint64_t cycles) {
  const auto reason = static_cast<std::size_t>(stalled.why);
  counters_.statistics.stalls[reason] += cycles;
  if (stalled.why == Stall::BufferEmpty && (fetch_.awaiting() & ~fetch_.buffered()).any())
    counters_.statistics.icache_stalls += cycles;
  if (stalled.pc != isa::NoPc) counters_.code.at(stalled.pc).stalls[reason] += cycles;
}

/// Of these warps the first one behind that which issued last: one bit.
template <unsigned Paths>
std::uint64_t IssueUnit<Paths>::in_turn(std::uint64_t warps) const {
  const std::uint64_t behind = warps & (~std::uint64_t(1) << issued_last_.index());
  const std::uint64_t from = behind != 0 ? behind : warps;
  return from & (~from + 1);
}

/// Of the first of these slots in turn. Where a trap is the last instruction of the code, a path that has issued it stands
/// behind the code until it executes: the stall is the trap's.
template <unsigned Paths>
typename IssueUnit<Paths>::Stalled IssueUnit<Paths>::stalled_at(Stall why, const SlotSet<Paths>& slots) const {
  const SliceWarp w(static_cast<unsigned>(__builtin_ctzll(in_turn(slots.warps()))));
  unsigned k = 0;
  while (!slots.has(w, k)) ++k;
  const auto last = static_cast<isa::Pc>(classes_.size() - 1);
  return {why, std::min(slice_.path(w, k).pc, last)};
}

template <unsigned Paths>
typename IssueUnit<Paths>::Stalled IssueUnit<Paths>::stalled(const SliceView<Paths>& view) const {
  if (live_warps_ == 0) return {};
  const SlotSet<Paths> running = view.valid & ~waiting_;
  const SlotSet<Paths> asking = running & (driven_.eligible | lent_);
  if (decouples_ && lent_.any()) {
    const Hazards<Paths> hazards = slice_.hazards(lent_.warps());
    const SlotSet<Paths> ready = running & lent_ & ~(hazards.own | hazards.shadow | hazards.full);
    if (ready.any()) return stalled_at(Stall::AffineWarp, ready);
  }
  const SlotSet<Paths> starved = running & ~branching_ & (view.fresh | ~fetch_.buffered());
  if (starved.any()) return stalled_at(Stall::BufferEmpty, starved);
  const std::uint64_t settling = live_warps_ & ~view.valid.warps();  // between two paths
  if (const std::uint64_t between = branching_warps_ | settling; between != 0)
    return {Stall::BranchInFlight, warps_[static_cast<unsigned>(__builtin_ctzll(in_turn(between)))].branch_pc};
  if (const SlotSet<Paths> held = waiting_ | (meeting_ & valid_); held.any()) return stalled_at(Stall::Barrier, held);
  if (execute_.busy()) return {Stall::OperandRead, execute_.reading()->pc};
  const Hazards<Paths> hazards = slice_.hazards(asking.warps());
  const SlotSet<Paths> dependent = asking & (hazards.own | hazards.shadow);
  if (dependent.any()) {
    const SlotSet<Paths> truly = true_dependency(dependent);
    return truly.any() ? stalled_at(Stall::ScoreboardTrue, truly) : stalled_at(Stall::ScoreboardFalse, dependent);
  }
  if (const SlotSet<Paths> held = running & dependent_; held.any()) {
    if (!barrel_) return stalled_at(Stall::ScoreboardTrue, held);
    const SlotSet<Paths> truly = true_dependency(held);
    return truly.any() ? stalled_at(Stall::ScoreboardTrue, truly) : stalled_at(Stall::ScoreboardFalse, held);
  }
  if (const SlotSet<Paths> full = asking & hazards.full; full.any()) return stalled_at(Stall::ScoreboardFull, full);
  if (decouples_) {
    if (const SlotSet<Paths> held = running & held_; held.any()) return stalled_at(Stall::AffineQueue, held);
  }
  const SlotSet<Paths> parted = together_ & all_paths<Paths>(splits_.split_warps());
  if (const SlotSet<Paths> ordering = running & (barrier_ | fence_ | parted); ordering.any())
    return stalled_at(Stall::Memory, ordering);
  const SlotSet<Paths> special = running & special_ & ~asking;
  if (special.any()) return stalled_at(Stall::StructuralSpecial, special);
  if (cycle_ < lanes_free_)
    if (const SlotSet<Paths> held = running & lanes_ & ~asking; held.any())
      return stalled_at(Stall::StructuralLanes, held);
  return stalled_at(Stall::StructuralLoadStore, running);
}

/// Of these slots one whose head waits for lanes of its own path: the first in turn. Empty if there is none.
template <unsigned Paths>
SlotSet<Paths> IssueUnit<Paths>::true_dependency(const SlotSet<Paths>& stalled) const {
  SlotSet<Paths> found;
  for (std::uint64_t rest = stalled.warps(), next = 0; rest != 0; rest &= ~next) {
    next = in_turn(rest);
    const SliceWarp w(static_cast<unsigned>(__builtin_ctzll(next)));
    for (unsigned k = 0; k < Paths; ++k) {
      if (!stalled.has(w, k) || !waits_for_own_lanes(w, k)) continue;
      found.set(w, k);
      return found;
    }
  }
  return found;
}

/// Does the slot's head name a register that lanes of its path have on its way?
template <unsigned Paths>
bool IssueUnit<Paths>::waits_for_own_lanes(SliceWarp w, unsigned k) const {
  if (fetch_.empty(w, k)) return false;
  return warp(w).pending.hold(launch_->program->code[fetch_.head(w, k)], slice_.path(w, k).mask);
}

/// Its PC advanced at issue, so that a path may have the rest of its last instruction, or of one that its lanes issued on
/// another path, in flight.
template <unsigned Paths>
bool IssueUnit<Paths>::has_busy_lanes(SliceWarp w, unsigned k) const {
  return (slice_.path(w, k).mask & warp(w).busy) != 0;
}

template <unsigned Paths>
std::vector<std::uint64_t> IssueUnit<Paths>::shows() const {
  const SliceView<Paths> view = slice_.sample();
  const Hazards<Paths> hazards = slice_.hazards((std::uint64_t(2) << (warps_.size() - 1)) - 1);
  std::vector<std::uint64_t> values{view.granted, static_cast<std::uint64_t>(stalled(view).why), launches_.size()};
  for (const SlotSet<Paths>& set : {view.valid, view.fresh, hazards.own, hazards.shadow, hazards.full, driven_.eligible,
                                    waiting_, branching_, fetch_.buffered(), fetch_.awaiting()}) {
    values.insert(values.end(), std::begin(set.path), std::end(set.path));
  }
  for (unsigned index = 0; index < warps_.size(); ++index) {
    const SliceWarp w(index);
    const WarpState& its = warp(w);
    values.insert(values.end(), {its.live, its.waiting, its.in_flight, its.busy, its.branching, slice_.depth(w)});
    for (unsigned k = 0; k < Paths; ++k) {
      const PathView path = slice_.path(w, k);
      values.insert(values.end(), {path.pc, path.mask});
    }
  }
  return values;
}

template <unsigned Paths>
bool IssueUnit<Paths>::idle() const {
  if (!launches_.empty() || !fetch_.idle() || driven_.push.count != 0) return false;
  if (resolved_[0].valid || resolved_[1].valid || cycle_ + 1 < std::max(special_free_, lanes_free_)) return false;
  // The blocks, and the requests that stand on their links.
  const SliceView<Paths> view = slice_.sample();
  if (!slice_.idle() || view.granted || driven_.resolve.op != ResolveOp::None || driven_.release.valid) return false;
  if (driven_.convergence.op != BarrierOp::None || opening_ != 0) return false;
  if (driven_.yield.valid || candidates_to_yield().any()) return false;  // time alone brings a path on
  if (driven_.long_latency.any() || long_latency_.any()) return false;
  if (!splits_.idle()) return false;
  if (rotates_ && !(waiting_slots() == driven_.waiting)) return false;
  // What this unit would hear, and what it would say: the load/store unit, the barriers and the other schedulers may
  // have changed since it spoke.
  if (decouples_ && (lends_slot() || !(held_by_affine() == held_))) return false;
  if (fence_.any() && waits_continue()) return false;
  if (any_meets_ && (slots_to_note().any() || !(heads_that_miss_lanes() == meeting_))) return false;
  const SlotSet<Paths> able = able_to_issue(), eligible = without_dependency(able);
  return view.valid == valid_ && eligible == driven_.eligible && (able & ~eligible) == dependent_;
}

template class IssueUnit<2>;
template class IssueUnit<MostPaths>;

}  // namespace heddle
