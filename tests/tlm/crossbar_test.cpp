// SPDX-License-Identifier: Apache-2.0
// The crossbar between test initiators and test partitions. All benches are elaborated and run together (one
// elaboration a process); the cases then look at what was noted.
#include "tlm/crossbar.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/tlm/crossbar_ends.h"
#include "tests/tlm/line_driver.h"

int sc_main(int, char**) {
  return 0;
}  // libsystemc asks for it; Boost.Test owns main

namespace {

using heddle_crossbar_test::base;
using heddle_crossbar_test::Habits;
using heddle_crossbar_test::line_bytes;
using heddle_crossbar_test::Manners;
using heddle_crossbar_test::partition;
using heddle_crossbar_test::period;
using heddle_crossbar_test::random_initiator;
using heddle_crossbar_test::seed;
using heddle_crossbar_test::Seen;
using heddle_test::line_driver;
using heddle_test::Request;

// ---- Benches -------------------------------------------------------------------------------------------------------

heddle::CrossbarParameters size(unsigned sms, unsigned partitions) {
  heddle::CrossbarParameters p;
  p.sms = sms;
  p.partitions = partitions;
  return p;
}

// A crossbar with partitions behind it.
struct Switch {
  Switch(const std::string& name, const heddle::CrossbarParameters& p, const Manners& manners, unsigned lines_of_all,
         std::uint64_t random_seed = 1, std::uint64_t jitter = 0)
      : parameters(p), bytes(std::size_t{lines_of_all} * line_bytes) {
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * 7 + i / 128);
    bar = std::make_unique<heddle::crossbar>(name.c_str(), parameters, period);
    for (unsigned i = 0; i < parameters.partitions; ++i) {
      partitions.push_back(std::make_unique<partition>((name + "_partition" + std::to_string(i)).c_str(), manners,
                                                       bytes, random_seed + 10 * i, jitter == 0 ? 0 : jitter + 10 * i));
      bar->partition(i).bind(partitions.back()->socket);
    }
  }

  unsigned partition_of(std::uint64_t line) const {
    return static_cast<unsigned>(line / parameters.interleave_bytes % parameters.partitions);
  }

  heddle::CrossbarParameters parameters;
  std::vector<std::uint8_t> bytes;
  std::unique_ptr<heddle::crossbar> bar;
  std::vector<std::unique_ptr<partition>> partitions;
};

// Lists of requests, one an SM.
struct Bench : Switch {
  Bench(const std::string& name, const heddle::CrossbarParameters& p, const Manners& manners,
        unsigned lines_of_all = 4096)
      : Switch(name, p, manners, lines_of_all) {
    for (unsigned i = 0; i < parameters.sms; ++i) {
      drivers.push_back(
          std::make_unique<line_driver>((name + "_driver" + std::to_string(i)).c_str(), period, line_bytes));
      drivers.back()->socket.bind(bar->port(i));
    }
  }

  std::vector<Request>& requests(unsigned sm = 0) { return drivers[sm]->requests; }
  Request& add(unsigned sm, std::uint64_t line, std::uint64_t cycle) {
    Request request;
    request.line = base + line * line_bytes;
    request.cycle = cycle;
    requests(sm).push_back(request);
    return requests(sm).back();
  }
  void load(unsigned sm, std::uint64_t line, std::uint64_t cycle) { add(sm, line, cycle); }
  void store(unsigned sm, std::uint64_t line, std::uint64_t cycle, unsigned sectors) {
    Request& request = add(sm, line, cycle);
    request.kind = Request::Store;
    for (unsigned i = 0; i < sectors; ++i) request.enable[i * 32 + 5] = 0xff;
  }
  void atomic(unsigned sm, std::uint64_t line, std::uint64_t cycle, heddle::AtomicOp op, unsigned lanes) {
    Request& request = add(sm, line, cycle);
    request.kind = Request::Atomic;
    request.op = op;
    for (unsigned i = 0; i < lanes; ++i) request.lanes.push_back({static_cast<std::uint8_t>(4 * i), 1, 0, 0});
  }
  std::uint64_t last_answer() const {
    std::uint64_t last = 0;
    for (const auto& driver : drivers) {
      for (const Request& request : driver->requests) last = std::max(last, request.answered);
    }
    return last;
  }
  void check_all_answered_once() const {
    for (const auto& driver : drivers) {
      for (const Request& request : driver->requests) BOOST_REQUIRE(request.answers == 1U);
      BOOST_TEST(driver->pool.in_use() == 0U);
    }
    BOOST_TEST(bar->idle());
  }

