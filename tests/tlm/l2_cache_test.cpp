// SPDX-License-Identifier: Apache-2.0
// An L2 partition between a test initiator and a device memory. All benches are elaborated and run together (one
// elaboration a process).
#include "tlm/l2_cache.h"

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "tests/tlm/line_driver.h"
#include "tests/tlm/random_driver.h"
#include "tlm/dram.h"

int sc_main(int, char**) {
  return 0;
}  // libsystemc asks for it; Boost.Test owns main

namespace {

using heddle_test::line_driver;
using heddle_test::Request;

const sc_core::sc_time period(1429, sc_core::SC_PS);  // 700 MHz, and odd
constexpr unsigned LineBytes = 128;                   // of the caches above

std::uint64_t seed() {
  const char* text = std::getenv("HEDDLE_SEED");
  return text == nullptr ? 20240611 : std::strtoull(text, nullptr, 0);
}

heddle::L2Parameters small() {
  heddle::L2Parameters p;
  p.bytes = 3 * 2 * 256;  // three sets of two ways
  p.ways = 2;
  p.mshrs = 3;
  p.targets_per_mshr = 3;
  p.memory_queue = 2;
  p.hit_latency = 4;
  return p;
}

heddle::L2Parameters timing() {
  heddle::L2Parameters p;
  p.hit_latency = 5;
  return p;
}

heddle::DramParameters memory(unsigned latency = 100) {
  heddle::DramParameters p;
  p.latency = latency;
  p.bytes_per_cycle = 64;  // four cycles a line
  return p;
}

struct Memory {
  Memory(const std::string& name, const heddle::L2Parameters& l2_parameters, const heddle::DramParameters& parameters,
         std::size_t size)
      : base(store.allocate(size)),
        l2((name + "_l2").c_str(), l2_parameters, period),
        dram((name + "_dram").c_str(), parameters, period, store) {
    for (std::size_t i = 0; i < size; ++i) *store.at(base + i) = static_cast<std::uint8_t>(i * 7 + i / 128);
    l2.memory_socket.bind(dram.socket);
  }
  heddle::BackingStore store;
  std::uint64_t base;
  heddle::l2_cache l2;
  heddle::dram dram;
};

struct Bench : Memory {
  Bench(const std::string& name, const heddle::L2Parameters& l2_parameters,
        const heddle::DramParameters& parameters = memory())
      : Memory(name, l2_parameters, parameters, 64 * LineBytes), driver((name + "_driver").c_str(), period, LineBytes) {
    driver.socket.bind(l2.socket);
  }
  Request& add(Request::Kind kind, unsigned line, std::uint64_t cycle) {
    Request request;
    request.kind = kind;
    request.line = base + std::uint64_t{line} * LineBytes;
    request.cycle = cycle;
    driver.requests.push_back(request);
    return driver.requests.back();
  }
  void load(unsigned line, std::uint64_t cycle) { add(Request::Load, line, cycle); }
  void store_bytes(unsigned line, std::uint64_t cycle, unsigned first, unsigned count, std::uint8_t value) {
    Request& request = add(Request::Store, line, cycle);
    for (unsigned i = first; i < first + count; ++i) {
      request.data[i] = value;
      request.enable[i] = 0xff;
    }
  }
  void atomic(unsigned line, std::uint64_t cycle, heddle::AtomicOp op) {
    Request& request = add(Request::Atomic, line, cycle);
    request.op = op;
    request.lanes = {{4, 1, 0, 0}};
  }
  std::uint64_t latency(std::size_t i) const { return driver.requests[i].answered - driver.requests[i].accepted; }
  std::uint8_t loaded(std::size_t i, unsigned byte) const { return driver.requests[i].loaded[byte]; }
  std::uint8_t original(unsigned line, unsigned byte) const {
    const std::size_t i = std::size_t{line} * LineBytes + byte;
    return static_cast<std::uint8_t>(i * 7 + i / 128);
  }
  line_driver driver;
};

struct RandomBench : Memory {
  RandomBench(const std::string& name, const heddle::L2Parameters& l2_parameters,
              const heddle::DramParameters& parameters, heddle_test::RandomTraffic traffic)
      : Memory(name, l2_parameters, parameters, std::size_t{traffic.lines} * traffic.line_bytes) {
    traffic.base = base;
    driver = std::make_unique<heddle_test::random_driver>((name + "_driver").c_str(), period, traffic, store.at(base));
    driver->socket.bind(l2.socket);
  }
  bool done() const { return driver->done() && l2.idle() && dram.idle(); }
  std::unique_ptr<heddle_test::random_driver> driver;
};

// Requests that arrive at the instants at which memory answers; what the kernel runs first there hangs on the order of
// elaboration.
struct InstantBench {
  InstantBench(const std::string& name, heddle_test::RandomTraffic traffic, bool driver_first)
      : base(store.allocate(std::size_t{traffic.lines} * traffic.line_bytes)) {
    traffic.base = base;
    traffic.between_edges = true;
    const auto make_driver = [&] {
      driver =
          std::make_unique<heddle_test::random_driver>((name + "_driver").c_str(), period, traffic, store.at(base));
    };
    if (driver_first) make_driver();
    dram = std::make_unique<heddle::dram>((name + "_dram").c_str(), memory(3), period, store);
    l2 = std::make_unique<heddle::l2_cache>((name + "_l2").c_str(), small(), period);
    if (!driver_first) make_driver();
    l2->memory_socket.bind(dram->socket);
    driver->socket.bind(l2->socket);
  }
  bool done() const { return driver->done() && l2->idle() && dram->idle(); }
  heddle::BackingStore store;
  std::uint64_t base;
  std::unique_ptr<heddle::dram> dram;
  std::unique_ptr<heddle::l2_cache> l2;
  std::unique_ptr<heddle_test::random_driver> driver;
};

constexpr std::uint64_t Count = 20'000;

struct Benches {
  std::unique_ptr<Bench> latency, stores, partial, evicted, lru, order, atomics, debug, ideal;
  std::vector<std::unique_ptr<RandomBench>> random;
  std::vector<std::unique_ptr<InstantBench>> instants;

