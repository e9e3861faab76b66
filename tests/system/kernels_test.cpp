// SPDX-License-Identifier: Apache-2.0
// Every kernel of ours that takes any number of warps under every mechanism: the oracle's memory byte for byte, the CPU
// reference, and the same lanes used to the last instruction. The others, and every kernel at its own size, are for
// system_kernel_suite_test.
#include <algorithm>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <iostream>
#include <iterator>
#include <ostream>
#include <set>

#include "sim/gpu/ptx_run.h"
#include "sim/gpu/run.h"
#include "tests/kit/mechanism_runs.h"
#include "tests/kit/part.h"

namespace gpu = heddle::gpu;
using heddle::DesignPoint;

int sc_main(int, char**) {
  return 0;
}

namespace {

const heddle::Mechanism Mechanisms[] = {{"spe", "baseline"}, {"spe", "shadow"}, {"dpe", "baseline"}, {"dpe", "shadow"}};

struct Shape {
  const DesignPoint* point;
  unsigned warps;
  bool ideal;
};

std::ostream& operator<<(std::ostream& out, const Shape& shape) {
  return out << shape.point->name << ", " << shape.warps << " warps, " << (shape.ideal ? "ideal" : "timed")
             << " memory";
}

const Shape Shapes[] = {{&heddle::point::hpca13::Values, 1, false},  {&heddle::point::hpca13::Values, 2, false},
                        {&heddle::point::hpca13::Values, 48, false}, {&heddle::point::hpca13::Values, 1, true},
                        {&heddle::point::hpca13::Values, 2, true},   {&heddle::point::hpca13::Values, 48, true},
                        {&heddle::point::tiny::Values, 2, false},    {&heddle::point::tiny::Values, 2, true}};

/// Made for one effect (kernels/README.md), and quick. A kernel of the papers takes a second with many warps.
const std::set<std::string> Quick = {"vector_add", "diverge", "nest",    "trip_count", "bfs",
                                     "reduce",     "hazard",  "reorder", "spin_lock",  "wide_address"};

/// At each point too.
bool runs_everywhere(const gpu::Workload* workload) {
  return workload->name() == std::string("vector_add");
}

/// With many warps the kernels of the papers run only as system_kernel_suite_test does not run them: under the pairings
/// that no paper has, and on the timed memory.
bool is_left_out(const std::string& kernel, const Shape& shape, const heddle::Mechanism& mechanism) {
  const bool is_pairing_of_a_paper = (mechanism.divergence == "dpe") == (mechanism.scoreboard == "shadow");
  return shape.warps > 2 && Quick.count(kernel) == 0 && (shape.ideal || is_pairing_of_a_paper);
}

/// Kernels that have a run at this shape.
std::vector<const gpu::Workload*> workloads_of(const Shape& shape, bool deadlocks) {
  std::vector<const gpu::Workload*> some;
  for (const gpu::Workload* workload : gpu::all_workloads()) {
    const auto is_out = [&](const heddle::Mechanism& m) { return is_left_out(workload->name(), shape, m); };
    const bool has_run = !std::all_of(std::begin(Mechanisms), std::end(Mechanisms), is_out);
    if (has_run && workload->expects_deadlock() == deadlocks && workload->takes_any_warps()) some.push_back(workload);
  }
  return some;
}

std::vector<gpu::RunRequest> requests_for(const Shape& shape, bool deadlocks) {
  std::vector<gpu::RunRequest> requests;
  const auto all = workloads_of(shape, deadlocks);
  for (const gpu::Workload* workload : deadlocks ? all : heddle::tests::part_with(all, 10, runs_everywhere)) {
    gpu::WorkloadOptions options;
    options.warps = shape.warps;
    options.lanes = shape.point->lanes;
    options.seed = 3;
    options.warps_per_block = shape.point->warps;
    for (const heddle::Mechanism& mechanism : Mechanisms) {
      if (is_left_out(workload->name(), shape, mechanism)) continue;
      gpu::RunRequest request;
      request.kernel = workload->name();
      request.program = gpu::workload_program(*workload, options, HEDDLE_PTX_DIR);
      request.timed.sm.point = shape.point;
      request.timed.sm.mechanism = mechanism;
      // Loads and atomics are no progress, and some launches do little else for long.
      request.timed.sm.watchdog_cycles = 1'000'000;
      request.timed.memory = shape.ideal ? gpu::MemoryKind::Ideal : gpu::MemoryKind::Share;
      request.byte_exact = workload->is_byte_exact();
      requests.push_back(request);
    }
  }
  return requests;
}

bool does_not_fit(const gpu::RunResult& result) {
  return result.error == gpu::ErrorCode::InvalidConfiguration || result.error == gpu::ErrorCode::OutOfResources;
}

/// The kernel needs more nested branches than the point's stacks hold: tiny is for worked examples.
bool too_deep(const gpu::RunResult& result) {
  return result.error == gpu::ErrorCode::Overflow;
}

}  // namespace

