// SPDX-License-Identifier: Apache-2.0
// Traffic is recorded between initiators and a memory, and played into the same and into other memories. A process
// elaborates once, so each bench runs in a child and leaves files.
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "tests/tlm/line_driver.h"
#include "tests/tlm/random_driver.h"
#include "tlm/fixed_memory.h"
#include "tlm/l1_cache.h"
#include "tlm/memory_hierarchy.h"
#include "tlm/protocol_monitor.h"
#include "tlm/traffic_recorder.h"
#include "tlm/traffic_replayer.h"

int sc_main(int, char**) {
  return 0;
}  // libsystemc asks for it; Boost.Test owns main

namespace {

namespace fs = std::filesystem;

const sc_core::sc_time period(1429, sc_core::SC_PS);  // 700 MHz, and odd
constexpr unsigned Sms = 3, LineBytes = 128, Lines = 300;

std::uint64_t seed() {
  const char* text = std::getenv("HEDDLE_SEED");
  return text == nullptr ? 20251125 : std::strtoull(text, nullptr, 0);
}

/// A folder that goes with the test.
struct Folder {
  Folder() : path(fs::temp_directory_path() / ("heddle_traffic_" + std::to_string(::getpid()))) {
    fs::create_directories(path);
  }
  ~Folder() { fs::remove_all(path); }
  std::string operator/(const std::string& name) const { return (path / name).string(); }
  fs::path path;
};
const Folder folder;

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

/// 0, or what the work says is wrong.
int in_child(const std::function<int()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    int code = 99;
    try {
      code = work();
    } catch (const std::exception& error) { std::fprintf(stderr, "%s\n", error.what()); }
    std::fflush(nullptr);
    ::_exit(code);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 98;
}

/// Small enough that everything is full now and then.
std::unique_ptr<heddle::MemoryBelow> small_hierarchy(heddle::BackingStore& store, unsigned hit_latency = 7) {
  heddle::HierarchyParameters p;
  p.channels = 2;
  p.crossbar.input_queue = p.crossbar.credits = 2;
  p.l2.bytes = 4 * 2 * 256;
  p.l2.ways = 2;
  p.l2.mshrs = p.l2.targets_per_mshr = 3;
  p.l2.memory_queue = 2;
  p.l2.hit_latency = hit_latency;
  p.dram.queue_depth = 4;
  return std::make_unique<heddle::memory_hierarchy>("below", Sms, p, period, store);
}

void write_counters(const std::string& path, const heddle::MemoryBelow& memory) {
  const heddle::BelowCounters c = memory.counters();
  std::ofstream(path) << c.request_bytes << ' ' << c.reply_bytes << ' ' << c.l2.accesses << ' ' << c.l2.hits << ' '
                      << c.l2.misses << ' ' << c.l2.merges << ' ' << c.l2.write_misses << ' ' << c.l2.write_backs << ' '
                      << c.l2.stalls() << ' ' << c.dram.reads << ' ' << c.dram.writes << ' ' << c.dram.bytes << ' '
                      << c.dram.stalls << ' ' << c.dram.activations << ' ' << c.dram.row_hits;
}

/// SM 1 has an L1, which sends from within calls of the memory, too; the others send at edges.
int record_random(const std::string& path) {
  heddle::sockets_are_monitored() = true;
  heddle::BackingStore store;
  heddle::recorded_memory memory(path, Sms, LineBytes, period, small_hierarchy(store));
  heddle::SocketMonitors monitors;
  heddle::L1Parameters parameters;
  parameters.bytes = 2048;
  parameters.mshrs = 4;
  heddle::l1_cache l1("l1", parameters, period);
  std::vector<std::unique_ptr<heddle_test::random_driver>> drivers;
  for (unsigned i = 0; i < Sms; ++i) {
    heddle_test::RandomTraffic traffic;
    traffic.lines = Lines;
    traffic.line_bytes = LineBytes;
    traffic.base = store.allocate(Lines * LineBytes);
    traffic.count = 5000;
    traffic.seed = seed() + i;
    drivers.push_back(std::make_unique<heddle_test::random_driver>(("driver" + std::to_string(i)).c_str(), period,
                                                                   traffic, store.at(traffic.base)));
    const std::string socket = "socket" + std::to_string(i);
    if (i == 1) drivers.back()->socket.bind(l1.socket);
    memory.bind(i, i == 1 ? monitors.behind(socket, l1.memory_socket) : monitors.behind(socket, drivers[i]->socket));
  }
  const auto done = [&] {
    for (const auto& driver : drivers)
      if (!driver->done()) return false;
    return memory.idle() && l1.idle();
  };
  while (!done() && sc_core::sc_time_stamp() < 1'000'000 * period) sc_core::sc_start(100 * period);
  for (const auto& driver : drivers)
    if (!driver->fault().empty() || driver->pool.in_use() != 0) return 2;
  monitors.check_drained();
  memory.settle();
  write_counters(path + ".counters", memory);
  return done() ? 0 : 1;
}

using MakeMemory = std::function<std::unique_ptr<heddle::MemoryBelow>(heddle::BackingStore&)>;

/// Plays a recording, and records that.
int replay(const std::string& from, const std::string& to, const MakeMemory& make) {
  heddle::sockets_are_monitored() = true;
  heddle::SocketMonitors monitors;
  const heddle::TrafficSummary summary = heddle::summary_of_traffic(from);
  heddle::BackingStore store;
  heddle::make_room(store, summary);
  heddle::recorded_memory memory(to, summary.sms, summary.line_bytes, period, make(store));
  std::vector<std::unique_ptr<heddle::traffic_replayer>> sms;
  for (unsigned i = 0; i < summary.sms; ++i) {
    sms.push_back(std::make_unique<heddle::traffic_replayer>(("sm" + std::to_string(i)).c_str(), from, i, period));
    memory.bind(i, monitors.behind("socket" + std::to_string(i), sms.back()->socket));
  }
  const auto done = [&] {
    for (const auto& sm : sms)
      if (!sm->done()) return false;
    return memory.idle();
  };
  while (!done() && sc_core::sc_time_stamp() < 10'000'000 * period) sc_core::sc_start(100 * period);
  monitors.check_drained();
  heddle::LatencyCounts latencies;
  std::uint64_t late = 0;
  for (const auto& sm : sms) {
    latencies += sm->latencies();
    late += sm->late();
    if (sm->pool().in_use() != 0) return 2;
  }
  if (latencies.total() != summary.reads + summary.writes + summary.atomics) return 3;
  write_counters(to + ".counters", memory);
  std::ofstream(to + ".latencies") << latencies.mean() << ' ' << latencies.least() << ' ' << latencies.most() << ' '
                                   << late;
  return done() ? 0 : 1;
}

/// The random recording, made once.
const std::string& recording() {
  static const std::string path = [] {
    std::printf("seed %llu (HEDDLE_SEED)\n", static_cast<unsigned long long>(seed()));
    const std::string file = folder / "random.traffic";
    BOOST_REQUIRE(in_child([&] { return record_random(file); }) == 0);
    return file;
  }();
  return path;
}

/// The events of one SM. The order of two SMs in one instant is not defined.
std::vector<heddle::TrafficEvent> events_of(const std::string& path, unsigned sm) {
  std::vector<heddle::TrafficEvent> events;
  heddle::TrafficReader reader(path);
  for (heddle::TrafficEvent event; reader.next(event);)
    if (event.sm == sm) events.push_back(event);
  return events;
}

bool same_request(const heddle::TrafficEvent& a, const heddle::TrafficEvent& b) {
  return a.kind == b.kind && a.address == b.address && a.bytes == b.bytes && a.op == b.op &&
         a.value_bytes == b.value_bytes && a.lanes == b.lanes && a.detail == b.detail;
}

/// Requests and writes by debug transport, and the answers that had come before each.
struct Sent {
  heddle::TrafficEvent event;
  unsigned answers = 0;
};
std::vector<Sent> sent_by(const std::string& path, unsigned sm) {
  std::vector<Sent> all;
  unsigned answers = 0;
  for (const heddle::TrafficEvent& event : events_of(path, sm)) {
    if (event.kind == heddle::TrafficEvent::Answer)
      ++answers;
    else
      all.push_back({event, answers});
  }
  return all;
}

std::unique_ptr<heddle::MemoryBelow> a_hundred_cycles(heddle::BackingStore& store) {
  heddle::DramParameters dram;
  dram.latency = 100;
  return std::make_unique<heddle::fixed_memory>("below", 1, dram, period, store);
}

/// Debug transport in cycle 5, a load in 10, a store of bytes 0 and 9 in 11, an atomic of two lanes in 12, code in 13;
/// memory answers 100 later.
int record_by_hand(const std::string& path) {
  heddle::BackingStore store;
  heddle::recorded_memory memory(path, 1, LineBytes, period, a_hundred_cycles(store));
  heddle_test::line_driver driver("driver", period, LineBytes);
  memory.bind(0, driver.socket);
  driver.requests.resize(4);
  for (unsigned i = 0; i < 4; ++i) {
    driver.requests[i].line = i == 3 ? store.reserve_code(LineBytes) : store.allocate(LineBytes);
    driver.requests[i].cycle = 10 + i;
  }
  store.reserve(1000);
  driver.requests[1].kind = heddle_test::Request::Store;
  driver.requests[1].enable[0] = driver.requests[1].enable[9] = 0xff;
  driver.requests[2].kind = heddle_test::Request::Atomic;
  driver.requests[2].op = heddle::AtomicOp::Max;
  driver.requests[2].lanes = {{4, 1, 0, 0}, {124, 1, 0, 0}};
  sc_core::sc_start(5 * period);
  std::vector<std::uint8_t> zeros(300);
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  payload.set_address(heddle::BackingStore::reserved_base);
  payload.set_data_ptr(zeros.data());
  payload.set_data_length(100);
  driver.socket->transport_dbg(payload);
  sc_core::sc_start(500 * period);
  return driver.requests[3].answered == 113 ? 0 : 1;
}

std::string with_byte(std::string bytes, std::size_t at, char value) {
  bytes.at(at) = value;
  return bytes;
}

void check_refused(const std::string& what, const std::string& bytes, const std::string& why) {
  const std::string path = folder / "refused.traffic";
  write_bytes(path, bytes);
  try {
    heddle::summary_of_traffic(path);
    BOOST_ERROR(what << " was taken");
  } catch (const std::runtime_error& error) {
    const std::string message = error.what();
    BOOST_TEST(message.find(path) != std::string::npos, what << ": " << message);
    BOOST_TEST(message.find(why) != std::string::npos, what << ": " << message);
  }
}

const std::string Head("HEDDLETR\x01\x01\x80\x01", 12);  // one SM, lines of 128 bytes

}  // namespace

