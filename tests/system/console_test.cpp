// SPDX-License-Identifier: Apache-2.0
// Kernels that print and assert, as clang and nvcc compile them, on the oracle and under both stacks: lines against the
// host's printf, whatever their order; an assertion's words.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <iostream>
#include <sstream>

#include "sim/compiler/compile.h"
#include "sim/gpu/oracle_device.h"
#include "sim/gpu/program_library.h"
#include "sim/ptx/parser.h"
#include "tests/kit/mechanism_runs.h"

namespace gpu = heddle::gpu;
namespace tests = heddle::tests;

int sc_main(int, char**) {
  return 0;
}

namespace {

constexpr unsigned Blocks = 2, Threads = 48;

const heddle::Mechanism Mechanisms[] = {{"spe", "baseline"}, {"dpe", "shadow"}};

std::vector<std::string> sorted_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  std::sort(lines.begin(), lines.end());
  return lines;
}

/// What thread t of `prints` prints, and what its first printf gives back.
std::string lines_of(unsigned t, int& count) {
  char own[8] = {}, text[200];
  for (unsigned i = 0; i < 5; ++i) own[i] = static_cast<char>('a' + (t + i) % 26);
  std::string all;
  count = -7;
  if (t % 3 == 0) {
    std::snprintf(text, sizeof text, "thread %u: %d %5.2f [%s] %c %lld\n", t, -static_cast<int>(t), t * 0.25, own,
                  static_cast<int>('A' + t % 26), static_cast<long long>(t) << 33);
    all += text;
    count = 6;
  } else if (t % 3 == 1) {
    std::snprintf(text, sizeof text, "%s %-4x|%04u|100%% %s\n", "word", t, t, "xyz");
    all += text;
    count = 4;
  }
  for (unsigned i = 0; i < t % 4; ++i) all += fmt::format("{}.{}\n", t, i);
  return all;
}

gpu::Outcome run_prints(gpu::Device& device, const std::string& ptx) {
  gpu::ProgramLibrary library(ptx);
  const std::uint64_t counts = gpu::upload(device, std::vector<int>(Blocks * Threads, 0));
  gpu::launch(device, library.find("prints"), {Blocks}, {Threads}, counts,
              gpu::upload(device, std::vector<char>{'w', 'o', 'r', 'd', 0}));
  const std::vector<int> found = gpu::download<int>(device, counts, Blocks * Threads);
  std::string expected;
  for (unsigned t = 0; t < Blocks * Threads; ++t) {
    int count = 0;
    expected += lines_of(t, count);
    if (found[t] != count) return {false, fmt::format("thread {}: printf gives {}, expected {}", t, found[t], count)};
  }
  if (sorted_lines(device.printed()) != sorted_lines(expected))
    return {false, "printed:\n" + device.printed() + "expected:\n" + expected};
  return {true, ""};
}

gpu::Outcome run_asserts(gpu::Device& device, const std::string& ptx, int largest) {
  gpu::ProgramLibrary library(ptx);
  std::vector<int> values(Threads, 7);
  values[33] = largest;
  gpu::launch(device, library.find("asserts"), {1}, {Threads}, gpu::upload(device, values));
  return {true, ""};
}

std::vector<gpu::RunRequest> on_every_device(const gpu::HostProgram& program) {
  std::vector<gpu::RunRequest> requests;
  for (const heddle::Mechanism& mechanism : Mechanisms) requests.push_back(tests::request_of(mechanism, program));
  requests.push_back(tests::request_of(Mechanisms[0], program));
  requests.back().functional = true;
  return requests;
}

