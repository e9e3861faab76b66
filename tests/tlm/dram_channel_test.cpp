// SPDX-License-Identifier: Apache-2.0
// A DRAM channel behind a test initiator: times as computed by hand from the parameters, the peak of its bus, order to
// one line under random traffic. All benches are elaborated and run together (one elaboration a process).
#include "tlm/dram_channel.h"

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "tests/tlm/line_driver.h"
#include "tests/tlm/random_driver.h"

int sc_main(int, char**) {
  return 0;
}  // libsystemc asks for it; Boost.Test owns main

namespace {

using heddle_test::line_driver;
using heddle_test::Request;

const sc_core::sc_time period(2, sc_core::SC_NS);

std::uint64_t seed() {
  const char* text = std::getenv("HEDDLE_SEED");
  return text == nullptr ? 20240611 : std::strtoull(text, nullptr, 0);
}

// The DRAM clock is the core's, so that a time in clocks is one in cycles; latency 10; 4 banks of rows of 1 KB; lines of
// 128 bytes are 2 bursts of 64, of 2 clocks each.
heddle::DramChannelParameters by_hand() {
  heddle::DramChannelParameters p;
  p.timing.tcl = 5;
  p.timing.trp = 6;
  p.timing.trc = 40;
  p.timing.tras = 20;
  p.timing.trcd = 7;
  p.timing.trrd = 3;
  p.timing.twl = 3;
  p.timing.tcdlr = 4;
  p.timing.twr = 9;
  p.timing.tccdl = 0;
  p.timing.trtpl = 0;
  p.clock = period;
  p.burst_time = 2 * period;
  p.banks = 4;
  p.row_bytes = 1024;
  p.interleave_bytes = 128;
  p.latency = 10;
  return p;
}

constexpr unsigned LineBytes = 128;
constexpr unsigned LinesOfRow = 8;
constexpr unsigned Closed = 7 + 5 + 4 + 10;  // tRCD + tCL + the bursts + latency
constexpr unsigned Hit = 5 + 4 + 10;
constexpr unsigned StoreHit = 3 + 4 + 10;  // tWL + the bursts + latency
// A request of cycle c takes part from the first clock after c's edge: c + 1/2, so clock c + 1; its data end in clock
// n, and the response comes half a period before an edge: the first one not before is that of cycle n + 1.
constexpr unsigned Synchroniser = 2;

struct Bench {
  Bench(const std::string& name, const heddle::DramChannelParameters& parameters, unsigned lines = 64 * LinesOfRow)
      : base(store.allocate(std::size_t{lines} * LineBytes)),
        channel((name + "_channel").c_str(), parameters, period, store),
        driver((name + "_driver").c_str(), period, LineBytes) {
    for (std::size_t i = 0; i < std::size_t{lines} * LineBytes; ++i)
      *store.at(base + i) = static_cast<std::uint8_t>(i * 7);
    driver.socket.bind(channel.socket);
  }
  void load(unsigned line, std::uint64_t cycle) {
    Request request;
    request.line = base + std::uint64_t{line} * LineBytes;
    request.cycle = cycle;
    driver.requests.push_back(request);
  }
  void store_bytes(unsigned line, std::uint64_t cycle, unsigned first, unsigned count) {
    Request request;
    request.kind = Request::Store;
    request.line = base + std::uint64_t{line} * LineBytes;
    request.cycle = cycle;
    for (unsigned i = first; i < first + count; ++i) request.enable[i] = 0xff;
    driver.requests.push_back(request);
  }
  std::uint64_t latency(std::size_t i) const { return driver.requests[i].answered - driver.requests[i].accepted; }

  heddle::BackingStore store;
  std::uint64_t base;
  heddle::dram_channel channel;
  line_driver driver;
};

struct RandomBench {
  RandomBench(const std::string& name, const heddle::DramChannelParameters& parameters,
              heddle_test::RandomTraffic traffic)
      : bytes(std::size_t{traffic.lines} * traffic.line_bytes),
        base(store.allocate(bytes)),
        channel((name + "_channel").c_str(), parameters, period, store) {
    traffic.base = base;
    driver = std::make_unique<heddle_test::random_driver>((name + "_driver").c_str(), period, traffic, store.at(base));
    driver->socket.bind(channel.socket);
  }
  heddle::BackingStore store;
  std::size_t bytes;
  std::uint64_t base;
  heddle::dram_channel channel;
  std::unique_ptr<heddle_test::random_driver> driver;
};

struct Benches {
  std::unique_ptr<Bench> latencies, banks, folded, window, precharge, bursts, stream, share, pressure, patience, greedy,
      turnaround, recovery, group, two_groups, low_banks;
  std::vector<std::unique_ptr<RandomBench>> random;

