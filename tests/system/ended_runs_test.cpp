// SPDX-License-Identifier: Apache-2.0
// Runs that an error ends while instructions and accesses are under way: the run tells its error, and what it leaves is
// taken down without a fault; and what a launch leaves is no part of the next one. system.ended_runs_in_valgrind is this
// test under valgrind, which sees an access outside an array that does not crash; with HEDDLE_IN_VALGRIND the test has two
// mechanisms alone, because a run takes seconds there.
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <fmt/format.h>
#include <iostream>

#include "sim/gpu/run.h"
#include "tests/kit/mechanism_runs.h"
#include "tests/kit/space_cases.h"

namespace gpu = heddle::gpu;
namespace tests = heddle::tests;
using gpu::ErrorCode;

int sc_main(int, char**) {
  return 0;
}

namespace {

constexpr unsigned Blocks = 2, Threads = 64;

/// Loads, a store, an atomic and an instruction of the special unit, none of which is waited for. %p1: thread 37.
const char* const UnderWay =
    "ld.global.u32 %r5, [%rd2]; st.global.u32 [%rd2], %r1; atom.global.add.u32 %r6, [%rd1], 1; "
    "cvt.rn.f32.u32 %r8, %r1; sin.approx.f32 %r8, %r8; setp.eq.u32 %p1, %r1, 37;\n";

struct Ending {
  const char* what;
  const char* body;
  ErrorCode error;
  const char* functions = "";
};

const Ending Endings[] = {
    {"a trap that is all the code", "trap;", ErrorCode::Trap},
    {"a trap at the end of the code", "@%p1 bra T; add.u32 %r7, %r5, 1; st.global.u32 [%rd2], %r7; ret; T: trap;",
     ErrorCode::Trap},
    {"a trap at the end of the last function", "@%p1 bra T; st.global.u32 [%rd2], %r5; ret; T: call throws;",
     ErrorCode::Trap, ".func throws() .noreturn\n{\n  trap;\n}\n"},
    {"a trap under a guard", "@%p1 trap; add.u32 %r7, %r5, 1; st.global.u32 [%rd2], %r7; ret;", ErrorCode::Trap},
    {"a load out of bounds", "@%p1 ld.global.u32 %r7, [%rd1+4096]; st.global.u32 [%rd2], %r5; ret;",
     ErrorCode::OutOfBounds},
    {"a store out of bounds", "@%p1 st.global.u32 [%rd1+4096], %r1; st.global.u32 [%rd2], %r5; ret;",
     ErrorCode::OutOfBounds},
    {"an atomic out of bounds", "@%p1 red.global.add.u32 [%rd1+4096], 1; ret;", ErrorCode::OutOfBounds},
    {"a misaligned load", "@%p1 ld.global.u32 %r7, [%rd1+2]; st.global.u32 [%rd2], %r5; ret;", ErrorCode::Misaligned},
    {"a loop without progress", "L: ld.global.u32 %r7, [%rd2]; bra L;", ErrorCode::Deadlock},
    {"a loop without progress at the end of the code", "@!%p1 bra T; L: bra L; T: trap;", ErrorCode::Trap},
    {"a loop that stores without end", "L: st.global.u32 [%rd2], 1; bra L;", ErrorCode::CycleLimit},
    {"a barrier for more threads than there are", "bar.sync 1, 128; ret;", ErrorCode::InvalidBarrier},
    {"barriers that wait for each other", "setp.lt.u32 %p2, %r1, 32; @%p2 bra A; bar.sync 2; ret; A: bar.sync 1; ret;",
     ErrorCode::BarrierNeverOpens},
    {"a warp-wide operation with the wrong mask", "vote.sync.any.pred %p2, %p1, 1; ret;", ErrorCode::InvalidWarpWide},
};

/// One mechanism of each kind.
std::vector<heddle::Mechanism> mechanisms() {
  if (std::getenv("HEDDLE_IN_VALGRIND") != nullptr) return {{"dpe", "shadow"}, tests::mimd_mechanisms().front()};
  std::vector<heddle::Mechanism> all = tests::exit_mechanisms();
  all.push_back(tests::mimd_mechanisms().front());
  all.push_back({"dpe", "barrel"});
  return all;
}

gpu::RunRequest request_of(const heddle::Mechanism& mechanism, const std::string& body, const std::string& functions) {
  const gpu::HostProgram program = [body, functions](gpu::Device& device) {
    const std::string wrong = tests::check(device, tests::program_of(UnderWay + body, functions), Blocks, Threads, 0,
                                           [](unsigned thread) { return thread; });
    return gpu::Outcome{wrong.empty(), wrong};
  };
  gpu::RunRequest request = tests::request_of(mechanism, program);
  request.timed.sm.point = &heddle::point::isca17::Values;
  request.timed.sm.watchdog_cycles = 2'000;
  request.timed.sm.max_cycles = 10'000;
  request.with_oracle = false;
  return request;
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_kind_of_error) {
  std::vector<gpu::RunRequest> requests;
  std::vector<ErrorCode> expected;
  for (const heddle::Mechanism& mechanism : mechanisms()) {
    for (const Ending& ending : Endings) {
      requests.push_back(request_of(mechanism, ending.body, ending.functions));
      requests.back().kernel = fmt::format("{} under {}", ending.what, tests::name_of(mechanism));
      expected.push_back(ending.error);
    }
  }
  const std::vector<gpu::RunResult> results = gpu::run_in_children(requests, 2);
  unsigned refused = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    refused += results[i].error == ErrorCode::NotSupported ? 1 : 0;
    if (results[i].error == ErrorCode::NotSupported) continue;
    BOOST_TEST(heddle::isa::name_of(results[i].error) == heddle::isa::name_of(expected[i]),
               requests[i].kernel << ": " << results[i].message);
  }
  BOOST_TEST(refused <= 2U);  // formation and mimd have no warp-wide operations
  std::cout << requests.size() - refused << " runs end with the error of their program\n";
}

