// SPDX-License-Identifier: Apache-2.0
// The load/store unit in front of an L1 and DRAM, driven at each clock edge as the SM does. All benches run in one
// simulation; the cases look at what was noted.
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "sim/sm/memory/load_store_unit.h"
#include "sim/sm/memory/shared_memory_timing.h"
#include "tests/tlm/fixed_memory.h"

int sc_main(int, char**) {
  return 0;
}  // libsystemc asks for it; Boost.Test owns main

namespace {

using heddle::AtomicOp;
using heddle::WarpAccess;

const sc_core::sc_time period(1, sc_core::SC_NS);
constexpr unsigned warps = 4;
constexpr std::size_t shared_bytes = 4096;

std::uint64_t seed() {
  const char* text = std::getenv("HEDDLE_SEED");
  return text == nullptr ? 20240611 : std::strtoull(text, nullptr, 0);
}

struct Played {
  WarpAccess access;
  std::uint64_t cycle = 0;  // not accepted before
  std::uint64_t accepted = 0;
  std::uint64_t completed = 0;
  unsigned completions = 0;
  unsigned unordered_after = 0;  // of its lowest lane's row, after the step of its cycle
  bool counted_by_rows = false;  // accepting it counted one access more for each row of its lanes, and for no other
  std::uint64_t requests_before = 0;
  heddle::Completed result;
};

// An early request.
struct Early {
  std::uint64_t line = 0;
  std::uint64_t cycle = 0;  // not handed over before
  std::uint64_t handed_over = 0;
  std::uint64_t answered = 0;
  unsigned answers = 0;
};

// Plays accesses in order, one a cycle at most: completions, accept, step, completions of stores. Beside them early
// requests in order.
class toy_sm : public sc_core::sc_module {
 public:
  heddle::load_store_unit unit;
  std::vector<Played> played;
  std::vector<Early> early;

  SC_HAS_PROCESS(toy_sm);
  toy_sm(const sc_core::sc_module_name& name, const heddle::LoadStoreParameters& parameters)
      : sc_module(name), unit("unit", parameters, period), cycles_(period) {
    SC_METHOD(edge);
  }

 private:
  std::array<unsigned, warps> unordered() const {
    std::array<unsigned, warps> all;
    for (unsigned row = 0; row < warps; ++row) all[row] = unit.unordered(heddle::SmWarp(row));
    return all;
  }
  static bool has_row(const WarpAccess& access, unsigned row) {
    for (unsigned lane = 0; lane < 32; ++lane)
      if ((access.lanes >> lane & 1) != 0 && access.threads[lane].row.index() == row) return true;
    return false;
  }

  void edge() {
    if (waiting_for_reply_) {  // half a period before an edge: on to it
      waiting_for_reply_ = false;
      next_trigger(period / 2);
      return;
    }
    collect();
    Played* accepted = nullptr;
    if (next_ < played.size() && unit.can_accept() && cycles_.now() >= played[next_].cycle) {
      accepted = &played[next_];
      accepted->access.token = static_cast<unsigned>(next_++);
      accepted->accepted = cycles_.now();
      accepted->requests_before = unit.counters().line_requests;
      std::array<unsigned, warps> expected = unordered();
      for (unsigned row = 0; row < warps; ++row) expected[row] += has_row(accepted->access, row);
      unit.accept(accepted->access);
      accepted->counted_by_rows = unordered() == expected;
    }
    if (next_early_ < early.size() && unit.early_ready() && cycles_.now() >= early[next_early_].cycle) {
      Early& one = early[next_early_];
      one.handed_over = cycles_.now();
      unit.request_early(one.line, token_of(next_early_++));
    }
    unit.step();
    if (accepted != nullptr) {
      const auto lowest = static_cast<unsigned>(__builtin_ctz(accepted->access.lanes));
      accepted->unordered_after = unit.unordered(accepted->access.threads[lowest].row);
    }
    collect();
    // The closed clock gate: nothing to do here until a reply, which comes half a period before an edge.
    const bool is_over = next_ == played.size() && next_early_ == early.size();
    if (is_over && unit.drained()) return;
    if (is_over && unit.idle()) {
      waiting_for_reply_ = true;
      next_trigger(unit.reply_event());
    } else {
      next_trigger(period);
    }
  }
  void collect() {
    heddle::Completed done;
    while (unit.next_completed(done)) {
      Played& one = played[done.token];
      one.completed = cycles_.now();
      one.result = done;
      ++one.completions;
    }
    unsigned token = 0;
    while (unit.next_early(token)) {
      Early& one = early.at(token - token_of(0));
      one.answered = cycles_.now();
      ++one.answers;
    }
  }
  // Unlike those of accesses, and not the slots of the unit either.
  static unsigned token_of(std::size_t i) { return 1u << 30 | static_cast<unsigned>(i); }