  std::vector<std::unique_ptr<line_driver>> drivers;
};

struct RandomBench : Switch {
  RandomBench(const std::string& name, const heddle::CrossbarParameters& p, const Manners& manners,
              unsigned lines_a_driver, unsigned count, const Habits& habits, std::uint64_t random_seed,
              std::uint64_t jitter = 0)
      : Switch(name, p, manners, p.sms * lines_a_driver, random_seed, jitter) {
    bytes.assign(bytes.size(), 0);
    for (unsigned i = 0; i < parameters.sms; ++i) {
      initiators.push_back(std::make_unique<random_initiator>(
          (name + "_initiator" + std::to_string(i)).c_str(), i, base + std::uint64_t{i} * lines_a_driver * line_bytes,
          lines_a_driver, count, habits, random_seed + 10 * i + 5, jitter == 0 ? 0 : jitter + 10 * i + 5));
      initiators.back()->socket.bind(bar->port(i));
    }
  }

  // What went between one SM and one partition, in its order.
  using Log = std::vector<std::pair<std::uint64_t, tlm::tlm_command>>;
  Log between(const std::vector<Seen>& log, unsigned sm, unsigned p) const {
    Log result;
    for (const Seen& seen : log) {
      if (seen.sm == sm && partition_of(seen.line) == p) result.emplace_back(seen.line, seen.command);
    }
    return result;
  }

  void check(std::size_t count) const {
    std::uint64_t request_flits = 0, reply_flits = 0, packets = 0;
    std::vector<std::uint8_t> expected;
    for (unsigned i = 0; i < parameters.sms; ++i) {
      const random_initiator& initiator = *initiators[i];
      BOOST_TEST(initiator.wrong == 0U);
      BOOST_TEST(initiator.sent.size() == count);
      BOOST_TEST(initiator.answered.size() == count);
      BOOST_TEST(initiator.pool.in_use() == 0U);
      expected.insert(expected.end(), initiator.model.begin(), initiator.model.end());
      request_flits += initiator.request_flits;
      reply_flits += initiator.reply_flits;
      packets += count;
      for (unsigned p = 0; p < parameters.partitions; ++p) {
        BOOST_TEST((between(initiator.sent, i, p) == between(partitions[p]->arrivals, i, p)));
        BOOST_TEST((between(initiator.answered, i, p) == between(partitions[p]->answers, i, p)));
      }
    }
    BOOST_TEST((bytes == expected));
    BOOST_TEST(bar->idle());
    const heddle::CrossbarCounters& c = bar->counters();
    BOOST_TEST(c.requests.packets == packets);
    BOOST_TEST(c.replies.packets == packets);
    BOOST_TEST(c.requests.bytes == 32 * request_flits);
    BOOST_TEST(c.replies.bytes == 32 * reply_flits);
  }

  std::vector<std::unique_ptr<random_initiator>> initiators;
};

Manners answers_after(unsigned cycles) {
  Manners manners;
  manners.response_after = cycles;
  return manners;
}

constexpr unsigned stream_length = 2000;
constexpr unsigned random_count = 8000;

struct Benches {
  std::unique_ptr<Bench> latency, one, one_place, one_credit, contended, stream, hot, trickle, wide, other;
  std::vector<std::unique_ptr<RandomBench>> random;
  std::vector<std::unique_ptr<RandomBench>> twins;  // alike but for the order of processes within an instant

