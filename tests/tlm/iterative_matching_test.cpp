// SPDX-License-Identifier: Apache-2.0
// The matching alone: pointers by hand, and the four claims of its header over random requests.
#include "tlm/iterative_matching.h"

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

namespace {

using heddle::IterativeMatching;
using heddle::Match;
using heddle::PortSet;
using Pairs = std::set<std::pair<unsigned, unsigned>>;  // input, output

std::uint64_t seed() {
  const char* text = std::getenv("HEDDLE_SEED");
  const std::uint64_t value = text == nullptr ? 20261125 : std::strtoull(text, nullptr, 0);
  std::printf("seed %llu (HEDDLE_SEED)\n", static_cast<unsigned long long>(value));
  return value;
}

// One matching over requests as a list of pairs, among all ports unless told.
Pairs match(IterativeMatching& matching, unsigned inputs, unsigned outputs, const Pairs& requests) {
  std::vector<PortSet> rows(outputs);
  for (const auto& [input, output] : requests) rows[output].insert(input);
  Pairs pairs;
  for (const Match& pair : matching.match(rows, PortSet::first(inputs), PortSet::first(outputs)))
    BOOST_REQUIRE(pairs.emplace(pair.input, pair.output).second);
  return pairs;
}

bool valid(const Pairs& pairs, const Pairs& requests) {
  std::set<unsigned> inputs, outputs;
  for (const auto& pair : pairs) {
    if (requests.count(pair) == 0 || !inputs.insert(pair.first).second || !outputs.insert(pair.second).second)
      return false;
  }
  return true;
}

// No request is left between an input and an output that are both free.
bool maximal(const Pairs& pairs, const Pairs& requests) {
  std::set<unsigned> inputs, outputs;
  for (const auto& [input, output] : pairs) {
    inputs.insert(input);
    outputs.insert(output);
  }
  for (const auto& [input, output] : requests) {
    if (inputs.count(input) == 0 && outputs.count(output) == 0) return false;
  }
  return true;
}

Pairs random_requests(std::mt19937_64& random, unsigned inputs, unsigned outputs) {
  const unsigned tenths = static_cast<unsigned>(random() % 11);
  Pairs requests;
  for (unsigned i = 0; i < inputs; ++i) {
    for (unsigned o = 0; o < outputs; ++o) {
      if (random() % 10 < tenths) requests.emplace(i, o);
    }
  }
  return requests;
}

const std::pair<unsigned, unsigned> sizes[] = {{1, 1}, {3, 3}, {15, 6}, {6, 15}, {80, 32}, {64, 65}, {256, 7}};

}  // namespace

BOOST_AUTO_TEST_CASE(sets_of_ports) {
  PortSet set;
  BOOST_TEST(set.empty());
  BOOST_TEST(set.next(0) == PortSet::none);
  for (const unsigned port : {3U, 63U, 64U, 255U}) set.insert(port);
  BOOST_TEST(set.next(0) == 3U);
  BOOST_TEST(set.next(3) == 3U);
  BOOST_TEST(set.next(4) == 63U);
  BOOST_TEST(set.next(64) == 64U);
  BOOST_TEST(set.next(65) == 255U);
  set.erase(255);
  BOOST_TEST(set.next(65) == 3U);  // round
  set = PortSet();
  set.insert(5);
  BOOST_TEST(set.next(6) == 5U);  // round within the word
  std::vector<unsigned> seen;
  (PortSet::first(200) - PortSet::first(197)).for_each([&](unsigned port) { seen.push_back(port); });
  BOOST_TEST(seen == (std::vector<unsigned>{197, 198, 199}));
  BOOST_TEST(((PortSet::first(70) & PortSet::first(3)) == PortSet::first(3)));
}

// Every input asks every output, one iteration. g: where an output's grants start; a: an input's acceptance.
BOOST_AUTO_TEST_CASE(pointers_of_three_by_three) {
  IterativeMatching matching(3, 3, 1);
  Pairs all;
  for (unsigned i = 0; i < 3; ++i) {
    for (unsigned o = 0; o < 3; ++o) all.emplace(i, o);
  }
  // g = 000: all grant 0, which accepts output 0: g0 = 1, a0 = 1.
  BOOST_TEST((match(matching, 3, 3, all) == Pairs{{0, 0}}));
  // g = 100: output 0 grants 1; 1 and 2 grant 0, which accepts from 1 on: g0 = 2, a1 = 1, g1 = 1, a0 = 2.
  BOOST_TEST((match(matching, 3, 3, all) == Pairs{{1, 0}, {0, 1}}));
  // g = 210: three inputs are granted: g = 021, and from now on all three are matched, in turn.
  BOOST_TEST((match(matching, 3, 3, all) == Pairs{{2, 0}, {1, 1}, {0, 2}}));
  BOOST_TEST((match(matching, 3, 3, all) == Pairs{{0, 0}, {2, 1}, {1, 2}}));
  BOOST_TEST((match(matching, 3, 3, all) == Pairs{{1, 0}, {0, 1}, {2, 2}}));
}

