#include "sim/sm/issue_pipeline.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "sim/isa/branch_target.h"
#include "sim/isa/console.h"
#include "sim/isa/lanes.h"
#include "sim/sm/memory_access.h"
#include "sim/sm/operands.h"
#include "sim/sm/warp_wide_execution.h"

namespace heddle {

using isa::Instruction;
using isa::Kind;
using isa::Lanes;

namespace {

enum HeadClass : unsigned char { Control = 1, Barrier = 2, Fence = 4, Special = 8, Memory = 16 };

/// Under convergence barriers a path that waits at a CTA barrier makes place for another: the control flow unit is
/// told.
unsigned char class_of(const Instruction& instruction, bool barriers) {
  switch (instruction.kind) {
    case Kind::Branch:
    case Kind::Exit:
    case Kind::Convergence:
      return Control;
    case Kind::Barrier:
      return barriers && instruction.barrier_op != isa::BarrierOp::Arrive ? Barrier | Control : Barrier;
    case Kind::Fence:
      return Fence;
    case Kind::Load:
    case Kind::Store:
    case Kind::Atomic:
      return Memory;
    case Kind::Trap:
      return 0;
    case Kind::Compute:
      return instruction.unit == isa::Unit::Special ? Special : 0;
    case Kind::WarpWide:
    case Kind::Host:
      return 0;
  }
  return 0;
}

/// By PC: instructions from there to the end of its block.
std::vector<unsigned> block_lengths(const isa::Program& program) {
  std::vector<unsigned> lengths(program.code.size());
  for (const isa::BasicBlock& block : program.blocks)
    for (isa::Pc pc = block.first; pc <= block.last; ++pc) lengths[pc] = block.last - pc + 1;
  return lengths;
}

}  // namespace

IssuePipeline::IssuePipeline(SmState& sm, IssueSlice& slice, unsigned scheduler, const Mechanism& mechanism)
    : sm_(sm),
      slice_(slice),
      scheduler_(scheduler),
      barriers_(divergence_named(mechanism.divergence).barriers),
      optimistic_(scoreboard_named(mechanism.scoreboard).is_reference),
      buffers_(sm.point.instruction_buffer, sm.point.fetch_width, sm.point.fetch_latency),
      rotation_(std::max({sm.point.alu_latency, sm.point.multiplier_latency, sm.point.special_latency}) +
                sm.point.fetch_latency) {}

void IssuePipeline::load() {
  const isa::Program& program = *sm_.launch.program;
  classes_.clear();
  most_accesses_ = 1;
  for (const Instruction& instruction : program.code) {
    classes_.push_back(class_of(instruction, barriers_));
    most_accesses_ = std::max(most_accesses_, accesses_of(instruction));
  }
  const std::vector<unsigned> lengths = block_lengths(program);
  meeting_block_.clear();
  for (const Instruction& instruction : program.code)
    meeting_block_.push_back(instruction.rpc == isa::NoPc ? 0 : lengths[instruction.rpc]);
  buffers_.load(program);
  slice_.load(program);
}

bool IssuePipeline::step(std::uint64_t cycles) {
  const SliceView view = slice_.sample();
  // Nothing has changed while the clock was gated, so the reason was the same all the time.
  if (!view.granted) sm_.statistics.stalls[static_cast<unsigned>(stall_reason(view))] += cycles;
  if (resolved_[1].valid) {
    Warp& done = warp(resolved_[1].warp);
    branching_.set(resolved_[1].warp, done.branch_right, false);
    branching_warps_ &= ~(std::uint64_t(1) << resolved_[1].warp);
    done.branching = false;
  }
  resolved_[1] = std::exchange(resolved_[0], Resolved());
  forget_released();
  hear_control_flow(view);
  SliceDrive drive;
  drive.resolve = operand_read();
  if (view.granted) issue(view);
  if (drive.resolve.op == ResolveOp::None && asked_.op == BarrierOp::None) drive.resolve = next_launch();
  drive.release = write_back();
  buffers_.step(sm_.cycle);
  present_heads();
  const SlotSet able = able_to_issue();
  drive.eligible = without_dependency(able);
  dependent_ = able & ~drive.eligible;
  rotation_.began(being_fetched(), sm_.cycle);
  if (drive.resolve.op == ResolveOp::None) drive.yield = rotation_.pick(candidates_to_yield(), sm_.cycle);
  if (drive.yield.valid) drive.eligible.set(drive.yield.warp, drive.yield.right, false);
  drive.held = control_;
  if (barriers_) drive_barriers(drive);
  slice_.drive(drive);
  driven_ = drive;
  return view.granted;
}

// ---- what the control flow unit did ----

void IssuePipeline::hear_control_flow(const SliceView& view) {
  const SlotSet gone = valid_ & ~view.valid;
  valid_ = view.valid;
  if ((view.fresh | gone).any()) {
    for_each_warp((view.fresh | gone).warps(), [&](unsigned w) {
      const std::uint64_t bit = std::uint64_t(1) << w;
      const unsigned shown = valid_.has(w, false) + valid_.has(w, true);
      crowded_ = slice_.paths(w) > shown ? crowded_ | bit : crowded_ & ~bit;
    });
  }
  if (gone.any()) {
    for_each_slot(gone, [&](unsigned w, bool right) {
      buffers_.clear(w, right);
      waiting_.set(w, right, false);
      cta_news_ = cta_news_ || warp(w).waiting != 0;
      check_divergent_barrier(w);
    });
  }
  if (view.fresh.any()) {
    for_each_slot(view.fresh, [&](unsigned w, bool right) {
      const PathView path = slice_.path(w, right);
      buffers_.restart(w, right, path.pc);
      rotation_.began(w, right, sm_.cycle);
      waiting_.set(w, right, (path.mask & warp(w).waiting) != 0);
      sm_.statistics.max_depth = std::max<std::uint64_t>(sm_.statistics.max_depth, slice_.depth(w));
      cta_news_ = cta_news_ || warp(w).waiting != 0;
      check_divergent_barrier(w);
    });
  }
}

// ---- issue ----

void IssuePipeline::issue(const SliceView& view) {
  const unsigned w = view.warp;
  const bool right = view.right;
  const PathView path = slice_.path(w, right);
  const Instruction& instruction = sm_.launch.program->code[path.pc];
  Statistics& statistics = sm_.statistics;
  ++statistics.warp_instructions;
  statistics.thread_instructions += isa::count_of(path.mask);
  ++statistics.active_lanes[isa::count_of(path.mask)];
  statistics.paths += slice_.paths(w);
  ++statistics.depth[std::min(slice_.depth(w), DepthBins - 1)];

  const unsigned token = sm_.in_flight.take();
  InFlight& flight = sm_.in_flight[token];
  flight.instruction = &instruction;
  flight.pc = path.pc;
  flight.warp = w;
  flight.scheduler = scheduler_;
  flight.right = right;
  flight.path_lanes = flight.lanes = path.mask;
  Warp& its_warp = warp(w);
  ++its_warp.in_flight;
  its_warp.note_pending(instruction.destination, path.mask, true);
  buffers_.pop(w, right);
  rotation_.began(w, right, sm_.cycle);

  if ((classes_[path.pc] & Control) != 0) {
    its_warp.branching = true;
    its_warp.branch_right = right;
    branching_.set(w, right);
    branching_warps_ |= std::uint64_t(1) << w;
  }
  if (instruction.kind == Kind::Barrier) {
    flight.lanes &= guard_lanes(instruction.guard, its_warp);
    if (instruction.barrier_op != isa::BarrierOp::Arrive) hold_at_barrier(flight);
  } else if (instruction.unit == isa::Unit::Special) {
    special_free_ = sm_.cycle + sm_.point.special_interval;
  }
  if ((classes_[path.pc] & Memory) != 0) sm_.memory_in_operand_read += accesses_of(instruction);
  reading_ = token;
  reading_cycles_ = std::max(1U, (operand_words(instruction) + sm_.point.operand_words - 1) / sm_.point.operand_words);
}

// ---- paths without a slot ----

/// A path whose slot waits for a branch keeps it; a warp all of whose lanes wait at CTA barriers has nobody to bring
/// on.
SlotSet IssuePipeline::candidates_to_yield() const {
  SlotSet candidates = valid_ & ~branching_ & both_sides(crowded_);
  if (driven_.yield.valid) candidates.set(driven_.yield.warp, driven_.yield.right, false);  // not yet heard of
  if (!candidates.any()) return candidates;
  for_each_warp(candidates.warps(), [&](unsigned w) {
    if (hidden_path_may_run(w)) return;
    for (const bool right : {false, true}) candidates.set(w, right, false);
  });
  return candidates;
}

/// Slots of crowded warps whose head has not come yet. They do not lose patience: when one gives way both of its warp
/// are fetched anew, and with many warps that takes longer than any patience, so that no head would ever come.
SlotSet IssuePipeline::being_fetched() const {
  return valid_ & both_sides(crowded_) & ~(buffers_.buffered() | waiting_);
}

bool IssuePipeline::hidden_path_may_run(unsigned w) const {
  return (crowded_ >> w & 1) != 0 && (warp(w).live & ~warp(w).waiting) != 0;
}

// ---- CTA barriers ----

/// From issue on, a path with lanes that wait does not go on.
void IssuePipeline::hold_at_barrier(const InFlight& flight) {
  if (flight.lanes == 0) return;
  warp(flight.warp).waiting |= flight.lanes;
  if (!barriers_) waiting_.set(flight.warp, flight.right);
}

/// At operand read. Returns whether the instruction stays in flight: its result comes when the barrier opens, or it has
/// one and no lane that arrives.
bool IssuePipeline::arrive_at_barrier(unsigned token) {
  const InFlight& flight = sm_.in_flight[token];
  const bool has_result = !flight.instruction->destination.is_none();
  if (flight.lanes == 0) {
    if (has_result) write_back_later(token, 1);
    return has_result;
  }
  Warp& its_warp = warp(flight.warp);
  Cta& cta = sm_.ctas[its_warp.cta];
  const isa::BarrierArrival arrival = read_arrival(sm_, its_warp, flight);
  its_warp.barrier_pc = flight.pc;
  if (has_result) cta.reductions.push_back({static_cast<unsigned>(arrival.barrier), token});
  cta.barriers.arrive(arrival);
  cta_news_ = true;
  check_divergent_barrier(flight.warp);
  return has_result;
}

/// Lanes that wait at a barrier for all threads, while others of their warp cannot move until they do.
void IssuePipeline::check_divergent_barrier(unsigned w) const {
  const Warp& its_warp = warp(w);
  const isa::CtaBarriers& barriers = sm_.ctas[its_warp.cta].barriers;
  if (barriers_ || its_warp.waiting == 0 || barriers.has_opened() || hidden_path_may_run(w)) return;
  const Lanes for_all = barriers.waiting_for_all(its_warp.index);
  if (for_all == 0) return;
  bool any = false;
  for (const bool right : {false, true}) {
    if (!valid_.has(w, right)) continue;
    if (!waiting_.has(w, right) || (slice_.path(w, right).mask & for_all) == 0) return;  // this path runs on, or may
    any = true;
  }
  const Lanes stuck = its_warp.live & ~its_warp.waiting;
  if (any && stuck != 0) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(for_all));
    isa::throw_execution_error(
        isa::ErrorCode::DivergentBarrier,
        fmt::format("barrier in divergent code: lanes {:#010x} of warp {} wait at it while lanes {:#010x} of the same "
                    "warp are masked until those go on",
                    its_warp.waiting, its_warp.index, stuck),
        sm_.site(its_warp, its_warp.barrier_pc, lane));
  }
}

