// SPDX-License-Identifier: Apache-2.0
// The oracle's blocks take turns: a block that waits for another one gets on, and one that waits for ever is named.
#include <algorithm>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <numeric>

#include "sim/compiler/compile.h"
#include "sim/gpu/oracle_device.h"
#include "sim/ptx/parser.h"

namespace data = boost::unit_test::data;
namespace gpu = heddle::gpu;
namespace isa = heddle::isa;

namespace {

using Words = std::vector<std::uint32_t>;

/// An entry k(.param .u64 p): %rd1 is its buffer, %r1 is %tid.x, %r2 is %ctaid.x, %r3 is %nctaid.x.
isa::Program program_of(const std::string& body, const std::string& variables = "", const std::string& functions = "") {
  const std::string text = ".version 7.0\n.target sm_75\n.address_size 64\n" + variables + functions +
                           R"(.visible .entry k(.param .u64 p) {
.reg .pred %p<8>; .reg .b32 %r<32>; .reg .b64 %rd<16>;
ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %nctaid.x;
)" + body + "\n}\n";
  return heddle::compiler::compile(heddle::ptx::parse(text, "file.ptx"), "k");
}

struct Finished {
  Words words;
  std::uint64_t thread_instructions = 0;
};

Finished run(const isa::Program& program, Words buffer, unsigned blocks, unsigned threads,
             isa::OracleOptions options = {}) {
  if (options.max_thread_instructions == 0) options.max_thread_instructions = 20'000'000;
  gpu::OracleDevice device(options);
  const std::uint64_t address = gpu::upload(device, buffer);
  gpu::launch(device, program, {blocks}, {threads}, address);
  return {gpu::download<std::uint32_t>(device, address, buffer.size()), device.thread_instructions()};
}

void expect_words(const std::exception& error, const std::vector<const char*>& words) {
  for (const char* word : words)
    BOOST_TEST(std::string(error.what()).find(word) != std::string::npos, "no '" << word << "' in " << error.what());
}

isa::ErrorCode failure(const isa::Program& program, unsigned blocks, unsigned threads,
                       const isa::OracleOptions& options, const std::vector<const char*>& words) {
  try {
    run(program, Words(64, 0), blocks, threads, options);
  } catch (const gpu::ExecutionError& error) {
    expect_words(error, words);
    return error.code();
  }
  return isa::ErrorCode::None;
}

isa::OracleOptions with_room_for(std::uint64_t blocks) {
  isa::OracleOptions options;
  options.resident = [blocks](const isa::Launch&) { return blocks; };
  options.watchdog = 1'000'000;
  return options;
}

/// Thread 0 of block B waits for word B + 1, then sets word B to one more; the last block waits for none.
std::string chain(const std::string& load) {
  return "setp.ne.u32 %p0, %r1, 0; @%p0 ret; mul.wide.u32 %rd2, %r2, 4; add.s64 %rd3, %rd1, %rd2;\n"
         "add.u32 %r4, %r2, 1; setp.eq.u32 %p1, %r4, %r3; mov.u32 %r5, 0; @%p1 bra Set;\nWait: " +
         load +
         " setp.eq.u32 %p2, %r5, 0; @%p2 bra Wait;\n"
         "Set: add.u32 %r6, %r5, 1; st.volatile.global.u32 [%rd3], %r6; ret;";
}

/// After 4 barriers of the whole grid (word 0 counts arrivals) each block has the sum of what all blocks wrote before it.
const char* const GridBarriers = R"(mov.u32 %r10, 0; mov.u32 %r11, 0;
Round: setp.ne.u32 %p0, %r1, 0; @%p0 bra Meet;
  mul.wide.u32 %rd2, %r2, 4; add.s64 %rd3, %rd1, %rd2; add.u32 %r4, %r10, 1; st.global.u32 [%rd3+64], %r4;
  membar.gl; atom.global.add.u32 %r5, [%rd1], 1;
  add.u32 %r6, %r10, 1; mul.lo.u32 %r6, %r6, %r3;