/// A run without an error of its own, which the limit of cycles ends at many places.
BOOST_AUTO_TEST_CASE(at_any_cycle) {
  std::vector<gpu::RunRequest> requests;
  for (const heddle::Mechanism& mechanism : mechanisms()) {
    for (std::uint64_t cycles = 1; cycles < 500; cycles += 1 + cycles / 2) {
      requests.push_back(request_of(
          mechanism,
          "@%p1 bra A; ld.global.u32 %r7, [%rd2]; add.u32 %r5, %r7, %r5; A: bar.sync 0; add.u32 %r7, %r5, 1; ret;",
          ""));
      requests.back().timed.sm.max_cycles = cycles;
      requests.back().kernel = fmt::format("{} cycles under {}", cycles, tests::name_of(mechanism));
    }
  }
  const std::vector<gpu::RunResult> results = gpu::run_in_children(requests, 2);
  unsigned ended = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    BOOST_TEST((results[i].error == ErrorCode::CycleLimit || results[i].error == ErrorCode::None),
               requests[i].kernel << ": " << results[i].message);
    ended += results[i].error == ErrorCode::CycleLimit ? 1 : 0;
  }
  BOOST_TEST(ended > requests.size() / 2);
  std::cout << ended << " of " << requests.size() << " runs end at their limit of cycles\n";
}

/// Nothing of the longer program that ran before is counted for the shorter one.
BOOST_AUTO_TEST_CASE(a_longer_program_before_a_shorter_one) {
  std::vector<gpu::RunRequest> requests;
  for (const heddle::Mechanism& mechanism : mechanisms()) {
    const gpu::HostProgram program = [](gpu::Device& device) {
      const std::string store = "st.global.u32 [%rd2], %r2; ret;";
      std::string longer;
      for (unsigned i = 0; i < 100; ++i) longer += "add.u32 %r5, %r5, %r2;\n";
      std::string wrong;
      for (const std::string& body : {longer + store, store})
        wrong +=
            tests::check(device, tests::program_of(body), Blocks, Threads, 0, [](unsigned thread) { return thread; });
      return gpu::Outcome{wrong.empty(), wrong};
    };
    requests.push_back(tests::request_of(mechanism, program));
    requests.back().timed.sm.point = &heddle::point::isca17::Values;
  }
  const std::vector<gpu::RunResult> results = gpu::run_in_children(requests, 2);
  for (std::size_t i = 0; i < results.size(); ++i)
    BOOST_TEST(results[i].equals_oracle, requests[i].kernel << ": " << results[i].message);
  std::cout << requests.size() << " runs of two programs equal the oracle\n";
}
