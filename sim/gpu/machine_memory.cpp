// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/machine_memory.h"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>

#include "tlm/fixed_memory.h"

namespace heddle::gpu {

namespace {

/// The share of `whole` that falls to so many SMs, in parts of the point's SMs: whole * sms / point.sms.
struct Share {
  std::uint64_t sms, of;
  std::uint64_t up(std::uint64_t whole) const { return (whole * sms + of - 1) / of; }
  std::uint64_t down(std::uint64_t whole) const { return whole * sms / of; }
};

Share share_of(const DesignPoint& point, unsigned sms, MemoryKind kind) {
  return kind == MemoryKind::Chip ? Share{1, 1} : Share{sms, point.sms};
}

DramTiming timing_of(const DesignPoint& point) {
  DramTiming timing;
  timing.tcl = point.dram_tcl;
  timing.trp = point.dram_trp;
  timing.trc = point.dram_trc;
  timing.tras = point.dram_tras;
  timing.trcd = point.dram_trcd;
  timing.trrd = point.dram_trrd;
  timing.twl = point.dram_twl;
  timing.tcdlr = point.dram_tcdlr;
  timing.twr = point.dram_twr;
  timing.tccdl = point.dram_tccdl;
  timing.trtpl = point.dram_trtpl;
  return timing;
}

}  // namespace

MemoryKind parse_memory(const std::string& word) {
  for (const MemoryKind kind : {MemoryKind::Share, MemoryKind::Chip, MemoryKind::Ideal})
    if (word == name_of(kind)) return kind;
  throw std::invalid_argument("no memory '" + word + "': timed, chip or ideal");
}

std::string name_of(MemoryKind kind) {
  return kind == MemoryKind::Share ? "timed" : kind == MemoryKind::Chip ? "chip" : "ideal";
}

L1Parameters l1_parameters(const DesignPoint& point) {
  L1Parameters l1;
  l1.bytes = point.l1_bytes;
  l1.ways = point.l1_ways;
  l1.hash_from = point.l1_hash_from;
  l1.allocate_on_miss = point.l1_allocate_on_miss != 0;
  l1.store_evicts = point.l1_store_evicts != 0;
  l1.line_bytes = point.line_bytes;
  l1.memory_queue = point.l1_memory_queue;
  l1.mshrs = point.l1_mshrs;
  l1.targets_per_mshr = point.l1_targets;
  l1.hit_latency = point.l1_hit_latency;
  return l1;
}

BesideL1 beside_l1(const DesignPoint& point) {
  BesideL1 beside;
  beside.code = point.icache_bytes != 0;
  beside.constants = l1_parameters(point);
  beside.constants.hash_from = 0;
  beside.constants.allocate_on_miss = false;
  beside.constants.bytes = point.constant_bytes;
  beside.constants.ways = point.constant_ways;
  beside.constants.mshrs = point.constant_mshrs;
  beside.constants.hit_latency = point.constant_hit_latency;
  return beside;
}

PrefetchBufferParameters prefetch_parameters(const DesignPoint& point, unsigned sms) {
  PrefetchBufferParameters buffer;
  buffer.bytes = point.prefetch_bytes;
  buffer.ways = point.prefetch_ways;
  buffer.line_bytes = point.line_bytes;
  buffer.others_write = sms > 1;
  return buffer;
}

HierarchyParameters hierarchy_parameters(const DesignPoint& point, unsigned sms, MemoryKind kind,
                                         const sc_core::sc_time& period) {
  const Share share = share_of(point, sms, kind);
  HierarchyParameters p;
  p.channels = static_cast<unsigned>(share.up(point.channels));

  p.crossbar.latency = point.crossbar_latency;
  p.crossbar.bytes_per_cycle = point.crossbar_bytes;
  p.crossbar.input_queue = point.crossbar_queue;
  p.crossbar.credits = point.crossbar_credits;
  p.crossbar.iterations = point.crossbar_iterations;

  const std::uint64_t set_bytes = std::uint64_t{point.l2_ways} * point.l2_line_bytes;
  const std::uint64_t sets = share.down(point.l2_bytes) / p.channels / set_bytes;
  p.l2.bytes = point.l2_bytes == 0 ? 0 : static_cast<unsigned>(std::max<std::uint64_t>(sets, 1) * set_bytes);
  p.l2.ways = point.l2_ways;
  p.l2.line_bytes = point.l2_line_bytes;
  p.l2.mshrs = point.l2_mshrs;
  p.l2.targets_per_mshr = point.l2_targets;
  p.l2.memory_queue = point.l2_memory_queue;
  p.l2.hit_latency = point.l2_hit_latency;

  const std::uint64_t ticks = period.value();
  p.dram.clock = sc_core::sc_time::from_value(ticks * point.core_mhz / point.dram_mhz);
  // The channels that were rounded up are slower by as much.
  p.dram.burst_time = sc_core::sc_time::from_value(ticks * point.core_mhz * point.dram_burst_clocks * p.channels *
                                                   share.of / (point.dram_mhz * share.sms * point.channels));
  p.dram.timing = timing_of(point);
  p.dram.burst_bytes = point.dram_burst_bytes;
  p.dram.banks = point.dram_banks;
  p.dram.bank_groups = point.dram_bank_groups;
  p.dram.row_bytes = point.dram_row_bytes;
  p.dram.low_banks = point.dram_low_banks;
  p.dram.fold = point.dram_fold != 0;
  p.dram.queue_depth = point.dram_queue;
  p.dram.patience = point.dram_patience;
  p.dram.latency = point.dram_latency;
  return p;
}

std::string memory_in_words(const DesignPoint& point, unsigned sms, MemoryKind kind) {
  if (kind == MemoryKind::Ideal) return "ideal: a miss costs a hit";
  const Share share = share_of(point, sms, kind);
  const double bandwidth = double(point.channels) * point.dram_burst_bytes * point.dram_mhz / point.dram_burst_clocks /
                           1000 * double(share.sms) / double(share.of);
  const std::string l2 =
      point.l2_bytes == 0 ? "no L2" : fmt::format("{:.0f} KB of L2", double(share.down(point.l2_bytes)) / 1024);
  const std::string whose =
      kind == MemoryKind::Chip ? "all of the chip's" : fmt::format("the share of {} of {} SMs", sms, point.sms);
  return fmt::format("{:.1f} GB/s, {}: {}", bandwidth, l2, whose);
}

Statistics memory_statistics(const BelowCounters& counters) {
  Statistics s;
  s.crossbar_request_bytes = counters.request_bytes;
  s.crossbar_reply_bytes = counters.reply_bytes;
  s.l2_accesses = counters.l2.accesses;
  s.l2_hits = counters.l2.hits;
  s.l2_misses = counters.l2.misses;
  s.l2_merges = counters.l2.merges;
  s.l2_write_misses = counters.l2.write_misses;
  s.l2_write_backs = counters.l2.write_backs;
  s.dram_reads = counters.dram.reads;
  s.dram_writes = counters.dram.writes + counters.dram.atomics;
  s.dram_bytes = counters.dram.bytes;
  s.dram_activations = counters.dram.activations;
  s.dram_row_hits = counters.dram.row_hits;
  return s;
}

std::unique_ptr<MemoryBelow> make_memory_below(const DesignPoint& point, unsigned sms, MemoryKind kind,
                                               const sc_core::sc_time& period, BackingStore& store) {
  if (kind != MemoryKind::Ideal)
    return std::make_unique<memory_hierarchy>("below", sms, hierarchy_parameters(point, sms, kind, period), period,
                                              store);
  DramParameters ideal;
  ideal.ideal = true;
  return std::make_unique<fixed_memory>("below", sms, ideal, period, store);
}

}  // namespace heddle::gpu
