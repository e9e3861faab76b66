// SPDX-License-Identifier: Apache-2.0
// Several SMs behind one memory: results equal the oracle, counts of the SMs add up, CTAs go round, what one SM stores
// another sees by a volatile load, and each SM has local memory of its own.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <iostream>
#include <numeric>

#include "sim/gpu/program_library.h"
#include "sim/gpu/run.h"
#include "tests/kit/kernel_runs.h"
#include "tests/kit/mechanism_runs.h"
#include "tests/kit/part.h"

namespace gpu = heddle::gpu;
using heddle::Statistics;

int sc_main(int, char**) {
  return 0;
}

namespace {

gpu::RunRequest on_sms(unsigned sms, const std::string& divergence, gpu::HostProgram program) {
  gpu::RunRequest request;
  request.program = std::move(program);
  request.timed.sm.point = &heddle::point::hpca13::Values;
  request.timed.sm.mechanism = heddle::with_its_scoreboard(divergence);
  request.timed.sms = sms;
  return request;
}

std::uint64_t stalls_of(const Statistics& s) {
  return std::accumulate(s.stalls.begin(), s.stalls.end(), std::uint64_t(0));
}

/// What each SM counted makes the sum; each SM's schedulers account for each of its cycles.
void check_sums(const gpu::RunResult& result, const std::string& run) {
  Statistics sum;
  for (const Statistics& sm : result.sms) {
    BOOST_TEST(sm.warp_instructions + stalls_of(sm) == sm.scheduler_cycles, run);
    for (const heddle::StatisticRow& row : heddle::statistic_rows()) {
      std::uint64_t& total = sum.*row.value;
      total = row.of_sms == heddle::Together::Sum ? total + sm.*row.value : std::max(total, sm.*row.value);
    }
  }
  for (const heddle::StatisticRow& row : heddle::statistic_rows()) {
    const std::string name = row.name;
    const std::uint64_t of_sms = sum.*row.value, reported = result.statistics.*row.value;
    if (name.find("DRAM") == 0 || name.find("L2") == 0 || name.find("crossbar") == 0) {
      BOOST_TEST(of_sms == 0U, run << ": " << name << " is the memory's, not an SM's");
    } else if (name == "cycles" && result.launches > 1) {  // the longest of each launch
      BOOST_TEST(of_sms <= reported, run << ": " << name);
    } else {
      BOOST_TEST(of_sms == reported, run << ": " << name);
    }
  }
  BOOST_TEST(result.statistics.warp_instructions + stalls_of(result.statistics) == result.statistics.scheduler_cycles,
             run);
}

/// Prints a line of the run.
void check_counts(const gpu::RunRequest& request, const gpu::RunResult& result) {
  const std::string run = fmt::format("{} on {} SMs", request.kernel, request.timed.sms);
  BOOST_REQUIRE(result.sms.size() == request.timed.sms);
  check_sums(result, run);
  const auto busy = std::count_if(result.sms.begin(), result.sms.end(),
                                  [](const Statistics& sm) { return sm.warp_instructions != 0; });
  std::cout << fmt::format("{:<68} {:>9} cycles, {:>6.2f} CPU s, {} SMs issued\n", run, result.statistics.cycles,
                           result.timed_cpu_seconds, busy);
}

gpu::HostProgram ptx(const std::string& name,
                     std::function<gpu::Outcome(gpu::Device&, const heddle::isa::Program&)> use) {
  return [name, use](gpu::Device& device) {
    gpu::ProgramLibrary library(std::string(HEDDLE_PTX_SOURCES) + '/' + name + ".ptx");
    return use(device, library.find("k"));
  };
}

}  // namespace

BOOST_AUTO_TEST_CASE(kernels_equal_the_oracle_and_their_counts_add_up) {
  std::vector<const gpu::Workload*> all = gpu::all_workloads();
  all.erase(std::remove_if(all.begin(), all.end(), [](const gpu::Workload* w) { return w->expects_deadlock(); }),
            all.end());
  const std::vector<const gpu::Workload*> part = heddle::tests::part_of(all);
  std::cout << heddle::tests::said(part.size(), all.size(), "kernels") << '\n';
  std::vector<gpu::RunRequest> requests;
  for (const gpu::Workload* workload : part) {
    for (const auto& [sms, divergence] : {std::pair(2U, "dpe"), std::pair(4U, "spe")}) {
      requests.push_back(on_sms(sms, divergence, gpu::workload_program(*workload, {}, HEDDLE_PTX_DIR)));
      requests.back().kernel = workload->name() + std::string(" under ") + divergence;
      requests.back().byte_exact = workload->is_byte_exact();
    }
  }
  unsigned shared_out = 0;
  heddle::tests::check_kernels(requests, [&](const gpu::RunRequest& request, const gpu::RunResult& result) {
    check_counts(request, result);
    shared_out += std::all_of(result.sms.begin(), result.sms.end(),
                              [](const Statistics& sm) { return sm.warp_instructions != 0; });
  });
  BOOST_TEST(shared_out > 0U);  // else only one SM ever had something to do
}

