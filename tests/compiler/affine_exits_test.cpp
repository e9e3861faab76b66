// SPDX-License-Identifier: Apache-2.0
// Kernels that are not split since threads part where an affine warp cannot follow: room in its stack, and barriers that a
// part of a block comes to.
#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <string>

#include "sim/compiler/compile.h"
#include "sim/ptx/parser.h"

namespace compiler = heddle::compiler;

namespace {

/// Why the kernel is not split; empty: it is. Its body begins with the thread's index, its words, and two predicates: of the
/// index, and of what was loaded.
std::string why_not_split(const std::string& body, unsigned paths = 16, unsigned masks = 8) {
  compiler::CompileOptions options;
  options.machine.affine = true;
  options.machine.affine_paths = paths;
  options.machine.affine_masks = masks;
  const std::string text =
      ".visible .entry k(.param .u64 A, .param .u64 B) {\n"
      ".reg .pred %p, %q, %z; .reg .b32 %t, %i, %n, %x; .reg .b64 %a, %b, %d;\n"
      "mov.u32 %t, %tid.x; ld.param.u64 %a, [A]; ld.param.u64 %b, [B]; mul.wide.u32 %d, %t, 4;\n"
      "add.u64 %a, %a, %d; add.u64 %b, %b, %d; ld.global.u32 %x, [%a]; mov.u32 %i, 0;\n"
      "setp.lt.u32 %p, %t, 40; setp.lt.u32 %q, %x, 7; setp.eq.u32 %z, %ctaid.x, 0;\n" +
      body + "\n}\n";
  return compiler::compile(heddle::ptx::parse(text, "file.ptx"), "k", nullptr, options).why_not_split;
}

/// Each if on the side of the one before that takes the branch, with accesses on both sides: two paths and two masks a
/// level.
std::string nest(unsigned levels, unsigned level = 0) {
  if (level == levels) return "st.global.u32 [%b], 99;\n";
  return fmt::format(
      "setp.gt.u32 %q, %x, {0}; @%q bra ELSE{0}; st.global.u32 [%b], {0}; bra MET{0};\nELSE{0}: {1}MET{0}: "
      "st.global.u32 [%a], {0};\n",
      level, nest(levels, level + 1));
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_nest_that_fits_and_one_that_does_not) {
  BOOST_TEST(why_not_split(nest(3) + "ret;", 7, 6) == "");
  BOOST_TEST(has(why_not_split(nest(3) + "ret;", 6, 6), "more than the 6 paths of the affine stack"),
             why_not_split(nest(3) + "ret;", 6, 6));
  BOOST_TEST(has(why_not_split(nest(3) + "ret;", 7, 5), "more than the 5 masks a warp of the affine stack"));
  BOOST_TEST(why_not_split(nest(4) + "ret;", 16, 8) == "");
  BOOST_TEST(has(why_not_split(nest(5) + "ret;", 16, 8), "masks a warp"));
}

/// Threads go round by the side that takes the branch, and those that leave wait beneath, as many as there are.
BOOST_AUTO_TEST_CASE(a_loop_that_threads_leave_one_by_one_through_code_of_their_own) {
  const std::string loop =
      "TURN: mul.lo.u32 %n, %i, %i; setp.ne.u32 %q, %n, %x; {} bra {};\n {}: st.global.u32 [%b], %i; bra JOIN;\n"
      " {}: add.u32 %i, %i, 1; setp.lt.u32 %p, %i, 64; @%p bra TURN; JOIN: st.global.u32 [%a], 7; ret;";
  const std::string why = why_not_split(fmt::format(fmt::runtime(loop), "@%q", "MORE", "LEAVE", "MORE"));
  BOOST_TEST(has(why, "may need more than the "), why);
  BOOST_TEST(has(why, "of the affine stack"), why);
  // The other way round those that leave run first, and nobody waits for them.
  const std::string first =
      "TURN: mul.lo.u32 %n, %i, %i; setp.eq.u32 %q, %n, %x; @%q bra LEAVE; add.u32 %i, %i, 1;\n"
      " setp.lt.u32 %p, %i, 64; @%p bra TURN; bra JOIN; LEAVE: st.global.u32 [%b], %i; JOIN: st.global.u32 [%a], 7; "
      "ret;";
  BOOST_TEST(why_not_split(first) == "");
}

/// A loop whose threads leave it at its end alone needs one path more, however often it turns.
BOOST_AUTO_TEST_CASE(loops_that_end_where_threads_meet_need_no_more) {
  const std::string loop =
      "TURN: st.global.u32 [%b], %i; add.u32 %i, %i, 1; setp.lt.u32 %q, %i, %x; @%q bra TURN; st.global.u32 [%a], 7; "
      "ret;";
  BOOST_TEST(why_not_split(loop, 2, 1) == "");
  BOOST_TEST(has(why_not_split(loop, 1, 1), "paths"));
}

/// Whoever goes another way than to a barrier finds no record behind it.
BOOST_AUTO_TEST_CASE(records_behind_a_barrier_of_other_threads) {
  const auto refused = [](const std::string& body) {
    const std::string why = why_not_split(body);
    return has(why, "a part of a block may come to the barrier in line ") && has(why, "stands behind it");
  };
  BOOST_TEST(refused("@%p bra PAST; bar.sync 0; PAST: st.global.u32 [%b], 2; ret;"));
  BOOST_TEST(refused("@%q bra PAST; bar.sync 0; PAST: st.global.u32 [%b], 2; ret;"));
  BOOST_TEST(refused("@%p bra PAST; bar.sync 0; PAST: bar.sync 0; st.global.u32 [%b], 2; ret;"));
  BOOST_TEST(
      refused("TURN: bar.sync 0; add.u32 %i, %i, 1; setp.lt.u32 %q, %i, %x; @%q bra TURN; st.global.u32 [%b], 2; "
              "ret;"));
  // Nothing is behind it, or all threads of the block go one way.
  BOOST_TEST(why_not_split("st.global.u32 [%b], 1; @%p bra END; bar.sync 0; st.global.u32 [%b], 2; END: ret;") == "");
  BOOST_TEST(why_not_split("@%z bra PAST; bar.sync 0; PAST: st.global.u32 [%b], 2; ret;") == "");
  BOOST_TEST(why_not_split("@%p bra STAY; st.global.u32 [%b], 1; ret; STAY: bar.sync 0; st.global.u32 [%b], 2; ret;") ==
             "");
}

/// The affine warp has one register for all paths: threads that leave must not have written what the others read.
BOOST_AUTO_TEST_CASE(threads_that_leave_and_write_what_the_others_read) {
  const std::string why =
      why_not_split("@%p bra PAST; add.s64 %a, %a, 4; st.global.u32 [%a], 1; ret; PAST: st.global.u32 [%a], 2; ret;");
  BOOST_TEST(has(why, "one side of a branch writes %a"), why);
  BOOST_TEST(why_not_split("@%p bra PAST; add.s64 %d, %a, 4; st.global.u32 [%d], 1; ret; PAST: st.global.u32 [%a], 2; "
                           "ret;") == "");
}
