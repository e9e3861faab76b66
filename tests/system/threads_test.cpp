// SPDX-License-Identifier: Apache-2.0
// Threads travel, not warps (DESIGN 5): registers, predicates, special registers and local memory of an instruction
// whose lanes carry threads of several rows and homes are those of the threads, one by one. The references are read
// thread by thread, from rows that were written as whole warps.
#include <systemc>

#include <boost/test/unit_test.hpp>
#include <random>
#include <set>

#include "sim/sm/lanes/operands.h"
#include "sim/sm/threads/local_memory.h"

using namespace heddle;
using isa::Lanes;
using isa::LaneValues;
using isa::MaxLanes;
using isa::Source;

int sc_main(int, char**) {
  return 0;  // libsystemc's own main() is not used
}

namespace {

constexpr unsigned Rows = 5;

isa::Program program_with(unsigned registers) {
  isa::Program program;
  program.registers = registers;
  return program;
}

Source source_of(Source::Kind kind, unsigned index, bool wide = false, bool negated = false) {
  Source source;
  source.kind = kind;
  source.index = static_cast<decltype(source.index)>(index);
  source.wide = wide;
  source.negated = negated;
  return source;
}

Source register_source(unsigned index, bool wide) {
  return source_of(Source::Kind::Register, index, wide);
}

Source predicate_source(unsigned index, bool negated) {
  return source_of(Source::Kind::Predicate, index, false, negated);
}

Source special_source(isa::SpecialRegister which) {
  return source_of(Source::Kind::Special, static_cast<unsigned>(which));
}

/// Threads of any rows and homes, no thread twice.
Threads mixed(std::mt19937& random) {
  Threads threads(SmWarp(random() % Rows));
  std::set<std::pair<unsigned, unsigned>> taken;
  for (unsigned lane = 0; lane < MaxLanes; ++lane) {
    std::pair<unsigned, unsigned> one;
    do one = {random() % Rows, random() % MaxLanes};
    while (!taken.insert(one).second);
    threads.set(lane, {SmWarp(one.first), one.second});
  }
  return threads;
}

struct Fixture {
  Fixture() : launch(make_launch(program)), table(Rows, MaxLanes, {0, 1}), operands(registers, table) {
    table.load(launch);
    for (unsigned row = 0; row < Rows; ++row) {
      registers.start(SmWarp(row), program);
      table[SmWarp(row)] = {true, 0, {row / 2, 0, 0}, CtaWarp(row % 2)};
    }
    for (unsigned row = 0; row < Rows; ++row) {
      for (unsigned reg = 0; reg < 4; ++reg) write_row(row, {static_cast<std::uint16_t>(reg), false});
      write_row(row, {static_cast<std::uint16_t>(isa::FirstPredicate), false});
    }
  }

  static isa::Launch make_launch(const isa::Program& of) {
    isa::Launch one;
    one.program = &of;
    one.grid = {3, 1, 1};
    one.block = {16, 4, 1};
    return one;
  }

  void write_row(unsigned row, isa::RegisterName name) {
    LaneValues values;
    for (std::uint64_t& value : values) value = random() & 0xffffffffU;
    registers.write(name, Threads(SmWarp(row)), ~Lanes(0), values);
  }

  /// The value of one thread, read with all of its row.
  std::uint64_t of_thread(const Source& source, ThreadSlot thread) const {
    LaneValues values{};
    operands.read(source, Threads(thread.row), 7, values);
    return values[thread.home];
  }

  std::mt19937 random{1};
  isa::Program program = program_with(8);
  isa::Launch launch;
  ThreadTable table;
  RegisterFile registers{Rows};
  OperandCollector operands;
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(each_lane_reads_the_thread_that_it_carries, Fixture) {
  const Source sources[] = {register_source(0, false),
                            register_source(2, true),
                            predicate_source(0, false),
                            predicate_source(0, true),
                            special_source(isa::SpecialRegister::TidX),
                            special_source(isa::SpecialRegister::TidY),
                            special_source(isa::SpecialRegister::CtaidX),
                            special_source(isa::SpecialRegister::Laneid)};
  for (unsigned round = 0; round < 50; ++round) {
    const Threads threads = mixed(random);
    for (const Source& source : sources) {
      LaneValues values{};
      operands.read(source, threads, 7, values);
      for (unsigned lane = 0; lane < MaxLanes; ++lane)
        BOOST_REQUIRE_EQUAL(values[lane], of_thread(source, threads[lane]));
    }
    const Lanes guard = registers.guard(predicate_source(0, true), threads);
    for (unsigned lane = 0; lane < MaxLanes; ++lane)
      BOOST_REQUIRE_EQUAL(guard >> lane & 1, of_thread(predicate_source(0, true), threads[lane]));
  }
}

BOOST_FIXTURE_TEST_CASE(each_lane_writes_the_thread_that_it_carries_and_no_other, Fixture) {
  const isa::RegisterName names[] = {{1, false}, {2, true}, {static_cast<std::uint16_t>(isa::FirstPredicate), false}};
  const Source sources[] = {register_source(1, false), register_source(2, true), predicate_source(0, false)};
  for (unsigned round = 0; round < 50; ++round) {
    const Threads threads = mixed(random);
    const Lanes lanes = random();
    for (unsigned n = 0; n < 3; ++n) {
      std::uint64_t expected[Rows][MaxLanes];
      for (unsigned row = 0; row < Rows; ++row)
        for (unsigned home = 0; home < MaxLanes; ++home)
          expected[row][home] = of_thread(sources[n], {SmWarp(row), home});
      LaneValues values;
      for (unsigned lane = 0; lane < MaxLanes; ++lane) {
        values[lane] = std::uint64_t(random()) << 32 | random();
        const std::uint64_t kept = n == 0 ? values[lane] & 0xffffffffU : n == 1 ? values[lane] : values[lane] & 1;
        if ((lanes >> lane & 1) != 0) expected[threads[lane].row.index()][threads[lane].home] = kept;
      }
      registers.write(names[n], threads, lanes, values);
      for (unsigned row = 0; row < Rows; ++row)
        for (unsigned home = 0; home < MaxLanes; ++home)
          BOOST_REQUIRE_EQUAL(of_thread(sources[n], {SmWarp(row), home}), expected[row][home]);
    }
  }
}

BOOST_FIXTURE_TEST_CASE(an_error_names_the_thread_of_the_lane, Fixture) {
  const isa::FaultSite site = table.site({SmWarp(3), 5}, 0);  // warp 1 of block 1: threads 32 on, 16 a row
  BOOST_TEST(site.block.x == 1u);
  BOOST_TEST(site.thread.x == 5u);
  BOOST_TEST(site.thread.y == 2u);
}

BOOST_FIXTURE_TEST_CASE(rows_are_visited_once_with_their_lanes, Fixture) {
  for (unsigned round = 0; round < 50; ++round) {
    const Threads threads = mixed(random);
    const Lanes lanes = random();
    Lanes seen = 0;
    std::set<unsigned> rows;
    for_each_row(threads, lanes, [&](SmWarp row, Lanes its) {
      BOOST_TEST(rows.insert(row.index()).second);
      BOOST_TEST((seen & its) == 0u);
      seen |= its;
      Lanes at_home = 0;
      isa::for_each_lane(its, [&](unsigned lane) {
        BOOST_TEST(threads[lane].row.index() == row.index());
        at_home |= Lanes(1) << threads[lane].home;
      });
      BOOST_TEST(homes(threads, its) == at_home);
    });
    BOOST_TEST(seen == lanes);
  }
}
