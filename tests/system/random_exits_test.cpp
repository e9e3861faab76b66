// SPDX-License-Identifier: Apache-2.0
// Random programs of whose threads many leave early, under one mechanism of each kind and beside an affine warp: memory,
// thread instructions and lanes are the oracle's. scripts/fuzz N --exits runs more of them.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>

#include "tests/kit/part.h"
#include "tests/random/program_campaign.h"

namespace tests = heddle::tests;

int sc_main(int, char**) {
  return 0;
}

namespace {

constexpr unsigned Whole = 5000, Part = 300, AtOnce = 500, Thirds = 3;

/// With HEDDLE_SEED=N, other programs.
std::uint64_t first_seed() {
  if (!tests::only_a_part()) return 1;
  return 1 + Part * (std::strtoull(std::getenv("HEDDLE_SEED"), nullptr, 10) % 1'000'000);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_seed_says_everything) {
  const auto text = [](std::uint64_t seed) { return tests::random_program(seed, tests::Flavour::Exits).ptx; };
  BOOST_TEST(text(11) == text(11));
  BOOST_TEST(text(11) != text(13));
}

/// What the programs must have to be worth their time; in texts, which are always the same ones.
BOOST_AUTO_TEST_CASE(each_way_to_leave_is_there) {
  std::map<std::string, unsigned> programs;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const std::string text = tests::random_program(seed, tests::Flavour::Exits).ptx;
    for (const char* what : {"  ret;", "  exit;", "bra DONE;", "bra OUT_", "bra NEXT_", "trap;", "bar.sync", ".sync.",
                             "%warp, ", "TILE_", "\n    LOOP_"})
      programs[what] += text.find(what) != std::string::npos ? 1 : 0;
  }
  for (const auto& [what, count] : programs) BOOST_TEST(count > 15U, what << " is in " << count << " of 200 programs");
}

/// In the whole run all under each mechanism. With HEDDLE_SEED=N other programs, and a third of the mechanisms for each
/// third of them, so that all mechanisms run.
BOOST_AUTO_TEST_CASE(equal_the_oracle) {
  const bool is_part = tests::only_a_part();
  const unsigned programs = is_part ? Part : Whole, at_once = is_part ? Part / Thirds : AtOnce;
  const std::vector<heddle::Mechanism> mechanisms = tests::exit_mechanisms();
  std::map<std::string, tests::CampaignResult::ByMechanism> all;
  std::map<std::string, unsigned> whole;
  unsigned split = 0, wanted = 0;
  double seconds = 0;
  std::cout << programs << " programs from seed " << first_seed() << '\n';
  for (unsigned done = 0; done < programs; done += at_once) {
    tests::Campaign campaign;
    campaign.flavour = tests::Flavour::Exits;
    campaign.first_seed = first_seed() + done;
    campaign.programs = std::min(at_once, programs - done);
    campaign.mechanisms.clear();
    for (std::size_t i = 0; i < mechanisms.size(); ++i)
      if (!is_part || i % Thirds == done / at_once % Thirds) campaign.mechanisms.push_back(mechanisms[i]);
    wanted += campaign.programs * static_cast<unsigned>(campaign.mechanisms.size());
    campaign.failures_directory = HEDDLE_FAILURES_DIR;
    const tests::CampaignResult result = tests::run_campaign(campaign);
    for (const std::string& text : result.failures) BOOST_ERROR(text);
    for (const auto& [mechanism, count] : result.by_mechanism) {
      all[mechanism].runs += count.runs;
      all[mechanism].left_out += count.left_out;
    }
    split += result.affine.split;
    for (const auto& [why, times] : result.affine.whole) whole[why] += times;
    seconds += result.cpu_seconds;
  }
  unsigned counted = 0;
  for (const auto& [mechanism, count] : all) {
    std::cout << mechanism << ": " << count.runs << " runs equal the oracle, " << count.left_out << " left out\n";
    counted += count.runs + count.left_out;
    BOOST_TEST(count.runs > count.left_out, mechanism);
  }
  BOOST_TEST(all.size() == mechanisms.size());
  BOOST_TEST(counted == wanted);
  std::cout << split << " programs in two streams";
  for (const auto& [why, times] : whole) std::cout << "; whole " << times << " times: " << why;
  std::cout << "; " << seconds << " CPU seconds\n";
  BOOST_TEST(split > programs / 10);
}