/// DWF's eight cores, and as many of the smallest point: under each policy on each register file, and MIMD.
BOOST_AUTO_TEST_CASE(kernels_on_the_eight_cores_of_dwf) {
  constexpr unsigned Cores = 8, Share = 163;
  std::vector<heddle::Mechanism> mechanisms = heddle::tests::every_formation();
  mechanisms.push_back(heddle::tests::mimd_mechanisms().front());
  std::vector<gpu::RunRequest> all;
  for (const heddle::DesignPoint* point : {&heddle::point::micro07::Values, &heddle::point::tiny::Values})
    for (const heddle::Mechanism& mechanism : mechanisms)
      for (const gpu::RunRequest& request : heddle::tests::every_kernel(*point, mechanism, HEDDLE_PTX_DIR)) {
        all.push_back(request);
        all.back().timed.sms = Cores;
      }
  const std::vector<gpu::RunRequest> part = heddle::tests::part_of(all, Share);
  std::cout << heddle::tests::said(part.size(), all.size(), "runs on eight cores") << '\n';
  heddle::tests::check_kernels(part, check_counts);
}

BOOST_AUTO_TEST_CASE(blocks_go_round) {
  constexpr unsigned Sms = 4, Blocks = 19;
  gpu::RunRequest request = on_sms(
      Sms, "spe", ptx("places", [](gpu::Device& device, const heddle::isa::Program& k) {
        const std::uint64_t out = device.allocate(8 * Blocks);
        gpu::launch(device, k, {Blocks, 1, 1}, {32, 1, 1}, out);
        const auto places = gpu::download<std::uint32_t>(device, out, 2 * Blocks);
        for (unsigned block = 0; block < Blocks; ++block) {
          if (places[2 * block] != block % Sms || places[2 * block + 1] != Sms)
            return gpu::Outcome{
                false, fmt::format("block {} ran on SM {} of {}", block, places[2 * block], places[2 * block + 1])};
        }
        return gpu::Outcome{true, ""};
      }));
  request.with_oracle = false;  // it has no SMs
  const auto results = gpu::run_in_children({request}, 1);
  BOOST_TEST((results[0].status == gpu::RunStatus::Ok), results[0].message);
}

/// An SM that is done leaves nothing on its links: its clock goes on where it is not gated.
BOOST_AUTO_TEST_CASE(an_sm_that_is_done_asks_for_nothing) {
  for (const char* divergence : {"spe", "dpe", "dws10", "barrier"}) {
    gpu::RunRequest request =
        on_sms(4, divergence, ptx("result_after_exit", [](gpu::Device& device, const heddle::isa::Program& k) {
                 gpu::launch(device, k, {4, 1, 1}, {32, 1, 1}, device.allocate(4));
                 gpu::launch(device, k, {4, 1, 1}, {32, 1, 1}, device.allocate(4));
                 return gpu::Outcome{true, ""};
               }));
    request.timed.sm.clock_gate = false;
    const auto results = gpu::run_in_children({request}, 1);
    BOOST_TEST((results[0].status == gpu::RunStatus::Ok), divergence << ": " << results[0].message);
  }
}

/// A load that the L1 answers would never see the flag.
BOOST_AUTO_TEST_CASE(a_volatile_load_sees_what_another_sm_stored) {
  gpu::RunRequest request = on_sms(
      2, "spe", ptx("flag_between_blocks", [](gpu::Device& device, const heddle::isa::Program& k) {
        const std::vector<std::uint32_t> zero(1, 0);
        const auto flag = gpu::upload(device, zero), data = gpu::upload(device, zero), out = gpu::upload(device, zero);
        gpu::launch(device, k, {2, 1, 1}, {32, 1, 1}, flag, data, out);
        const std::uint32_t seen = gpu::download<std::uint32_t>(device, out, 1)[0];
        return gpu::Outcome{seen == 200, fmt::format("it saw {}, expected 200", seen)};
      }));
  request.timed.sm.watchdog_cycles = 100'000;
  const auto results = gpu::run_in_children({request}, 1);
  BOOST_TEST((results[0].status == gpu::RunStatus::Ok), results[0].message);
  BOOST_TEST(results[0].equals_oracle);
}

BOOST_AUTO_TEST_CASE(each_sm_has_local_memory_of_its_own) {
  heddle::compiler::CompileOptions few;
  few.max_registers = heddle::isa::LeastRegisters;
  gpu::WorkloadOptions many_blocks;
  many_blocks.warps = 64;
  many_blocks.warps_per_block = 2;
  const gpu::Workload* spilled = gpu::find_workload("wide_address");  // 26 registers
  const auto results =
      gpu::run_in_children({on_sms(4, "spe", gpu::workload_program(*spilled, many_blocks, HEDDLE_PTX_DIR, few)),
                            on_sms(4, "spe", gpu::workload_program(*spilled, many_blocks, HEDDLE_PTX_DIR))},
                           2);
  BOOST_TEST((results[0].status == gpu::RunStatus::Ok), results[0].message);
  BOOST_TEST(results[0].equals_oracle, results[0].message);
  BOOST_REQUIRE(results[0].sms.size() == 4U);
  for (std::size_t sm = 0; sm < 4; ++sm)  // spilling, on every one
    BOOST_TEST(results[0].sms[sm].global_accesses > 2 * results[1].sms[sm].global_accesses);
}
