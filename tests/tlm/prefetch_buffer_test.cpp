// SPDX-License-Identifier: Apache-2.0
// The prefetch buffer below an L1: when lines come and go, what stores and atomics do to them, and random traffic with
// prefetches of the same lines between the requests, compared with a plain array of bytes. All benches are elaborated
// and run together (one elaboration a process).
//
//   HEDDLE_SEED  of the random traffic
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "tests/tlm/fixed_memory.h"
#include "tests/tlm/line_driver.h"
#include "tests/tlm/random_driver.h"

int sc_main(int, char**) {
  return 0;
}  // libsystemc asks for it; Boost.Test owns main

namespace {

using heddle::PrefetchCounters;
using heddle_test::line_driver;
using heddle_test::Request;

const sc_core::sc_time period(1429, sc_core::SC_PS);  // 700 MHz, and odd
constexpr unsigned LineBytes = 128;
constexpr unsigned Latency = 200, L1Latency = 20, BufferLatency = 4;

std::uint64_t seed() {
  const char* text = std::getenv("HEDDLE_SEED");
  return text == nullptr ? 20241128 : std::strtoull(text, nullptr, 0);
}

/// Asks a buffer for lines, each at a clock edge, as a prefetcher does.
class asker : public sc_core::sc_module {
 public:
  struct Ask {
    std::uint64_t cycle, line;
  };
  std::vector<Ask> asks;  ///< by their cycles
  std::uint64_t acquires_at = ~std::uint64_t(0);
  unsigned one_of = 0;     ///< then at random: at one of so many edges; 0: never
  std::uint64_t base = 0;  ///< of those lines
  unsigned lines = 1;

  SC_HAS_PROCESS(asker);
  asker(const sc_core::sc_module_name& name, heddle::prefetch_buffer& buffer, std::uint64_t random_seed)
      : sc_module(name), buffer_(buffer), cycles_(period), random_(random_seed) {
    SC_METHOD(edge);
  }
  void stop() { stopped_ = true; }

 private:
  void edge() {
    if (stopped_) return;
    next_trigger(period);
    for (; next_ < asks.size() && asks[next_].cycle <= cycles_.now(); ++next_) buffer_.prefetch(asks[next_].line);
    if (cycles_.now() == acquires_at) buffer_.acquire();
    if (one_of != 0 && random_() % one_of == 0) buffer_.prefetch(base + random_() % lines * LineBytes);
  }

  heddle::prefetch_buffer& buffer_;
  const heddle::Cycles cycles_;
  std::mt19937_64 random_;
  std::size_t next_ = 0;
  bool stopped_ = false;
};

heddle_test::FixedMemory memory_of(unsigned sms) {
  heddle_test::FixedMemory memory;
  memory.sms = sms;
  memory.l1.hit_latency = L1Latency;
  memory.dram.latency = Latency;
  memory.beside.prefetches = heddle::PrefetchBufferParameters{};
  memory.beside.prefetches.hit_latency = BufferLatency;
  memory.beside.prefetches.others_write = sms > 1;
  return memory;
}

/// Requests and prefetches by hand, of SMs that share 64 lines.
struct Bench {
  Bench(const std::string& name, const heddle_test::FixedMemory& parameters) : base(store.allocate(64 * LineBytes)) {
    memory = parameters.make(name, period, store);
    for (unsigned sm = 0; sm < parameters.sms; ++sm) {
      const std::string number = std::to_string(sm);
      drivers.push_back(std::make_unique<line_driver>((name + "_driver" + number).c_str(), period, LineBytes));
      drivers.back()->socket.bind(memory->socket(sm));
      askers.push_back(std::make_unique<asker>((name + "_asker" + number).c_str(), memory->prefetches(sm), 0));
    }
  }
  std::uint64_t line(unsigned index) const { return base + std::uint64_t{index} * LineBytes; }
  void prefetch(unsigned sm, unsigned index, std::uint64_t cycle) { askers[sm]->asks.push_back({cycle, line(index)}); }
  Request& add(unsigned sm, Request::Kind kind, unsigned index, std::uint64_t cycle) {
    Request request;
    request.kind = kind;
    request.line = line(index);
    request.cycle = cycle;
    drivers[sm]->requests.push_back(request);
    return drivers[sm]->requests.back();
  }
  void load(unsigned sm, unsigned index, std::uint64_t cycle) { add(sm, Request::Load, index, cycle); }
  void store_byte(unsigned sm, unsigned index, std::uint64_t cycle, std::uint8_t value) {
    Request& request = add(sm, Request::Store, index, cycle);
    request.data[0] = value;
    request.enable[0] = 0xff;
  }
  void atomic(unsigned sm, unsigned index, std::uint64_t cycle) {
    Request& request = add(sm, Request::Atomic, index, cycle);
    request.op = heddle::AtomicOp::Add;
    request.lanes = {{0, 1, 0, 0}};
  }
  std::uint64_t latency(unsigned sm, std::size_t i) const {
    return drivers[sm]->requests[i].answered - drivers[sm]->requests[i].accepted;
  }
  unsigned loaded(unsigned sm, std::size_t i) const { return drivers[sm]->requests[i].loaded[0]; }
  const PrefetchCounters& counters(unsigned sm = 0) const { return memory->prefetches(sm).counters(); }

