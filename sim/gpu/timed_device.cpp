#include "sim/gpu/timed_device.h"

#include <fmt/format.h>

namespace heddle::gpu {

namespace {

const sc_core::sc_time Chunk = core_cycles(20'000);  // between two looks at the SM
const sc_core::sc_time DrainChunk = core_cycles(100);

MemoryParameters memory_parameters(const DesignPoint& point, bool ideal) {
  MemoryParameters memory;
  memory.sms = 1;
  memory.l1.bytes = point.l1_bytes;
  memory.l1.ways = point.l1_ways;
  memory.l1.line_bytes = point.line_bytes;
  memory.l1.memory_queue = point.l1_memory_queue;
  memory.l1.mshrs = point.l1_mshrs;
  memory.l1.targets_per_mshr = point.l1_targets;
  memory.l1.hit_latency = point.l1_hit_latency;
  memory.dram.latency = point.memory_latency;
  memory.dram.bytes_per_cycle = point.memory_bytes_per_cycle;
  memory.dram.queue_depth = point.memory_queue;
  memory.dram.ideal = ideal;
  return memory;
}

/// Blocks name their errors <block>/overflow and <block>/illegal.
ErrorCode code_of(const sc_core::sc_report& report) {
  const std::string id = report.get_msg_type();
  const std::string kind = id.substr(id.rfind('/') + 1);
  if (report.get_severity() != sc_core::SC_ERROR) return ErrorCode::Internal;
  return kind == "overflow" ? ErrorCode::Overflow : kind == "illegal" ? ErrorCode::IllegalRequest : ErrorCode::Internal;
}

}  // namespace

TimedDevice::TimedDevice(const TimedParameters& parameters)
    : parameters_(parameters),
      sm_("sm0", parameters.sm, store_),
      memory_("memory", memory_parameters(*parameters.sm.point, parameters.ideal_memory), core_cycles(1), store_),
      recorder_(parameters.trace) {
  sm_.load_store().socket.bind(memory_.socket(0));
  // A warning of the simulator is a fault of ours.
  sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_THROW | sc_core::SC_DISPLAY);
}

void TimedDevice::execute(const Launch& launch) {
  const Statistics before = counters();
  memory_.invalidate_l1s();  // as a GPU does between kernels; the host may have written
  dispatcher_.start(launch.grid);
  sm_.start(launch, dispatcher_);
  try {
    run_until_done(launch);
  } catch (const sc_core::sc_report& report) {
    throw ExecutionError(code_of(report), fmt::format("kernel {}: {}: {}", launch.program->name, report.get_msg_type(),
                                                      report.get_msg()));
  }
  Statistics launched = sm_.statistics();
  const Statistics after = counters();
  launched.global_accesses = after.global_accesses - before.global_accesses;
  launched.line_requests = after.line_requests - before.line_requests;
  launched.shared_accesses = after.shared_accesses - before.shared_accesses;
  launched.shared_passes = after.shared_passes - before.shared_passes;
  launched.l1_accesses = after.l1_accesses - before.l1_accesses;
  launched.l1_hits = after.l1_hits - before.l1_hits;
  launched.l1_misses = after.l1_misses - before.l1_misses;
  launched.l1_merges = after.l1_merges - before.l1_merges;
  launched.dram_reads = after.dram_reads - before.dram_reads;
  launched.dram_writes = after.dram_writes - before.dram_writes;
  launched.dram_bytes = after.dram_bytes - before.dram_bytes;
  total_ += launched;
  ++launches_;
}

void TimedDevice::run_until_done(const Launch& launch) {
  while (!sm_.done()) {
    recorder_.run(Chunk);
    if (sm_.failure()) std::rethrow_exception(sm_.failure());
    if (!sm_.done() && sm_.idle() && memory_.idle()) {
      throw ExecutionError(ErrorCode::Deadlock,
                           fmt::format("kernel {} is stuck: nothing is under way and no thread can issue\n{}",
                                       launch.program->name, sm_.who_waits_where()));
    }
    if (parameters_.progress) parameters_.progress(sm_.statistics().cycles);
  }
  while (!memory_.idle() || !sm_.load_store().drained()) recorder_.run(DrainChunk);
}

Statistics TimedDevice::counters() const {
  Statistics now;
  const LoadStoreCounters& lsu = sm_.load_store().counters();
  const L1Counters& l1 = memory_.l1(0).counters();
  const DramCounters& dram = memory_.memory().counters();
  now.global_accesses = lsu.global_loads + lsu.global_stores + lsu.global_atomics;
  now.line_requests = lsu.line_requests;
  now.shared_accesses = lsu.shared_accesses;
  now.shared_passes = lsu.shared_passes;
  now.l1_accesses = l1.accesses;
  now.l1_hits = l1.hits;
  now.l1_misses = l1.misses;
  now.l1_merges = l1.merges;
  now.dram_reads = dram.reads;
  now.dram_writes = dram.writes + dram.atomics;
  now.dram_bytes = dram.bytes;
  return now;
}

}  // namespace heddle::gpu
