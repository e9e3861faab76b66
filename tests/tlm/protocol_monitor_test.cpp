// SPDX-License-Identifier: Apache-2.0
// The protocol monitor: what the protocol allows passes, each rule is broken once and named, and random traffic through
// a whole memory breaks none and takes the same cycles with monitors as without. All benches are elaborated before the
// first case (one elaboration a process).
#include "tlm/protocol_monitor.h"

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tests/tlm/random_driver.h"
#include "tlm/fixed_memory.h"
#include "tlm/memory_hierarchy.h"
#include "tlm/memory_subsystem.h"

int sc_main(int, char**) {
  return 0;
}  // libsystemc asks for it; Boost.Test owns main

namespace {

using tlm::BEGIN_REQ;
using tlm::BEGIN_RESP;
using tlm::END_REQ;
using tlm::END_RESP;
using tlm::TLM_ACCEPTED;
using tlm::TLM_COMPLETED;
using tlm::TLM_UPDATED;
using Payload = tlm::tlm_generic_payload;

const sc_core::sc_time period(2, sc_core::SC_NS);
constexpr unsigned LineBytes = 128;

/// What the other side returns to the next call, and does within it.
struct Reaction {
  tlm::tlm_sync_enum status = TLM_ACCEPTED;
  tlm::tlm_phase phase = tlm::UNINITIALIZED_PHASE;
  std::function<void()> within = [] {};
};

/// An initiator and a target that say what the case says, with a monitor between them.
struct Pair : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Pair> initiator{"initiator"};
  tlm_utils::simple_target_socket<Pair> target{"target"};
  heddle::protocol_monitor monitor{"monitor"};
  heddle::PayloadPool pool{LineBytes};
  Reaction of_initiator, of_target;

  explicit Pair(const sc_core::sc_module_name& name) : sc_module(name) {
    initiator.register_nb_transport_bw(this, &Pair::backward);
    target.register_nb_transport_fw(this, &Pair::forward);
    target.register_b_transport(this, &Pair::blocking);
    initiator.bind(monitor.socket);
    monitor.memory_socket.bind(target);
  }
  tlm::tlm_sync_enum react(Reaction& reaction, tlm::tlm_phase& phase) {
    const Reaction now = reaction;
    reaction = {};
    now.within();
    if (now.status == TLM_UPDATED) phase = now.phase;
    return now.status;
  }
  tlm::tlm_sync_enum forward(Payload&, tlm::tlm_phase& phase, sc_core::sc_time&) { return react(of_target, phase); }
  tlm::tlm_sync_enum backward(Payload&, tlm::tlm_phase& phase, sc_core::sc_time&) { return react(of_initiator, phase); }
  void blocking(Payload&, sc_core::sc_time&) {}  // and leaves the status as it is

  Payload& read(std::uint64_t line = 1) { return *pool.read(line * LineBytes); }
  void send(Payload& payload, tlm::tlm_phase phase, Reaction reaction = {}, const sc_core::sc_time& annotated = {}) {
    of_target = reaction;
    sc_core::sc_time delay = annotated;
    initiator->nb_transport_fw(payload, phase, delay);
  }
  void reply(Payload& payload, tlm::tlm_phase phase, Reaction reaction = {}, const sc_core::sc_time& annotated = {}) {
    of_initiator = reaction;
    sc_core::sc_time delay = annotated;
    target->nb_transport_bw(payload, phase, delay);
  }
  /// With its status.
  void respond(Payload& payload, Reaction reaction = {TLM_COMPLETED}) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    reply(payload, BEGIN_RESP, reaction);
  }
};