  Benches() {
    std::printf("seed %llu (HEDDLE_SEED)\n", static_cast<unsigned long long>(seed()));
    latency = std::make_unique<Bench>("latency", size(2, 3), answers_after(10));
    latency->load(0, 2, 10);
    latency->store(0, 2, 100, 1);
    latency->store(0, 2, 200, 4);
    latency->atomic(0, 2, 300, heddle::AtomicOp::Add, 1);
    latency->atomic(0, 2, 400, heddle::AtomicOp::Add, 32);
    latency->atomic(0, 2, 500, heddle::AtomicOp::CompareExchange, 32);

    one = std::make_unique<Bench>("one", size(1, 1), answers_after(1));
    for (unsigned i = 0; i < 4; ++i) one->load(0, i, 10);

    heddle::CrossbarParameters p = size(1, 1);
    p.input_queue = 1;
    one_place = std::make_unique<Bench>("one_place", p, answers_after(1));
    p = size(1, 1);
    p.credits = 1;
    one_credit = std::make_unique<Bench>("one_credit", p, answers_after(1));
    for (unsigned i = 0; i < 4; ++i) {
      one_place->load(0, i, 10);
      one_credit->load(0, i, 10);
    }

    // All SMs ask one partition, always.
    contended = std::make_unique<Bench>("contended", size(5, 2), answers_after(20));
    for (unsigned sm = 0; sm < 5; ++sm) {
      for (unsigned i = 0; i < stream_length; ++i) contended->load(sm, 4 * (i % 1000), 10);
    }

    // All SMs read lines in order, through all partitions.
    stream = std::make_unique<Bench>("stream", size(15, 6), answers_after(20), 15 * stream_length);
    for (unsigned sm = 0; sm < 15; ++sm) {
      for (unsigned i = 0; i < stream_length; ++i) stream->load(sm, sm * stream_length + i, 10);
    }

    // One SM reads from all partitions: its reply port is the limit.
    hot = std::make_unique<Bench>("hot", size(3, 4), answers_after(20), 4096);
    for (unsigned i = 0; i < stream_length; ++i) hot->load(1, i, 10);

    p = size(3, 2);
    p.credits = p.input_queue = 1;
    Manners slow = answers_after(7);
    slow.accept_after = 1;  // more requests come to the partitions than answers leave them
    trickle = std::make_unique<Bench>("trickle", p, slow);
    for (unsigned sm = 0; sm < 3; ++sm) {
      for (unsigned i = 0; i < 300; ++i) trickle->load(sm, i, 10);
      trickle->drivers[sm]->slow_end_resp = 1;
    }

    wide = std::make_unique<Bench>("wide", size(80, 32), answers_after(20), 80 * 100);
    for (unsigned sm = 0; sm < 80; ++sm) {
      for (unsigned i = 0; i < 100; ++i) wide->load(sm, sm * 100 + i, 10);
    }

    other = std::make_unique<Bench>("other", size(1, 3), Manners{});  // debug and blocking transport

    Manners m = answers_after(3);
    const auto add = [&](const char* name, const heddle::CrossbarParameters& parameters, unsigned lines,
                         unsigned slow_initiator) {
      random.push_back(std::make_unique<RandomBench>(name, parameters, m, lines, random_count,
                                                     Habits{slow_initiator, random.size() % 2 == 1},
                                                     seed() + 10'000 * random.size()));
    };
    m.response_spread = 40;
    add("fast", size(3, 3), 64, 0);
    m.accept_after = 6;
    add("slow_targets", size(4, 3), 64, 0);
    m.end_req_is_implied = true;
    add("implied", size(2, 2), 64, 5);
    m.end_req_is_implied = false;
    m.in_call = 3;
    add("slow_initiators", size(4, 2), 64, 2);
    p = size(3, 2);
    p.credits = p.input_queue = p.latency = p.iterations = 1;
    add("depth_one", p, 5, 4);
    m.in_call = 1;
    add("all_in_call", p, 5, 4);
    m = answers_after(1);
    add("quick", p, 64, 0);
    add("one_one", size(1, 1), 3, 3);
    p = size(3, 5);
    p.interleave_bytes = 4096;
    m.response_spread = 300;
    add("coarse", p, 200, 0);
    p.interleave_bytes = 128;
    add("fine", p, 200, 6);

    p = size(4, 3);
    p.input_queue = p.credits = 2;
    p.latency = 1;
    m.accept_after = 3;
    m.response_spread = 10;
    for (const unsigned jitter : {0U, 1000U, 2000U}) {
      twins.push_back(std::make_unique<RandomBench>("twin" + std::to_string(jitter), p, m, 64, 3000, Habits{3, true},
                                                    seed(), jitter));
    }
    sc_core::sc_start(1e6 * period);  // far longer than it takes: a lost packet ends the run too
  }
};

Benches& benches() {
  static Benches all;
  return all;
}

}  // namespace

// Each way latency + flits cycles, 10 in the partition; flits = ceil((8 + bytes) / 32).
BOOST_AUTO_TEST_CASE(unloaded_latencies) {
  Bench& bench = *benches().latency;
  const struct {
    unsigned request_flits, reply_flits;
  } expected[] = {
      {1, 5},   // read: 8 and 136 bytes
      {2, 1},   // a sector: 40
      {5, 1},   // four sectors: 136
      {1, 1},   // a lane: 16 and 16
      {9, 9},   // 32 lanes: 264 and 264
      {17, 9},  // with two operands: 520
  };
  const partition& target = *bench.partitions[2];  // of byte 256: byte 0 is in 1, as base / 256 is 1 modulo 3
  BOOST_REQUIRE(target.arrivals.size() == std::size(expected));
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    const Request& request = bench.requests()[i];
    BOOST_TEST(request.accepted == (i == 0 ? 10 : 100 * i));
    BOOST_TEST(target.arrivals[i].cycle - request.accepted == 8 + expected[i].request_flits, "request " << i);
    BOOST_TEST(request.answered - target.answers[i].cycle == 8 + expected[i].reply_flits, "reply " << i);
    BOOST_TEST(request.answered - request.accepted == 16 + 10 + expected[i].request_flits + expected[i].reply_flits);
  }
  BOOST_TEST(bench.bar->counters().requests.wait_cycles == 0U);
  BOOST_TEST(bench.bar->counters().replies.wait_cycles == 0U);
  bench.check_all_answered_once();
}

