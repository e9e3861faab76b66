// SPDX-License-Identifier: Apache-2.0
// The whole memory, L1s to DRAM, behind test initiators: latencies as sums of the parameters, the peak of its channels,
// bytes that agree between the levels, and random traffic with back-pressure everywhere. All benches are elaborated and
// run together (one elaboration a process).
//
//   HEDDLE_REQUESTS  random requests in all, a multiple of 20 (default: ten million, a quarter of a CPU minute)
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "sim/gpu/machine_memory.h"
#include "tests/tlm/line_driver.h"
#include "tests/tlm/random_driver.h"
#include "tlm/memory_subsystem.h"

int sc_main(int, char**) {
  return 0;
}  // libsystemc asks for it; Boost.Test owns main

namespace {

using heddle::gpu::MemoryKind;
using heddle_test::line_driver;
using heddle_test::Request;

const sc_core::sc_time period(2, sc_core::SC_NS);
const heddle::DesignPoint& hpca13 = heddle::point::hpca13::Values;
const heddle::DesignPoint& micro07 = heddle::point::micro07::Values;
constexpr unsigned LineBytes = 128;

std::uint64_t number(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 0);
}

struct Memory {
  Memory(const std::string& name, unsigned count, const heddle::L1Parameters& l1,
         const heddle::HierarchyParameters& parameters, std::size_t bytes)
      : base(store.allocate(bytes)), sms(count) {
    for (std::size_t i = 0; i < bytes; ++i) *store.at(base + i) = static_cast<std::uint8_t>(i * 7 + i / 128);
    auto hierarchy =
        std::make_unique<heddle::memory_hierarchy>((name + "_below").c_str(), sms, parameters, period, store);
    below = hierarchy.get();
    memory = std::make_unique<heddle::memory_subsystem>(name.c_str(), sms, l1, period, std::move(hierarchy));
  }
  heddle::L1Counters l1s() const {
    heddle::L1Counters all;
    for (unsigned sm = 0; sm < sms; ++sm) {
      const heddle::L1Counters& one = memory->l1(sm).counters();
      all.accesses += one.accesses;
      all.misses += one.misses;
      all.writes += one.writes;
      all.atomics += one.atomics;
    }
    return all;
  }
  heddle::BackingStore store;
  std::uint64_t base;
  unsigned sms;
  heddle::memory_hierarchy* below = nullptr;
  std::unique_ptr<heddle::memory_subsystem> memory;
};

// Requests by hand, an SM each.
struct Bench : Memory {
  Bench(const std::string& name, unsigned count, const heddle::L1Parameters& l1,
        const heddle::HierarchyParameters& parameters, unsigned lines)
      : Memory(name, count, l1, parameters, std::size_t{lines} * l1.line_bytes), line_bytes(l1.line_bytes) {
    for (unsigned sm = 0; sm < sms; ++sm) {
      drivers.push_back(
          std::make_unique<line_driver>((name + "_driver" + std::to_string(sm)).c_str(), period, line_bytes));
      drivers.back()->socket.bind(memory->socket(sm));
    }
  }
  Request& add(unsigned sm, Request::Kind kind, unsigned line, std::uint64_t cycle) {
    Request request;
    request.kind = kind;
    request.line = base + std::uint64_t{line} * line_bytes;
    request.cycle = cycle;
    drivers[sm]->requests.push_back(request);
    return drivers[sm]->requests.back();
  }
  std::uint64_t latency(unsigned sm, std::size_t i) const {
    return drivers[sm]->requests[i].answered - drivers[sm]->requests[i].accepted;
  }
  std::uint64_t last_answer() const {
    std::uint64_t last = 0;
    for (const auto& driver : drivers)
      for (const Request& request : driver->requests) last = std::max(last, request.answered);
    return last;
  }
  // The share of the time until the last answer in which the data buses were busy.
  double bus_share() const {
    double busy = 0;
    for (unsigned i = 0; i < below->channels(); ++i) busy += below->channel(i).busy().to_seconds();
    return busy / below->channels() / (double(last_answer()) * period.to_seconds());
  }
  unsigned line_bytes;
  std::vector<std::unique_ptr<line_driver>> drivers;
};