BOOST_DATA_TEST_CASE(equal_the_oracle_and_use_the_same_lanes, boost::unit_test::data::make(Shapes), shape) {
  const std::vector<gpu::RunRequest> requests = requests_for(shape, false);
  const std::vector<gpu::RunResult> results = gpu::run_in_children(requests, 2);
  unsigned equal = 0;
  const gpu::RunResult* first = nullptr;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const gpu::RunResult& result = results[i];
    const heddle::Mechanism& mechanism = requests[i].timed.sm.mechanism;
    const std::string run = requests[i].kernel + ' ' + mechanism.divergence + '/' + mechanism.scoreboard;
    if (i == 0 || requests[i].kernel != requests[i - 1].kernel) first = &result;
    if (shape.point == &heddle::point::tiny::Values && (does_not_fit(result) || too_deep(result))) {
      std::cout << shape << ": " << run << " left out, " << result.message << '\n';
      continue;
    }
    BOOST_TEST((result.status == gpu::RunStatus::Ok), run << ": " << result.message);
    BOOST_TEST(result.equals_oracle, run << ": " << result.message);
    BOOST_TEST(result.statistics.thread_instructions == result.oracle_thread_instructions, run);
    BOOST_TEST(result.statistics.warp_instructions == first->statistics.warp_instructions, run);
    BOOST_TEST(result.statistics.lane_utilisation() == first->statistics.lane_utilisation(), run);
    equal += result.equals_oracle;
  }
  std::cout << shape << ": " << equal << " of " << requests.size() << " runs equal the oracle\n";
  BOOST_TEST(equal > 0U);
}

BOOST_AUTO_TEST_CASE(a_lock_inside_a_warp_is_a_deadlock_on_the_stacks) {
  const std::vector<gpu::RunRequest> requests = requests_for({&heddle::point::hpca13::Values, 1, false}, true);
  BOOST_TEST(!requests.empty());
  for (const gpu::RunResult& result : gpu::run_in_children(requests, 2)) {
    BOOST_TEST((result.status == gpu::RunStatus::Deadlock), result.message);
  }
}

namespace {

/// A kernel of ours at its small size, with all the warps that fit.
gpu::RunRequest run_of(const std::string& kernel, const heddle::Mechanism& mechanism) {
  return heddle::tests::request_of(mechanism, gpu::workload_program(*gpu::find_workload(kernel), {}, HEDDLE_PTX_DIR));
}

/// A file of tests/ptx with a kernel k, of one block, under each of the mechanisms.
std::vector<gpu::RunResult> run_ptx(const std::string& file, unsigned threads,
                                    const std::vector<std::string>& arguments, const heddle::DesignPoint& point,
                                    const std::vector<std::string>& divergences, const char* scoreboard = nullptr) {
  gpu::PtxRun run;
  run.file = HEDDLE_PTX_SOURCES "/" + file;
  run.block = {threads, 1, 1};
  run.arguments = arguments;
  std::vector<gpu::RunRequest> requests;
  for (const std::string& divergence : divergences) {
    gpu::RunRequest request;
    request.kernel = divergence;
    request.program = gpu::ptx_program(run);
    request.timed.sm.point = &point;
    request.timed.sm.mechanism = heddle::with_its_scoreboard(divergence);
    if (scoreboard != nullptr) request.timed.sm.mechanism.scoreboard = scoreboard;
    request.timed.sm.watchdog_cycles = 20'000;
    requests.push_back(request);
  }
  return gpu::run_in_children(requests, 2);
}

}  // namespace

