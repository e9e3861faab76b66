// SPDX-License-Identifier: Apache-2.0
// Textures on the timed SM: the kernels of texture_cases.h under every mechanism equal the oracle and the host, and an
// error names the fetch there too.
#include <boost/test/unit_test.hpp>

#include "sim/gpu/oracle_device.h"
#include "tests/kit/mechanism_runs.h"
#include "tests/kit/texture_cases.h"

namespace gpu = heddle::gpu;
namespace tests = heddle::tests;
using gpu::RunStatus;

int sc_main(int, char**) {
  return 0;
}

namespace {

gpu::Outcome run_all(gpu::Device& device) {
  const gpu::Outcome fetches = tests::run_fetch_cases(device);
  return fetches.ok ? tests::run_list_walk(device) : fetches;
}

gpu::Outcome fetch_without_handle(gpu::Device& device) {
  const heddle::isa::Program program =
      tests::fetch_program("tex.1d.v4.u32.s32 {%r0, %r1, %r2, %r3}, [%h, {%x}]; st.global.u32 [%to], %r0;");
  const std::uint64_t words = device.allocate(16);
  gpu::launch(device, program, {1}, {1}, std::uint64_t{0x200}, words, words);
  return {false, "no error"};
}

gpu::Outcome fetch_without_binding(gpu::Device& device) {
  const heddle::isa::Program program =
      tests::fetch_program("tex.1d.v4.u32.s32 {%r0, %r1, %r2, %r3}, [t, {%x}]; st.global.u32 [%to], %r0;");
  const std::uint64_t words = device.allocate(16);
  gpu::launch(device, program, {1}, {1}, std::uint64_t{0}, words, words);
  return {false, "no error"};
}

}  // namespace

BOOST_AUTO_TEST_CASE(fetches_equal_the_oracle_under_every_mechanism) {
  std::vector<gpu::RunRequest> requests;
  for (const heddle::Mechanism& mechanism : tests::stack_mechanisms())
    requests.push_back(tests::request_of(mechanism, run_all));
  for (const gpu::RunResult& result : gpu::run_in_children(requests, 2)) {
    BOOST_TEST((result.status == RunStatus::Ok), result.message);
    BOOST_TEST(result.equals_oracle);
    BOOST_TEST(result.statistics.divergent_branches > 0);  // of the list walk
  }
}

BOOST_AUTO_TEST_CASE(errors_are_the_same_on_the_oracle) {
  for (const auto& [program, message] :
       {std::pair(fetch_without_handle, "out-of-bounds load of 8 bytes at 0x200 (global): kernel k, file.ptx:7,"),
        std::pair(fetch_without_binding, "cudaErrorInvalidTextureBinding: kernel k of file.ptx reads texture t")}) {
    std::vector<gpu::RunRequest> requests;
    for (const heddle::Mechanism& mechanism : tests::stack_mechanisms())
      requests.push_back(tests::request_of(mechanism, program));
    for (const gpu::RunResult& result : gpu::run_in_children(requests, 2)) {
      BOOST_TEST((result.status == RunStatus::Error), result.message);
      BOOST_TEST(result.message.find(message) != std::string::npos, result.message);
      gpu::OracleDevice oracle;
      BOOST_CHECK_EXCEPTION(program(oracle), gpu::ExecutionError,
                            [&](const std::exception& error) { return error.what() == result.message; });
    }
  }
}
