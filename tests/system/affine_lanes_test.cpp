// SPDX-License-Identifier: Apache-2.0
// Integer multiplications at half rate, and the affine unit beside the lanes (`--affine cae`): who has the lanes, counted
// by hand at isca17, where such an instruction has them for two cycles, and at hpca13, where it has them for one.
#include <boost/test/unit_test.hpp>
#include <iostream>
#include <map>

#include "sim/gpu/ptx_run.h"
#include "sim/gpu/run.h"
#include "tests/kit/kernel_runs.h"
#include "tests/kit/mechanism_runs.h"
#include "tests/kit/part.h"
#include "tests/random/program_campaign.h"

namespace gpu = heddle::gpu;
namespace tests = heddle::tests;
using heddle::DesignPoint;
using heddle::Mechanism;
using heddle::Stall;
using heddle::Statistics;

int sc_main(int, char**) {
  return 0;
}

namespace {

/// Code that has no loop would wait for its lines most of the time.
DesignPoint with_ideal_fetch(DesignPoint point) {
  point.icache_bytes = 0;
  return point;
}
const DesignPoint hpca13 = with_ideal_fetch(heddle::point::hpca13::Values),
                  isca17 = with_ideal_fetch(heddle::point::isca17::Values);

constexpr unsigned More = 72;  // half-rate instructions of `many`, more than `few` has

Mechanism mechanism(const std::string& divergence, const char* affine = "cae") {
  Mechanism named = heddle::with_its_scoreboard(divergence);
  named.affine.name = affine;
  return named;
}

gpu::RunRequest request_of(const std::string& entry, unsigned warps, const DesignPoint& point,
                           const Mechanism& mechanism) {
  gpu::PtxRun run;
  run.file = HEDDLE_PTX_SOURCES "/half_rate.ptx";
  run.entry = entry;
  run.block = {warps * point.lanes, 1, 1};
  run.arguments = {"zeros:4096"};
  gpu::RunRequest request = tests::request_of(mechanism, gpu::ptx_program(run));
  request.timed.sm.point = &point;
  return request;
}

Statistics result_of(const std::string& entry, unsigned warps, const DesignPoint& point, const Mechanism& mechanism) {
  const gpu::RunResult result = gpu::run_in_children({request_of(entry, warps, point, mechanism)}, 1).at(0);
  BOOST_TEST(result.equals_oracle, entry << " under " << tests::name_of(mechanism) << ": " << result.message);
  return result.statistics;
}

/// Cycles of More half-rate instructions of each of these warps.
std::uint64_t cycles_of_more(unsigned warps, const DesignPoint& point, const Mechanism& mechanism) {
  return result_of("many", warps, point, mechanism).cycles - result_of("few", warps, point, mechanism).cycles;
}

Statistics without_unit(Statistics statistics) {
  statistics.affine_unit_instructions = 0;
  return statistics;
}

}  // namespace

/// Eight warps of each scheduler have an instruction at any time.
BOOST_AUTO_TEST_CASE(lanes_are_scarce) {
  constexpr unsigned Warps = 16, OfScheduler = Warps / 2;
  BOOST_TEST(cycles_of_more(Warps, isca17, mechanism("spe", "none")) == 2U * More * OfScheduler);
  BOOST_TEST(cycles_of_more(Warps, isca17, mechanism("spe", "cae")) == 1U * More * OfScheduler);
  BOOST_TEST(cycles_of_more(Warps, hpca13, mechanism("spe", "none")) == 1U * More * OfScheduler);
}

/// One of two cycles is lost. Some of these are counted for a warp whose buffer is empty, which is looked at first.
BOOST_AUTO_TEST_CASE(why_nothing_issues) {
  const auto waits = static_cast<unsigned>(Stall::StructuralLanes);
  const auto of = [&](const DesignPoint& point, const char* affine) {
    return result_of("many", 16, point, mechanism("spe", affine)).stalls[waits];
  };
  BOOST_TEST(of(isca17, "none") > More * 16U / 3);
  BOOST_TEST(of(isca17, "cae") == 0U);
  BOOST_TEST(of(hpca13, "none") == 0U);
}

/// Barrel pipelines: a warp, or a thread, has one instruction at a time, so that eight warps do not fill the lanes of a
/// scheduler; twenty do.
BOOST_AUTO_TEST_CASE(other_pipelines_have_lanes_too) {
  for (const char* divergence : {"formation", "mimd"}) {
    const auto of = [&](const DesignPoint& point) { return cycles_of_more(32, point, mechanism(divergence, "none")); };
    BOOST_TEST(of(isca17) == 2U * More * 16);
    BOOST_TEST(of(hpca13) < 2U * More * 16);
  }
}