  const heddle::Cycles cycles_;
  std::size_t next_ = 0, next_early_ = 0;
  bool waiting_for_reply_ = false;
};

struct Bench {
  heddle::BackingStore store;
  std::uint64_t base;
  std::vector<std::uint8_t> shared = std::vector<std::uint8_t>(shared_bytes);
  std::unique_ptr<heddle::memory_subsystem> memory;
  std::unique_ptr<toy_sm> sm;

  Bench(const std::string& name, const heddle_test::FixedMemory& m, const heddle::LoadStoreParameters& l,
        std::size_t bytes = 8192)
      : base(store.allocate(bytes)) {
    for (std::size_t i = 0; i < bytes; ++i) *store.at(base + i) = static_cast<std::uint8_t>(i * 11 + i / 128);
    memory = m.make(name + "_memory", period, store);
    sm = std::make_unique<toy_sm>((name + "_sm").c_str(), l);
    sm->unit.socket.bind(memory->socket(0));
    if (l.has_constants) sm->unit.constant_socket.bind(memory->constant_socket(0));
  }

  // Lane i accesses first + address(i).
  void play(std::uint64_t cycle, WarpAccess::Kind kind, WarpAccess::Space space, unsigned bytes,
            const std::function<std::uint64_t(unsigned)>& address, std::uint32_t lanes = ~0u) {
    Played one;
    one.cycle = cycle;
    one.access.kind = kind;
    one.access.space = space;
    one.access.bytes = static_cast<std::uint8_t>(bytes);
    one.access.has_result = kind != WarpAccess::Kind::Store;
    one.access.lanes = lanes;
    one.access.shared = shared.data();
    if (kind == WarpAccess::Kind::Atomic) one.access.atomic = AtomicOp::Add;
    for (unsigned lane = 0; lane < 32; ++lane) {
      one.access.address[lane] = address(lane) + (space == WarpAccess::Space::Shared ? 0 : base);
      one.access.data[lane] = lane + 1;
      one.access.compare[lane] = 0;
    }
    sm->played.push_back(one);
  }
  void ask_early(std::uint64_t cycle, unsigned line) {
    Early one;
    one.cycle = cycle;
    one.line = base + std::uint64_t{line} * 128;
    sm->early.push_back(one);
  }
  std::uint64_t requests_of(std::size_t i) const {
    const std::uint64_t after =
        i + 1 < sm->played.size() ? sm->played[i + 1].requests_before : sm->unit.counters().line_requests;
    return after - sm->played[i].requests_before;
  }
  const Played& of(std::size_t i) const { return sm->played[i]; }
};

// Random accesses to few bytes, against arrays: what each lane should see in program order.
struct RandomBench : Bench {
  std::vector<std::array<std::uint64_t, 32>> expected;
  std::vector<std::uint8_t> global_model, shared_model;

