// SPDX-License-Identifier: Apache-2.0
// The oracle: memory, atomics, barriers, faults with their place, limits and arguments.
#include "sim/gpu/oracle_device.h"

#include <boost/test/unit_test.hpp>

#include "sim/compiler/compile.h"
#include "sim/ptx/parser.h"

namespace gpu = heddle::gpu;
namespace isa = heddle::isa;

namespace {

/// An entry k(.param .u64 p) whose buffer is in %rd1 and %tid.x in %r1.
isa::Program program_of(const std::string& body, const std::string& variables = "") {
  const std::string text = variables + R"(.visible .entry k(.param .u64 p) {
.reg .pred %p<8>; .reg .b16 %rs<8>; .reg .b32 %r<16>; .reg .b64 %rd<16>;
ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x;
)" + body + "\n}\n";
  return heddle::compiler::compile(heddle::ptx::parse(text, "file.ptx"), "k");
}

std::vector<std::uint32_t> run(const isa::Program& program, std::vector<std::uint32_t> buffer, unsigned threads = 1,
                               const isa::OracleOptions& options = {}) {
  gpu::OracleDevice device(options);
  const std::uint64_t address = gpu::upload(device, buffer);
  gpu::launch(device, program, {1}, {threads}, address);
  return gpu::download<std::uint32_t>(device, address, buffer.size());
}

void expect_failure(const isa::Program& program, unsigned threads, const std::string& message,
                    const isa::OracleOptions& options = {}) {
  try {
    run(program, std::vector<std::uint32_t>(4, 0), threads, options);
    BOOST_ERROR("no error");
  } catch (const gpu::ExecutionError& error) {
    BOOST_TEST(std::string(error.what()).find(message) != std::string::npos, error.what());
  }
}

using Words = std::vector<std::uint32_t>;

}  // namespace