  Benches() {
    std::printf("seed %llu (HEDDLE_SEED)\n", static_cast<unsigned long long>(seed()));
    // The first row of the allocation lies in some bank; which one does not matter to these.
    latencies = std::make_unique<Bench>("latencies", by_hand());
    latencies->load(0, 100);               // closed
    latencies->load(1, 200);               // its row is open
    latencies->load(4 * LinesOfRow, 300);  // 4 rows on is the next row number: the fold sends it elsewhere
    latencies->store_bytes(2, 400, 0, 1);  // one burst into the open row

    banks = std::make_unique<Bench>("banks", by_hand());
    for (unsigned i = 0; i < 4; ++i) banks->load(i * LinesOfRow, 100);  // four banks, closed, a request a cycle

    window = std::make_unique<Bench>("window", by_hand());
    // One bank, other row: 4 rows on (next row number r + 1) sits in bank ^ (r ^ (r + 1)); rows 0 and 16 of the
    // channel's address share a bank, as 16 = 4 banks x 4 and the fold repeats every 4 row numbers.
    window->load(0, 100);
    window->load(16 * LinesOfRow, 101);

    precharge = std::make_unique<Bench>("precharge", by_hand());
    precharge->load(0, 100);
    precharge->load(16 * LinesOfRow, 200);  // long after: tRAS and tRC are over

    bursts = std::make_unique<Bench>("bursts", by_hand());
    bursts->store_bytes(0, 100, 0, 128);
    bursts->store_bytes(1, 200, 60, 1);
    bursts->store_bytes(2, 300, 60, 8);  // both bursts
    bursts->load(3, 400);

    turnaround = std::make_unique<Bench>("turnaround", by_hand());
    turnaround->load(0, 100);
    turnaround->store_bytes(1, 101, 0, 128);
    turnaround->load(2, 102);

    recovery = std::make_unique<Bench>("recovery", by_hand());
    recovery->load(0, 100);  // opens the row, so that tRAS and tRC are over
    recovery->store_bytes(1, 200, 0, 128);
    recovery->load(16 * LinesOfRow, 201);

    for (auto* bench : {&group, &two_groups}) {
      heddle::DramChannelParameters with = by_hand();
      with.timing.tccdl = 3;
      with.timing.trrd = 0;
      with.bank_groups = bench == &group ? 1 : 2;
      *bench = std::make_unique<Bench>(bench == &group ? "group" : "two_groups", with);
      (*bench)->load(0, 100);
      (*bench)->load(LinesOfRow, 100);  // the next bank
    }

    heddle::DramChannelParameters taking_turns = by_hand();
    taking_turns.low_banks = 2;
    taking_turns.fold = false;
    low_banks = std::make_unique<Bench>("low_banks", taking_turns);
    low_banks->load(0, 100);
    low_banks->load(1, 200);                // the other bank of two
    low_banks->load(2, 300);                // the row of the first again
    low_banks->load(2 * LinesOfRow, 400);   // the next two banks
    low_banks->load(16 * LinesOfRow, 500);  // four rows a bank on, not folded: the first bank, another row

    heddle::DramChannelParameters p;  // hpca13's, at 924 MHz beside 700 MHz: 2 ns is a core cycle
    p.clock = sc_core::sc_time(1515, sc_core::SC_PS);
    p.burst_time = sc_core::sc_time(3030, sc_core::SC_PS);
    stream = std::make_unique<Bench>("stream", p, 4000);
    for (unsigned i = 0; i < 4000; ++i) stream->load(i, 10);
    p.burst_time = sc_core::sc_time(3030 * 5 / 2, sc_core::SC_PS);  // an SM's share of 6 channels among 15
    share = std::make_unique<Bench>("share", p, 2000);
    for (unsigned i = 0; i < 2000; ++i) share->load(i, 10);

    p = by_hand();
    p.queue_depth = 1;
    pressure = std::make_unique<Bench>("pressure", p);
    for (unsigned i = 0; i < 50; ++i) pressure->load(i, 10);

    // A stream of hits, and one request that wants another row of their bank.
    for (auto* bench : {&greedy, &patience}) {
      p = by_hand();
      p.patience = bench == &patience ? 50 : 100'000;
      *bench = std::make_unique<Bench>(bench == &patience ? "patience" : "greedy", p);
      (*bench)->load(0, 10);
      (*bench)->load(16 * LinesOfRow, 11);
      for (unsigned i = 0; i < 100; ++i) (*bench)->load(i % LinesOfRow, 12);
    }

    heddle_test::RandomTraffic traffic;
    traffic.count = 20'000;
    traffic.seed = seed();
    const auto add = [&](const char* name, const heddle::DramChannelParameters& parameters, unsigned lines,
                         unsigned slow) {
      traffic.lines = lines;
      traffic.slow_end_resp = slow;
      random.push_back(std::make_unique<RandomBench>(name, parameters, traffic));
    };
    p = heddle::DramChannelParameters{};
    p.clock = sc_core::sc_time(1515, sc_core::SC_PS);
    p.burst_time = sc_core::sc_time(3030, sc_core::SC_PS);
    add("few_lines", p, 3, 0);
    add("many_rows", p, 4000, 0);
    p.queue_depth = 2;
    p.banks = 1;
    p.bank_groups = 1;
    add("one_bank", p, 200, 3);
    p = by_hand();
    p.queue_depth = 1;
    p.timing = {};
    for (unsigned heddle::DramTiming::*time :
         {&heddle::DramTiming::tcl, &heddle::DramTiming::trp, &heddle::DramTiming::trc, &heddle::DramTiming::tras,
          &heddle::DramTiming::trcd, &heddle::DramTiming::trrd, &heddle::DramTiming::twl, &heddle::DramTiming::tcdlr,
          &heddle::DramTiming::twr, &heddle::DramTiming::tccdl, &heddle::DramTiming::trtpl})
      p.timing.*time = 0;
    p.latency = 0;
    add("no_time", p, 40, 2);
    p = by_hand();
    p.channels = 6;
    p.patience = 20;
    p.burst_bytes = 32;
    add("sixth", p, 1000, 0);

    while (!done()) sc_core::sc_start(1, sc_core::SC_MS);
  }

