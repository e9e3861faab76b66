// SPDX-License-Identifier: Apache-2.0
// The software-managed stack (DPE sec. 7.3): how many entries a program may need is known before it starts, and one that
// may need more than there are is refused by name.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iostream>

#include "sim/gpu/ptx_run.h"
#include "sim/gpu/run.h"
#include "tests/kit/mechanism_runs.h"

namespace gpu = heddle::gpu;

int sc_main(int, char**) {
  return 0;
}

namespace {

const heddle::DesignPoint& Tiny = heddle::point::tiny::Values;

constexpr const char* Head = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 out)
{
.reg .u32 %r<9>; .reg .pred %p<9>; .reg .u64 %rd<9>;
ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd3, %rd1, %rd2;
mov.u32 %r2, 7; mov.u32 %r4, 0;
)";

/// From the innermost of so many ifs to the end.
std::string tail(unsigned levels) {
  std::string text;
  for (unsigned level = levels; level-- > 0;) text += fmt::format("MET{}: mul.lo.u32 %r2, %r2, 3;\n", level);
  return text + "st.global.u32 [%rd3], %r2; exit;\n}\n";
}

/// Nested ifs, each inside the one before: lane `level` takes the side that turns for long, so that every branch
/// parts beside a path that is still on its way.
std::string nest(unsigned levels) {
  std::string text = Head;
  for (unsigned level = 0; level < levels; ++level)
    text += fmt::format(
        "setp.eq.u32 %p1, %r1, {0}; @!%p1 bra IN{0}; mov.u32 %r3, 0;\n"
        "TURN{0}: mad.lo.u32 %r2, %r2, 5, %r1; add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, 50; @%p2 bra TURN{0}; "
        "bra MET{0};\n"
        "IN{0}: add.u32 %r2, %r2, {1};\n",
        level, level + 1);
  return text + tail(levels);
}

gpu::RunResult run_text(const std::string& name, const std::string& text, unsigned threads,
                        const heddle::DesignPoint& point, const std::string& divergence = "dpe_software") {
  std::filesystem::create_directories(HEDDLE_FAILURES_DIR);
  gpu::PtxRun what;
  what.file = std::string(HEDDLE_FAILURES_DIR) + "/software_stack." + divergence + "." + name + ".ptx";
  std::ofstream(what.file) << text;
  what.block = {threads, 1, 1};
  what.arguments = {"zeros:" + std::to_string(4 * threads)};
  gpu::RunRequest request = heddle::tests::request_of(heddle::with_its_scoreboard(divergence), gpu::ptx_program(what));
  request.timed.sm.point = &point;
  return gpu::run_in_children({request}, 1).front();
}

gpu::RunResult run(unsigned levels) {
  return run_text(std::to_string(levels), nest(levels), Tiny.lanes, Tiny);
}

/// A loop out of which lane after lane parts.
const char* const OneLeaves =
    "NEXT: setp.eq.u32 %p1, %r1, %r4; @%p1 bra LEAVE; add.u32 %r4, %r4, 1; setp.lt.u32 %p4, %r4, 64;\n"
    "@%p4 bra NEXT; bra JOIN;\n";
/// The same where the lanes that stay take the branch, so that they run first and each lane that leaves waits beneath.
const char* const OthersStay =
    "NEXT: setp.ne.u32 %p1, %r1, %r4; @%p1 bra STAY; bra LEAVE;\n"
    "STAY: add.u32 %r4, %r4, 1; setp.lt.u32 %p4, %r4, 64; @%p4 bra NEXT; bra JOIN;\n";

/// Lanes leave a loop one after the other through a loop of their own, so that each parts beside those before it; all of
/// that inside so many ifs.
std::string leave_one_by_one(unsigned levels, const std::string& loop) {
  std::string text = Head;
  for (unsigned n = 0; n < levels; ++n) text += fmt::format("setp.gt.u32 %p3, %r1, {}; @%p3 bra MET{};\n", 100 + n, n);
  text += loop +
          "LEAVE: mov.u32 %r3, 0;\n"
          "TURN: mad.lo.u32 %r2, %r2, 5, %r1; add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, 400; @%p2 bra TURN;\n"
          "JOIN: add.u32 %r2, %r2, 1;\n";
  return text + tail(levels);
}

}  // namespace

