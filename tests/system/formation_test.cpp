// SPDX-License-Identifier: Apache-2.0
// Dynamic warp formation (DWF) in the SM: cycles and bank conflicts as counted by hand, what is refused, and kernels at
// the point of DWF and at the smallest one, under each policy on each register file, beside the oracle.
#include <boost/test/unit_test.hpp>
#include <iostream>

#include "sim/gpu/ptx_run.h"
#include "sim/gpu/run.h"
#include "tests/kit/kernel_runs.h"
#include "tests/kit/mechanism_runs.h"
#include "tests/kit/part.h"

namespace gpu = heddle::gpu;

int sc_main(int, char**) {
  return 0;
}

namespace {

const heddle::DesignPoint& micro07 = heddle::point::micro07::Values;

gpu::RunRequest request_of(const std::string& file, const std::string& entry, unsigned warps,
                           const std::string& register_file, const std::string& divergence = "formation") {
  gpu::PtxRun run;
  run.file = HEDDLE_PTX_SOURCES "/" + file;
  run.entry = entry;
  run.block = {warps * micro07.lanes, 1, 1};
  run.arguments = {"zeros:1024"};
  gpu::RunRequest request = heddle::tests::request_of({divergence, "barrel", register_file}, gpu::ptx_program(run));
  request.timed.sm.point = &micro07;
  request.timed.memory = gpu::MemoryKind::Ideal;
  return request;
}

gpu::RunResult run_of(const std::string& file, const std::string& entry, unsigned warps,
                      const std::string& register_file) {
  return gpu::run_in_children({request_of(file, entry, warps, register_file)}, 1).at(0);
}

/// Cycles that twenty instructions more a warp take.
std::uint64_t cycles_of_twenty(unsigned warps, const std::string& register_file) {
  const gpu::RunResult few = run_of("barrel_steps.ptx", "few", warps, register_file),
                       more = run_of("barrel_steps.ptx", "twenty_more", warps, register_file);
  BOOST_TEST(few.equals_oracle, few.message);
  BOOST_TEST(more.equals_oracle, more.message);
  BOOST_TEST(more.statistics.warp_instructions - few.statistics.warp_instructions == 20 * warps);
  return more.statistics.cycles - few.statistics.cycles;
}

}  // namespace

/// From issue to issue an addition takes 20 cycles: 2 of fetch and the extra stage, 1 of operand read, 8 in the unit, 1
/// of the last stage, and 7 from there to issued_o (rtl/warp_formation). Sixteen warps go side by side.
BOOST_AUTO_TEST_CASE(a_warp_comes_back_from_the_last_stage) {
  BOOST_TEST(micro07.alu_latency == 8U);
  BOOST_TEST(micro07.fetch_latency == 2U);
  for (const char* file : {"ideal", "naive", "lane_aware"}) {
    BOOST_TEST(cycles_of_twenty(1, file) == 20U * 20);
    BOOST_TEST(cycles_of_twenty(16, file) == 20U * 20);
  }
}

/// Either side has ten sums of two words and one result: a turn more at the reads and one at the write for each, both
/// sides, nothing else; and in other register files nothing at all.
BOOST_AUTO_TEST_CASE(threads_of_one_home_lane_take_turns) {
  const gpu::RunResult naive = run_of("formation_banks.ptx", "k", 2, "naive"),
                       ideal = run_of("formation_banks.ptx", "k", 2, "ideal"),
                       aware = run_of("formation_banks.ptx", "k", 2, "lane_aware");
  for (const gpu::RunResult* result : {&naive, &ideal, &aware}) BOOST_TEST(result->equals_oracle, result->message);
  BOOST_TEST(naive.statistics.bank_conflict_cycles == 2U * 10 * (1 + 1));
  BOOST_TEST(ideal.statistics.bank_conflict_cycles == 0U);
  BOOST_TEST(aware.statistics.bank_conflict_cycles == 0U);
  BOOST_TEST(ideal.statistics.warp_instructions == naive.statistics.warp_instructions);
  // A sum that is read a cycle longer and written a cycle longer comes back two cycles later. The second side's first
  // one came a cycle behind the other's, and waits for it; from then on they are two apart.
  BOOST_TEST(naive.statistics.cycles - ideal.statistics.cycles == 10U * 2 + 1);
  BOOST_TEST(run_of("formation_banks.ptx", "k", 1, "naive").statistics.bank_conflict_cycles == 0U);
}

BOOST_AUTO_TEST_CASE(what_it_cannot_run_is_refused_by_name) {
  const auto expect = [](const gpu::RunRequest& request, const std::vector<std::string>& words) {
    const gpu::RunResult result = gpu::run_in_children({request}, 1).at(0);
    BOOST_TEST((result.error == gpu::ErrorCode::NotSupported), result.message);
    for (const std::string& word : words)
      BOOST_TEST(result.message.find(word) != std::string::npos, "no '" << word << "' in: " << result.message);
  };
  expect(request_of("shuffle_in_each_arm.ptx", "k", 2, "ideal"), {"shuffle_in_each_arm.ptx:", "shfl"});
  expect(request_of("formation_banks.ptx", "k", 2, "static"), {"static", "lane_aware, ideal, naive"});
  expect(request_of("formation_banks.ptx", "k", 2, "naive", "spe"), {"naive", "--register-file static"});
  expect(request_of("two_named_barriers.ptx", "k", 4, "ideal"), {"another barrier", "two_named_barriers.ptx:"});
  gpu::RunRequest board = request_of("formation_banks.ptx", "k", 2, "ideal");
  board.timed.sm.mechanism.scoreboard = "baseline";
  expect(board, {"no scoreboard", "--scoreboard barrel"});
}