  RandomBench(const std::string& name, const heddle_test::FixedMemory& m, const heddle::LoadStoreParameters& l,
              unsigned count)
      : Bench(name, m, l), global_model(store.at(base), store.at(base) + 8192), shared_model(shared) {
    std::mt19937_64 random(seed() ^ std::hash<std::string>()(name));
    std::uint64_t cycle = 0;
    for (unsigned i = 0; i < count; ++i) {
      if (random() % 32 == 0) cycle += random() % 400;
      Played one;
      one.cycle = cycle;
      WarpAccess& access = one.access;
      access.threads = heddle::Threads(heddle::SmWarp(static_cast<unsigned>(random() % warps)));
      if (random() % 3 == 0) {  // threads of several rows, as dynamic warp formation brings together
        for (unsigned lane = 0; lane < 32; ++lane)
          access.threads.set(lane, {heddle::SmWarp(static_cast<unsigned>(random() % warps)), lane});
      }
      access.k = random() % 2;
      access.space = random() % 4 == 0 ? WarpAccess::Space::Shared : WarpAccess::Space::Global;
      access.shared = shared.data();
      access.bytes = static_cast<std::uint8_t>(1u << random() % 4);
      access.sign_extend = random() % 2 != 0;
      const unsigned kind = static_cast<unsigned>(random() % 8);
      access.kind = kind == 0 ? WarpAccess::Kind::Atomic : kind < 4 ? WarpAccess::Kind::Store : WarpAccess::Kind::Load;
      if (access.kind == WarpAccess::Kind::Atomic) {
        access.bytes = random() % 2 == 0 ? 4 : 8;
        access.atomic = random() % 2 == 0 ? AtomicOp::Add : AtomicOp::CompareExchange;
      }
      access.has_result = access.kind == WarpAccess::Kind::Load || (kind == 0 && random() % 2 == 0);
      access.lanes = static_cast<std::uint32_t>(random() | 1u << random() % 32);
      const std::uint64_t start = random() % 2048;
      const std::uint64_t stride = random() % 12 * (random() % 8 == 0 ? 16 : 1);
      for (unsigned lane = 0; lane < 32; ++lane) {
        const std::uint64_t limit = access.space == WarpAccess::Space::Global ? 8192 : shared_bytes;
        const std::uint64_t offset = (start + lane * stride) % limit / access.bytes * access.bytes;
        access.address[lane] = offset + (access.space == WarpAccess::Space::Global ? base : 0);
        access.data[lane] = random() % 4 == 0 ? random() % 3 : random();
        access.compare[lane] = random() % 3;
      }
      expected.push_back(execute(access));
      sm->played.push_back(one);
    }
  }

  // Early requests for any of the lines, beside the accesses.
  void ask_early_at_random(unsigned line_bytes, unsigned count) {
    std::mt19937_64 random(seed());
    std::uint64_t cycle = 0;
    for (unsigned i = 0; i < count; ++i) {
      if (random() % 8 == 0) cycle += random() % 200;
      Early one;
      one.cycle = cycle;
      one.line = base + random() % (8192 / line_bytes) * line_bytes;
      sm->early.push_back(one);
    }
  }

  std::array<std::uint64_t, 32> execute(const WarpAccess& access) {
    std::array<std::uint64_t, 32> value{};
    const bool global = access.space == WarpAccess::Space::Global;
    const std::uint64_t mask = access.bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * access.bytes) - 1;
    for (unsigned lane = 0; lane < 32; ++lane) {
      if ((access.lanes >> lane & 1) == 0) continue;
      std::uint8_t* at = global ? &global_model[access.address[lane] - base] : &shared_model[access.address[lane]];
      std::uint64_t old = 0;
      for (unsigned b = 0; b < access.bytes; ++b) old |= std::uint64_t{at[b]} << 8 * b;
      std::uint64_t now = old;
      if (access.kind == WarpAccess::Kind::Store) now = access.data[lane];
      if (access.atomic == AtomicOp::Add) now = old + access.data[lane];
      if (access.atomic == AtomicOp::CompareExchange && old == (access.compare[lane] & mask)) now = access.data[lane];
      for (unsigned b = 0; b < access.bytes; ++b) at[b] = static_cast<std::uint8_t>(now >> 8 * b);
      const bool negative = access.sign_extend && (old >> (8 * access.bytes - 1) & 1) != 0;
      value[lane] = negative ? old | ~mask : old;
    }
    return value;
  }

  void check() {
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < sm->played.size(); ++i) {
      const Played& one = sm->played[i];
      bool good = one.completions == 1 && one.counted_by_rows && one.result.k == one.access.k &&
                  one.result.lanes == one.access.lanes && one.result.has_result == one.access.has_result;
      for (unsigned lane = 0; good && one.access.has_result && lane < 32; ++lane) {
        if ((one.access.lanes >> lane & 1) != 0) good = one.result.value[lane] == expected[i][lane];
      }
      if (!good && wrong++ == 0) BOOST_ERROR("access " << i << " completed " << one.completions << " times");
    }
    BOOST_TEST(wrong == 0u);
    for (std::size_t i = 0; i < sm->early.size(); ++i)
      BOOST_TEST(sm->early[i].answers == 1u,
                 "early request " << i << " was answered " << sm->early[i].answers << " times");
    BOOST_TEST(sm->unit.counters().early_requests == sm->early.size());
    BOOST_TEST(memory->l1(0).counters().accesses == sm->unit.counters().line_requests + sm->early.size());
    std::uint64_t requests = 0;
    for (const Played& one : sm->played) requests += one.result.line_requests;
    BOOST_TEST(requests == sm->unit.counters().line_requests);
    BOOST_TEST(std::memcmp(global_model.data(), store.at(base), global_model.size()) == 0);
    BOOST_TEST((shared_model == shared));
    BOOST_TEST(sm->unit.drained());
    BOOST_TEST(memory->idle());
    BOOST_TEST(sm->unit.pool().in_use() == 0u);
    for (unsigned warp = 0; warp < warps; ++warp) {
      BOOST_TEST(sm->unit.unordered(heddle::SmWarp(warp)) == 0u);
      BOOST_TEST(sm->unit.outstanding_stores(heddle::SmWarp(warp)) == 0u);
    }
  }
};

