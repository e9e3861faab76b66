// SPDX-License-Identifier: Apache-2.0
// L1 and DRAM behind a test initiator. All benches are elaborated and run together (one elaboration a process), each in
// its own corner of parameters; the cases then look at what was noted.
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/tlm/fixed_memory.h"
#include "tests/tlm/line_driver.h"

int sc_main(int, char**) {
  return 0;
}  // libsystemc asks for it; Boost.Test owns main

namespace {

using heddle_test::Bytes;
using heddle_test::line_driver;
using heddle_test::Request;

const sc_core::sc_time period(1429, sc_core::SC_PS);  // 700 MHz, and odd

std::uint64_t seed() {
  const char* text = std::getenv("HEDDLE_SEED");
  return text == nullptr ? 20240611 : std::strtoull(text, nullptr, 0);
}

// One memory with a driver for each SM. Driver i uses lines i * lines .. of one allocation.
struct Bench {
  Bench(const std::string& name, const heddle_test::FixedMemory& parameters, unsigned lines_a_driver)
      : lines(lines_a_driver),
        line_bytes(parameters.l1.line_bytes),
        base(store.allocate(std::size_t{parameters.sms} * lines * line_bytes)) {
    for (std::size_t i = 0; i < std::size_t{parameters.sms} * lines * line_bytes; ++i) {
      *store.at(base + i) = static_cast<std::uint8_t>(i * 7 + i / 128);
    }
    memory = parameters.make(name, period, store);
    for (unsigned i = 0; i < parameters.sms; ++i) {
      drivers.push_back(
          std::make_unique<line_driver>((name + "_driver" + std::to_string(i)).c_str(), period, line_bytes));
      drivers.back()->socket.bind(memory->socket(i));
    }
  }

  std::uint64_t line(unsigned driver, unsigned index) const {
    return base + (std::uint64_t{driver} * lines + index) * line_bytes;
  }
  std::vector<Request>& requests() { return drivers[0]->requests; }
  void load(unsigned index, std::uint64_t cycle) {
    Request request;
    request.line = line(0, index);
    request.cycle = cycle;
    requests().push_back(request);
  }
  void store_byte(unsigned index, std::uint64_t cycle, unsigned offset, std::uint8_t value) {
    Request request;
    request.kind = Request::Store;
    request.line = line(0, index);
    request.cycle = cycle;
    request.data[offset] = value;
    request.enable[offset] = 0xff;
    requests().push_back(request);
  }
  void add(unsigned index, std::uint64_t cycle, std::uint64_t operand) {
    Request request;
    request.kind = Request::Atomic;
    request.line = line(0, index);
    request.cycle = cycle;
    request.op = heddle::AtomicOp::Add;
    request.lanes = {{0, operand, 0, 0}};
    requests().push_back(request);
  }
  std::uint64_t latency(std::size_t i) { return requests()[i].answered - requests()[i].accepted; }

  heddle::BackingStore store;
  unsigned lines, line_bytes;
  std::uint64_t base;
  std::unique_ptr<heddle::memory_subsystem> memory;
  std::vector<std::unique_ptr<line_driver>> drivers;
};

// Random requests, and what program order says that they return: a plain array of bytes, no cache, no clock.
struct RandomBench : Bench {
  RandomBench(const std::string& name, const heddle_test::FixedMemory& parameters, unsigned lines_a_driver,
              unsigned count, unsigned slow)
      : Bench(name, parameters, lines_a_driver), expected(parameters.sms) {
    std::mt19937_64 random(seed() ^ std::hash<std::string>()(name));
    model.assign(store.at(base), store.at(base) + std::size_t{parameters.sms} * lines * line_bytes);
    for (unsigned d = 0; d < parameters.sms; ++d) {
      drivers[d]->slow_end_resp = slow;
      std::uint64_t cycle = 0;
      for (unsigned i = 0; i < count; ++i) {
        // Bursts, then pauses in which fills come back.
        if (random() % 64 == 0) cycle += random() % 300;
        Request request;
        request.cycle = cycle;
        request.line = line(d, static_cast<unsigned>(random() % lines));
        const unsigned kind = static_cast<unsigned>(random() % 16);
        if (kind == 0) {
          fill_atomic(request, random, line_bytes);
        } else if (kind < 6) {
          fill_store(request, random, line_bytes);
        }
        expected[d].push_back(execute(request));
        drivers[d]->requests.push_back(request);
      }
    }
  }