void IssuePipeline::barrier_opened(unsigned w) {
  if (barriers_) {
    const Warp& its_warp = warp(w);
    if (its_warp.waiting != 0)  // the unit opens for all lanes of a warp
      isa::throw_execution_error(
          isa::ErrorCode::NotSupported,
          fmt::format("lanes {:#010x} of warp {} wait at another barrier than the one that opens; "
                      "convergence barriers know one CTA barrier a warp",
                      its_warp.waiting, its_warp.index),
          sm_.site(its_warp, its_warp.barrier_pc, static_cast<unsigned>(__builtin_ctz(its_warp.waiting))));
    opening_ |= std::uint64_t(1) << w;
  }
  for (const bool right : {false, true})
    if (waiting_.has(w, right)) waiting_.set(w, right, (slice_.path(w, right).mask & warp(w).waiting) != 0);
}

bool IssuePipeline::blocked_at_barriers(unsigned w) const {
  const bool arriving = reading_cycles_ != 0 && sm_.in_flight[reading_].warp == w &&
                        (classes_[sm_.in_flight[reading_].pc] & Barrier) != 0;
  if (barriers_) {
    const bool opens = (opening_ >> w & 1) != 0;
    return (warp(w).live & ~warp(w).waiting) == 0 && !arriving && !opens && !warp(w).branching;
  }
  bool any = false, all = true;
  for (const bool right : {false, true}) {
    any = any || valid_.has(w, right);
    all = all && (!valid_.has(w, right) || waiting_.has(w, right));
  }
  return any && all && !arriving && !warp(w).branching && !hidden_path_may_run(w);
}