  Benches() {
    std::printf("seed %llu (HEDDLE_SEED)\n", static_cast<unsigned long long>(seed()));
    latency = std::make_unique<Bench>("latency", timing());
    latency->load(0, 10);   // a miss: 100
    latency->load(1, 200);  // the other half of the line: a hit
    latency->load(0, 201);
    latency->store_bytes(1, 300, 0, 4, 1);
    latency->store_bytes(9, 400, 0, 4, 1);  // takes a line, no fetch
    latency->atomic(0, 500, heddle::AtomicOp::Add);

    stores = std::make_unique<Bench>("stores", timing());
    stores->store_bytes(0, 10, 0, 128, 0xa1);
    stores->load(0, 20);  // all its bytes are there, no fetch
    stores->store_bytes(1, 30, 0, 64, 0xa2);
    stores->load(1, 40);  // half of them: a fetch, and what was stored stays
    stores->load(1, 300);

    partial = std::make_unique<Bench>("partial", timing());
    partial->store_bytes(0, 10, 3, 1, 0xb1);
    partial->load(0, 11);
    partial->store_bytes(0, 12, 4, 1, 0xb2);  // joins
    partial->load(0, 13);                     // joins
    partial->load(1, 14);                     // joins: it is one line

    heddle::L2Parameters p = timing();
    p.bytes = 512;  // one set of two ways
    p.ways = 2;
    evicted = std::make_unique<Bench>("evicted", p);
    evicted->store_bytes(0, 10, 0, 4, 0xc1);
    evicted->store_bytes(0, 11, 96, 4, 0xc2);
    evicted->load(2, 20);
    evicted->load(4, 200);  // evicts the line of 0 and 1, dirty
    evicted->load(6, 400);  // evicts that of 2, clean
    evicted->load(0, 600);

    lru = std::make_unique<Bench>("lru", p);
    unsigned cycle = 0;
    for (const unsigned line : {0u, 2u, 0u, 4u, 0u, 2u}) lru->load(line, cycle += 200);  // 4 evicts 2

    order = std::make_unique<Bench>("order", timing());
    order->load(0, 10);
    order->store_bytes(0, 11, 4, 1, 0xaa);
    order->load(0, 12);
    order->atomic(0, 13, heddle::AtomicOp::Add);
    order->load(0, 14);
    order->store_bytes(0, 15, 4, 1, 0x55);
    order->load(0, 16);

    atomics = std::make_unique<Bench>("atomics", p);
    atomics->atomic(0, 10, heddle::AtomicOp::Add);    // fetches
    atomics->atomic(0, 200, heddle::AtomicOp::None);  // only asks
    atomics->atomic(2, 300, heddle::AtomicOp::None);
    atomics->load(4, 500);  // evicts 0: four dirty bytes
    atomics->load(6, 700);  // evicts 2: clean

    // While line 0's write back is on its way, memory is written by debug transport: see below.
    debug = std::make_unique<Bench>("debug", p);
    debug->store_bytes(0, 10, 0, 16, 0xd1);
    debug->load(2, 20);
    debug->load(4, 200);  // evicts 0
    debug->store_bytes(8, 210, 8, 8, 0xd2);

    heddle::DramParameters at_once = memory();
    at_once.ideal = true;
    ideal = std::make_unique<Bench>("ideal", timing(), at_once);
    ideal->load(0, 10);
    ideal->atomic(2, 11, heddle::AtomicOp::Add);

    heddle_test::RandomTraffic traffic;
    traffic.count = Count;
    traffic.seed = seed();
    const auto add = [&](const char* name, const heddle::L2Parameters& l2, const heddle::DramParameters& dram,
                         unsigned lines, unsigned slow = 0) {
      traffic.lines = lines;
      traffic.slow_end_resp = slow;
      random.push_back(std::make_unique<RandomBench>(name, l2, dram, traffic));
    };
    heddle::DramParameters tight = memory(30);
    tight.queue_depth = 2;
    add("small", small(), tight, 24);
    add("few_lines", small(), tight, 2);
    add("default", heddle::L2Parameters{}, memory(), 600);
    p = small();
    p.mshrs = p.targets_per_mshr = p.ways = p.hit_latency = p.reply_slack = 1;
    p.bytes = 256;
    tight.latency = tight.queue_depth = 1;
    add("depth_one", p, tight, 5);
    add("slow_initiator", small(), memory(10), 24, 2);
    add("at_once", small(), at_once, 24);
    p = small();
    p.reply_slack = 2;
    add("slow_answers", p, memory(10), 4, 1);
    p = small();
    p.line_bytes = LineBytes;
    p.bytes = 8 * LineBytes;
    add("lines_as_above", p, memory(30), 24);

    traffic.lines = 16;
    traffic.slow_end_resp = 0;
    traffic.pause = 0;
    for (const bool driver_first : {true, false})
      instants.push_back(
          std::make_unique<InstantBench>(driver_first ? "driver_first" : "driver_last", traffic, driver_first));

    sc_core::sc_start(202 * period);
    write_by_debug();
    while (!done()) sc_core::sc_start(1, sc_core::SC_MS);
  }