/// A memory with two L1s, everything small; with monitors or without.
struct RandomBench {
  RandomBench(const std::string& name, bool monitored, bool ideal, std::uint64_t seed) {
    heddle::sockets_are_monitored() = monitored;
    heddle::L1Parameters l1;
    l1.bytes = 1024;
    l1.mshrs = l1.targets_per_mshr = l1.memory_queue = 2;
    l1.hit_latency = 3;
    heddle::HierarchyParameters p;
    p.channels = 2;
    p.crossbar.input_queue = p.crossbar.credits = 1;
    p.l2.bytes = 2 * 2 * 256;
    p.l2.ways = p.l2.mshrs = p.l2.targets_per_mshr = p.l2.memory_queue = 2;
    p.dram.queue_depth = 2;
    heddle::DramParameters dram;
    dram.ideal = true;
    const std::string name_below = name + "_below";
    std::unique_ptr<heddle::MemoryBelow> below;
    if (ideal)
      below = std::make_unique<heddle::fixed_memory>(name_below.c_str(), Sms, dram, period, store);
    else
      below = std::make_unique<heddle::memory_hierarchy>(name_below.c_str(), Sms, p, period, store);
    memory = std::make_unique<heddle::memory_subsystem>(name.c_str(), Sms, l1, period, std::move(below));
    heddle::sockets_are_monitored() = false;
    for (unsigned i = 0; i < Sms; ++i) {
      heddle_test::RandomTraffic traffic;
      traffic.lines = 40;
      traffic.line_bytes = LineBytes;
      traffic.base = store.allocate(40 * LineBytes);
      traffic.count = 4000;
      traffic.seed = seed + i;
      traffic.slow_end_resp = 3;
      drivers.push_back(std::make_unique<heddle_test::random_driver>((name + "_driver" + std::to_string(i)).c_str(),
                                                                     period, traffic, store.at(traffic.base)));
      drivers.back()->socket.bind(memory->socket(i));
    }
  }
  bool done() const {
    for (const auto& driver : drivers)
      if (!driver->done()) return false;
    return memory->idle();
  }
  static constexpr unsigned Sms = 2;
  heddle::BackingStore store;
  std::unique_ptr<heddle::memory_subsystem> memory;
  std::vector<std::unique_ptr<heddle_test::random_driver>> drivers;
  std::uint64_t cycles = 0;  // until done
};

std::uint64_t seed() {
  const char* text = std::getenv("HEDDLE_SEED");
  return text == nullptr ? 20251125 : std::strtoull(text, nullptr, 0);
}

struct Benches {
  std::vector<std::unique_ptr<Pair>> pairs;
  std::size_t used = 0;
  RandomBench monitored, plain, monitored_ideal, plain_ideal;

  Benches()
      : monitored("monitored", true, false, seed()),
        plain("plain", false, false, seed()),
        monitored_ideal("monitored_ideal", true, true, seed()),
        plain_ideal("plain_ideal", false, true, seed()) {
    std::printf("seed %llu (HEDDLE_SEED)\n", static_cast<unsigned long long>(seed()));
    for (unsigned i = 0; i < 64; ++i) pairs.push_back(std::make_unique<Pair>(("pair" + std::to_string(i)).c_str()));
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  Pair& next() { return *pairs.at(used++); }
};

Benches& benches() {
  static Benches all;
  return all;
}

/// The last part of the report's type, or "".
std::string broken_by(const std::function<void(Pair&)>& steps) {
  try {
    steps(benches().next());
  } catch (const sc_core::sc_report& report) {
    const std::string type = report.get_msg_type();
    BOOST_TEST(type.rfind("heddle/protocol_monitor/", 0) == 0U);
    BOOST_TEST(std::string(report.get_msg()).find(".monitor: ") != std::string::npos, report.get_msg());
    return type.substr(type.rfind('/') + 1);
  }
  return "";
}

const Reaction accept{TLM_UPDATED, END_REQ};
DECLARE_EXTENDED_PHASE(own_phase);

}  // namespace