BOOST_AUTO_TEST_CASE(widths_and_signs) {
  const Words found = run(program_of(R"(ld.global.s8 %r2, [%rd1]; st.global.u32 [%rd1+4], %r2;
    ld.global.u8 %rs1, [%rd1]; st.global.u16 [%rd1+8], %rs1;
    ld.global.s16 %rd2, [%rd1]; st.global.u64 [%rd1+16], %rd2; ret;)"),
                          {0x8080, 0, ~0U, 0, 0, 0});
  BOOST_TEST(found == (Words{0x8080, 0xffffff80, 0xffff0080, 0, 0xffff8080, 0xffffffff}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(vectors_may_overwrite_their_address) {
  const Words found = run(program_of(R"(st.global.v2.u32 [%rd1], {5, 6};
    ld.global.v4.u32 {%r2, %r3, _, %r5}, [%rd1]; st.global.v2.u32 [%rd1+16], {%r3, %r5};
    mov.u64 %rd2, %rd1; st.global.u64 [%rd1+8], 7; ld.global.v2.u64 {%rd2, %rd3}, [%rd2];
    st.global.u64 [%rd1+24], %rd3; ret;)"),
                          Words(8, 9));
  BOOST_TEST(found == (Words{5, 6, 7, 0, 6, 9, 7, 0}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(packing_and_two_predicates) {
  const Words found = run(program_of(R"(mov.u32 %r2, 11; mov.u32 %r3, 22; mov.b64 %rd2, {%r2, %r3};
    mov.b64 {%r4, %r5}, %rd2; st.global.v2.u32 [%rd1], {%r5, %r4};
    setp.ne.s32 %p1, %r1, %r1; setp.lt.or.s32 %p1|%p2, %r2, %r3, %p1;
    selp.u32 %r6, 1, 0, %p1; selp.u32 %r7, 1, 0, %p2; st.global.v2.u32 [%rd1+8], {%r6, %r7}; ret;)"),
                          Words(4, 9));
  BOOST_TEST(found == (Words{22, 11, 1, 0}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(atomics) {
  const Words found = run(program_of(R"(atom.global.add.u32 %r2, [%rd1], 3; red.global.max.s32 [%rd1+4], -1;
    atom.global.cas.b32 %r3, [%rd1+8], 5, 6; st.global.u32 [%rd1+12], %r3;
    atom.global.inc.u32 %r4, [%rd1+16], 1; ret;)"),
                          {10, 0xfffffff0, 5, 0, 0}, 2);
  BOOST_TEST(found == (Words{16, 0xffffffff, 6, 6, 0}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(barriers_count_live_threads) {
  // Thread 0 leaves; the others pass two barriers and each reads what its neighbour wrote in shared memory.
  const Words found = run(program_of(R"(setp.eq.s32 %p1, %r1, 0; @%p1 ret;
    mul.wide.u32 %rd2, %r1, 4; mov.u64 %rd3, tile; add.s64 %rd4, %rd3, %rd2; st.shared.u32 [%rd4], %r1;
    bar.sync 0; xor.b32 %r2, %r1, 1; shl.b32 %r2, %r2, 2; mov.u32 %r3, tile; add.s32 %r3, %r3, %r2;
    ld.shared.u32 %r4, [%r3]; barrier.sync 0; add.s64 %rd5, %rd1, %rd2; st.global.u32 [%rd5], %r4; ret;)",
                                     ".shared .align 4 .b8 tile[16];\n"),
                          Words(4, 9), 4);
  BOOST_TEST(found == (Words{9, 0, 3, 2}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(local_memory_is_private) {
  const std::string body = R"(.local .align 4 .b8 mine[8]; mov.u64 %rd2, mine; st.local.u32 [%rd2+4], %r1;
    ld.local.u32 %r2, [%rd2+4]; mul.wide.u32 %rd3, %r1, 4; add.s64 %rd4, %rd1, %rd3; st.global.u32 [%rd4], %r2; ret;)";
  BOOST_TEST(run(program_of(body), Words(4, 9), 4) == (Words{0, 1, 2, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_thread_that_spins_on_another_gets_on) {
  const std::string body = R"(setp.eq.s32 %p1, %r1, 0; @!%p1 bra SET;
WAIT: ld.volatile.global.u32 %r2, [%rd1]; setp.eq.s32 %p2, %r2, 0; @%p2 bra WAIT; ret;
SET: st.volatile.global.u32 [%rd1], 1; ret;)";
  BOOST_TEST(run(program_of(body), Words(1, 0), 2).front() == 1U);
}

BOOST_AUTO_TEST_CASE(faults_name_their_place) {
  const isa::Program past_the_end =
      program_of("mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;\nld.global.u32 %r2, [%rd3]; ret;");
  expect_failure(past_the_end, 6,
                 "out-of-bounds load of 4 bytes at 0x7f0000000010 (global): kernel k, file.ptx:5, "
                 "block (0,0,0) thread (4,0,0); expected an address inside one allocation");
  expect_failure(program_of("st.global.u64 [%rd1+4], 0; ret;"), 1,
                 "misaligned store of 8 bytes at 0x7f0000000004 (global)");
  expect_failure(program_of("st.global.u64 [%rd1+4], 0; ret;"), 1, "expected a multiple of 8");
  expect_failure(program_of("atom.global.add.u32 %r2, [%rd1+-4], 1; ret;"), 1, "out-of-bounds atomic of 4 bytes");
  expect_failure(program_of("st.shared.u32 [tile+16], 0; ret;", ".shared .align 4 .b8 tile[16];\n"), 1,
                 "expected an address inside the 16 bytes of shared memory");
  expect_failure(program_of("bra L; L: bra L;"), 1, "no end after", {32, 100'000, 10'000});
  expect_failure(
      program_of("setp.eq.s32 %p1, %r1, 0; @%p1 bra A; bar.sync 1; ret; A: bar.sync 2; ret;"), 2,
      "all threads of a block wait, and no barrier opens: barrier 1 has 1 of 2 threads, barrier 2 has 1 of 2 threads");
}

namespace {

/// What a launch of such a block says of an entry with this directive; empty: it runs.
std::string refusal_of_block(const std::string& directive, const gpu::Dim3& block) {
  const std::string text = ".visible .entry k()\n" + directive + "\n{ ret; }\n";
  gpu::OracleDevice device;
  try {
    gpu::launch(device, heddle::compiler::compile(heddle::ptx::parse(text, "file.ptx"), "k"), {1}, block);
  } catch (const gpu::ExecutionError& error) {
    BOOST_TEST((error.code() == isa::ErrorCode::InvalidConfiguration));
    return error.what();
  }
  return "";
}

}  // namespace

// .reqntid 64 ran with a block of 32.
BOOST_AUTO_TEST_CASE(a_block_is_as_its_kernel_says) {
  const std::string invalid = "cudaErrorInvalidConfiguration: kernel k: the block is ";
  BOOST_TEST(refusal_of_block(".reqntid 64", {64}) == "");
  BOOST_TEST(refusal_of_block(".reqntid 64, 1, 1", {64, 1, 1}) == "");
  BOOST_TEST(refusal_of_block(".reqntid 64", {32}) == invalid + "(32,1,1), its .reqntid asks for (64,1,1)");
  BOOST_TEST(refusal_of_block(".reqntid 64", {96}) == invalid + "(96,1,1), its .reqntid asks for (64,1,1)");
  BOOST_TEST(refusal_of_block(".reqntid 8, 4", {8, 4}) == "");
  BOOST_TEST(refusal_of_block(".reqntid 8, 4", {32}) == invalid + "(32,1,1), its .reqntid asks for (8,4,1)");
  BOOST_TEST(refusal_of_block(".reqntid 8, 4", {4, 8}) == invalid + "(4,8,1), its .reqntid asks for (8,4,1)");
  BOOST_TEST(refusal_of_block(".reqntid 4, 2, 2", {4, 2, 2}) == "");
  BOOST_TEST(refusal_of_block(".reqntid 4, 2, 2", {4, 2, 1}) == invalid + "(4,2,1), its .reqntid asks for (4,2,2)");
  BOOST_TEST(refusal_of_block(".maxntid 8, 4, 2", {64}) == "");
  BOOST_TEST(refusal_of_block(".maxntid 8, 4, 2", {2, 2, 2}) == "");
  BOOST_TEST(refusal_of_block(".maxntid 8, 4, 2", {65}) ==
             "cudaErrorInvalidConfiguration: kernel k: a block has 65 threads, its .maxntid allows 64");
}

BOOST_AUTO_TEST_CASE(arguments_are_checked) {
  const isa::Program program = program_of("ret;");
  gpu::OracleDevice device;
  const std::uint64_t wide = 0;
  BOOST_CHECK_EXCEPTION(gpu::launch(device, program, {1}, {1}), gpu::ExecutionError, [](const std::exception& error) {
    return std::string(error.what()) == "kernel k: 0 arguments, expected 1";
  });
  BOOST_CHECK_EXCEPTION(
      gpu::launch(device, program, {1}, {1}, wide, wide), gpu::ExecutionError,
      [](const std::exception& error) { return std::string(error.what()) == "kernel k: more than 1 arguments"; });
  BOOST_CHECK_EXCEPTION(gpu::launch(device, program, {1}, {1}, 1), gpu::ExecutionError,
                        [](const std::exception& error) {
                          return std::string(error.what()) == "kernel k: argument 0 (p) has 4 bytes, expected 8";
                        });
  BOOST_CHECK_THROW(gpu::launch(device, program, {1}, {1025}, wide), gpu::ExecutionError);
  BOOST_CHECK_THROW(gpu::launch(device, program, {0}, {1}, wide), gpu::ExecutionError);
  BOOST_CHECK_THROW(device.launch({&program, {1}, {1}, {}}), gpu::ExecutionError);
}