  heddle::BackingStore store;
  std::uint64_t base;
  std::unique_ptr<heddle::memory_subsystem> memory;
  std::vector<std::unique_ptr<line_driver>> drivers;
  std::vector<std::unique_ptr<asker>> askers;
};

/// Each SM has lines of its own.
struct RandomBench {
  RandomBench(const std::string& name, const heddle_test::FixedMemory& parameters, unsigned lines, std::uint64_t count,
              unsigned one_of)
      : base(store.allocate(std::size_t{parameters.sms} * lines * LineBytes)) {
    for (std::size_t i = 0; i < std::size_t{parameters.sms} * lines * LineBytes; ++i)
      *store.at(base + i) = static_cast<std::uint8_t>(i * 7 + i / 128);
    memory = parameters.make(name, period, store);
    for (unsigned sm = 0; sm < parameters.sms; ++sm) {
      const std::string number = std::to_string(sm);
      heddle_test::RandomTraffic traffic;
      traffic.base = base + std::uint64_t{sm} * lines * LineBytes;
      traffic.lines = lines;
      traffic.count = count;
      traffic.seed = seed() ^ std::hash<std::string>()(name + number);
      drivers.push_back(std::make_unique<heddle_test::random_driver>((name + "_driver" + number).c_str(), period,
                                                                     traffic, store.at(traffic.base)));
      drivers.back()->socket.bind(memory->socket(sm));
      askers.push_back(
          std::make_unique<asker>((name + "_asker" + number).c_str(), memory->prefetches(sm), traffic.seed));
      askers.back()->one_of = one_of;
      askers.back()->base = traffic.base;
      askers.back()->lines = lines;
    }
  }
  bool done() const {
    for (const auto& driver : drivers)
      if (!driver->done()) return false;
    return true;
  }

  heddle::BackingStore store;
  std::uint64_t base;
  std::unique_ptr<heddle::memory_subsystem> memory;
  std::vector<std::unique_ptr<heddle_test::random_driver>> drivers;
  std::vector<std::unique_ptr<asker>> askers;
};

/// No room anywhere.
heddle_test::FixedMemory tight(unsigned sms) {
  heddle_test::FixedMemory memory = memory_of(sms);
  memory.l1.bytes = 1024;
  memory.l1.ways = 2;
  memory.l1.mshrs = 3;
  memory.l1.targets_per_mshr = 3;
  memory.l1.memory_queue = 2;
  memory.dram.latency = 30;
  memory.dram.queue_depth = 2;
  memory.dram.bytes_per_cycle = 32;
  heddle::PrefetchBufferParameters& buffer = memory.beside.prefetches;
  buffer.bytes = 512;
  buffer.ways = 2;
  buffer.under_way = 2;
  buffer.queue = 2;
  buffer.hit_latency = 1;
  return memory;
}

struct Benches {
  Bench lines{"lines", memory_of(1)};
  Bench order{"order", memory_of(1)};
  Bench others{"others", memory_of(2)};
  Bench acquired{"acquired", memory_of(1)};
  Bench small{"small", small_buffer()};
  std::vector<std::unique_ptr<RandomBench>> random;