BOOST_AUTO_TEST_CASE(one_by_one) {
  Bench& bench = *benches().one;
  for (unsigned i = 0; i < 4; ++i) {
    BOOST_TEST(bench.requests()[i].accepted == 10 + i);
    BOOST_TEST(bench.partitions[0]->arrivals[i].cycle == 19 + i);     // one flit a cycle
    BOOST_TEST(bench.requests()[i].answered == 20 + i + 13 + 4 * i);  // five a reply
  }
  bench.check_all_answered_once();
}

// A request leaves its place in the cycle in which it is matched; its SM has the credit eight cycles later.
BOOST_AUTO_TEST_CASE(the_credit_of_a_place_comes_back_over_the_wires) {
  Bench& bench = *benches().one_place;
  for (unsigned i = 0; i < 4; ++i) {
    BOOST_TEST(bench.requests()[i].accepted == 10 + 9 * i);  // matched in 11 + 9 i
    BOOST_TEST(bench.partitions[0]->arrivals[i].cycle == 19 + 9 * i);
  }
  BOOST_TEST(bench.bar->counters().requests.held_back == 3U);
  bench.check_all_answered_once();
}

// Matched in 11, at the target in 19, which ends it: the credit counts from 20.
BOOST_AUTO_TEST_CASE(a_credit_is_back_one_cycle_after_the_target_has_ended) {
  Bench& bench = *benches().one_credit;
  for (unsigned i = 0; i < 4; ++i) {
    BOOST_TEST(bench.requests()[i].accepted == 10 + i);
    BOOST_TEST(bench.partitions[0]->arrivals[i].cycle == 19 + 9 * i);
  }
  BOOST_TEST(bench.bar->counters().requests.wait_cycles == 0U + 8 + 16 + 24);
  bench.check_all_answered_once();
}

BOOST_AUTO_TEST_CASE(an_output_is_shared_fairly) {
  Bench& bench = *benches().contended;
  std::vector<unsigned> served(5, 0);
  for (const Seen& seen : bench.partitions[0]->arrivals) {
    ++served[seen.sm];
    const auto [least, most] = std::minmax_element(served.begin(), served.end());
    BOOST_REQUIRE(*most - *least <= 1U);
  }
  for (const unsigned count : served) BOOST_TEST(count == stream_length);
  // Eight credits of nine cycles: 8 of 9 cycles carry a request of one flit.
  const std::uint64_t cycles = bench.partitions[0]->arrivals.back().cycle - bench.partitions[0]->arrivals[0].cycle;
  BOOST_TEST(cycles <= 5 * stream_length * 9 / 8 + 9);
  BOOST_TEST(cycles >= 5 * stream_length * 9 / 8 - 9);
  bench.check_all_answered_once();
}

