// SPDX-License-Identifier: Apache-2.0
// Fetch and the instruction cache, from a made-up program: cycles and counts by hand, and beside a plain list of the
// lines used last. All benches are elaborated and run together (one elaboration a process); the cases then look at what
// was noted.
#include "sim/sm/slice/fetch.h"

#include <systemc>
#include <tlm_utils/simple_initiator_socket.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <list>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "tlm/dram.h"
#include "tlm/instruction_cache.h"

int sc_main(int, char**) {
  return 0;
}  // libsystemc asks for it; Boost.Test owns main

namespace {

using heddle::isa::Pc;

const sc_core::sc_time period(1429, sc_core::SC_PS);  // 700 MHz, and odd
constexpr unsigned FetchLatency = 2, Width = 2, Buffer = 2, LineWords = 16, LineBytes = 128, MemoryLatency = 100;
constexpr std::uint64_t Cycles = 60'000;

std::uint64_t seed() {
  const char* text = std::getenv("HEDDLE_SEED");
  return text == nullptr ? 20251125 : std::strtoull(text, nullptr, 0);
}

/// What a warp executes: runs of consecutive instructions, from a cycle on. It pops a word a cycle if there is one.
struct Run {
  Pc first, count;
};
struct Script {
  std::uint64_t start = 1;
  std::vector<Run> runs;
  std::uint64_t abandons_first = 0;     ///< cycle in which it jumps to the second run, whatever it waits for
  std::vector<std::uint64_t> popped{};  ///< cycle of each word
  bool in_order = true;                 ///< the words were those of the runs
};

struct Setup {
  unsigned cache_bytes = 512;  ///< 0: ideal fetch
  unsigned ways = 4, mshrs = 4;
  bool ideal_memory = false;
  unsigned schedulers = 1;
  Pc program = 4096;
};

class Bench : public sc_core::sc_module {
 public:
  using Fetch = heddle::Fetch<2>;

  Bench(const sc_core::sc_module_name& name, const Setup& with)
      : sc_module(name), setup(with), memory("memory", dram_parameters(with), period, store) {
    heddle::CodeMemory code;
    if (with.cache_bytes != 0) {
      cache = std::make_unique<heddle::instruction_cache>(
          "cache", heddle::InstructionCacheParameters{with.cache_bytes, with.ways, LineBytes, with.mshrs});
      cache->memory_socket.bind(memory.socket);
      code = {cache.get(), LineBytes, LineWords};
    } else {
      unused = std::make_unique<tlm_utils::simple_initiator_socket<Bench>>("unused");
      unused->bind(memory.socket);
    }
    heddle::isa::Program program;
    program.code.resize(with.program);
    const std::uint64_t address = store.reserve_code(std::size_t{with.program} / LineWords * LineBytes + LineBytes);
    for (unsigned s = 0; s < with.schedulers; ++s) {
      fetches.push_back(std::make_unique<Fetch>(Buffer, Width, FetchLatency, code));
      fetches.back()->load(program, address);
    }
    scripts.resize(with.schedulers);
    SC_HAS_PROCESS(Bench);
    SC_METHOD(edge);
  }

  /// Adds the script of one scheduler's warps, in their order.
  Script& add(Script script, unsigned scheduler = 0) {
    scripts[scheduler].push_back(std::make_unique<Slot>());
    scripts[scheduler].back()->script = std::move(script);
    return scripts[scheduler].back()->script;
  }

  const heddle::InstructionCacheCounters& counters() const { return cache->counters(); }

  const Setup setup;
  heddle::BackingStore store;
  heddle::dram memory;
  std::unique_ptr<heddle::instruction_cache> cache;
  std::unique_ptr<tlm_utils::simple_initiator_socket<Bench>> unused;
  std::vector<std::unique_ptr<Fetch>> fetches;
  std::vector<heddle::Fetched> pushed;       ///< by the first scheduler
  std::map<std::uint64_t, bool> first_idle;  ///< by cycle: was the first scheduler's fetch idle after the edge?

 private:
  struct Slot {
    Script script;
    std::size_t run = 0;
    Pc done = 0;  ///< of the run
    bool started = false;
  };