  static void fill_store(Request& request, std::mt19937_64& random, unsigned line_bytes) {
    request.kind = Request::Store;
    const unsigned first = static_cast<unsigned>(random() % line_bytes);
    const unsigned step = 1 + static_cast<unsigned>(random() % 9);
    for (unsigned i = first; i < line_bytes; i += step) {
      request.data[i] = static_cast<std::uint8_t>(random());
      request.enable[i] = 0xff;
    }
  }
  static void fill_atomic(Request& request, std::mt19937_64& random, unsigned line_bytes) {
    request.kind = Request::Atomic;
    request.op = random() % 2 == 0 ? heddle::AtomicOp::Add : heddle::AtomicOp::Exchange;
    const unsigned lanes = 1 + static_cast<unsigned>(random() % 32);
    for (unsigned i = 0; i < lanes; ++i) {
      request.lanes.push_back(
          {static_cast<std::uint8_t>(random() % (line_bytes / 4) * 4), random() & 0xffffffffu, 0, 0});
    }
  }

  struct Expected {
    Bytes loaded{};
    std::vector<std::uint64_t> old;
  };
  Expected execute(const Request& request) {
    Expected result;
    std::uint8_t* bytes = model.data() + (request.line - base);
    if (request.kind == Request::Load) std::memcpy(result.loaded.data(), bytes, line_bytes);
    if (request.kind == Request::Store) {
      for (unsigned i = 0; i < line_bytes; ++i) {
        if (request.enable[i] != 0) bytes[i] = request.data[i];
      }
    }
    for (const heddle::AtomicLane& lane : request.lanes) {
      std::uint32_t value;
      std::memcpy(&value, bytes + lane.offset, 4);
      result.old.push_back(value);
      value = static_cast<std::uint32_t>(request.op == heddle::AtomicOp::Add ? value + lane.operand : lane.operand);
      std::memcpy(bytes + lane.offset, &value, 4);
    }
    return result;
  }

  void check() {
    for (std::size_t d = 0; d < drivers.size(); ++d) {
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < drivers[d]->requests.size(); ++i) {
        const Request& request = drivers[d]->requests[i];
        const bool good =
            request.answers == 1 && request.loaded == expected[d][i].loaded && request.old == expected[d][i].old;
        if (!good && wrong++ == 0) BOOST_ERROR("driver " << d << " request " << i << " kind " << request.kind);
      }
      BOOST_TEST(wrong == 0u);
      BOOST_TEST(drivers[d]->pool.in_use() == 0u);
      const heddle::l1_cache& l1 = memory->l1(static_cast<unsigned>(d));
      BOOST_TEST(l1.pool().in_use() == 0u);
      BOOST_TEST(l1.counters().accesses == drivers[d]->requests.size());
    }
    BOOST_TEST(std::memcmp(model.data(), store.at(base), model.size()) == 0);
    BOOST_TEST(memory->idle());
  }

  std::vector<std::uint8_t> model;
  std::vector<std::vector<Expected>> expected;
};

heddle_test::FixedMemory small(unsigned sms = 1) {
  heddle_test::FixedMemory p;
  p.sms = sms;
  p.l1.bytes = 1024;  // 4 sets of 2 ways
  p.l1.ways = 2;
  p.l1.mshrs = 3;
  p.l1.targets_per_mshr = 3;
  p.l1.memory_queue = 2;
  p.l1.hit_latency = 4;
  p.dram.latency = 30;
  p.dram.bytes_per_cycle = 64;
  p.dram.queue_depth = 2;
  return p;
}

heddle_test::FixedMemory timing() {
  heddle_test::FixedMemory p;
  p.l1.hit_latency = 5;
  p.dram.latency = 100;
  p.dram.bytes_per_cycle = 32;  // 4 cycles a line
  return p;
}

// Keeps lines up to a cycle.
struct KeptUntil : heddle::LineKeeper {
  bool keeps(std::uint64_t line_address) const override {
    const auto it = cycle.find(line_address);
    return it != cycle.end() && heddle::Cycles(period).now() < it->second;
  }
  std::map<std::uint64_t, std::uint64_t> cycle;  // by line
};