  bool done() const {
    for (const auto& bench : random)
      if (!bench->done()) return false;
    for (const auto& bench : instants)
      if (!bench->done()) return false;
    return true;
  }

  void write_by_debug() const {
    std::vector<std::uint8_t> zeros(64, 0);
    tlm::tlm_generic_payload payload;
    payload.set_command(tlm::TLM_WRITE_COMMAND);
    payload.set_address(debug->base + 8);
    payload.set_data_ptr(zeros.data());
    payload.set_data_length(static_cast<unsigned>(zeros.size()));
    debug->driver.socket->transport_dbg(payload);
  }
};

Benches& benches() {
  static Benches all;
  return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(latencies) {
  const Bench& bench = *benches().latency;
  const std::uint64_t expected[] = {100, 5, 5, 5, 5, 5};
  for (std::size_t i = 0; i < 6; ++i) BOOST_TEST(bench.latency(i) == expected[i], "request " << i);
  const heddle::L2Counters& c = bench.l2.counters();
  BOOST_TEST(c.misses == 1u);
  BOOST_TEST(c.hits == 4u);
  BOOST_TEST(c.write_misses == 1u);
  BOOST_TEST(bench.dram.counters().reads == 1u);
}

BOOST_AUTO_TEST_CASE(stores_need_no_fetch_and_survive_one) {
  const Bench& bench = *benches().stores;
  BOOST_TEST(bench.latency(1) == 5u);
  BOOST_TEST(bench.loaded(1, 0) == 0xa1);
  BOOST_TEST(bench.loaded(1, 127) == 0xa1);
  BOOST_TEST(bench.latency(3) == 100u);
  for (const std::size_t i : {3u, 4u}) {
    BOOST_TEST(bench.loaded(i, 63) == 0xa2);
    BOOST_TEST(bench.loaded(i, 64) == bench.original(1, 64));
  }
  BOOST_TEST(bench.latency(4) == 5u);
  BOOST_TEST(bench.l2.counters().misses == 1u);
  BOOST_TEST(bench.dram.counters().writes == 0u);
}

BOOST_AUTO_TEST_CASE(requests_join_a_fetch_and_are_served_in_their_order) {
  const Bench& bench = *benches().partial;
  BOOST_TEST(bench.loaded(1, 3) == 0xb1);
  BOOST_TEST(bench.loaded(1, 4) == bench.original(0, 4));
  BOOST_TEST(bench.loaded(3, 4) == 0xb2);
  BOOST_TEST(bench.loaded(4, 0) == bench.original(1, 0));
  BOOST_TEST(bench.l2.counters().merges == 3u);
  BOOST_TEST(bench.dram.counters().reads == 1u);

  const Bench& order = *benches().order;
  BOOST_TEST(order.loaded(0, 4) == order.original(0, 4));
  BOOST_TEST(order.loaded(2, 4) == 0xaa);
  BOOST_TEST((order.driver.requests[3].old[0] & 0xff) == 0xaau);
  BOOST_TEST(order.loaded(4, 4) == 0xab);
  BOOST_TEST(order.loaded(6, 4) == 0x55);
}

BOOST_AUTO_TEST_CASE(an_evicted_line_takes_its_dirty_bytes_to_memory) {
  const Bench& bench = *benches().evicted;
  BOOST_TEST(bench.l2.counters().evictions == 3u);
  BOOST_TEST(bench.l2.counters().write_backs == 1u);
  BOOST_TEST(bench.dram.counters().writes == 1u);
  BOOST_TEST(*bench.store.at(bench.base) == 0xc1);
  BOOST_TEST(*bench.store.at(bench.base + 4) == bench.original(0, 4));
  BOOST_TEST(*bench.store.at(bench.base + 96) == 0xc2);
  BOOST_TEST(bench.loaded(5, 96) == 0xc2);
  BOOST_TEST(bench.l2.dirty_bytes() == 0u);

  const Bench& atomics = *benches().atomics;
  BOOST_TEST(atomics.driver.requests[1].old[0] == atomics.driver.requests[0].old[0] + 1);
  BOOST_TEST(atomics.l2.counters().write_backs == 1u);  // asking makes nothing dirty
  std::uint32_t value = 0;
  atomics.store.read(atomics.base + 4, &value, 4);
  BOOST_TEST(value == atomics.driver.requests[1].old[0]);
}

BOOST_AUTO_TEST_CASE(least_recently_used_line_is_evicted) {
  const Bench& bench = *benches().lru;
  //                    0      2      0     4      0     2
  const bool hit[] = {false, false, true, false, true, false};
  for (std::size_t i = 0; i < 6; ++i) BOOST_TEST((bench.latency(i) == 5) == hit[i], "request " << i);
}

BOOST_AUTO_TEST_CASE(debug_transport_sees_and_changes_what_is_newer_than_memory) {
  Bench& bench = *benches().debug;
  // Bytes 0 to 15 of line 0 were on their way to memory when 8 to 71 became zero.
  for (unsigned i = 0; i < 72; ++i) BOOST_TEST(*bench.store.at(bench.base + i) == (i < 8 ? 0xd1 : 0), "byte " << i);
  std::uint8_t found[32] = {};
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_READ_COMMAND);
  payload.set_address(bench.base + 8 * LineBytes);
  payload.set_data_ptr(found);
  payload.set_data_length(sizeof found);
  bench.driver.socket->transport_dbg(payload);
  const std::uint8_t* below = bench.store.at(bench.base + 8 * LineBytes);
  for (unsigned i = 0; i < 32; ++i) {
    BOOST_TEST(below[i] == bench.original(8, i));
    BOOST_TEST(found[i] == (i >= 8 && i < 16 ? 0xd2 : bench.original(8, i)), "byte " << i);
  }
  const std::uint64_t dirty = bench.l2.dirty_bytes();
  BOOST_TEST(dirty == 8u);
  bench.l2.settle();
  BOOST_TEST(std::memcmp(below, found, 32) == 0);
  BOOST_TEST(bench.l2.dirty_bytes() == dirty);  // it is still to be written back
}

BOOST_AUTO_TEST_CASE(with_ideal_memory_a_miss_costs_a_hit) {
  for (std::size_t i = 0; i < 2; ++i) BOOST_TEST(benches().ideal->latency(i) == 5u);
}

BOOST_AUTO_TEST_CASE(random_requests_follow_program_order) {
  for (const auto& bench : benches().random) {
    BOOST_TEST_CONTEXT(bench->l2.name()) {
      BOOST_TEST(bench->driver->fault() == "");
      BOOST_TEST(bench->driver->answered() == Count);
      BOOST_TEST(bench->driver->pool.in_use() == 0u);
      BOOST_TEST(bench->l2.pool().in_use() == 0u);
      bench->l2.settle();
      BOOST_TEST(bench->driver->compare(bench->store) == "");
      const heddle::L2Counters& c = bench->l2.counters();
      BOOST_TEST(c.accesses == Count);
      BOOST_TEST(c.hits + c.misses + c.merges + c.write_misses == Count);
      BOOST_TEST(bench->dram.counters().reads == c.misses);
      BOOST_TEST(bench->dram.counters().writes == c.write_backs);
      BOOST_TEST(bench->dram.counters().atomics == 0u);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_order_of_processes_in_an_instant_changes_nothing) {
  const InstantBench& first = *benches().instants[0];
  const InstantBench& last = *benches().instants[1];
  for (const InstantBench* bench : {&first, &last}) {
    BOOST_TEST(bench->driver->fault() == "");
    BOOST_TEST(bench->driver->answered() == Count);
  }
  const heddle::L2Counters& a = first.l2->counters();
  const heddle::L2Counters& b = last.l2->counters();
  BOOST_TEST(first.driver->last() == last.driver->last());
  BOOST_TEST(a.hits == b.hits);
  BOOST_TEST(a.merges == b.merges);
  BOOST_TEST(a.stalls() == b.stalls());
  BOOST_TEST(a.write_backs == b.write_backs);
}

BOOST_AUTO_TEST_CASE(random_requests_reach_every_corner) {
  heddle::L2Counters c;
  for (const auto& bench : benches().random) c += bench->l2.counters();
  const std::pair<const char*, std::uint64_t> covers[] = {{"hits", c.hits},
                                                          {"misses", c.misses},
                                                          {"merges", c.merges},
                                                          {"write misses", c.write_misses},
                                                          {"writes", c.writes},
                                                          {"atomics", c.atomics},
                                                          {"evictions", c.evictions},
                                                          {"write backs", c.write_backs},
                                                          {"no MSHR", c.stalls_mshr},
                                                          {"no target", c.stalls_targets},
                                                          {"no way", c.stalls_ways},
                                                          {"queue full", c.stalls_queue},
                                                          {"answers wait", c.stalls_replies}};
  for (const auto& [name, count] : covers) {
    std::printf("cover %-14s %llu\n", name, static_cast<unsigned long long>(count));
    BOOST_TEST(count > 0u, "cover never reached: " << name);
  }
}