  static heddle::DramParameters dram_parameters(const Setup& with) {
    heddle::DramParameters parameters;
    parameters.latency = MemoryLatency;
    parameters.ideal = with.ideal_memory;
    return parameters;
  }

  void edge() {
    next_trigger(period);
    const std::uint64_t cycle = sc_core::sc_time_stamp().value() / period.value();
    for (unsigned s = 0; s < fetches.size(); ++s) {
      for (unsigned w = 0; w < scripts[s].size(); ++w)
        consume(*fetches[s], heddle::SliceWarp(w), *scripts[s][w], cycle);
      fetches[s]->step(cycle);
      if (const heddle::Fetched words = fetches[s]->push(cycle); s == 0 && words.count != 0) pushed.push_back(words);
    }
    first_idle[cycle] = fetches[0]->idle();
  }

  static void consume(Fetch& fetch, heddle::SliceWarp warp, Slot& slot, std::uint64_t cycle) {
    Script& script = slot.script;
    if (slot.run == script.runs.size() || cycle < script.start) return;
    if (!slot.started) fetch.restart(warp, 0, script.runs[0].first);
    slot.started = true;
    if (cycle == script.abandons_first) fetch.restart(warp, 0, script.runs[++slot.run].first);
    if (fetch.empty(warp, 0)) return;
    script.in_order = script.in_order && fetch.head(warp, 0) == script.runs[slot.run].first + slot.done;
    script.popped.push_back(cycle);
    fetch.pop(warp, 0);
    if (++slot.done < script.runs[slot.run].count) return;
    slot.done = 0;
    if (++slot.run == script.runs.size())
      fetch.clear(warp, 0);
    else
      fetch.restart(warp, 0, script.runs[slot.run].first);
  }

  std::vector<std::vector<std::unique_ptr<Slot>>> scripts;
};

std::vector<Run> loop(Pc first, Pc count, unsigned times) {
  return std::vector<Run>(times, Run{first, count});
}

/// The misses of one warp: its fetches line by line, each set a list of the lines used last.
unsigned misses_by_hand(const Setup& setup, const std::vector<Run>& runs) {
  const unsigned sets = setup.cache_bytes / LineBytes / setup.ways;
  std::vector<std::list<Pc>> used(sets);
  unsigned misses = 0;
  for (const Run& run : runs) {
    Pc last = ~Pc{0};
    for (Pc pc = run.first; pc < run.first + run.count; ++pc) {
      const Pc line = pc / LineWords;
      if (line == last) continue;  // the line used last of all
      last = line;
      std::list<Pc>& set = used[line % sets];
      const auto found = std::find(set.begin(), set.end(), line);
      if (found != set.end())
        set.erase(found);
      else
        ++misses;
      set.push_front(line);
      if (set.size() > setup.ways) set.pop_back();
    }
  }
  return misses;
}

struct Benches {
  std::vector<std::unique_ptr<Bench>> all;
  Bench& make(const std::string& name, const Setup& setup) {
    return *all.emplace_back(std::make_unique<Bench>(name.c_str(), setup));
  }
  static Setup ideal() { return with(0); }
  static Setup with(unsigned bytes, unsigned mshrs = 4, unsigned ways = 4) {
    Setup setup;
    setup.cache_bytes = bytes;
    setup.mshrs = mshrs;
    setup.ways = ways;
    return setup;
  }

  Bench &straight_ideal = make("straight_ideal", ideal()), &straight = make("straight", with(512));
  Script &ideal_line = straight_ideal.add({1, {{0, 16}}}), &line = straight.add({1, {{0, 16}}});

  Bench& fits = make("fits", with(512));
  Script& fitting = fits.add({1, loop(0, 64, 10)});

  Bench& too_large = make("too_large", with(512));
  Script& thrashing = too_large.add({1, loop(0, 80, 10)});

  Bench& crossing = make("crossing", with(512));
  Script& crosses = crossing.add({1, {{15, 3}}});

  Bench& others = make("others", with(512));
  Script &resident = others.add({1, loop(0, 16, 40)}), &absent = others.add({200, {{16, 16}}});

  Bench& full = make("full", with(512, 1));
  Script &first = full.add({1, {{0, 2}}}), &second = full.add({2, {{16, 2}}});

