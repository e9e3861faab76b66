// SPDX-License-Identifier: Apache-2.0
// The carry of extended-precision arithmetic under every mechanism: written right before a branch and read on both of
// its sides, written on both sides and read after they met, late and early, guarded or not.
#include <boost/test/unit_test.hpp>

#include "tests/kit/ptx_text.h"
#include "tests/random/program_campaign.h"

namespace tests = heddle::tests;
using heddle::gpu::RunStatus;

int sc_main(int, char**) {
  return 0;
}

BOOST_AUTO_TEST_CASE(equal_the_oracle_under_every_mechanism) {
  std::vector<heddle::gpu::RunRequest> requests;
  for (const heddle::Mechanism& mechanism : tests::stack_mechanisms()) {
    tests::RandomProgram program;
    program.seed = 1;
    program.point = &heddle::point::hpca13::Values;
    program.ptx = tests::ptx_text("carries.ptx");
    program.grid = {1, 1, 1};
    program.block = {256, 1, 1};
    requests.push_back(tests::request_of(mechanism, tests::host_program(program)));
  }
  for (const auto& result : heddle::gpu::run_in_children(requests, 2)) {
    BOOST_TEST((result.status == RunStatus::Ok), result.message);
    BOOST_TEST(result.equals_oracle);
  }
}
