#include "sim/sm/cta_unit.h"

#include <algorithm>
#include <fmt/format.h>

#include "sim/isa/lanes.h"
#include "sim/sm/occupancy.h"

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

CtaUnit::CtaUnit(SmState& sm, std::vector<IssuePipeline>& pipelines, unsigned resident_warps)
    : sm_(sm),
      pipelines_(pipelines),
      most_warps_(resident_warps == 0 ? sm.point.warps : std::min(resident_warps, sm.point.warps)) {}

void CtaUnit::start(CtaDispatcher& dispatcher) {
  dispatcher_ = &dispatcher;
  done_ = false;
  news_ = true;
}

void CtaUnit::step() {
  settle();
  while (!nothing_left() && start_cta()) {}
}

bool CtaUnit::idle() const {
  if (news_) return false;
  if (!leaving_) return true;
  for (unsigned global = 0; global < sm_.warps.size(); ++global)
    if (sm_.warps[global].used && drained(global)) return false;
  return true;
}

unsigned CtaUnit::room_for(const isa::Launch& launch) const {
  const DesignPoint& point = sm_.point;
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

bool CtaUnit::start_cta() {
  const isa::Program& program = *sm_.launch.program;
  const DesignPoint& point = sm_.point;
  const unsigned threads = threads_per_cta(sm_.launch);
  const unsigned warps = (threads + point.lanes - 1) / point.lanes;
  unsigned used_warps = 0, used_ctas = 0, slot = point.ctas;
  for (const Warp& w : sm_.warps) used_warps += w.used;
  for (unsigned c = 0; c < point.ctas; ++c) {
    used_ctas += sm_.ctas[c].used;
    if (!sm_.ctas[c].used && slot == point.ctas) slot = c;
  }
  const bool fits = slot != point.ctas && used_warps + warps <= most_warps_ &&
                    std::uint64_t(used_ctas + 1) * program.registers * threads <= point.registers &&
                    std::uint64_t(used_ctas + 1) * shared_bytes(sm_.launch) <= point.shared_bytes;
  if (!fits) return false;
  Cta& cta = sm_.ctas[slot];
  cta.used = true;
  cta.index = dispatcher_->next(sm_.place.number);
  cta.barriers.start(threads, point.lanes);
  cta.reductions.clear();
  cta.warps_left = warps;
  cta.shared.assign(shared_bytes(sm_.launch), 0);
  for (unsigned global = 0, index = 0; index < warps; ++global) {
    if (sm_.warps[global].used) continue;
    const unsigned lanes = std::min(point.lanes, threads - index * point.lanes);
    sm_.warps[global].start(program, slot, index++, isa::first_lanes(lanes));
    if (sm_.local.bytes_per_warp() != 0) sm_.lsu.clear(sm_.local.base(global), sm_.local.bytes_per_warp());
    pipeline_of(global).launch(slot_of(global));
  }
  return true;
}

/// May the slot of this warp be given to another warp?
bool CtaUnit::drained(unsigned global) const {
  return pipeline_of(global).drained(slot_of(global));
}

/// Opened barriers release their lanes and deliver the results of reductions.
void CtaUnit::release_from_barriers(Cta& cta) {
  while (cta.barriers.has_opened()) {
    const isa::BarrierOpening opening = cta.barriers.take_opened();
    ++sm_.statistics.barriers;
    sm_.last_progress = sm_.cycle;
    for (unsigned global = 0; global < sm_.warps.size(); ++global) {
      Warp& w = sm_.warps[global];
      if (!w.used || &sm_.ctas[w.cta] != &cta || opening.waiting[w.index] == 0) continue;
      w.waiting &= ~opening.waiting[w.index];
      pipeline_of(global).barrier_opened(slot_of(global));
    }
    const auto answered = std::partition(cta.reductions.begin(), cta.reductions.end(),
                                         [&](const PendingReduction& r) { return r.barrier != opening.barrier; });
    for (auto reduction = answered; reduction != cta.reductions.end(); ++reduction) {
      InFlight& flight = sm_.in_flight[reduction->token];
      flight.values.fill(opening.value);
      pipelines_[flight.scheduler].complete(reduction->token);
    }
    cta.reductions.erase(answered, cta.reductions.end());
  }
}

/// Nobody of the CTA can go on before a barrier opens, and none will.
void CtaUnit::check_barriers(const Cta& cta) const {
  const Warp* waiting = nullptr;
  for (unsigned global = 0; global < sm_.warps.size(); ++global) {
    const Warp& w = sm_.warps[global];
    if (!w.used || &sm_.ctas[w.cta] != &cta || w.live == 0) continue;
    if (!pipeline_of(global).blocked_at_barriers(slot_of(global))) return;
    waiting = &w;
  }
  if (waiting == nullptr) return;
  isa::throw_execution_error(
      isa::ErrorCode::BarrierNeverOpens,
      fmt::format("all threads of a block wait, and no barrier opens: {}", cta.barriers.describe()),
      sm_.site(*waiting, waiting->barrier_pc, static_cast<unsigned>(__builtin_ctz(waiting->waiting))));
}

/// After an exit, a barrier or a completed access: barriers open, warp slots and CTAs are given back.
void CtaUnit::settle() {
  if (!news_ && !leaving_) return;
  news_ = leaving_ = false;
  for (Cta& cta : sm_.ctas) {
    if (!cta.used) continue;
    release_from_barriers(cta);
    check_barriers(cta);
  }
  bool used = false;
  for (unsigned global = 0; global < sm_.warps.size(); ++global) {
    Warp& w = sm_.warps[global];
    if (!w.used) continue;
    if (w.live == 0) {
      if (drained(global)) {
        w.used = false;
        Cta& cta = sm_.ctas[w.cta];
        if (--cta.warps_left == 0) cta.used = false;
        continue;
      }
      leaving_ = true;  // look again: its stack or its last stores are not through
    }
    used = true;
  }
  done_ = !used && nothing_left();
}

}  // namespace heddle