BOOST_AUTO_TEST_CASE(nesting_to_the_full_depth) {
  const gpu::RunResult result = run(Tiny.software_depth - 1);
  BOOST_TEST(result.equals_oracle, result.message);
  BOOST_TEST(result.statistics.max_depth == Tiny.software_depth);
}

/// Before it starts.
BOOST_AUTO_TEST_CASE(nesting_one_past_it_is_refused_by_name) {
  const gpu::RunResult result = run(Tiny.software_depth);
  BOOST_TEST((result.error == gpu::ErrorCode::NotSupported), result.message);
  for (const char* word : {"kernel k", "may need 4 entries of the software_stack", "--set software_depth=4"})
    BOOST_TEST(result.message.find(word) != std::string::npos, "no '" << word << "' in: " << result.message);
}

/// The bound of the compiler's header, reached: one, so many pushes, and 30 branches that part beside another path.
BOOST_AUTO_TEST_CASE(lanes_that_leave_one_by_one_have_room) {
  const heddle::DesignPoint& hpca13 = heddle::point::hpca13::Values;
  const unsigned most = hpca13.software_depth - 1 - (hpca13.lanes - 2);
  const gpu::RunResult fits = run_text("one_by_one", leave_one_by_one(most - 1, OneLeaves), 32, hpca13),
                       refused = run_text("one_by_one_more", leave_one_by_one(most, OneLeaves), 32, hpca13);
  BOOST_TEST(fits.equals_oracle, fits.message);
  BOOST_TEST(fits.statistics.max_depth > hpca13.lanes);
  std::cout << "deepest: " << fits.statistics.max_depth << " of " << hpca13.software_depth << '\n';
  BOOST_TEST((refused.error == gpu::ErrorCode::NotSupported), refused.message);
}

/// With one path an entry: one, so many pushes, and what 31 branches leave beneath the lane that runs.
BOOST_AUTO_TEST_CASE(lanes_that_leave_one_by_one_have_room_with_one_path) {
  const heddle::DesignPoint& hpca13 = heddle::point::hpca13::Values;
  const unsigned most = hpca13.software_depth - 1 - (hpca13.lanes - 1);
  const gpu::RunResult fits =
                           run_text("one_by_one", leave_one_by_one(most - 1, OthersStay), 32, hpca13, "spe_software"),
                       refused =
                           run_text("one_by_one_more", leave_one_by_one(most, OthersStay), 32, hpca13, "spe_software");
  BOOST_TEST(fits.equals_oracle, fits.message);
  BOOST_TEST(fits.statistics.max_depth > hpca13.lanes);
  std::cout << "deepest with one path: " << fits.statistics.max_depth << " of " << hpca13.software_depth << '\n';
  BOOST_TEST((refused.error == gpu::ErrorCode::NotSupported), refused.message);
}

/// 77 branches in a row with one meeting point, of a function that nvcc has unrolled, and returns out of a loop: 32 entries
/// were not enough while each had a push of its own.
BOOST_AUTO_TEST_CASE(branches_with_one_meeting_point_share_an_entry) {
  gpu::PtxRun what;
  what.file = HEDDLE_PTX_SOURCES "/leave_in_turns.ptx";
  what.entry = "leave";
  what.grid = {8, 1, 1};
  what.block = {128, 1, 1};
  what.arguments = {"zeros:4096", "zeros:4096", "1000"};
  std::vector<gpu::RunRequest> requests;
  for (const char* divergence : {"spe", "dpe", "dpe_software", "spe_software"})
    requests.push_back(heddle::tests::request_of(heddle::with_its_scoreboard(divergence), gpu::ptx_program(what)));
  const std::vector<gpu::RunResult> results = gpu::run_in_children(requests, 2);
  for (const gpu::RunResult& result : results) BOOST_TEST(result.equals_oracle, result.message);
  std::cout << "deepest: spe " << results[0].statistics.max_depth << ", dpe " << results[1].statistics.max_depth
            << ", dpe_software " << results[2].statistics.max_depth << '\n';
  BOOST_TEST(results[2].statistics.max_depth <= 2 * results[0].statistics.max_depth);
}
