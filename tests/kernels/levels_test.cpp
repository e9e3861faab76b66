// SPDX-License-Identifier: Apache-2.0
// Every kernel as other levels of optimisation, and another compiler if there is one, write it: on the oracle.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>

#include "sim/gpu/oracle_device.h"
#include "sim/gpu/program_library.h"
#include "sim/gpu/workload.h"
#include "tests/kit/part.h"

namespace gpu = heddle::gpu;

namespace {

constexpr std::uint64_t NoEnd = 20'000'000'000;  // thread instructions of a launch: far more than any needs

void check(const gpu::Workload& workload, const std::string& ptx) {
  try {
    gpu::ProgramLibrary library(ptx);
    heddle::isa::OracleOptions limits;
    limits.max_thread_instructions = NoEnd;
    gpu::OracleDevice device(limits);
    const gpu::Outcome outcome = workload.run(
        device, [&](const std::string& entry) -> const heddle::isa::Program& { return library.find(entry); }, {});
    BOOST_TEST(outcome.ok, ptx << ": " << outcome.message);
  } catch (const std::exception& error) { BOOST_ERROR(error.what()); }
}

}  // namespace

BOOST_DATA_TEST_CASE(clang_at_every_level, boost::unit_test::data::make({"O0", "O1", "O3"}), level) {
  for (const gpu::Workload* workload : heddle::tests::part_of(gpu::all_workloads()))
    check(*workload, fmt::format("{}/{}/{}.ptx", HEDDLE_PTX_DIR, level, workload->name()));
}

BOOST_AUTO_TEST_CASE(nvcc_where_there_is_one) {
  const std::string nvcc = HEDDLE_NVCC;
  if (nvcc.empty()) {
    std::cout << "left out: PTX from nvcc, because no nvcc was found when the build was configured\n";
    return;
  }
  const std::filesystem::path directory = std::filesystem::path(HEDDLE_PTX_DIR) / "nvcc";
  std::filesystem::create_directories(directory);
  for (const gpu::Workload* workload : heddle::tests::part_of(gpu::all_workloads())) {
    const std::string ptx = directory / (workload->name() + ".ptx");
    const std::string command =
        fmt::format("'{}' -ptx -O3 --fmad=false --expt-relaxed-constexpr -arch={} -o '{}' '{}/{}/{}.cu'", nvcc,
                    HEDDLE_NVCC_ARCHITECTURE, ptx, HEDDLE_KERNELS_SOURCE, workload->name(), workload->name());
    if (std::system(command.c_str()) != 0)
      BOOST_ERROR("failed: " << command);
    else
      check(*workload, ptx);
  }
}
