// SPDX-License-Identifier: Apache-2.0
// Every kernel with the clock gate and without it, there also with a process of its own for each block (BlockSteps in
// rtl/base/block_steps.h): the same cycles, and all else that a run counts is the same number.
// Without the gate each idle cycle has its edge, and the SM looks whether it changes anything (sim/sm/core/gate_check.h).
// Kernels that take any number of warps run with few, so that the SM is often idle. Random programs have the same test
// in system_random_programs_test.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <iostream>
#include <iterator>
#include <set>

#include "sim/gpu/ptx_run.h"
#include "sim/gpu/run.h"
#include "tests/kit/part.h"

namespace gpu = heddle::gpu;

int sc_main(int, char**) {
  return 0;
}

namespace {

constexpr unsigned FewWarps = 6;
const heddle::Mechanism Mechanisms[] = {{"spe", "baseline"}, {"dpe", "shadow"}};

/// Made for one effect, and quick at their own size.
const std::set<std::string> Quick = {"vector_add", "diverge", "nest", "trip_count", "reduce", "hazard", "reorder"};

/// How a run is simulated, which it must not show.
struct Way {
  const char* words;
  bool gate, one_process;
};
constexpr Way Ways[] = {{"as always", true, true},
                        {"without the gate", false, true},
                        {"without the gate, in separate processes", false, false}};

/// A request for each way, of each mechanism.
void add_all_ways(std::vector<gpu::RunRequest>& requests, gpu::RunRequest request) {
  request.timed.sm.point = &heddle::point::hpca13::Values;
  for (const heddle::Mechanism& mechanism : Mechanisms) {
    request.timed.sm.mechanism = mechanism;
    for (const Way& way : Ways) {
      request.timed.sm.clock_gate = way.gate;
      request.timed.sm.one_process = way.one_process;
      requests.push_back(request);
    }
  }
}

std::string first_difference(const gpu::RunResult& always, const gpu::RunResult& other, const Way& way) {
  if (always.status != other.status || always.message != other.message)
    return fmt::format("{} '{}', else '{}'", way.words, other.message, always.message);
  const auto with = always.statistics.numbers(), without = other.statistics.numbers();
  for (std::size_t i = 0; i < with.size(); ++i) {
    if (with[i].value != without[i].value)
      return fmt::format("{}: {} {}, else {}", with[i].name, way.words, without[i].value, with[i].value);
  }
  return "";
}

struct Sums {
  std::uint64_t cycles = 0, idle = 0;
  double gated_seconds = 0, free_seconds = 0;
};

Sums run_and_compare(const std::vector<gpu::RunRequest>& requests) {
  const std::vector<gpu::RunResult> results = gpu::run_in_children(requests, 2);
  Sums sums;
  for (std::size_t i = 0; i < results.size(); i += std::size(Ways)) {
    const gpu::RunResult &gated = results[i], &free = results[i + 1];
    const std::string run = requests[i].kernel + " under " + requests[i].timed.sm.mechanism.divergence;
    const auto wanted = requests[i].expects_deadlock ? gpu::RunStatus::Deadlock : gpu::RunStatus::Ok;
    BOOST_TEST((gated.status == wanted), run << ": " << gated.message);
    for (std::size_t w = 1; w < std::size(Ways); ++w) {
      const std::string differs = first_difference(gated, results[i + w], Ways[w]);
      BOOST_TEST(differs.empty(), run << ": " << differs);
    }
    std::cout << fmt::format(
        "{:<32} {:>9} cycles, {:>5.1f}% idle, {:>5.2f} CPU s, without the gate {:>5.2f}\n", run,
        gated.statistics.cycles,
        100.0 * double(gated.statistics.idle_cycles) / double(std::max<std::uint64_t>(1, gated.statistics.cycles)),
        gated.timed_cpu_seconds, free.timed_cpu_seconds);
    sums.cycles += gated.statistics.cycles;
    sums.idle += gated.statistics.idle_cycles;
    sums.gated_seconds += gated.timed_cpu_seconds;
    sums.free_seconds += free.timed_cpu_seconds;
  }
  std::cout << fmt::format("{} cycles, {} idle; {:.1f} CPU s, without the gate {:.1f}\n", sums.cycles, sums.idle,
                           sums.gated_seconds, sums.free_seconds);
  return sums;
}

/// A PTX file of ours on so many blocks, its buffers zero.
gpu::RunRequest ptx(const std::string& name, unsigned blocks, unsigned threads, std::vector<std::string> arguments) {
  gpu::PtxRun run;
  run.file = std::string(HEDDLE_PTX_SOURCES) + '/' + name + ".ptx";
  run.grid = {blocks, 1, 1};
  run.block = {threads, 1, 1};
  run.arguments = std::move(arguments);
  gpu::RunRequest request;
  request.kernel = name;
  request.program = gpu::ptx_program(run);
  return request;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_kernel_runs_alike_with_and_without_the_gate) {
  const std::vector<const gpu::Workload*> all = gpu::all_workloads(), part = heddle::tests::part_of(all);
  std::cout << heddle::tests::said(part.size(), all.size(), "kernels") << '\n';
  std::vector<gpu::RunRequest> requests;
  for (const gpu::Workload* workload : part) {
    gpu::WorkloadOptions options;
    if (workload->takes_any_warps() && Quick.count(workload->name()) == 0) options.warps = FewWarps;
    gpu::RunRequest request;
    request.kernel = workload->name();
    request.program = gpu::workload_program(*workload, options, HEDDLE_PTX_DIR);
    request.with_oracle = false;  // system_kernel_suite_test asks it
    request.expects_deadlock = workload->expects_deadlock();
    request.timed.sm.watchdog_cycles = request.expects_deadlock ? 20'000 : 1'000'000;
    add_all_ways(requests, request);
  }
  const Sums sums = run_and_compare(requests);
  // Else there was nothing to gate. A part may be of kernels that hardly wait.
  BOOST_TEST(sums.idle > (heddle::tests::only_a_part() ? 0 : sums.cycles / 10));
}

/// Ended as a deadlock when the gate counted quiet edges: paths without lanes lie upon each other, and a fence waits
/// for the last store that is under way.
BOOST_AUTO_TEST_CASE(blank_pops_and_a_fence_after_an_atomic) {
  std::vector<gpu::RunRequest> requests;
  add_all_ways(requests, ptx("blank_pops", 1, 32, {"zeros:128"}));
  add_all_ways(requests, ptx("fence_after_atomic", 2, 64, {"zeros:4", "zeros:4"}));
  const Sums sums = run_and_compare(requests);
  BOOST_TEST(sums.idle > 0U);
}