  bool done() const {
    for (const auto& bench : random)
      if (!bench->driver->done() || !bench->channel.idle()) return false;
    return true;
  }
};

Benches& benches() {
  static Benches all;
  return all;
}

std::uint64_t last_answer(const Bench& bench) {
  std::uint64_t last = 0;
  for (const Request& request : bench.driver.requests) last = std::max(last, request.answered);
  return last;
}

}  // namespace

BOOST_AUTO_TEST_CASE(latency_is_the_sum_of_its_parameters) {
  const Bench& bench = *benches().latencies;
  BOOST_TEST(bench.latency(0) == Closed + Synchroniser);
  BOOST_TEST(bench.latency(1) == Hit + Synchroniser);
  BOOST_TEST(bench.latency(2) == Closed + Synchroniser);  // another bank, closed
  BOOST_TEST(bench.latency(3) == StoreHit - 2 + Synchroniser);
  BOOST_TEST(bench.channel.counters().activations == 2u);
  BOOST_TEST(bench.channel.counters().row_hits == 2u);
}

BOOST_AUTO_TEST_CASE(banks_overlap_as_far_as_trrd_and_the_bus_allow) {
  const Bench& bench = *benches().banks;
  // Activates at tRRD = 3 from each other; the data of one take 4 clocks, so from the second on the bus decides.
  for (std::size_t i = 0; i < 4; ++i)
    BOOST_TEST(bench.driver.requests[i].answered == 100 + Closed + Synchroniser + 4 * i, "request " << i);
  BOOST_TEST(bench.channel.counters().activations == 4u);
}

BOOST_AUTO_TEST_CASE(a_row_conflict_waits_for_tras_trp_and_trc) {
  // Activate in clock 101; precharge from 121 on, activate from 127 on by tRP, from 141 on by tRC.
  BOOST_TEST(benches().window->driver.requests[1].answered == 141 - 1 + Closed + Synchroniser);
  // When these are over a conflict costs tRP more than a closed bank.
  BOOST_TEST(benches().precharge->latency(1) == 6 + Closed + Synchroniser);
}

BOOST_AUTO_TEST_CASE(stores_move_the_bursts_that_they_write) {
  const Bench& bench = *benches().bursts;
  BOOST_TEST(bench.latency(0) == 7 + StoreHit + Synchroniser);
  BOOST_TEST(bench.latency(1) == StoreHit - 2 + Synchroniser);
  BOOST_TEST(bench.latency(2) == StoreHit + Synchroniser);
  BOOST_TEST(bench.channel.counters().bytes == 64u * (2 + 1 + 2 + 2));
  BOOST_TEST((bench.channel.busy() == 7 * 2 * period));
}