Wait: ld.volatile.global.u32 %r7, [%rd1]; setp.lt.u32 %p1, %r7, %r6; @%p1 bra Wait;
  membar.gl; add.u32 %r8, %r2, 1; rem.u32 %r8, %r8, %r3; mul.wide.u32 %rd4, %r8, 4; add.s64 %rd5, %rd1, %rd4;
  ld.volatile.global.u32 %r9, [%rd5+64]; add.u32 %r11, %r11, %r9;
  st.global.u32 [%rd3+128], %r11;
  atom.global.add.u32 %r5, [%rd1+4], 1;
Wait2: ld.volatile.global.u32 %r7, [%rd1+4]; setp.lt.u32 %p1, %r7, %r6; @%p1 bra Wait2;
Meet: bar.sync 0; add.u32 %r10, %r10, 1; setp.lt.u32 %p2, %r10, 4; @%p2 bra Round; ret;)";

}  // namespace

// ../shared/reproducers/oracle_later_cta.ptx: it ended with LaunchTimeout.
BOOST_AUTO_TEST_CASE(a_block_waits_for_a_later_one) {
  const Finished found = run(program_of(R"(setp.ne.u32 %p0, %r1, 0; @%p0 ret; setp.eq.u32 %p1, %r2, 1; @%p1 bra Set;
Wait: ld.volatile.global.u32 %r4, [%rd1]; setp.eq.u32 %p2, %r4, 0; @%p2 bra Wait;
  st.global.u32 [%rd1+4], 5; ret;
Set: st.volatile.global.u32 [%rd1], 1; ret;)"),
                             {0, 0}, 2, 32);
  BOOST_TEST(found.words == (Words{1, 5}), boost::test_tools::per_element());
  BOOST_TEST(found.thread_instructions < 1000U);  // a turn ends at a branch that leads back, not with the quantum
}

const std::vector<std::string> Loads = {
    "ld.volatile.global.u32 %r5, [%rd3+4];", "ld.relaxed.gpu.global.u32 %r5, [%rd3+4];",
    "ld.acquire.gpu.global.u32 %r5, [%rd3+4];", "atom.global.add.u32 %r5, [%rd3+4], 0;",
    "atom.global.cas.b32 %r5, [%rd3+4], 12345, 0;", "atom.acquire.gpu.global.or.b32 %r5, [%rd3+4], 0;",
    "ld.volatile.u32 %r5, [%rd3+4];",
    // By way of another register, of local memory (as compiled without optimisation), and of a select.
    "ld.volatile.global.u32 %r7, [%rd3+4]; add.u32 %r8, %r7, 3; sub.u32 %r5, %r8, 3;",
    "ld.volatile.global.u32 %r7, [%rd3+4]; st.local.u32 [mine], %r7; ld.local.u32 %r5, [mine];",
    "ld.volatile.global.u32 %r7, [%rd3+4]; setp.ne.u32 %p5, %r7, 0; selp.b32 %r5, %r7, 0, %p5;"};

BOOST_DATA_TEST_CASE(a_chain_of_blocks_in_reverse_order, data::make(Loads), load) {
  constexpr unsigned Blocks = 24;
  const Finished found =
      run(program_of(".local .align 4 .b8 mine[4];\n" + chain(load)), Words(Blocks + 1, 0), Blocks, 32);
  Words expected(Blocks + 1, 0);
  for (unsigned block = 0; block < Blocks; ++block) expected[block] = Blocks - block;
  BOOST_TEST(found.words == expected, boost::test_tools::per_element());
  BOOST_TEST(found.thread_instructions < Blocks * Blocks * 300U);
}