// ---- operand read and execution ----

Resolution IssuePipeline::operand_read() {
  if (reading_cycles_ == 0 || --reading_cycles_ != 0) return {};
  return execute(reading_);
}

Resolution IssuePipeline::execute(unsigned token) {
  InFlight& flight = sm_.in_flight[token];
  const Instruction& instruction = *flight.instruction;
  Warp& its_warp = warp(flight.warp);
  const Lanes guard = guard_lanes(instruction.guard, its_warp);
  Resolution resolution;
  switch (instruction.kind) {
    case Kind::Branch:
      resolution = resolve_branch(flight, flight.path_lanes & guard);
      break;
    case Kind::Exit:
      flight.lanes &= guard;
      resolution = resolve_exit(flight);
      break;
    case Kind::Barrier: {
      const bool stays = arrive_at_barrier(token);
      if (barriers_ && instruction.barrier_op != isa::BarrierOp::Arrive)
        asked_ = {flight.lanes != 0 ? BarrierOp::Park : BarrierOp::Join, flight.warp, 0, flight.lanes, 0};
      if (!stays) break;
      if (asked_.op != BarrierOp::None) resolved_[0] = {true, flight.warp};
      return {};
    }
    case Kind::Convergence:
      asked_ = convergence(flight);
      break;
    case Kind::Fence:
      break;
    case Kind::Trap:
      if (const Lanes lanes = flight.lanes & guard; lanes != 0) {
        isa::throw_execution_error(isa::ErrorCode::Trap, isa::TrapMessage,
                                   sm_.site(its_warp, flight.pc, static_cast<unsigned>(__builtin_ctz(lanes))));
      }
      break;
    case Kind::WarpWide:
      flight.lanes &= guard;
      execute_warp_wide(sm_, its_warp, flight);
      if (instruction.destination.is_none()) break;
      write_back_later(token, warp_wide_latency(sm_.point, instruction));
      return {};
    case Kind::Host:
      flight.lanes &= guard;
      call_host(flight);
      if (instruction.destination.is_none()) break;
      write_back_later(token, sm_.point.alu_latency);
      return {};
    case Kind::Load:
    case Kind::Store:
    case Kind::Atomic:
      sm_.memory_in_operand_read -= accesses_of(instruction);
      flight.lanes &= guard;
      if (flight.lanes != 0) {
        issue_access(sm_, its_warp, token);
        return {};
      }
      write_back_later(token, 1);
      return {};
    case Kind::Compute: {
      flight.lanes &= guard;
      isa::LaneValues a, b, c;
      const ThreadCoordinates at = sm_.coordinates(its_warp);
      read_source(instruction.sources[0], its_warp, at, sm_.point.lanes, a);
      read_source(instruction.sources[1], its_warp, at, sm_.point.lanes, b);
      read_source(instruction.sources[2], its_warp, at, sm_.point.lanes, c);
      instruction.evaluate_lanes(a, b, c, flight.values);
      const unsigned latency = instruction.unit == isa::Unit::Special      ? sm_.point.special_latency
                               : instruction.unit == isa::Unit::Multiplier ? sm_.point.multiplier_latency
                                                                           : sm_.point.alu_latency;
      write_back_later(token, latency);
      return {};
    }
  }
  --its_warp.in_flight;
  sm_.in_flight.give_back(token);
  if (resolution.op != ResolveOp::None || asked_.op != BarrierOp::None) resolved_[0] = {true, flight.warp};
  return resolution;
}