  static heddle_test::FixedMemory small_buffer() {
    heddle_test::FixedMemory memory = memory_of(1);
    memory.beside.prefetches.bytes = 2 * LineBytes;  // two ways, one set
    memory.beside.prefetches.ways = 2;
    memory.beside.prefetches.queue = 3;
    return memory;
  }

  Benches() {
    std::printf("seed %llu (HEDDLE_SEED)\n", static_cast<unsigned long long>(seed()));
    lines.prefetch(0, 0, 10);
    lines.load(0, 0, 500);  // here: it moves to the L1
    lines.load(0, 0, 1000);
    lines.prefetch(0, 0, 1100);  // in the L1
    lines.prefetch(0, 1, 1200);
    lines.prefetch(0, 1, 1250);  // on its way
    lines.load(0, 1, 1300);      // joins
    lines.load(0, 2, 2000);
    lines.prefetch(0, 2, 2010);  // the L1 awaits it

    order.prefetch(0, 0, 10);
    order.store_byte(0, 0, 500, 1);  // the line is here
    order.load(0, 0, 1000);
    order.prefetch(0, 1, 1100);
    order.store_byte(0, 1, 1110, 1);  // on its way
    order.load(0, 1, 1500);
    order.prefetch(0, 2, 2000);
    order.atomic(0, 2, 2500);
    order.load(0, 2, 3000);
    order.prefetch(0, 3, 3100);
    order.load(0, 3, 3110);  // joins before the store: the old byte
    order.store_byte(0, 3, 3120, 1);
    order.load(0, 3, 3130);  // joins the L1's fill behind the store: the new one

    // SM 1 has line 0 by a prefetch when SM 0 writes it; by the atomic on line 1 it learns of that.
    others.prefetch(1, 0, 10);
    others.store_byte(0, 0, 500, 1);
    others.atomic(0, 1, 1000);
    others.prefetch(1, 2, 1490);
    others.atomic(1, 1, 1500);
    others.load(1, 0, 2000);

    acquired.prefetch(0, 0, 10);
    acquired.prefetch(0, 1, 990);
    acquired.askers[0]->acquires_at = 1000;
    acquired.load(0, 1, 1010);
    acquired.load(0, 0, 1500);

    for (unsigned i = 0; i < 3; ++i) small.prefetch(0, i, 10 + 10 * i);  // the third one evicts the first
    small.load(0, 0, 500);
    small.load(0, 1, 1000);
    for (unsigned i = 10; i < 16; ++i) small.prefetch(0, i, 1500);  // three may wait

    random.push_back(std::make_unique<RandomBench>("tight", tight(1), 8, 40'000, 2));
    random.push_back(std::make_unique<RandomBench>("tight_shared", tight(3), 8, 20'000, 2));
    random.push_back(std::make_unique<RandomBench>("wide", memory_of(1), 400, 40'000, 1));
    random.push_back(std::make_unique<RandomBench>("wide_shared", memory_of(2), 400, 40'000, 1));
    heddle_test::FixedMemory ideal = tight(1);
    ideal.dram.ideal = true;
    random.push_back(std::make_unique<RandomBench>("ideal", ideal, 12, 40'000, 2));

    while (!done()) sc_core::sc_start(10, sc_core::SC_US);
    for (const auto& bench : random)
      for (const auto& one : bench->askers) one->stop();
    sc_core::sc_start(10, sc_core::SC_US);
  }

  bool done() const {
    for (const auto& bench : random)
      if (!bench->done()) return false;
    return true;
  }
};

Benches& benches() {
  heddle::sockets_are_monitored() = true;
  static Benches all;
  return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_line_that_was_prefetched_moves_to_the_l1) {
  const Bench& bench = benches().lines;
  BOOST_TEST(bench.latency(0, 0) == L1Latency);  // the buffer answers sooner, and a miss costs a hit at least
  BOOST_TEST(bench.latency(0, 1) == L1Latency);
  BOOST_TEST(bench.latency(0, 2) < Latency - 50);  // 98 cycles of the prefetch have passed
  BOOST_TEST(bench.latency(0, 2) > Latency / 2 - 10);
  BOOST_TEST(bench.latency(0, 3) >= Latency);
  const PrefetchCounters& counters = bench.counters();
  BOOST_TEST(counters.sent == 2U);
  BOOST_TEST(counters.hits == 1U);
  BOOST_TEST(counters.merges == 1U);
  BOOST_TEST(counters.redundant == 3U);
  BOOST_TEST(counters.requests == 3U);
  BOOST_TEST(counters.early_evictions + counters.stale + counters.dropped == 0U);
}

BOOST_AUTO_TEST_CASE(stores_and_atomics_make_lines_stale) {
  const Bench& bench = benches().order;
  BOOST_TEST(bench.loaded(0, 1) == 1U);
  BOOST_TEST(bench.loaded(0, 3) == 1U);
  BOOST_TEST(bench.loaded(0, 5) == 1U);
  BOOST_TEST(bench.loaded(0, 6) == 0U);
  BOOST_TEST(bench.loaded(0, 8) == 1U);
  BOOST_TEST(bench.counters().stale == 4U);
  BOOST_TEST(bench.counters().hits == 0U);
  BOOST_TEST(bench.counters().merges == 1U);
}

BOOST_AUTO_TEST_CASE(an_atomic_drops_what_other_sms_may_have_written) {
  const Bench& bench = benches().others;
  BOOST_TEST(bench.drivers[1]->requests[0].old.at(0) == 1U);  // it has seen the other SM's atomic
  BOOST_TEST(bench.loaded(1, 1) == 1U);
  BOOST_TEST(bench.counters(1).stale == 2U);  // one here, one under way
  BOOST_TEST(bench.counters(1).hits == 0U);
}

BOOST_AUTO_TEST_CASE(an_acquire_drops_lines_and_prefetches_under_way) {
  const Bench& bench = benches().acquired;
  BOOST_TEST(bench.counters().stale == 2U);
  BOOST_TEST(bench.counters().hits + bench.counters().merges == 0U);
  BOOST_TEST(bench.latency(0, 0) >= Latency);
  BOOST_TEST(bench.latency(0, 1) >= Latency);
}

BOOST_AUTO_TEST_CASE(the_oldest_line_makes_room_and_few_prefetches_wait) {
  const Bench& bench = benches().small;
  BOOST_TEST(bench.latency(0, 0) >= Latency);
  BOOST_TEST(bench.latency(0, 1) == L1Latency);
  BOOST_TEST(bench.counters().dropped == 3U);
  BOOST_TEST(bench.counters().sent == 6U);
  BOOST_TEST(bench.counters().early_evictions == 3U);  // and two of the last three find the sets full
}

BOOST_AUTO_TEST_CASE(random_traffic_sees_the_bytes_of_its_program_order) {
  for (const auto& bench : benches().random) {
    PrefetchCounters all;
    for (unsigned sm = 0; sm < bench->drivers.size(); ++sm) {
      BOOST_TEST(bench->drivers[sm]->fault() == "");
      BOOST_TEST(bench->drivers[sm]->compare(bench->store) == "");
      const PrefetchCounters& one = bench->memory->prefetches(sm).counters();
      all.hits += one.hits;
      all.merges += one.merges;
      all.stale += one.stale;
      all.redundant += one.redundant;
      all.early_evictions += one.early_evictions;
    }
    BOOST_TEST(bench->memory->idle());
    bench->memory->settle();
    std::printf("%s: %llu hits, %llu merges, %llu stale, %llu redundant, %llu evicted early\n",
                bench->drivers[0]->name(), static_cast<unsigned long long>(all.hits),
                static_cast<unsigned long long>(all.merges), static_cast<unsigned long long>(all.stale),
                static_cast<unsigned long long>(all.redundant), static_cast<unsigned long long>(all.early_evictions));
    BOOST_TEST((all.hits > 100 && all.stale > 100 && all.redundant > 100));
  }
}