BOOST_AUTO_TEST_CASE(a_port_carries_replies_in_every_cycle) {
  Bench& bench = *benches().hot;
  const std::uint64_t cycles = bench.last_answer() - bench.requests(1)[0].answered;
  std::printf("one SM reads:      %.2f%% of its port\n", 100.0 * 5 * stream_length / static_cast<double>(cycles));
  BOOST_TEST(5 * stream_length >= 0.97 * static_cast<double>(cycles));
  BOOST_TEST(5 * (stream_length - 1) <= cycles);
  bench.check_all_answered_once();
}

BOOST_AUTO_TEST_CASE(all_partitions_stream) {
  Bench& bench = *benches().stream;
  const std::uint64_t cycles = bench.last_answer() - 10;  // with the latency of the first
  const unsigned flits = 15 * stream_length / 6 * 5;      // of each partition
  std::printf("fifteen SMs read:  %.2f%% of six partitions' ports\n", 100.0 * flits / static_cast<double>(cycles));
  BOOST_TEST(flits >= 0.97 * static_cast<double>(cycles));
  BOOST_TEST(flits <= cycles);
  bench.check_all_answered_once();
}

BOOST_AUTO_TEST_CASE(one_credit_and_one_place_lose_nothing) {
  Bench& bench = *benches().trickle;
  bench.check_all_answered_once();
  BOOST_TEST(bench.bar->counters().requests.held_back > 0U);
  BOOST_TEST(bench.bar->counters().replies.held_back > 0U);
  BOOST_TEST(bench.bar->counters().requests.packets == 900U);
  BOOST_TEST(bench.bar->counters().requests.bytes == 900U * 32);
  BOOST_TEST(bench.bar->counters().replies.bytes == 900U * 160);
}

BOOST_AUTO_TEST_CASE(eighty_sms_and_thirty_two_partitions) {
  Bench& bench = *benches().wide;
  bench.check_all_answered_once();
  BOOST_TEST(bench.bar->counters().replies.packets == 8000U);
}