struct Benches {
  std::vector<std::unique_ptr<RandomBench>> random;
  std::unique_ptr<Bench> lines, banks, timing, constants, turns, early_held;
  std::vector<std::unique_ptr<Bench>> short_lines;  // of 64 and 32 bytes

  Benches() {
    std::printf("seed %llu (HEDDLE_SEED)\n", static_cast<unsigned long long>(seed()));
    heddle::LoadStoreParameters l;
    l.warps = warps;
    heddle_test::FixedMemory m;
    m.l1.hit_latency = 5;
    m.dram.latency = 100;
    random.push_back(std::make_unique<RandomBench>("default", m, l, 3000));
    heddle_test::FixedMemory tight = m;
    tight.l1.bytes = 1024;
    tight.l1.ways = 2;
    tight.l1.mshrs = 2;
    tight.l1.targets_per_mshr = 2;
    tight.l1.memory_queue = 1;
    tight.dram.bytes_per_cycle = 32;
    tight.dram.queue_depth = 1;
    heddle::LoadStoreParameters one = l;
    one.queue_depth = one.slots = one.shared_latency = 1;
    random.push_back(std::make_unique<RandomBench>("tight", tight, l, 3000));
    random.push_back(std::make_unique<RandomBench>("depth_one", tight, one, 1000));
    tight.dram.ideal = true;
    random.push_back(std::make_unique<RandomBench>("ideal", tight, l, 3000));

    random.push_back(std::make_unique<RandomBench>("early", m, l, 3000));
    random.back()->ask_early_at_random(m.l1.line_bytes, 3000);
    random.push_back(std::make_unique<RandomBench>("early_ideal", tight, l, 3000));
    random.back()->ask_early_at_random(tight.l1.line_bytes, 3000);
    tight.dram.ideal = false;
    random.push_back(std::make_unique<RandomBench>("early_tight", tight, l, 3000));
    random.back()->ask_early_at_random(tight.l1.line_bytes, 6000);
    random.push_back(std::make_unique<RandomBench>("early_depth_one", tight, one, 1000));
    random.back()->ask_early_at_random(tight.l1.line_bytes, 3000);

    for (const unsigned line_bytes : {64U, 32U}) {
      heddle_test::FixedMemory memory = m;
      memory.l1.line_bytes = line_bytes;
      memory.l1.bytes = 16 * line_bytes;
      heddle::LoadStoreParameters unit = l;
      unit.line_bytes = line_bytes;
      const std::string name = "lines_of_" + std::to_string(line_bytes);
      random.push_back(std::make_unique<RandomBench>(name, memory, unit, 1500));
      short_lines.push_back(std::make_unique<Bench>(name + "_each", memory, unit));
    }

    using Kind = WarpAccess::Kind;
    using Space = WarpAccess::Space;
    l.shared_latency = 7;
    lines = std::make_unique<Bench>("lines", m, l);
    const auto load = [&](unsigned bytes, auto address, std::uint32_t mask = ~0u) {
      for (Bench* bench : {lines.get(), short_lines[0].get(), short_lines[1].get()})
        bench->play(1000 * (bench->sm->played.size() + 1), Kind::Load, Space::Global, bytes, address, mask);
    };
    load(4, [](unsigned i) { return i * 4; });
    load(4, [](unsigned i) { return i * 8; });
    load(4, [](unsigned i) { return i * 128; });
    load(4, [](unsigned) { return 64; });
    load(8, [](unsigned i) { return i * 8; });
    load(1, [](unsigned i) { return i; });
    load(2, [](unsigned i) { return 96 + i * 2; });  // misaligned to the line: two
    load(4, [](unsigned i) { return (31 - i) * 8; });
    load(
        4, [](unsigned i) { return i * 128; }, 0x80000001u);

    banks = std::make_unique<Bench>("banks", m, l);
    const auto pass = [&](Kind kind, unsigned bytes, auto address) {
      banks->play(1000 * (banks->sm->played.size() + 1), kind, Space::Shared, bytes, address);
    };
    pass(Kind::Load, 4, [](unsigned i) { return i * 4; });           // 1
    pass(Kind::Load, 4, [](unsigned i) { return i * 8; });           // 2
    pass(Kind::Load, 4, [](unsigned i) { return i * 128 % 4096; });  // 32
    pass(Kind::Load, 4, [](unsigned) { return 12; });                // 1: one word for all
    pass(Kind::Load, 1, [](unsigned i) { return i; });               // 1: four lanes a word
    pass(Kind::Load, 8, [](unsigned i) { return i * 8; });           // 2
    pass(Kind::Store, 4, [](unsigned) { return 16; });               // 1: the highest lane wins
    pass(Kind::Atomic, 4, [](unsigned) { return 20; });              // 32: each lane its own

    timing = std::make_unique<Bench>("timing", m, l);
    timing->play(10, Kind::Load, Space::Global, 4, [](unsigned i) { return i * 4; });     // miss
    timing->play(200, Kind::Load, Space::Global, 4, [](unsigned i) { return i * 4; });    // hit
    timing->play(300, Kind::Load, Space::Global, 4, [](unsigned i) { return i * 128; });  // 32 lines, 1 present
    timing->play(600, Kind::Load, Space::Global, 4, [](unsigned i) { return i * 128; });  // 32 hits
    timing->play(700, Kind::Store, Space::Global, 4, [](unsigned i) { return i * 8; });   // two requests
    timing->play(900, Kind::Store, Space::Global, 4, [](unsigned) { return 4096; });      // the highest lane wins
    timing->play(901, Kind::Load, Space::Global, 4, [](unsigned) { return 4096; });
    timing->play(1200, Kind::Atomic, Space::Global, 4, [](unsigned) { return 4096; });  // lanes in order

    turns = std::make_unique<Bench>("turns", m, l);
    for (const unsigned cycle : {10u, 1000u})
      turns->play(cycle, Kind::Load, Space::Global, 4, [](unsigned i) { return i * 128; });
    for (unsigned i = 0; i < 8; ++i) turns->ask_early(500, 32 + i);   // alone: one a cycle, all miss
    for (unsigned i = 0; i < 8; ++i) turns->ask_early(1000, 32 + i);  // beside the second load: all hit
    turns->play(2000, Kind::Load, Space::Shared, 4, [](unsigned i) { return i % 4 * 128; });  // 4 passes
    for (unsigned i = 0; i < 2; ++i) turns->ask_early(2000, 32 + i);
    turns->ask_early(2900, 32);
    turns->play(3000, Kind::Load, Space::Global, 4, [](unsigned) { return 0; });  // first, as an early one went last
    turns->ask_early(3000, 33);  // waits a cycle, in which there is nothing else to do

    heddle_test::FixedMemory one_mshr = m;
    one_mshr.l1.mshrs = 1;
    early_held = std::make_unique<Bench>("early_held", one_mshr, l);
    early_held->play(10, Kind::Load, Space::Global, 4, [](unsigned i) { return i / 16 * 128; });  // two lines
    early_held->ask_early(11, 8);                                                                 // between them
    early_held->ask_early(12, 9);
    early_held->play(13, Kind::Store, Space::Global, 4, [](unsigned) { return 4096; });

    m.beside.constants = m.l1;
    m.beside.constants.bytes = 512;
    m.beside.constants.hit_latency = 6;
    l.has_constants = true;
    constants = std::make_unique<Bench>("constants", m, l);
    const auto read = [&](std::uint64_t cycle, auto address) {
      constants->play(cycle, Kind::Load, Space::Constant, 4, address);
    };
    read(10, [](unsigned) { return 8; });                // a miss, all lanes at once
    read(200, [](unsigned) { return 12; });              // a hit
    read(300, [](unsigned i) { return i % 4 * 16; });    // four addresses in one line
    read(400, [](unsigned i) { return 128 + i * 4; });   // a miss, 32 addresses
    read(1000, [](unsigned i) { return 128 + i * 4; });  // 32 hits

    sc_core::sc_start(2, sc_core::SC_MS);
  }
};