// ---- convergence barriers ----

Convergence IssuePipeline::convergence(const InFlight& flight) {
  const Instruction& instruction = *flight.instruction;
  Convergence asked{BarrierOp::Join, flight.warp, instruction.barrier, flight.path_lanes, 0};
  switch (instruction.convergence) {
    case isa::ConvergenceOp::Join:
      break;
    case isa::ConvergenceOp::Wait:
      asked.op = BarrierOp::Wait;
      break;
    case isa::ConvergenceOp::Yield:
      asked.op = BarrierOp::Yield;
      break;
    case isa::ConvergenceOp::Meet:
      return meeting(flight);
  }
  return asked;
}

/// The lanes of the path that name the mask of the first one who names a live lane elsewhere wait for it; if there is
/// none, all go on: an operation that changes nothing.
Convergence IssuePipeline::meeting(const InFlight& flight) {
  const Warp& its_warp = warp(flight.warp);
  isa::LaneValues masks;
  read_first_source(flight, masks);
  Convergence asked{BarrierOp::Join, flight.warp, flight.instruction->barrier, 0, 0};
  isa::for_each_lane(flight.path_lanes, [&](unsigned lane) {
    const auto mask = static_cast<Lanes>(masks[lane]);
    const bool waits = (mask & its_warp.live & ~flight.path_lanes) != 0 && (mask >> lane & 1) != 0;
    if (asked.lanes == 0 && waits) asked.op = BarrierOp::Sync, asked.value = mask & its_warp.live;
    if (asked.op == BarrierOp::Sync && static_cast<Lanes>(masks[lane] & its_warp.live) == asked.value)
      asked.lanes |= Lanes(1) << lane & asked.value;
  });
  return asked;
}