/// The last arrival at a barrier and a warp that comes back from memory are done in one cycle, among many blocks.
BOOST_AUTO_TEST_CASE(a_barrier_opens_beside_warps_that_come_back) {
  gpu::PtxRun run;
  run.file = HEDDLE_PTX_SOURCES "/formation_barrier_beside_misses.ptx";
  run.grid = {256, 1, 1};
  run.block = {2 * micro07.lanes, 1, 1};
  run.arguments = {"zeros:32768"};
  std::vector<gpu::RunRequest> requests;
  for (const heddle::Mechanism& mechanism : heddle::tests::every_formation()) {
    requests.push_back(heddle::tests::request_of(mechanism, gpu::ptx_program(run)));
    requests.back().timed.sm.point = &micro07;
    requests.back().kernel = heddle::tests::name_of(mechanism);
  }
  const std::vector<gpu::RunResult> results = gpu::run_in_children(requests, 2);
  for (std::size_t i = 0; i < results.size(); ++i)
    BOOST_TEST(results[i].equals_oracle, requests[i].kernel << ": " << results[i].message);
}

/// Full warps that spin for a lock can be issued in each cycle, where a warp is back after 13 cycles and there are 16 of
/// them: the thread that has the lock is never issued by a policy that likes full warps, or low PCs. At micro07 itself a
/// warp is back after 20, and it is.
BOOST_AUTO_TEST_CASE(who_holds_a_lock_starves_under_two_policies) {
  heddle::DesignPoint quick = micro07;
  quick.alu_latency = 1;
  std::vector<gpu::RunRequest> requests;
  for (const heddle::DesignPoint* point : {static_cast<const heddle::DesignPoint*>(&quick), &micro07})
    for (const char* policy :
         {"formation", "formation_program_counter", "formation_minority", "formation_time_stamp", "formation_pdpri"}) {
      gpu::WorkloadOptions options;
      options.size = gpu::parse_size("large");
      options.lanes = point->lanes;
      options.warps_per_block = point->warps;
      requests.push_back(
          heddle::tests::request_of({policy, "barrel", "lane_aware"},
                                    gpu::workload_program(*gpu::find_workload("spin_lock"), options, HEDDLE_PTX_DIR)));
      requests.back().kernel = policy;
      requests.back().timed.sm.point = point;
      requests.back().timed.sm.watchdog_cycles = 20'000;
      requests.back().timed.memory = gpu::MemoryKind::Ideal;
    }
  const std::vector<gpu::RunResult> results = gpu::run_in_children(requests, 2);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const std::string& message = results[i].message;
    if (i >= 2) {
      BOOST_TEST((results[i].status == gpu::RunStatus::Ok), requests[i].kernel << ": " << message);
      continue;
    }
    BOOST_TEST((results[i].status == gpu::RunStatus::Deadlock), requests[i].kernel << ": " << message);
    const std::string cause = "the policy of --divergence " + requests[i].kernel + " issues others first: ";
    BOOST_TEST(message.find(cause) != std::string::npos, "no '" << cause << "' in: " << message);
    BOOST_TEST(message.find("spin_lock.ptx:", message.find(cause)) != std::string::npos, message);
  }
}

/// With the clock gate and without: the same outcome, and the same numbers. At the point of DWF system.kernel_suite has
/// every kernel too.
BOOST_AUTO_TEST_CASE(kernels_equal_the_oracle) {
  std::vector<gpu::RunRequest> at_tiny, at_micro07;
  const auto append = [](std::vector<gpu::RunRequest>& all, const std::vector<gpu::RunRequest>& more) {
    all.insert(all.end(), more.begin(), more.end());
  };
  for (const heddle::Mechanism& mechanism : heddle::tests::every_formation()) {
    append(at_tiny, heddle::tests::every_kernel(heddle::point::tiny::Values, mechanism, HEDDLE_PTX_DIR));
    append(at_micro07, heddle::tests::every_kernel(micro07, mechanism, HEDDLE_PTX_DIR));
  }
  std::vector<gpu::RunRequest> part = heddle::tests::part_with(at_tiny, 10, heddle::tests::runs_everywhere);
  append(part, heddle::tests::part_of(at_micro07, 25));
  std::cout << heddle::tests::said(part.size(), at_tiny.size() + at_micro07.size(), "runs") << '\n';
  const unsigned equal = heddle::tests::check_kernels_with_and_without_gate(
      part, [](const gpu::RunRequest& request, const gpu::RunResult& result) {
        if (request.timed.sm.mechanism.register_file == "lane_aware")
          BOOST_TEST(result.statistics.bank_conflict_cycles == 0U, request.kernel);
      });
  BOOST_TEST(equal > (heddle::tests::only_a_part() ? 0 : part.size() / 5));
}
