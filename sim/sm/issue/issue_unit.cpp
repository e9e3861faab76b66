// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/issue/issue_unit.h"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>
#include <utility>

#include "sim/isa/lanes.h"
#include "sim/sm/lanes/warp_wide_execution.h"
#include "sim/sm/links/control_heads.h"
#include "sim/sm/memory/accesses_of.h"

namespace heddle {

using isa::Instruction;
using isa::Kind;
using isa::Lanes;

namespace {

/// \param stops  does a path stop at it until the unit has said where it goes on?
unsigned char class_of(const Instruction& instruction, bool stops) {
  const unsigned char control = stops ? Control : 0;
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

}  // namespace

template <unsigned Paths>
IssueUnit<Paths>::IssueUnit(const DesignPoint& point, unsigned scheduler, const Mechanism& mechanism,
                            IssueSlice<Paths>& slice, const Execute& execute, const RegisterFile& registers,
                            CtaUnit& ctas, load_store_unit& lsu, const DequeueUnit& dequeues, const CodeMemory& code,
                            InFlightPool& in_flight, Counters& counters)
    : point_(point),
      scheduler_(scheduler),
      numbers_(point.schedulers),
      optimistic_(scoreboard_named(mechanism.scoreboard).is_reference),
      barrel_(scoreboard_named(mechanism.scoreboard).is_barrel),
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
      fetch_(point.instruction_buffer, point.fetch_width, point.fetch_latency, code),
      around_{point,     scheduler, scoreboard_named(mechanism.scoreboard).has_block(),
              state_,    fetch_,    slice,
              execute,   registers, ctas,
              in_flight, counters},
      side_(make_issue_side(divergence_named(mechanism.divergence).sm_side, around_)) {
  state_.warps.resize(point.warps / point.schedulers);
}

template <unsigned Paths>
void IssueUnit<Paths>::load(const isa::Launch& launch, std::uint64_t code) {
  launch_ = &launch;
  decouples_ = dequeues_.runs();
  held_ = lent_ = {};
  affine_ = {};
  classes_.clear();
  side_->load(launch);
  most_accesses_ = 1;
  for (const Instruction& instruction : launch.program->code) {
    classes_.push_back(class_of(instruction, side_->is_control(instruction)) | side_->classes(instruction));
    if (instruction.queue != isa::QueueOp::None) classes_.back() &= static_cast<unsigned char>(~Memory);  // not yet
    most_accesses_ = std::max(most_accesses_, accesses_of(instruction, launch));
  }
  fetch_.load(*launch.program, code);
  slice_.load(*launch.program);
}

template <unsigned Paths>
void IssueUnit<Paths>::start(SliceWarp w, Lanes lanes) {
  IssueWarp<Paths>& fresh = warp(w);
  fresh.live = lanes;
  fresh.waiting = 0;
  fresh.in_flight = 0;
  fresh.busy = 0;
  fresh.branching = false;
  fresh.branch_pc = 0;
  fresh.pending.start();
  side_->moved(w);
  if (tags_ != nullptr) tags_->start(w, lanes);
  launches_.push_back(w);
}

template <unsigned Paths>
Resolution IssueUnit<Paths>::next_launch() {
  if (launches_.empty()) return {};
  const SliceWarp w = launches_.front();
  launches_.pop_front();
  state_.live_warps |= bit(w);
  return {ResolveOp::Launch, w, false, warp(w).live, 0, isa::NoPc};
}

// ---- what happened ----

template <unsigned Paths>
void IssueUnit<Paths>::sample(const SliceView<Paths>& view, std::uint64_t cycle, std::uint64_t cycles) {
  state_.cycle = cycle;
  // Nothing has changed while the clock was gated, so the reason was the same all the time.
  if (!view.granted) count_stall(stalled(view), cycles);
  if (resolved_[1].valid) {
    IssueWarp<Paths>& done = warp(resolved_[1].warp);
    state_.branching.set(resolved_[1].warp, done.branch_path, false);
    state_.branching_warps &= ~bit(resolved_[1].warp);
    done.branching = false;
  }
  resolved_[1] = std::exchange(resolved_[0], Resolved());
  state_.granted = {view.granted, view.warp, view.k};
  forget_released();
  sample_control_flow(view);
}

template <unsigned Paths>
void IssueUnit<Paths>::executed(const Executed& done) {
  if (!done.any) return;
  IssueWarp<Paths>& its = warp(done.warp);
  its.live &= ~done.exited;
  if (its.live == 0) state_.live_warps &= ~bit(done.warp);
  if (done.arrived) check_divergent_barrier(done.warp);
  if (done.is_done) this->done(done.warp, done.path_lanes);
  if (done.resolves()) {
    resolved_[0] = {true, done.warp};
    side_->moved(done.warp);
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
void IssueUnit<Paths>::sample_control_flow(const SliceView<Paths>& view) {
  const SlotSet<Paths> gone = state_.valid & ~view.valid;
  state_.valid = view.valid;
  if ((view.redirected | gone).any()) {
    for_each_warp((view.redirected | gone).warps(), [&](SliceWarp w) {
      unsigned shown = 0;
      for (unsigned k = 0; k < Paths; ++k) shown += state_.valid.has(w, k);
      state_.crowded = slice_.paths(w) > shown ? state_.crowded | bit(w) : state_.crowded & ~bit(w);
    });
  }
  if (gone.any()) {
    for_each_slot(gone, [&](SliceWarp w, unsigned k) {
      fetch_.clear(w, k);
      state_.waiting.set(w, k, false);
      if (warp(w).waiting != 0) ctas_.notify();
      check_divergent_barrier(w);
    });
  }
  if (view.redirected.any()) {
    for_each_slot(view.redirected, [&](SliceWarp w, unsigned k) {
      const PathView path = slice_.path(w, k);
      fetch_.restart(w, k, path.pc);
      side_->began(w, k);
      state_.waiting.set(w, k, (path.mask & warp(w).waiting) != 0);
      counters_.statistics.max_depth = std::max<std::uint64_t>(counters_.statistics.max_depth, slice_.depth(w));
      if (warp(w).waiting != 0) ctas_.notify();
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
  IssueWarp<Paths>& its_warp = warp(w);
  flight.live = its_warp.live;
  ++its_warp.in_flight;
  side_->moved(w);
  its_warp.busy |= path.mask;
  its_warp.pending.note(instruction.destination, path.mask, true);
  take_lanes(flight);
  fetch_.pop(w, k);
  side_->began(w, k);

  if ((classes_[path.pc] & Control) != 0) {
    its_warp.branching = true;
    its_warp.branch_path = k;
    its_warp.branch_pc = path.pc;
    state_.branching.set(w, k);
    state_.branching_warps |= bit(w);
  }
  if (instruction.kind == Kind::Barrier) {
    flight.lanes &= registers_.guard(instruction.guard, flight.threads);
    if (side_->holds_back_others(instruction)) check_result_for_all(flight);
    if (instruction.barrier_op != isa::BarrierOp::Arrive) hold_at_barrier(flight);
  } else if (instruction.unit == isa::Unit::Special) {
    special_free_ = state_.cycle + point_.special_interval;
    side_->long_latency(w, k);
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
  if (state_.cycle < lanes_free_)
    throw std::logic_error(
        fmt::format("internal: PC {} of warp {} issues while others have the lanes", flight.pc, flight.warp.index()));
  if (instruction.half_rate) lanes_free_ = state_.cycle + point_.half_rate_interval;
}

// ---- CTA barriers ----

/// From issue on, a path with lanes that wait does not go on.
template <unsigned Paths>
void IssueUnit<Paths>::hold_at_barrier(const InFlight& flight) {
  if (flight.lanes == 0) return;
  warp(flight.warp).waiting |= flight.lanes;
  if (!side_->parks_at_barriers()) state_.waiting.set(flight.warp, flight.k);
}

template <unsigned Paths>
isa::FaultSite IssueUnit<Paths>::barrier_site(SliceWarp w, Lanes lanes) const {
  return ctas_.threads().site({row(w), static_cast<unsigned>(__builtin_ctz(lanes))}, ctas_.barrier_pc(row(w)));
}

/// Lanes that wait at a barrier for all threads, while others of their warp cannot move until they do.
template <unsigned Paths>
void IssueUnit<Paths>::check_divergent_barrier(SliceWarp w) const {
  const IssueWarp<Paths>& its_warp = warp(w);
  if (side_->parks_at_barriers() || its_warp.waiting == 0) return;
  const isa::CtaBarriers& barriers = ctas_.barriers(row(w));
  if (barriers.has_opened() || side_->hidden_path_may_run(w) || side_->all_wait(w)) return;
  const Lanes for_all = barriers.waiting_for_all(in_cta(w).index());
  if (for_all == 0) return;
  bool any = false;
  for (unsigned k = 0; k < Paths; ++k) {
    if (!state_.valid.has(w, k)) continue;
    if (!state_.waiting.has(w, k) || (slice_.path(w, k).mask & for_all) == 0) return;  // this path runs on, or may
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
  IssueWarp<Paths>& its_warp = warp(w);
  its_warp.waiting &= ~lanes;
  side_->moved(w);
  if (side_->parks_at_barriers()) {
    if (its_warp.waiting != 0)  // the unit opens for all lanes of a warp
      isa::throw_execution_error(
          isa::ErrorCode::NotSupported,
          fmt::format("lanes {:#010x} of warp {} wait at another barrier than the one that opens; "
                      "convergence barriers know one CTA barrier a warp",
                      its_warp.waiting, in_cta(w).index()),
          barrier_site(w, its_warp.waiting));
  }
  side_->barrier_opened(w);
  for (unsigned k = 0; k < Paths; ++k)
    if (state_.waiting.has(w, k)) state_.waiting.set(w, k, (slice_.path(w, k).mask & its_warp.waiting) != 0);
}

template <unsigned Paths>
bool IssueUnit<Paths>::blocked_at_barriers(SliceWarp w) const {
  const InFlight* reading = execute_.reading();
  const bool arriving = reading != nullptr && reading->warp == w && (classes_[reading->pc] & Barrier) != 0;
  if (side_->parks_at_barriers())
    return (warp(w).live & ~warp(w).waiting) == 0 && !arriving && !side_->is_opening(w) && !warp(w).branching;
  bool any = false, all = true;
  for (unsigned k = 0; k < Paths; ++k) {
    any = any || state_.valid.has(w, k);
    all = all && (!state_.valid.has(w, k) || state_.waiting.has(w, k));
  }
  all = all || side_->all_wait(w);
  return any && all && !arriving && !warp(w).branching && !side_->hidden_path_may_run(w);
}

/// A barrier with a result: its register is pending until the barrier opens, and a scoreboard of hardware looks at lanes of
/// other paths too, which must use that register to get there.
template <unsigned Paths>
void IssueUnit<Paths>::check_result_for_all(const InFlight& flight) const {
  const Lanes there = side_->parks_at_barriers() ? flight.lanes : flight.path_lanes;
  const Lanes others = warp(flight.warp).live & ~there;
  if (flight.lanes != 0 && others != 0)
    throw_result_in_divergent_code(around_, flight.warp, flight.pc, flight.lanes, others);
}

// ---- what the slice is told ----

template <unsigned Paths>
void IssueUnit<Paths>::drive(const Executed& done, const WrittenBack& result) {
  SliceDrive<Paths> drive;
  drive.resolve = done.resolution;
  drive.convergence = done.convergence;
  if (!done.resolves()) drive.resolve = next_launch();
  if (result.valid && !result.name.is_none()) drive.release = {true, result.warp, result.k, result.name, result.part};
  fetch_.step(state_.cycle);
  drive.push = fetch_.push(state_.cycle);
  decode_heads();
  side_->ask(drive);
  if (decouples_) held_ = held_by_affine();
  if (state_.heads.fence.any()) continue_waits();
  side_->look();
  const SlotSet<Paths> able = able_to_issue();
  drive.eligible = without_dependency(able);
  dependent_ = able & ~drive.eligible;
  if (decouples_) { lent_ = lends_slot() ? std::exchange(drive.eligible, {}) : SlotSet<Paths>(); }
  if (drive.resolve.op == ResolveOp::MemorySplit)
    for (unsigned k = 0; k < Paths; ++k) drive.eligible.set(drive.resolve.warp, k, false);
  drive.held = state_.heads.control;
  side_->complete(drive);
  slice_.drive(drive);
  state_.driven = drive;
}

template <unsigned Paths>
void IssueUnit<Paths>::rest() {
  state_.driven = {};
  slice_.drive(state_.driven);
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
      state_.heads.control.set(w, k, (head & Control) != 0);
      state_.heads.barrier.set(w, k, (head & Barrier) != 0);
      state_.heads.fence.set(w, k, (head & Fence) != 0);
      state_.heads.special.set(w, k, (head & Special) != 0);
      state_.heads.memory.set(w, k, (head & Memory) != 0);
      state_.heads.for_all.set(w, k, (head & ForAll) != 0);
      state_.heads.on_lanes.set(w, k, (head & OnLanes) != 0);
      state_.heads.meets.set(w, k, (head & Meets) != 0);
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
  for_each_slot(able_but_for_order() & state_.heads.fence,
                [&](SliceWarp w, unsigned k) { warp(w).fence_wait[k] = fence_wait(w, k); });
}

template <unsigned Paths>
bool IssueUnit<Paths>::waits_continue() const {
  bool any = false;
  for_each_slot(able_but_for_order() & state_.heads.fence,
                [&](SliceWarp w, unsigned k) { any = any || !(fence_wait(w, k) == warp(w).fence_wait[k]); });
  return any;
}

/// A barrier, or a fence, at the head of a slot: is what it waits for done?
template <unsigned Paths>
bool IssueUnit<Paths>::order_is_kept(SliceWarp w, unsigned k) const {
  if (!state_.heads.fence.has(w, k)) return accesses_ordered(w);
  return is_over(warp(w).fence_wait[k], launch_->program->code[fetch_.head(w, k)], Threads(row(w)), 1, lsu_,
                 ctas_.threads());
}

/// Those of these slots that may be eligible: where the slice has a scoreboard, all.
template <unsigned Paths>
SlotSet<Paths> IssueUnit<Paths>::without_dependency(SlotSet<Paths> may) const {
  if (!optimistic_ && !barrel_) return may;
  for_each_slot(may, [&](SliceWarp w, unsigned k) {
    if (!state_.valid.has(w, k)) return;
    if (barrel_ ? has_busy_lanes(w, k) : waits_for_own_lanes(w, k)) may.set(w, k, false);
  });
  return may;
}

/// Slots that may issue, were it not for what barriers and fences wait for.
template <unsigned Paths>
SlotSet<Paths> IssueUnit<Paths>::able_but_for_order() const {
  if (execute_.busy()) return {};
  SlotSet<Paths> may = fetch_.buffered() & ~state_.waiting & ~state_.branching & ~side_->meeting() &
                       ~(state_.heads.control & all_paths<Paths>(state_.branching_warps));
  if (decouples_) {
    may = may & ~held_;
    if (dequeues_.has_branch(scheduler_)) may = may & ~state_.heads.control;  // which would keep that one from its turn
  }
  if (const std::uint64_t split = side_->split_warps(); split != 0)
    may = may & ~(state_.heads.for_all & all_paths<Paths>(split));
  if (state_.cycle + 1 < special_free_) may = may & ~state_.heads.special;
  if (state_.cycle + 1 < lanes_free_) may = may & ~waiting_for_lanes(may & state_.heads.on_lanes);
  if (state_.heads.memory.any() && lsu_.unreserved_room() < point_.schedulers * most_accesses_)
    may = may & ~state_.heads.memory;
  return may;
}

template <unsigned Paths>
SlotSet<Paths> IssueUnit<Paths>::able_to_issue() const {
  SlotSet<Paths> may = able_but_for_order();
  const SlotSet<Paths> ordering = may & (state_.heads.barrier | state_.heads.fence);
  if (ordering.any()) {
    for_each_slot(ordering, [&](SliceWarp w, unsigned k) {
      if (!order_is_kept(w, k)) may.set(w, k, false);
    });
  }
  return may;
}

/// Those of these slots, whose heads need the lanes, that no affine unit takes.
template <unsigned Paths>
SlotSet<Paths> IssueUnit<Paths>::waiting_for_lanes(SlotSet<Paths> heads) const {
  if (tags_ == nullptr) return heads;
  for_each_slot(SlotSet<Paths>(heads), [&](SliceWarp w, unsigned k) {
    if (state_.valid.has(w, k) && affine_result(w, k) != AffineTag::None) heads.set(w, k, false);
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
  return all_paths<Paths>(dequeues_.waiting(scheduler_)) | affine_.waiting(dequeues_.port(), state_.valid, row_of);
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

/// One-hot: the next of these warps after the last that issued, round robin.
template <unsigned Paths>
std::uint64_t IssueUnit<Paths>::in_turn(std::uint64_t warps) const {
  const std::uint64_t behind = warps & (~std::uint64_t(1) << issued_last_.index());
  const std::uint64_t from = behind != 0 ? behind : warps;
  return from & (~from + 1);
}

/// The stall of the first of these slots in turn. Where a trap is the last instruction of the code, a path that has
/// issued it stands behind the code until it executes: the stall is the trap's.
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
  if (state_.live_warps == 0) return {};
  const SlotSet<Paths> running = view.valid & ~state_.waiting;
  const SlotSet<Paths> asking = running & (state_.driven.eligible | lent_);
  if (decouples_ && lent_.any()) {
    const Hazards<Paths> hazards = slice_.hazards(lent_.warps());
    const SlotSet<Paths> ready = running & lent_ & ~(hazards.own | hazards.shadow | hazards.full);
    if (ready.any()) return stalled_at(Stall::AffineWarp, ready);
  }
  const SlotSet<Paths> starved = running & ~state_.branching & (view.redirected | ~fetch_.buffered());
  if (starved.any()) return stalled_at(Stall::BufferEmpty, starved);
  const std::uint64_t settling = state_.live_warps & ~view.valid.warps();  // between two paths
  if (const std::uint64_t between = state_.branching_warps | settling; between != 0)
    return {Stall::BranchInFlight, state_.warps[static_cast<unsigned>(__builtin_ctzll(in_turn(between)))].branch_pc};
  if (const SlotSet<Paths> held = state_.waiting | (side_->meeting() & state_.valid); held.any())
    return stalled_at(Stall::Barrier, held);
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
  const SlotSet<Paths> parted = state_.heads.for_all & all_paths<Paths>(side_->split_warps());
  if (const SlotSet<Paths> ordering = running & (state_.heads.barrier | state_.heads.fence | parted); ordering.any())
    return stalled_at(Stall::Memory, ordering);
  const SlotSet<Paths> special = running & state_.heads.special & ~asking;
  if (special.any()) return stalled_at(Stall::StructuralSpecial, special);
  if (state_.cycle < lanes_free_)
    if (const SlotSet<Paths> held = running & state_.heads.on_lanes & ~asking; held.any())
      return stalled_at(Stall::StructuralLanes, held);
  return stalled_at(Stall::StructuralLoadStore, running);
}

/// The first in turn of these slots whose head waits for lanes of its own path. Empty if there is none.
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
  const Hazards<Paths> hazards = slice_.hazards((std::uint64_t(2) << (state_.warps.size() - 1)) - 1);
  std::vector<std::uint64_t> values{view.granted, static_cast<std::uint64_t>(stalled(view).why), launches_.size()};
  for (const SlotSet<Paths>& set :
       {view.valid, view.redirected, hazards.own, hazards.shadow, hazards.full, state_.driven.eligible, state_.waiting,
        state_.branching, fetch_.buffered(), fetch_.awaiting()}) {
    values.insert(values.end(), std::begin(set.path), std::end(set.path));
  }
  for (unsigned index = 0; index < state_.warps.size(); ++index) {
    const SliceWarp w(index);
    const IssueWarp<Paths>& its = warp(w);
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
  if (!launches_.empty() || !fetch_.idle() || state_.driven.push.count != 0) return false;
  if (resolved_[0].valid || resolved_[1].valid || state_.cycle + 1 < std::max(special_free_, lanes_free_)) return false;
  // The blocks, and the requests that stand on their links.
  const SliceView<Paths> view = slice_.sample();
  if (!slice_.idle() || view.granted || state_.driven.resolve.op != ResolveOp::None || state_.driven.release.valid)
    return false;
  if (state_.driven.convergence.op != BarrierOp::None) return false;
  // What this unit would hear, and what it would say: the load/store unit, the barriers and the other schedulers may
  // have changed since it spoke.
  if (decouples_ && (lends_slot() || !(held_by_affine() == held_))) return false;
  if (state_.heads.fence.any() && waits_continue()) return false;
  if (!side_->idle()) return false;
  const SlotSet<Paths> able = able_to_issue(), eligible = without_dependency(able);
  return view.valid == state_.valid && eligible == state_.driven.eligible && (able & ~eligible) == dependent_;
}

template class IssueUnit<2>;
template class IssueUnit<MostPaths>;

}  // namespace heddle