Benches& benches() {
  static Benches all;
  return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(random_accesses_follow_program_order) {
  for (const auto& bench : benches().random) {
    BOOST_TEST_CONTEXT(bench->sm->name()) {
      bench->check();
    }
  }
}

BOOST_AUTO_TEST_CASE(random_accesses_reach_every_corner) {
  const heddle::LoadStoreCounters& c = benches().random[1]->sm->unit.counters();
  const heddle::L1Counters& l1 = benches().random[1]->memory->l1(0).counters();
  const std::pair<const char*, std::uint64_t> covers[] = {{"loads", c.global_loads},
                                                          {"stores", c.global_stores},
                                                          {"atomics", c.global_atomics},
                                                          {"shared", c.shared_accesses},
                                                          {"conflicts", c.shared_conflicts},
                                                          {"held cycles", c.held_cycles},
                                                          {"hits", l1.hits},
                                                          {"misses", l1.misses},
                                                          {"merges", l1.merges},
                                                          {"closed fills", l1.closed_fills},
                                                          {"no MSHR", l1.stalls_mshr},
                                                          {"no target", l1.stalls_targets},
                                                          {"queue full", l1.stalls_queue}};
  for (const auto& [name, count] : covers) {
    std::printf("cover %-16s %llu\n", name, static_cast<unsigned long long>(count));
    BOOST_TEST(count > 0u, "cover never reached: " << name);
  }
  BOOST_TEST(l1.accesses == c.line_requests);
  BOOST_TEST(c.shared_passes >= c.shared_accesses);
}

BOOST_AUTO_TEST_CASE(early_requests_and_accesses_take_turns) {
  const Bench& bench = *benches().turns;
  const std::vector<Early>& early = bench.sm->early;
  for (unsigned i = 0; i < 8; ++i) {
    BOOST_TEST(early[i].handed_over == 500 + i);
    BOOST_TEST(early[i].answered == early[i].handed_over + 100);
  }
  // An early one went last: the access goes first. The next is handed over in the cycle after the last one's turn.
  for (unsigned i = 8; i < 16; ++i) {
    const std::uint64_t sent = 1001 + 2 * (i - 8);
    BOOST_TEST(early[i].handed_over == sent - 1);
    BOOST_TEST(early[i].answered == sent + 5);
  }
  BOOST_TEST(bench.of(1).completed - bench.of(1).accepted == 5u + 31 + 8);
  BOOST_TEST(early[17].answered == 2000u + 2 + 5);
  BOOST_TEST(bench.of(2).completed - bench.of(2).accepted == 7u + 3 + 2);
  BOOST_TEST(bench.of(3).completed == 3000u + 5);
  BOOST_TEST(early[19].answered == 3001u + 5);
  for (const std::size_t i : {0u, 1u}) {
    BOOST_TEST(bench.of(i).result.line_requests == 32u);
    BOOST_TEST(bench.of(i).completions == 1u);
  }
  for (const Early& one : early) BOOST_TEST(one.answers == 1u);
  BOOST_TEST(bench.sm->unit.counters().early_requests == 20u);
  BOOST_TEST(bench.sm->unit.counters().line_requests == 65u);
  BOOST_TEST(bench.sm->unit.pool().in_use() == 0u);
}

/// The L1 has one MSHR: it holds back the early request that goes between the two parts of a load.
BOOST_AUTO_TEST_CASE(an_early_request_is_held_back_within_an_access) {
  const Bench& bench = *benches().early_held;
  const std::vector<Early>& early = bench.sm->early;
  for (const Early& one : early) BOOST_TEST(one.answers == 1u);
  const std::uint64_t load = bench.of(0).completed;
  BOOST_TEST(early[0].answered > 200u);  // behind the first line
  BOOST_TEST(load > early[0].answered + 99);
  BOOST_TEST(early[1].answered > load + 99);
  BOOST_TEST(bench.of(0).completions == 1u);
  BOOST_TEST(bench.of(1).completions == 1u);
  for (unsigned lane = 0; lane < 32; ++lane) {
    std::uint32_t word;
    std::memcpy(&word, bench.store.at(bench.base + lane / 16 * 128), 4);
    BOOST_TEST(bench.of(0).result.value[lane] == word);
  }
  BOOST_TEST(bench.sm->unit.counters().held_cycles > 250u);
  BOOST_TEST(bench.sm->unit.drained());
}

BOOST_AUTO_TEST_CASE(one_request_for_each_line) {
  const std::uint64_t expected[] = {1, 2, 32, 1, 2, 1, 2, 2, 2};
  const std::uint64_t of_64[] = {2, 4, 32, 1, 4, 1, 2, 4, 2};
  const std::uint64_t of_32[] = {4, 8, 32, 1, 8, 1, 2, 8, 2};
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    BOOST_TEST(benches().lines->requests_of(i) == expected[i], "access " << i);
    BOOST_TEST(benches().short_lines[0]->requests_of(i) == of_64[i], "access " << i << ", lines of 64 bytes");
    BOOST_TEST(benches().short_lines[1]->requests_of(i) == of_32[i], "access " << i << ", lines of 32 bytes");
  }
}