/// What one path at a time cannot do: the holder's path is laid aside while the other side of its branch parts again.
BOOST_AUTO_TEST_CASE(a_lock_on_both_sides_of_a_branch_is_a_deadlock_on_the_dual_path_stack_alone) {
  const std::vector<gpu::RunResult> results =
      run_ptx("lock_on_both_sides.ptx", 4, {"zeros:4", "zeros:4", "zeros:1024"}, heddle::point::tiny::Values,
              {"spe", "dpe", "barrier", "barrier_lowest_pc"});
  BOOST_TEST((results[0].status == gpu::RunStatus::Ok), results[0].message);
  BOOST_TEST(results[0].equals_oracle);
  for (const std::size_t barriers : {2, 3}) BOOST_TEST(results[barriers].equals_oracle, results[barriers].message);
  BOOST_TEST((results[1].status == gpu::RunStatus::Deadlock), results[1].message);
  for (const char* word : {"lock_on_both_sides.ptx:26", "lanes 0x00000004"})
    BOOST_TEST(results[1].message.find(word) != std::string::npos, "no '" << word << "' in: " << results[1].message);
}

/// Three splits, two slots: two wait at the barrier, and the third has to come on. The dual-path stack shows the two
/// that have not arrived, above the one that has.
BOOST_AUTO_TEST_CASE(a_barrier_in_each_arm_opens_where_two_paths_run_or_threads_go_their_own_ways) {
  const std::vector<gpu::RunResult> results =
      run_ptx("barrier_in_each_arm.ptx", 32, {"zeros:128"}, heddle::point::hpca13::Values,
              {"dws10", "dws100", "dpe", "barrier", "barrier_round_robin", "spe"});
  for (std::size_t i = 0; i < results.size(); ++i) {
    const bool two_paths = i < 5;
    BOOST_TEST((results[i].status == (two_paths ? gpu::RunStatus::Ok : gpu::RunStatus::Error)), results[i].message);
    if (two_paths)
      BOOST_TEST(results[i].equals_oracle);
    else
      BOOST_TEST((results[i].error == heddle::gpu::ErrorCode::DivergentBarrier), results[i].message);
  }
}

/// Many splits in each of 48 warps, whose barriers open only when all of them have come: to fetch for all slots anew
/// takes longer than a slot's patience.
BOOST_AUTO_TEST_CASE(splits_get_on_in_an_sm_that_is_full) {
  gpu::RunRequest request = run_of("bitonic_sort", heddle::with_its_scoreboard("dws10"));
  request.timed.sm.watchdog_cycles = 20'000;
  const gpu::RunResult result = gpu::run_in_children({request}, 1).front();
  BOOST_TEST((result.status == gpu::RunStatus::Ok), result.message);
  BOOST_TEST(result.equals_oracle);
}

BOOST_AUTO_TEST_CASE(a_shuffle_waits_for_lanes_that_have_not_met) {
  for (const gpu::RunResult& result :
       run_ptx("meeting_without_a_register.ptx", 4, {"zeros:16"}, heddle::point::tiny::Values,
               {"spe", "barrier", "barrier_largest", "dws1", "dws50", "dws50_ideal"}))
    BOOST_TEST(result.equals_oracle, result.message);
}

/// Lanes on their way out by a side without a barrier are not waited for, and what they store comes first.
BOOST_AUTO_TEST_CASE(lanes_that_store_and_return_do_not_hold_up_a_barrier) {
  for (const gpu::RunResult& result :
       run_ptx("leaves_before_barrier.ptx", 64, {"zeros:256"}, heddle::point::hpca13::Values,
               {"spe", "dpe", "dpe_forwarding", "dpe_software", "dws50", "dws50_ideal", "barrier"}))
    BOOST_TEST(result.equals_oracle, result.message);
}