  Bench& gone = make("gone", with(512));
  Script &before = gone.add({1, {{0, 16}}}), &jumps = gone.add({200, {{16, 16}, {0, 16}}, 220});

  Bench &shared, &ideal_memory, &ideal_beside, &random_one, &random_many;
  Script &mine, &yours, &hit, &miss;
  std::vector<Run> random_runs;
  std::vector<Script*> many;

  static Setup two_schedulers(unsigned bytes, unsigned mshrs, unsigned ways) {
    Setup setup = with(bytes, mshrs, ways);
    setup.schedulers = 2;
    return setup;
  }
  static Setup without_latency() {
    Setup setup = with(512);
    setup.ideal_memory = true;
    return setup;
  }

  Benches()
      : shared(make("shared", two_schedulers(512, 4, 4))),
        ideal_memory(make("ideal_memory", without_latency())),
        ideal_beside(make("ideal_beside", ideal())),
        random_one(make("random_one", with(2048))),
        random_many(make("random_many", two_schedulers(256, 2, 1))),
        mine(shared.add({1, {{0, 16}}}, 0)),
        yours(shared.add({1, {{0, 16}}}, 1)),
        hit(ideal_beside.add({1, loop(0, 160, 5)})),
        miss(ideal_memory.add({1, loop(0, 160, 5)})) {
    std::mt19937_64 random(seed());
    std::cout << "HEDDLE_SEED=" << seed() << '\n';
    const auto some_runs = [&random](unsigned count) {
      std::vector<Run> runs;
      for (unsigned i = 0; i < count; ++i)
        runs.push_back({static_cast<Pc>(random() % 500), 1 + static_cast<Pc>(random() % 40)});
      return runs;
    };
    random_runs = some_runs(300);
    random_one.add({1, random_runs});
    for (unsigned w = 0; w < 24; ++w) many.push_back(&random_many.add({1 + random() % 50, some_runs(8)}, w % 2));
    sc_core::sc_start(Cycles * period);
  }
};

Benches& benches() {
  static Benches all;
  return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_miss_costs_the_latency_of_the_level_below) {
  const Benches& b = benches();
  BOOST_TEST(b.ideal_line.popped.front() == 1 + FetchLatency + 1);
  BOOST_TEST(b.line.popped.front() == 1 + MemoryLatency + FetchLatency + 1);
  BOOST_TEST_REQUIRE(b.line.popped.size() == 16);
  for (std::size_t i = 0; i < 16; ++i) BOOST_TEST(b.line.popped[i] == b.ideal_line.popped[i] + MemoryLatency);
  BOOST_TEST(b.straight.counters().accesses == 8);
  BOOST_TEST(b.straight.counters().misses == 1);
}

BOOST_AUTO_TEST_CASE(a_loop_that_fits_misses_once_a_line) {
  const Benches& b = benches();
  BOOST_TEST(b.fitting.in_order);
  BOOST_TEST(b.fitting.popped.size() == 640);
  BOOST_TEST(b.fits.counters().accesses == 320);  // a line that was waited for needs no second look
  BOOST_TEST(b.fits.counters().misses == 4);
  BOOST_TEST(b.fits.counters().fills == 4);
}

/// Least recently used: each line goes just before it is needed again.
BOOST_AUTO_TEST_CASE(a_loop_of_one_line_more_than_the_cache_misses_every_line) {
  const Benches& b = benches();
  BOOST_TEST(b.thrashing.in_order);
  BOOST_TEST(b.thrashing.popped.size() == 800);
  BOOST_TEST(b.too_large.counters().misses == 50);
  BOOST_TEST(b.too_large.counters().fills == 50);
}

BOOST_AUTO_TEST_CASE(a_fetch_does_not_cross_a_line) {
  const Benches& b = benches();
  BOOST_TEST_REQUIRE(b.crossing.pushed.size() == 2);
  BOOST_TEST(b.crossing.pushed[0].pc == 15);
  BOOST_TEST(b.crossing.pushed[0].count == 1);
  BOOST_TEST(b.crossing.pushed[1].pc == 16);
  BOOST_TEST(b.crossing.pushed[1].count == 2);
  BOOST_TEST(b.crossing.counters().misses == 2);
}

/// The other slot pops two words in a fetch's time all along.
BOOST_AUTO_TEST_CASE(other_slots_go_on_while_one_waits) {
  const Benches& b = benches();
  unsigned meanwhile = 0;
  for (const std::uint64_t cycle : b.resident.popped) meanwhile += cycle > 210 && cycle <= 210 + 80;
  BOOST_TEST(meanwhile == 80 / (FetchLatency + Width) * Width);
  BOOST_TEST(b.absent.popped.front() >= 200 + MemoryLatency + FetchLatency + 1);
  BOOST_TEST(b.absent.popped.front() <= 200 + MemoryLatency + FetchLatency + 3);  // the other slot's turns
}

/// The second finds the only MSHR taken; when the first line comes it is the first slot's turn, then its own.
BOOST_AUTO_TEST_CASE(who_finds_no_mshr_asks_again_when_a_line_has_come) {
  const Benches& b = benches();
  BOOST_TEST(b.first.popped.front() == 1 + MemoryLatency + FetchLatency + 1);
  BOOST_TEST(b.second.popped.front() == 1 + MemoryLatency + 1 + MemoryLatency + FetchLatency + 1);
  BOOST_TEST(b.full.counters().full == 1);
  BOOST_TEST(b.full.counters().misses == 2);
}

/// The line that it no longer waits for comes all the same, and disturbs nothing.
BOOST_AUTO_TEST_CASE(who_jumps_waits_no_longer) {
  const Benches& b = benches();
  BOOST_TEST(b.before.popped.back() < 200);
  BOOST_TEST_REQUIRE(b.jumps.popped.size() == 16);
  BOOST_TEST(b.jumps.popped.front() == 220 + FetchLatency + 1);
  BOOST_TEST(b.jumps.popped.back() < 200 + MemoryLatency);
  BOOST_TEST(b.jumps.in_order);
  BOOST_TEST(b.gone.counters().fills == 2);
}

BOOST_AUTO_TEST_CASE(schedulers_share_the_cache) {
  const Benches& b = benches();
  BOOST_TEST(b.mine.popped == b.line.popped);
  BOOST_TEST(b.yours.popped == b.line.popped);
  BOOST_TEST(b.shared.counters().misses == 2);
  BOOST_TEST(b.shared.counters().fills == 1);
  BOOST_TEST(b.shared.memory.counters().reads == 1);
}

BOOST_AUTO_TEST_CASE(fetch_is_idle_while_all_it_can_do_is_wait) {
  const Benches& b = benches();
  for (std::uint64_t cycle = 1; cycle < MemoryLatency; ++cycle) BOOST_TEST(b.straight.first_idle.at(cycle));
  BOOST_TEST(!b.straight.first_idle.at(1 + MemoryLatency));
}

BOOST_AUTO_TEST_CASE(an_ideal_memory_makes_a_miss_cost_a_hit) {
  const Benches& b = benches();
  BOOST_TEST(b.miss.popped == b.hit.popped);
  BOOST_TEST(b.ideal_memory.counters().misses == 50);
}

BOOST_AUTO_TEST_CASE(random_jumps_miss_as_a_list_of_lines_says) {
  const Benches& b = benches();
  BOOST_TEST(b.random_one.counters().misses == misses_by_hand(b.random_one.setup, b.random_runs));
  BOOST_TEST(b.random_one.counters().misses > 20);
}

/// 24 warps on two lines of cache and two MSHRs: every word of every warp comes, in order, and every line that was
/// asked for came.
BOOST_AUTO_TEST_CASE(many_warps_starve_nobody) {
  const Benches& b = benches();
  for (const Script* script : b.many) {
    std::size_t words = 0;
    for (const Run& run : script->runs) words += run.count;
    BOOST_TEST(script->in_order);
    BOOST_TEST(script->popped.size() == words);
  }
  BOOST_TEST(b.random_many.counters().full > 0);
  BOOST_TEST(b.random_many.counters().misses > b.random_many.counters().fills);
  for (const auto& bench : b.all) {
    if (!bench->cache) continue;
    BOOST_TEST(bench->cache->idle(), bench->name());
    BOOST_TEST(bench->cache->pool().in_use() == 0);
    BOOST_TEST(bench->cache->arrivals() == bench->counters().fills);
  }
}
