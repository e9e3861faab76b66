// SPDX-License-Identifier: Apache-2.0
// Barrel processing (DWF sec. 2.1) on DWF's machine, micro07: cycles as counted by hand, and kernels beside the oracle
// under both of the paper's stacks, ending as they do with a scoreboard.
#include <boost/test/unit_test.hpp>
#include <iostream>

#include "sim/gpu/ptx_run.h"
#include "sim/gpu/run.h"
#include "tests/kit/mechanism_runs.h"
#include "tests/kit/part.h"

namespace gpu = heddle::gpu;
using heddle::Stall;

int sc_main(int, char**) {
  return 0;
}

namespace {

const heddle::DesignPoint& micro07 = heddle::point::micro07::Values;

gpu::RunResult steps_of(const char* entry, unsigned warps, const char* scoreboard) {
  gpu::PtxRun run;
  run.file = HEDDLE_PTX_SOURCES "/barrel_steps.ptx";
  run.entry = entry;
  run.block = {warps * micro07.lanes, 1, 1};
  run.arguments = {"zeros:1024"};
  gpu::RunRequest request = heddle::tests::request_of({"spe", scoreboard}, gpu::ptx_program(run));
  request.timed.sm.point = &micro07;
  request.timed.memory = gpu::MemoryKind::Ideal;
  return gpu::run_in_children({request}, 1).at(0);
}

/// Cycles that twenty instructions more a warp take.
std::uint64_t cycles_of_twenty(unsigned warps, const char* scoreboard) {
  const gpu::RunResult few = steps_of("few", warps, scoreboard), more = steps_of("twenty_more", warps, scoreboard);
  BOOST_TEST(few.equals_oracle, few.message);
  BOOST_TEST(more.equals_oracle, more.message);
  BOOST_TEST(more.statistics.warp_instructions - few.statistics.warp_instructions == 20 * warps);
  return more.statistics.cycles - few.statistics.cycles;
}

gpu::RunRequest request_of(const gpu::Workload& workload, const heddle::Mechanism& mechanism,
                           std::uint64_t max_cycles) {
  gpu::WorkloadOptions options;
  options.lanes = micro07.lanes;
  options.warps_per_block = micro07.warps;
  gpu::RunRequest request =
      heddle::tests::request_of(mechanism, gpu::workload_program(workload, options, HEDDLE_PTX_DIR));
  request.kernel = workload.name();
  request.timed.sm.point = &micro07;
  request.timed.sm.watchdog_cycles = workload.expects_deadlock() ? 20'000 : 1'000'000;
  request.timed.sm.max_cycles = max_cycles;
  request.byte_exact = workload.is_byte_exact();
  return request;
}

}  // namespace

/// From issue to writeback an addition takes 10 cycles: 1 into operand read, 1 there, 8 in the unit. A warp issues every
/// 10 cycles whether it needs the last result or not, up to ten warps side by side; with 16 one issues a cycle.
BOOST_AUTO_TEST_CASE(a_warp_issues_when_its_last_instruction_is_written) {
  BOOST_TEST(micro07.alu_latency == 8U);
  BOOST_TEST(cycles_of_twenty(1, "barrel") == 200U);
  BOOST_TEST(cycles_of_twenty(8, "barrel") == 200U);
  BOOST_TEST(cycles_of_twenty(16, "barrel") == 320U);
  BOOST_TEST(cycles_of_twenty(1, "baseline") < 200U);  // ten of them wait for nobody
}

/// What a scoreboard would have let go is counted apart.
BOOST_AUTO_TEST_CASE(waits_without_a_dependency_are_counted_as_such) {
  const auto waits = static_cast<unsigned>(Stall::ScoreboardFalse);
  const gpu::RunResult barrel = steps_of("twenty_more", 1, "barrel"), board = steps_of("twenty_more", 1, "baseline");
  BOOST_TEST(board.statistics.stalls[waits] == 0U);
  BOOST_TEST(barrel.statistics.stalls[waits] >= 15U * 9);  // each of the 15 sums, 9 cycles without an issue
}

/// Whatever ends in time with a scoreboard: the same outcome, as many issues, the same lanes.
BOOST_AUTO_TEST_CASE(kernels_end_as_with_a_scoreboard) {
  const auto ends_in_time = [](const gpu::Workload* w) { return w->name() == std::string("vector_add"); };
  const auto kernels = heddle::tests::part_with(gpu::all_workloads(), 10, ends_in_time);
  constexpr std::uint64_t InTime = 400'000;  // cycles
  unsigned equal = 0, runs = 0;
  for (const char* divergence : {"spe", "serial"}) {
    std::vector<gpu::RunRequest> boards, barrels;
    for (const gpu::Workload* kernel : kernels) boards.push_back(request_of(*kernel, {divergence, "baseline"}, InTime));
    const std::vector<gpu::RunResult> with = gpu::run_in_children(boards, 2);
    for (std::size_t i = 0; i < with.size(); ++i) {
      const bool in_time = with[i].error != gpu::ErrorCode::CycleLimit;
      if (in_time) barrels.push_back(request_of(*kernels[i], {divergence, "barrel"}, 10 * InTime));
    }
    const std::vector<gpu::RunResult> without = gpu::run_in_children(barrels, 2);
    for (std::size_t i = 0, j = 0; j < without.size(); ++i) {
      if (boards[i].kernel != barrels[j].kernel) continue;
      const gpu::RunResult &board = with[i], &barrel = without[j++];
      const std::string run = boards[i].kernel + ' ' + divergence + ": " + barrel.message;
      BOOST_TEST((barrel.status == board.status), run);
      BOOST_TEST((barrel.error == board.error), run);
      if (boards[i].byte_exact && board.status == gpu::RunStatus::Ok) {
        BOOST_TEST(barrel.equals_oracle == board.equals_oracle, run);
        BOOST_TEST(barrel.statistics.warp_instructions == board.statistics.warp_instructions, run);
        BOOST_TEST(barrel.statistics.thread_instructions == board.statistics.thread_instructions, run);
      }
      equal += barrel.equals_oracle;
      ++runs;
    }
  }
  std::cout << equal << " of " << runs << " runs equal the oracle\n";
  BOOST_TEST(equal > (heddle::tests::only_a_part() ? 0 : runs / 3));  // most others: serial at a CTA barrier
}