/// In code that nobody leaves it runs on each unit. Where part of a warp waits for it, that part would hold back the rest.
BOOST_AUTO_TEST_CASE(a_barrier_with_a_result_in_divergent_code_is_refused_under_subdivision_and_barriers) {
  const std::vector<std::string> units = {"dws10", "dws100", "barrier", "barrier_lowest_pc"};
  for (const char* file : {"barrier_with_result.ptx", "barrier_behind_loop.ptx"})
    for (const gpu::RunResult& result : run_ptx(file, 32, {"zeros:128"}, heddle::point::hpca13::Values, units))
      BOOST_TEST(result.equals_oracle, file << ": " << result.message);
  for (const gpu::RunResult& result :
       run_ptx("result_in_each_arm.ptx", 32, {"zeros:128"}, heddle::point::hpca13::Values, units)) {
    BOOST_TEST((result.error == heddle::gpu::ErrorCode::NotSupported), result.message);
    for (const char* word : {"a barrier with a result in divergent code: lanes 0x", "result_in_each_arm.ptx:2"})
      BOOST_TEST(result.message.find(word) != std::string::npos, "no '" << word << "' in: " << result.message);
  }
}

BOOST_AUTO_TEST_CASE(a_barrier_with_a_result_runs_where_no_lane_waits_for_another_lanes_register) {
  const auto expect_equal = [](const char* file, const std::vector<std::string>& divergences) {
    for (const gpu::RunResult& result :
         run_ptx(file, 32, {"zeros:128"}, heddle::point::hpca13::Values, divergences, "optimistic"))
      BOOST_TEST(result.equals_oracle, file << ": " << result.message);
  };
  expect_equal("barrier_with_result.ptx", {"spe", "dpe", "dws10", "dws100", "barrier", "barrier_lowest_pc"});
  expect_equal("result_in_each_arm.ptx", {"dpe", "dws10", "dws100", "barrier", "barrier_lowest_pc"});
}

/// Splits meet where their PCs are equal, also in a function that they have come to from different calls.
BOOST_AUTO_TEST_CASE(a_function_from_both_arms_is_right_or_refused_by_name) {
  const std::vector<gpu::RunResult> results =
      run_ptx("function_from_both_arms.ptx", 32, {"zeros:128"}, heddle::point::hpca13::Values,
              {"spe", "dpe", "barrier", "dws10", "dws100"});
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (i < 3) {
      BOOST_TEST(results[i].equals_oracle, results[i].message);
      continue;
    }
    BOOST_TEST((results[i].error == heddle::gpu::ErrorCode::NotSupported), results[i].message);
    BOOST_TEST(results[i].message.find("splits that came from different calls have met") != std::string::npos,
               results[i].message);
  }
}

/// Where all lanes of a warp run together, a scoreboard of hardware has no false dependency; if no set is ever full,
/// the reference has the same cycles and counts the same, to the last stall.
BOOST_AUTO_TEST_CASE(without_divergence_the_optimistic_scoreboard_is_the_baseline) {
  const std::vector<std::string> kernels = {"fft", "matrix_multiply", "transpose"};
  std::vector<gpu::RunRequest> requests;
  for (const std::string& kernel : kernels)
    for (const char* scoreboard : {"baseline", "optimistic"}) requests.push_back(run_of(kernel, {"spe", scoreboard}));
  const std::vector<gpu::RunResult> results = gpu::run_in_children(requests, 2);
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const heddle::Statistics &block = results[2 * i].statistics, &reference = results[2 * i + 1].statistics;
    BOOST_TEST(results[2 * i + 1].equals_oracle, results[2 * i + 1].message);
    BOOST_TEST(block.divergent_branches == 0U, kernels[i]);
    for (const heddle::Stall why : {heddle::Stall::ScoreboardFalse, heddle::Stall::ScoreboardFull})
      BOOST_TEST(block.stalls[static_cast<unsigned>(why)] == 0U,
                 kernels[i] << ", stall " << static_cast<unsigned>(why));
    const auto of_block = block.numbers(), of_reference = reference.numbers();
    for (std::size_t n = 0; n < of_block.size(); ++n)
      BOOST_TEST(of_block[n].value == of_reference[n].value, kernels[i] << ": " << of_block[n].name);
  }
}

