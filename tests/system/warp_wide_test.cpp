// SPDX-License-Identifier: Apache-2.0
// Warp-wide operations and barriers: the oracle against the host's computation, the timed SM against both, under every
// mechanism; what is forbidden is named.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <fmt/format.h>

#include "sim/gpu/oracle_device.h"
#include "tests/kit/mechanism_runs.h"
#include "tests/system/warp_wide_programs.h"

namespace gpu = heddle::gpu;
namespace tests = heddle::tests;
using gpu::RunStatus;

int sc_main(int, char**) {
  return 0;
}

namespace {

/// What is wrong with a case on a device; empty: nothing.
std::string difference(gpu::Device& device, const tests::WarpWideCase& test) {
  const heddle::isa::Program program = tests::warp_wide_program(test.body, device.machine());
  const std::uint64_t buffer = gpu::upload(device, std::vector<std::uint32_t>(4 * test.threads, 0));
  gpu::launch(device, program, {1}, {test.threads}, buffer);
  const auto found = gpu::download<std::uint32_t>(device, buffer, 4 * test.threads);
  for (unsigned thread = 0; thread < test.threads; ++thread) {
    const tests::FourWords expected = test.expected(thread);
    for (unsigned word = 0; word < 4; ++word) {
      if (found[4 * thread + word] == expected[word]) continue;
      return fmt::format("{}: word {} of thread {} is {:#x}, expected {:#x}", test.name, word, thread,
                         found[4 * thread + word], expected[word]);
    }
  }
  return "";
}

gpu::RunRequest request_for(const heddle::Mechanism& mechanism) {
  gpu::RunRequest request = tests::request_of(mechanism, {});
  request.timed.sm.watchdog_cycles = 20'000;
  return request;
}

gpu::Outcome run_error(gpu::Device& device, const tests::WarpWideError& test) {
  const heddle::isa::Program program = tests::warp_wide_program(test.body);
  const std::uint64_t buffer = gpu::upload(device, std::vector<std::uint32_t>(4 * test.threads, 0));
  gpu::launch(device, program, {1}, {test.threads}, buffer);
  return {true, "no error"};
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_oracle_equals_the_host) {
  for (const tests::WarpWideCase& test : tests::warp_wide_cases()) {
    try {
      gpu::OracleDevice device({32, 10'000'000});
      BOOST_TEST(difference(device, test) == "");
    } catch (const std::exception& error) { BOOST_ERROR(test.name << ": " << error.what()); }
  }
}

BOOST_AUTO_TEST_CASE(every_mechanism_equals_the_host_and_the_oracle) {
  std::vector<gpu::RunRequest> requests;
  for (const heddle::Mechanism& mechanism : tests::stack_mechanisms()) {
    gpu::RunRequest request = request_for(mechanism);
    request.program = [](gpu::Device& device) -> gpu::Outcome {
      for (const tests::WarpWideCase& test : tests::warp_wide_cases()) {
        try {
          const std::string wrong = difference(device, test);
          if (!wrong.empty()) return {false, wrong};
        } catch (const std::exception& error) { return {false, test.name + ": " + error.what()}; }
      }
      return {true, ""};
    };
    requests.push_back(request);
  }
  const std::vector<gpu::RunResult> results = gpu::run_in_children(requests, 2);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const gpu::RunResult& result = results[i];
    BOOST_TEST((result.status == RunStatus::Ok), result.message);
    BOOST_TEST(result.equals_oracle);
    const bool pushes =
        heddle::divergence_named(tests::stack_mechanisms()[i].divergence).has(heddle::SmSide::SoftwareStack);
    const auto threads = result.statistics.thread_instructions, expected = result.oracle_thread_instructions;
    BOOST_TEST((pushes ? threads > expected : threads == expected), threads << " against " << expected);
    BOOST_TEST(result.statistics.barriers > 10U);
  }
}

namespace {

/// Every case, without the oracle.
std::vector<gpu::RunResult> run_cases(const std::vector<heddle::Mechanism>& mechanisms) {
  std::vector<gpu::RunRequest> requests;
  for (const heddle::Mechanism& mechanism : mechanisms) {
    gpu::RunRequest request = request_for(mechanism);
    request.kernel = tests::name_of(mechanism);
    request.with_oracle = false;
    request.program = [](gpu::Device& device) -> gpu::Outcome {
      for (const tests::WarpWideCase& test : tests::warp_wide_cases()) {
        try {
          const std::string wrong = difference(device, test);
          if (!wrong.empty()) return {false, wrong};
        } catch (const std::exception& error) { return {false, test.name + ": " + error.what()}; }
      }
      return {true, ""};
    };
    requests.push_back(request);
  }
  return gpu::run_in_children(requests, 2);
}

}  // namespace

/// Where lanes have not met, the .sync operation waits for them, and so does a CTA barrier with a result.
BOOST_AUTO_TEST_CASE(convergence_barriers_equal_the_host) {
  for (const gpu::RunResult& result : run_cases(tests::barrier_mechanisms())) {
    BOOST_TEST((result.status == RunStatus::Ok), result.message);
    BOOST_TEST(result.statistics.forced_releases == 0U);
  }
}

