// SPDX-License-Identifier: Apache-2.0
// A design point says for how many registers a thread its programs are compiled; what finds none goes to local memory,
// and what that costs is counted: under every mechanism, by hand.
#include <boost/test/unit_test.hpp>

#include "sim/gpu/ptx_run.h"
#include "tests/kit/mechanism_runs.h"

namespace gpu = heddle::gpu;

int sc_main(int, char**) {
  return 0;
}

namespace {

const heddle::DesignPoint& micro07 = heddle::point::micro07::Values;
constexpr unsigned Turns = 3;
constexpr unsigned Blocks = 2, BlockThreads = 32;

gpu::RunResult run_at(const heddle::DesignPoint& point, const heddle::Mechanism& mechanism,
                      const heddle::compiler::CompileOptions& compile = {}) {
  gpu::PtxRun run;
  run.file = HEDDLE_PTX_SOURCES "/forty_values.ptx";
  run.grid = {Blocks, 1, 1};
  run.block = {BlockThreads, 1, 1};
  run.arguments = {"zeros:" + std::to_string(BlockThreads * sizeof(std::uint32_t))};
  run.compile = compile;
  gpu::RunRequest request = heddle::tests::request_of(mechanism, gpu::ptx_program(run));
  request.timed.sm.point = &point;
  const gpu::RunResult result = gpu::run_in_children({request}, 1).at(0);
  BOOST_TEST(result.equals_oracle, heddle::tests::name_of(mechanism) << ": " << result.message);
  return result;
}

/// Values that are stored once and loaded once a turn, and nothing else: from the accesses to memory, a store of whose
/// is the kernel's own. How many warps run is what they issue in lock step.
unsigned spilled(const gpu::RunResult& result, unsigned warps) {
  const heddle::Statistics& counted = result.statistics;
  BOOST_TEST(counted.spill_instructions == counted.global_accesses - warps);
  BOOST_TEST(counted.spill_instructions % (warps * (1 + Turns)) == 0U);
  return static_cast<unsigned>(counted.spill_instructions / (warps * (1 + Turns)));
}

heddle::compiler::CompileOptions with_registers(unsigned count) {
  heddle::compiler::CompileOptions options;
  options.max_registers = count;
  return options;
}

}  // namespace

/// At once are needed forty values, the sum, the turn and the thread, 43 in all. One more register is what a value is
/// loaded into. So at 32 registers 12 values find none, at 40 4, at 44 none.
BOOST_AUTO_TEST_CASE(what_finds_no_register_is_counted_as_it_is_issued) {
  const unsigned warps = Blocks * BlockThreads / micro07.lanes;
  const heddle::Mechanism pdom{"spe", "barrel"};
  BOOST_TEST(spilled(run_at(micro07, pdom), warps) == 12U);
  BOOST_TEST(spilled(run_at(micro07, pdom, with_registers(40)), warps) == 4U);
  BOOST_TEST(run_at(micro07, pdom, with_registers(44)).statistics.spill_instructions == 0U);
}

BOOST_AUTO_TEST_CASE(every_mechanism_counts_the_same) {
  const unsigned warps = Blocks * BlockThreads / micro07.lanes;
  std::vector<heddle::Mechanism> mechanisms = heddle::tests::barrel_mechanisms();
  for (const auto& more : {heddle::tests::formation_mechanisms(), heddle::tests::mimd_mechanisms()})
    mechanisms.insert(mechanisms.end(), more.begin(), more.end());
  for (const heddle::Mechanism& mechanism : mechanisms)
    BOOST_TEST(spilled(run_at(micro07, mechanism), warps) == 12U, heddle::tests::name_of(mechanism));
}

BOOST_AUTO_TEST_CASE(the_point_says_how_many_and_who_runs_it_may_say_otherwise) {
  const heddle::Mechanism pdom{"spe", "barrel"};
  const heddle::DesignPoint& wide = heddle::point::hpca13::Values;
  const unsigned warps = Blocks * BlockThreads / wide.lanes;
  BOOST_TEST(run_at(wide, pdom).statistics.spill_instructions == 0U);
  heddle::DesignPoint narrow = wide;
  narrow.max_registers = 40;
  BOOST_TEST(spilled(run_at(narrow, pdom), warps) == 4U);
  BOOST_TEST(spilled(run_at(narrow, pdom, with_registers(32)), warps) == 12U);
  BOOST_TEST(run_at(narrow, pdom, with_registers(64)).statistics.spill_instructions == 0U);
}
