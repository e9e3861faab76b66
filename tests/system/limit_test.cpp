// SPDX-License-Identifier: Apache-2.0
// The limit study's post-dominator slots beside the timed reconvergence stack: the same number of warp instructions,
// where the study sees all of a kernel.
#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <iostream>

#include "sim/gpu/oracle_device.h"
#include "sim/gpu/run.h"
#include "sim/limit/study.h"

namespace gpu = heddle::gpu;
namespace isa = heddle::isa;
namespace limit = heddle::limit;

int sc_main(int, char**) {
  return 0;
}

BOOST_AUTO_TEST_CASE(the_replay_issues_what_the_stack_issues) {
  gpu::WorkloadOptions options;
  options.warps = limit::TracedThreads / 16;
  options.lanes = 16;
  options.warps_per_block = 16;
  std::vector<gpu::RunRequest> requests;
  std::vector<limit::Result> results;
  unsigned worse_warps = 0;
  for (const gpu::Workload* workload : gpu::all_workloads()) {
    if (!workload->takes_any_warps() || !workload->is_byte_exact() || workload->expects_deadlock()) continue;
    gpu::RunRequest request;
    request.kernel = workload->name();
    request.program = gpu::workload_program(*workload, options, HEDDLE_PTX_DIR);
    request.timed.sm.point = &heddle::point::micro07::Values;
    request.timed.sm.mechanism = {"spe", "baseline"};
    request.with_oracle = false;
    limit::Tracer tracer;
    isa::OracleOptions oracle{16};
    oracle.observer = &tracer;
    heddle::compiler::MachineOptions machine;
    machine.max_registers = request.timed.sm.point->max_registers;
    gpu::OracleDevice device(oracle, machine);
    BOOST_TEST(request.program(device).ok, request.kernel);
    const limit::Result result = limit::study(tracer.launches(), 16);
    BOOST_TEST(result.aligned_slots <= result.post_dominator_slots, request.kernel);
    BOOST_TEST(result.fewest_slots <= result.aligned_slots, request.kernel);
    BOOST_TEST(result.better_warps + result.worse_warps <= result.warps, request.kernel);
    worse_warps += result.worse_warps;
    if (result.cut != 0 || result.threads != result.launched_threads || result.has_indirect) {
      std::cout << fmt::format("{}: the study does not see all of it\n", request.kernel);
      continue;
    }
    requests.push_back(request);
    results.push_back(result);
  }
  BOOST_TEST(requests.size() >= 5U);
  BOOST_TEST(worse_warps > 0U);  // else nothing shows that the stack's order is taken then
  const std::vector<gpu::RunResult> timed = gpu::run_in_children(requests, 2);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    BOOST_REQUIRE_MESSAGE(timed[i].status == gpu::RunStatus::Ok, requests[i].kernel << ": " << timed[i].message);
    BOOST_TEST(timed[i].statistics.warp_instructions == results[i].post_dominator_slots,
               requests[i].kernel << ": " << timed[i].statistics.warp_instructions << " warp instructions, "
                                  << results[i].post_dominator_slots << " slots");
    std::cout << fmt::format("{}: {} slots\n", requests[i].kernel, results[i].post_dominator_slots);
  }
}
