// SPDX-License-Identifier: Apache-2.0
// Sides of branches that end the launch: where no thread takes one, each mechanism runs the program as if it were not
// there; where one does, each says so.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <iostream>
#include <iterator>
#include <string>

#include "sim/gpu/ptx_run.h"
#include "sim/sm/links/mechanisms.h"
#include "tests/kit/mechanism_runs.h"
#include "tests/random/program_campaign.h"
#include "tests/random/traps.h"

namespace gpu = heddle::gpu;
namespace tests = heddle::tests;

int sc_main(int, char**) {
  return 0;
}

namespace {

/// Every row of the table of mechanisms, and decoupled affine computation.
std::vector<heddle::Mechanism> every_mechanism() {
  std::vector<heddle::Mechanism> all;
  for (const heddle::DivergenceRow& row : heddle::divergences()) all.push_back(heddle::with_its_scoreboard(row.name));
  all.push_back(tests::affine_mechanisms().front());
  return all;
}

gpu::RunRequest request_of(const heddle::Mechanism& mechanism, const char* entry) {
  gpu::PtxRun run;
  run.file = HEDDLE_PTX_SOURCES "/trap_sides.ptx";
  run.entry = entry;
  run.block = {64, 1, 1};
  run.arguments = {"zeros:256"};
  gpu::RunRequest request = tests::request_of(mechanism, gpu::ptx_program(run));
  request.kernel = fmt::format("{} under {}", entry, tests::name_of(mechanism));
  request.timed.sm.point = &heddle::point::isca17::Values;
  request.timed.sm.watchdog_cycles = 20'000;
  return request;
}

/// Operations on the lanes of a warp. Where a trap is taken, a live lane that such an operation names is at the trap: a
/// mechanism that runs the other lanes first ends the launch with InvalidWarpWide, and is right.
bool names_lanes(const tests::RandomProgram& program) {
  const char* const names[] = {"shfl.", "vote.", "match.", "redux.", "bar.warp"};
  return std::any_of(std::begin(names), std::end(names),
                     [&](const char* name) { return program.ptx.find(name) != std::string::npos; });
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_side_that_no_thread_takes) {
  std::vector<gpu::RunRequest> requests;
  for (const heddle::Mechanism& mechanism : every_mechanism()) {
    if (mechanism.divergence == "serial") continue;  // it has no RPC, so lanes of a warp never meet before a barrier
    for (const char* entry :
         {"by_trap", "by_call", "by_a_function_of_traps", "by_a_last_call", "by_leaving", "nested", "checked_exit"})
      requests.push_back(request_of(mechanism, entry));
  }
  const std::vector<gpu::RunResult> results = gpu::run_in_children(requests, 2);
  for (std::size_t i = 0; i < results.size(); ++i)
    BOOST_TEST(results[i].equals_oracle, requests[i].kernel << ": " << results[i].message);
  std::cout << requests.size() << " runs of programs with trap sides equal the oracle\n";
}

/// Random programs, each with a trap that one thread takes at the top level: the launch ends with that error, and no
/// mechanism has another one before.
BOOST_AUTO_TEST_CASE(a_side_that_one_thread_takes) {
  std::vector<gpu::RunRequest> requests;
  for (const heddle::Mechanism& mechanism : every_mechanism()) {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      const tests::RandomProgram program = tests::with_taken_trap(tests::random_program(seed));
      if (names_lanes(program)) continue;
      gpu::RunRequest request = tests::request_of(mechanism, tests::host_program(program));
      request.kernel = fmt::format("seed {} under {}", seed, tests::name_of(mechanism));
      request.timed.sm.point = &heddle::point::isca17::Values;
      request.with_oracle = false;
      requests.push_back(request);
    }
  }
  const std::vector<gpu::RunResult> results = gpu::run_in_children(requests, 2);
  unsigned refused = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    refused += results[i].error == gpu::ErrorCode::NotSupported;
    if (results[i].error == gpu::ErrorCode::NotSupported) continue;
    BOOST_TEST(heddle::isa::name_of(results[i].error) == heddle::isa::name_of(gpu::ErrorCode::Trap),
               requests[i].kernel << ": " << results[i].message);
  }
  BOOST_TEST(refused < requests.size() / 2);
  std::cout << requests.size() - refused << " runs end at a trap, " << refused << " are refused by name\n";
}