BOOST_AUTO_TEST_CASE(the_file_is_as_its_header_says) {
  const std::string path = folder / "hand.traffic";
  BOOST_REQUIRE(in_child([&] { return record_by_hand(path); }) == 0);
  // base / 128 = 0xfe00000000, seven bits a byte: 00 00 00 00 60 1f. Allocations are 512 bytes apart.
  const std::string first("\x80\x80\x80\x80\xe0\x1f", 6), second("\x84\x80\x80\x80\xe0\x1f", 6),
      third("\x88\x80\x80\x80\xe0\x1f", 6);
  std::string expected = Head;
  expected += std::string("\x0c\x00\x05", 3) + std::string("\x80\x80\x80\x80\x80\xa0\x1f", 7) + "\x64";  // debug
  expected += std::string("\x08\x00\x05", 3) + first;
  expected += std::string("\x09\x00\x01", 3) + second + std::string("\x01\x02", 2) + std::string(14, '\0');
  expected += std::string("\x0a\x00\x01", 3) + third + std::string("\x03\x04\x02\x04\x7c", 5);
  expected += std::string("\x08\x00\x01", 3) + std::string("\x80\x80\x80\x80\x80\x1f", 6);
  expected += std::string("\x03\x00\x61\x03", 4);  // 97 later, three requests ago
  for (const char back : {2, 1, 0}) expected += std::string("\x03\x00\x01", 3) + back;
  expected += std::string("\x05\x00\x00", 3);
  const std::string found = bytes_of(path);
  BOOST_TEST(found.size() == expected.size());
  for (std::size_t i = 0; i < std::min(found.size(), expected.size()); ++i)
    BOOST_TEST(unsigned(std::uint8_t(found[i])) == unsigned(std::uint8_t(expected[i])), "byte " << i);
  const heddle::TrafficSummary summary = heddle::summary_of_traffic(path);
  BOOST_TEST(summary.reads == 2U);
  BOOST_TEST(summary.writes == 1U);
  BOOST_TEST(summary.atomics == 1U);
  BOOST_TEST(summary.unanswered == 0U);
  BOOST_TEST(summary.last_cycle == 113U);
  BOOST_TEST(summary.allocated == 1024U + 128U);
  BOOST_TEST(summary.reserved == 100U);
  BOOST_TEST(summary.code == 128U);
  BOOST_TEST(summary.latencies.least() == 100U);
  BOOST_TEST(summary.latencies.most() == 100U);

  // One SM has one order: its replay writes the same file.
  const std::string again = folder / "hand_again.traffic";
  BOOST_REQUIRE(in_child([&] { return replay(path, again, a_hundred_cycles); }) == 0);
  BOOST_TEST((bytes_of(again) == found));
}

