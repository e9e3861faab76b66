// SPDX-License-Identifier: Apache-2.0
// Prefetching (MTA) in the SM beside the oracle: kernels under every kind of control flow unit, with the clock gate and
// without, on one SM and on two; that prefetches serve a kernel that streams, and that a buffer without any takes no
// time.
#include <boost/test/unit_test.hpp>
#include <iostream>

#include "sim/gpu/run.h"
#include "tests/kit/mechanism_runs.h"

namespace gpu = heddle::gpu;
namespace tests = heddle::tests;
using heddle::Mechanism;
using heddle::Statistics;

int sc_main(int, char**) {
  return 0;
}

namespace {

const heddle::DesignPoint& isca17 = heddle::point::isca17::Values;

Mechanism with_prefetcher(const std::string& divergence, const std::string& prefetch) {
  Mechanism mechanism = heddle::with_its_scoreboard(divergence);
  mechanism.prefetch = prefetch;
  return mechanism;
}

gpu::RunRequest request(const std::string& kernel, const Mechanism& mechanism) {
  gpu::RunRequest one = tests::request_of(*gpu::find_workload(kernel), isca17, mechanism, HEDDLE_PTX_DIR);
  one.timed.monitor = true;
  return one;
}

std::uint64_t useful(const Statistics& statistics) {
  return statistics.prefetch_hits + statistics.prefetch_merges;
}

void check(const gpu::RunRequest& request, const gpu::RunResult& result) {
  BOOST_TEST_CONTEXT(request.kernel) {
    BOOST_TEST((result.status == gpu::RunStatus::Ok), result.message);
    BOOST_TEST(result.equals_oracle == request.byte_exact);
    const Statistics& s = result.statistics;
    BOOST_TEST(s.prefetch_sent + s.prefetch_redundant + s.prefetch_dropped <= s.prefetch_asked);
    BOOST_TEST(useful(s) + s.prefetch_early_evictions <= s.prefetch_sent);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(kernels_equal_the_oracle_under_every_kind_of_unit) {
  std::vector<gpu::RunRequest> all;
  for (const char* divergence : {"spe", "dpe", "dws50", "barrier", "formation", "mimd"})
    for (const char* kernel : {"vector_add", "diverge", "hazard", "trip_count", "reduce"})
      for (const bool gated : {true, false}) {
        all.push_back(request(kernel, with_prefetcher(divergence, "mta")));
        all.back().timed.sm.clock_gate = gated;
      }
  const std::vector<gpu::RunResult> results = gpu::run_in_children(all, 2);
  std::uint64_t served = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (results[i].error == heddle::isa::ErrorCode::NotSupported) continue;  // by the unit, whatever is prefetched
    check(all[i], results[i]);
    served += useful(results[i].statistics);
    if (i % 2 == 0) continue;
    const auto with = results[i - 1].statistics.numbers(), without = results[i].statistics.numbers();
    for (std::size_t n = 0; n < with.size(); ++n)
      BOOST_TEST(with[n].value == without[n].value, all[i].kernel << ": " << with[n].name << ' ' << with[n].value
                                                                  << ", " << without[n].value << " without the gate");
  }
  BOOST_TEST(served > 0U);
}

BOOST_AUTO_TEST_CASE(a_kernel_that_streams_finds_its_lines) {
  const std::vector<gpu::RunRequest> all{request("vector_add", with_prefetcher("spe", "none")),
                                         request("vector_add", with_prefetcher("spe", "mta"))};
  const std::vector<gpu::RunResult> results = gpu::run_in_children(all, 2);
  for (std::size_t i = 0; i < all.size(); ++i) check(all[i], results[i]);
  BOOST_TEST(useful(results[0].statistics) == 0U);
  BOOST_TEST(useful(results[1].statistics) > 0U);
  BOOST_TEST(results[1].statistics.cycles <= results[0].statistics.cycles);
}

BOOST_AUTO_TEST_CASE(two_sms_with_atomics_equal_the_oracle) {
  std::vector<gpu::RunRequest> all;
  for (const char* kernel : {"vector_add", "scan", "histogram"}) {
    all.push_back(request(kernel, with_prefetcher("spe", "mta")));
    all.back().timed.sms = 2;
  }
  const std::vector<gpu::RunResult> results = gpu::run_in_children(all, 2);
  std::uint64_t stale = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    check(all[i], results[i]);
    stale += results[i].statistics.prefetch_stale;
  }
  BOOST_TEST(stale > 0U);
}

/// One warp, whose loads are not in a loop: nothing is learnt.
BOOST_AUTO_TEST_CASE(a_buffer_without_prefetches_takes_no_time) {
  const auto of_one_warp = [](const Mechanism& mechanism) {
    gpu::WorkloadOptions options;
    options.lanes = isca17.lanes;
    options.warps_per_block = isca17.warps;
    options.warps = 1;
    gpu::RunRequest one = request("diverge", mechanism);
    one.program = gpu::workload_program(*gpu::find_workload("diverge"), options, HEDDLE_PTX_DIR);
    return one;
  };
  const std::vector<gpu::RunRequest> all{of_one_warp(with_prefetcher("spe", "none")),
                                         of_one_warp(with_prefetcher("spe", "mta"))};
  const std::vector<gpu::RunResult> results = gpu::run_in_children(all, 2);
  for (std::size_t i = 0; i < all.size(); ++i) check(all[i], results[i]);
  BOOST_TEST(results[1].statistics.prefetch_asked == 0U);
  BOOST_TEST(results[0].statistics.cycles == results[1].statistics.cycles);
}

BOOST_AUTO_TEST_CASE(it_does_not_stand_beside_an_affine_warp) {
  Mechanism both = with_prefetcher("spe", "mta");
  both.affine.name = "dac";
  const gpu::RunResult result = gpu::run_in_children({request("vector_add", both)}, 1).at(0);
  BOOST_TEST((result.error == heddle::isa::ErrorCode::NotSupported));
  BOOST_TEST(result.message.find("both ask for lines early") != std::string::npos, result.message);
}
