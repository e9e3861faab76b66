// SPDX-License-Identifier: Apache-2.0
// Memory divergence (DPE sec. 7.2): lanes that hit go on without those that miss, and are with them again where lanes
// notice each other.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "sim/gpu/ptx_run.h"
#include "sim/gpu/run.h"
#include "sim/gpu/workload.h"
#include "tests/kit/mechanism_runs.h"
#include "tests/random/program_campaign.h"

namespace gpu = heddle::gpu;
namespace tests = heddle::tests;
using heddle::Statistics;

int sc_main(int, char**) {
  return 0;
}

namespace {

std::string dump_of(const std::string& name, const heddle::Mechanism& mechanism) {
  return std::string(HEDDLE_FAILURES_DIR) + '/' + name + '.' + mechanism.divergence + '.' + mechanism.scoreboard +
         ".bin";
}

/// What the run left in its second buffer.
std::string dumped(const std::string& name, const heddle::Mechanism& mechanism) {
  std::ifstream file(dump_of(name, mechanism), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// One warp.
std::vector<gpu::RunResult> run_each(const std::string& name, const std::vector<heddle::Mechanism>& mechanisms,
                                     bool clock_gate = true) {
  std::vector<gpu::RunRequest> requests;
  for (const heddle::Mechanism& mechanism : mechanisms) {
    gpu::PtxRun run;
    run.file = std::string(HEDDLE_PTX_SOURCES) + '/' + name + ".ptx";
    run.block = {32, 1, 1};
    run.arguments = {"zeros:32768", "zeros:128"};
    std::filesystem::create_directories(HEDDLE_FAILURES_DIR);
    run.dumps = {"1=" + dump_of(name, mechanism)};
    requests.push_back(tests::request_of(mechanism, gpu::ptx_program(run)));
    requests.back().timed.sm.clock_gate = clock_gate;
  }
  return gpu::run_in_children(requests, 2);
}

void expect_equal(const Statistics& one, const Statistics& other, const std::string& what) {
  const auto a = one.numbers(), b = other.numbers();
  for (std::size_t n = 0; n < a.size(); ++n) BOOST_TEST(a[n].value == b[n].value, what << ": " << a[n].name);
}

}  // namespace

/// Two halves that miss in turns: each waits for its own misses alone.
BOOST_AUTO_TEST_CASE(halves_that_miss_in_turns_do_not_wait_for_each_other) {
  const auto results = run_each(
      "alternating_misses", {{"dpe", "shadow"}, {"dpe_memory_split", "shadow"}, {"dpe_memory_split", "optimistic"}});
  for (const gpu::RunResult& result : results) BOOST_TEST(result.equals_oracle, result.message);
  const Statistics &whole = results[0].statistics, &split = results[1].statistics, &ideal = results[2].statistics;
  std::cout << "alternating misses: " << whole.cycles << " cycles, " << split.cycles << " with " << split.memory_splits
            << " splits and " << split.memory_joins << " joins, " << ideal.cycles
            << " with the optimistic scoreboard\n";
  BOOST_TEST(split.memory_splits == 1U);
  BOOST_TEST(split.memory_joins == 0U);  // they leave the loop, store and exit apart
  BOOST_TEST(4 * split.cycles < 3 * whole.cycles);
  // Misses are at 8 of 16 turns of each half; beside them the scoreboard of hardware costs next to nothing here.
  BOOST_TEST(ideal.cycles <= split.cycles);
  BOOST_TEST(100 * split.cycles < 101 * ideal.cycles);
}

/// The single set of the baseline cannot tell the halves apart: right, and of no use.
BOOST_AUTO_TEST_CASE(without_shadow_bits_it_is_of_no_use) {
  const auto results = run_each("alternating_misses", {{"dpe", "baseline"}, {"dpe_memory_split", "baseline"}});
  for (const gpu::RunResult& result : results) BOOST_TEST(result.equals_oracle, result.message);
  BOOST_TEST(20 * results[1].statistics.cycles > 19 * results[0].statistics.cycles);
}

/// The oracle takes threads one at a time, so what lanes hand to each other without a barrier is as on the stack.
BOOST_AUTO_TEST_CASE(lanes_that_notice_each_other_are_together) {
  const std::vector<heddle::Mechanism> mechanisms = {{"spe", "baseline"}, {"dpe_memory_split", "shadow"}};
  const auto results = run_each("warp_synchronous", mechanisms);
  const std::string stack = dumped("warp_synchronous", mechanisms[0]);
  BOOST_TEST(stack.size() == 128U);
  BOOST_TEST((dumped("warp_synchronous", mechanisms[1]) == stack));
  BOOST_TEST(results[1].statistics.memory_splits == 8U);  // each turn's first load; the second one finds them apart
  BOOST_TEST(results[1].statistics.memory_joins == 8U);
}

/// What each half reads may differ where threads race; then they are two paths as of any branch, and nobody waits.
BOOST_AUTO_TEST_CASE(halves_that_race_part_for_good) {
  const std::vector<heddle::Mechanism> mechanisms = {{"dpe", "shadow"}, {"dpe_memory_split", "shadow"}};
  const auto results = run_each("racing_parts", mechanisms);
  const auto counts = [](const std::string& bytes) {
    return std::vector<unsigned>{static_cast<unsigned char>(bytes.at(4)), static_cast<unsigned char>(bytes.at(8))};
  };
  for (const gpu::RunResult& result : results) BOOST_TEST((result.error != gpu::ErrorCode::Deadlock), result.message);
  BOOST_TEST(counts(dumped("racing_parts", mechanisms[0])) == (std::vector<unsigned>{32, 0}));
  BOOST_TEST(counts(dumped("racing_parts", mechanisms[1])) == (std::vector<unsigned>{16, 16}));
  BOOST_TEST(results[1].statistics.memory_splits == 1U);
  BOOST_TEST(results[1].statistics.memory_joins == 0U);
}

BOOST_AUTO_TEST_CASE(the_clock_gate_changes_nothing) {
  for (const char* name : {"alternating_misses", "warp_synchronous"}) {
    const heddle::Mechanism mechanism{"dpe_memory_split", "shadow"};
    const auto gated = run_each(name, {mechanism}), free = run_each(name, {mechanism}, false);
    BOOST_TEST(free[0].statistics.memory_splits != 0U, name);
    expect_equal(gated[0].statistics, free[0].statistics, name);
  }
}

/// Where no load finds a part of its lines, it is DPE to the last number.
BOOST_AUTO_TEST_CASE(where_all_lanes_miss_it_is_dpe) {
  std::vector<gpu::RunRequest> requests;
  const std::vector<std::string> kernels = {"diverge", "nest", "reduce", "transpose"};
  for (const std::string& kernel : kernels) {
    for (const char* divergence : {"dpe", "dpe_memory_split"}) {
      gpu::WorkloadOptions options;
      requests.push_back(tests::request_of(
          {divergence, "shadow"}, gpu::workload_program(*gpu::find_workload(kernel), options, HEDDLE_PTX_DIR)));
    }
  }
  const auto results = gpu::run_in_children(requests, 2);
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    BOOST_TEST(results[2 * i].equals_oracle, results[2 * i].message);
    expect_equal(results[2 * i].statistics, results[2 * i + 1].statistics, kernels[i]);
  }
}

/// Few warps, cold memory: loads of which a part hits in front of branches, calls, barriers, fences and locks.
BOOST_AUTO_TEST_CASE(random_programs_equal_the_oracle) {
  std::uint64_t splits = 0, joins = 0, runs = 0;
  for (const tests::Flavour flavour :
       {tests::Flavour::ControlFlow, tests::Flavour::Synchronisation, tests::Flavour::Language}) {
    tests::Campaign campaign;
    campaign.flavour = flavour;
    campaign.first_seed = 5001;
    campaign.programs = flavour == tests::Flavour::Synchronisation ? 200 : 60;
    campaign.both_clocks = true;
    campaign.mechanisms = {
        {"dpe_memory_split", "shadow"}, {"dpe_memory_split", "baseline"}, {"dpe_memory_split", "optimistic"}};
    campaign.failures_directory = HEDDLE_FAILURES_DIR;
    const tests::CampaignResult result = tests::run_campaign(campaign);
    for (const std::string& text : result.failures) BOOST_ERROR(text);
    BOOST_TEST(result.runs + result.left_out == 2 * campaign.programs * campaign.mechanisms.size());
    splits += result.memory_splits;
    joins += result.memory_joins;
    runs += result.runs;
  }
  std::cout << runs << " runs with memory divergence equal the oracle: " << splits << " splits, " << joins
            << " joins\n";
  BOOST_TEST(splits > 1000U);
  BOOST_TEST(joins > 500U);
  BOOST_TEST(joins < splits);
}
