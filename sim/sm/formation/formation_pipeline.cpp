// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/formation/formation_pipeline.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <stdexcept>

#include "sim/isa/lanes.h"
#include "sim/isa/loops.h"
#include "sim/sm/memory/accesses_of.h"
#include "sim/sm/slice/row_paths.h"

namespace heddle {

using isa::Instruction;
using isa::Kind;
using isa::Lanes;

namespace {

constexpr unsigned ExtraStage = 1;  // of formation alone (DWF sec. 6)

bool accesses_memory(Kind kind) {
  return kind == Kind::Load || kind == Kind::Store || kind == Kind::Atomic;
}

}  // namespace

FormationPipeline::FormationPipeline(std::unique_ptr<FormationSlice> slice, const DesignPoint& point,
                                     unsigned scheduler, const Mechanism& mechanism, const SmModules& sm)
    : point_(point),
      scheduler_(scheduler),
      numbers_(point.schedulers),
      policy_(mechanism.divergence),
      takes_turns_(register_file_named(register_file_of(mechanism)).takes_turns),
      slice_(std::move(slice)),
      registers_(sm.registers),
      ctas_(sm.ctas),
      lsu_(sm.lsu),
      in_flight_(sm.in_flight),
      counters_(sm.counters),
      writeback_(sm.in_flight, sm.registers),
      // As under convergence barriers each lane goes to its own target.
      execute_(point, sm.registers, sm.operands, sm.ctas, sm.addresses, sm.lsu, writeback_, sm.in_flight, sm.counters,
               true, false),
      fetch_(point.fetch_latency + ExtraStage, sm.code),
      rows_(point.warps / point.schedulers),
      pcs_(rows_.size() * point.lanes),
      in_pipeline_(rows_.size() * point.lanes),
      back_(rows_.size() * point.lanes) {}

void FormationPipeline::load(const isa::Launch& launch, std::uint64_t code) {
  launch_ = &launch;
  most_accesses_ = 1;
  for (const Instruction& instruction : launch.program->code)
    most_accesses_ = std::max(most_accesses_, accesses_of(instruction, launch));
  execute_.load(*launch.program);
  fetch_.load(code);
  last_pc_ = 0;
  access_pc_ = isa::NoPc;
}

bool FormationPipeline::step(std::uint64_t cycle, std::uint64_t cycles) {
  cycle_ = cycle;
  const FormationView view = slice_->sample();
  const bool issued = view.issued != 0 && driven_.issued_ready;
  if (!issued) count_stall(view, cycles);
  sample(view);
  look_for_misses();
  look_at_fences();
  // Two that are done at once are let pass one after the other.
  const bool waits = commit_held_ || (returns_ && !last_stage_.empty()), is_full = pending() > point_.pending_warps;
  if (waits || is_full) {
    held_ = waits ? Stall::CommitPort : Stall::PendingFull;
    write_back();
  } else {
    held_ = Stall::Formation;
    execute();
    write_back();
    enter_operand_read();
  }
  if (issued) take(view);
  drive();
  return issued;
}

void FormationPipeline::rest() {
  driven_ = {};
  slice_->drive(driven_);
}

// ---- what the block did ----

void FormationPipeline::sample(const FormationView& view) {
  commit_held_ = driven_.commit.lanes != 0 && !view.commit_ready;
  if (driven_.commit.lanes != 0 && view.commit_ready) (returns_ ? returning_ : last_stage_).pop_front();
  if (driven_.launch.threads != 0 && view.launch_ready) launches_.pop_front();
  Statistics& statistics = counters_.statistics;
  statistics.formation_hits += view.hits;
  statistics.formation_conflicts += view.conflicts;
  statistics.formation_evictions += view.evictions;
}

/// R4 of the block, as seen from here: what it issues is live, and was in no other place.
void FormationPipeline::take(const FormationView& view) {
  const Instruction& instruction = launch_->program->code[view.pc];
  const unsigned token = in_flight_.take();
  if (token >= carried_.size()) carried_.resize(token + 1);
  carried_[token] = {view.cta, view.data, false};
  InFlight& flight = in_flight_[token];
  flight.instruction = &instruction;
  flight.pc = view.pc;
  flight.scheduler = scheduler_;
  flight.k = 0;
  flight.path_lanes = flight.lanes = flight.live = view.issued;
  const unsigned first = view.tids[static_cast<unsigned>(__builtin_ctz(view.issued))];
  flight.warp = SliceWarp(first / point_.lanes);
  flight.threads = Threads(row(first), view.issued);
  isa::for_each_lane(view.issued, [&](unsigned lane) {
    const unsigned its = view.tids[lane], home = its % point_.lanes;
    if (in_pipeline_[its] || (rows_[its / point_.lanes].live >> home & 1) == 0)
      throw std::logic_error(fmt::format("warp formation issued thread {}, which is not there", its));
    in_pipeline_[its] = true;
    pcs_[its] = view.pc;
    if (home != lane || its / point_.lanes != first / point_.lanes) flight.threads.set(lane, {row(its), home});
  });
  fetch_.enter(token, view.pc, cycle_);
  count_issue(view);
}

// ---- the pipeline ----

void FormationPipeline::enter_operand_read() {
  if (fetch_.empty()) return;
  if (!fetch_.ready(cycle_)) {
    if (fetch_.awaits_line()) held_ = Stall::BufferEmpty;
    return;
  }
  const unsigned token = fetch_.first();
  InFlight& flight = in_flight_[token];
  const Instruction& instruction = *flight.instruction;
  if (!may_execute(instruction, held_)) return;
  fetch_.leave();
  if (instruction.unit == isa::Unit::Special) special_free_ = cycle_ + point_.special_interval;
  if (instruction.half_rate) lanes_free_ = cycle_ + point_.half_rate_interval;
  if (accesses_memory(instruction.kind)) lsu_.reserve(accesses_of(instruction, *launch_));
  if (instruction.kind == Kind::Barrier) flight.lanes &= registers_.guard(instruction.guard, flight.threads);
  const unsigned turns = threads_of_a_home(flight, flight.path_lanes);
  counters_.statistics.bank_conflict_cycles +=
      (turns - 1) * ((OperandCollector::words(instruction) + point_.operand_words - 1) / point_.operand_words);
  execute_.accept(token, turns);
  reading_ = token;
}

bool FormationPipeline::may_execute(const Instruction& instruction, Stall& why) const {
  if (execute_.reading() != nullptr) {
    why = Stall::OperandRead;
    return false;
  }
  if (instruction.unit == isa::Unit::Special && cycle_ < special_free_) {
    why = Stall::StructuralSpecial;
    return false;
  }
  if (instruction.needs_lanes() && cycle_ < lanes_free_) {
    why = Stall::StructuralLanes;
    return false;
  }
  if (accesses_memory(instruction.kind) && lsu_.unreserved_room() < point_.schedulers * most_accesses_) {
    why = Stall::StructuralLoadStore;
    return false;
  }
  return true;
}

void FormationPipeline::execute() {
  const Executed done = execute_.step(cycle_);
  if (done.any) executed(reading_, done);
}

/// Its record says what it was, also if it was given back in this edge.
void FormationPipeline::executed(unsigned token, const Executed& done) {
  const InFlight& flight = in_flight_[token];
  const Instruction& instruction = *flight.instruction;
  FormationCommit commit = after(token, flight.path_lanes);
  switch (instruction.kind) {
    case Kind::Branch: {
      const bool jumps = done.convergence.op == BarrierOp::Jump;
      isa::for_each_lane(commit.lanes, [&](unsigned lane) {
        if (jumps)
          commit.pcs[lane] = static_cast<isa::Pc>(execute_.targets()[lane]);
        else if ((done.resolution.lanes >> lane & 1) != 0)
          commit.pcs[lane] = done.resolution.target;
      });
      finish(commit, false);
      break;
    }
    case Kind::Exit:
      for_each_row(flight.threads, done.exited,
                   [&](SmWarp row, Lanes its) { row_of(row).live &= ~homes(flight.threads, its); });
      commit.lanes &= ~done.exited;
      finish(commit, false);
      break;
    case Kind::Barrier:
      arrived(token);
      break;
    case Kind::Fence:
      fences_.push_back({commit, &instruction, flight.threads, flight.lanes, {}});
      if (!continue_fence(fences_.back())) break;
      pass(fences_.back(), false);
      fences_.pop_back();
      break;
    case Kind::Load:
    case Kind::Store:
    case Kind::Atomic:
      if (flight.lanes != 0) accesses_.push_back({token, cycle_ + lsu_.hit_latency(space_of(instruction)), false});
      break;
    default:
      if (done.is_done) finish(commit, false);
      break;
  }
}

/// Lanes that wait go to the block apart from those whose guard does not hold.
void FormationPipeline::arrived(unsigned token) {
  const InFlight& flight = in_flight_[token];
  const bool arrives_only = flight.instruction->barrier_op == isa::BarrierOp::Arrive;
  const Lanes waits = arrives_only ? 0 : flight.lanes;
  for_each_row(flight.threads, waits,
               [&](SmWarp row, Lanes its) { row_of(row).waiting |= homes(flight.threads, its); });
  FormationCommit held = after(token, waits);
  held.waits = true;
  finish(held, false);
  finish(after(token, flight.path_lanes & ~waits), false);
}

/// One result a cycle, and one for each turn where threads of a home lane take turns; the warp is done with the last.
void FormationPipeline::write_back() {
  if (writing_ != 0) {
    if (--writing_ == 0) finish(written_, written_missed_);
    return;
  }
  const WrittenBack result = writeback_.step(cycle_);
  if (!result.valid) return;
  const InFlight& flight = in_flight_[result.token];
  if (flight.instruction->kind == Kind::Barrier) return;  // its lanes went on when it was executed
  written_ = after(result.token, flight.path_lanes);
  written_missed_ = carried_[result.token].missed;
  if (!result.name.is_none() && !result.name.is_predicate()) writing_ = threads_of_a_home(flight, flight.lanes) - 1;
  counters_.statistics.bank_conflict_cycles += writing_;
  if (writing_ == 0) finish(written_, written_missed_);
}

/// The most of these lanes that carry threads of one home lane: what takes turns at a bank.
unsigned FormationPipeline::threads_of_a_home(const InFlight& flight, Lanes lanes) const {
  if (!takes_turns_ || flight.threads.in_one_row()) return 1;
  std::array<unsigned, isa::MaxLanes> threads{};
  unsigned most = 1;
  isa::for_each_lane(lanes, [&](unsigned lane) { most = std::max(most, ++threads[flight.threads[lane].home]); });
  return most;
}

// ---- memory ----

WarpAccess::Space FormationPipeline::space_of(const Instruction& instruction) const {
  if (instruction.space == isa::Space::Shared) return WarpAccess::Space::Shared;
  return lsu_.reads_constants(instruction) ? WarpAccess::Space::Constant : WarpAccess::Space::Global;
}

void FormationPipeline::complete(unsigned token, std::uint64_t cycle) {
  const InFlight& flight = in_flight_[token];
  if (flight.instruction->kind == Kind::Barrier) {
    registers_.write(flight.instruction->destination, flight.threads, flight.lanes, flight.values);
    in_flight_.give_back(token);
    return;
  }
  const auto access =
      std::find_if(accesses_.begin(), accesses_.end(), [&](const Access& a) { return a.token == token; });
  carried_[token].missed = access->pending;
  accesses_.erase(access);
  if (!flight.instruction->destination.is_none()) {
    writeback_.expect(token, cycle, 0);
    return;
  }
  finish(after(token, flight.path_lanes), carried_[token].missed);
  in_flight_.give_back(token);
}

void FormationPipeline::look_for_misses() {
  for (Access& access : accesses_) {
    if (access.pending || access.due > cycle_) continue;
    access.pending = true;
    ++counters_.statistics.pending_warps;
  }
}

unsigned FormationPipeline::pending() const {
  const auto missed = std::count_if(accesses_.begin(), accesses_.end(), [](const Access& a) { return a.pending; });
  return static_cast<unsigned>(missed + static_cast<std::ptrdiff_t>(fences_.size()));
}

/// \return it waits for nothing more
bool FormationPipeline::continue_fence(Fence& fence) const {
  fence.wait = continue_wait(fence.wait, *fence.instruction, fence.threads, fence.lanes, lsu_);
  return is_over(fence);
}

bool FormationPipeline::is_over(const Fence& fence) const {
  return heddle::is_over(fence.wait, *fence.instruction, fence.threads, fence.lanes, lsu_, ctas_.threads());
}

/// In the next edge something of its wait would be another: it ends, or it goes on with what its CTA has sent.
bool FormationPipeline::continues(const Fence& fence) const {
  const FenceWait next = continue_wait(fence.wait, *fence.instruction, fence.threads, fence.lanes, lsu_);
  return is_over(fence) || !(next == fence.wait);
}

/// \param missed  it comes back from the pending table
void FormationPipeline::pass(const Fence& fence, bool missed) {
  if (fence.lanes != 0 && isa::acquires_for_device(*fence.instruction)) lsu_.acquire();
  finish(fence.commit, missed);
}

void FormationPipeline::look_at_fences() {
  if (fences_.empty()) return;
  const auto passed =
      std::stable_partition(fences_.begin(), fences_.end(), [&](Fence& fence) { return !continue_fence(fence); });
  for (auto fence = passed; fence != fences_.end(); ++fence) pass(*fence, true);
  fences_.erase(passed, fences_.end());
}

// ---- the last stage ----

/// The instruction is done for these lanes, and they go on behind it.
FormationCommit FormationPipeline::after(unsigned token, Lanes lanes) const {
  const InFlight& flight = in_flight_[token];
  FormationCommit commit;
  commit.lanes = lanes;
  commit.cta = carried_[token].cta;
  commit.data = carried_[token].data;
  commit.passed = flight.instruction->is_post_dominator;
  isa::for_each_lane(lanes, [&](unsigned lane) {
    commit.tids[lane] = static_cast<std::uint16_t>(tid(flight.threads[lane]));
    commit.pcs[lane] = flight.pc + 1;
  });
  return commit;
}

void FormationPipeline::finish(FormationCommit commit, bool missed) {
  if (commit.lanes == 0) return;
  isa::for_each_lane(commit.lanes, [&](unsigned lane) { pcs_[commit.tids[lane]] = commit.pcs[lane]; });
  const unsigned most = (1U << point_.scheduler_data_bits) - 1;
  counters_.statistics.post_dominator_saturations += commit.passed && commit.data == most;
  (missed ? returning_ : last_stage_).push_back(commit);
}

// ---- threads ----

void FormationPipeline::start(SliceWarp warp, Lanes lanes) {
  rows_[warp.index()] = {lanes, 0};
  isa::for_each_lane(lanes, [&](unsigned lane) {
    pcs_[warp.index() * point_.lanes + lane] = 0;
    in_pipeline_[warp.index() * point_.lanes + lane] = false;
    back_[warp.index() * point_.lanes + lane] = cycle_;
  });
  launches_.push_back(warp);
}

void FormationPipeline::barrier_opened(SliceWarp warp, Lanes lanes) {
  rows_[warp.index()].waiting &= ~lanes;
  isa::for_each_lane(lanes, [&](unsigned lane) { back_[warp.index() * point_.lanes + lane] = cycle_; });
  opening_ |= std::uint64_t(1) << cta_of(warp);
}

bool FormationPipeline::blocked_at_barriers(SliceWarp warp) const {
  const Row& its = rows_[warp.index()];
  return its.live != 0 && (its.live & ~its.waiting) == 0 && (opening_ >> cta_of(warp) & 1) == 0;
}

bool FormationPipeline::drained(SliceWarp warp) const {
  return rows_[warp.index()].live == 0 && lsu_.outstanding_stores(numbers_.in_sm(scheduler_, warp)) == 0;
}

PathView FormationPipeline::path(SliceWarp warp, unsigned k) const {
  const Row& its = rows_[warp.index()];
  return path_of_row(&pcs_[warp.index() * point_.lanes], its.live, its.waiting, k);
}

std::string FormationPipeline::who_is_passed_over(std::uint64_t cycles) const {
  struct Place {
    unsigned threads = 0;
    std::uint64_t longest = 0;
  };
  std::map<isa::Pc, Place> places;
  for (unsigned t = 0; t < pcs_.size(); ++t) {
    const Row& its = rows_[t / point_.lanes];
    const bool is_in_the_block = ((its.live & ~its.waiting) >> t % point_.lanes & 1) != 0 && !in_pipeline_[t];
    if (!is_in_the_block || cycle_ - back_[t] < cycles) continue;
    Place& place = places[pcs_[t]];
    ++place.threads;
    place.longest = std::max(place.longest, cycle_ - back_[t]);
  }
  std::string text;
  for (const auto& [pc, place] : places)
    text += fmt::format(
        "  the policy of --divergence {} issues others first: {} thread{} ready for up to {} cycles at "
        "{} {}\n",
        policy_, place.threads, place.threads == 1 ? " has been" : "s have been", place.longest,
        isa::describe_place(*launch_->program, pc), launch_->program->code[pc].mnemonic);
  return text;
}

// ---- what the block is told ----

void FormationPipeline::drive() {
  FormationDrive drive;
  if (!commit_held_) returns_ = !returning_.empty();
  const std::deque<FormationCommit>& queue = returns_ ? returning_ : last_stage_;
  if (!queue.empty()) drive.commit = queue.front();
  counters_.statistics.commit_holds += returns_ && !last_stage_.empty();
  isa::for_each_lane(drive.commit.lanes, [&](unsigned lane) {
    const auto thread = in_pipeline_.begin() + drive.commit.tids[lane];
    if (!commit_held_ && !*thread)
      throw std::logic_error(fmt::format("thread {} goes back to warp formation twice", drive.commit.tids[lane]));
    if (!commit_held_) *thread = false, back_[drive.commit.tids[lane]] = cycle_;
  });
  if (!launches_.empty()) {
    const SliceWarp warp = launches_.front();
    drive.launch = {rows_[warp.index()].live, warp.index(), cta_of(warp), 0};
  }
  if (opening_ != 0) release(drive);
  drive.issued_ready = fetch_.has_room();
  slice_->drive(drive);
  driven_ = drive;
  was_empty_ = pipeline_empty();
  access_pc_ = accesses_.empty() ? isa::NoPc : in_flight_[accesses_.front().token].pc;
}

/// The barrier of one CTA opens when all that wait at it are in the block; it opens for all that do.
void FormationPipeline::release(FormationDrive& drive) {
  const auto cta = static_cast<unsigned>(__builtin_ctzll(opening_));
  const auto arrives = [&](const FormationCommit& commit) { return commit.waits && commit.cta == cta; };
  if (std::any_of(last_stage_.begin(), last_stage_.end(), arrives)) return;
  for (unsigned w = 0; w < rows_.size(); ++w) {
    const SmWarp row = numbers_.in_sm(scheduler_, SliceWarp(w));
    const Lanes others = rows_[w].waiting;
    if (others == 0 || cta_of(SliceWarp(w)) != cta) continue;
    isa::throw_execution_error(
        isa::ErrorCode::NotSupported,
        fmt::format("threads {:#010x} of warp {} wait at another barrier than the one that opens; warp formation knows "
                    "one CTA barrier a block",
                    others, ctas_.threads()[row].warp.index()),
        ctas_.threads().site({row, static_cast<unsigned>(__builtin_ctz(others))}, ctas_.barrier_pc(row)));
  }
  drive.releases = true;
  drive.released_cta = cta;
  opening_ &= opening_ - 1;
}

// ---- what is counted ----

void FormationPipeline::count_issue(const FormationView& view) {
  Statistics& statistics = counters_.statistics;
  const auto lanes = isa::count_of(view.issued);
  ++statistics.warp_instructions;
  statistics.spill_instructions += launch_->program->code[view.pc].is_spill ? 1 : 0;
  statistics.thread_instructions += lanes;
  ++statistics.active_lanes[lanes];
  ++statistics.paths;
  ++statistics.depth[0];
  ++counters_.code.at(view.pc).issues;
  counters_.code.at(view.pc).active_lanes += lanes;
  last_pc_ = view.pc;
}

// R4 of the block: a thread is in one place. What exits keeps its place in the pipeline, and is nowhere else.
void FormationPipeline::check() const {
  const std::vector<unsigned> places = slice_->places();
  for (unsigned t = 0; t < places.size(); ++t) {
    const unsigned row = t / point_.lanes;
    const bool is_live = (rows_[row].live >> t % point_.lanes & 1) != 0;
    const bool starts = std::find(launches_.begin(), launches_.end(), SliceWarp(row)) != launches_.end();
    const unsigned expected = is_live && !in_pipeline_[t] && !starts ? 1 : 0;
    if (places[t] != expected)
      throw std::logic_error(fmt::format("thread {} is in {} places of warp formation, expected {}: it {}", t,
                                         places[t], expected,
                                         !is_live          ? "has exited"
                                         : in_pipeline_[t] ? "is in the pipeline"
                                         : starts          ? "has not started"
                                                           : "is not in the pipeline"));
  }
}

/// Nothing has changed while the clock was gated, so the reason was the same all the time: that of the last step.
void FormationPipeline::count_stall(const FormationView& view, std::uint64_t cycles) {
  if (std::none_of(rows_.begin(), rows_.end(), [](const Row& row) { return row.live != 0; })) {
    counters_.statistics.stalls[static_cast<unsigned>(Stall::NoWarp)] += cycles;
    return;
  }
  Stall why = Stall::Formation;
  if (view.issued != 0)
    why = held_;
  else if (was_empty_ && slice_->idle())
    why = access_pc_ != isa::NoPc || !fences_.empty() ? Stall::Memory : launches_.empty() ? Stall::Barrier : why;
  const isa::Pc pc = why == Stall::Memory && access_pc_ != isa::NoPc ? access_pc_ : last_pc_;
  counters_.statistics.stalls[static_cast<unsigned>(why)] += cycles;
  counters_.code.at(pc).stalls[static_cast<unsigned>(why)] += cycles;
}

// ---- the clock gate ----

bool FormationPipeline::pipeline_empty() const {
  return fetch_.empty() && execute_.reading() == nullptr && writeback_.waiting() == 0 && writing_ == 0 &&
         last_stage_.empty() && returning_.empty();
}

bool FormationPipeline::idle() const {
  const bool asks = driven_.commit.lanes != 0 || driven_.launch.threads != 0 || driven_.releases;
  const bool hits =
      std::any_of(accesses_.begin(), accesses_.end(), [](const Access& access) { return !access.pending; });
  const bool passes = std::any_of(fences_.begin(), fences_.end(), [&](const Fence& fence) { return continues(fence); });
  return pipeline_empty() && launches_.empty() && opening_ == 0 && !asks && !hits && !passes && slice_->idle();
}

std::vector<std::uint64_t> FormationPipeline::shows() const {
  std::vector<std::uint64_t> values{fetch_.size(), writeback_.waiting(), last_stage_.size(), returning_.size(),
                                    pending(),     launches_.size()};
  for (const Row& row : rows_) values.push_back(row.live), values.push_back(row.waiting);
  values.insert(values.end(), pcs_.begin(), pcs_.end());
  const FormationView view = slice_->sample();
  values.insert(values.end(), {view.issued, view.pc, view.cta});
  return values;
}

}  // namespace heddle
