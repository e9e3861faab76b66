// SPDX-License-Identifier: Apache-2.0
// Constants in the SM: a table larger than a small constant cache, read by one address a warp and by one a lane, under
// several control flow units; what the host writes between two launches; and what each size costs. The expected sums
// are computed here.
#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <iostream>
#include <list>

#include "sim/compiler/compile.h"
#include "sim/compiler/lowering/global_data.h"
#include "sim/gpu/run.h"
#include "sim/ptx/parser.h"

namespace gpu = heddle::gpu;
using heddle::DesignPoint;
using heddle::Statistics;

int sc_main(int, char**) {
  return 0;
}

namespace {

constexpr unsigned Words = 1024, Lines = Words / 32, Rounds = 2 * Lines, Threads = 128;

std::uint32_t word(unsigned index, std::uint32_t seed) {
  return (index * 2654435761U) ^ seed;
}

/// A round: of one line a word for all lanes, and one for each. The table is read twice.
std::uint32_t sum(unsigned thread, std::uint32_t seed) {
  std::uint32_t all = 0;
  for (unsigned i = 0; i < Lines; ++i) all += word(32 * i, seed) + word(32 * i + thread % 32, seed) * (thread % 32 + 1);
  return all * (Rounds / Lines);
}

std::string ptx() {
  std::string table;
  for (unsigned i = 0; i < Words; ++i) table += fmt::format("{}{}", i == 0 ? "" : ", ", word(i, 1));
  return fmt::format(".version 6.0\n.target sm_50\n.address_size 64\n.const .align 4 .u32 table[{}] = {{{}}};\n", Words,
                     table) +
         R"(.visible .entry k(.param .u64 out) {
  .reg .pred %p<2>; .reg .b32 %r<10>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [out]; cvta.to.global.u64 %rd1, %rd1;
  mov.u32 %r1, %tid.x; and.b32 %r6, %r1, 31; mul.wide.u32 %rd4, %r6, 4; add.u32 %r8, %r6, 1;
  mov.u32 %r2, 0; mov.u32 %r3, 0;
again:
  and.b32 %r9, %r2, 31; mul.wide.u32 %rd2, %r9, 128; mov.u64 %rd3, table; add.s64 %rd3, %rd3, %rd2;
  ld.const.u32 %r5, [%rd3]; add.u32 %r3, %r3, %r5;
  add.s64 %rd5, %rd3, %rd4; ld.const.u32 %r7, [%rd5]; mad.lo.u32 %r3, %r7, %r8, %r3;
  add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 64;
  @%p1 bra again;
  mul.wide.u32 %rd6, %r1, 4; add.s64 %rd7, %rd1, %rd6; st.global.u32 [%rd7], %r3; ret;
})";
}

gpu::Outcome run(gpu::Device& device) {
  const heddle::ptx::Module module = heddle::ptx::parse(ptx(), "table.ptx");
  const auto program = heddle::compiler::compile(module, "k", heddle::compiler::global_data(module));
  std::vector<std::uint32_t> expected(Threads);
  const std::uint64_t out = device.allocate(4 * Threads);
  for (const std::uint32_t seed : {1U, 99U}) {
    if (seed != 1) {
      std::vector<std::uint32_t> table(Words);
      for (unsigned i = 0; i < Words; ++i) table[i] = word(i, seed);
      device.write(device.address_of(program, "table"), table.data(), 4 * Words);
    }
    gpu::launch(device, program, {1}, {Threads}, out);
    for (unsigned t = 0; t < Threads; ++t) expected[t] = sum(t, seed);
    const gpu::Outcome outcome = gpu::compare_words(gpu::download<std::uint32_t>(device, out, Threads), expected);
    if (!outcome.ok) return outcome;
  }
  return {true, ""};
}

gpu::RunRequest request(const heddle::Mechanism& mechanism, unsigned bytes) {
  static std::list<DesignPoint> points;
  points.push_back(heddle::point::hpca13::Values);
  points.back().constant_bytes = bytes;
  gpu::RunRequest one;
  one.kernel = fmt::format("{} bytes under {}", bytes, mechanism.divergence);
  one.program = run;
  one.timed.sm.point = &points.back();
  one.timed.sm.mechanism = mechanism;
  return one;
}

}  // namespace

BOOST_AUTO_TEST_CASE(constants_are_what_the_host_wrote) {
  std::vector<gpu::RunRequest> requests;
  const heddle::Mechanism mechanisms[] = {
      {"spe", "baseline"}, {"dpe", "shadow"}, {"dpe_memory_split", "shadow"}, {"barrier", "baseline"}};
  for (const unsigned bytes : {0U, 512U, 8192U})
    for (const heddle::Mechanism& mechanism : mechanisms)
      for (const bool gate : {true, false}) {
        requests.push_back(request(mechanism, bytes));
        requests.back().timed.sm.clock_gate = gate;
      }
  const auto results = gpu::run_in_children(requests, 2);
  constexpr std::uint64_t Warps = Threads / 32, Launches = 2;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const std::string& what = requests[i].kernel;
    const Statistics& s = results[i].statistics;
    BOOST_TEST((results[i].status == gpu::RunStatus::Ok), what << ": " << results[i].message);
    BOOST_TEST(results[i].equals_oracle, what);
    BOOST_TEST(s.cycles == results[i / 2 * 2].statistics.cycles, what);
    if (i % 2 == 0)
      std::cout << fmt::format("{:<34} {:>7} cycles, {} passes, {} constant misses, {} L1 misses\n", what, s.cycles,
                               s.constant_passes, s.constant_misses, s.l1_misses);
    if (requests[i].timed.sm.point->constant_bytes == 0) {
      BOOST_TEST(s.constant_accesses == 0U, what);
      continue;
    }
    BOOST_TEST(s.constant_accesses == Launches * Warps * Rounds * 2, what);
    BOOST_TEST(s.constant_passes == Launches * Warps * Rounds * 33, what);
    BOOST_TEST(s.l1_misses == 0U, what);
    const bool fits = requests[i].timed.sm.point->constant_bytes >= 4 * Words;
    BOOST_TEST(s.constant_misses == Launches * (fits ? Lines : Rounds), what);
  }
}
