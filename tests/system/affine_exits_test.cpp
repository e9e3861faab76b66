// SPDX-License-Identifier: Apache-2.0
// Threads that leave early, and loops that threads leave one by one, beside an affine warp: the results are the oracle's,
// in two streams or, where these could not end, whole and with the reason.
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "sim/gpu/ptx_run.h"
#include "sim/gpu/run.h"
#include "tests/kit/mechanism_runs.h"

namespace gpu = heddle::gpu;
namespace tests = heddle::tests;

int sc_main(int, char**) {
  return 0;
}

namespace {

struct Program {
  const char* file;
  unsigned threads, blocks;
  std::vector<std::string> arguments;
  const char* whole;  ///< part of the reason to run whole; nullptr: it never does
  bool may_split;     ///< it does so only where the side that leaves runs last: meeting points say which one
};

const std::vector<Program> Programs = {
    {"dac_early_exit", 96, 1, {"zeros:384"}, "stands behind it", true},
    {"dac_early_return", 128, 2, {"zeros:1024", "64"}, "stands behind it", false},
    {"dac_loop_with_exits", 32, 1, {"zeros:128", "zeros:128"}, "of the affine stack", false},
    {"barrier_by_block", 64, 40, {"zeros:10240"}, nullptr, true},
};

gpu::RunRequest request_of(const Program& program, const heddle::Mechanism& mechanism) {
  gpu::PtxRun run;
  run.file = std::string(HEDDLE_PTX_SOURCES "/") + program.file + ".ptx";
  run.grid = {program.blocks, 1, 1};
  run.block = {program.threads, 1, 1};
  run.arguments = program.arguments;
  gpu::RunRequest request = tests::request_of(mechanism, gpu::ptx_program(run));
  request.kernel = std::string(program.file) + " under " + tests::name_of(mechanism);
  request.timed.sm.point = &heddle::point::isca17::Values;
  request.timed.sm.watchdog_cycles = 20'000;
  return request;
}

}  // namespace

BOOST_AUTO_TEST_CASE(they_end_as_the_oracle_says) {
  std::vector<gpu::RunRequest> requests;
  std::vector<const Program*> programs;
  for (const Program& program : Programs)
    for (const heddle::Mechanism& mechanism : tests::affine_mechanisms()) {
      requests.push_back(request_of(program, mechanism));
      programs.push_back(&program);
    }
  const std::vector<gpu::RunResult> results = gpu::run_in_children(requests, 2);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const gpu::RunResult& result = results[i];
    const std::string what = requests[i].kernel;
    BOOST_TEST(result.equals_oracle, what << ": " << result.message);
    if (!requests[i].timed.sm.mechanism.affine.outcomes) continue;
    const std::string reason = result.whole_kernels.empty() ? "" : result.whole_kernels.begin()->second.reason;
    const bool is_whole = programs[i]->whole != nullptr && reason.find(programs[i]->whole) != std::string::npos;
    BOOST_TEST((is_whole || (reason.empty() && programs[i]->may_split)), what << ": " << reason);
  }
}
