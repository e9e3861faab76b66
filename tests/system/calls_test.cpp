// SPDX-License-Identifier: Apache-2.0
// Functions on the timed SM: the programs of call_programs.h under every mechanism equal the oracle and what they
// should compute, and a recursion deeper than the stack is a named error.
#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include "sim/compiler/compile.h"
#include "sim/ptx/parser.h"
#include "tests/kit/call_programs.h"
#include "tests/kit/mechanism_runs.h"

namespace gpu = heddle::gpu;
namespace tests = heddle::tests;
using gpu::RunStatus;

int sc_main(int, char**) {
  return 0;
}

namespace {

heddle::isa::Program compiled(const gpu::Device& device, const std::string& ptx, const std::string& file) {
  heddle::compiler::CompileOptions options;
  options.machine = device.machine();
  return heddle::compiler::compile(heddle::ptx::parse(ptx, file), "k", nullptr, options);
}

constexpr unsigned Threads = 96;

std::vector<tests::CallProgram> all_programs() {
  std::vector<tests::CallProgram> programs = tests::plain_calls();
  for (const tests::CallProgram& program : tests::recursive_calls()) programs.push_back(program);
  return programs;
}

/// One launch each.
gpu::Outcome run_these(gpu::Device& device, const std::vector<tests::CallProgram>& programs) {
  for (const tests::CallProgram& program : programs) {
    const heddle::isa::Program code = compiled(device, program.ptx, "calls.ptx");
    std::vector<std::uint32_t> words(Threads);
    for (unsigned t = 0; t < Threads; ++t) words[t] = t * 2654435761U >> t % 20;
    const std::uint64_t buffer = gpu::upload(device, words);
    gpu::launch(device, code, {1}, {Threads}, buffer);
    const std::vector<std::uint32_t> found = gpu::download<std::uint32_t>(device, buffer, Threads);
    for (unsigned t = 0; t < Threads; ++t) {
      if (found[t] != program.expected(words[t], t))
        return {false, fmt::format("{}: thread {}, word {}: found {}, expected {}", program.name, t, words[t], found[t],
                                   program.expected(words[t], t))};
    }
  }
  return {true, "as expected"};
}

gpu::Outcome run_all(gpu::Device& device) {
  return run_these(device, all_programs());
}
gpu::Outcome run_plain(gpu::Device& device) {
  return run_these(device, tests::plain_calls());
}

bool pushes(const heddle::Mechanism& mechanism) {
  return heddle::divergence_named(mechanism.divergence).has(heddle::SmSide::SoftwareStack);
}

/// The sum of 1 to n by recursion, the same n for every thread.
gpu::HostProgram sum_to(std::uint32_t n) {
  return [n](gpu::Device& device) {
    const std::string ptx = tests::with_entry(R"(
.func (.param .b32 r) sum(.param .b32 n) { .reg .b32 %n, %a; .reg .pred %p;
  ld.param.b32 %n, [n]; setp.eq.u32 %p, %n, 0; mov.u32 %a, 0; @%p bra DONE; sub.u32 %a, %n, 1;
)" + tests::call("sum", "%a", "%a") + "add.u32 %a, %a, %n;\nDONE: st.param.b32 [r], %a; ret; }\n",
                                              tests::call("sum", "%x", "%x"));
    const heddle::isa::Program code = compiled(device, ptx, "sum.ptx");
    const std::uint64_t buffer = gpu::upload(device, std::vector<std::uint32_t>(32, n));
    gpu::launch(device, code, {1}, {32}, buffer);
    const bool right =
        gpu::download<std::uint32_t>(device, buffer, 32) == std::vector<std::uint32_t>(32, n * (n + 1) / 2);
    return gpu::Outcome{right, right ? "as expected" : "wrong sum"};
  };
}

}  // namespace

