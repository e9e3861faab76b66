// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/core/sm.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <optional>

#include "sim/isa/lanes.h"
#include "sim/isa/loops.h"
#include "sim/sm/affine/affine_unit.h"
#include "sim/sm/core/pipeline_factory.h"
#include "sim/sm/core/refused_programs.h"

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
  parameters.has_constants = point.constant_bytes != 0;
  parameters.l1_hit_latency = point.l1_hit_latency;
  parameters.constant_hit_latency = point.constant_hit_latency;
  return parameters;
}

std::unique_ptr<instruction_cache> make_icache(const DesignPoint& point) {
  if (point.icache_bytes == 0) return nullptr;
  const InstructionCacheParameters parameters{point.icache_bytes, point.icache_ways, point.line_bytes,
                                              point.icache_mshrs};
  return std::make_unique<instruction_cache>("icache", parameters);
}

std::unique_ptr<AffineUnit> make_affine_unit(const SmParameters& parameters, const sc_core::sc_signal<bool>& rst_n,
                                             load_store_unit& lsu, const BackingStore& store, Counters& counters) {
  if (!affine_named(parameters.mechanism.affine.name).decouples) return nullptr;
  return std::make_unique<AffineUnit>(*parameters.point, parameters.place, parameters.mechanism, rst_n, lsu, store,
                                      counters);
}

std::unique_ptr<Prefetcher> make_prefetcher(const SmParameters& parameters, const BackingStore& store,
                                            Counters& counters) {
  if (!prefetcher_named(parameters.mechanism.prefetch).prefetches) return nullptr;
  return std::make_unique<Prefetcher>(*parameters.point, store, counters);
}

}  // namespace

sm::sm(const sc_core::sc_module_name& name, const SmParameters& parameters, BackingStore& store)
    : sc_module(name),
      parameters_(parameters),
      point_(*parameters.point),
      numbers_(point_.schedulers),
      gate_(
          "gate", Period, [this] { return may_stop_clock(); },
          [this] {
            if (affine_) affine_->rise(parameters_.clock_gate);
          }),
      lsu_("load_store_unit", load_store_parameters(point_), Period),
      icache_(make_icache(point_)),
      fetch_port_(point_.fetches),
      store_(store),
      registers_(point_.warps),
      affine_(make_affine_unit(parameters, rst_n_, lsu_, store, counters_)),
      dequeues_(point_, affine_.get(), in_flight_, lsu_, counters_),
      ctas_(point_, parameters.place, counters_, *this, parameters.resident_warps, affine_.get()),
      operands_(registers_, ctas_.threads()),
      prefetcher_(make_prefetcher(parameters, store, counters_)),
      addresses_(operands_, ctas_, local_, store, lsu_, prefetcher_.get()) {
  CodeMemory code;
  if (icache_) code = {icache_.get(), point_.line_bytes, instructions_per_line(point_), &fetch_port_};
  std::optional<BlockSteps::Collecting> collecting;
  if (parameters.one_process) collecting.emplace(blocks_);
  for (unsigned s = 0; s < point_.schedulers; ++s) {
    pipelines_.push_back(make_issue_pipeline(
        "slice" + std::to_string(s), point_, s, parameters.mechanism, gate_.clk, rst_n_,
        SmModules{registers_, operands_, ctas_, addresses_, lsu_, dequeues_, code, in_flight_, counters_}));
  }
  if (divergence_named(parameters.mechanism.divergence).has(SmSide::Rotation)) lsu_.note_misses();
  if (divergence_named(parameters.mechanism.divergence).has(SmSide::MemorySplit)) lsu_.note_parts();
  SC_HAS_PROCESS(sm);
  SC_METHOD(edge);
  sensitive << gate_.clk.posedge_event();
  dont_initialize();
  if (blocks_.settles()) {
    SC_METHOD(settle);
    sensitive << settles_;
    dont_initialize();
  }
  SC_METHOD(on_reply);
  sensitive << lsu_.reply_event();
  if (icache_) sensitive << icache_->arrival_event();
  dont_initialize();
}

sm::~sm() = default;

