// SPDX-License-Identifier: Apache-2.0
// MIMD (DWF sec. 6) in the SM: cycles, issues and accesses as counted by hand, what is refused, and kernels at the point of
// DWF and at the smallest one beside the oracle.
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
const heddle::Mechanism Mimd = heddle::tests::mimd_mechanisms().front();

gpu::RunRequest request_of(const std::string& file, const std::string& entry, unsigned threads,
                           const std::vector<std::string>& arguments, const heddle::Mechanism& mechanism = Mimd) {
  gpu::PtxRun run;
  run.file = HEDDLE_PTX_SOURCES "/" + file;
  run.entry = entry;
  run.block = {threads, 1, 1};
  run.arguments = arguments;
  gpu::RunRequest request = heddle::tests::request_of(mechanism, gpu::ptx_program(run));
  request.timed.sm.point = &micro07;
  request.timed.sm.watchdog_cycles = 50'000;
  request.timed.memory = gpu::MemoryKind::Ideal;
  return request;
}

heddle::Statistics counted(const gpu::RunRequest& request) {
  const gpu::RunResult result = gpu::run_in_children({request}, 1).at(0);
  BOOST_TEST(result.equals_oracle, request.kernel << ": " << result.message);
  return result.statistics;
}

heddle::Statistics counted(const std::string& file, const std::string& entry, unsigned threads,
                           const std::vector<std::string>& arguments = {"zeros:1024"}) {
  return counted(request_of(file, entry, threads, arguments));
}

}  // namespace

/// From issue to issue an addition takes 10 cycles, as under --scoreboard barrel: 1 into operand read, 1 there, 8 in the
/// unit. Up to ten threads of a lane go side by side, and with sixteen it issues one a cycle: 20 x 16 cycles, in each of
/// which all sixteen lanes issue, the peak.
BOOST_AUTO_TEST_CASE(a_thread_issues_when_its_last_instruction_is_done) {
  BOOST_TEST(micro07.alu_latency == 8U);
  const auto of_twenty = [](unsigned threads) {
    const heddle::Statistics few = counted("barrel_steps.ptx", "few", threads),
                             more = counted("barrel_steps.ptx", "twenty_more", threads);
    BOOST_TEST(more.thread_instructions - few.thread_instructions == 20U * threads);
    return std::pair(more.cycles - few.cycles, more.warp_instructions - few.warp_instructions);
  };
  for (const unsigned threads : {1U, 16U}) {
    BOOST_TEST(of_twenty(threads).first == 200U);
    BOOST_TEST(of_twenty(threads).second == 20U);
  }
  BOOST_TEST(of_twenty(10 * 16).first == 200U);
  BOOST_TEST(of_twenty(16 * 16).first == 320U);
  BOOST_TEST(of_twenty(16 * 16).second == 320U);
}

/// A turn of `ways` is ten instructions: the way is chosen (2), four sums, a jump, and three of the loop; nine on the last
/// way, which needs no jump, and which one lane of 16 takes where each goes its own. Ten turns more
/// of 256 threads on 16 lanes are 1600 cycles, whether all go one way or each lane its own; the last cycles of a run,
/// without an issue, differ by less than one addition.
BOOST_AUTO_TEST_CASE(divergence_costs_nothing) {
  const auto ways = [](const char* mask, const char* turns) {
    return counted("mimd_lanes.ptx", "ways", 256, {"zeros:1024", mask, turns});
  };
  for (const char* mask : {"0", "15"}) {
    const heddle::Statistics few = ways(mask, "10"), more = ways(mask, "20");
    const unsigned jumps_less = std::string(mask) == "15" ? 10 * 256 / 16 : 0;
    BOOST_TEST(more.thread_instructions - few.thread_instructions == 10U * 10 * 256 - jumps_less);
    BOOST_TEST(more.warp_instructions - few.warp_instructions == 1600U);
    BOOST_TEST(more.thread_ipc() <= 16.0);
    const std::uint64_t cycles = more.cycles - few.cycles;
    BOOST_TEST(cycles >= 1600U);
    BOOST_TEST(cycles < 1610U);
  }
  BOOST_TEST(ways("0", "20").cycles == ways("15", "20").cycles);
}

/// 16 neighbours of 4 bytes lie in one line of 64. Odd lanes that come earlier ask for it, and even lanes ask again.
BOOST_AUTO_TEST_CASE(accesses_of_one_cycle_are_coalesced) {
  BOOST_TEST(micro07.line_bytes == 64U);
  const auto expect = [](const char* entry, unsigned threads, std::uint64_t lines) {
    const std::uint64_t requests = counted("mimd_lanes.ptx", entry, threads).line_requests;
    BOOST_TEST(requests == lines, entry << " of " << threads << ": " << requests);
  };
  expect("together", 16, 1);
  expect("together", 256, 16);
  expect("apart", 16, 2);
  expect("apart", 256, 32);
  BOOST_TEST(counted("mimd_lanes.ptx", "together", 256).global_accesses == 16U);
  BOOST_TEST(counted("mimd_lanes.ptx", "apart", 16).global_accesses == 2U);
  // Odd lanes of one row and even lanes of another may come at once, if there are more rows: one access of two lines.
  BOOST_TEST(counted("mimd_lanes.ptx", "apart", 256).global_accesses <= 32U);
}