// Keeps as many lines in a row as there are sets, others from time to time: one way of each set.
struct KeptInTurn : heddle::LineKeeper {
  KeptInTurn(const Bench& of, unsigned sets_of_it) : bench(of), sets(sets_of_it) {}
  bool keeps(std::uint64_t line_address) const override {
    const std::uint64_t index = (line_address - bench.base) / bench.line_bytes;
    return index / sets == heddle::Cycles(period).now() / 300 % (bench.lines / sets);
  }
  const Bench& bench;
  unsigned sets;
};

// An SM that acquires, at clock edges.
class acquirer : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(acquirer);
  acquirer(const sc_core::sc_module_name& name, heddle::memory_subsystem& memory, std::vector<std::uint64_t> at)
      : sc_module(name), memory_(memory), at_(std::move(at)) {
    SC_METHOD(edge);
  }

 private:
  void edge() {
    next_trigger(period);
    for (const std::uint64_t cycle : at_)
      if (heddle::Cycles(period).now() == cycle) memory_.acquire(0);
  }

  heddle::memory_subsystem& memory_;
  const std::vector<std::uint64_t> at_;
};

struct Benches {
  std::vector<std::unique_ptr<RandomBench>> random;
  std::unique_ptr<Bench> lru, latency, bandwidth, short_lines, order, ideal, written_behind, kept, all_kept, acquired,
      reserved, evicted;
  std::unique_ptr<acquirer> acquires;
  KeptUntil kept_lines, all_kept_lines, acquired_lines;
  std::unique_ptr<KeptInTurn> kept_in_turn, kept_and_reserved;

  Benches() {
    std::printf("seed %llu (HEDDLE_SEED)\n", static_cast<unsigned long long>(seed()));
    const auto add = [&](const char* name, const heddle_test::FixedMemory& p, unsigned lines, unsigned slow = 0) {
      random.push_back(std::make_unique<RandomBench>(name, p, lines, 6000, slow));
    };
    add("small", small(), 12);
    heddle_test::FixedMemory p = small();
    p.l1.mshrs = p.l1.targets_per_mshr = p.l1.memory_queue = p.l1.ways = p.l1.hit_latency = 1;
    p.l1.bytes = 128;
    p.dram.latency = p.dram.queue_depth = 1;
    add("depth_one", p, 3);
    p = heddle_test::FixedMemory{};
    add("default", p, 300);
    add("few_lines", p, 2);
    p = small();
    p.dram.ideal = true;
    add("ideal_memory", p, 12);
    add("slow_initiator", small(), 12, 3);
    add("three_sms", small(3), 12);
    p = small(2);
    p.dram.ideal = true;
    add("two_sms_ideal", p, 12);
    for (const unsigned line_bytes : {32U, 64U}) {
      p = small(2);
      p.l1.line_bytes = line_bytes;
      p.l1.bytes = 8 * line_bytes;
      add(("lines_of_" + std::to_string(line_bytes)).c_str(), p, 12);
    }

    add("kept_in_turn", small(), 12);
    kept_in_turn = std::make_unique<KeptInTurn>(*random.back(), 4);
    random.back()->memory->l1(0).keep(*kept_in_turn);

    p = small();
    p.l1.store_evicts = true;
    add("store_evicts", p, 12);
    p.l1.allocate_on_miss = true;
    p.l1.hash_from = 6;
    add("allocate_on_miss", p, 300);
    add("three_sms_allocate_on_miss", p, 12, 3);
    add("kept_and_reserved", p, 12);
    kept_and_reserved = std::make_unique<KeptInTurn>(*random.back(), 4);
    random.back()->memory->l1(0).keep(*kept_and_reserved);

    p = timing();
    p.l1.bytes = 512;  // one set of 4 ways
    p.l1.allocate_on_miss = true;
    reserved = std::make_unique<Bench>("reserved", p, 8);
    for (unsigned i = 0; i < 5; ++i) reserved->load(i, 10 + i);

    p = timing();
    p.l1.store_evicts = true;
    evicted = std::make_unique<Bench>("evicted", p, 8);
    evicted->load(0, 10);
    evicted->store_byte(0, 200, 3, 0x77);
    evicted->load(0, 400);
    evicted->store_byte(0, 402, 3, 0x78);  // to a line that is being filled: it is not evicted
    evicted->load(0, 403);
    evicted->load(0, 700);

    p = timing();
    p.l1.bytes = 512;  // one set of 4 ways
    lru = std::make_unique<Bench>("lru", p, 8);
    unsigned cycle = 0;
    for (const unsigned index : {0u, 1u, 2u, 3u, 0u, 4u, 1u}) lru->load(index, cycle += 200);  // 4 evicts 1, 1 evicts 2
    lru->store_byte(3, cycle += 200, 0, 1);                                                    // a store uses its line,
    for (const unsigned index : {5u, 3u, 1u, 0u}) lru->load(index, cycle += 200);  // so 5 evicts 0, then 0 evicts 4

    kept = std::make_unique<Bench>("kept", p, 16);
    kept_lines.cycle = {{kept->line(0, 0), 5000}};
    kept->memory->l1(0).keep(kept_lines);
    cycle = 0;
    for (const unsigned index : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 0u}) kept->load(index, cycle += 200);
    kept->store_byte(0, cycle += 200, 3, 0x77);
    for (const unsigned index : {7u, 8u, 9u, 0u}) kept->load(index, cycle += 200);
    kept->add(0, cycle += 200, 1);
    for (const unsigned index : {0u, 1u, 2u, 3u, 4u, 0u}) kept->load(index, cycle += 200);
    cycle = 5000;
    for (const unsigned index : {5u, 6u, 7u, 8u, 0u}) kept->load(index, cycle += 200);