/// The recording of the replay is the recording: each request at its instant, and each answer.
BOOST_AUTO_TEST_CASE(the_same_memory_gets_the_same_traffic) {
  const std::string again = folder / "again.traffic";
  const auto same = [](heddle::BackingStore& store) { return small_hierarchy(store); };
  BOOST_REQUIRE(in_child([&] { return replay(recording(), again, same); }) == 0);
  const heddle::TrafficSummary summary = heddle::summary_of_traffic(recording());
  BOOST_TEST(summary.reads + summary.writes + summary.atomics > 2 * 5000U);
  for (unsigned sm = 0; sm < Sms; ++sm) {
    const std::vector<heddle::TrafficEvent> was = events_of(recording(), sm), is = events_of(again, sm);
    BOOST_REQUIRE(was.size() == is.size());
    for (std::size_t i = 0; i < was.size(); ++i) {
      BOOST_REQUIRE(same_request(was[i], is[i]));
      BOOST_REQUIRE(was[i].cycle == is[i].cycle);
      BOOST_REQUIRE(was[i].at_edge == is[i].at_edge);
      BOOST_REQUIRE(was[i].request == is[i].request);
    }
  }
  BOOST_TEST(bytes_of(again + ".counters") == bytes_of(recording() + ".counters"));
  std::ostringstream latencies;
  latencies << summary.latencies.mean() << ' ' << summary.latencies.least() << ' ' << summary.latencies.most() << " 0";
  BOOST_TEST(bytes_of(again + ".latencies") == latencies.str());
}

