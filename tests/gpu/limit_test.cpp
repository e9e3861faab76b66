// SPDX-License-Identifier: Apache-2.0
// The limit study by hand: alignments, schedules of small traces, Fig. 7 of DWF.
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <random>

#include "sim/compiler/compile.h"
#include "sim/gpu/oracle_device.h"
#include "sim/limit/alignment.h"
#include "sim/limit/study.h"
#include "sim/ptx/parser.h"

namespace gpu = heddle::gpu;
namespace isa = heddle::isa;
namespace limit = heddle::limit;

namespace {

limit::Symbols symbols(const std::string& text) {
  limit::Symbols result;
  for (const char c : text) result.push_back(static_cast<std::uint32_t>(c - 'a'));
  return result;
}

const std::vector<std::uint32_t> Ones(26, 1);

/// One CTA of a kernel with one buffer.
limit::LaunchTrace trace_of(const isa::Program& program, unsigned threads) {
  limit::Tracer tracer;
  isa::OracleOptions options{16};
  options.observer = &tracer;
  gpu::OracleDevice device(options);
  gpu::launch(device, program, {1}, {threads}, device.allocate(4 * threads));
  return tracer.launches().front();
}

isa::Program kernel(const std::string& body) {
  return heddle::compiler::compile(
      heddle::ptx::parse(".visible .entry k(.param .u64 p) {.reg .pred %p<4>; .reg .b32 %r<8>; "
                         "mov.u32 %r1, %tid.x;" +
                             body + "\n}\n",
                         "file.ptx"),
      "k");
}

}  // namespace

BOOST_AUTO_TEST_CASE(alignment_of_small_strings) {
  BOOST_TEST(limit::alignment_score(symbols("abcbdab"), symbols("bdcaba"), Ones) == 4U);  // bcba, bdab
  BOOST_TEST(limit::alignment_score(symbols("abc"), symbols(""), Ones) == 0U);
  BOOST_TEST(limit::alignment_score(symbols("abc"), symbols("abc"), Ones) == 3U);
  const limit::Matches early = limit::align(symbols("abab"), symbols("ab"), Ones);
  BOOST_TEST((early == limit::Matches{{0, 0}, {1, 1}}));
  const limit::Matches moved = limit::align(symbols("xabc"), symbols("abcy"), Ones);
  BOOST_TEST((moved == limit::Matches{{1, 0}, {2, 1}, {3, 2}}));
}

BOOST_AUTO_TEST_CASE(a_match_weighs_its_instructions) {
  const std::vector<std::uint32_t> weights{1, 5};  // a, b: one b is worth more than two a
  BOOST_TEST(limit::alignment_score(symbols("aab"), symbols("baa"), weights) == 5U);
  BOOST_TEST((limit::align(symbols("aab"), symbols("baa"), weights) == limit::Matches{{2, 0}}));
}

// Longer than the table takes, so that Hirschberg's halves are joined.
BOOST_AUTO_TEST_CASE(the_way_has_the_score) {
  const char* given = std::getenv("HEDDLE_SEED");
  const unsigned seed = given != nullptr ? static_cast<unsigned>(std::strtoul(given, nullptr, 0)) : 1;
  BOOST_TEST_MESSAGE("HEDDLE_SEED=" << seed);
  std::mt19937 random(seed);
  for (unsigned round = 0; round < 20; ++round) {
    limit::Symbols a(1 + random() % 2500), b(1 + random() % 2500);
    for (auto& s : a) s = random() % 4;
    for (auto& s : b) s = random() % 4;
    const std::vector<std::uint32_t> weights{1, 2, 7, 30};
    std::uint64_t sum = 0;
    const limit::Matches matches = limit::align(a, b, weights);
    for (std::size_t i = 0; i < matches.size(); ++i) {
      BOOST_REQUIRE(a[matches[i].first] == b[matches[i].second]);
      if (i != 0) BOOST_REQUIRE((matches[i - 1].first < matches[i].first && matches[i - 1].second < matches[i].second));
      sum += weights[a[matches[i].first]];
    }
    BOOST_TEST(sum == limit::alignment_score(a, b, weights), "HEDDLE_SEED=" << seed << " round " << round);
  }
}

// Loop of 3 (head), 3 (body), 3 (next) instructions, PROLOGUE before and the exit behind. Even threads turn 128 times,
// odd ones 127. By post-dominators somebody is in the body each time: 128 x 9. Aligned, the odd ones follow the even
// ones, whose 128 turns have 64 bodies: 128 x 6 + 64 x 3.
BOOST_AUTO_TEST_CASE(fig_7) {
  const isa::Program program =
      heddle::compiler::compile(heddle::ptx::parse_file(HEDDLE_PTX_SOURCES "/pathological.ptx"), "pathological");
  const limit::LaunchTrace trace = trace_of(program, 32);
  const std::uint64_t around = program.code.size() - 9;
  const limit::Result result = limit::study({trace}, 16);
  BOOST_TEST(result.warps == 2U);
  BOOST_TEST(result.post_dominator_slots == 2 * (around + 128 * 9));
  BOOST_TEST(result.aligned_slots == 2 * (around + 128 * 6 + 64 * 3));
  BOOST_TEST(result.better_warps == 2U);
  BOOST_TEST(result.fewest_slots == result.aligned_slots);  // two different traces: their alignment is the best
  // The if's sides meet in its body, not behind it.
  unsigned found = 0;
  for (const limit::Branch& branch : result.branches) {
    if (!branch.differs()) continue;
    ++found;
    BOOST_TEST((program.code[branch.predicted()].kind == isa::Kind::Load));
    BOOST_TEST((program.code[branch.post_dominator].kind == isa::Kind::Compute));
  }
  BOOST_TEST(found == 1U);
}

