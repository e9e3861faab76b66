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
}

void CtaUnit::step(std::uint64_t cycle) {
  settle(cycle);
  if (in_batches_)
    start_batch();
  else
    while (!nothing_left() && start_cta()) {}
}

bool CtaUnit::idle() const {
  if (notified_) return false;
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

CtaUnit::Room CtaUnit::find_room() const {
  const isa::Launch& launch = threads_.launch();
  const unsigned threads = threads_per_cta(launch);
  const unsigned warps = (threads + point_.lanes - 1) / point_.lanes;
  unsigned used_warps = 0, used_ctas = 0;
  Room room;
  room.slot = point_.ctas;
  for (unsigned row = 0; row < threads_.rows(); ++row) used_warps += threads_[SmWarp(row)].used;
  for (unsigned c = 0; c < point_.ctas; ++c) {
    used_ctas += ctas_[c].used;
    if (!ctas_[c].used && room.slot == point_.ctas) room.slot = c;
  }
  room.fits = room.slot != point_.ctas && used_warps + warps <= most_warps_ &&
              std::uint64_t(used_ctas + 1) * launch.program->registers * threads <= point_.registers &&
              std::uint64_t(used_ctas + 1) * shared_bytes(launch) <= point_.shared_bytes;
  if (!room.fits || !in_batches_) return room;
  room.first = free_group(warps);
  room.fits = room.first != threads_.rows();
  return room;
}

/// The first row of the lowest free aligned group of so many; as many as there are rows: none is free.
unsigned CtaUnit::free_group(unsigned warps) const {
  for (unsigned first = 0; first + warps <= threads_.rows(); first += warps) {
    bool used = false;
    for (unsigned row = first; row < first + warps; ++row) used = used || threads_[SmWarp(row)].used;
    if (!used) return first;
  }
  return threads_.rows();
}

bool CtaUnit::start_cta() {
  if (!has_room_) return false;
  const isa::Launch& launch = threads_.launch();
  const unsigned threads = threads_per_cta(launch);
  const unsigned warps = (threads + point_.lanes - 1) / point_.lanes;
  const Room room = find_room();
  has_room_ = room.fits;
  if (!room.fits) return false;
  Cta& cta = ctas_[room.slot];
  cta.used = true;
  cta.index = dispatcher_->next(threads_.place().number);
  cta.barriers.start(threads, point_.lanes);
  cta.reductions.clear();
  cta.warps_left = warps;
  cta.shared.assign(shared_bytes(launch), 0);
  if (in_batches_) affine_->started(room.slot, SmWarp(room.first), cta.index);
  for (unsigned row = room.first, index = 0; index < warps; ++row) {
    ThreadTable::Row& its = threads_[SmWarp(row)];
    if (its.used) continue;
    its = {true, room.slot, cta.index, CtaWarp(index)};
    warps_.start(SmWarp(row), isa::first_lanes(std::min(point_.lanes, threads - index * point_.lanes)));
    ++index;
  }
  return true;
}

// ---- batches ----

bool CtaUnit::may_start_batch() const {
  if (nothing_left()) return false;
  const bool empty = std::none_of(ctas_.begin(), ctas_.end(), [](const Cta& cta) { return cta.used; });
  return has_room_ && affine_->may_start(empty) && find_room().fits;
}

/// Whatever finds room in this edge is one.
void CtaUnit::start_batch() {
  if (!may_start_batch()) return;
  while (!nothing_left() && start_cta()) {}
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
  done_ = !used && nothing_left();
}

unsigned CtaUnit::resident() const {
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