/// Each lane to where its register says: a return, or an indirect branch or call.
Convergence IssuePipeline::jump(const InFlight& flight) {
  isa::LaneValues value;
  read_first_source(flight, value);
  bool divergent = false;
  const unsigned lowest = static_cast<unsigned>(__builtin_ctz(flight.path_lanes));
  isa::for_each_lane(flight.path_lanes, [&](unsigned lane) {
    const isa::Pc target = isa::indirect_target(*sm_.launch.program, *flight.instruction, value[lane]);
    if (target == isa::NoPc) isa::throw_bad_target(value[lane], sm_.site(warp(flight.warp), flight.pc, lane));
    value[lane] = target;
    divergent = divergent || target != value[lowest];
  });
  slice_.set_targets(value);
  count_branch(flight.pc, divergent);
  return {BarrierOp::Jump, flight.warp, 0, flight.path_lanes, 0};
}

void IssuePipeline::drive_barriers(SliceDrive& drive) {
  drive.convergence = std::exchange(asked_, {});
  const bool free = drive.resolve.op == ResolveOp::None && drive.convergence.op == BarrierOp::None;
  if (free && opening_ != 0) {
    const unsigned w = static_cast<unsigned>(__builtin_ctzll(opening_));
    opening_ &= opening_ - 1;
    drive.convergence = {BarrierOp::Open, w, 0, 0, 0};
  }
  for_each_warp(live_warps_, [&](unsigned w) {
    if (warp(w).in_flight != 0 || warp(w).branching) drive.busy |= std::uint64_t(1) << w;
  });
}

/// printf and assert: each lane hands over its value and gets the host's answer.
void IssuePipeline::call_host(InFlight& flight) {
  const Instruction& instruction = *flight.instruction;
  const Warp& its_warp = warp(flight.warp);
  isa::LaneValues value{};
  read_first_source(flight, value);
  isa::for_each_lane(flight.lanes, [&](unsigned lane) {
    flight.values[lane] =
        sm_.launch.console->call(instruction.host_op, value[lane], sm_.site(its_warp, flight.pc, lane));
  });
  if (instruction.host_op == isa::HostOp::Print) sm_.last_progress = sm_.cycle;
}