BOOST_AUTO_TEST_CASE(a_later_iteration_fills_up_and_moves_no_pointer) {
  IterativeMatching matching(3, 3, 2);
  // Both outputs grant 0, which accepts 0; in the second iteration output 1 grants 1.
  const Pairs requests{{0, 0}, {0, 1}, {1, 1}};
  BOOST_TEST((match(matching, 3, 3, requests) == Pairs{{0, 0}, {1, 1}}));
  // g1 is 0 still: it would be 2 had it moved, and 2 would come first.
  BOOST_TEST((match(matching, 3, 3, {{1, 1}, {2, 1}}) == Pairs{{1, 1}}));
  // a1 is 2 by that: 2 comes before 0.
  BOOST_TEST((match(matching, 3, 3, {{1, 0}, {1, 2}}) == Pairs{{1, 2}}));
}

BOOST_AUTO_TEST_CASE(only_the_ports_that_are_named_take_part) {
  IterativeMatching matching(3, 3, 3);
  const std::vector<PortSet> all(3, PortSet::first(3));
  PortSet inputs, outputs;
  inputs.insert(1);
  outputs.insert(0);
  outputs.insert(2);
  const std::vector<Match>& pairs = matching.match(all, inputs, outputs);
  BOOST_REQUIRE(pairs.size() == 1U);
  BOOST_TEST(pairs[0].input == 1U);
  BOOST_TEST(pairs[0].output == 0U);
}

BOOST_AUTO_TEST_CASE(a_matching_is_valid_and_after_enough_iterations_maximal) {
  std::mt19937_64 random(seed());
  unsigned not_maximal = 0;
  for (const auto& [inputs, outputs] : sizes) {
    IterativeMatching one(inputs, outputs, 1), enough(inputs, outputs, std::min(inputs, outputs));
    for (unsigned i = 0; i < 300; ++i) {
      const Pairs requests = random_requests(random, inputs, outputs);
      const Pairs first = match(one, inputs, outputs, requests);
      const Pairs best = match(enough, inputs, outputs, requests);
      BOOST_REQUIRE(valid(first, requests));
      BOOST_REQUIRE(valid(best, requests));
      BOOST_REQUIRE(maximal(best, requests));
      not_maximal += !maximal(first, requests);
    }
  }
  BOOST_TEST(not_maximal > 0U, "cover never reached: one iteration is not enough");
}

BOOST_AUTO_TEST_CASE(who_keeps_asking_is_served) {
  std::mt19937_64 random(seed());
  for (const auto& [inputs, outputs] : {std::pair{3U, 3U}, {15U, 6U}, {6U, 15U}}) {
    IterativeMatching matching(inputs, outputs, 2);
    const Pairs persistent = random_requests(random, inputs, outputs);
    std::vector<unsigned> waited(inputs * outputs, 0);
    for (unsigned cycle = 0; cycle < 5000; ++cycle) {
      Pairs requests = random_requests(random, inputs, outputs);  // who comes and goes
      requests.insert(persistent.begin(), persistent.end());
      const Pairs pairs = match(matching, inputs, outputs, requests);
      for (const auto& pair : persistent) {
        unsigned& cycles = waited[pair.first * outputs + pair.second];
        cycles = pairs.count(pair) != 0 ? 0 : cycles + 1;
        BOOST_REQUIRE(cycles <= inputs * outputs);
      }
    }
  }
}

// All queues full: after a while each port of the smaller side is matched in every cycle, and each pair as often.
BOOST_AUTO_TEST_CASE(full_load_takes_every_port_in_every_cycle) {
  for (const auto& [inputs, outputs] : sizes) {
    for (const unsigned iterations : {1U, 2U}) {
      IterativeMatching matching(inputs, outputs, iterations);
      const std::vector<PortSet> all(outputs, PortSet::first(inputs));
      const unsigned most = std::min(inputs, outputs), rounds = 8, period = std::max(inputs, outputs);
      std::vector<unsigned> served(inputs * outputs, 0);
      const unsigned warm_up = 2 * (inputs + outputs);
      for (unsigned cycle = 0; cycle < warm_up + rounds * period; ++cycle) {
        const std::vector<Match>& pairs = matching.match(all, PortSet::first(inputs), PortSet::first(outputs));
        if (cycle < warm_up) continue;
        BOOST_REQUIRE(pairs.size() == most);
        for (const Match& pair : pairs) ++served[pair.input * outputs + pair.output];
      }
      for (const unsigned count : served) BOOST_REQUIRE(count + 2 >= rounds);
    }
  }
}

BOOST_AUTO_TEST_CASE(parameters_out_of_their_range) {
  BOOST_CHECK_THROW(IterativeMatching(0, 1, 1), std::invalid_argument);
  BOOST_CHECK_THROW(IterativeMatching(1, 257, 1), std::invalid_argument);
  BOOST_CHECK_THROW(IterativeMatching(1, 1, 0), std::invalid_argument);
}