/// The same of warp splits, of which two or all have a slot.
BOOST_AUTO_TEST_CASE(splits_equal_the_host) {
  for (const gpu::RunResult& result : run_cases({{"dws10", "baseline"},
                                                 {"dws50", "shadow"},
                                                 {"dws100", "shadow"},
                                                 {"dws50", "barrel"},
                                                 {"dws50_ideal", "optimistic"}}))
    BOOST_TEST((result.status == RunStatus::Ok), result.message);
}

// Sums of floats depend on the order of the threads: within the bound of any order, (n - 1) roundings of the sum.
BOOST_AUTO_TEST_CASE(sums_of_floats_by_atomics) {
  constexpr unsigned Threads = 512;
  double exact = 0;
  for (unsigned thread = 0; thread < Threads; ++thread)
    exact += static_cast<double>(1.0F / static_cast<float>(thread + 1));
  const double bound = Threads * exact * 0x1p-24;
  std::vector<gpu::RunRequest> requests;
  for (const heddle::Mechanism& mechanism : tests::stack_mechanisms()) {
    gpu::RunRequest request = request_for(mechanism);
    request.byte_exact = false;
    request.program = [=](gpu::Device& device) -> gpu::Outcome {
      const heddle::isa::Program program = tests::warp_wide_program(R"(sub.u64 %rd3, %rd1, %rd2; mov.u32 %r5, tile;
add.u32 %r1, %t, 1; cvt.rn.f32.u32 %r2, %r1; div.rn.f32 %r3, 0f3f800000, %r2;
red.global.add.f32 [%rd3], %r3; atom.shared.add.f32 %r4, [%r5], %r3;
bar.sync 0; ld.volatile.global.u32 %o0, [%rd3]; ld.shared.u32 %o1, [%r5]; bar.sync 0;)");
      const std::uint64_t buffer = gpu::upload(device, std::vector<float>(4 * Threads, 0));
      gpu::launch(device, program, {1}, {Threads}, buffer);
      const std::vector<float> found = gpu::download<float>(device, buffer, 2);
      for (const float sum : found)
        if (!(std::abs(sum - exact) <= bound)) return {false, fmt::format("{} instead of {}", sum, exact)};
      return {true, ""};
    };
    requests.push_back(request);
  }
  for (const gpu::RunResult& result : gpu::run_in_children(requests, 2))
    BOOST_TEST((result.status == RunStatus::Ok), result.message);
}

BOOST_AUTO_TEST_CASE(the_oracle_names_errors) {
  for (const tests::WarpWideError& test : tests::warp_wide_errors()) {
    std::string message = "no error";
    try {
      gpu::OracleDevice device({32, 10'000'000});
      run_error(device, test);
    } catch (const gpu::ExecutionError& error) { message = error.what(); }
    BOOST_TEST(message.find(test.oracle) != std::string::npos, test.name << ": " << message);
    BOOST_TEST(message.find("file.ptx:") != std::string::npos, test.name << ": " << message);
  }
}

/// Splits wait for lanes that never come, and are told apart from those that only have no slot.
BOOST_AUTO_TEST_CASE(splits_name_errors) {
  std::vector<gpu::RunRequest> requests;
  for (const tests::WarpWideError& test : tests::warp_wide_errors()) {
    for (const heddle::Mechanism& mechanism :
         {heddle::Mechanism{"dws50", "shadow"}, heddle::Mechanism{"dws50_ideal", "optimistic"}}) {
      gpu::RunRequest request = request_for(mechanism);
      request.with_oracle = false;
      request.program = [&test](gpu::Device& device) { return run_error(device, test); };
      requests.push_back(request);
    }
  }
  const std::vector<gpu::RunResult> results = gpu::run_in_children(requests, 2);
  for (std::size_t index = 0; index < results.size(); ++index) {
    const tests::WarpWideError& test = tests::warp_wide_errors()[index / 2];
    const std::string& message = results[index].message;
    const bool is_named =
        message.find(test.stack) != std::string::npos || message.find(test.oracle) != std::string::npos;
    BOOST_TEST(is_named, test.name << ": " << message);
    BOOST_TEST(message.find("file.ptx:") != std::string::npos, test.name << ": " << message);
  }
}

BOOST_AUTO_TEST_CASE(stacks_name_errors) {
  std::vector<gpu::RunRequest> requests;
  for (const tests::WarpWideError& test : tests::warp_wide_errors()) {
    for (const heddle::Mechanism& mechanism :
         {heddle::Mechanism{"spe", "baseline"}, heddle::Mechanism{"dpe", "shadow"}}) {
      gpu::RunRequest request = request_for(mechanism);
      request.with_oracle = false;
      request.program = [&test](gpu::Device& device) { return run_error(device, test); };
      requests.push_back(request);
    }
  }
  const std::vector<gpu::RunResult> results = gpu::run_in_children(requests, 2);
  for (std::size_t index = 0; index < results.size(); ++index) {
    const tests::WarpWideError& test = tests::warp_wide_errors()[index / 2];
    const std::string& message = results[index].message;
    BOOST_TEST(message.find(test.stack) != std::string::npos, test.name << ": " << message);
    BOOST_TEST(message.find("file.ptx:") != std::string::npos, test.name << ": " << message);
  }
}