const LineKeeper* sm::line_keeper() const {
  return affine_.get();
}

void sm::start(const isa::Launch& launch, CtaDispatcher& dispatcher, std::uint64_t code) {
  const std::string refused = why_refused(*launch.program, parameters_.mechanism, point_);
  if (!refused.empty()) throw isa::ExecutionError(isa::ErrorCode::NotSupported, refused);
  launch_ = launch;
  const isa::Program& program = *launch_.program;
  local_.start(program, point_, parameters_.place.number, parameters_.place.sms, store_);
  counters_.statistics = {};
  counters_.code.assign(program.code.size(), {});
  counters_.statistics.lanes = point_.lanes;
  counters_.statistics.schedulers = point_.schedulers;
  if (affine_) affine_->load(launch_);
  counters_.statistics.whole_launches = affine_ && !affine_->runs() ? 1 : 0;
  dequeues_.load(launch_);
  for (const auto& pipeline : pipelines_) pipeline->load(launch_, code);
  lsu_.order().track(std::any_of(program.code.begin(), program.code.end(), [](const isa::Instruction& instruction) {
    return instruction.kind == isa::Kind::Fence;
  }));
  running_ = true;
  ctas_.start(launch_, dispatcher);
  gate_check_ = {};
  const std::uint64_t now = sc_core::sc_time_stamp().value() / Period.value();
  first_cycle_ = cycle_ = counters_.last_progress = now;
  if (prefetcher_) prefetcher_->start(now);
  gate_.reconsider();
}

// ---- what the CTA unit tells the warps, and asks ----

void sm::start(SmWarp warp, isa::Lanes lanes) {
  registers_.start(warp, *launch_.program);
  if (local_.bytes_per_warp() != 0) lsu_.clear(local_.base(warp), local_.bytes_per_warp());
  pipeline_of(warp).start(numbers_.in_slice(warp), lanes);
}

void sm::barrier_opened(SmWarp warp, isa::Lanes lanes) {
  pipeline_of(warp).barrier_opened(numbers_.in_slice(warp), lanes);
}

void sm::answer(unsigned token, std::uint64_t value) {
  InFlight& flight = in_flight_[token];
  flight.values.fill(value);
  pipelines_[flight.scheduler]->complete(token, cycle_);
}

bool sm::blocked_at_barriers(SmWarp warp) const {
  return pipeline_of(warp).blocked_at_barriers(numbers_.in_slice(warp));
}

// ---- an edge ----

std::uint64_t sm::forced_releases() const {
  return std::accumulate(pipelines_.begin(), pipelines_.end(), std::uint64_t(0),
                         [](std::uint64_t sum, const auto& pipeline) { return sum + pipeline->releases(); });
}

void sm::settle() {
  blocks_.settle();
}

void sm::edge() {
  blocks_.step();
  if (blocks_.settles()) settles_.notify(sc_core::SC_ZERO_TIME);
  if (!rst_n_.read()) rst_n_.write(true);  // the first edge resets the blocks
  const std::uint64_t cycle = sc_core::sc_time_stamp().value() / Period.value();
  if (!running_ || cycle == first_cycle_) {  // a launch at the time of an edge begins with the next one
    for (const auto& pipeline : pipelines_) pipeline->rest();
    if (affine_) affine_->rest();
    return;
  }
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
  // If no warp is left: the affine warp ends with them, or never.
  const bool is_last = !decouples() || affine_->done() || affine_->idle();
  if (decouples()) {
    affine_->sample(cycle, cycles);
    dequeues_.sample();
  }
  collect_replies();
  bool issued = false;
  for (const auto& pipeline : pipelines_) issued = pipeline->step(cycle, cycles) || issued;
  if (!issued) counters_.statistics.idle_cycles += cycles;
  // Accesses that operand read handed over in this edge start in this cycle.
  lsu_.step();
  ctas_.step(cycle);
  if (decouples()) {
    dequeues_.ask();
    affine_->drive();
  }
  if (ctas_.done() && is_last) {
    if (decouples()) affine_->check_end();
    running_ = false;
    sc_core::sc_pause();
    return;
  }
  check_progress();
}