struct RandomBench : Memory {
  RandomBench(const std::string& name, unsigned count, const heddle::L1Parameters& l1,
              const heddle::HierarchyParameters& parameters, heddle_test::RandomTraffic traffic)
      : Memory(name, count, l1, parameters, std::size_t{count} * traffic.lines * l1.line_bytes) {
    traffic.line_bytes = l1.line_bytes;
    traffic.stride = sms;  // lines of two SMs lie in one line of the L2
    for (unsigned sm = 0; sm < sms; ++sm) {
      traffic.base = base + std::uint64_t{sm} * l1.line_bytes;
      ++traffic.seed;
      drivers.push_back(std::make_unique<heddle_test::random_driver>((name + "_driver" + std::to_string(sm)).c_str(),
                                                                     period, traffic, store.at(traffic.base)));
      drivers.back()->socket.bind(memory->socket(sm));
    }
  }
  bool done() const {
    for (const auto& driver : drivers)
      if (!driver->done()) return false;
    return memory->idle();
  }
  std::uint64_t answered() const {
    std::uint64_t all = 0;
    for (const auto& driver : drivers) all += driver->answered();
    return all;
  }
  std::vector<std::unique_ptr<heddle_test::random_driver>> drivers;
};

// Every queue as short as it may be.
heddle::L1Parameters tight_l1() {
  heddle::L1Parameters p;
  p.bytes = 1024;
  p.ways = 2;
  p.mshrs = 3;
  p.targets_per_mshr = 3;
  p.memory_queue = 2;
  p.hit_latency = 4;
  return p;
}

heddle::HierarchyParameters tight() {
  heddle::HierarchyParameters p;
  p.channels = 3;
  p.crossbar.latency = 1;
  p.crossbar.input_queue = 1;
  p.crossbar.credits = 2;
  p.crossbar.iterations = 1;
  p.l2.bytes = 5 * 2 * 256;
  p.l2.ways = 2;
  p.l2.mshrs = 4;
  p.l2.targets_per_mshr = 2;
  p.l2.memory_queue = 2;
  p.l2.reply_slack = 2;
  p.l2.hit_latency = 3;
  p.dram.clock = sc_core::sc_time(1515, sc_core::SC_PS);
  p.dram.burst_time = sc_core::sc_time(3030, sc_core::SC_PS);
  p.dram.queue_depth = 1;
  p.dram.patience = 60;
  p.dram.latency = 5;
  return p;
}

struct Benches {
  std::unique_ptr<Bench> latency, no_l2, few_mshrs, stream, four_of_six, share, own_rows;
  std::vector<std::unique_ptr<RandomBench>> random;
  std::uint64_t requests = number("HEDDLE_REQUESTS", 10'000'000);

