// SPDX-License-Identifier: Apache-2.0
// A run that fails says so by a code: each kind of failure on both stacks and, where it can happen there, on the
// oracle.
#include <boost/test/unit_test.hpp>
#include <set>

#include "sim/gpu/oracle_device.h"
#include "sim/gpu/run.h"
#include "tests/kit/mechanism_runs.h"
#include "tests/kit/space_cases.h"

namespace gpu = heddle::gpu;
using namespace heddle::tests;
using gpu::ErrorCode;

int sc_main(int, char**) {
  return 0;
}

namespace {

struct Failure {
  const char* what;
  const char* body;
  unsigned threads;
  ErrorCode timed, oracle;
};

/// Between two branches deeper than the stacks of point tiny are.
const char* const Nest =
    "setp.ne.u32 %p1, %r1, 0; @%p1 bra A; st.global.u32 [%rd2], 1; bra A_MET;\n"
    "A: setp.ne.u32 %p2, %r1, 1; @%p2 bra B; st.global.u32 [%rd2], 2; bra B_MET;\n"
    "B: setp.ne.u32 %p3, %r1, 2; @%p3 bra C; st.global.u32 [%rd2], 3; bra C_MET;\n"
    "C: st.global.u32 [%rd2], 4; C_MET: add.u32 %r5, %r1, 1; B_MET: add.u32 %r5, %r5, 1; A_MET: ret;";

const Failure Failures[] = {
    {"out of bounds", "ld.global.u32 %r5, [%rd1+4096]; ret;", 32, ErrorCode::OutOfBounds, ErrorCode::OutOfBounds},
    {"misaligned", "ld.global.u32 %r5, [%rd1+2]; ret;", 32, ErrorCode::Misaligned, ErrorCode::Misaligned},
    {"trap", "trap; ret;", 32, ErrorCode::Trap, ErrorCode::Trap},
    {"too many threads", "ret;", 1025, ErrorCode::InvalidConfiguration, ErrorCode::InvalidConfiguration},
    {"a loop without end", "L: bra L;", 32, ErrorCode::Deadlock, ErrorCode::Deadlock},
    {"a loop that stores without end", "L: st.global.u32 [%rd2], 1; bra L;", 32, ErrorCode::CycleLimit,
     ErrorCode::CycleLimit},
    {"a barrier that masked lanes keep shut",
     "setp.lt.u32 %p1, %r1, 3; @%p1 bra S; bar.sync 0; S: add.u32 %r5, %r1, 1; ret;", 32, ErrorCode::DivergentBarrier,
     ErrorCode::None},
    {"two barriers that wait for each other",
     "setp.lt.u32 %p1, %r1, 32; @%p1 bra A; bar.sync 2; ret; A: bar.sync 1; ret;", 64, ErrorCode::BarrierNeverOpens,
     ErrorCode::BarrierNeverOpens},
    {"a barrier for more threads than there are", "bar.sync 1, 64; ret;", 32, ErrorCode::InvalidBarrier,
     ErrorCode::InvalidBarrier},
    {"a warp-wide operation with the wrong mask", "vote.sync.any.pred %p1, 1, 1; ret;", 32, ErrorCode::InvalidWarpWide,
     ErrorCode::InvalidWarpWide},
};

gpu::HostProgram host_program(const Failure& failure) {
  return [&failure](gpu::Device& device) {
    return gpu::Outcome{true,
                        check(device, program_of(failure.body), 1, failure.threads, 0, [](unsigned) { return 0U; })};
  };
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_kind_of_failure_has_its_code) {
  std::vector<gpu::RunRequest> requests;
  for (const Failure& failure : Failures) {
    for (const char* divergence : {"spe", "dpe"}) {
      gpu::RunRequest request = request_of({divergence, "baseline"}, host_program(failure));
      request.timed.sm.watchdog_cycles = 2'000;
      request.timed.sm.max_cycles = 10'000;
      requests.push_back(request);
    }
    gpu::RunRequest functional = request_of({"spe", "baseline"}, host_program(failure));
    functional.functional = true;
    functional.timed.sm.watchdog_cycles = 2'000;
    functional.max_thread_instructions = 1'000'000;
    requests.push_back(functional);
  }
  const std::vector<gpu::RunResult> results = gpu::run_in_children(requests, 2);
  for (std::size_t index = 0; index < results.size(); ++index) {
    const Failure& failure = Failures[index / 3];
    const ErrorCode expected = requests[index].functional ? failure.oracle : failure.timed;
    BOOST_TEST(heddle::isa::name_of(results[index].error) == heddle::isa::name_of(expected),
               failure.what << ": " << results[index].message);
    BOOST_TEST((results[index].status == gpu::RunStatus::Deadlock) == (expected == ErrorCode::Deadlock));
  }
}

BOOST_AUTO_TEST_CASE(a_stack_that_overflows) {
  const Failure failure{"too deep for tiny", Nest, 4, ErrorCode::Overflow, ErrorCode::None};
  gpu::RunRequest request = request_of({"dpe", "baseline"}, host_program(failure));
  request.timed.sm.point = &heddle::point::tiny::Values;
  const gpu::RunResult result = gpu::run_in_children({request}, 1).front();
  BOOST_TEST(heddle::isa::name_of(result.error) == heddle::isa::name_of(failure.timed), result.message);
}

BOOST_AUTO_TEST_CASE(faults_of_the_program_text_and_of_the_options) {
  gpu::RunRequest text = request_of({"spe", "baseline"}, [](gpu::Device&) {
    program_of("no.such.opcode; ret;");
    return gpu::Outcome{true, ""};
  });
  gpu::RunRequest option = request_of({"spe", "no such scoreboard"}, [](gpu::Device&) {
    return gpu::Outcome{true, ""};
  });
  const std::vector<gpu::RunResult> results = gpu::run_in_children({text, option}, 2);
  BOOST_TEST((results[0].error == ErrorCode::InvalidProgram), results[0].message);
  BOOST_TEST((results[1].error == ErrorCode::InvalidInput), results[1].message);
}

BOOST_AUTO_TEST_CASE(names_are_different) {
  std::set<std::string> names;
  const auto last = static_cast<unsigned>(ErrorCode::IllegalRequest);
  for (unsigned code = 0; code <= last; ++code) names.insert(heddle::isa::name_of(static_cast<ErrorCode>(code)));
  BOOST_TEST(names.size() == last + 1);
}
