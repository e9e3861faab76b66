// SPDX-License-Identifier: Apache-2.0
// Every kernel on the oracle equals its CPU reference, at its small size and at given numbers of warps.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <filesystem>

#include "sim/gpu/oracle_device.h"
#include "sim/gpu/program_library.h"
#include "sim/gpu/workload.h"

namespace gpu = heddle::gpu;

namespace {

gpu::Outcome run_on_oracle(const gpu::Workload& workload, const gpu::WorkloadOptions& options) {
  gpu::ProgramLibrary library(std::string(HEDDLE_PTX_DIR "/") + workload.name() + ".ptx");
  heddle::isa::OracleOptions limits;
  limits.lanes = options.lanes;
  limits.max_thread_instructions = 1'000'000'000;
  gpu::OracleDevice device(limits);
  return workload.run(
      device, [&](const std::string& entry) -> const heddle::isa::Program& { return library.find(entry); }, options);
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_kernel_has_a_driver) {
  unsigned sources = 0;
  for (const auto& room : std::filesystem::directory_iterator(HEDDLE_KERNELS_SOURCE)) {
    const std::string name = room.path().filename();
    if (!std::filesystem::exists(room.path() / (name + ".cu"))) continue;
    ++sources;
    BOOST_TEST(gpu::find_workload(name) != nullptr, "no driver registers " << name);
  }
  BOOST_TEST(gpu::all_workloads().size() == sources);
}

/// At the small size, on warps of 32 lanes, as on a GPU.
BOOST_AUTO_TEST_CASE(equals_its_reference_at_its_size) {
  for (const gpu::Workload* workload : gpu::all_workloads()) {
    const gpu::Outcome outcome = run_on_oracle(*workload, {});
    BOOST_TEST(outcome.ok, workload->name() << ": " << outcome.message);
  }
}

BOOST_DATA_TEST_CASE(equals_its_reference_at_any_number_of_warps, boost::unit_test::data::make({1U, 2U, 3U, 48U}),
                     warps) {
  for (const gpu::Workload* workload : gpu::all_workloads()) {
    if (!workload->takes_any_warps()) continue;
    for (const unsigned lanes : {32U, 4U}) {
      gpu::WorkloadOptions options;
      options.warps = warps;
      options.lanes = lanes;
      options.seed = 7;
      const gpu::Outcome outcome = run_on_oracle(*workload, options);
      BOOST_TEST(outcome.ok, workload->name() << ", " << warps << " warps of " << lanes << ": " << outcome.message);
    }
  }
}

/// As DWF's study runs them: 16 lanes, blocks of 256 threads, which are all that a core has.
BOOST_AUTO_TEST_CASE(equals_its_reference_with_blocks_of_256_threads) {
  for (const gpu::Workload* workload : gpu::all_workloads()) {
    gpu::WorkloadOptions options;
    options.lanes = 16;
    options.warps_per_block = 16;
    options.block_threads = 256;
    const gpu::Outcome outcome = run_on_oracle(*workload, options);
    BOOST_TEST(outcome.ok, workload->name() << ": " << outcome.message);
  }
}

BOOST_AUTO_TEST_CASE(blocks_have_the_threads_that_were_asked_for) {
  gpu::WorkloadOptions options;
  options.lanes = 16;
  BOOST_TEST(gpu::shape_for(options, 48).threads == 4U * 16);
  BOOST_TEST(gpu::block_threads(options, 64, 4096) == 64U);
  options.block_threads = 256;
  BOOST_TEST(gpu::shape_for(options, 48).threads == 16U * 16);
  BOOST_TEST(gpu::shape_for(options, 48).blocks == 3U);
  BOOST_TEST(gpu::shape_for(options, 24).threads == 12U * 16);  // 24 warps are no multiple of 16
  BOOST_TEST(gpu::block_threads(options, 64, 4096) == 256U);
  BOOST_TEST(gpu::block_threads(options, 64, 384) == 192U);
  options.warps_per_block = 8;  // the machine has no more
  BOOST_TEST(gpu::shape_for(options, 48).threads == 8U * 16);
  BOOST_TEST(gpu::block_threads(options, 64, 4096) == 128U);
}
