// SPDX-License-Identifier: Apache-2.0
// What a bench prints of a difference says whose value is whose.
#include <boost/test/unit_test.hpp>
#include <iostream>
#include <sstream>
#include <string>

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