/// Returns the cycles since the last edge.
std::uint64_t sm::account(std::uint64_t cycle) {
  const std::uint64_t cycles = cycle - cycle_;
  cycle_ = cycle;
  counters_.statistics.cycles = cycle - first_cycle_;
  counters_.statistics.scheduler_cycles = counters_.statistics.cycles * point_.schedulers;
  return cycles;
}

// ---- the clock gate ----

/// Every part says so of itself. A part that is not on this clock, such as the L1, comes back with a reply.
bool sm::idle() const {
  if (!running_) return true;
  if (!ctas_.idle() || !lsu_.idle()) return false;
  if (decouples() && (ctas_.done() || !affine_->idle() || !dequeues_.idle())) return false;
  return std::all_of(pipelines_.begin(), pipelines_.end(), [](const auto& pipeline) { return pipeline->idle(); });
}

/// Without gating every cycle has its edge, and the next one shows whether idle meant it.
bool sm::may_stop_clock() {
  const bool still = idle();
  if (parameters_.clock_gate) return still;
  try {
    const std::uint64_t replies = lsu_.replies() + (icache_ ? icache_->arrivals() : 0);
    if (running_)
      for (const auto& pipeline : pipelines_) pipeline->check();
    if (running_) gate_check_.look(still, replies, still ? what_it_shows() : std::vector<GateCheck::Part>());
  } catch (...) { fail(); }
  return false;
}

/// All that others see of it, and the counts that only work moves: an idle edge changes none of it.
std::vector<GateCheck::Part> sm::what_it_shows() const {
  std::vector<GateCheck::Part> parts{{"SM", counters_.statistics.counts_of_work()}, {"load/store unit", lsu_.shows()}};
  parts[0].values.push_back(std::uint64_t(done()));
  const ThreadTable& threads = ctas_.threads();
  for (unsigned row = 0; row < threads.rows(); ++row) parts[0].values.push_back(threads[SmWarp(row)].used);
  if (decouples()) {
    parts.push_back({"affine unit", affine_->shows()});
    parts.push_back({"dequeue unit", dequeues_.shows()});
  }
  for (unsigned s = 0; s < pipelines_.size(); ++s)
    parts.push_back({"scheduler " + std::to_string(s), pipelines_[s]->shows()});
  return parts;
}

void sm::take_values(InFlight& flight, const Completed& completed) {
  if (!completed.has_result) return;
  if (completed.lanes == flight.lanes)
    flight.values = completed.value;
  else  // a part of the lanes
    for (unsigned l = 0; l < isa::MaxLanes; ++l)
      if ((completed.lanes >> l & 1) != 0) flight.values[l] = completed.value[l];
}

void sm::collect_replies() {
  for (Completed completed; lsu_.next_completed(completed);) {
    InFlight& flight = in_flight_[completed.token];
    counters_.code.at(flight.pc).line_requests += completed.line_requests;
    counters_.code.at(flight.pc).shared_passes += completed.shared_passes;
    take_values(flight, completed);
    if (--flight.parts != 0) continue;
    pipelines_[flight.scheduler]->complete(completed.token, cycle_);
    ctas_.notify();
  }
  for (Completed part; lsu_.next_part(part);) {
    InFlight& flight = in_flight_[part.token];
    if (flight.parts != 1) continue;  // another access of it is under way
    take_values(flight, part);
    pipelines_[flight.scheduler]->partly_served(part.token, part.lanes);
  }
  for (unsigned token = 0; lsu_.next_missed(token);) {
    const InFlight& flight = in_flight_[token];
    pipelines_[flight.scheduler]->missed(flight);
  }
}

// ---- what people are told ----