Resolution IssuePipeline::resolve_branch(const InFlight& flight, Lanes taken) {
  const Instruction& instruction = *flight.instruction;
  const unsigned lowest = static_cast<unsigned>(__builtin_ctz(flight.path_lanes));
  isa::Pc target = instruction.target;
  if (barriers_ && instruction.is_indirect()) {
    asked_ = jump(flight);
    return {};
  }
  if (instruction.branch == isa::BranchKind::Peel) {
    isa::LaneValues value;
    read_first_source(flight, value);
    for (unsigned l = 0; l < isa::MaxLanes; ++l)
      if (value[l] != value[lowest]) taken &= ~(Lanes(1) << l);
  } else if (instruction.is_indirect()) {
    isa::LaneValues value;
    read_first_source(flight, value);
    target = isa::indirect_target(*sm_.launch.program, instruction, value[lowest]);
    if (target == isa::NoPc) isa::throw_bad_target(value[lowest], sm_.site(warp(flight.warp), flight.pc, lowest));
    expect_one_target(flight, value);
  }
  count_branch(flight.pc, taken != 0 && taken != flight.path_lanes);
  if (!barriers_ && instruction.is_recursive && instruction.branch == isa::BranchKind::Call)
    return {ResolveOp::Call, flight.warp, flight.right, flight.path_lanes, target, isa::NoPc};
  // The entry that called knows where its lanes go on: where the return address says, too.
  if (instruction.is_recursive && instruction.branch == isa::BranchKind::Return)
    return {ResolveOp::Branch, flight.warp, flight.right, flight.path_lanes, isa::NoPc, isa::NoPc};
  return {ResolveOp::Branch, flight.warp, flight.right, taken, target, instruction.rpc, meeting_block_[flight.pc]};
}

/// On a stack all lanes of a path agree: a peel came before, or they were called together. Splits may have met in a
/// function that they were called to from different places, and then have no way to part again.
void IssuePipeline::expect_one_target(const InFlight& flight, const isa::LaneValues& value) const {
  const unsigned lowest = static_cast<unsigned>(__builtin_ctz(flight.path_lanes));
  isa::for_each_lane(flight.path_lanes, [&](unsigned lane) {
    if (value[lane] == value[lowest]) return;
    isa::throw_execution_error(
        isa::ErrorCode::NotSupported,
        fmt::format("lanes {} and {} of warp {} run together and go to different places from here: splits that came "
                    "from different calls have met; expected --divergence spe, dpe or barrier",
                    lowest, lane, warp(flight.warp).index),
        sm_.site(warp(flight.warp), flight.pc, lane));
  });
}

void IssuePipeline::count_branch(isa::Pc pc, bool divergent) {
  ++sm_.statistics.branches;
  sm_.statistics.divergent_branches += divergent;
  ++sm_.branches[pc].executed;
  sm_.branches[pc].divergent += divergent;
}

void IssuePipeline::read_first_source(const InFlight& flight, isa::LaneValues& value) {
  const Warp& its_warp = warp(flight.warp);
  read_source(flight.instruction->sources[0], its_warp, sm_.coordinates(its_warp), sm_.point.lanes, value);
}

Resolution IssuePipeline::resolve_exit(const InFlight& flight) {
  Warp& its_warp = warp(flight.warp);
  its_warp.live &= ~flight.lanes;
  sm_.ctas[its_warp.cta].barriers.exit(its_warp.index, flight.lanes);
  if (its_warp.live == 0) live_warps_ &= ~(std::uint64_t(1) << flight.warp);
  if (flight.lanes != 0) sm_.last_progress = sm_.cycle;
  cta_news_ = true;
  return {ResolveOp::Exit, flight.warp, flight.right, flight.lanes, 0, isa::NoPc};
}

Resolution IssuePipeline::next_launch() {
  if (launches_.empty()) return {};
  const unsigned w = launches_.front();
  launches_.pop_front();
  live_warps_ |= std::uint64_t(1) << w;
  return {ResolveOp::Launch, w, false, warp(w).live, 0, isa::NoPc};
}

// ---- writeback ----

void IssuePipeline::write_back_later(unsigned token, unsigned latency) {
  due_.push({sm_.cycle + latency, due_order_++, token});
}

void IssuePipeline::complete(unsigned token) {
  InFlight& flight = sm_.in_flight[token];
  if (!flight.instruction->destination.is_none()) {
    write_back_later(token, 0);
  } else {
    --warp(flight.warp).in_flight;
    sm_.in_flight.give_back(token);
  }
}