    p.l1.bytes = 256;
    p.l1.ways = 2;
    all_kept = std::make_unique<Bench>("all_kept", p, 8);
    all_kept_lines.cycle = {{all_kept->line(0, 0), 1000}, {all_kept->line(0, 1), 1000}};
    all_kept->memory->l1(0).keep(all_kept_lines);
    cycle = 0;
    for (const unsigned index : {0u, 1u, 2u, 2u}) all_kept->load(index, cycle += 200);
    cycle = 1000;
    for (const unsigned index : {1u, 2u, 2u}) all_kept->load(index, cycle += 200);
    // The error is counted, and the simulation goes on.
    sc_core::sc_report_handler::set_actions("heddle/l1_cache", sc_core::SC_ERROR, sc_core::SC_DO_NOTHING);

    latency = std::make_unique<Bench>("latency", timing(), 64);
    latency->load(0, 10);   // miss: 100
    latency->load(0, 200);  // hit: 5
    latency->load(0, 201);  // the next, one a cycle
    latency->store_byte(1, 300, 0, 1);
    latency->add(2, 500, 1);

    bandwidth = std::make_unique<Bench>("bandwidth", timing(), 64);
    for (unsigned i = 0; i < 8; ++i) bandwidth->load(i, 10);

    p = timing();
    p.l1.line_bytes = 64;
    short_lines = std::make_unique<Bench>("short_lines", p, 64);
    for (unsigned i = 0; i < 8; ++i) short_lines->load(i, 10);

    order = std::make_unique<Bench>("order", timing(), 64);
    order->load(0, 10);
    order->store_byte(0, 11, 0, 0xaa);
    order->load(0, 12);
    order->add(0, 13, 1);
    order->load(0, 14);
    order->store_byte(0, 15, 0, 0x55);
    order->load(0, 16);
    order->load(0, 400);

    p = timing();
    p.dram.ideal = true;
    ideal = std::make_unique<Bench>("ideal", p, 64);
    ideal->load(0, 10);
    ideal->load(0, 11);
    ideal->store_byte(1, 12, 0, 1);
    ideal->add(2, 13, 1);

    written_behind = std::make_unique<Bench>("written_behind", timing(), 64);
    written_behind->load(0, 10);
    written_behind->load(0, 5000);

    // SM 1 stores to lines that SM 0 has, or awaits, when it acquires at 1000 and 1310.
    p = timing();
    p.sms = 2;
    acquired = std::make_unique<Bench>("acquired", p, 64);
    acquired_lines.cycle = {{acquired->line(0, 2), 5000}};
    acquired->memory->l1(0).keep(acquired_lines);
    for (const auto& [index, at] : {std::pair(0U, 10U),
                                    {2U, 11U},
                                    {0U, 900U},
                                    {0U, 1100U},
                                    {2U, 1101U},
                                    {0U, 1290U},
                                    {1U, 1300U},
                                    {1U, 1312U},
                                    {1U, 1600U}})
      acquired->load(index, at);
    for (const auto& [index, at] : {std::pair(0U, 700U), {2U, 701U}, {1U, 1305U}}) {
      acquired->store_byte(index, at, 3, 0x77);
      acquired->drivers[1]->requests.push_back(acquired->requests().back());
      acquired->requests().pop_back();
    }
    acquires = std::make_unique<acquirer>("acquirer", *acquired->memory, std::vector<std::uint64_t>{1000, 1310});

