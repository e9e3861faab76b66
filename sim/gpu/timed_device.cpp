// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/timed_device.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <numeric>

#include "tlm/traffic_recorder.h"

namespace heddle::gpu {

namespace {

const sc_core::sc_time Chunk = core_cycles(20'000);  // between two looks at the SM
const sc_core::sc_time DrainChunk = core_cycles(100);
const sc_core::sc_time WithoutEnd =
    core_cycles(500);                             // after the moment in which a waveform begins, if nobody says its end
const sc_core::sc_time Around = core_cycles(20);  // cycles that a waveform shows before and after a moment

std::unique_ptr<MemoryBelow> make_below(const TimedParameters& parameters, BackingStore& store) {
  const sc_core::sc_time period = core_cycles(1);
  if (parameters.monitor) sockets_are_monitored() = true;
  const DesignPoint& point = *parameters.sm.point;
  std::unique_ptr<MemoryBelow> below = parameters.own_memory
                                           ? parameters.own_memory(parameters.sms, period, store)
                                           : make_memory_below(point, parameters.sms, parameters.memory, period, store);
  if (parameters.record_traffic.empty()) return below;
  return std::make_unique<recorded_memory>(parameters.record_traffic, parameters.sms, point.line_bytes, period,
                                           std::move(below));
}

bool prefetches(const TimedParameters& parameters) {
  return prefetcher_named(parameters.sm.mechanism.prefetch).prefetches;
}

BesideL1 beside_the_l1(const TimedParameters& parameters) {
  BesideL1 beside = beside_l1(*parameters.sm.point);
  if (prefetches(parameters)) beside.prefetches = prefetch_parameters(*parameters.sm.point, parameters.sms);
  return beside;
}

/// Blocks name their errors <block>/overflow and <block>/illegal.
ErrorCode code_of(const sc_core::sc_report& report) {
  const std::string id = report.get_msg_type();
  const std::string kind = id.substr(id.rfind('/') + 1);
  if (report.get_severity() != sc_core::SC_ERROR) return ErrorCode::Internal;
  return kind == "overflow" ? ErrorCode::Overflow : kind == "illegal" ? ErrorCode::IllegalRequest : ErrorCode::Internal;
}

bool begins_by_moment(const TimedParameters& parameters) {
  return parameters.trace_from.kind != TraceMoment::Kind::None;
}

std::vector<std::unique_ptr<sm>> make_sms(const TimedParameters& parameters, BackingStore& store) {
  std::vector<std::unique_ptr<sm>> sms;
  for (unsigned number = 0; number < parameters.sms; ++number) {
    SmParameters one = parameters.sm;
    one.place = {number, parameters.sms};
    sms.push_back(std::make_unique<sm>(("sm" + std::to_string(number)).c_str(), one, store));
  }
  return sms;
}

std::uint64_t parameter(const Launch& launch, const isa::LaunchCondition& condition) {
  std::uint64_t value = 0;
  std::memcpy(&value, launch.parameters.data() + condition.offset, condition.bytes);
  return value;
}

/// Why the launch cannot run in two streams; empty: it can.
std::string why_whole(const Launch& launch) {
  const isa::Program& whole = *launch.program;
  if (whole.split == nullptr) return whole.why_not_split.empty() ? "it was not split" : whole.why_not_split;
  for (const isa::LaunchCondition& condition : whole.split->conditions) {
    const std::uint64_t value = parameter(launch, condition);
    if (value % condition.multiple_of == 0) continue;
    const auto named = std::find_if(whole.parameters.begin(), whole.parameters.end(), [&](const isa::Parameter& one) {
      return condition.offset >= one.offset && condition.offset < one.offset + one.bytes;
    });
    return fmt::format("{:#x} is no multiple of {}: parameter {}, for {}:{}", value, condition.multiple_of,
                       named == whole.parameters.end() ? fmt::format("at byte {}", condition.offset) : named->name,
                       whole.file, condition.line);
  }
  return "";
}

}  // namespace

TimedDevice::TimedDevice(const TimedParameters& parameters)
    : parameters_(parameters),
      sms_(make_sms(parameters, store_)),
      memory_("memory", parameters.sms, l1_parameters(*parameters.sm.point), core_cycles(1),
              make_below(parameters, store_), beside_the_l1(parameters)),
      recorder_(begins_by_moment(parameters) ? TraceWindow() : parameters.trace),
      copies_(begins_by_moment(parameters) || !parameters.flight.file.empty(), recorder_),
      begins_(parameters.trace_from, false),
      ends_(parameters.trace_to, true),
      totals_(parameters.sms),
      timeline_(parameters.timeline) {
  for (unsigned s = 0; s < sms_.size(); ++s) {
    if (const LineKeeper* keeper = sms_[s]->line_keeper()) memory_.l1(s).keep(*keeper);
    if (Prefetcher* prefetcher = sms_[s]->prefetcher()) prefetcher->connect(memory_.prefetches(s));
    sms_[s]->load_store().on_acquire([this, s] { memory_.acquire(s); });
    sms_[s]->load_store().socket.bind(memory_.socket(s));
    if (sms_[s]->load_store().has_constants()) sms_[s]->load_store().constant_socket.bind(memory_.constant_socket(s));
    if (sms_[s]->code_cache() != nullptr) sms_[s]->code_cache()->memory_socket.bind(memory_.code_socket(s));
  }
  // A warning of the simulator is a fault of ours.
  sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_THROW | sc_core::SC_DISPLAY);
}

void TimedDevice::write(std::uint64_t address, const void* from, std::size_t bytes) {
  if (launches_ == 0) return store_.write(address, from, bytes);  // no cache knows of it, and no socket is bound
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  payload.set_address(address);
  payload.set_data_ptr(static_cast<unsigned char*>(const_cast<void*>(from)));
  payload.set_data_length(static_cast<unsigned>(bytes));
  if (bytes > 0) sms_.front()->load_store().socket->transport_dbg(payload);
}

compiler::MachineOptions TimedDevice::machine() const {
  const DivergenceRow& row = divergence_named(parameters_.sm.mechanism.divergence);
  const DesignPoint& point = *parameters_.sm.point;
  compiler::MachineOptions machine;
  machine.convergence_barriers = row.has(SmSide::Barriers) ? point.barrier_registers : 0;
  machine.software_stack = row.has(SmSide::SoftwareStack);
  machine.lanes = point.lanes;
  machine.max_registers = point.max_registers;
  machine.affine = decouples();
  machine.affine_outcomes = parameters_.sm.mechanism.affine.outcomes;
  machine.affine_registers = point.affine_registers;
  machine.affine_predicates = point.affine_predicates;
  machine.affine_paths = point.affine_depth;
  machine.affine_masks = point.affine_lane_depth;
  return machine;
}

/// In two streams where the machine has an affine warp and the kernel and the launch let it.
void TimedDevice::execute(const Launch& launch) {
  if (!decouples()) return execute_as_compiled(launch);
  const std::string reason = why_whole(launch);
  if (!reason.empty()) {
    WholeKernel& kernel = whole_kernels_.try_emplace(launch.program->name, WholeKernel{reason, 0}).first->second;
    ++kernel.launches;
    return execute_as_compiled(launch);
  }
  Launch in_two = launch;
  in_two.program = launch.program->split.get();
  execute_as_compiled(in_two);
}

void TimedDevice::execute_as_compiled(const Launch& launch) {
  std::vector<Statistics> before;
  for (unsigned s = 0; s < sms_.size(); ++s) before.push_back(counters(s));
  const Statistics memory_before = memory_statistics(memory_.below().counters());
  memory_.invalidate_l1s();  // as a GPU does between kernels; the host may have written
  dispatcher_.start(launch.grid, parameters_.sms, sms_.front()->room_for(launch));
  const std::uint64_t code = code_address(*launch.program);
  for (const auto& sm : sms_) sm->start(launch, dispatcher_, code);
  begins_.start(launch), ends_.start(launch);
  launched_ = sc_core::sc_time_stamp();
  timeline_.begin_launch(total_.cycles);
  try {
    run_until_done(launch);
  } catch (const isa::Interrupted&) {
    end_launch(launch, before, memory_before);
    throw;
  } catch (const ExecutionError& error) {
    leave_waveform(error.what());
    throw;
  } catch (const sc_core::sc_report& report) {
    leave_waveform(report.get_msg());
    throw ExecutionError(code_of(report), fmt::format("kernel {}: {}: {}", launch.program->name, report.get_msg_type(),
                                                      report.get_msg()));
  }
  end_launch(launch, before, memory_before);
}

void TimedDevice::end_launch(const Launch& launch, const std::vector<Statistics>& before,
                             const Statistics& memory_before) {
  if (timeline_.is_on()) timeline_.end_launch(counted_in_launch());
  count_launch(before, memory_before);
  if (parameters_.profile) count_code(*launch.program);
}

/// Where a program lies from its first launch on: lines that a launch has brought serve the next one.
std::uint64_t TimedDevice::code_address(const isa::Program& program) {
  const DesignPoint& point = *parameters_.sm.point;
  if (point.icache_bytes == 0) return 0;
  const bool is_split = program.affine != nullptr;
  const auto [known, is_new] = code_.try_emplace({program.file, program.name, program.code.size(), is_split}, 0);
  if (is_new) {
    const std::size_t lines = program.code.size() / instructions_per_line(point) + 1;
    known->second = store_.reserve_code(lines * point.line_bytes);
  }
  return known->second;
}

bool TimedDevice::done() const {
  return std::all_of(sms_.begin(), sms_.end(), [](const auto& sm) { return sm->done(); });
}

bool TimedDevice::memory_is_idle() const {
  return memory_.idle() && std::all_of(sms_.begin(), sms_.end(), [](const auto& sm) {
           return sm->code_cache() == nullptr || sm->code_cache()->idle();
         });
}

bool TimedDevice::drained() const {
  return memory_is_idle() &&
         std::all_of(sms_.begin(), sms_.end(), [](const auto& sm) { return sm->load_store().drained(); });
}

/// The cycles of the launch so far.
std::uint64_t TimedDevice::cycles() const {
  std::uint64_t most = 0;
  for (const auto& sm : sms_) most = std::max(most, sm->statistics().cycles);
  return most;
}

void TimedDevice::run_until_done(const Launch& launch) {
  while (!done()) {
    copies_.keep();
    const sc_core::sc_time start = sc_core::sc_time_stamp();
    advance(Chunk);
    for (const auto& sm : sms_)
      if (sm->failure()) std::rethrow_exception(sm->failure());
    // An SM that is done ends the chunk, in the middle of an instant: what the others will do in it is still to come.
    if (sc_core::sc_time_stamp() - start == Chunk) give_up_if_stuck(launch);
    watch(launch);
  }
  while (!drained()) recorder_.run(DrainChunk);
  memory_.settle();
}

/// Tells how far the launch is. \throws isa::Interrupted
void TimedDevice::watch(const Launch& launch) const {
  if (!parameters_.watch || copies_.is_copy() || done()) return;
  const std::uint64_t resident =
      std::accumulate(sms_.begin(), sms_.end(), std::uint64_t{0},
                      [](std::uint64_t sum, const auto& sm) { return sum + sm->resident_ctas(); });
  const isa::LaunchProgress progress{launch.grid_id, dispatcher_.started() - resident, launch.grid.count(), cycles()};
  if (parameters_.watch(progress)) return;
  throw isa::Interrupted(fmt::format("kernel {} was interrupted after {} cycles; {} of {} blocks have ended",
                                     launch.program->name, progress.count, progress.ended, progress.blocks));
}

bool TimedDevice::waits_for_a_moment() const {
  if (!copies_.is_copy() && begins_.waits()) return true;
  return ends_.waits() && !recorder_.window().file.empty() && sc_core::sc_time_stamp() >= recorder_.window().from;
}

void TimedDevice::look_for_moments() {
  const sm& where = *sms_[parameters_.trace_sm];
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  TraceWindow window = parameters_.trace;
  if (!copies_.is_copy() && begins_.comes(where)) {
    window.from = now - std::min(now, Around);
    if (window.to == sc_core::SC_ZERO_TIME) window.to = now + WithoutEnd;
    copies_.wake(window);
  } else if (recorder_.window().file.empty() || now < recorder_.window().from + Around) {
    ends_.from_now_on(where);
  } else if (ends_.comes(where)) {
    window = recorder_.window();
    window.to = now + Around;
    recorder_.show(window);
  }
}

/// When the edge of the sample's last cycle is over: the one behind it is still to come.
sc_core::sc_time TimedDevice::sample_time() const {
  return launched_ + core_cycles(1) * double(timeline_.next() + 1);
}

TimelineSample TimedDevice::counted_in_launch() const {
  TimelineSample now;
  now.cycle = cycles();
  for (const auto& sm : sms_) {
    const Statistics& s = sm->statistics();
    now.warp_instructions += s.warp_instructions;
    now.thread_instructions += s.thread_instructions;
    now.paths += s.paths;
    now.issue_cycles += s.cycles - s.idle_cycles;
    now.resident_warps += sm->resident_warps();
    now.barrier_warps += sm->warps_at_barriers();
  }
  return now;
}

/// Cycle by cycle while a moment is waited for. Ends early with an SM.
void TimedDevice::advance(const sc_core::sc_time& length) {
  const sc_core::sc_time end = sc_core::sc_time_stamp() + length, cycle = core_cycles(1);
  while (sc_core::sc_time_stamp() < end) {
    const sc_core::sc_time now = sc_core::sc_time_stamp();
    if (copies_.is_copy() && now >= recorder_.window().to) copies_.end_copy();
    sc_core::sc_time step = waits_for_a_moment() || copies_.is_copy() ? std::min(cycle, end - now) : end - now;
    if (timeline_.is_on()) step = std::min(step, sample_time() - now);
    recorder_.run(step);
    if (sc_core::sc_time_stamp() - now < step) return;
    if (timeline_.is_on() && sc_core::sc_time_stamp() == sample_time()) timeline_.take(counted_in_launch());
    if (waits_for_a_moment()) look_for_moments();
  }
}

/// Leaves the waveform of the SM that failed; where none did, of the first that is not done.
void TimedDevice::leave_waveform(const std::string& what) {
  if (copies_.is_copy()) copies_.end_copy();
  if (parameters_.flight.file.empty()) return;
  const auto failed = std::find_if(sms_.begin(), sms_.end(), [](const auto& sm) { return sm->failure() != nullptr; });
  const auto stuck = std::find_if(sms_.begin(), sms_.end(), [](const auto& sm) { return !sm->done(); });
  const auto it = failed != sms_.end() ? failed : stuck != sms_.end() ? stuck : sms_.begin();
  const std::uint64_t now = sc_core::sc_time_stamp().value() / core_cycles(1).value();
  copies_.wake(flight_window(parameters_.flight, what, static_cast<unsigned>(it - sms_.begin()),
                             failed != sms_.end() ? now : (*it)->cycle()));
}

void TimedDevice::give_up_if_stuck(const Launch& launch) const {
  if (done() || !memory_is_idle() || !std::all_of(sms_.begin(), sms_.end(), [](const auto& sm) { return sm->idle(); }))
    return;
  std::string where;
  for (const auto& sm : sms_) where += sm->who_waits_where();
  throw ExecutionError(
      ErrorCode::Deadlock,
      fmt::format("kernel {} is stuck: nothing is under way and no thread can issue\n{}", launch.program->name, where));
}

CodeCounts TimedDevice::code_counts() const {
  CodeCounts all = sms_.front()->code_counts();
  for (unsigned s = 1; s < sms_.size(); ++s)
    for (std::size_t pc = 0; pc < all.size(); ++pc) all[pc] += sms_[s]->code_counts()[pc];
  return all;
}

void TimedDevice::count_code(const isa::Program& program) {
  auto profile = std::find_if(profiles_.begin(), profiles_.end(), [&program](const KernelProfile& known) {
    return known.kernel == program.name && known.file == program.file && known.in_two == (program.affine != nullptr);
  });
  if (profile == profiles_.end()) profile = profiles_.insert(profile, KernelProfile(program));
  ++profile->launches;
  for (const auto& sm : sms_) profile->add(sm->code_counts(), sm->statistics());
}

/// What an SM's load/store unit and L1 have counted since the device was made.
Statistics TimedDevice::counters(unsigned number) const {
  Statistics now;
  const LoadStoreCounters& lsu = sms_[number]->load_store().counters();
  const L1Counters& l1 = memory_.l1(number).counters();
  now.forced_releases = sms_[number]->forced_releases();
  now.global_accesses = lsu.global_loads + lsu.global_stores + lsu.global_atomics;
  now.line_requests = lsu.line_requests;
  now.shared_accesses = lsu.shared_accesses;
  now.shared_passes = lsu.shared_passes;
  now.constant_accesses = lsu.constant_loads;
  now.constant_passes = lsu.constant_passes;
  if (sms_[number]->load_store().has_constants()) now.constant_misses = memory_.constants(number).counters().misses;
  if (const instruction_cache* code = sms_[number]->code_cache()) {
    now.icache_accesses = code->counters().accesses;
    now.icache_misses = code->counters().misses;
    now.icache_fills = code->counters().fills;
  }
  if (decouples()) {  // those that are decoupled are a share of them
    now.global_loads = lsu.global_loads;
    now.shared_loads = lsu.shared_loads;
  }
  if (prefetches(parameters_)) {
    const PrefetchCounters& prefetched = memory_.prefetches(number).counters();
    now.prefetch_redundant = prefetched.redundant;
    now.prefetch_dropped = prefetched.dropped;
    now.prefetch_sent = prefetched.sent;
    now.prefetch_hits = prefetched.hits;
    now.prefetch_merges = prefetched.merges;
    now.prefetch_early_evictions = prefetched.early_evictions;
    now.prefetch_stale = prefetched.stale;
  }
  now.l1_accesses = l1.accesses;
  now.l1_hits = l1.hits;
  now.l1_misses = l1.misses;
  now.l1_merges = l1.merges;
  now.l1_acquires = l1.acquires;
  now.l1_acquire_invalidations = l1.acquire_invalidations;
  return now;
}

void TimedDevice::count_launch(const std::vector<Statistics>& before, const Statistics& memory_before) {
  const auto add_difference = [](Statistics& to, const Statistics& after, const Statistics& earlier) {
    for (const StatisticRow& row : statistic_rows()) to.*row.value += after.*row.value - earlier.*row.value;
  };
  Statistics launched;
  for (unsigned s = 0; s < sms_.size(); ++s) {
    Statistics one = sms_[s]->statistics();
    add_difference(one, counters(s), before[s]);
    totals_[s].add_launch(one);
    launched.add_sm(one);
  }
  add_difference(launched, memory_statistics(memory_.below().counters()), memory_before);
  total_.add_launch(launched);
  ++launches_;
}

}  // namespace heddle::gpu