Released IssuePipeline::write_back() {
  if (due_.empty() || due_.top().ready > sm_.cycle) return {};
  const unsigned token = due_.top().token;
  due_.pop();
  const InFlight& flight = sm_.in_flight[token];
  Warp& its_warp = warp(flight.warp);
  const isa::RegisterName name = flight.instruction->destination;
  write_destination(name, flight.lanes, flight.values, its_warp);
  --its_warp.in_flight;
  sm_.in_flight.give_back(token);
  if (name.is_none()) return {};
  released_ = {true, flight.warp, name, flight.path_lanes};
  return {true, flight.warp, flight.right, name};
}

void IssuePipeline::forget_released() {
  if (released_.valid) warp(released_.warp).note_pending(released_.name, released_.lanes, false);
  released_.valid = false;
}

bool IssuePipeline::drained(unsigned w) const {
  const unsigned global = sm_.global_warp(scheduler_, w);
  return warp(w).live == 0 && warp(w).in_flight == 0 && !warp(w).branching && slice_.depth(w) == 0 &&
         sm_.lsu.outstanding_stores(global) == 0;
}

// ---- what may issue next ----

void IssuePipeline::present_heads() {
  const SlotSet changed = buffers_.take_changed();
  if (!changed.any()) return;
  for_each_slot(changed, [&](unsigned w, bool right) {
    const bool empty = buffers_.empty(w, right);
    const isa::Pc pc = empty ? isa::NoPc : buffers_.head(w, right);
    const unsigned head = empty ? 0 : classes_[pc];
    control_.set(w, right, (head & Control) != 0);
    barrier_.set(w, right, (head & Barrier) != 0);
    fence_.set(w, right, (head & Fence) != 0);
    special_.set(w, right, (head & Special) != 0);
    memory_.set(w, right, (head & Memory) != 0);
    slice_.set_head(w, right, pc);
  });
}

/// A generic access may have lanes in shared memory, if there is any, and lanes elsewhere.
unsigned IssuePipeline::accesses_of(const Instruction& instruction) const {
  return instruction.space == isa::Space::Generic && isa::shared_bytes(sm_.launch) != 0 ? 2 : 1;
}

bool IssuePipeline::accesses_ordered(unsigned w, bool drained_stores) const {
  const unsigned global = sm_.global_warp(scheduler_, w);
  const bool reading =
      reading_cycles_ != 0 && sm_.in_flight[reading_].warp == w && (classes_[sm_.in_flight[reading_].pc] & Memory) != 0;
  return !reading && sm_.lsu.unordered(global) == 0 && (!drained_stores || sm_.lsu.outstanding_stores(global) == 0);
}

/// Of these slots, those that may be eligible: where the slice has a scoreboard, all.
SlotSet IssuePipeline::without_dependency(SlotSet may) const {
  if (!optimistic_) return may;
  for_each_slot(may, [&](unsigned w, bool right) {
    if (valid_.has(w, right) && waits_for_own_lanes(w, right)) may.set(w, right, false);
  });
  return may;
}

SlotSet IssuePipeline::able_to_issue() const {
  if (reading_cycles_ > 1) return {};
  SlotSet may = buffers_.buffered() & ~waiting_ & ~branching_ & ~(control_ & both_sides(branching_warps_));
  if (sm_.cycle + 1 < special_free_) may = may & ~special_;
  if (memory_.any() && sm_.lsu.room() < sm_.memory_in_operand_read + sm_.point.schedulers * most_accesses_)
    may = may & ~memory_;
  const SlotSet ordering = may & (barrier_ | fence_);
  if (ordering.any()) {
    for_each_slot(ordering, [&](unsigned w, bool right) {
      if (!accesses_ordered(w, fence_.has(w, right))) may.set(w, right, false);
    });
  }
  return may;
}

// ---- why nothing was issued ----

