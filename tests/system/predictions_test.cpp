// SPDX-License-Identifier: Apache-2.0
// Predictions in the SM: a good one saves warp instructions, a bad one costs time, and neither changes a result.
#include <boost/test/unit_test.hpp>
#include <iostream>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "sim/compiler/compile.h"
#include "sim/ptx/parser.h"
#include "tests/kit/mechanism_runs.h"
#include "tests/kit/prediction_programs.h"

namespace compiler = heddle::compiler;
namespace gpu = heddle::gpu;
namespace tests = heddle::tests;

int sc_main(int, char**) {
  return 0;
}

namespace {

/// Under each picker, beside the oracle.
std::vector<gpu::RunResult> run(const std::string& ptx, compiler::Reconverge reconverge,
                                compiler::Deconfliction deconfliction = compiler::Deconfliction::Dynamic,
                                std::optional<unsigned> threshold = {}) {
  compiler::CompileOptions options;
  options.reconverge = reconverge;
  options.deconfliction = deconfliction;
  options.soft_threshold = threshold;
  std::vector<gpu::RunRequest> requests;
  for (const heddle::Mechanism& mechanism : tests::barrier_mechanisms())
    requests.push_back(tests::request_of(mechanism, tests::prediction_program(ptx, mechanism, options)));
  std::vector<gpu::RunResult> results = gpu::run_in_children(requests, 2);
  for (std::size_t i = 0; i < results.size(); ++i)
    BOOST_TEST((results[i].status == gpu::RunStatus::Ok && results[i].equals_oracle),
               requests[i].kernel << ": " << results[i].message);
  return results;
}

}  // namespace

BOOST_AUTO_TEST_CASE(iteration_delay_saves_warp_instructions_and_lets_nobody_go) {
  const std::vector<gpu::RunResult> before = run(tests::IterationDelay, compiler::Reconverge::Default);
  for (const auto how : {compiler::Deconfliction::Dynamic, compiler::Deconfliction::Static}) {
    const std::vector<gpu::RunResult> after = run(tests::IterationDelay, compiler::Reconverge::Predicted, how);
    for (std::size_t i = 0; i < after.size(); ++i) {
      BOOST_TEST(after[i].statistics.warp_instructions * 3 < before[i].statistics.warp_instructions * 2);
      BOOST_TEST(after[i].statistics.forced_releases == 0U);
    }
  }
}

/// Irreducible control flow, early exits in the region, and a region in a region.
BOOST_AUTO_TEST_CASE(whatever_the_region_looks_like_it_saves_warp_instructions_and_lets_nobody_go) {
  for (const std::string* program : {&tests::TwoWaysIn, &tests::ExitInside, &tests::InEachOther}) {
    const std::vector<gpu::RunResult> before = run(*program, compiler::Reconverge::Default);
    for (const auto how : {compiler::Deconfliction::Dynamic, compiler::Deconfliction::Static}) {
      const std::vector<gpu::RunResult> after = run(*program, compiler::Reconverge::Predicted, how);
      for (std::size_t i = 0; i < after.size(); ++i) {
        BOOST_TEST(after[i].statistics.warp_instructions * 3 < before[i].statistics.warp_instructions * 2);
        BOOST_TEST(after[i].statistics.forced_releases == 0U);
      }
    }
    for (const gpu::RunResult& soft :
         run(*program, compiler::Reconverge::Predicted, compiler::Deconfliction::Dynamic, 7))
      BOOST_TEST(soft.statistics.forced_releases == 0U);
  }
}

/// Lanes of all depths meet at its first instruction. A prediction inside has no barrier there, and is refused.
BOOST_AUTO_TEST_CASE(a_function_that_calls_itself_may_be_the_point_and_has_none_inside) {
  for (const gpu::RunResult& result : run(tests::RecursiveFunction, compiler::Reconverge::Predicted))
    BOOST_TEST(result.statistics.forced_releases == 0U);
  const heddle::Mechanism mechanism = tests::barrier_mechanisms().front();
  compiler::CompileOptions options;
  options.reconverge = compiler::Reconverge::Predicted;
  BOOST_CHECK_EXCEPTION(tests::prediction_program(tests::InRecursion, mechanism, options), std::invalid_argument,
                        [](const std::invalid_argument& error) {
                          return std::string(error.what()).find("L1 (line 8): a function that may call itself") !=
                                 std::string::npos;
                        });
}

/// The fewer lanes a soft barrier waits for, the more often the expensive side runs; all but one is a full barrier.
BOOST_AUTO_TEST_CASE(a_soft_barrier_saves_less_than_a_full_one_and_lets_nobody_go) {
  std::vector<std::vector<std::uint64_t>> warps;
  for (const unsigned threshold : {0U, 7U, 31U}) {
    warps.emplace_back();
    for (const gpu::RunResult& result :
         run(tests::IterationDelay, compiler::Reconverge::Predicted, compiler::Deconfliction::Dynamic, threshold)) {
      BOOST_TEST(result.statistics.forced_releases == 0U);
      warps.back().push_back(result.statistics.warp_instructions);
    }
    std::cout << "iteration delay, threshold " << threshold << ':';
    for (const std::uint64_t number : warps.back()) std::cout << ' ' << number;
    std::cout << " warp instructions, by picker\n";
  }
  for (std::size_t picker = 0; picker < warps[0].size(); ++picker) BOOST_TEST(warps[2][picker] < warps[1][picker]);
  const auto sum = [](const std::vector<std::uint64_t>& of) { return std::accumulate(of.begin(), of.end(), 0ULL); };
  BOOST_TEST(sum(warps[1]) < sum(warps[0]));  // largest alone needs more with 7 than with 0
}

BOOST_AUTO_TEST_CASE(a_predicted_function_runs_for_all_lanes_at_once_wherever_they_call_it_from) {
  const std::vector<gpu::RunResult> before = run(tests::CommonFunction, compiler::Reconverge::Default);
  for (const std::optional<unsigned> threshold : {std::optional<unsigned>(), std::optional<unsigned>(7)}) {
    const std::vector<gpu::RunResult> after =
        run(tests::CommonFunction, compiler::Reconverge::Predicted, compiler::Deconfliction::Dynamic, threshold);
    for (std::size_t i = 0; i < after.size(); ++i) {
      std::cout << "common function: " << before[i].statistics.warp_instructions << " warp instructions, predicted "
                << after[i].statistics.warp_instructions << '\n';
      BOOST_TEST(after[i].statistics.forced_releases == 0U);
    }
    // By size and in turn; the other pickers let many lanes meet there by chance.
    for (const std::size_t picker : {1U, 3U})
      if (!threshold)
        BOOST_TEST(after[picker].statistics.warp_instructions * 5 < before[picker].statistics.warp_instructions * 4);
  }
}

BOOST_AUTO_TEST_CASE(a_prediction_across_a_barrier_of_the_block_makes_barriers_let_lanes_go) {
  for (const gpu::RunResult& result : run(tests::AcrossABarrier, compiler::Reconverge::Default))
    BOOST_TEST(result.statistics.forced_releases == 0U);
  for (const gpu::RunResult& result : run(tests::AcrossABarrier, compiler::Reconverge::Predicted))
    BOOST_TEST(result.statistics.forced_releases > 0U);
}