/// Alone a thread takes 10 cycles for each of the six sums of a turn, and 4 for each of its four jumps: 1 into operand
/// read, 1 there, `fetch_latency` of 2.
BOOST_AUTO_TEST_CASE(a_jump_waits_for_its_fetch) {
  BOOST_TEST(micro07.fetch_latency == 2U);
  const auto cycles = [](const char* turns) {
    return counted("mimd_lanes.ptx", "ways", 1, {"zeros:1024", "0", turns}).cycles;
  };
  BOOST_TEST(cycles("20") - cycles("10") == 10U * (6 * 10 + 4 * 4));
}

/// A lane that was refused comes first, and of two schedulers each has its turns: threads that fill the load/store unit for
/// as long as they like keep nobody out. On hpca13 those are of scheduler 0, and who ends it is of scheduler 1.
BOOST_AUTO_TEST_CASE(nobody_starves) {
  counted("mimd_lanes.ptx", "crowd", 256, {"zeros:1024", "15", "15"});
  gpu::RunRequest request = request_of("mimd_lanes.ptx", "crowd", 1024, {"zeros:4096", "32", "63"});
  request.timed.sm.point = &heddle::point::hpca13::Values;
  counted(request);
}

BOOST_AUTO_TEST_CASE(a_spin_lock_comes_to_its_end) {
  for (const heddle::DesignPoint* point : {&micro07, &heddle::point::hpca13::Values}) {
    gpu::RunRequest request = request_of("spin_lock.ptx", "k", 256, {"zeros:4", "zeros:4"});
    request.timed.sm.point = point;
    counted(request);
    request.timed.memory = gpu::MemoryKind::Share;
    counted(request);
  }
}

/// One thread stores in the lock and waits at its fence; what it waits for then is nothing else.
BOOST_AUTO_TEST_CASE(a_fence_waits_for_stores) {
  gpu::RunRequest request = request_of("spin_lock.ptx", "k", 1, {"zeros:4", "zeros:4"});
  request.timed.memory = gpu::MemoryKind::Share;
  BOOST_TEST(counted(request).stalls[static_cast<unsigned>(heddle::Stall::Memory)] > 0U);
}

/// Any CTA barriers: threads at one hold nobody back at another.
BOOST_AUTO_TEST_CASE(threads_wait_at_barriers_of_their_own) {
  BOOST_TEST(counted("two_named_barriers.ptx", "k", 64).barriers == 2U);
  BOOST_TEST(counted("barrier_with_result.ptx", "", 32).barriers > 0U);
  BOOST_TEST(counted("mimd_lanes.ptx", "guarded", 256).barriers == 2U);
}

BOOST_AUTO_TEST_CASE(what_it_cannot_run_is_refused_by_name) {
  const auto expect = [](const gpu::RunRequest& request, const std::vector<std::string>& words) {
    const gpu::RunResult result = gpu::run_in_children({request}, 1).at(0);
    BOOST_TEST((result.error == gpu::ErrorCode::NotSupported), result.message);
    for (const std::string& word : words)
      BOOST_TEST(result.message.find(word) != std::string::npos, "no '" << word << "' in: " << result.message);
  };
  const std::vector<std::string> zeros{"zeros:1024"};
  expect(request_of("shuffle_in_each_arm.ptx", "k", 32, zeros), {"shuffle_in_each_arm.ptx:", "shfl", "no warps"});
  expect(request_of("barrel_steps.ptx", "few", 32, zeros, {"mimd", "barrel", "lane_aware"}),
         {"lane_aware", "--register-file ideal"});
  expect(request_of("barrel_steps.ptx", "few", 32, zeros, {"mimd", "baseline", "ideal"}), {"--scoreboard barrel"});
}

/// The bound that it is there for.
BOOST_AUTO_TEST_CASE(it_is_as_fast_as_warp_formation_where_threads_diverge) {
  for (const char* name : {"diverge", "nest", "trip_count"}) {
    std::vector<gpu::RunRequest> requests;
    for (const heddle::Mechanism& mechanism : {Mimd, heddle::Mechanism{"formation", "barrel", "ideal"}}) {
      requests.push_back(heddle::tests::request_of(*gpu::find_workload(name), micro07, mechanism, HEDDLE_PTX_DIR));
      requests.back().timed.memory = gpu::MemoryKind::Ideal;
    }
    const std::vector<gpu::RunResult> results = gpu::run_in_children(requests, 2);
    for (const gpu::RunResult& result : results) BOOST_TEST(result.equals_oracle, name << ": " << result.message);
    BOOST_TEST(results[0].statistics.cycles <= results[1].statistics.cycles, name);
    BOOST_TEST(results[0].statistics.thread_instructions == results[1].statistics.thread_instructions, name);
  }
}

/// With the clock gate and without: the same outcome, and the same numbers.
BOOST_AUTO_TEST_CASE(kernels_equal_the_oracle) {
  std::vector<gpu::RunRequest> requests;
  for (const heddle::DesignPoint* point : {&micro07, &heddle::point::tiny::Values})
    for (const gpu::RunRequest& request : heddle::tests::every_kernel(*point, Mimd, HEDDLE_PTX_DIR, 500'000))
      requests.push_back(request);
  const std::vector<gpu::RunRequest> part = heddle::tests::part_with(requests, 10, heddle::tests::runs_everywhere);
  std::cout << heddle::tests::said(part.size(), requests.size(), "runs") << '\n';
  const unsigned equal =
      heddle::tests::check_kernels_with_and_without_gate(part, [](const gpu::RunRequest&, const gpu::RunResult&) {});
  BOOST_TEST(equal > 0U);
}