  Benches() {
    const std::uint64_t seed = number("HEDDLE_SEED", 20240611);
    std::printf("seed %llu (HEDDLE_SEED), %llu requests\n", static_cast<unsigned long long>(seed),
                static_cast<unsigned long long>(requests));
    const heddle::L1Parameters l1 = heddle::gpu::l1_parameters(hpca13);
    const heddle::HierarchyParameters chip = heddle::gpu::hierarchy_parameters(hpca13, 15, MemoryKind::Chip, period);
    latency = std::make_unique<Bench>("latency", 2, l1, chip, 64);
    latency->add(0, Request::Load, 0, 10);    // DRAM
    latency->add(0, Request::Load, 0, 1000);  // L1
    latency->add(1, Request::Load, 0, 1000);  // L2
    latency->add(0, Request::Load, 1, 2000);  // L2: the other half of its line
    latency->add(0, Request::Store, 1, 3000).enable[5] = 0xff;
    Request& atomic = latency->add(0, Request::Atomic, 1, 4000);
    atomic.op = heddle::AtomicOp::Add;
    atomic.lanes = {{0, 1, 0, 0}};

    no_l2 = std::make_unique<Bench>("no_l2", 1, heddle::gpu::l1_parameters(micro07),
                                    heddle::gpu::hierarchy_parameters(micro07, 8, MemoryKind::Chip, period), 64);
    no_l2->add(0, Request::Load, 0, 10);

    // With 32 lines under way a load of 350 cycles keeps an L1 from more than 32 * 128 / 350 bytes a cycle.
    heddle::L1Parameters few = l1;
    few.mshrs = 32;
    few_mshrs = std::make_unique<Bench>("few_mshrs", 1, few, chip, 1500);
    for (unsigned i = 0; i < 1500; ++i) few_mshrs->add(0, Request::Load, i, 10);
    // So what asks the memory for its peak has more of them. All SMs read one array, four lines each in turn.
    heddle::L1Parameters wide = l1;
    wide.mshrs = 96;
    constexpr unsigned Lines = 15 * 3000;
    stream = std::make_unique<Bench>("stream", 15, wide, chip, Lines);
    for (unsigned i = 0; i < Lines; ++i) stream->add(i / 4 % 15, Request::Load, i, 10);
    // Line by line in turn, each of 15 SMs asks four of the six partitions: 30 lines on, it is at the same one again.
    four_of_six = std::make_unique<Bench>("four_of_six", 15, wide, chip, Lines);
    for (unsigned i = 0; i < Lines; ++i) four_of_six->add(i % 15, Request::Load, i, 10);
    share = std::make_unique<Bench>("share", 1, wide,
                                    heddle::gpu::hierarchy_parameters(hpca13, 1, MemoryKind::Share, period), 4000);
    for (unsigned i = 0; i < 4000; ++i) share->add(0, Request::Load, i, 10);
    // Each SM an array of its own: rows compete for banks.
    own_rows = std::make_unique<Bench>("own_rows", 15, wide, chip, Lines);
    for (unsigned i = 0; i < Lines; ++i) own_rows->add(i % 15, Request::Load, i % 15 * 3000 + i / 15, 10);

    heddle_test::RandomTraffic traffic;
    traffic.seed = seed;
    unsigned drivers = 0;
    const auto add = [&](const char* name, unsigned sms, const heddle::L1Parameters& first,
                         const heddle::HierarchyParameters& parameters, unsigned lines, unsigned slow, unsigned pause) {
      traffic.lines = lines;
      traffic.slow_end_resp = slow;
      traffic.pause = pause;
      traffic.count = requests / 20;
      traffic.seed += 1000;
      drivers += sms;
      random.push_back(std::make_unique<RandomBench>(name, sms, first, parameters, traffic));
    };
    add("tight", 5, tight_l1(), tight(), 40, 0, 0);
    add("slow", 3, tight_l1(), tight(), 40, 3, 64);
    heddle::HierarchyParameters p = tight();
    p.l2.bytes = 0;
    add("without_l2", 3, tight_l1(), p, 12, 0, 64);
    add("as_hpca13", 6, l1, chip, 300, 0, 64);
    p = tight();
    p.channels = 1;
    p.l2.line_bytes = 128;
    p.l2.bytes = 4 * 128 * 2;
    add("one_channel", 3, tight_l1(), p, 12, 0, 0);
    BOOST_REQUIRE(drivers == 20);

    while (!done()) sc_core::sc_start(1, sc_core::SC_MS);
  }

  bool done() const {
    for (const auto& bench : random)
      if (!bench->done()) return false;
    return true;
  }
};

Benches& benches() {
  static Benches all;
  return all;
}

}  // namespace

// hpca13: a request of one flit crosses in latency + 1 cycles, a reply with 128 bytes and a header in latency + 3.
BOOST_AUTO_TEST_CASE(latency_of_each_level_is_the_sum_of_its_parameters) {
  const Bench& bench = *benches().latency;
  constexpr std::uint64_t Crossing = 16 + 1, Line = 16 + 3;
  BOOST_TEST(bench.latency(0, 1) == 28u);
  BOOST_TEST(bench.latency(1, 0) == Crossing + 150 + Line);
  BOOST_TEST(bench.latency(0, 2) == Crossing + 150 + Line);
  BOOST_TEST(bench.latency(0, 3) == Crossing + 150 + Crossing);  // a sector and a header are one flit
  BOOST_TEST(bench.latency(0, 4) == Crossing + 150 + Crossing);
  // DRAM: the 4 bursts of a line lie in one bank, so that they come tCCDL = 3 clocks apart; tRCD + tCL + 3 * 3 + 2 are 35
  // clocks at 924 MHz, 26.5 cycles at 700 MHz; at most two cycles and a clock are lost between the two clocks.
  const std::uint64_t dram = bench.latency(0, 0) - Crossing - Line - 280;
  BOOST_TEST(dram >= 27u);
  BOOST_TEST(dram <= 30u);

  // micro07: tRCD + tCL + 2 bursts of 4 clocks are 29 clocks of 1 cycle; a line of 64 bytes is 2 flits.
  const std::uint64_t without = benches().no_l2->latency(0, 0) - (8 + 1) - (8 + 2) - 40;
  BOOST_TEST(without >= 29u);
  BOOST_TEST(without <= 31u);
}

