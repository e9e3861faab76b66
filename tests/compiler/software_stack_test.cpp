// SPDX-License-Identifier: Apache-2.0
// Where pushes and pops are placed: programs of a few lines, and the operations that stand in them.
#include <boost/test/unit_test.hpp>
#include <string>

#include "sim/compiler/compile.h"
#include "sim/isa/execution_error.h"
#include "sim/ptx/parser.h"

namespace isa = heddle::isa;

namespace {

isa::Program compiled(const std::string& body) {
  heddle::compiler::CompileOptions options;
  options.machine.software_stack = true;
  return heddle::compiler::compile(
      heddle::ptx::parse(
          R"(.visible .entry k(.param .u32 n) { .reg .pred %p, %q, %u; .reg .b32 %t, %n, %r<4>;
mov.u32 %t, %tid.x; ld.param.u32 %n, [n]; setp.gt.u32 %p, %t, 3; setp.gt.u32 %q, %t, 5; setp.gt.u32 %u, %n, 5;
)" + body + "\n}\n",
          "file.ptx"),
      "k", nullptr, options);
}

/// The operations behind the first five, each with where it leads: "push 9" resumes at instruction 9.
std::string placed(const std::string& body) {
  const isa::Program program = compiled(body);
  std::string text;
  for (isa::Pc pc = 5; pc < program.code.size(); ++pc) {
    const isa::Instruction& instruction = program.code[pc];
    const std::string mnemonic = instruction.mnemonic;
    text += std::to_string(pc) + ' ' + mnemonic.substr(0, mnemonic.find('.'));
    if (instruction.target != isa::NoPc) text += ' ' + std::to_string(instruction.target);
    text += "; ";
  }
  return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(one_push_in_front_of_a_branch_and_a_pop_on_each_way_to_where_its_sides_meet) {
  BOOST_TEST(placed("@%p bra L; add.u32 %r1, %t, 1; L: ret;") ==
             "5 push 10; 6 bra 9; 7 add; 8 pop 10; 9 pop 10; 10 ret; ");
}

BOOST_AUTO_TEST_CASE(lanes_that_take_a_branch_together_need_none) {
  BOOST_TEST(placed("@%u bra L; add.u32 %r1, %t, 1; L: ret;") == "5 bra 7; 6 add; 7 ret; ");
}

/// The outer one stands for both.
BOOST_AUTO_TEST_CASE(branches_with_one_meeting_point_share_a_push) {
  BOOST_TEST(
      placed("@%p bra E; @%q bra E; add.u32 %r1, %t, 1; bra M; E: sub.u32 %r1, %t, 1; M: add.u32 %r2, %r1, 1; ret;") ==
      "5 push 13; 6 bra 10; 7 bra 10; 8 add; 9 bra 12; 10 sub; 11 pop 13; 12 pop 13; 13 add; 14 ret; ");
}

BOOST_AUTO_TEST_CASE(a_branch_that_leaves_a_loop_is_pushed_for_in_front_of_it) {
  BOOST_TEST(
      placed("mov.u32 %r1, 0; L: add.u32 %r1, %r1, 1; setp.lt.u32 %q, %r1, %t; @%q bra L; add.u32 %r2, %r1, 1; ret;") ==
      "5 mov; 6 push 12; 7 add; 8 setp; 9 bra 7; 10 pop 12; 11 pop 12; 12 add; 13 ret; ");
}

/// A way past a push, by a branch that all lanes take together: that one pushes too.
BOOST_AUTO_TEST_CASE(branches_that_lanes_take_together_push_where_others_would_disagree) {
  const std::string text = placed("@%u bra X; @%q bra M; add.u32 %r1, %t, 1; X: sub.u32 %r1, %t, 1; M: ret;");
  BOOST_TEST(text.find("5 push") == 0U, text);
}

BOOST_AUTO_TEST_CASE(lanes_that_leave_for_good_need_no_pop) {
  const std::string text = placed("@%p bra L; @%q exit; add.u32 %r1, %t, 1; L: ret;");
  BOOST_TEST(text.find("exit") != std::string::npos, text);
  BOOST_TEST(compiled("@%p bra L; @%q exit; add.u32 %r1, %t, 1; L: ret;").stack_levels == 1U);
}

/// Two ways into a cycle, a push on each.
BOOST_AUTO_TEST_CASE(a_loop_that_is_entered_in_its_middle_has_a_push_on_each_way_into_it) {
  const std::string text = placed(
      "mov.u32 %r1, 0; @%u bra B;\n A: add.u32 %r1, %r1, 1; setp.lt.u32 %q, %r1, 9; @%q bra D;\n"
      " B: add.u32 %r1, %r1, 2; setp.lt.u32 %q, %r1, %t; @%q bra A;\n D: ret;");
  const auto count = [&text](const std::string& word) {
    unsigned times = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++times;
    return times;
  };
  BOOST_TEST(count("push") == 2U, text);
}

/// Lanes that begin the next turn come to the branch again before they have met.
BOOST_AUTO_TEST_CASE(a_branch_whose_lanes_may_come_again_before_they_meet_has_its_push_outside) {
  const std::string text = placed(
      "mov.u32 %r1, 0; L: add.u32 %r1, %r1, 1; setp.lt.u32 %q, %r1, %t; @%q bra L;\n"
      " sub.u32 %r2, %r1, 1; setp.gt.u32 %u, %n, %r1; @%u bra L; ret;");
  BOOST_TEST(text.find("push") < text.find("add"), text);
}

/// Wherever one that is open waits for the meeting point: in the sides of a && b && ..., and in returns out of a loop.
BOOST_AUTO_TEST_CASE(branches_with_the_meeting_point_of_an_open_push_have_none) {
  std::string chain;
  for (unsigned n = 0; n < 40; ++n) chain += "setp.gt.u32 %q, %t, " + std::to_string(n) + "; @%q bra END;\n";
  const isa::Program program = compiled(chain + "add.u32 %r1, %t, 1; END: ret;");
  unsigned pushes = 0;
  for (const isa::Instruction& instruction : program.code)
    if (instruction.kind == isa::Kind::Convergence && instruction.convergence == isa::ConvergenceOp::Push) ++pushes;
  BOOST_TEST(pushes == 1U);
  BOOST_TEST(program.stack_levels == 1U + 30U);  // of 39 branches without a push as many as 32 lanes can part
}

BOOST_AUTO_TEST_CASE(how_many_entries_a_program_may_need) {
  const isa::Program plain = compiled("@%p bra L; @%q bra M; add.u32 %r1, %t, 1; M: add.u32 %r1, %t, 2; L: ret;");
  BOOST_TEST(plain.stack_levels == 2U);
  BOOST_TEST(plain.single_stack_levels == 2U + 2U);  // and what each of the two branches leaves beneath
  const isa::Program loop =
      compiled("mov.u32 %r1, 0; L: add.u32 %r1, %r1, 1; setp.lt.u32 %q, %r1, %t; @%q bra L; ret;");
  BOOST_TEST(loop.stack_levels == 1U + 30U);
  BOOST_TEST(loop.single_stack_levels == 1U + 31U);
  // Threads that only exit wait for nobody.
  const isa::Program exits = compiled("@%p bra L; add.u32 %r1, %t, 1; exit; L: add.u32 %r1, %t, 2; exit;");
  BOOST_TEST(exits.stack_levels <= 2U);
}
