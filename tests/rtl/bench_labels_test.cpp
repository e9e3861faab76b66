// SPDX-License-Identifier: Apache-2.0
// What a bench prints of a difference says whose value is whose.
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>
#include <verilated.h>

#include "tb/bench/bench.h"

int sc_main(int, char**) {
  return 0;
}

namespace {

template <class Compare>
std::string printed(Compare&& compare) {
  heddle::bench::Checker check;
  check.block = "some_block";
  check.cycle = 7;
  const std::ostringstream text;
  std::streambuf* const before = std::cout.rdbuf(text.rdbuf());
  compare(check);
  std::cout.rdbuf(before);
  BOOST_TEST(check.comparisons() == 1U);
  return text.str();
}

const std::string TwinsFault = "  some_block, twin     4\n  some_block, SystemC  5\n";

}  // namespace

BOOST_AUTO_TEST_CASE(the_block_against_its_model) {
  BOOST_TEST(printed([](auto& check) { check.equal("left_o", 4, 5); }) ==
             "cycle 7: left_o\n  some_block, SystemC          4\n  expected (model or example)  5\n");
}

BOOST_AUTO_TEST_CASE(the_twin_against_the_block) {
  BOOST_TEST(printed([](auto& check) { check.equal("left_o of the twin", 4, 5); }) ==
             "cycle 7: left_o of the twin\n" + TwinsFault);
  BOOST_TEST(printed([](auto& check) { check.equal("left_o of the twin, against the block", 4, 5); }) ==
             "cycle 7: left_o of the twin, against the block\n" + TwinsFault);
  BOOST_TEST(printed([](auto& check) { check.equal_twin("left_o", 4, 5); }) == "cycle 7: left_o\n" + TwinsFault);
}

BOOST_AUTO_TEST_CASE(nothing_to_say) {
  BOOST_TEST(printed([](auto& check) { check.equal("left_o", 5, 5); }).empty());
}

// A mutated twin may fail an assertion of its own: the bench goes on to its report.
BOOST_AUTO_TEST_CASE(an_assertion_of_the_twin) {
  struct AssertingBench : heddle::bench::Bench {
    AssertingBench() : Bench({}) {}
    std::vector<heddle::bench::Case> cases() override { return {}; }
    void random(unsigned long, std::uint64_t) override {
      cycle();
      settle();
      vl_stop("twin.sv", 12, "top");
      edge();
      check.equal("left_o of the twin", 4, 5);
    }
  };
  const char* arguments[] = {"tb", "--random", "2", "--seed", "9"};
  const std::ostringstream text;
  std::streambuf* const before = std::cout.rdbuf(text.rdbuf());
  const int code = heddle::bench::run_bench(5, const_cast<char**>(arguments), "some_block",
                                            {{"tiny", [](const auto&) { return std::make_unique<AssertingBench>(); }}});
  std::cout.rdbuf(before);
  BOOST_TEST(code == 1);
  BOOST_TEST(text.str() ==
             "cycle 1: an assertion of the twin fails\n  twin.sv:12\ncycle 2: left_o of the twin\n" + TwinsFault);
}