BOOST_AUTO_TEST_CASE(calls_equal_the_oracle_under_every_mechanism) {
  const std::vector<heddle::Mechanism> mechanisms = tests::stack_mechanisms();
  std::vector<gpu::RunRequest> requests;
  for (const heddle::Mechanism& mechanism : mechanisms)
    requests.push_back(tests::request_of(mechanism, pushes(mechanism) ? run_plain : run_all));
  const std::vector<gpu::RunResult> results = gpu::run_in_children(requests, 2);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const gpu::RunResult& result = results[i];
    BOOST_TEST((result.status == RunStatus::Ok), result.message);
    BOOST_TEST(result.equals_oracle);
    BOOST_TEST(result.statistics.divergent_branches > 0);
    // The deepest of them calls itself ten times.
    if (!pushes(mechanisms[i])) BOOST_TEST(result.statistics.max_depth > 10);
  }
}

// The lowest entry, and one a call: of sum(n) to sum(0). The machine has no room for as many as the oracle.
BOOST_AUTO_TEST_CASE(a_recursion_deeper_than_the_stack_is_a_named_error) {
  const heddle::DesignPoint& point = heddle::point::hpca13::Values;
  for (const bool dual : {false, true}) {
    const heddle::Mechanism mechanism = tests::stack_mechanisms()[dual ? 2 : 0];
    BOOST_TEST((mechanism.divergence == (dual ? "dpe" : "spe")));
    const unsigned entries = dual ? point.dpe_depth : point.spe_depth;
    const std::string name = dual ? "dual_path_stack" : "single_path_stack";
    const std::vector<gpu::RunResult> results = gpu::run_in_children(
        {tests::request_of(mechanism, sum_to(entries - 2)), tests::request_of(mechanism, sum_to(entries - 1))}, 2);
    BOOST_TEST((results[0].status == RunStatus::Ok), results[0].message);
    BOOST_TEST(results[0].statistics.max_depth == entries);
    BOOST_TEST((results[1].error == heddle::gpu::ErrorCode::Overflow), results[1].message);
    BOOST_TEST(results[1].message.find(name + "/overflow") != std::string::npos, results[1].message);
  }
}

/// Nothing says how deep it goes, and a stack that programs push and pop would overflow in the middle of it.
BOOST_AUTO_TEST_CASE(a_recursion_where_programs_push_and_pop_is_refused_by_name) {
  const gpu::RunResult result =
      gpu::run_in_children({tests::request_of({"dpe_software", "shadow"}, sum_to(3))}, 1).front();
  BOOST_TEST((result.error == heddle::gpu::ErrorCode::NotSupported), result.message);
  for (const char* part : {"kernel k calls ", "may call itself", "software_stack", "--divergence spe or dpe"})
    BOOST_TEST(result.message.find(part) != std::string::npos, part << ": " << result.message);
}

/// Each thread keeps its return address: it goes back to where it came from, whoever it runs with.
BOOST_AUTO_TEST_CASE(calls_equal_the_oracle_under_convergence_barriers) {
  std::vector<gpu::RunRequest> requests;
  for (const heddle::Mechanism& mechanism : tests::barrier_mechanisms()) {
    requests.push_back(tests::request_of(mechanism, run_all));
    requests.push_back(tests::request_of(mechanism, sum_to(100)));  // deeper than any stack
  }
  for (const gpu::RunResult& result : gpu::run_in_children(requests, 2)) {
    BOOST_TEST((result.status == RunStatus::Ok), result.message);
    BOOST_TEST(result.equals_oracle);
    BOOST_TEST(result.statistics.forced_releases == 0U);
  }
}

BOOST_AUTO_TEST_CASE(a_recursion_where_no_entry_is_for_calls_is_refused_by_name) {
  std::vector<gpu::RunRequest> requests;
  for (const heddle::Mechanism& mechanism : tests::split_mechanisms())
    requests.push_back(tests::request_of(mechanism, sum_to(3)));
  for (const gpu::RunResult& result : gpu::run_in_children(requests, 2)) {
    BOOST_TEST((result.error == heddle::gpu::ErrorCode::NotSupported), result.message);
    for (const char* part : {"kernel k calls ", "may call itself", "warp_split_table", "--divergence spe or dpe"})
      BOOST_TEST(result.message.find(part) != std::string::npos, part << ": " << result.message);
  }
}
