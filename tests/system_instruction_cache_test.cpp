// The instruction cache in the SM: whatever its size, results are the oracle's, with and without the clock gate the same
// numbers; and what it costs a kernel that is larger than it.
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
  const heddle::Mechanism mechanisms[] = {{"spe", "baseline"},          {"dpe", "shadow"},   {"dpe_constrained", "shadow"},
                                          {"barrier", "baseline"},      {"dws50", "shadow"}, {"dws50_ideal", "optimistic"},
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

/// Two launches of one kernel: the second finds the lines of the first.
BOOST_AUTO_TEST_CASE(an_ideal_memory_hides_every_miss) {
  gpu::RunRequest one = request("diverge", {"spe", "baseline"}, 512);
  one.timed.memory = gpu::MemoryKind::Ideal;
  const gpu::RunResult result = gpu::run_in_children({one}, 1)[0];
  BOOST_TEST((result.status == gpu::RunStatus::Ok), result.message);
  BOOST_TEST(result.statistics.icache_misses > 0U);
  BOOST_TEST(result.statistics.icache_stalls == 0U);
}
