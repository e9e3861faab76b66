#include "sim/sm/sm.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include "sim/isa/lanes.h"
#include "sim/isa/loops.h"
#include "sim/sm/refused_programs.h"

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

}  // namespace

sm::sm(const sc_core::sc_module_name& name, const SmParameters& parameters, BackingStore& store)
    : sc_module(name),
      parameters_(parameters),
      gate_("gate", Period, [this] { return may_stop_clock(); }),
      lsu_("load_store_unit", load_store_parameters(*parameters.point), Period),
      state_{*parameters.point, parameters.place, store, lsu_},
      ctas_(state_, pipelines_, parameters.resident_warps) {
  const DesignPoint& point = *parameters_.point;
  state_.warps.resize(point.warps);
  state_.ctas.resize(point.ctas);
  for (unsigned s = 0; s < point.schedulers; ++s) {
    slices_.push_back(make_issue_slice("slice" + std::to_string(s), point, parameters_.mechanism, gate_.clk, rst_n_));
  }
  pipelines_.reserve(point.schedulers);
  for (unsigned s = 0; s < point.schedulers; ++s)
    pipelines_.emplace_back(state_, *slices_[s], s, parameters_.mechanism);
  SC_HAS_PROCESS(sm);
  SC_METHOD(edge);
  sensitive << gate_.clk.posedge_event();
  dont_initialize();
  SC_METHOD(on_reply);
  sensitive << lsu_.reply_event();
  dont_initialize();
}

void sm::start(const isa::Launch& launch, CtaDispatcher& dispatcher) {
  const DesignPoint& point = state_.point;
  const std::string refused = why_refused(*launch.program, parameters_.mechanism, point);
  if (!refused.empty()) throw isa::ExecutionError(isa::ErrorCode::NotSupported, refused);
  state_.launch = launch;
  state_.local.start(*launch.program, point, state_.place.number, state_.place.sms, state_.store);
  state_.statistics = {};
  state_.branches.assign(launch.program->code.size(), {});
  state_.statistics.lanes = point.lanes;
  state_.statistics.schedulers = point.schedulers;
  for (IssuePipeline& pipeline : pipelines_) pipeline.load();
  running_ = true;
  ctas_.start(dispatcher);
  gate_check_ = {};
  const std::uint64_t now = sc_core::sc_time_stamp().value() / Period.value();
  first_cycle_ = state_.cycle = state_.last_progress = now;
  gate_.reconsider();
}

std::uint64_t sm::forced_releases() const {
  return std::accumulate(slices_.begin(), slices_.end(), std::uint64_t(0),
                         [](std::uint64_t sum, const auto& slice) { return sum + slice->releases(); });
}

void sm::edge() {
  if (!rst_n_.read()) rst_n_.write(true);  // the first edge resets the blocks
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
  for (IssuePipeline& pipeline : pipelines_)
    if (pipeline.take_cta_news()) ctas_.news();
  ctas_.step();
  if (ctas_.done()) {
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
  if (!ctas_.idle() || !lsu_.idle()) return false;
  return std::all_of(pipelines_.begin(), pipelines_.end(), [](const IssuePipeline& p) { return p.idle(); });
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
  parts[0].values.push_back(std::uint64_t(done()));
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
    ctas_.news();
  }
}

// ---- what people are told ----

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