/// The unit has a multiplication before the branch, and behind it the shift and the two instructions of the address; what
/// one side has written, or an instruction with a guard, is known no longer. Splits of a warp run what is behind the branch
/// each by itself, until they meet.
BOOST_AUTO_TEST_CASE(not_after_divergence) {
  constexpr unsigned Warps = 4, Before = 1, Behind = 1 + 2;
  for (const char* divergence : {"spe", "dpe", "barrier", "dws50"}) {
    const Statistics found = result_of("divergent", Warps, isca17, mechanism(divergence));
    BOOST_TEST(found.divergent_branches == Warps);
    if (!heddle::divergence_named(divergence).has(heddle::SmSide::Subdivision))
      BOOST_TEST(found.affine_unit_instructions == Warps * (Before + Behind));
    else
      BOOST_TEST(found.affine_unit_instructions < Warps * (Before + Behind));
  }
}

/// The product and the address, three instructions, are the unit's; what is extended from a product that wraps is not, nor
/// what is made of it. Twenty lanes do not wrap as unsigned numbers, and sums of what is extended so are affine too.
BOOST_AUTO_TEST_CASE(what_wraps_is_not_widened) {
  for (const auto& [lanes, computed] : std::map<unsigned, unsigned>{{32, 3}, {20, 3 + 2}, {10, 3 + 6}}) {
    gpu::PtxRun run;
    run.file = HEDDLE_PTX_SOURCES "/wraps_when_widened.ptx";
    run.block = {lanes, 1, 1};
    run.arguments = {"zeros:512", "zeros:4"};
    gpu::RunRequest request = tests::request_of(mechanism("spe"), gpu::ptx_program(run));
    const gpu::RunResult result = gpu::run_in_children({request}, 1).at(0);
    BOOST_TEST(result.equals_oracle, result.message);
    BOOST_TEST(result.statistics.affine_unit_instructions == computed);
  }
}

/// Where lanes are not scarce it changes nothing but its own count.
BOOST_AUTO_TEST_CASE(no_cycle_changes_at_full_rate) {
  for (const char* divergence : {"spe", "dpe"}) {
    for (const char* entry : {"many", "divergent"}) {
      const Statistics with = result_of(entry, 16, hpca13, mechanism(divergence)),
                       without = result_of(entry, 16, hpca13, mechanism(divergence, "none"));
      const auto ours = without_unit(with).numbers(), all = without.numbers();
      BOOST_TEST(with.affine_unit_instructions != 0U);
      for (std::size_t i = 0; i < all.size(); ++i) BOOST_TEST(ours[i].value == all[i].value, all[i].name);
    }
  }
}

/// Warps that are made anew, and no warps.
BOOST_AUTO_TEST_CASE(refused_by_name) {
  for (const char* divergence : {"formation", "mimd"}) {
    const gpu::RunResult result = gpu::run_in_children({request_of("few", 1, isca17, mechanism(divergence))}, 1).at(0);
    BOOST_TEST((result.error == gpu::ErrorCode::NotSupported), result.message);
    BOOST_TEST(result.message.find("--affine cae") != std::string::npos, result.message);
  }
}

/// A result that is not what its tag says ends the run (execute.cpp), so that these programs look for wrong tags.
BOOST_AUTO_TEST_CASE(random_programs_equal_the_oracle) {
  for (const auto flavour : {tests::Flavour::Affine, tests::Flavour::Language}) {
    tests::Campaign campaign;
    campaign.flavour = flavour;
    campaign.programs = flavour == tests::Flavour::Affine ? 40 : 20;
    if (tests::only_a_part())
      campaign.first_seed += campaign.programs * (std::strtoull(std::getenv("HEDDLE_SEED"), nullptr, 10) % 1'000'000);
    campaign.mechanisms = {mechanism("spe"), mechanism("dpe"), mechanism("dpe_memory_split"), mechanism("barrier")};
    campaign.both_clocks = true;
    campaign.failures_directory = HEDDLE_FAILURES_DIR;
    const tests::CampaignResult result = tests::run_campaign(campaign);
    for (const std::string& text : result.failures) BOOST_ERROR(text);
    std::cout << result.runs << " runs, " << result.cpu_seconds << " CPU seconds\n";
    BOOST_TEST(result.runs != 0U);
  }
}

BOOST_AUTO_TEST_CASE(kernels_equal_the_oracle) {
  std::vector<gpu::RunRequest> all;
  for (const char* divergence : {"spe", "dpe"})
    for (gpu::RunRequest& request : tests::every_kernel(isca17, mechanism(divergence), HEDDLE_PTX_DIR))
      if (request.kernel.rfind("spin_lock", 0) != 0)  // which deadlocks on a stack, as it should
        all.push_back(std::move(request));
  const auto part = tests::part_with(all, 13, tests::runs_everywhere);
  std::cout << tests::said(part.size(), all.size(), "kernels and mechanisms") << '\n';
  std::uint64_t computed = 0;
  tests::check_kernels(part, [&](const gpu::RunRequest&, const gpu::RunResult& result) {
    computed += result.statistics.affine_unit_instructions;
  });
  BOOST_TEST(computed != 0U);
}