BOOST_AUTO_TEST_CASE(streams_reach_the_peak) {
  for (const auto* bench :
       {benches().stream.get(), benches().four_of_six.get(), benches().share.get(), benches().own_rows.get()}) {
    std::printf("%s: data buses busy for %.2f%% of the time, %.1f bytes a cycle\n", bench->memory->name(),
                100 * bench->bus_share(), double(bench->below->counters().dram.bytes) / double(bench->last_answer()));
    BOOST_TEST(bench->bus_share() <= 1.0);
  }
  const Bench& few = *benches().few_mshrs;
  // The first load opens a row; those behind it find it open, and take tRCD less.
  const double open_row = double(few.latency(0, 0)) - 12 * 700 / 924.0;
  const double bound = 32.0 * LineBytes / open_row;
  const double reached = 1500.0 * LineBytes / double(few.last_answer() - 10);
  std::printf("an L1 with 32 MSHRs: %.2f bytes a cycle, at most %.2f\n", reached, bound);
  BOOST_TEST(reached <= bound * 1.01);
  BOOST_TEST(reached > bound * 0.9);
  BOOST_TEST(benches().stream->bus_share() > 0.97);
  BOOST_TEST(benches().four_of_six->bus_share() > 0.88);
  BOOST_TEST(benches().share->bus_share() > 0.97);
  BOOST_TEST(benches().own_rows->bus_share() > 0.95);
}

BOOST_AUTO_TEST_CASE(random_requests_follow_program_order) {
  for (const auto& bench : benches().random) {
    BOOST_TEST_CONTEXT(bench->memory->name()) {
      bench->below->settle();
      for (const auto& driver : bench->drivers) {
        BOOST_TEST(driver->fault() == "");
        BOOST_TEST(driver->answered() == benches().requests / 20);
        BOOST_TEST(driver->pool.in_use() == 0u);
        BOOST_TEST(driver->compare(bench->store) == "");
      }
      for (unsigned sm = 0; sm < bench->sms; ++sm) BOOST_TEST(bench->memory->l1(sm).pool().in_use() == 0u);
    }
  }
}