    sc_core::sc_start(1000 * period);
    std::uint8_t value = 0x5a;
    tlm::tlm_generic_payload payload;
    payload.set_command(tlm::TLM_WRITE_COMMAND);
    payload.set_address(written_behind->line(0, 0) + 3);
    payload.set_data_ptr(&value);
    payload.set_data_length(1);
    written_behind->drivers[0]->socket->transport_dbg(payload);
    sc_core::sc_start(4, sc_core::SC_MS);
  }
};

Benches& benches() {
  static Benches all;
  return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(random_requests_follow_program_order) {
  for (const auto& bench : benches().random) {
    BOOST_TEST_CONTEXT(bench->memory->name()) {
      bench->check();
    }
  }
}

BOOST_AUTO_TEST_CASE(random_requests_reach_every_corner) {
  const heddle::L1Counters& c = benches().random[0]->memory->l1(0).counters();
  const heddle::DramCounters d = benches().random[0]->memory->below().counters().dram;
  const std::pair<const char*, std::uint64_t> covers[] = {{"hits", c.hits},
                                                          {"misses", c.misses},
                                                          {"merges", c.merges},
                                                          {"writes", c.writes},
                                                          {"atomics", c.atomics},
                                                          {"evictions", c.evictions},
                                                          {"closed fills", c.closed_fills},
                                                          {"no MSHR", c.stalls_mshr},
                                                          {"no target", c.stalls_targets},
                                                          {"queue full", c.stalls_queue},
                                                          {"DRAM queue full", d.stalls}};
  for (const auto& [name, count] : covers) {
    std::printf("cover %-16s %llu\n", name, static_cast<unsigned long long>(count));
    BOOST_TEST(count > 0u, "cover never reached: " << name);
  }
  BOOST_TEST(d.reads == c.misses);
  BOOST_TEST(d.writes == c.writes);
  BOOST_TEST(d.atomics == c.atomics);
  BOOST_TEST(d.bytes == 128 * (d.reads + d.writes + d.atomics));
}

BOOST_AUTO_TEST_CASE(payloads_in_flight_are_bounded) {
  const Bench& bench = *benches().random[0];
  const heddle::L1Parameters l1 = small().l1;
  // DRAM lets go of a fill after the response, from which the next one may start.
  BOOST_TEST(bench.memory->l1(0).pool().size() <= l1.mshrs + 1);
  // Held + queue + lists + responses; a store is acknowledged by DRAM, which has what started as well.
  BOOST_TEST(bench.drivers[0]->pool.size() < 64u);
}

BOOST_AUTO_TEST_CASE(least_recently_used_line_is_evicted) {
  Bench& bench = *benches().lru;
  //                           0  1  2  3  0  4  1  st3 5  3  1  0
  const bool hit[] = {false, false, false, false, true, false, false, false, false, true, true, false};
  for (std::size_t i = 0; i < bench.requests().size(); ++i) {
    if (bench.requests()[i].kind != Request::Load) continue;
    BOOST_TEST((bench.latency(i) == 5) == hit[i], "request " << i << " took " << bench.latency(i));
  }
  BOOST_TEST(bench.memory->l1(0).counters().evictions == 4u);
}

BOOST_AUTO_TEST_CASE(a_kept_line_stays_until_nobody_keeps_it) {
  Bench& bench = *benches().kept;
  const auto hits = [&](std::size_t i) { return bench.latency(i) == 5; };
  const auto loaded = [&](std::size_t i) { return unsigned(bench.requests()[i].loaded[3]); };
  // 0 1 2 3 4 5 6 0 st0 7 8 9 0 add0 0 1 2 3 4 0, and from now on nobody keeps it: 5 6 7 8 0
  const unsigned before = loaded(0);
  BOOST_TEST(hits(7));
  BOOST_TEST(loaded(7) == before);
  BOOST_TEST(hits(12));
  BOOST_TEST(loaded(12) == 0x77u, "a store changes the kept line where it is");
  BOOST_TEST(!hits(14), "an atomic makes the kept line invalid");
  BOOST_TEST(bench.requests()[14].loaded[0] == bench.requests()[0].loaded[0] + 1);
  BOOST_TEST(loaded(14) == 0x77u);
  BOOST_TEST(hits(19), "it is kept again");
  BOOST_TEST(!hits(24));
  for (const std::size_t i : {1u, 2u, 3u, 4u, 5u, 6u, 9u, 10u, 11u, 15u, 16u, 17u, 18u, 20u, 21u, 22u, 23u})
    BOOST_TEST(!hits(i), "request " << i);
}

BOOST_AUTO_TEST_CASE(a_line_without_a_way_is_answered_and_not_stored) {
  Bench& bench = *benches().all_kept;
  //                   0      1      2      2      1     2      2
  const bool hit[] = {false, false, false, false, true, false, true};
  for (std::size_t i = 0; i < std::size(hit); ++i) {
    BOOST_TEST((bench.latency(i) == 5) == hit[i], "request " << i << " took " << bench.latency(i));
    const Request& request = bench.requests()[i];
    BOOST_TEST(std::memcmp(request.loaded.data(), bench.store.at(request.line), bench.line_bytes) == 0);
  }
  BOOST_TEST(bench.memory->l1(0).counters().evictions == 1u);
  BOOST_TEST(sc_core::sc_report_handler::get_count("heddle/l1_cache") == 2, "an error each");
}

BOOST_AUTO_TEST_CASE(an_acquire_makes_all_lines_and_fills_stale) {
  Bench& bench = *benches().acquired;
  //                  0      2      0     0      2      0     1      1      1
  const bool hit[] = {false, false, true, false, false, true, false, false, true};
  const bool is_new[] = {false, false, false, true, true, true, false, true, true};
  for (std::size_t i = 0; i < std::size(hit); ++i) {
    BOOST_TEST((bench.latency(i) == 5) == hit[i], "request " << i << " took " << bench.latency(i));
    BOOST_TEST((bench.requests()[i].loaded[3] == 0x77) == is_new[i], "request " << i);
  }
  const heddle::L1Counters& counters = bench.memory->l1(0).counters();
  BOOST_TEST(counters.acquires == 2U);
  BOOST_TEST(counters.acquire_invalidations == 4U, "the kept line too");
  BOOST_TEST(counters.closed_fills == 1U);
  BOOST_TEST(counters.merges == 0U, "no load joins a fill from before the acquire");
}

// The fifth line of a set of four ways waits for the first that comes: a request a cycle, 100 for the first line.
BOOST_AUTO_TEST_CASE(a_miss_takes_its_way_at_once) {
  Bench& bench = *benches().reserved;
  for (std::size_t i = 0; i < 4; ++i) BOOST_TEST(bench.requests()[i].accepted == 10 + i, "request " << i);
  BOOST_TEST(bench.requests()[4].accepted >= bench.requests()[0].answered);
  BOOST_TEST(bench.requests()[4].accepted <= bench.requests()[0].answered + 1);
  BOOST_TEST(bench.memory->l1(0).counters().stalls_set == 1U);
  BOOST_TEST(bench.memory->l1(0).counters().evictions == 1U);
  const heddle::L1Counters& random = benches().random.back()->memory->l1(0).counters();
  BOOST_TEST(random.stalls_set > 0U, "kept and reserved ways");
}

BOOST_AUTO_TEST_CASE(a_store_evicts) {
  Bench& bench = *benches().evicted;
  const auto loaded = [&](std::size_t i) { return unsigned(bench.requests()[i].loaded[3]); };
  BOOST_TEST(bench.latency(2) == 100U, "a miss again");
  BOOST_TEST(loaded(2) == 0x77U);
  BOOST_TEST(loaded(4) == 0x78U);
  BOOST_TEST(bench.memory->l1(0).counters().merges == 2U);
  BOOST_TEST(bench.latency(5) == 5U);
  BOOST_TEST(loaded(5) == 0x78U);
}

BOOST_AUTO_TEST_CASE(latencies) {
  Bench& bench = *benches().latency;
  BOOST_TEST(bench.requests()[0].accepted == 10u);
  BOOST_TEST(bench.latency(0) == 100u);
  BOOST_TEST(bench.latency(1) == 5u);
  BOOST_TEST(bench.requests()[2].answered == 206u);
  BOOST_TEST(bench.latency(3) == 100u);
  BOOST_TEST(bench.latency(4) == 100u);
}

BOOST_AUTO_TEST_CASE(bandwidth_spaces_responses) {
  Bench& bench = *benches().bandwidth;
  for (std::size_t i = 0; i < 8; ++i) {
    BOOST_TEST(bench.requests()[i].accepted == 10 + i);       // one a cycle
    BOOST_TEST(bench.requests()[i].answered == 110 + 4 * i);  // one line in four cycles
  }
  BOOST_TEST(bench.memory->below().counters().dram.bytes == 8U * 128);
}

BOOST_AUTO_TEST_CASE(short_lines_take_the_bus_for_as_long_as_they_are) {
  Bench& bench = *benches().short_lines;
  for (std::size_t i = 0; i < 8; ++i) BOOST_TEST(bench.requests()[i].answered == 110 + 2 * i);
  BOOST_TEST(bench.memory->below().counters().dram.bytes == 8U * 64);
}

BOOST_AUTO_TEST_CASE(a_size_of_lines_is_a_power_of_two_from_32_to_256) {
  for (const unsigned bytes : {0U, 16U, 48U, 512U})
    BOOST_CHECK_EXCEPTION(heddle::PayloadPool pool(bytes), std::invalid_argument, [&](const std::exception& error) {
      return std::string(error.what()).find("line_bytes is " + std::to_string(bytes)) != std::string::npos;
    });
}

BOOST_AUTO_TEST_CASE(requests_to_one_line_keep_their_order) {
  Bench& bench = *benches().order;
  const std::uint8_t first = bench.requests()[0].loaded[0];
  BOOST_TEST(first == 0);
  BOOST_TEST(bench.requests()[2].loaded[0] == 0xaa);  // the store merged into the fill
  BOOST_TEST((bench.requests()[3].old[0] & 0xff) == 0xaau);
  BOOST_TEST(bench.requests()[4].loaded[0] == 0xab);  // behind the atomic, before the second store
  BOOST_TEST(bench.requests()[6].loaded[0] == 0x55);
  BOOST_TEST(bench.requests()[7].loaded[0] == 0x55);
  BOOST_TEST(bench.latency(7) == 5u);  // the second fill was kept
  BOOST_TEST(bench.memory->l1(0).counters().misses == 2u);
  BOOST_TEST(bench.memory->l1(0).counters().merges == 4u);
}

BOOST_AUTO_TEST_CASE(with_ideal_memory_a_miss_costs_a_hit) {
  Bench& bench = *benches().ideal;
  for (std::size_t i = 0; i < 4; ++i) BOOST_TEST(bench.latency(i) == 5u);
}

BOOST_AUTO_TEST_CASE(a_line_that_debug_transport_wrote_is_asked_for_again) {
  Bench& bench = *benches().written_behind;
  BOOST_TEST(bench.requests()[0].loaded[3] != 0x5a);
  BOOST_TEST(bench.requests()[1].loaded[3] == 0x5a);
  BOOST_TEST(bench.memory->l1(0).counters().misses == 2u);
}

BOOST_AUTO_TEST_CASE(debug_transport_writes_any_bytes_through_all_levels) {
  RandomBench& bench = *benches().random[6];  // behind a multiplexer
  BOOST_REQUIRE(bench.drivers.size() == 3u);
  const std::uint64_t line = bench.line(2, 3);
  std::vector<std::uint8_t> ones(std::size_t{4} * bench.line_bytes, 1), found(ones.size()), zeros(300, 0);
  bench.store.write(line, ones.data(), ones.size());
  const std::uint64_t reads = bench.memory->below().counters().dram.reads;
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  payload.set_address(line + 7);
  payload.set_data_ptr(zeros.data());
  payload.set_data_length(static_cast<unsigned>(zeros.size()));
  BOOST_TEST(bench.drivers[2]->socket->transport_dbg(payload) == zeros.size());
  bench.store.read(line, found.data(), found.size());
  for (std::size_t i = 0; i < found.size(); ++i) BOOST_TEST(found[i] == (i < 7 || i >= 307 ? 1 : 0), "byte " << i);
  BOOST_TEST(bench.memory->below().counters().dram.reads == reads);
}