BOOST_AUTO_TEST_CASE(without_divergence_there_is_nothing_to_gain) {
  const isa::Program program =
      kernel("mov.u32 %r2, 0; L: add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 5; @%p1 bra L; ret;");
  const limit::Result result = limit::study({trace_of(program, 20)}, 16);  // two warps, one of four lanes
  BOOST_TEST(result.speed_up() == 1.0);
  BOOST_TEST(result.post_dominator_slots == 2 * (program.code.size() + 4 * 3));
  BOOST_TEST(result.branches.empty());
}

// Two barriers: the second half of the even threads' work may not run beside the first half of the odd ones'.
BOOST_AUTO_TEST_CASE(lanes_pass_barriers_together) {
  limit::LaunchTrace launch;
  launch.block_threads = 2;
  launch.launched_threads = 2;
  launch.pieces = {{0, 9, false}, {10, 10, true}};  // work, barrier
  launch.last.resize(2);
  launch.places = launch.first_places = {"work", "barrier"};
  launch.threads = {{0, 1, 1}, {1, 0, 1}};  // works before, after the first barrier
  const limit::WarpTraces warp{&launch.threads[0], &launch.threads[1]};
  BOOST_TEST(limit::slots(limit::aligned_schedule(launch, warp), launch.pieces) == 22U);
  launch.pieces[1].waits = false;  // without the barrier the two work together
  BOOST_TEST(limit::slots(limit::aligned_schedule(launch, warp), launch.pieces) == 13U);
}

// Pieces of 1, 2 and 4 instructions; lanes of which each rule of the bound knows more than the other.
BOOST_AUTO_TEST_CASE(no_order_has_fewer_slots) {
  limit::LaunchTrace launch;
  launch.pieces = {{0, 0, false}, {1, 2, false}, {3, 6, false}};
  const auto fewest = [&](const std::vector<limit::Trace>& threads) {
    limit::WarpTraces warp;
    for (const limit::Trace& trace : threads) warp.push_back(&trace);
    warp.push_back(nullptr);  // a lane without a thread
    return limit::fewest_slots(launch, warp);
  };
  BOOST_TEST(fewest({{0, 1}, {0, 1}}) == 3U);
  BOOST_TEST(fewest({{0, 1}, {1, 0}}) == 4U);     // 1 + 2 + 1: only the heavier one is shared
  BOOST_TEST(fewest({{0}, {1}, {2}}) == 7U);      // all three, though two lanes alone need 6 at most
  BOOST_TEST(fewest({{2, 0, 0}, {0, 2}}) == 7U);  // 0 2 0 0: the heavy piece is shared, so no 0 is
  launch.pieces[0].waits = true;                  // behind it nobody meets what is before it
  BOOST_TEST(fewest({{1, 0}, {0, 1}}) == 5U);
}

// CTAs of 20 threads: warps of 16 and 4, twice, though 40 threads would fill two and a half.
BOOST_AUTO_TEST_CASE(no_warp_reaches_over_two_ctas) {
  limit::LaunchTrace launch;
  launch.block_threads = 20;
  launch.launched_threads = 40;
  launch.pieces = {{0, 4, false}};
  launch.last.resize(1);
  launch.last[0].rpc = isa::NoPc;
  launch.threads.assign(40, {0});
  const limit::Result result = limit::study({launch}, 16);
  BOOST_TEST(result.warps == 4U);
  BOOST_TEST(result.post_dominator_slots == 4 * 5U);
  BOOST_TEST(result.aligned_slots == 4 * 5U);
}

BOOST_AUTO_TEST_CASE(a_trace_that_is_cut_is_said) {
  const isa::Program program =
      kernel("mov.u32 %r2, 0; L: add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 5000; @%p1 bra L; ret;");
  const limit::LaunchTrace trace = trace_of(program, 3);
  BOOST_TEST(trace.cut == 3U);
  BOOST_TEST(trace.threads[0].size() == limit::MostTraceBlocks);
}

BOOST_AUTO_TEST_CASE(pieces_end_where_threads_leave_or_wait) {
  const isa::Program program =
      kernel("setp.eq.u32 %p1, %r1, 3; @%p1 exit; add.u32 %r2, %r1, 1; bar.sync 0; add.u32 %r2, %r2, 1; ret;");
  isa::Pc next = 0;
  for (const limit::Piece& piece : limit::pieces_of(program)) {
    BOOST_TEST(piece.first == next);
    next = piece.last + 1;
    for (isa::Pc pc = piece.first; pc < piece.last; ++pc)
      BOOST_TEST((program.code[pc].kind != isa::Kind::Exit && program.code[pc].kind != isa::Kind::Barrier));
    BOOST_TEST(piece.waits == (program.code[piece.last].kind == isa::Kind::Barrier));
  }
  BOOST_TEST(next == program.code.size());
}

// Lane 0 ends on its way: the other two meet without it. If lane 2 ends as well, lane 1 meets nobody.
BOOST_AUTO_TEST_CASE(meeting_without_those_that_have_ended) {
  limit::LaunchTrace launch;
  for (isa::Pc pc = 0; pc < 5; ++pc) launch.pieces.push_back({pc, pc, false});
  launch.last.resize(5);
  launch.places.resize(5);
  limit::Branches branches;
  limit::find_meetings(launch, {{0, 7}, {1, 1}, {2, 2}, {3, 4}, {4, 6}}, branches);
  BOOST_TEST(branches.size() == 1U);
  BOOST_TEST(branches.begin()->second.predicted() == 4U);
  branches.clear();
  limit::find_meetings(launch, {{0, 7}, {1, 1}, {2, 2}, {3, 4}, {4, 2}}, branches);
  BOOST_TEST(branches.begin()->second.predicted() == isa::NoPc);
}