void sm::check_progress() const {
  if (parameters_.max_cycles != 0 && counters_.statistics.cycles > parameters_.max_cycles) {
    throw isa::ExecutionError(
        isa::ErrorCode::CycleLimit,
        fmt::format("kernel {} is not done after {} cycles (--max-cycles){}\n{}", launch_.program->name,
                    parameters_.max_cycles, where_it_loops(), who_waits_where()));
  }
  if (parameters_.watchdog_cycles != 0 && cycle_ - counters_.last_progress > parameters_.watchdog_cycles) {
    throw isa::ExecutionError(isa::ErrorCode::Deadlock,
                              fmt::format("kernel {} makes no progress{}: for {} cycles no thread exited, no barrier "
                                          "opened and nothing was stored (SIMT "
                                          "deadlock, or a long computation: see --watchdog)\n{}",
                                          launch_.program->name, where_it_loops(), parameters_.watchdog_cycles,
                                          who_is_passed_over() + who_waits_where()));
  }
}

bool sm::runs_warp(unsigned slot) const {
  return slot < ctas_.threads().rows() && ctas_.threads()[SmWarp(slot)].used && live(SmWarp(slot)) != 0;
}

unsigned sm::resident_warps() const {
  unsigned warps = 0;
  for (unsigned slot = 0; slot < ctas_.threads().rows(); ++slot) warps += runs_warp(slot) ? 1 : 0;
  return warps;
}

unsigned sm::warps_at_barriers() const {
  unsigned warps = 0;
  for (unsigned slot = 0; slot < ctas_.threads().rows(); ++slot)
    warps += runs_warp(slot) && (live(SmWarp(slot)) & ~waiting(SmWarp(slot))) == 0 ? 1 : 0;
  return warps;
}

bool sm::runs_cta(const isa::Dim3& index) const {
  const ThreadTable& threads = ctas_.threads();
  for (unsigned slot = 0; slot < threads.rows(); ++slot) {
    const isa::Dim3& its = threads[SmWarp(slot)].block;
    if (runs_warp(slot) && its.x == index.x && its.y == index.y && its.z == index.z) return true;
  }
  return false;
}

std::string sm::where_it_loops() const {
  std::vector<isa::Pc> places;
  const ThreadTable& threads = ctas_.threads();
  for (unsigned row = 0; row < threads.rows(); ++row) {
    const SmWarp warp(row);
    if (!threads[warp].used || live(warp) == 0) continue;
    for (unsigned k = 0; k < pipeline_of(warp).paths(); ++k) {
      const PathView path = path_of(warp, k);
      if (path.mask != 0 && (path.mask & waiting(warp)) == 0) places.push_back(path.pc);
    }
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  const std::string loops = isa::describe_loops(*launch_.program, places);
  return loops.empty() ? "" : ", " + loops;
}

/// The warps that a scheduler has passed over for most of the time without progress.
std::string sm::who_is_passed_over() const {
  std::string text;
  for (const auto& pipeline : pipelines_) text += pipeline->who_is_passed_over(parameters_.watchdog_cycles / 2);
  return text;
}

std::string sm::who_waits_where() const {
  const isa::Program& program = *launch_.program;
  const ThreadTable& threads = ctas_.threads();
  std::string text;
  for (unsigned row = 0; row < threads.rows(); ++row) {
    const SmWarp warp(row);
    const ThreadTable::Row& its = threads[warp];
    if (!its.used || live(warp) == 0) continue;
    text += fmt::format("  warp {} of block ({},{},{}):", its.warp.index(), its.block.x, its.block.y, its.block.z);
    isa::Lanes shown = 0;
    for (unsigned k = 0; k < pipeline_of(warp).paths(); ++k) {
      const PathView path = path_of(warp, k);
      if (path.mask == 0) continue;
      shown |= path.mask;
      const char* what = (path.mask & waiting(warp)) != 0 ? "wait at the barrier before" : "run at";
      const isa::Pc pc = std::min<isa::Pc>(path.pc, static_cast<isa::Pc>(program.code.size()) - 1);
      text += fmt::format(" lanes {:#010x} {} {} {};", path.mask, what, isa::describe_place(program, pc),
                          program.code[pc].mnemonic);
    }
    if ((live(warp) & ~shown) != 0)
      text += fmt::format(" lanes {:#010x} are masked until those reconverge;", live(warp) & ~shown);
    text += '\n';
  }
  text += ctas_.describe_barriers();
  if (decouples()) text += dequeues_.describe(program) + affine_->describe();
  return text;
}

}  // namespace heddle