BOOST_AUTO_TEST_CASE(what_the_protocol_allows_passes) {
  const struct {
    const char* name;
    std::function<void(Pair&)> steps;
  } cases[] = {
      {"four phases in calls of their own",
       [](Pair& p) {
         Payload& x = p.read();
         p.send(x, BEGIN_REQ);
         p.reply(x, END_REQ);
         p.respond(x, {});
         p.send(x, END_RESP, {TLM_COMPLETED});
       }},
      {"phases as return values",
       [](Pair& p) {
         Payload& x = p.read();
         p.send(x, BEGIN_REQ, accept);
         p.respond(x, {TLM_UPDATED, END_RESP});
       }},
      {"a response that implies END_REQ",
       [](Pair& p) {
         Payload &x = p.read(), &y = p.read();
         p.send(x, BEGIN_REQ);
         p.respond(x);
         p.send(y, BEGIN_REQ, accept);
         p.respond(y);
       }},
      {"BEGIN_RESP as the return value of BEGIN_REQ",
       [](Pair& p) {
         Payload& x = p.read();
         x.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
         p.send(x, BEGIN_REQ, {TLM_UPDATED, BEGIN_RESP, [&] { x.set_response_status(tlm::TLM_OK_RESPONSE); }});
         p.send(x, END_RESP, {TLM_COMPLETED});
       }},
      {"completed in the call, while another response is open",
       [](Pair& p) {
         Payload &x = p.read(), &y = p.read();
         p.send(x, BEGIN_REQ, accept);
         p.respond(x, {});
         p.send(y, BEGIN_REQ, {TLM_COMPLETED, BEGIN_REQ, [&] { y.set_response_status(tlm::TLM_OK_RESPONSE); }});
         p.send(x, END_RESP, {TLM_COMPLETED});
       }},
      {"answers in another order, and the next request from within",
       [](Pair& p) {
         Payload &x = p.read(1), &y = p.read(2), &z = p.read(3);
         p.send(x, BEGIN_REQ, accept);
         p.send(y, BEGIN_REQ);
         p.reply(y, END_REQ, {TLM_ACCEPTED, BEGIN_REQ, [&] { p.send(z, BEGIN_REQ, accept); }});
         p.respond(z);
         p.respond(y);
         p.respond(x, {TLM_COMPLETED, BEGIN_REQ, [&] {
                         Payload& w = p.read(1);
                         p.send(w, BEGIN_REQ, accept);
                         p.of_initiator = {};
                         w.set_response_status(tlm::TLM_OK_RESPONSE);
                       }});
         p.monitor.requests();
       }},
      {"END_REQ from within BEGIN_REQ",
       [](Pair& p) {
         Payload& x = p.read();
         p.send(x, BEGIN_REQ, {TLM_ACCEPTED, BEGIN_REQ, [&] { p.reply(x, END_REQ); }});
         p.respond(x);
       }},
      {"a request and a response later on",
       [](Pair& p) {
         Payload& x = p.read();
         p.send(x, BEGIN_REQ, accept, period);
         x.set_response_status(tlm::TLM_OK_RESPONSE);
         p.reply(x, BEGIN_RESP, {TLM_COMPLETED}, period);
       }},
      {"a phase that the base protocol does not know",
       [](Pair& p) {
         Payload& x = p.read();
         p.send(x, BEGIN_REQ, accept);
         p.send(x, own_phase);
         p.reply(x, own_phase);
         p.respond(x);
       }},
      {"few byte enables, and of a read",
       [](Pair& p) {
         Payload& x = *p.pool.write(0);
         x.set_byte_enable_length(4);
         x.set_command(tlm::TLM_READ_COMMAND);
         p.send(x, BEGIN_REQ, accept);
         p.respond(x);
       }},
      {"a write with and without byte enables, an atomic",
       [](Pair& p) {
         Payload &x = *p.pool.write(0), &y = *p.pool.write(0), &z = *p.pool.atomic(0);
         x.get_byte_enable_ptr()[7] = 0xff;
         y.set_byte_enable_ptr(nullptr);
         heddle::memory_access(z).lane_count = 1;
         heddle::memory_access(z).bytes = 8;
         heddle::memory_access(z).lanes[0].offset = LineBytes - 8;
         for (Payload* payload : {&x, &y, &z}) {
           p.send(*payload, BEGIN_REQ, accept);
           p.respond(*payload);
         }
       }},
  };
  for (const auto& one : cases) {
    BOOST_TEST(broken_by(one.steps) == "", one.name);
    // All but the case that leaves its last request under way.
    const bool is_drained = std::string(one.name).find("from within") == std::string::npos || one.name[0] == 'E';
    const Pair& pair = *benches().pairs[benches().used - 1];
    if (is_drained)
      BOOST_CHECK_NO_THROW(pair.monitor.check_drained());
    else
      BOOST_CHECK_THROW(pair.monitor.check_drained(), sc_core::sc_report);
    BOOST_TEST(pair.monitor.requests() > 0U);
  }
}