Stall IssuePipeline::stall_reason(const SliceView& view) const {
  if (live_warps_ == 0) return Stall::NoWarp;
  const SlotSet running = view.valid & ~waiting_;
  const SlotSet starved = running & ~branching_ & (view.fresh | ~buffers_.buffered());
  if (starved.any()) return Stall::BufferEmpty;
  const bool settling = (live_warps_ & ~view.valid.warps()) != 0;  // a warp between two paths
  if (branching_warps_ != 0 || settling) return Stall::BranchInFlight;
  if (waiting_.any()) return Stall::Barrier;
  if (reading_cycles_ > 1) return Stall::OperandRead;
  const Hazards hazards = slice_.hazards();
  const SlotSet dependent = running & driven_.eligible & (hazards.own | hazards.shadow);
  if (dependent.any()) return true_dependency(dependent) ? Stall::ScoreboardTrue : Stall::ScoreboardFalse;
  if ((running & dependent_).any()) return Stall::ScoreboardTrue;
  if ((running & driven_.eligible & hazards.full).any()) return Stall::ScoreboardFull;
  if ((running & (barrier_ | fence_)).any()) return Stall::Memory;
  if ((running & special_ & ~driven_.eligible).any()) return Stall::StructuralSpecial;
  return Stall::StructuralLoadStore;
}

bool IssuePipeline::true_dependency(const SlotSet& stalled) const {
  bool found = false;
  for_each_slot(stalled, [&](unsigned w, bool right) { found = found || waits_for_own_lanes(w, right); });
  return found;
}

/// Does the slot's head name a register that lanes of its path have on its way?
bool IssuePipeline::waits_for_own_lanes(unsigned w, bool right) const {
  if (buffers_.empty(w, right)) return false;
  const Instruction& instruction = sm_.launch.program->code[buffers_.head(w, right)];
  const Warp& its_warp = warp(w);
  const Lanes mask = slice_.path(w, right).mask;
  const auto pending = [&](unsigned id, bool wide) {
    return ((its_warp.pending[id] | (wide ? its_warp.pending[id + 1] : 0)) & mask) != 0;
  };
  const auto source = [&](const isa::Source& s) {
    if (s.kind == isa::Source::Kind::Register) return pending(s.index, s.wide);
    if (s.kind == isa::Source::Kind::Predicate) return pending(isa::FirstPredicate + s.index, false);
    return false;
  };
  return source(instruction.guard) || source(instruction.sources[0]) || source(instruction.sources[1]) ||
         source(instruction.sources[2]) ||
         (!instruction.destination.is_none() && pending(instruction.destination.id, instruction.destination.wide));
}

std::vector<std::uint64_t> IssuePipeline::shows() const {
  const SliceView view = slice_.sample();
  const Hazards hazards = slice_.hazards();
  std::vector<std::uint64_t> values{view.granted, static_cast<std::uint64_t>(stall_reason(view)), due_.size(),
                                    launches_.size()};
  for (const SlotSet& set : {view.valid, view.fresh, hazards.own, hazards.shadow, hazards.full, driven_.eligible,
                             waiting_, branching_, buffers_.buffered()}) {
    values.insert(values.end(), {set.side[0], set.side[1]});
  }
  for (unsigned w = 0; w < sm_.point.warps / sm_.point.schedulers; ++w) {
    values.push_back(slice_.depth(w));
    for (const bool right : {false, true}) {
      const PathView path = slice_.path(w, right);
      values.insert(values.end(), {path.pc, path.mask});
    }
  }
  return values;
}

bool IssuePipeline::idle() const {
  if (reading_cycles_ != 0 || !due_.empty() || !launches_.empty() || !buffers_.idle()) return false;
  if (resolved_[0].valid || resolved_[1].valid || sm_.cycle + 1 < special_free_) return false;
  // The blocks, and the requests that stand on their links.
  const SliceView view = slice_.sample();
  if (!slice_.idle() || view.granted || driven_.resolve.op != ResolveOp::None || driven_.release.valid) return false;
  if (driven_.convergence.op != BarrierOp::None || opening_ != 0) return false;
  if (driven_.yield.valid || candidates_to_yield().any()) return false;  // time alone brings a path on
  // What this pipeline would hear, and what it would say: the load/store unit, the barriers and the other pipelines may
  // have changed since it spoke.
  return view.valid == valid_ && without_dependency(able_to_issue()) == driven_.eligible;
}

}  // namespace heddle