/// Where no branch splits a warp, subdivision without limits is the single-path stack: the same cycles and counts, to
/// the last stall, of a reference and of a block that share no code.
BOOST_AUTO_TEST_CASE(where_nothing_splits_ideal_subdivision_is_the_single_path_stack) {
  const std::vector<std::string> kernels = {"nest", "trip_count", "needleman_wunsch", "transpose"};
  std::vector<gpu::RunRequest> requests;
  for (const std::string& kernel : kernels)
    for (const char* divergence : {"spe", "dws1_ideal"}) requests.push_back(run_of(kernel, {divergence, "optimistic"}));
  const std::vector<gpu::RunResult> results = gpu::run_in_children(requests, 2);
  bool diverged = false;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const heddle::Statistics &stack = results[2 * i].statistics, &splits = results[2 * i + 1].statistics;
    BOOST_TEST(results[2 * i + 1].equals_oracle, results[2 * i + 1].message);
    diverged = diverged || stack.divergent_branches > 100;
    const auto of_stack = stack.numbers(), of_splits = splits.numbers();
    for (std::size_t n = 0; n < of_stack.size(); ++n)
      BOOST_TEST(of_stack[n].value == of_splits[n].value, kernels[i] << ": " << of_stack[n].name);
  }
  BOOST_TEST(diverged);
}

/// The block shows two splits of a warp; the reference issues any number, of which few warps profit.
BOOST_AUTO_TEST_CASE(ideal_subdivision_issues_more_than_two_splits) {
  std::vector<gpu::RunRequest> requests;
  for (const char* divergence : {"dws50", "dws50_ideal"}) {
    requests.push_back(run_of("nest", {divergence, "optimistic"}));
    requests.back().timed.sm.resident_warps = 4;
  }
  const std::vector<gpu::RunResult> results = gpu::run_in_children(requests, 2);
  BOOST_TEST(results[1].equals_oracle, results[1].message);
  BOOST_TEST(3 * results[1].statistics.cycles < 2 * results[0].statistics.cycles);
}

BOOST_AUTO_TEST_CASE(ideal_subdivision_stands_beside_the_optimistic_scoreboard_only) {
  const std::vector<gpu::RunResult> results = gpu::run_in_children({run_of("nest", {"dws50_ideal", "shadow"})}, 1);
  BOOST_TEST((results[0].error == heddle::gpu::ErrorCode::NotSupported), results[0].message);
  BOOST_TEST(results[0].message.find("expected --scoreboard optimistic") != std::string::npos, results[0].message);
}

/// The reference has neither kind of stall, and the lanes that run are the same.
BOOST_AUTO_TEST_CASE(the_optimistic_scoreboard_has_no_false_dependency) {
  const std::vector<std::string> kernels = {"diverge", "nest", "hazard", "trip_count"};
  std::vector<gpu::RunRequest> requests;
  for (const std::string& kernel : kernels)
    for (const char* scoreboard : {"baseline", "optimistic"}) requests.push_back(run_of(kernel, {"dpe", scoreboard}));
  const std::vector<gpu::RunResult> results = gpu::run_in_children(requests, 2);
  std::uint64_t false_waits = 0;
  for (std::size_t i = 0; i < results.size(); i += 2) {
    const heddle::Statistics &block = results[i].statistics, &reference = results[i + 1].statistics;
    BOOST_TEST(results[i + 1].equals_oracle, results[i + 1].message);
    for (const heddle::Stall why : {heddle::Stall::ScoreboardFalse, heddle::Stall::ScoreboardFull})
      BOOST_TEST(reference.stalls[static_cast<unsigned>(why)] == 0U, kernels[i / 2]);
    false_waits += block.stalls[static_cast<unsigned>(heddle::Stall::ScoreboardFalse)];
    BOOST_TEST(block.lane_utilisation() == reference.lane_utilisation(), kernels[i / 2]);
    std::cout << kernels[i / 2] << ": " << block.cycles << " cycles where each side waits for both, "
              << reference.cycles << " without a false dependency\n";
  }
  BOOST_TEST(false_waits > 0U);
}