/// Same requests in the same order, none earlier, and none before as many answers.
BOOST_AUTO_TEST_CASE(another_memory_slows_the_traffic_down) {
  const std::string slow = folder / "slow.traffic", ideal = folder / "ideal.traffic";
  BOOST_REQUIRE(in_child([&] {
                  return replay(recording(), slow,
                                [](heddle::BackingStore& store) { return small_hierarchy(store, 300); });
                }) == 0);
  BOOST_REQUIRE(in_child([&] {
                  return replay(recording(), ideal, [](heddle::BackingStore& store) {
                    heddle::DramParameters p;
                    p.ideal = true;
                    return std::make_unique<heddle::fixed_memory>("below", Sms, p, period, store);
                  });
                }) == 0);
  for (const std::string& other : {slow, ideal}) {
    for (unsigned sm = 0; sm < Sms; ++sm) {
      const std::vector<Sent> was = sent_by(recording(), sm), is = sent_by(other, sm);
      BOOST_REQUIRE(was.size() == is.size());
      for (std::size_t i = 0; i < was.size(); ++i) {
        BOOST_REQUIRE(same_request(was[i].event, is[i].event));
        BOOST_REQUIRE(is[i].event.cycle >= was[i].event.cycle);
        BOOST_REQUIRE(is[i].answers >= was[i].answers);
      }
    }
  }
  const std::uint64_t was = heddle::summary_of_traffic(recording()).last_cycle;
  BOOST_TEST(heddle::summary_of_traffic(slow).last_cycle > was + 300);
  BOOST_TEST(heddle::summary_of_traffic(ideal).latencies.most() == 0U);
}