// The data of the load end in clock 117; those of the store begin 2 clocks later and end in 123; 4 later the next load goes.
BOOST_AUTO_TEST_CASE(the_bus_turns_around) {
  const Bench& bench = *benches().turnaround;
  const std::uint64_t answered = 100 + Closed + Synchroniser;
  BOOST_TEST(bench.driver.requests[0].answered == answered);
  BOOST_TEST(bench.driver.requests[1].answered == answered + 2 + 4);
  BOOST_TEST(bench.driver.requests[2].answered == answered + 2 + 4 + 4 + 5 + 4);
}

// The store goes in clock 201, its data end in 208; precharge 9 later, activate 6 later.
BOOST_AUTO_TEST_CASE(a_written_row_closes_after_twr) {
  const Bench& bench = *benches().recovery;
  BOOST_TEST(bench.driver.requests[1].answered == 200 + StoreHit + Synchroniser);
  BOOST_TEST(bench.driver.requests[2].answered == 208 + 9 + 6 - 1 + Closed + Synchroniser);
}

// Four bursts: of one group they go 3 clocks apart, of two in turn 2 clocks, which a burst takes.
BOOST_AUTO_TEST_CASE(bursts_of_one_bank_group_wait_for_tccdl) {
  BOOST_TEST(last_answer(*benches().group) == 100 + Closed + Synchroniser + 3 * 3 - 2);
  BOOST_TEST(last_answer(*benches().two_groups) == 100 + Closed + Synchroniser + 3 * 2 - 2);
}

BOOST_AUTO_TEST_CASE(low_banks_take_turns_and_nothing_folds) {
  const Bench& bench = *benches().low_banks;
  BOOST_TEST(bench.latency(0) == Closed + Synchroniser);
  BOOST_TEST(bench.latency(1) == Closed + Synchroniser);
  BOOST_TEST(bench.latency(2) == Hit + Synchroniser);
  BOOST_TEST(bench.latency(3) == Closed + Synchroniser);
  BOOST_TEST(bench.latency(4) == 6 + Closed + Synchroniser);
}

BOOST_AUTO_TEST_CASE(a_stream_reaches_the_peak) {
  for (const auto* bench : {benches().stream.get(), benches().share.get()}) {
    const double seconds = double(last_answer(*bench)) * 2e-9;
    const double share = bench->channel.busy().to_seconds() / seconds;
    std::printf("%s: data bus busy for %.2f%% of the time\n", bench->channel.name(), 100 * share);
    BOOST_TEST(share > 0.97);
    BOOST_TEST(share <= 1.0);
  }
}

BOOST_AUTO_TEST_CASE(a_queue_of_one_holds_back) {
  const Bench& bench = *benches().pressure;
  BOOST_TEST(bench.channel.counters().stalls > 40u);
  for (const Request& request : bench.driver.requests) BOOST_TEST(request.answers == 1u);
}

BOOST_AUTO_TEST_CASE(patience_ends_a_stream_of_hits) {
  // 100 hits of 4 clocks; who wants another row waits for all of them, or until it is 50 clocks old.
  BOOST_TEST(benches().greedy->latency(1) > 400u);
  BOOST_TEST(benches().patience->latency(1) < 50 + 4 + 6 + Closed + Synchroniser + 10);
  BOOST_TEST(benches().patience->latency(1) > 50u);
}

BOOST_AUTO_TEST_CASE(random_requests_follow_program_order) {
  for (const auto& bench : benches().random) {
    BOOST_TEST_CONTEXT(bench->channel.name()) {
      BOOST_TEST(bench->driver->fault() == "");
      BOOST_TEST(bench->driver->answered() == 20'000u);
      BOOST_TEST(bench->driver->pool.in_use() == 0u);
      BOOST_TEST(bench->driver->compare(bench->store) == "");
      const heddle::DramCounters& c = bench->channel.counters();
      BOOST_TEST(c.reads + c.writes + c.atomics == 20'000u);
      BOOST_TEST(c.activations > 0u);
    }
  }
  BOOST_TEST(benches().random[2]->channel.counters().stalls > 0u);
  BOOST_TEST(benches().random[0]->channel.counters().row_hits > 0u);
}

BOOST_AUTO_TEST_CASE(blocking_transport_takes_the_time_of_a_closed_row) {
  Bench& bench = *benches().latencies;
  std::uint8_t bytes[LineBytes] = {1, 2, 3};
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  payload.set_address(bench.base);
  payload.set_data_ptr(bytes);
  payload.set_data_length(LineBytes);
  payload.set_streaming_width(LineBytes);
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  bench.driver.socket->b_transport(payload, delay);
  BOOST_TEST((delay == Closed * period));
  BOOST_TEST(bench.store.at(bench.base)[2] == 3);
}
