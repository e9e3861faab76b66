// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/threads/cta_unit.h"

#include <algorithm>
#include <fmt/format.h>

#include "sim/isa/lanes.h"
#include "sim/sm/threads/occupancy.h"

namespace heddle {

namespace {

[[noreturn]] void does_not_fit(const isa::Launch& launch, isa::ErrorCode error, const char* what, std::uint64_t needed,
                               std::uint64_t limit, const std::string& advice = "") {
  throw isa::ExecutionError(error, fmt::format("kernel {} needs {} {} a CTA, an SM of this design point has {}{}",
                                               launch.program->name, needed, what, limit, advice));
}

/// The most registers a thread that a CTA can have, if the compiler can do with them.
std::string fewer_registers(std::uint64_t a_thread) {
  if (a_thread < isa::LeastRegisters) return "";
  return fmt::format("; with --max-registers {} it fits, and what is left over goes to local memory", a_thread);
}

}  // namespace

CtaUnit::CtaUnit(const DesignPoint& point, SmPlace place, Counters& counters, WarpPort& warps, unsigned resident_warps,
                 AffinePort* affine)
    : point_(point),
      counters_(counters),
      warps_(warps),
      most_warps_(resident_warps == 0 ? point.warps : std::min(resident_warps, point.warps)),
      threads_(point.warps, point.lanes, place),
      ctas_(point.ctas),
      barrier_pc_(point.warps, 0),
      affine_(affine) {}

void CtaUnit::start(const isa::Launch& launch, CtaDispatcher& dispatcher) {
  threads_.load(launch);
  dispatcher_ = &dispatcher;
  in_batches_ = affine_ != nullptr && affine_->runs();
  held_ = false;
  done_ = false;
  notified_ = true;
  has_room_ = true;
  coming_.clear();
}

void CtaUnit::step(std::uint64_t cycle) {
  settle(cycle);
  if (in_batches_) {
    start_batch(cycle);
  } else {
    ask(cycle);
    for (; !coming_.empty() && coming_.front().due <= cycle; coming_.pop_front()) start_cta(coming_.front().index);
  }
}

bool CtaUnit::idle() const {
  if (notified_ || !coming_.empty()) return false;
  if (in_batches_ && may_start_batch()) return false;
  if (held_ && std::any_of(ctas_.begin(), ctas_.end(),
                           [this](const Cta& cta) { return cta.used && cta.barriers.has_opened() && may_pass(cta); }))
    return false;
  if (!leaving_) return true;
  for (unsigned row = 0; row < threads_.rows(); ++row)
    if (threads_[SmWarp(row)].used && warps_.drained(SmWarp(row))) return false;
  return true;
}

unsigned CtaUnit::room_for(const isa::Launch& launch) const {
  const DesignPoint& point = point_;
  const unsigned warps = (threads_per_cta(launch) + point.lanes - 1) / point.lanes;
  const isa::Program& program = *launch.program;
  if (warps > most_warps_) does_not_fit(launch, isa::ErrorCode::InvalidConfiguration, "warps", warps, most_warps_);
  const std::uint64_t registers = std::uint64_t(program.registers) * threads_per_cta(launch);
  if (registers > point.registers)
    does_not_fit(launch, isa::ErrorCode::OutOfResources, "registers", registers, point.registers,
                 fewer_registers(point.registers / threads_per_cta(launch)));
  if (shared_bytes(launch) > point.shared_bytes)
    does_not_fit(launch, isa::ErrorCode::OutOfResources, "bytes of shared memory", shared_bytes(launch),
                 point.shared_bytes);
  return std::min(occupancy(program, threads_per_cta(launch), point, launch.dynamic_shared).ctas, most_warps_ / warps);
}

/// Asks for as many CTAs as there is room for beside those that are coming.
void CtaUnit::ask(std::uint64_t cycle) {
  if (!has_room_ || nothing_left()) return;
  has_room_ = false;
  for (unsigned left = rooms(); coming_.size() < left && !nothing_left();) {
    const unsigned sm = threads_.place().number;
    const std::uint64_t due = dispatcher_->is_first(sm) ? cycle : cycle + point_.dispatch_latency;
    coming_.push_back({dispatcher_->next(sm), due});
  }
}

/// How many more CTAs fit.
unsigned CtaUnit::rooms() const {
  const isa::Launch& launch = threads_.launch();
  const unsigned threads = threads_per_cta(launch), warps = warps_of(launch);
  unsigned used_warps = 0;
  for (unsigned row = 0; row < threads_.rows(); ++row) used_warps += threads_[SmWarp(row)].used ? 1 : 0;
  const unsigned used = used_ctas();
  unsigned most = std::min(point_.ctas - used, (most_warps_ - used_warps) / warps);
  const auto limit = [&](std::uint64_t there, std::uint64_t each) {
    if (each != 0)
      most = std::min(most, static_cast<unsigned>(there / each - std::min<std::uint64_t>(there / each, used)));
  };
  limit(point_.registers, std::uint64_t(launch.program->registers) * threads);
  limit(point_.shared_bytes, shared_bytes(launch));
  return in_batches_ ? std::min(most, free_groups(warps)) : most;
}

/// Where a CTA goes; rooms() != 0.
CtaUnit::Room CtaUnit::find_room() const {
  const auto free = std::find_if(ctas_.begin(), ctas_.end(), [](const Cta& cta) { return !cta.used; });
  Room room;
  room.slot = static_cast<unsigned>(free - ctas_.begin());
  if (in_batches_) room.first = free_group(warps_of(threads_.launch()));
  return room;
}

bool CtaUnit::is_free(unsigned first, unsigned warps) const {
  for (unsigned row = first; row < first + warps; ++row)
    if (threads_[SmWarp(row)].used) return false;
  return true;
}

/// Aligned groups of so many rows that are free.
unsigned CtaUnit::free_groups(unsigned warps) const {
  unsigned groups = 0;
  for (unsigned first = 0; first + warps <= threads_.rows(); first += warps) groups += is_free(first, warps) ? 1 : 0;
  return groups;
}

/// The first row of the lowest one.
unsigned CtaUnit::free_group(unsigned warps) const {
  unsigned first = 0;
  while (!is_free(first, warps)) first += warps;
  return first;
}

void CtaUnit::start_cta(const isa::Dim3& index) {
  const isa::Launch& launch = threads_.launch();
  const unsigned threads = threads_per_cta(launch), warps = warps_of(launch);
  const Room room = find_room();
  Cta& cta = ctas_[room.slot];
  cta.used = true;
  cta.index = index;
  cta.barriers.start(threads, point_.lanes);
  cta.reductions.clear();
  cta.warps_left = warps;
  cta.shared.assign(shared_bytes(launch), 0);
  if (in_batches_) affine_->started(room.slot, SmWarp(room.first), cta.index);
  for (unsigned row = room.first, cta_warp = 0; cta_warp < warps; ++row) {
    ThreadTable::Row& its = threads_[SmWarp(row)];
    if (its.used) continue;
    its = {true, room.slot, cta.index, CtaWarp(cta_warp)};
    warps_.start(SmWarp(row), isa::first_lanes(std::min(point_.lanes, threads - cta_warp * point_.lanes)));
    ++cta_warp;
  }
}

// ---- batches ----

bool CtaUnit::may_start_batch() const {
  if (nothing_left() || !coming_.empty()) return false;
  const bool empty = std::none_of(ctas_.begin(), ctas_.end(), [](const Cta& cta) { return cta.used; });
  return has_room_ && affine_->may_start(empty) && rooms() != 0;
}

/// Whatever has room in the edge that asks is one; it starts when its last CTA is there.
void CtaUnit::start_batch(std::uint64_t cycle) {
  if (may_start_batch()) ask(cycle);
  if (coming_.empty() || coming_.back().due > cycle) return;
  for (const Coming& one : coming_) start_cta(one.index);
  coming_.clear();
  affine_->batch_is_complete();
}

// ---- barriers ----

void CtaUnit::arrive(SmWarp row, const isa::BarrierArrival& arrival, isa::Pc pc, unsigned token) {
  Cta& cta = ctas_[threads_[row].cta];
  barrier_pc_[row.index()] = pc;
  if (token != NoToken) cta.reductions.push_back({static_cast<unsigned>(arrival.barrier), token});
  cta.barriers.arrive(arrival);
  notified_ = true;
}

void CtaUnit::exit(SmWarp row, isa::Lanes homes, std::uint64_t cycle) {
  ctas_[threads_[row].cta].barriers.exit(threads_[row].warp.index(), homes);
  if (homes != 0) counters_.last_progress = cycle;
  notified_ = true;
}

/// Opened barriers release their lanes and deliver the results of reductions. Of a launch in two streams one an edge, if
/// it may.
void CtaUnit::release_from_barriers(Cta& cta, std::uint64_t cycle) {
  if (!in_batches_) {
    while (cta.barriers.has_opened()) open_barrier(cta, cycle);
    return;
  }
  if (cta.barriers.has_opened() && may_pass(cta)) {
    affine_->passed(number_of(cta));
    open_barrier(cta, cycle);
  }
  held_ = held_ || cta.barriers.has_opened();
}

void CtaUnit::open_barrier(Cta& cta, std::uint64_t cycle) {
  const isa::BarrierOpening opening = cta.barriers.take_opened();
  ++counters_.statistics.barriers;
  counters_.last_progress = cycle;
  for (unsigned row = 0; row < threads_.rows(); ++row) {
    const ThreadTable::Row& its = threads_[SmWarp(row)];
    if (!is_of(its, cta) || opening.waiting[its.warp.index()] == 0) continue;
    warps_.barrier_opened(SmWarp(row), opening.waiting[its.warp.index()]);
  }
  const auto answered = std::partition(cta.reductions.begin(), cta.reductions.end(),
                                       [&](const PendingReduction& r) { return r.barrier != opening.barrier; });
  for (auto reduction = answered; reduction != cta.reductions.end(); ++reduction)
    warps_.answer(reduction->token, opening.value);
  cta.reductions.erase(answered, cta.reductions.end());
}

/// Nobody of the CTA can go on before a barrier opens, and none will.
void CtaUnit::check_barriers(const Cta& cta) const {
  bool any = false;
  SmWarp waiting;
  for (unsigned row = 0; row < threads_.rows(); ++row) {
    const SmWarp warp(row);
    if (!is_of(threads_[warp], cta) || warps_.live(warp) == 0) continue;
    if (!warps_.blocked_at_barriers(warp)) return;
    any = true;
    waiting = warp;
  }
  if (!any) return;
  const auto lane = static_cast<unsigned>(__builtin_ctz(warps_.waiting(waiting)));
  isa::throw_execution_error(
      isa::ErrorCode::BarrierNeverOpens,
      fmt::format("all threads of a block wait, and no barrier opens: {}", cta.barriers.describe()),
      threads_.site({waiting, lane}, barrier_pc(waiting)));
}

/// After an exit, a barrier or a completed access: barriers open, warp slots and CTAs are given back.
void CtaUnit::settle(std::uint64_t cycle) {
  if (!notified_ && !leaving_ && !held_) return;
  notified_ = leaving_ = held_ = false;
  for (Cta& cta : ctas_) {
    if (!cta.used) continue;
    release_from_barriers(cta, cycle);
    if (cta.barriers.anyone_has_arrived() && !cta.barriers.has_opened()) check_barriers(cta);
  }
  bool used = false;
  for (unsigned row = 0; row < threads_.rows(); ++row) {
    const SmWarp warp(row);
    if (!threads_[warp].used) continue;
    if (warps_.live(warp) == 0) {
      if (warps_.drained(warp)) {
        threads_[warp].used = false;
        has_room_ = true;
        Cta& cta = ctas_[threads_[warp].cta];
        if (--cta.warps_left == 0) cta.used = false;
        continue;
      }
      leaving_ = true;  // look again: its stack or its last stores are not through
    }
    used = true;
  }
  done_ = !used && nothing_left() && coming_.empty();
}

unsigned CtaUnit::resident() const {
  return used_ctas() + static_cast<unsigned>(coming_.size());
}

unsigned CtaUnit::used_ctas() const {
  return static_cast<unsigned>(std::count_if(ctas_.begin(), ctas_.end(), [](const Cta& cta) { return cta.used; }));
}

std::string CtaUnit::describe_barriers() const {
  std::string text;
  for (const Cta& cta : ctas_) {
    const std::string barriers = cta.used ? cta.barriers.describe() : "";
    if (!barriers.empty())
      text += fmt::format("  block ({},{},{}): {}\n", cta.index.x, cta.index.y, cta.index.z, barriers);
  }
  return text;
}

}  // namespace heddle
