// SPDX-License-Identifier: Apache-2.0
// Random programs in two streams: the affine warp and the warps together leave the memory that the oracle has, at any sizes
// of their queues. scripts/fuzz N --affine runs more of them.
#include <boost/test/unit_test.hpp>
#include <iostream>
#include <map>
#include <string>

#include "sim/compiler/compile.h"
#include "sim/ptx/parser.h"
#include "tests/kit/part.h"
#include "tests/random/affine_points.h"
#include "tests/random/program_campaign.h"

namespace tests = heddle::tests;

int sc_main(int, char**) {
  return 0;
}

namespace {

/// With HEDDLE_SEED=N, other programs.
tests::Campaign campaign_of(std::uint64_t programs) {
  tests::Campaign campaign;
  campaign.flavour = tests::Flavour::Affine;
  campaign.programs = programs;
  if (tests::only_a_part())
    campaign.first_seed += campaign.programs * (std::strtoull(std::getenv("HEDDLE_SEED"), nullptr, 10) % 1'000'000);
  campaign.mechanisms = tests::affine_mechanisms();
  campaign.points = tests::affine_points();
  campaign.failures_directory = HEDDLE_FAILURES_DIR;
  std::cout << campaign.programs << " programs from seed " << campaign.first_seed << '\n';
  return campaign;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_seed_says_everything) {
  const auto text = [](std::uint64_t seed) { return tests::random_program(seed, tests::Flavour::Affine).ptx; };
  BOOST_TEST(text(11) == text(11));
  BOOST_TEST(text(11) != text(13));
}

/// Some reasons are rare, so they are looked for in programs that are always the same ones, and not run.
BOOST_AUTO_TEST_CASE(each_reason_to_run_whole_is_met) {
  heddle::compiler::CompileOptions options;
  options.machine.affine = true;
  std::map<std::string, unsigned> whole;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    const tests::RandomProgram random = tests::random_program(seed, tests::Flavour::Affine);
    options.machine.affine_paths = random.point->affine_depth;
    options.machine.affine_masks = random.point->affine_lane_depth;
    const auto program = heddle::compiler::compile(heddle::ptx::parse(random.ptx, "random.ptx"), "", nullptr, options);
    if (program.split == nullptr) ++whole[program.why_not_split];
  }
  for (const char* why : {"no load and no store", "is not bar.sync", "one side of a branch", "an exit under a guard",
                          "may wait for another thread", "stands behind it", "of the affine stack"})
    BOOST_TEST(std::any_of(whole.begin(), whole.end(),
                           [why](const auto& one) { return one.first.find(why) != std::string::npos; }),
               "no program runs whole because of: " << why);
}

/// The clocks of the SM and of its affine blocks stop while these rest: without the gates each cycle has its edge, what
/// said that it rests is looked at, and every number of a run is the same.
BOOST_AUTO_TEST_CASE(alike_without_the_clock_gates) {
  tests::Campaign campaign = campaign_of(60);
  campaign.both_clocks = true;
  const tests::CampaignResult result = tests::run_campaign(campaign);
  for (const std::string& text : result.failures) BOOST_ERROR(text);
  BOOST_TEST(result.runs == 2 * campaign.programs * campaign.mechanisms.size());
}

BOOST_AUTO_TEST_CASE(equal_the_oracle) {
  const tests::Campaign campaign = campaign_of(500);
  const tests::CampaignResult result = tests::run_campaign(campaign);
  for (const std::string& text : result.failures) BOOST_ERROR(text);
  BOOST_TEST(result.runs == campaign.programs * campaign.mechanisms.size());

  // Covers: what the programs must have to be worth their time.
  const tests::AffineCensus& affine = result.affine;
  std::cout << affine.split << " programs in two streams: " << affine.loads << " decoupled loads, " << affine.stores
            << " stores; branches of the affine stream: " << affine.itself << " by itself, " << affine.predicates
            << " by predicates, " << affine.warps << " by the warps; " << affine.apart
            << " programs with such accesses where threads part, " << affine.with_barrier << " with barriers, "
            << affine.whole_launches << " launched whole\n";
  for (const auto& [why, times] : affine.whole) std::cout << "whole " << times << " times: " << why << '\n';
  std::cout << result.runs << " runs equal the oracle: " << affine.batches << " batches, " << affine.dequeued_loads
            << " loads, " << affine.dequeued_stores << " stores and " << affine.dequeued_branches
            << " branches dequeued, " << affine.kept_waits << " waits for a lock, " << result.warp_instructions
            << " warp instructions, " << result.divergent_branches << " divergent branches, " << result.cpu_seconds
            << " CPU seconds\n";
  BOOST_TEST(affine.split > campaign.programs / 2);
  BOOST_TEST(affine.loads > campaign.programs);
  BOOST_TEST(affine.stores > campaign.programs);
  BOOST_TEST(affine.itself > campaign.programs / 10);
  BOOST_TEST(affine.predicates > campaign.programs / 5);
  BOOST_TEST(affine.warps > campaign.programs / 10);
  BOOST_TEST(affine.apart > campaign.programs / 10);
  BOOST_TEST(affine.with_barrier > campaign.programs / 10);
  BOOST_TEST(affine.whole_launches > 0U);
  BOOST_TEST(affine.dequeued_loads > 10'000U);
  BOOST_TEST(affine.dequeued_stores > 10'000U);
  BOOST_TEST(affine.dequeued_branches > 1'000U);
  BOOST_TEST(affine.kept_waits > 0U);
  BOOST_TEST(affine.batches > result.runs);
}

/// Each number is the same with the clock gate and without; and blocks may run anywhere.
BOOST_AUTO_TEST_CASE(with_and_without_the_clock_gate_on_two_sms) {
  tests::Campaign campaign;
  campaign.flavour = tests::Flavour::Affine;
  campaign.first_seed = 501;
  campaign.programs = 60;
  campaign.sms = 2;
  campaign.both_clocks = true;
  campaign.mechanisms = tests::part_of(tests::affine_mechanisms(), 2);
  campaign.points = tests::affine_points();
  campaign.failures_directory = HEDDLE_FAILURES_DIR;
  const tests::CampaignResult result = tests::run_campaign(campaign);
  for (const std::string& text : result.failures) BOOST_ERROR(text);
  BOOST_TEST(result.compared_without_gate == campaign.programs * campaign.mechanisms.size());
  std::cout << result.runs
            << " runs on two SMs equal the oracle, half of them without the clock gate: " << result.gated_cycles
            << " idle cycles that were checked, " << result.cpu_seconds << " CPU seconds\n";
  BOOST_TEST(result.gated_cycles > 0U);
}
