// SPDX-License-Identifier: Apache-2.0
// The instruction cache in the SM: whatever its size, results are the oracle's, with and without the clock gate the same
// numbers; and what it costs a kernel that is larger than it.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <iostream>
#include <list>

#include "sim/gpu/run.h"

namespace gpu = heddle::gpu;
using heddle::DesignPoint;
using heddle::Statistics;

int sc_main(int, char**) {
  return 0;
}

namespace {

/// hpca13 with so many bytes of instruction cache; 0: ideal fetch.
const DesignPoint& point_with(unsigned bytes) {
  static std::list<DesignPoint> points;
  points.push_back(heddle::point::hpca13::Values);
  points.back().icache_bytes = bytes;
  return points.back();
}

gpu::RunRequest request(const std::string& kernel, const heddle::Mechanism& mechanism, unsigned icache_bytes) {
  gpu::RunRequest one;
  one.kernel = kernel;
  one.timed.sm.point = &point_with(icache_bytes);
  gpu::WorkloadOptions options;
  options.lanes = one.timed.sm.point->lanes;
  options.warps_per_block = one.timed.sm.point->warps;
  one.program = gpu::workload_program(*gpu::find_workload(kernel), options, HEDDLE_PTX_DIR);
  one.timed.sm.mechanism = mechanism;
  return one;
}

std::string first_difference(const Statistics& gated, const Statistics& free) {
  const auto with = gated.numbers(), without = free.numbers();
  for (std::size_t i = 0; i < with.size(); ++i) {
    if (with[i].value != without[i].value)
      return fmt::format("{}: without the gate {}, with it {}", with[i].name, without[i].value, with[i].value);
  }
  return "";
}

}  // namespace

/// Four lines: every kernel of more instructions waits again and again, under every kind of control flow unit.
BOOST_AUTO_TEST_CASE(four_lines_are_enough_for_right_results) {
  std::vector<gpu::RunRequest> requests;
  const heddle::Mechanism mechanisms[] = {{"spe", "baseline"},           {"dpe", "shadow"},
                                          {"dpe_constrained", "shadow"}, {"barrier", "baseline"},
                                          {"dws50", "shadow"},           {"dws50_ideal", "optimistic"},
                                          {"dpe_memory_split", "shadow"}};
  for (const heddle::Mechanism& mechanism : mechanisms) {
    for (const char* kernel : {"diverge", "nest", "hazard", "reduce", "trip_count"}) {
      for (const bool gate : {true, false}) {
        requests.push_back(request(kernel, mechanism, 512));
        requests.back().timed.sm.clock_gate = gate;
        requests.back().with_oracle = gate;
      }
    }
  }
  const auto results = gpu::run_in_children(requests, 2);
  for (std::size_t i = 0; i < results.size(); i += 2) {
    const std::string what = requests[i].kernel + " under " + requests[i].timed.sm.mechanism.divergence;
    BOOST_TEST((results[i].status == gpu::RunStatus::Ok), what << ": " << results[i].message);
    BOOST_TEST(results[i].equals_oracle, what);
    BOOST_TEST((results[i + 1].status == gpu::RunStatus::Ok), what << ": " << results[i + 1].message);
    const std::string differs = first_difference(results[i].statistics, results[i + 1].statistics);
    BOOST_TEST(differs.empty(), what << ": " << differs);
    BOOST_TEST(results[i].statistics.icache_fills > 0U, what);
    BOOST_TEST(results[i].statistics.icache_stalls > 0U, what);
  }
}

BOOST_AUTO_TEST_CASE(an_ideal_memory_hides_every_miss) {
  gpu::RunRequest one = request("diverge", {"spe", "baseline"}, 512);
  one.timed.memory = gpu::MemoryKind::Ideal;
  const gpu::RunResult result = gpu::run_in_children({one}, 1)[0];
  BOOST_TEST((result.status == gpu::RunStatus::Ok), result.message);
  BOOST_TEST(result.statistics.icache_misses > 0U);
  BOOST_TEST(result.statistics.icache_stalls == 0U);
}

/// Code stays where it is, and in the cache: the second launch finds the lines of the first.
BOOST_AUTO_TEST_CASE(a_second_launch_finds_its_code) {
  gpu::RunRequest once = request("reduce", {"spe", "baseline"}, 8192), twice = once;
  twice.program = [program = once.program](gpu::Device& device) {
    const gpu::Outcome first = program(device);
    return first.ok ? program(device) : first;
  };
  const auto results = gpu::run_in_children({once, twice}, 2);
  for (const gpu::RunResult& result : results) BOOST_TEST((result.status == gpu::RunStatus::Ok), result.message);
  BOOST_TEST(results[1].launches == 2 * results[0].launches);
  BOOST_TEST(results[1].statistics.icache_fills == results[0].statistics.icache_fills);
}

/// A loop over straight code of twice 2 KB: each line is evicted just before it is needed again, so that with 2
/// instructions a fetch and 16 a line one of eight fetches misses. Ideal fetch hides that.
BOOST_AUTO_TEST_CASE(a_long_kernel_in_a_small_cache) {
  std::vector<gpu::RunRequest> requests;
  for (const unsigned bytes : {0U, 8192U, 2048U}) requests.push_back(request("md5_search", {"spe", "baseline"}, bytes));
  const auto results = gpu::run_in_children(requests, 2);
  const Statistics &ideal = results[0].statistics, &fits = results[1].statistics, &small = results[2].statistics;
  for (std::size_t i = 0; i < results.size(); ++i) {
    BOOST_TEST((results[i].status == gpu::RunStatus::Ok), results[i].message);
    const Statistics& s = results[i].statistics;
    std::cout << fmt::format("{:>6} bytes: {:>8} cycles, {:>5.2f}% of {} fetches miss, {} lines\n",
                             requests[i].timed.sm.point->icache_bytes, s.cycles,
                             100.0 * double(s.icache_misses) / double(std::max<std::uint64_t>(1, s.icache_accesses)),
                             s.icache_accesses, s.icache_fills);
  }
  BOOST_TEST(ideal.icache_accesses == 0U);
  BOOST_TEST(fits.icache_fills <= 32U);  // cold misses alone
  BOOST_TEST(double(fits.cycles) < 1.05 * double(ideal.cycles));
  const double misses = double(small.icache_misses) / double(small.icache_accesses);
  BOOST_TEST(misses > 0.11);
  BOOST_TEST(misses < 0.14);
  BOOST_TEST(double(small.cycles) > 1.7 * double(ideal.cycles));
}