BOOST_AUTO_TEST_CASE(each_rule_is_seen_to_be_broken) {
  const struct {
    const char* rule;
    const char* name;
    std::function<void(Pair&)> steps;
  } cases[] = {
      {"phase", "an initiator sends END_REQ", [](Pair& p) { p.send(p.read(), END_REQ); }},
      {"phase", "a target sends END_RESP", [](Pair& p) { p.reply(p.read(), END_RESP); }},
      {"phase", "BEGIN_REQ returns END_RESP",
       [](Pair& p) {
         p.send(p.read(), BEGIN_REQ, {TLM_UPDATED, END_RESP});
       }},
      {"phase", "BEGIN_RESP returns END_REQ",
       [](Pair& p) {
         Payload& x = p.read();
         p.send(x, BEGIN_REQ, accept);
         p.respond(x, {TLM_UPDATED, END_REQ});
       }},
      {"request_open", "two requests",
       [](Pair& p) {
         p.send(p.read(), BEGIN_REQ);
         p.send(p.read(), BEGIN_REQ);
       }},
      {"under_way", "a payload twice",
       [](Pair& p) {
         Payload& x = p.read();
         p.send(x, BEGIN_REQ, accept);
         p.send(x, BEGIN_REQ);
       }},
      {"end_req", "END_REQ without a request", [](Pair& p) { p.reply(p.read(), END_REQ); }},
      {"end_req", "END_REQ twice",
       [](Pair& p) {
         Payload& x = p.read();
         p.send(x, BEGIN_REQ);
         p.reply(x, END_REQ);
         p.reply(x, END_REQ);
       }},
      {"end_req", "END_REQ in the call and by return",
       [](Pair& p) {
         Payload& x = p.read();
         p.send(x, BEGIN_REQ, {TLM_UPDATED, END_REQ, [&] { p.reply(x, END_REQ); }});
       }},
      {"response", "a response without a request", [](Pair& p) { p.respond(p.read()); }},
      {"response", "a second response",
       [](Pair& p) {
         Payload& x = p.read();
         p.send(x, BEGIN_REQ, accept);
         p.respond(x);
         p.respond(x);
       }},
      {"response", "completed by return and answered in the call",
       [](Pair& p) {
         Payload& x = p.read();
         p.send(x, BEGIN_REQ, {TLM_COMPLETED, BEGIN_REQ, [&] { p.respond(x); }});
       }},
      {"response_open", "two responses",
       [](Pair& p) {
         Payload &x = p.read(), &y = p.read();
         p.send(x, BEGIN_REQ, accept);
         p.send(y, BEGIN_REQ, accept);
         p.respond(x, {});
         p.respond(y, {});
       }},
      {"end_resp", "END_RESP before the response",
       [](Pair& p) {
         Payload& x = p.read();
         p.send(x, BEGIN_REQ, accept);
         p.send(x, END_RESP);
       }},
      {"end_resp", "END_RESP of another",
       [](Pair& p) {
         Payload &x = p.read(), &y = p.read();
         p.send(x, BEGIN_REQ, accept);
         p.send(y, BEGIN_REQ, accept);
         p.respond(x, {});
         p.send(y, END_RESP);
       }},
      {"data", "half a sector",
       [](Pair& p) {
         Payload& x = p.read();
         x.set_data_length(16);
         x.set_streaming_width(16);
         p.send(x, BEGIN_REQ);
       }},
      {"data", "no bytes",
       [](Pair& p) {
         Payload& x = p.read();
         x.set_data_length(0);
         p.send(x, BEGIN_REQ);
       }},
      {"data", "no place for the data",
       [](Pair& p) {
         Payload& x = p.read();
         x.set_data_ptr(nullptr);
         p.send(x, BEGIN_REQ);
       }},
      {"data", "streaming",
       [](Pair& p) {
         Payload& x = p.read();
         x.set_streaming_width(4);
         p.send(x, BEGIN_REQ);
       }},
      {"alignment", "a line that begins in the middle",
       [](Pair& p) {
         Payload& x = p.read();
         x.set_address(LineBytes / 2);
         p.send(x, BEGIN_REQ);
       }},
      {"byte_enables", "none at the pointer to them",
       [](Pair& p) {
         Payload& x = *p.pool.write(0);
         x.set_byte_enable_length(0);
         p.send(x, BEGIN_REQ);
       }},
      {"byte_enables", "neither 0 nor 0xff",
       [](Pair& p) {
         Payload& x = *p.pool.write(0);
         x.get_byte_enable_ptr()[LineBytes - 1] = 1;
         p.send(x, BEGIN_REQ);
       }},
      {"atomic", "no lane", [](Pair& p) { p.send(*p.pool.atomic(0), BEGIN_REQ); }},
      {"atomic", "a lane past the line",
       [](Pair& p) {
         Payload& x = *p.pool.atomic(0);
         heddle::memory_access(x).lane_count = 2;
         heddle::memory_access(x).bytes = 4;
         heddle::memory_access(x).lanes[0].offset = 0;
         heddle::memory_access(x).lanes[1].offset = LineBytes - 3;
         p.send(x, BEGIN_REQ);
       }},
      {"status", "of a request",
       [](Pair& p) {
         Payload& x = p.read();
         x.set_response_status(tlm::TLM_OK_RESPONSE);
         p.send(x, BEGIN_REQ);
       }},
      {"status", "not set by the target",
       [](Pair& p) {
         Payload& x = p.read();
         p.send(x, BEGIN_REQ, accept);
         p.reply(x, BEGIN_RESP);
       }},
      {"status", "not set where it completes in the call",
       [](Pair& p) { p.send(p.read(), BEGIN_REQ, {TLM_COMPLETED}); }},
      {"status", "not set by b_transport",
       [](Pair& p) {
         sc_core::sc_time delay;
         p.initiator->b_transport(p.read(), delay);
       }},
      {"acquired", "a request that nobody holds",
       [](Pair& p) {
         Payload& x = p.read();
         x.release();
         p.send(x, BEGIN_REQ);
       }},
      {"acquired", "a payload without a pool",
       [](Pair& p) {
         std::uint8_t bytes[LineBytes];
         Payload x;
         x.set_command(tlm::TLM_READ_COMMAND);
         x.set_address(0);
         x.set_data_ptr(bytes);
         x.set_data_length(LineBytes);
         x.set_streaming_width(LineBytes);
         p.send(x, BEGIN_REQ);
       }},
      {"acquired", "released before the response",
       [](Pair& p) {
         Payload& x = p.read();
         p.send(x, BEGIN_REQ, accept);
         x.release();
         p.respond(x);
       }},
      {"unanswered", "a request that waits",
       [](Pair& p) {
         p.send(p.read(), BEGIN_REQ);
         p.monitor.check_drained();
       }},
      {"unanswered", "no answer",
       [](Pair& p) {
         p.send(p.read(), BEGIN_REQ, accept);
         p.monitor.check_drained();
       }},
      {"unanswered", "no END_RESP",
       [](Pair& p) {
         Payload& x = p.read();
         p.send(x, BEGIN_REQ, accept);
         p.respond(x, {});
         p.monitor.check_drained();
       }},
  };
  for (const auto& one : cases) BOOST_TEST(broken_by(one.steps) == one.rule, one.name);
}