BOOST_AUTO_TEST_CASE(bank_conflicts_take_passes) {
  const std::uint64_t passes[] = {1, 2, 32, 1, 1, 2, 1, 32};
  const Bench& bench = *benches().banks;
  for (std::size_t i = 0; i < std::size(passes); ++i) {
    const bool store = bench.of(i).access.kind == WarpAccess::Kind::Store;
    const std::uint64_t latency = bench.of(i).completed - bench.of(i).accepted;
    BOOST_TEST(latency == passes[i] - 1 + (store ? 0 : 7), "access " << i << " took " << latency);
  }
  BOOST_TEST(bench.shared[16] == 32);
  // 1 + 2 + .. + 32, and each lane saw the sum before it.
  BOOST_TEST(bench.shared[20] + 256 * bench.shared[21] == 528);
  for (unsigned lane = 0; lane < 32; ++lane) BOOST_TEST(bench.of(7).result.value[lane] == lane * (lane + 1) / 2);
}

/// Unlike lines, lanes share a request when they read one address.
BOOST_AUTO_TEST_CASE(constants_take_a_pass_an_address) {
  const Bench& bench = *benches().constants;
  const auto latency = [&](std::size_t i) { return bench.of(i).completed - bench.of(i).accepted; };
  BOOST_TEST(latency(0) == 100u);
  BOOST_TEST(latency(1) == 6u);
  BOOST_TEST(latency(2) == 6u + 3);
  BOOST_TEST(latency(3) > 100u);
  BOOST_TEST(latency(4) == 6u + 31);
  for (std::size_t i = 0; i < 5; ++i) {
    const Played& one = bench.of(i);
    for (unsigned lane = 0; lane < 32; ++lane) {
      std::uint32_t word;
      std::memcpy(&word, bench.store.at(one.access.address[lane]), 4);
      BOOST_TEST(one.result.value[lane] == word);
    }
  }
  BOOST_TEST(bench.sm->unit.counters().constant_loads == 5u);
  BOOST_TEST(bench.sm->unit.counters().constant_passes == 1u + 1 + 4 + 32 + 32);
  BOOST_TEST(bench.memory->constants(0).counters().misses == 2u);
  BOOST_TEST(bench.memory->l1(0).counters().accesses == 0u);
  BOOST_TEST(bench.sm->unit.counters().line_requests == 0u);
}

BOOST_AUTO_TEST_CASE(latencies_and_order) {
  const Bench& bench = *benches().timing;
  const auto latency = [&](std::size_t i) { return bench.of(i).completed - bench.of(i).accepted; };
  BOOST_TEST(latency(0) == 100u);
  BOOST_TEST(latency(1) == 5u);
  BOOST_TEST(latency(2) == 100u + 31);
  BOOST_TEST(latency(3) == 5u + 31);  // one line a cycle
  BOOST_TEST(latency(4) == 1u);       // ordered with its second request
  BOOST_TEST(bench.of(4).unordered_after == 1u);
  BOOST_TEST(bench.of(5).unordered_after == 0u);
  BOOST_TEST(bench.of(6).result.value[0] == 32u);
  for (unsigned lane = 0; lane < 32; ++lane) {
    BOOST_TEST(bench.of(7).result.value[lane] == 32 + lane * (lane + 1) / 2);
  }
}