BOOST_AUTO_TEST_CASE(barriers_of_the_whole_grid) {
  constexpr unsigned Blocks = 12;
  const Finished found = run(program_of(GridBarriers), Words(48, 0), Blocks, 64);
  BOOST_TEST(found.words[0] == 4 * Blocks);
  for (unsigned block = 0; block < Blocks; ++block) BOOST_TEST(found.words[32 + block] == 1U + 2 + 3 + 4);
  BOOST_TEST(found.thread_instructions < 200'000U);
}

// Thread 0 reads the flag, the block passes two barriers and asks shared memory: no thread stays in a loop of its own.
BOOST_AUTO_TEST_CASE(a_block_waits_at_its_own_barriers) {
  const Finished found = run(program_of(R"(setp.eq.u32 %p1, %r2, 1; @%p1 bra Set; mov.u32 %r10, flag;
Wait: setp.ne.u32 %p0, %r1, 0; @%p0 bra Meet; ld.volatile.global.u32 %r4, [%rd1]; st.shared.u32 [%r10], %r4;
Meet: bar.sync 0; ld.shared.u32 %r5, [%r10]; bar.sync 0; setp.eq.u32 %p2, %r5, 0; @%p2 bra Wait;
  st.global.u32 [%rd1+4], %r5; ret;
Set: st.volatile.global.u32 [%rd1], 7; ret;)",
                                        ".shared .align 4 .b8 flag[4];\n"),
                             {0, 0}, 2, 64);
  BOOST_TEST(found.words == (Words{7, 7}), boost::test_tools::per_element());
}

// The compiler keeps the call: what decides is in a function.
BOOST_AUTO_TEST_CASE(a_function_reads_the_flag) {
  const Finished found = run(program_of(R"(setp.eq.u32 %p1, %r2, 1; @%p1 bra Set;
Wait: { .param .b64 a; .param .b32 b; st.param.b64 [a], %rd1; call.uni (b), flag, (a); ld.param.b32 %r4, [b]; }
  setp.eq.u32 %p2, %r4, 0; @%p2 bra Wait; st.global.u32 [%rd1+4], 5; ret;
Set: st.volatile.global.u32 [%rd1], 1; ret;)",
                                        "", R"(.func (.param .b32 b) flag(.param .b64 a) {
.reg .b64 %rd; .reg .b32 %r; ld.param.u64 %rd, [a]; ld.volatile.global.u32 %r, [%rd]; st.param.b32 [b], %r; ret; }
)"),
                             {0, 0}, 2, 1);
  BOOST_TEST(found.words == (Words{1, 5}), boost::test_tools::per_element());
  BOOST_TEST(found.thread_instructions < 2000U);
}

// A weak load promises nothing, but the turn of a thread ends with its quantum.
BOOST_AUTO_TEST_CASE(a_weak_load_sees_a_later_block_too) {
  const Finished found = run(program_of(R"(setp.eq.u32 %p1, %r2, 1; @%p1 bra Set;
Wait: ld.global.u32 %r4, [%rd1]; setp.eq.u32 %p2, %r4, 0; @%p2 bra Wait; st.global.u32 [%rd1+4], 5; ret;
Set: st.global.u32 [%rd1], 1; ret;)"),
                             {0, 0}, 2, 1);
  BOOST_TEST(found.words == (Words{1, 5}), boost::test_tools::per_element());
}