BOOST_AUTO_TEST_CASE(a_payload_that_is_kept_is_a_leak) {
  heddle::PayloadPool pool(LineBytes);
  BOOST_CHECK_NO_THROW(heddle::check_all_returned("it", pool));
  Payload* payload = pool.read(0);
  BOOST_CHECK_EXCEPTION(heddle::check_all_returned("it", pool), sc_core::sc_report, [](const auto& report) {
    return std::string(report.get_msg_type()) == "heddle/payloads/leak" &&
           std::string(report.get_msg()) == "it: 1 payloads are in use, and nothing is under way";
  });
  payload->release();
  BOOST_CHECK_NO_THROW(heddle::check_all_returned("it", pool));
}

BOOST_AUTO_TEST_CASE(random_traffic_breaks_no_rule_and_monitors_change_no_cycle) {
  Benches& all = benches();
  RandomBench* const runs[] = {&all.monitored, &all.plain, &all.monitored_ideal, &all.plain_ideal};
  bool done = false;
  for (std::uint64_t cycle = 1; !done && cycle < 2'000'000; ++cycle) {
    sc_core::sc_start(period);
    done = true;
    for (RandomBench* run : runs) {
      if (run->cycles == 0 && run->done()) run->cycles = cycle;
      done &= run->cycles != 0;
    }
  }
  BOOST_REQUIRE(done);
  for (RandomBench* run : runs) {
    BOOST_CHECK_NO_THROW(run->memory->settle());
    for (const auto& driver : run->drivers) {
      BOOST_TEST(driver->fault() == "");
      BOOST_TEST(driver->pool.in_use() == 0U);
      BOOST_TEST(driver->answered() == 4000U);
    }
  }
  BOOST_TEST(all.monitored.cycles == all.plain.cycles);
  BOOST_TEST(all.monitored_ideal.cycles == all.plain_ideal.cycles);
  const heddle::BelowCounters with = all.monitored.memory->below().counters(),
                              without = all.plain.memory->below().counters();
  BOOST_TEST(with.l2.stalls() == without.l2.stalls());
  BOOST_TEST(with.l2.stalls() > 0U);
  BOOST_TEST(with.dram.row_hits == without.dram.row_hits);
  BOOST_TEST(with.reply_bytes == without.reply_bytes);
  BOOST_TEST(all.plain.memory->monitored_requests() == 0U);
  BOOST_TEST(all.monitored.memory->monitored_requests() >= 2 * 4000U);
}
