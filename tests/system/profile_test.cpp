// SPDX-License-Identifier: Apache-2.0
// A profile accounts for every cycle and every event of a run: what its instructions say adds up to the statistics.
#include <boost/test/unit_test.hpp>

#include "sim/gpu/ptx_run.h"
#include "sim/gpu/run.h"
#include "sim/gpu/workload.h"
#include "tests/kit/mechanism_runs.h"
#include "tests/kit/profile_sums.h"

namespace gpu = heddle::gpu;
using heddle::CodeCount;
using heddle::Stall;

int sc_main(int, char**) {
  return 0;
}

namespace {

gpu::RunRequest request(const std::string& kernel, const std::string& divergence, unsigned sms = 1,
                        bool clock_gate = true) {
  gpu::RunRequest request = heddle::tests::request_of(
      heddle::with_its_scoreboard(divergence), gpu::workload_program(*gpu::find_workload(kernel), {}, HEDDLE_PTX_DIR));
  request.kernel = kernel;
  request.timed.profile = true;
  request.timed.sms = sms;
  request.timed.sm.clock_gate = clock_gate;
  return request;
}

void expect_all_accounted(const gpu::RunRequest& asked, const gpu::RunResult& result) {
  const std::string what = asked.kernel + " under " + asked.timed.sm.mechanism.divergence;
  BOOST_TEST((result.status == gpu::RunStatus::Ok), what << ": " << result.message);
  BOOST_TEST(!result.profiles.empty());
  for (const std::string& line : heddle::tests::unaccounted(result)) BOOST_ERROR(what + ": " + line);
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_cycle_and_every_event_belongs_to_an_instruction) {
  std::vector<gpu::RunRequest> requests;
  for (const heddle::DivergenceRow& row : heddle::divergences())
    if (*row.variant_of == '\0' && row.keeps_warps() && (row.reconverges || row.has(heddle::SmSide::Barriers)))
      for (const char* kernel : {"diverge", "bfs", "reduce"})  // branches, launches and accesses, shared memory
        requests.push_back(request(kernel, row.name));
  for (const char* kernel : {"diverge", "bfs", "reduce"}) requests.push_back(request(kernel, "mimd"));
  requests.push_back(request("bfs", "dpe", 4));
  const std::vector<gpu::RunResult> results = gpu::run_in_children(requests, 2);
  for (std::size_t i = 0; i < requests.size(); ++i) expect_all_accounted(requests[i], results[i]);
}

/// Each sleeping cycle is charged as if it had been awake.
BOOST_AUTO_TEST_CASE(the_clock_gate_changes_no_profile) {
  for (const char* divergence : {"spe", "dpe", "dws50"}) {
    const auto results = gpu::run_in_children({request("bfs", divergence), request("bfs", divergence, 1, false)}, 2);
    BOOST_REQUIRE(results[0].profiles.size() == results[1].profiles.size());
    for (std::size_t p = 0; p < results[0].profiles.size(); ++p)
      for (std::size_t pc = 0; pc < results[0].profiles[p].rows.size(); ++pc) {
        const CodeCount &with = results[0].profiles[p].rows[pc].counts,
                        &without = results[1].profiles[p].rows[pc].counts;
        BOOST_TEST(with.issues == without.issues, divergence << " at PC " << pc);
        BOOST_TEST(with.stalls == without.stalls, divergence << " at PC " << pc);
      }
  }
}

/// One warp, one load whose value the next instruction needs: who waits is the one that needs it.
BOOST_AUTO_TEST_CASE(a_stall_is_of_the_instruction_that_waits) {
  gpu::PtxRun what;
  what.file = HEDDLE_PTX_SOURCES "/use_after_load.ptx";
  what.arguments = {"zeros:128"};
  gpu::RunRequest one = heddle::tests::request_of({"dpe", "shadow"}, gpu::ptx_program(what));
  one.timed.profile = true;
  const gpu::RunResult result = gpu::run_in_children({one}, 1).front();
  expect_all_accounted(one, result);
  const auto& rows = result.profiles.front().rows;
  const auto waits = static_cast<std::size_t>(Stall::ScoreboardTrue);
  bool seen = false;
  for (std::size_t pc = 0; pc + 1 < rows.size(); ++pc) {
    if (rows[pc].text.find("ld.global") == std::string::npos) continue;
    seen = true;
    BOOST_TEST(rows[pc + 1].text.find("add") != std::string::npos, rows[pc + 1].text);
    BOOST_TEST(rows[pc + 1].counts.stalls[waits] > 100U);  // a miss
    BOOST_TEST(rows[pc].counts.line_requests == 1U);
    BOOST_TEST(rows[pc].source_line == 7U);
    BOOST_TEST(rows[pc].source_file == "use/after_load.cu");
  }
  BOOST_TEST(seen);
}
