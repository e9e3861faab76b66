// SPDX-License-Identifier: Apache-2.0
// Functions on the oracle: calls, arguments of every kind, indirect calls and branches, recursion, and their errors.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "sim/compiler/compile.h"
#include "sim/gpu/oracle_device.h"
#include "sim/isa/disassemble.h"
#include "sim/ptx/parser.h"
#include "tests/kit/call_programs.h"

namespace gpu = heddle::gpu;
namespace tests = heddle::tests;

namespace {

constexpr unsigned Threads = 96;

heddle::isa::Program compiled(const std::string& ptx) {
  return heddle::compiler::compile(heddle::ptx::parse(ptx, "calls.ptx"), "k");
}

void check(const tests::CallProgram& program) {
  BOOST_TEST_CONTEXT(program.name) {
    const heddle::isa::Program code = compiled(program.ptx);
    std::vector<std::uint32_t> words(Threads);
    for (unsigned t = 0; t < Threads; ++t) words[t] = t * 2654435761U >> t % 20;
    gpu::OracleDevice device;
    const std::uint64_t buffer = gpu::upload(device, words);
    gpu::launch(device, code, {1}, {Threads}, buffer);
    const std::vector<std::uint32_t> found = gpu::download<std::uint32_t>(device, buffer, Threads);
    for (unsigned t = 0; t < Threads; ++t) {
      if (found[t] == program.expected(words[t], t)) continue;
      BOOST_ERROR("thread " << t << ", word " << words[t] << ": found " << found[t] << ", expected "
                            << program.expected(words[t], t) << "\n"
                            << heddle::isa::disassemble(code));
      break;
    }
  }
}

void expect_refusal(const std::string& ptx, const std::string& message) {
  try {
    compiled(ptx);
    BOOST_ERROR("no error; expected " << message);
  } catch (const heddle::ptx::Error& error) {
    BOOST_TEST(std::string(error.what()).find(message) != std::string::npos, error.what());
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(calls_compute_what_they_should) {
  for (const tests::CallProgram& program : tests::plain_calls()) check(program);
}

BOOST_AUTO_TEST_CASE(recursion_computes_what_it_should) {
  for (const tests::CallProgram& program : tests::recursive_calls()) check(program);
}

BOOST_AUTO_TEST_CASE(wrong_calls_are_refused) {
  const std::string f =
      ".func (.param .b32 r) f(.param .b32 a) { .reg .b32 %z; ld.param.b32 %z, [a]; st.param.b32 [r], %z; ret; }\n";
  const std::string with = ".param .b32 a; .param .b32 r; .param .b64 w; st.param.b32 [a], %x; st.param.b64 [w], 1; ";
  expect_refusal(
      tests::with_entry(".extern .func (.param .b32 r) missing(.param .b64 a);\n", with + "call (r), missing, (w);"),
      "function missing has no body in this file");
  expect_refusal(
      tests::with_entry(".extern .func (.param .b32 r) vprintf(.param .b64 a);\n", with + "call (r), vprintf, (w);"),
      "vprintf has 2 arguments, found 1");
  expect_refusal(tests::with_entry(f, with + "call (r), g, (a);"), "function g is not declared");
  expect_refusal(tests::with_entry(f, with + "call (r), f, (a, a);"), "f has 1 arguments, found 2");
  expect_refusal(tests::with_entry(f, with + "call f, (a);"), "f has 1 results, found 0");
  expect_refusal(tests::with_entry(f, with + "call (r), f, (w);"), "w: expected 4 bytes, found 8");
  expect_refusal(tests::with_entry(f, with + "call (r), f, (%q);"), "%q is not declared");
  expect_refusal(tests::with_entry(f, with + "call (%rd2), f, (a);"), "expected a place for 4 bytes, found %rd2");
  const std::string large =
      ".func (.param .b64 r) g(.param .align 8 .b8 a[16]) { st.param.b64 [r], 1; ret; }\n.func (.param .align 8 .b8 "
      "r[16]) h() { st.param.b64 [r], 1; ret; }\n";
  expect_refusal(tests::with_entry(large, "call (%x), g, (%rd2);"), "expected a .param variable of 16 bytes");
  expect_refusal(tests::with_entry(large, ".param .align 8 .b8 s[16]; call (%x), g, (s);"),
                 "expected a place for 8 bytes, found %x");
  expect_refusal(tests::with_entry(large, "call (%rd2), h;"), "expected a place for 16 bytes, found %rd2");
  expect_refusal(tests::with_entry(f, with + "call (r), %rd1, (a), proto;"), "proto is not declared");
  expect_refusal(tests::with_entry(f, with + "ld.param.b32 %x, [a+4];"), "an aligned offset inside the 4 bytes of a");
  expect_refusal(tests::with_entry(f, "brx.idx %x, nowhere;"), "nowhere is not declared");
  expect_refusal(tests::with_entry(f, "t: .branchtargets A, B; brx.idx %x, t; A:"), "label B is not defined");
}

namespace {

std::string error_of(const std::string& ptx, std::uint32_t word) {
  gpu::OracleDevice device;
  const std::uint64_t buffer = gpu::upload(device, std::vector<std::uint32_t>{word});
  try {
    gpu::launch(device, compiled(ptx), {1}, {1}, buffer);
  } catch (const heddle::isa::ExecutionError& error) { return error.what(); }
  return "";
}

}  // namespace

BOOST_AUTO_TEST_CASE(wrong_targets_and_deep_recursion_are_errors) {
  const std::string call = tests::with_entry(
      ".func f() { ret; }\n", "mov.u64 %rd3, f; cvt.u64.u32 %rd3, %x; { pr: .callprototype _ (); call %rd3, pr; }");
  BOOST_TEST(error_of(call, 1).empty());
  for (const std::uint32_t wrong : {0U, 2U, 0xffffffffU}) {
    const std::string message = error_of(call, wrong);
    BOOST_TEST(message.find("cudaErrorInvalidPc") != std::string::npos, message);
    BOOST_TEST(message.find("calls.ptx:") != std::string::npos, message);
  }
  const std::string branch = tests::with_entry("", "t: .branchtargets A; brx.idx %x, t;\nA:");
  BOOST_TEST(error_of(branch, 0).empty());
  BOOST_TEST(error_of(branch, 1).find("which is no index") != std::string::npos);

  const std::string deep = tests::with_entry(R"(
.func (.param .b32 r) sum(.param .b32 n) { .reg .b32 %n, %a; .reg .pred %p;
  ld.param.b32 %n, [n]; setp.eq.u32 %p, %n, 0; mov.u32 %a, 0; @%p bra DONE; sub.u32 %a, %n, 1;
)" + tests::call("sum", "%a", "%a") + "add.u32 %a, %a, %n;\nDONE: st.param.b32 [r], %a; ret; }\n",
                                             tests::call("sum", "%x", "%x"));
  BOOST_TEST(error_of(deep, 100).empty());
  const std::string message = error_of(deep, 100'000);
  BOOST_TEST(message.find("out-of-bounds store") != std::string::npos, message);
  BOOST_TEST(message.find("local memory") != std::string::npos, message);
}
