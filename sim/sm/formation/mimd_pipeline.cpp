// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/formation/mimd_pipeline.h"

#include <algorithm>

#include "sim/isa/lanes.h"
#include "sim/sm/memory/accesses_of.h"
#include "sim/sm/slice/row_paths.h"

namespace heddle {

using isa::Instruction;
using isa::Kind;
using isa::Lanes;

namespace {

constexpr std::uint64_t Turn = 64;  // cycles in which one scheduler of several may take the last room for an access

bool accesses_memory(Kind kind) {
  return kind == Kind::Load || kind == Kind::Store || kind == Kind::Atomic;
}

}  // namespace

MimdPipeline::MimdPipeline(const DesignPoint& point, unsigned scheduler, const SmModules& sm)
    : point_(point),
      scheduler_(scheduler),
      numbers_(point.schedulers),
      registers_(sm.registers),
      ctas_(sm.ctas),
      lsu_(sm.lsu),
      in_flight_(sm.in_flight),
      counters_(sm.counters),
      writeback_(sm.in_flight, sm.registers),
      // As under convergence barriers each lane goes to its own target.
      execute_(point, sm.registers, sm.operands, sm.ctas, sm.addresses, sm.lsu, writeback_, sm.in_flight, sm.counters,
               true, false),
      rows_(point.warps / point.schedulers),
      states_(rows_.size() * point.lanes, State::Gone),
      pcs_(states_.size()),
      lanes_(point.lanes) {}

void MimdPipeline::load(const isa::Launch& launch, std::uint64_t) {
  launch_ = &launch;
  most_accesses_ = 1;
  for (const Instruction& one : launch.program->code)
    most_accesses_ = std::max(most_accesses_, accesses_of(one, launch));
  execute_.load(*launch.program);
  issued_.clear();
  why_ = Stall::NoWarp;
}

bool MimdPipeline::step(std::uint64_t cycle, std::uint64_t cycles) {
  cycle_ = cycle;
  const bool issued = !issued_.empty();
  if (!issued) {
    counters_.statistics.stalls[static_cast<unsigned>(why_)] += cycles;
    if (why_ != Stall::NoWarp) counters_.code.at(why_pc_).stalls[static_cast<unsigned>(why_)] += cycles;
  }
  take_fetched();
  look_at_fences();
  execute();
  write_back();
  issue();
  return issued;
}

// ---- issue ----

void MimdPipeline::issue() {
  issued_.clear();
  const bool first_is_free = lanes_[first_lane_].free <= cycle_;
  refused_ = None;
  for (unsigned i = 0; i < point_.lanes; ++i) {
    const unsigned lane = (first_lane_ + i) % point_.lanes;
    if (lanes_[lane].free <= cycle_) issue(lane);
  }
  if (first_is_free && refused_ != None) first_lane_ = refused_;
  if (issued_.empty())
    find_reason();
  else
    count_issue();
}

/// For the thread that has been ready longest, of those whose unit is free.
void MimdPipeline::issue(unsigned lane) {
  std::deque<unsigned>& ready = lanes_[lane].ready;
  const auto thread = std::find_if(ready.begin(), ready.end(), [&](unsigned one) { return may_issue(lane, one); });
  if (thread == ready.end()) return;
  issue(lane, *thread);
  ready.erase(thread);
}

bool MimdPipeline::may_issue(unsigned lane, unsigned thread) {
  const Instruction& its = instruction(thread);
  if (its.unit == isa::Unit::Special && lanes_[lane].special_free > cycle_) return false;
  if (its.needs_lanes() && lanes_[lane].alu_free > cycle_) return false;
  if (!accesses_memory(its.kind) || issued_with(thread) != None || has_room(its)) return true;
  if (refused_ == None) refused_ = lane;
  return false;
}

/// Where several schedulers want it, each leaves the last room to the one whose turn it is: none starves.
bool MimdPipeline::has_room(const Instruction& instruction) const {
  const bool has_turn = cycle_ / Turn % point_.schedulers == scheduler_;
  return lsu_.unreserved_room() >= accesses_of(instruction, *launch_) + (has_turn ? 0 : most_accesses_);
}

/// What other lanes have issued in this cycle, if it is the same instruction for the same CTA. A peel, by which lanes that
/// run together go apart, is each lane's own: a thread alone goes where it wants at once.
unsigned MimdPipeline::issued_with(unsigned thread) const {
  const Instruction& its = instruction(thread);
  if (its.kind == Kind::Branch && its.branch == isa::BranchKind::Peel) return None;
  const auto same = std::find_if(issued_.begin(), issued_.end(), [&](unsigned token) {
    const InFlight& flight = in_flight_[token];
    const auto first = static_cast<unsigned>(__builtin_ctz(flight.path_lanes));
    return flight.pc == pcs_[thread] && cta(this->thread(flight.threads[first])) == cta(thread);
  });
  return same == issued_.end() ? None : *same;
}

void MimdPipeline::issue(unsigned lane, unsigned thread) {
  const Instruction& its = instruction(thread);
  const unsigned cycles = execute_.cycles_of(its);
  unsigned token = issued_with(thread);
  if (token == None) {
    token = in_flight_.take();
    InFlight& fresh = in_flight_[token];
    fresh.instruction = &its;
    fresh.pc = pcs_[thread];
    fresh.scheduler = scheduler_;
    fresh.warp = SliceWarp(thread / point_.lanes);
    fresh.k = 0;
    fresh.path_lanes = 0;
    fresh.threads = Threads(row(thread));
    if (accesses_memory(its.kind)) lsu_.reserve(accesses_of(its, *launch_));
    issued_.push_back(token);
    reading_.push_back({token, cycle_ + 1 + cycles});
  }
  InFlight& flight = in_flight_[token];
  if (!(numbers_.in_slice(row(thread)) == flight.warp)) flight.threads.set(lane, {row(thread), lane});
  flight.path_lanes |= Lanes(1) << lane;
  flight.lanes = flight.live = flight.path_lanes;
  states_[thread] = State::InFlight;
  lanes_[lane].free = cycle_ + cycles;
  if (its.unit == isa::Unit::Special) lanes_[lane].special_free = cycle_ + point_.special_interval;
  if (its.half_rate) lanes_[lane].alu_free = cycle_ + point_.half_rate_interval;
}

// ---- the lanes ----

void MimdPipeline::take_fetched() {
  for (; !fetches_.empty() && fetches_.front().comes <= cycle_; fetches_.pop_front()) ready(fetches_.front().thread);
}

void MimdPipeline::execute() {
  const auto ends = std::stable_partition(reading_.begin(), reading_.end(),
                                          [&](const Reading& reading) { return reading.ends > cycle_; });
  for (auto reading = ends; reading != reading_.end(); ++reading) {
    InFlight& flight = in_flight_[reading->token];
    if (flight.instruction->kind == Kind::Barrier)
      flight.lanes &= registers_.guard(flight.instruction->guard, flight.threads);
    executed(reading->token, execute_.run(reading->token, cycle_));
  }
  reading_.erase(ends, reading_.end());
}

/// Its record says what it was, also if it was given back in this edge.
void MimdPipeline::executed(unsigned token, const Executed& done) {
  const InFlight& flight = in_flight_[token];
  switch (flight.instruction->kind) {
    case Kind::Branch:
      branched(flight, done);
      break;
    case Kind::Exit:
      isa::for_each_lane(done.exited, [&](unsigned lane) {
        const unsigned gone = thread(flight.threads[lane]);
        states_[gone] = State::Gone;
        rows_[gone / point_.lanes].live &= ~(Lanes(1) << lane);
      });
      go_on(flight, flight.path_lanes & ~done.exited);
      break;
    case Kind::Barrier:
      arrived(flight);
      break;
    case Kind::Fence:
      isa::for_each_lane(flight.lanes, [&](unsigned lane) {
        states_[thread(flight.threads[lane])] = State::AtFence;
        fences_.push_back({thread(flight.threads[lane]), {}});
      });
      go_on(flight, flight.path_lanes & ~flight.lanes);
      look_at_fences();
      break;
    case Kind::Load:
    case Kind::Store:
    case Kind::Atomic:
      go_on(flight, flight.path_lanes & ~flight.lanes);  // who does not access waits for nobody
      break;
    default:
      if (done.is_done) go_on(flight, flight.path_lanes);
      break;
  }
}

void MimdPipeline::branched(const InFlight& flight, const Executed& done) {
  const bool jumps = done.convergence.op == BarrierOp::Jump;
  isa::for_each_lane(flight.path_lanes, [&](unsigned lane) {
    const unsigned its = thread(flight.threads[lane]);
    if (jumps)
      fetch(its, static_cast<isa::Pc>(execute_.targets()[lane]));
    else if ((done.resolution.lanes >> lane & 1) != 0)
      fetch(its, done.resolution.target);
    else
      go_on(its);
  });
}

void MimdPipeline::arrived(const InFlight& flight) {
  const bool arrives_only = flight.instruction->barrier_op == isa::BarrierOp::Arrive;
  const Lanes waits = arrives_only ? 0 : flight.lanes;
  isa::for_each_lane(waits, [&](unsigned lane) {
    const unsigned its = thread(flight.threads[lane]);
    states_[its] = State::AtBarrier;
    ++pcs_[its];
    rows_[its / point_.lanes].waiting |= Lanes(1) << lane;
  });
  go_on(flight, flight.path_lanes & ~waits);
}

/// A lane writes one result a cycle. The values of what is due are in the registers already: nobody but the thread that
/// waits for its turn would see them.
void MimdPipeline::write_back() {
  for (WrittenBack due = writeback_.step(cycle_); due.valid; due = writeback_.step(cycle_)) {
    const InFlight& flight = in_flight_[due.token];
    const Kind kind = flight.instruction->kind;
    if (kind == Kind::Barrier) continue;  // its lanes went on when it was executed
    isa::for_each_lane(accesses_memory(kind) ? flight.lanes : flight.path_lanes,
                       [&](unsigned lane) { lanes_[lane].last.push_back(thread(flight.threads[lane])); });
  }
  for (Lane& lane : lanes_) {
    if (lane.last.empty()) continue;
    go_on(lane.last.front());
    lane.last.pop_front();
  }
}

void MimdPipeline::complete(unsigned token, std::uint64_t cycle) {
  const InFlight& flight = in_flight_[token];
  if (flight.instruction->kind == Kind::Barrier)
    registers_.write(flight.instruction->destination, flight.threads, flight.lanes, flight.values);
  else if (!flight.instruction->destination.is_none())
    return writeback_.expect(token, cycle, 0);
  else
    go_on(flight, flight.lanes);
  in_flight_.give_back(token);
}

FenceWait MimdPipeline::continue_fence(const Fence& fence) const {
  return continue_wait(fence.wait, instruction(fence.thread), Threads(row(fence.thread)), 1, lsu_);
}

bool MimdPipeline::is_over(const Fence& fence) const {
  return heddle::is_over(fence.wait, instruction(fence.thread), Threads(row(fence.thread)), 1, lsu_, ctas_.threads());
}

void MimdPipeline::look_at_fences() {
  const auto passes = std::stable_partition(fences_.begin(), fences_.end(), [&](Fence& fence) {
    fence.wait = continue_fence(fence);
    return !is_over(fence);
  });
  if (std::any_of(passes, fences_.end(),
                  [&](const Fence& fence) { return isa::acquires_for_device(instruction(fence.thread)); }))
    lsu_.acquire();
  std::for_each(passes, fences_.end(), [&](const Fence& fence) { go_on(fence.thread); });
  fences_.erase(passes, fences_.end());
}

// ---- threads ----

void MimdPipeline::ready(unsigned thread) {
  states_[thread] = State::Ready;
  lanes_[lane(thread)].ready.push_back(thread);
}

void MimdPipeline::go_on(unsigned thread) {
  ++pcs_[thread];
  ready(thread);
}

void MimdPipeline::go_on(const InFlight& flight, Lanes lanes) {
  isa::for_each_lane(lanes, [&](unsigned lane) { go_on(thread(flight.threads[lane])); });
}

void MimdPipeline::fetch(unsigned thread, isa::Pc pc) {
  states_[thread] = State::Fetched;
  pcs_[thread] = pc;
  fetches_.push_back({thread, cycle_ + point_.fetch_latency});
}

void MimdPipeline::start(SliceWarp warp, Lanes lanes) {
  rows_[warp.index()] = {lanes, 0};
  isa::for_each_lane(lanes, [&](unsigned lane) { fetch(warp.index() * point_.lanes + lane, 0); });
}

void MimdPipeline::barrier_opened(SliceWarp warp, Lanes lanes) {
  rows_[warp.index()].waiting &= ~lanes;
  isa::for_each_lane(lanes, [&](unsigned lane) { ready(warp.index() * point_.lanes + lane); });
}

bool MimdPipeline::blocked_at_barriers(SliceWarp warp) const {
  const Row& its = rows_[warp.index()];
  return its.live != 0 && (its.live & ~its.waiting) == 0;
}

bool MimdPipeline::drained(SliceWarp warp) const {
  return rows_[warp.index()].live == 0 && lsu_.outstanding_stores(numbers_.in_sm(scheduler_, warp)) == 0;
}

PathView MimdPipeline::path(SliceWarp warp, unsigned k) const {
  const Row& its = rows_[warp.index()];
  return path_of_row(&pcs_[warp.index() * point_.lanes], its.live, its.waiting, k);
}

// ---- what is counted ----

void MimdPipeline::count_issue() {
  Statistics& statistics = counters_.statistics;
  unsigned lanes = 0;
  for (const unsigned token : issued_) {
    const auto its = static_cast<unsigned>(isa::count_of(in_flight_[token].path_lanes));
    counters_.code.at(in_flight_[token].pc).active_lanes += its;
    lanes += its;
  }
  ++counters_.code.at(in_flight_[issued_.front()].pc).issues;
  ++statistics.warp_instructions;
  statistics.spill_instructions += launch_->program->code[in_flight_[issued_.front()].pc].is_spill ? 1 : 0;
  statistics.thread_instructions += lanes;
  ++statistics.active_lanes[lanes];
  ++statistics.paths;
  ++statistics.depth[0];
}

/// R4: the first that holds of any thread, in the order of `Stall`.
void MimdPipeline::find_reason() {
  why_ = Stall::NoWarp;
  for (unsigned thread = 0; thread < states_.size(); ++thread) {
    if (states_[thread] == State::Gone || (why_ != Stall::NoWarp && why_ <= reason(thread))) continue;
    why_ = reason(thread);
    why_pc_ = pcs_[thread];
  }
}

Stall MimdPipeline::reason(unsigned thread) const {
  switch (states_[thread]) {
    case State::Fetched:
      return Stall::BufferEmpty;
    case State::AtBarrier:
      return Stall::Barrier;
    case State::AtFence:
      return Stall::Memory;
    case State::InFlight:
      return instruction(thread).kind == Kind::Branch ? Stall::BranchInFlight : Stall::ScoreboardTrue;
    default:
      break;
  }
  const Lane& its = lanes_[lane(thread)];
  if (its.free > cycle_) return Stall::OperandRead;
  const bool waits_for_special = instruction(thread).unit == isa::Unit::Special && its.special_free > cycle_;
  if (waits_for_special) return Stall::StructuralSpecial;
  return instruction(thread).needs_lanes() ? Stall::StructuralLanes : Stall::StructuralLoadStore;
}

// ---- the clock gate ----

bool MimdPipeline::idle() const {
  const bool works = std::any_of(lanes_.begin(), lanes_.end(),
                                 [](const Lane& lane) { return !lane.ready.empty() || !lane.last.empty(); });
  const bool passes = std::any_of(fences_.begin(), fences_.end(), [&](const Fence& fence) {
    return is_over(fence) || !(continue_fence(fence) == fence.wait);
  });
  return !works && !passes && fetches_.empty() && reading_.empty() && writeback_.waiting() == 0;
}

std::vector<std::uint64_t> MimdPipeline::shows() const {
  std::vector<std::uint64_t> values{fetches_.size(), reading_.size(), writeback_.waiting(), fences_.size()};
  for (const Row& row : rows_) values.push_back(row.live), values.push_back(row.waiting);
  for (const Lane& lane : lanes_) values.push_back(lane.ready.size()), values.push_back(lane.last.size());
  values.insert(values.end(), pcs_.begin(), pcs_.end());
  return values;
}

}  // namespace heddle
