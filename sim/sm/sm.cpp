#include "sim/sm/sm.h"

#include <algorithm>
#include <fmt/format.h>

#include "sim/isa/lanes.h"
#include "sim/isa/loops.h"
#include "sim/sm/occupancy.h"

namespace heddle {

using sc_core::sc_time;

namespace {

const sc_time Period = core_cycles(1);

LoadStoreParameters load_store_parameters(const DesignPoint& point) {
  LoadStoreParameters parameters;
  parameters.warps = point.warps;
  parameters.queue_depth = point.load_store_queue;
  parameters.slots = point.load_store_slots;
  parameters.line_bytes = point.line_bytes;
  parameters.shared_latency = point.shared_latency;
  parameters.banks = {point.shared_banks, point.shared_bank_bytes};
  return parameters;
}

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

sm::sm(const sc_core::sc_module_name& name, const SmParameters& parameters, BackingStore& store)
    : sc_module(name),
      parameters_(parameters),
      gate_("gate", Period, [this] { return may_stop_clock(); }),
      lsu_("load_store_unit", load_store_parameters(*parameters.point), Period),
      state_{*parameters.point, parameters.place, store, lsu_} {
  const DesignPoint& point = *parameters_.point;
  state_.warps.resize(point.warps);
  state_.ctas.resize(point.ctas);
  for (unsigned s = 0; s < point.schedulers; ++s) {
    slices_.push_back(make_issue_slice("slice" + std::to_string(s), point, parameters_.mechanism, gate_.clk, rst_n_));
  }
  pipelines_.reserve(point.schedulers);
  for (unsigned s = 0; s < point.schedulers; ++s) pipelines_.emplace_back(state_, *slices_[s], s);
  rst_n_.write(true);
  SC_HAS_PROCESS(sm);
  SC_METHOD(edge);
  sensitive << gate_.clk.posedge_event();
  dont_initialize();
  SC_METHOD(on_reply);
  sensitive << lsu_.reply_event();
  dont_initialize();
}

unsigned sm::room_for(const isa::Launch& launch) const {
  const DesignPoint& point = state_.point;
  const unsigned warps = (threads_per_cta(launch) + point.lanes - 1) / point.lanes;
  const unsigned limit =
      parameters_.resident_warps == 0 ? point.warps : std::min(parameters_.resident_warps, point.warps);
  const isa::Program& program = *launch.program;
  if (warps > limit) does_not_fit(launch, isa::ErrorCode::InvalidConfiguration, "warps", warps, limit);
  const std::uint64_t registers = std::uint64_t(program.registers) * threads_per_cta(launch);
  if (registers > point.registers)
    does_not_fit(launch, isa::ErrorCode::OutOfResources, "registers", registers, point.registers,
                 fewer_registers(point.registers / threads_per_cta(launch)));
  if (shared_bytes(launch) > point.shared_bytes)
    does_not_fit(launch, isa::ErrorCode::OutOfResources, "bytes of shared memory", shared_bytes(launch),
                 point.shared_bytes);
  return std::min(occupancy(program, threads_per_cta(launch), point, launch.dynamic_shared).ctas, limit / warps);
}

void sm::start(const isa::Launch& launch, CtaDispatcher& dispatcher) {
  const DesignPoint& point = state_.point;
  state_.launch = launch;
  state_.local.start(*launch.program, point, state_.place.number, state_.place.sms, state_.store);
  state_.statistics = {};
  state_.branches.assign(launch.program->code.size(), {});
  state_.statistics.lanes = point.lanes;
  state_.statistics.schedulers = point.schedulers;
  dispatcher_ = &dispatcher;
  for (IssuePipeline& pipeline : pipelines_) pipeline.load();
  running_ = true;
  done_ = false;
  cta_news_ = true;
  gate_check_ = {};
  const std::uint64_t now = sc_core::sc_time_stamp().value() / Period.value();
  first_cycle_ = state_.cycle = state_.last_progress = now;
  gate_.reconsider();
}

void sm::edge() {
  const std::uint64_t cycle = sc_core::sc_time_stamp().value() / Period.value();
  if (!running_ || cycle == first_cycle_) return;  // a launch at the time of an edge begins with the next one
  try {
    step(cycle);
  } catch (...) { fail(); }
}

/// An exception must not travel through the simulation kernel: it would lose its type.
void sm::fail() {
  failure_ = std::current_exception();
  running_ = false;
  sc_core::sc_pause();
}

void sm::step(std::uint64_t cycle) {
  const std::uint64_t cycles = account(cycle);
  collect_replies();
  bool issued = false;
  for (IssuePipeline& pipeline : pipelines_) issued = pipeline.step(cycles) || issued;
  if (!issued) state_.statistics.idle_cycles += cycles;
  // Accesses that operand read handed over in this edge start in this cycle.
  lsu_.step();
  for (IssuePipeline& pipeline : pipelines_) cta_news_ = pipeline.take_cta_news() || cta_news_;
  settle_ctas();
  start_ctas();
  if (done_) {
    running_ = false;
    sc_core::sc_pause();
    return;
  }
  check_progress();
}

/// Returns the cycles since the last edge.
std::uint64_t sm::account(std::uint64_t cycle) {
  const std::uint64_t cycles = cycle - state_.cycle;
  state_.cycle = cycle;
  state_.statistics.cycles = cycle - first_cycle_;
  state_.statistics.scheduler_cycles = state_.statistics.cycles * state_.point.schedulers;
  return cycles;
}

// ---- the clock gate ----

/// Every part says so of itself. A part that is not on this clock, such as the L1, comes back with a reply.
bool sm::idle() const {
  if (!running_) return true;
  if (cta_news_ || !lsu_.idle()) return false;
  if (!std::all_of(pipelines_.begin(), pipelines_.end(), [](const IssuePipeline& p) { return p.idle(); })) return false;
  if (!leaving_) return true;
  for (unsigned global = 0; global < state_.warps.size(); ++global)
    if (state_.warps[global].used && drained(global)) return false;
  return true;
}

/// Without gating every cycle has its edge, and the next one shows whether idle meant it.
bool sm::may_stop_clock() {
  const bool still = idle();
  if (parameters_.clock_gate) return still;
  try {
    if (running_) gate_check_.look(still, lsu_.replies(), still ? what_it_shows() : std::vector<GateCheck::Part>());
  } catch (...) { fail(); }
  return false;
}

/// All that others see of it, and the counts that only work moves: an idle edge changes none of it.
std::vector<GateCheck::Part> sm::what_it_shows() const {
  std::vector<GateCheck::Part> parts{{"SM", state_.statistics.counts_of_work()}, {"load/store unit", lsu_.shows()}};
  parts[0].values.push_back(std::uint64_t(done_));
  for (const Warp& w : state_.warps) {
    parts[0].values.insert(parts[0].values.end(), {w.used, w.live, w.waiting, w.in_flight, w.branching});
  }
  for (unsigned s = 0; s < pipelines_.size(); ++s)
    parts.push_back({"scheduler " + std::to_string(s), pipelines_[s].shows()});
  return parts;
}

void sm::collect_replies() {
  for (Completed completed; lsu_.next_completed(completed);) {
    InFlight& flight = state_.in_flight[completed.token];
    if (completed.has_result) {
      if (completed.lanes == flight.lanes)
        flight.values = completed.value;
      else  // a part of the lanes
        for (unsigned l = 0; l < isa::MaxLanes; ++l)
          if ((completed.lanes >> l & 1) != 0) flight.values[l] = completed.value[l];
    }
    if (--flight.parts != 0) continue;
    pipelines_[flight.scheduler].complete(completed.token);
    cta_news_ = true;
  }
}

// ---- CTAs ----

bool sm::start_cta() {
  const isa::Program& program = *state_.launch.program;
  const DesignPoint& point = state_.point;
  const unsigned threads = threads_per_cta(state_.launch);
  const unsigned warps = (threads + point.lanes - 1) / point.lanes;
  const unsigned limit = parameters_.resident_warps == 0 ? point.warps : parameters_.resident_warps;
  unsigned used_warps = 0, used_ctas = 0, slot = point.ctas;
  for (const Warp& w : state_.warps) used_warps += w.used;
  for (unsigned c = 0; c < point.ctas; ++c) {
    used_ctas += state_.ctas[c].used;
    if (!state_.ctas[c].used && slot == point.ctas) slot = c;
  }
  const bool fits = slot != point.ctas && used_warps + warps <= std::min(limit, point.warps) &&
                    std::uint64_t(used_ctas + 1) * program.registers * threads <= point.registers &&
                    std::uint64_t(used_ctas + 1) * shared_bytes(state_.launch) <= point.shared_bytes;
  if (!fits) return false;
  Cta& cta = state_.ctas[slot];
  cta.used = true;
  cta.index = dispatcher_->next(state_.place.number);
  cta.barriers.start(threads, point.lanes);
  cta.reductions.clear();
  cta.warps_left = warps;
  cta.shared.assign(shared_bytes(state_.launch), 0);
  for (unsigned global = 0, index = 0; index < warps; ++global) {
    if (state_.warps[global].used) continue;
    const unsigned lanes = std::min(point.lanes, threads - index * point.lanes);
    state_.warps[global].start(program, slot, index++, isa::first_lanes(lanes));
    if (state_.local.bytes_per_warp() != 0) lsu_.clear(state_.local.base(global), state_.local.bytes_per_warp());
    pipelines_[global % point.schedulers].launch(global / point.schedulers);
  }
  return true;
}

void sm::start_ctas() {
  while (!dispatcher_->empty(state_.place.number) && start_cta()) {}
}

/// May the slot of this warp be given to another warp?
bool sm::drained(unsigned global) const {
  return pipelines_[global % state_.point.schedulers].drained(global / state_.point.schedulers);
}

/// Opened barriers release their lanes and deliver the results of reductions.
void sm::release_from_barriers(Cta& cta) {
  const unsigned schedulers = state_.point.schedulers;
  while (cta.barriers.has_opened()) {
    const isa::BarrierOpening opening = cta.barriers.take_opened();
    ++state_.statistics.barriers;
    state_.last_progress = state_.cycle;
    for (unsigned global = 0; global < state_.warps.size(); ++global) {
      Warp& w = warp(global);
      if (!w.used || &state_.ctas[w.cta] != &cta || opening.waiting[w.index] == 0) continue;
      w.waiting &= ~opening.waiting[w.index];
      pipelines_[global % schedulers].barrier_opened(global / schedulers);
    }
    const auto answered = std::partition(cta.reductions.begin(), cta.reductions.end(),
                                         [&](const PendingReduction& r) { return r.barrier != opening.barrier; });
    for (auto reduction = answered; reduction != cta.reductions.end(); ++reduction) {
      InFlight& flight = state_.in_flight[reduction->token];
      flight.values.fill(opening.value);
      pipelines_[flight.scheduler].complete(reduction->token);
    }
    cta.reductions.erase(answered, cta.reductions.end());
  }
}

/// Nobody of the CTA can go on before a barrier opens, and none will.
void sm::check_barriers(const Cta& cta) const {
  const Warp* waiting = nullptr;
  for (unsigned global = 0; global < state_.warps.size(); ++global) {
    const Warp& w = state_.warps[global];
    if (!w.used || &state_.ctas[w.cta] != &cta || w.live == 0) continue;
    if (!pipelines_[global % state_.point.schedulers].blocked_at_barriers(global / state_.point.schedulers)) return;
    waiting = &w;
  }
  if (waiting == nullptr) return;
  isa::throw_execution_error(
      isa::ErrorCode::BarrierNeverOpens,
      fmt::format("all threads of a block wait, and no barrier opens: {}", cta.barriers.describe()),
      state_.site(*waiting, waiting->barrier_pc, static_cast<unsigned>(__builtin_ctz(waiting->waiting))));
}

/// After an exit, a barrier or a completed access: barriers open, warp slots and CTAs are given back.
void sm::settle_ctas() {
  if (!cta_news_ && !leaving_) return;
  cta_news_ = leaving_ = false;
  for (Cta& cta : state_.ctas) {
    if (!cta.used) continue;
    release_from_barriers(cta);
    check_barriers(cta);
  }
  bool used = false;
  for (unsigned global = 0; global < state_.warps.size(); ++global) {
    Warp& w = warp(global);
    if (!w.used) continue;
    if (w.live == 0) {
      if (drained(global)) {
        w.used = false;
        Cta& cta = state_.ctas[w.cta];
        if (--cta.warps_left == 0) cta.used = false;
        continue;
      }
      leaving_ = true;  // look again: its stack or its last stores are not through
    }
    used = true;
  }
  done_ = !used && dispatcher_->empty(state_.place.number);
}

void sm::check_progress() const {
  if (parameters_.max_cycles != 0 && state_.statistics.cycles > parameters_.max_cycles) {
    throw isa::ExecutionError(
        isa::ErrorCode::CycleLimit,
        fmt::format("kernel {} is not done after {} cycles (--max-cycles){}\n{}", state_.launch.program->name,
                    parameters_.max_cycles, where_it_loops(), who_waits_where()));
  }
  if (parameters_.watchdog_cycles != 0 && state_.cycle - state_.last_progress > parameters_.watchdog_cycles) {
    throw isa::ExecutionError(
        isa::ErrorCode::Deadlock,
        fmt::format("kernel {} makes no progress{}: for {} cycles no thread exited, no barrier "
                    "opened and nothing was stored (SIMT "
                    "deadlock, or a long computation: see --watchdog)\n{}",
                    state_.launch.program->name, where_it_loops(), parameters_.watchdog_cycles, who_waits_where()));
  }
}

std::string sm::where_it_loops() const {
  std::vector<isa::Pc> places;
  for (unsigned global = 0; global < state_.warps.size(); ++global) {
    const Warp& w = state_.warps[global];
    if (!w.used || w.live == 0) continue;
    for (const bool right : {false, true}) {
      const PathView path = slices_[global % state_.point.schedulers]->path(global / state_.point.schedulers, right);
      if (path.mask != 0 && (path.mask & w.waiting) == 0) places.push_back(path.pc);
    }
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  const std::string loops = isa::describe_loops(*state_.launch.program, places);
  return loops.empty() ? "" : ", " + loops;
}

std::string sm::who_waits_where() const {
  const isa::Program& program = *state_.launch.program;
  std::string text;
  for (unsigned global = 0; global < state_.warps.size(); ++global) {
    const Warp& w = state_.warps[global];
    if (!w.used || w.live == 0) continue;
    const IssueSlice& slice = *slices_[global % state_.point.schedulers];
    const isa::Dim3& block = state_.ctas[w.cta].index;
    text += fmt::format("  warp {} of block ({},{},{}):", w.index, block.x, block.y, block.z);
    isa::Lanes shown = 0;
    for (const bool right : {false, true}) {
      const PathView path = slice.path(global / state_.point.schedulers, right);
      if (path.mask == 0) continue;
      shown |= path.mask;
      const char* what = (path.mask & w.waiting) != 0 ? "wait at the barrier before" : "run at";
      const isa::Pc pc = std::min<isa::Pc>(path.pc, static_cast<isa::Pc>(program.code.size()) - 1);
      text += fmt::format(" lanes {:#010x} {} {} {};", path.mask, what, isa::describe_place(program, pc),
                          program.code[pc].mnemonic);
    }
    if ((w.live & ~shown) != 0)
      text += fmt::format(" lanes {:#010x} are masked until those reconverge;", w.live & ~shown);
    text += '\n';
  }
  for (const Cta& cta : state_.ctas) {
    const std::string barriers = cta.used ? cta.barriers.describe() : "";
    if (!barriers.empty())
      text += fmt::format("  block ({},{},{}): {}\n", cta.index.x, cta.index.y, cta.index.z, barriers);
  }
  return text;
}

}  // namespace heddle