// More blocks than are resident: a block begins where another one ended, and all of them once.
BOOST_AUTO_TEST_CASE(every_block_runs_once) {
  constexpr unsigned Blocks = 300;
  const isa::Program program = program_of(R"(atom.global.add.u32 %r4, [%rd1], 1; mul.wide.u32 %rd2, %r2, 4;
  add.s64 %rd3, %rd1, %rd2; atom.global.add.u32 %r5, [%rd3+4], 1; mov.u32 %r6, 0; and.b32 %r7, %r2, 7;
  mul.lo.u32 %r7, %r7, 3000;
L: add.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, %r7; @%p1 bra L; ret;)");
  for (const std::uint64_t room : {1, 2, 7, 1000}) {
    Words expected(Blocks + 1, 2);
    expected[0] = 2 * Blocks;
    BOOST_TEST(run(program, Words(Blocks + 1, 0), Blocks, 2, with_room_for(room)).words == expected,
               boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(a_block_that_waits_for_ever_is_named) {
  // Both wait, each for the other.
  const isa::Program both = program_of(R"(Wait: ld.volatile.global.u32 %r4, [%rd1];
  setp.eq.u32 %p2, %r4, 0; @%p2 bra Wait; st.volatile.global.u32 [%rd1], 1; ret;)");
  BOOST_TEST((failure(both, 2, 1, with_room_for(8),
                      {"kernel k makes no progress, in the loop at file.ptx:7-8", "of the 2 resident blocks exited",
                       "nothing was stored (", "--watchdog"}) == isa::ErrorCode::Deadlock));
  // The machine has no room for the one that it waits for.
  const isa::Program later = program_of(chain(Loads.front()));
  BOOST_TEST((failure(later, 5, 32, with_room_for(4),
                      {"of the 4 resident blocks exited", "1 more blocks begin only when one of these has ended"}) ==
              isa::ErrorCode::Deadlock));
  BOOST_TEST((failure(later, 5, 32, with_room_for(5), {}) == isa::ErrorCode::None));
  // Without a watchdog the limit of instructions ends it.
  isa::OracleOptions limited;
  limited.max_thread_instructions = 100'000;
  BOOST_TEST(
      (failure(both, 2, 1, limited, {"no end after", "in the loop at file.ptx:7-8"}) == isa::ErrorCode::CycleLimit));
  // A barrier that never opens needs no watchdog, in a later block neither.
  const isa::Program barrier = program_of(R"(setp.eq.u32 %p1, %r2, 1; @!%p1 bra Wait; and.b32 %r4, %r1, 1;
  setp.eq.u32 %p2, %r4, 1; @%p2 bra Odd; bar.sync 1; ret; Odd: bar.sync 2; ret;
Wait: ld.volatile.global.u32 %r4, [%rd1]; setp.eq.u32 %p3, %r4, 0; @%p3 bra Wait; ret;)");
  BOOST_TEST((failure(barrier, 2, 64, {}, {"no barrier opens: barrier 1 has 32 of 64 threads", "block (1,0,0)"}) ==
              isa::ErrorCode::BarrierNeverOpens));
}

// The loop of a block that waits is no reason to end it while another block gets on.
BOOST_AUTO_TEST_CASE(progress_of_another_block_counts) {
  isa::OracleOptions options = with_room_for(8);
  options.watchdog = 30'000;
  const Finished found = run(program_of(R"(setp.eq.u32 %p1, %r2, 1; @%p1 bra Work;
Wait: ld.volatile.global.u32 %r4, [%rd1]; setp.eq.u32 %p2, %r4, 0; @%p2 bra Wait; st.global.u32 [%rd1+4], 5; ret;
Work: mov.u32 %r6, 0;
L: add.u32 %r6, %r6, 1; st.global.u32 [%rd1+8], %r6; setp.lt.u32 %p1, %r6, 300000; @%p1 bra L;
  st.volatile.global.u32 [%rd1], 1; ret;)"),
                             {0, 0, 0}, 2, 1, options);
  BOOST_TEST(found.words == (Words{1, 5, 300'000}), boost::test_tools::per_element());
}

// The program that asks how far a launch is may end it.
BOOST_AUTO_TEST_CASE(a_launch_is_watched_and_interrupted) {
  const isa::Program endless = program_of("L: st.global.u32 [%rd1], %r1; bra L;");
  isa::OracleOptions options;
  std::vector<isa::LaunchProgress> seen;
  options.watch = [&seen](const isa::LaunchProgress& progress) {
    seen.push_back(progress);
    return seen.size() < 5;
  };
  BOOST_CHECK_EXCEPTION(run(endless, Words(1, 0), 3, 1, options), isa::Interrupted, [](const std::exception& error) {
    expect_words(error, {"kernel k was interrupted after 50000 thread instructions", "0 of 3 blocks have ended"});
    return true;
  });
  BOOST_TEST(seen.size() == 5U);
  BOOST_TEST(seen.back().blocks == 3U);
  seen.clear();
  options.watch = [&seen](const isa::LaunchProgress& progress) {
    seen.push_back(progress);
    return true;
  };
  run(program_of("st.global.u32 [%rd1], %r1; ret;"), Words(1, 0), 3, 1, options);
  BOOST_TEST(std::is_sorted(seen.begin(), seen.end(), [](const auto& a, const auto& b) { return a.ended < b.ended; }));
}