BOOST_AUTO_TEST_CASE(random_traffic_keeps_order_and_bytes) {
  std::uint64_t total = 0, held_requests = 0, held_replies = 0, waits = 0;
  for (const auto& bench : benches().random) {
    BOOST_TEST_CONTEXT(bench->bar->name()) bench->check(random_count);
    total += bench->bar->counters().replies.packets;
    held_requests += bench->bar->counters().requests.held_back;
    held_replies += bench->bar->counters().replies.held_back;
    waits += bench->bar->counters().replies.wait_cycles;
  }
  BOOST_TEST(total >= 200'000U);
  BOOST_TEST(held_requests > 0U, "cover never reached");
  BOOST_TEST(held_replies > 0U, "cover never reached");
  BOOST_TEST(waits > 0U, "cover never reached");
}

BOOST_AUTO_TEST_CASE(the_order_of_processes_within_an_instant_changes_nothing) {
  const RandomBench& first = *benches().twins[0];
  for (const auto& twin : benches().twins) {
    twin->check(3000);
    for (std::size_t i = 0; i < first.initiators.size(); ++i) {
      BOOST_TEST((twin->initiators[i]->sent == first.initiators[i]->sent));
      BOOST_TEST((twin->initiators[i]->answered == first.initiators[i]->answered));
    }
    for (std::size_t i = 0; i < first.partitions.size(); ++i) {
      BOOST_TEST((twin->partitions[i]->arrivals == first.partitions[i]->arrivals));
      BOOST_TEST((twin->partitions[i]->answers == first.partitions[i]->answers));
    }
    BOOST_TEST(twin->bar->counters().requests.held_back == first.bar->counters().requests.held_back);
    BOOST_TEST(twin->bar->counters().replies.held_back == first.bar->counters().replies.held_back);
  }
  BOOST_TEST(first.bar->counters().replies.held_back > 0U, "cover never reached");
}

BOOST_AUTO_TEST_CASE(debug_transport_is_split_at_the_blocks) {
  Bench& bench = *benches().other;
  std::vector<std::uint8_t> ones(600, 1), found(600, 0);
  std::vector<std::uint8_t> expected = bench.bytes;
  std::fill_n(expected.begin() + 200, 600, std::uint8_t{1});
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  payload.set_address(base + 200);
  payload.set_data_ptr(ones.data());
  payload.set_data_length(600);
  BOOST_TEST(bench.drivers[0]->socket->transport_dbg(payload) == 600U);
  BOOST_TEST(payload.is_response_ok());
  BOOST_TEST((bench.bytes == expected));
  BOOST_TEST(base / 256 % 3 == 1U);
  BOOST_TEST(bench.partitions[1]->debug_bytes == 56U + 32U);
  BOOST_TEST(bench.partitions[2]->debug_bytes == 256U);
  BOOST_TEST(bench.partitions[0]->debug_bytes == 256U);
  payload.set_command(tlm::TLM_READ_COMMAND);
  payload.set_data_ptr(found.data());
  BOOST_TEST(bench.drivers[0]->socket->transport_dbg(payload) == 600U);
  BOOST_TEST((found == ones));
}

BOOST_AUTO_TEST_CASE(blocking_transport_adds_both_ways) {
  Bench& bench = *benches().other;
  heddle::PayloadPool pool(line_bytes);
  tlm::tlm_generic_payload* payload = pool.read(base + 256);
  sc_core::sc_time delay = 3 * period;
  bench.drivers[0]->socket->b_transport(*payload, delay);
  BOOST_TEST(delay.value() == ((3 + 9 + 100 + 13) * period).value());
  BOOST_TEST(std::memcmp(payload->get_data_ptr(), bench.bytes.data() + 256, line_bytes) == 0);
  payload->release();
  BOOST_TEST(bench.bar->idle());
}

// One credit: a packet that enters an empty queue before the credit is back, in the same cycle, is planned for by it.
BOOST_AUTO_TEST_CASE(a_switch_says_when_it_has_something_to_do) {
  constexpr std::uint64_t never = heddle::InputQueuedSwitch::never;
  heddle::SwitchCounters counters;
  heddle::InputQueuedSwitch one({1, 1, 8, 32, 8, 1, 2}, counters);
  tlm::tlm_generic_payload first, second;
  const auto wake = [&](std::uint64_t cycle) {
    one.deliver(cycle, [](unsigned, tlm::tlm_generic_payload&) {});
    one.match(cycle);
    one.plan(cycle);
  };
  BOOST_TEST(one.next() == never);
  BOOST_TEST(one.offer(0, 0, first, 64, 5));
  BOOST_TEST(one.next() == 6U);
  wake(6);
  BOOST_TEST(one.next() == 15U);  // 6 + 8 + 2 - 1
  wake(15);
  BOOST_TEST(one.at_target(0) == &first);
  BOOST_TEST(one.next() == never);
  BOOST_TEST(one.offer(0, 0, second, 8, 20));
  BOOST_TEST(one.next() == never);
  one.ended(0, 20);
  BOOST_TEST(one.next() == 21U);
  wake(21);
  BOOST_TEST(one.next() == 29U);
  BOOST_TEST(!one.idle());
  wake(29);
  one.ended(0, 29);
  BOOST_TEST(one.next() == never);
  BOOST_TEST(one.idle());
}

BOOST_AUTO_TEST_CASE(parameters_out_of_their_range) {
  heddle::SwitchCounters counters;
  BOOST_CHECK_THROW(heddle::InputQueuedSwitch({0, 1, 8, 32, 8, 8, 2}, counters), std::invalid_argument);
  BOOST_CHECK_THROW(heddle::InputQueuedSwitch({1, 1, 0, 32, 8, 8, 2}, counters), std::invalid_argument);
  BOOST_CHECK_THROW(heddle::InputQueuedSwitch({1, 1, 8, 32, 8, 0, 2}, counters), std::invalid_argument);
}
