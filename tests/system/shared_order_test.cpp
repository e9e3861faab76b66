// SPDX-License-Identifier: Apache-2.0
// What clang makes at each level, and nvcc, of variables in shared memory that a barrier orders: the words are those that
// CUDA says, on the oracle and under each kind of control flow unit.
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <fmt/format.h>
#include <iostream>
#include <memory>
#include <numeric>

#include "sim/gpu/program_library.h"
#include "tests/kit/mechanism_runs.h"

namespace gpu = heddle::gpu;
namespace tests = heddle::tests;

int sc_main(int, char**) {
  return 0;
}

namespace {

using Words = std::vector<std::uint32_t>;
constexpr unsigned Threads = 64;
constexpr std::uint32_t None = ~0U;

Words flags(gpu::Device& device, gpu::ProgramLibrary& library) {
  const std::uint64_t out = gpu::upload(device, Words(Threads, 0));
  gpu::launch(device, library.find("shared_flag", device.machine()), {1}, {Threads}, out, 9);
  return gpu::download<std::uint32_t>(device, out, Threads);
}

Words levels(gpu::Device& device, gpu::ProgramLibrary& library) {
  Words next(Threads), distances(Threads, None);
  std::iota(next.begin(), next.end(), 1U);
  distances[0] = 0;
  const std::uint64_t buffer = gpu::upload(device, distances);
  gpu::launch(device, library.find("level_loop", device.machine()), {1}, {Threads}, buffer, gpu::upload(device, next),
              static_cast<int>(Threads));
  return gpu::download<std::uint32_t>(device, buffer, Threads);
}

gpu::HostProgram host_program(const std::string& ptx, bool loops) {
  return [ptx, loops](gpu::Device& device) {
    gpu::ProgramLibrary library(ptx);
    Words expected(Threads, 7);
    if (loops) std::iota(expected.begin(), expected.end(), 0U);
    return gpu::compare_words(loops ? levels(device, library) : flags(device, library), expected);
  };
}

/// As every compiler that is here writes it.
std::vector<std::string> every_ptx() {
  std::vector<std::string> all;
  for (const char* level : {"O0", "O1", "O2", "O3"})
    all.push_back(fmt::format("{}/shared_order_{}.ptx", HEDDLE_PTX_DIR, level));
  const std::string nvcc = HEDDLE_NVCC;
  if (nvcc.empty()) {
    std::cout << "left out: PTX from nvcc, because no nvcc was found when the build was configured\n";
    return all;
  }
  all.push_back(HEDDLE_PTX_DIR "/shared_order_nvcc.ptx");
  const std::string command =
      fmt::format("'{}' -ptx -O3 -arch={} -include '{}' -o '{}' '{}'", nvcc, HEDDLE_NVCC_ARCHITECTURE,
                  HEDDLE_CUDA_HEADER, all.back(), HEDDLE_SHARED_ORDER);
  BOOST_TEST(std::system(command.c_str()) == 0, "failed: " << command);
  return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_one_thread_writes_the_others_read_behind_the_barrier) {
  std::vector<heddle::Mechanism> mechanisms;
  for (const char* divergence : {"spe", "dpe", "barrier"})
    mechanisms.push_back(heddle::with_its_scoreboard(divergence));
  mechanisms.push_back(tests::affine_mechanisms().front());
  std::vector<gpu::RunRequest> requests;
  for (const std::string& ptx : every_ptx())
    for (const heddle::Mechanism& mechanism : mechanisms)
      for (const bool loops : {false, true}) {
        gpu::RunRequest request = tests::request_of(mechanism, host_program(ptx, loops));
        request.kernel =
            fmt::format("{} of {} under {}", loops ? "level_loop" : "shared_flag", ptx, tests::name_of(mechanism));
        request.timed.sm.point = &heddle::point::isca17::Values;
        request.timed.sm.watchdog_cycles = 20'000;
        request.timed.sm.max_cycles = 200'000;
        requests.push_back(request);
      }
  const std::vector<gpu::RunResult> results = gpu::run_in_children(requests, 2);
  for (std::size_t i = 0; i < results.size(); ++i)
    BOOST_TEST((results[i].status == gpu::RunStatus::Ok && results[i].equals_oracle),
               requests[i].kernel << ": " << results[i].message);
  std::cout << requests.size() << " runs equal the oracle and what CUDA says\n";
}
