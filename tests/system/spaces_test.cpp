// SPDX-License-Identifier: Apache-2.0
// State spaces on the timed SM beside the oracle: generic addresses, local memory, shared memory sized at launch,
// variables of a module, addresses of parameters, special registers of a launch, and the errors of all these. The run
// compares every byte of memory with the oracle's.
#include <boost/test/unit_test.hpp>

#include "sim/gpu/oracle_device.h"
#include "tests/kit/mechanism_runs.h"
#include "tests/kit/space_cases.h"

namespace gpu = heddle::gpu;
using namespace heddle::tests;

int sc_main(int, char**) {
  return 0;
}

namespace {

struct Failure {
  std::string body, variables;
  unsigned shared;
  std::string message;
};

}  // namespace

BOOST_AUTO_TEST_CASE(values_equal_the_oracle_and_the_host) {
  const std::vector<gpu::RunRequest> requests = {request_of({"spe", "baseline"}, run_space_cases),
                                                 request_of({"dpe", "shadow"}, run_space_cases)};
  for (const gpu::RunResult& result : gpu::run_in_children(requests, 2)) {
    BOOST_TEST((result.status == gpu::RunStatus::Ok), result.message);
    BOOST_TEST(result.equals_oracle);
  }
}

BOOST_AUTO_TEST_CASE(errors_are_the_same_on_the_oracle) {
  const std::string site = ": kernel k, file.ptx:";
  const std::string tile = ".shared .align 4 .b8 tile[16];\n", dynamic = ".extern .shared .align 16 .b8 dynamic[];\n";
  const std::vector<Failure> failures = {
      {"cvta.shared.u64 %rd3, tile;\nst.u32 [%rd3+16], 0; ret;", tile, 0,
       "out-of-bounds store of 4 bytes at 0x7e0000000010 (generic, shared)" + site +
           "7, block (0,0,0) thread (0,0,0); expected an address inside the 16 bytes of shared memory"},
      {".local .align 8 .b8 mine[8]; cvta.local.u64 %rd3, mine; ld.u32 %r5, [%rd3+8]; ret;", "", 0,
       "out-of-bounds load of 4 bytes at 0x7e0100000008 (generic, local)" + site +
           "5, block (0,0,0) thread (0,0,0); expected an address inside the 8 bytes of local memory"},
      {".local .align 8 .b8 mine[8]; mov.u64 %rd4, mine; mul.wide.u32 %rd3, %r1, 4; add.u64 %rd3, %rd3, %rd4; "
       "st.local.u32 [%rd3], 0; ret;",
       "", 0, "out-of-bounds store of 4 bytes at 0x8 (local)" + site + "5, block (0,0,0) thread (2,0,0)"},
      {".local .align 8 .b8 mine[8]; cvta.local.u64 %rd3, mine; ld.u32 %r5, [%rd3+2]; ret;", "", 0,
       "misaligned load of 4 bytes at 0x7e0100000002 (generic, local)"},
      {"ld.u32 %r5, [%rd1+4096]; ret;", "", 0, "out-of-bounds load of 4 bytes at 0x7f0000001000 (generic, global)"},
      {"ld.shared.u32 %r5, [dynamic+64]; ret;", dynamic, 64,
       "out-of-bounds load of 4 bytes at 0x40 (shared)" + site +
           "6, block (0,0,0) thread (0,0,0); expected an address inside the 64 bytes of shared memory"},
      {"setp.eq.u32 %p1, %r1, 3;\n@%p1 trap; ret;", "", 0,
       "cudaErrorLaunchFailure: trap executed" + site + "6, block (0,0,0) thread (3,0,0)"},
      {".local .b8 mine[1000000]; st.local.u8 [mine], 0; ret;", "", 0,
       "cudaErrorLaunchOutOfResources: kernel k needs 1000000 bytes of local memory a thread, expected at most 524288"},
  };
  std::vector<gpu::RunRequest> requests;
  for (const Failure& failure : failures) {
    gpu::RunRequest one = request_of({requests.size() % 2 == 0 ? "spe" : "dpe", "baseline"}, {});
    one.program = [&failure](gpu::Device& device) {
      return gpu::Outcome{false, check(device, program_of(failure.body, failure.variables), 1, 32, failure.shared,
                                       [](unsigned) { return 0U; })};
    };
    requests.push_back(one);
  }
  const std::vector<gpu::RunResult> results = gpu::run_in_children(requests, 2);
  for (std::size_t index = 0; index < failures.size(); ++index) {
    BOOST_TEST((results[index].status == gpu::RunStatus::Error));
    BOOST_TEST(results[index].message.find(failures[index].message) != std::string::npos, results[index].message);
    gpu::OracleDevice oracle;
    BOOST_CHECK_EXCEPTION(requests[index].program(oracle), gpu::ExecutionError,
                          [&](const std::exception& error) { return error.what() == results[index].message; });
  }
}

BOOST_AUTO_TEST_CASE(too_much_shared_memory_at_launch) {
  gpu::RunRequest one = request_of({"spe", "baseline"}, {});
  one.program = [](gpu::Device& device) {
    return gpu::Outcome{false, check(device, program_of("ret;"), 1, 32, 48 * 1024 + 4, [](unsigned) { return 0U; })};
  };
  const gpu::RunResult result = gpu::run_in_children({one}, 1).front();
  BOOST_TEST((result.status == gpu::RunStatus::Error));
  BOOST_TEST(result.message ==
             "cudaErrorLaunchOutOfResources: kernel k needs 49156 bytes of shared memory a CTA, an SM of this design "
             "point has 49152");
}