// What one level sends is what the next one gets.
BOOST_AUTO_TEST_CASE(bytes_are_conserved_between_levels) {
  const auto check = [](const Memory& bench, bool has_l2, std::uint64_t l2_line) {
    BOOST_TEST_CONTEXT(bench.memory->name()) {
      const heddle::L1Counters l1 = bench.l1s();
      const heddle::BelowCounters c = bench.below->counters();
      if (!has_l2) {
        BOOST_TEST(c.dram.reads == l1.misses);
        BOOST_TEST(c.dram.writes == l1.writes);
        BOOST_TEST(c.dram.atomics == l1.atomics);
        return;
      }
      BOOST_TEST(c.l2.accesses == l1.misses + l1.writes + l1.atomics);
      BOOST_TEST(c.l2.writes == l1.writes);
      BOOST_TEST(c.l2.atomics == l1.atomics);
      BOOST_TEST(c.l2.hits + c.l2.misses + c.l2.merges + c.l2.write_misses == c.l2.accesses);
      BOOST_TEST(c.dram.reads == c.l2.misses);
      BOOST_TEST(c.dram.writes == c.l2.write_backs);
      BOOST_TEST(c.dram.atomics == 0u);
      BOOST_TEST(c.dram.bytes >= c.dram.reads * l2_line);
      BOOST_TEST(c.dram.bytes <= (c.dram.reads + c.dram.writes) * l2_line);
    }
  };
  check(*benches().stream, true, 256);
  for (std::size_t i = 0; i < benches().random.size(); ++i) check(*benches().random[i], i != 2, i == 4 ? 128 : 256);
  // A load is answered by its line and a header, everything else by a flit.
  const heddle::BelowCounters c = benches().stream->below->counters();
  BOOST_TEST(c.reply_bytes == 45'000u * 3 * 64);
  BOOST_TEST(c.request_bytes == 45'000u * 64);
  BOOST_TEST(c.dram.bytes == 45'000u * LineBytes);
}

BOOST_AUTO_TEST_CASE(back_pressure_is_everywhere) {
  const RandomBench& bench = *benches().random[0];
  const heddle::BelowCounters c = bench.below->counters();
  std::uint64_t l1_queue = 0;
  for (unsigned sm = 0; sm < bench.sms; ++sm) l1_queue += bench.memory->l1(sm).counters().stalls_queue;
  std::printf(
      "held back: %llu by the L1s, %llu by MSHRs, %llu by their lists, %llu by ways, %llu by the L2's queue, "
      "%llu by its answers, %llu by DRAM\n",
      static_cast<unsigned long long>(l1_queue), static_cast<unsigned long long>(c.l2.stalls_mshr),
      static_cast<unsigned long long>(c.l2.stalls_targets), static_cast<unsigned long long>(c.l2.stalls_ways),
      static_cast<unsigned long long>(c.l2.stalls_queue), static_cast<unsigned long long>(c.l2.stalls_replies),
      static_cast<unsigned long long>(c.dram.stalls));
  BOOST_TEST(l1_queue > 0u);
  BOOST_TEST(c.l2.stalls_mshr + c.l2.stalls_targets + c.l2.stalls_ways > 0u);
  BOOST_TEST(c.l2.stalls_queue > 0u);
  BOOST_TEST(c.dram.stalls > 0u);
}

// Loosely timed, through all levels: the newest bytes, wherever they are, and the time of the way to an open channel.
BOOST_AUTO_TEST_CASE(blocking_transport_goes_past_the_caches) {
  const Bench& bench = *benches().latency;
  std::vector<std::uint8_t> bytes(LineBytes);
  tlm::tlm_generic_payload payload;
  payload.set_address(bench.base + LineBytes);  // stored to by SM 0, dirty in the L2
  payload.set_data_ptr(bytes.data());
  payload.set_data_length(LineBytes);
  payload.set_streaming_width(LineBytes);
  const auto transport = [&](tlm::tlm_command command, unsigned sm) {
    payload.set_command(command);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    bench.drivers[sm]->socket->b_transport(payload, delay);
    BOOST_TEST(payload.is_response_ok());
    return delay / period;
  };
  BOOST_TEST(bytes[5] == 0);
  const double cycles = transport(tlm::TLM_READ_COMMAND, 1);
  const std::uint32_t first = static_cast<std::uint8_t>(LineBytes * 7 + 1);
  BOOST_TEST(bytes[0] == static_cast<std::uint8_t>(first + 1));  // the atomic's
  BOOST_TEST(bytes[5] == 0);                                     // the store's
  BOOST_TEST(bytes[6] == static_cast<std::uint8_t>((LineBytes + 6) * 7 + 1));
  BOOST_TEST(cycles > 17 + 19 + 280 + 19);
  BOOST_TEST(cycles < 17 + 19 + 280 + 24);
  bytes.assign(LineBytes, 0x77);
  transport(tlm::TLM_WRITE_COMMAND, 0);
  bytes.assign(LineBytes, 0);
  transport(tlm::TLM_READ_COMMAND, 1);
  BOOST_TEST(bytes[127] == 0x77);
  BOOST_TEST(*bench.store.at(bench.base + LineBytes) == 0x77);
}

BOOST_AUTO_TEST_CASE(what_falls_to_some_sms_adds_up_to_the_chip) {
  const auto bandwidth = [](const heddle::HierarchyParameters& p) {
    return p.channels * double(p.dram.burst_bytes) / p.dram.burst_time.to_seconds();
  };
  const heddle::HierarchyParameters chip = heddle::gpu::hierarchy_parameters(hpca13, 1, MemoryKind::Chip, period);
  BOOST_TEST(chip.channels == 6u);
  BOOST_TEST(chip.l2.bytes == 128u * 1024);
  for (unsigned sms = 1; sms <= 30; ++sms) {
    const heddle::HierarchyParameters p = heddle::gpu::hierarchy_parameters(hpca13, sms, MemoryKind::Share, period);
    BOOST_TEST(p.channels == (6 * sms + 14) / 15);
    BOOST_TEST(bandwidth(p) == bandwidth(chip) * sms / 15, boost::test_tools::tolerance(0.001));
    BOOST_TEST(p.l2.bytes * p.channels <= 786432u * sms / 15);
    BOOST_TEST(p.l2.bytes * p.channels + p.channels * 2048 > 786432u * sms / 15);
  }
  // 6 x 29.6 GB/s at 700 MHz; a period here is 2 ns.
  BOOST_TEST(bandwidth(chip) * period.to_seconds() == 6 * 29.6e9 / 700e6, boost::test_tools::tolerance(0.002));
}