BOOST_AUTO_TEST_CASE(what_is_no_recording_is_refused_by_name) {
  const std::string whole = bytes_of(recording()).substr(0, 3000);
  for (const std::size_t length : {0, 1, 7, 8, 9, 10, 11, 12, 13, 14, 100, 101, 102, 103, 104, 105, 106, 2999})
    check_refused("a file cut off at " + std::to_string(length), whole.substr(0, length),
                  length < 8 ? "does not begin with HEDDLETR" : "is cut off");
  check_refused("text", "SM,cycle,address\n0,10,0x7f0000000000\n", "does not begin with HEDDLETR");
  check_refused("a later version", with_byte(Head, 8, 2), "has version 2 of the format, expected 1");
  check_refused("no SM", with_byte(Head, 9, 0), "0 SMs");
  check_refused("odd lines", with_byte(Head, 10, '\x81'), "lines of 129 bytes, expected 32");
  check_refused("an unknown kind", Head + '\x06', "no record is of kind 6");
  check_refused("another SM", Head + std::string("\x05\x01\x00", 3), "names another");
  check_refused("an answer to nothing", Head + std::string("\x03\x00\x01\x00", 4), "request that was not made");
  const std::string load = std::string("\x00\x00\x01", 3) + std::string("\x80\x80\x80\x80\xe0\x1f", 6),
                    answer("\x03\x00\x01\x00", 4);
  check_refused("an answer twice", Head + load + answer + answer, "answered twice");
  check_refused("an address of the host", Head + std::string("\x00\x00\x01\x10", 4), "outside of the device's memory");
  check_refused("an operation that there is not", Head + '\x02' + load.substr(1) + std::string("\x40\x04\x01\x00", 4),
                "an atomic that there is not");
  check_refused("a lane past the line", Head + '\x02' + load.substr(1) + std::string("\x01\x04\x01\x7e", 4),
                "past its line");
  BOOST_CHECK_THROW(heddle::summary_of_traffic(folder / "none"), std::runtime_error);
  BOOST_CHECK_THROW(heddle::TrafficWriter("/dev/null/file", 1, 128), std::runtime_error);
  write_bytes(folder / "good.traffic", Head + load + answer + std::string("\x05\x00\x00", 3));
  BOOST_TEST(heddle::summary_of_traffic(folder / "good.traffic").reads == 1U);
}

BOOST_AUTO_TEST_CASE(percentiles_by_hand) {
  heddle::LatencyCounts counts;
  BOOST_TEST(counts.percentile(50) == 0U);
  for (const unsigned latency : {5, 5, 7, 9, 100}) counts.add(latency);
  BOOST_TEST(counts.least() == 5U);
  BOOST_TEST(counts.percentile(40) == 5U);
  BOOST_TEST(counts.percentile(41) == 7U);
  BOOST_TEST(counts.percentile(80) == 9U);
  BOOST_TEST(counts.most() == 100U);
  BOOST_TEST(counts.mean() == 25.2);
}