void check(const std::string& ptx, const std::string& place) {
  for (const gpu::RunResult& result :
       gpu::run_in_children(on_every_device([=](gpu::Device& device) { return run_prints(device, ptx); }), 2))
    BOOST_TEST((result.status == gpu::RunStatus::Ok), result.message);
  for (const gpu::RunResult& result :
       gpu::run_in_children(on_every_device([=](gpu::Device& device) { return run_asserts(device, ptx, 39); }), 2))
    BOOST_TEST((result.status == gpu::RunStatus::Ok), result.message);
  for (const gpu::RunResult& result :
       gpu::run_in_children(on_every_device([=](gpu::Device& device) { return run_asserts(device, ptx, 40); }), 2)) {
    BOOST_TEST((result.error == gpu::ErrorCode::Assert), result.message);
    for (const std::string& words : {std::string("cudaErrorAssert: "), place, std::string("values[threadIdx.x] < 40"),
                                     std::string("kernel asserts"), std::string("thread (33,0,0)")})
      BOOST_TEST(result.message.find(words) != std::string::npos, "no '" << words << "' in: " << result.message);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(compiled_by_clang) {
  check(HEDDLE_PTX_DIR "/console_O3.ptx", "console.cu:40: asserts");
}

BOOST_AUTO_TEST_CASE(compiled_by_nvcc) {
  const std::string nvcc = HEDDLE_NVCC;
  if (nvcc.empty()) {
    std::cout << "left out: PTX from nvcc, because no nvcc was found when the build was configured\n";
    return;
  }
  const std::string file = HEDDLE_PTX_DIR "/console_nvcc.ptx";
  const std::string command =
      fmt::format("'{0}' -std=c++17 -ptx -O3 -arch={1} -I'{2}' -o '{3}' '{2}/tests/system/console.cu'", nvcc,
                  HEDDLE_NVCC_ARCHITECTURE, HEDDLE_SOURCE, file);
  BOOST_REQUIRE(std::system(command.c_str()) == 0);
  check(file, "console.cu:37: ");
}

namespace {

/// k() with the declarations of both, %d1 the address of `format`, %d2 of four local bytes.
std::string program_with(const std::string& body) {
  return R"(.extern .func (.param .b32 r) vprintf (.param .b64 x, .param .b64 y);
.extern .func __assertfail (.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);
.global .b8 format[9] = {116, 105, 109, 101, 32, 37, 117, 10};
.global .u32 result;
.visible .entry k() {
.reg .b64 %d<3>; .reg .b32 %r<3>; .reg .pred %p<2>; .local .align 4 .b8 values[4];
cvta.global.u64 %d1, format; mov.u64 %d2, values; cvta.local.u64 %d2, %d2;
)" + body +
         "\nret; }";
}

void launch(gpu::Device& device, const std::string& body) {
  const heddle::ptx::Module module = heddle::ptx::parse(program_with(body), "file.ptx");
  const heddle::isa::Program program = heddle::compiler::compile(module, "k");
  gpu::launch(device, program, {1}, {1});
  // The variable's address is known by the program's module alone.
  std::uint32_t result = 0;
  device.read(device.address_of(program, "result"), &result, sizeof result);
  BOOST_TEST(result == ~0U);
}

}  // namespace

// As PTX files have it that people write: null pointers, a guard, arguments in registers.
BOOST_AUTO_TEST_CASE(null_pointers_and_guards) {
  gpu::OracleDevice device;
  device.print_to(nullptr);
  launch(device, R"({ .param .b64 a; .param .b64 b; .param .b32 c; st.param.b64 [a], 0; st.param.b64 [b], 0;
call.uni (c), vprintf, (a, b); ld.param.b32 %r1, [c]; st.global.u32 [result], %r1; }
setp.eq.u32 %p1, %r1, 0; @%p1 call.uni (%r2), vprintf, (%d1, %d2); @!%p1 call (%r2), vprintf, (%d1, %d2);)");
  BOOST_TEST(device.printed() == "time 0\n");
  try {
    launch(device, R"({ .param .b64 a; .param .b32 c; st.param.b64 [a], 0; st.param.b32 [c], 7;
call.uni __assertfail, (a, a, c, a, a); })");
    BOOST_ERROR("no error");
  } catch (const gpu::ExecutionError& error) {
    BOOST_TEST(std::string(error.what())
                       .find("cudaErrorAssert: (null):7: (null): assertion `(null)' failed: kernel k, "
                             "file.ptx:") == 0U,
               error.what());
  }
}

// A device that prints other lines than the oracle is wrong, whatever is in memory.
BOOST_AUTO_TEST_CASE(lines_are_compared_with_the_oracle) {
  gpu::RunRequest request = tests::request_of(Mechanisms[0], [](gpu::Device& device) -> gpu::Outcome {
    const heddle::ptx::Module module = heddle::ptx::parse(
        program_with("mov.u32 %r1, %clock; st.local.u32 [values], %r1; call.uni (%r2), vprintf, (%d1, %d2);"),
        "file.ptx");
    gpu::launch(device, heddle::compiler::compile(module, "k"), {1}, {1});
    return {true, ""};
  });
  const gpu::RunResult result = gpu::run_in_children({request}, 1).front();
  BOOST_TEST((result.status == gpu::RunStatus::Wrong));
  BOOST_TEST(result.message == "the lines that it prints are not the oracle's");
}
