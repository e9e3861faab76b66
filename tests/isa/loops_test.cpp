// SPDX-License-Identifier: Apache-2.0
// Which loop an instruction is in: nested loops, loops around calls, and their lines.
#include "sim/isa/loops.h"

#include <boost/test/unit_test.hpp>

#include "sim/compiler/compile.h"
#include "sim/ptx/parser.h"

namespace isa = heddle::isa;

namespace {

isa::Program program_of(const std::string& text) {
  return heddle::compiler::compile(heddle::ptx::parse(text, "k.ptx"), "k");
}

const std::string Head = ".version 7.0\n.target sm_60\n.address_size 64\n";

isa::Pc pc_of(const isa::Program& program, unsigned line) {
  for (isa::Pc pc = 0; pc < program.code.size(); ++pc)
    if (program.code[pc].line == line) return pc;
  BOOST_FAIL("no instruction of line " << line);
  return 0;
}

std::string loop_of(const isa::Program& program, unsigned line) {
  return isa::describe_loops(program, {pc_of(program, line)});
}

}  // namespace

BOOST_AUTO_TEST_CASE(nested_loops) {
  const isa::Program program = program_of(Head + R"(.visible .entry k() {
  .reg .b32 %r<4>; .reg .pred %p<3>;
  mov.u32 %r1, 0;
OUTER:
  add.u32 %r1, %r1, 1;
INNER:
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p1, %r2, 9;
  @%p1 bra INNER;
  setp.lt.u32 %p2, %r1, 9;
  @%p2 bra OUTER;
  ret;
}
)");
  BOOST_TEST(isa::find_loops(program).size() == 2U);
  BOOST_TEST(loop_of(program, 6) == "");
  BOOST_TEST(loop_of(program, 8) == "in the loop at k.ptx:8-14");
  BOOST_TEST(loop_of(program, 10) == "in the loop at k.ptx:10-12");
  BOOST_TEST(loop_of(program, 12) == "in the loop at k.ptx:10-12");
  BOOST_TEST(loop_of(program, 13) == "in the loop at k.ptx:8-14");
  BOOST_TEST(loop_of(program, 15) == "");
  BOOST_TEST(isa::describe_loops(program, {pc_of(program, 10), pc_of(program, 12), pc_of(program, 13)}) ==
             "in the loop at k.ptx:10-12 and in the loop at k.ptx:8-14");
}

BOOST_AUTO_TEST_CASE(a_block_that_branches_to_itself) {
  const isa::Program program = program_of(Head + ".visible .entry k() {\nL:\nbra L;\n}\n");
  BOOST_TEST(loop_of(program, 6) == "in the loop at k.ptx:6");
}

BOOST_AUTO_TEST_CASE(two_ways_back_are_one_loop) {
  const isa::Program program = program_of(Head + R"(.visible .entry k() {
  .reg .b32 %r<4>; .reg .pred %p<3>;
LOOP:
  setp.lt.u32 %p1, %r2, 9;
  @%p1 bra LOOP;
  add.u32 %r2, %r2, 1;
  bra LOOP;
}
)");
  BOOST_TEST(isa::find_loops(program).size() == 1U);
  BOOST_TEST(loop_of(program, 9) == "in the loop at k.ptx:7-10");
}

BOOST_AUTO_TEST_CASE(a_function_that_is_called_in_a_loop) {
  const isa::Program program = program_of(Head + R"(.func f() {
  .reg .b32 %r<4>;
  add.u32 %r1, %r1, 1;
  ret;
}
.visible .entry k() {
LOOP:
  call f, ();
  bra LOOP;
}
)");
  BOOST_TEST(loop_of(program, 6) == "in the loop at k.ptx:11-12");
}

BOOST_AUTO_TEST_CASE(lines_of_the_source) {
  const isa::Program program = program_of(Head + R"(.file 1 "folder/k.cu"
.visible .entry k() {
  .reg .b32 %r<4>;
LOOP:
  .loc 1 20 1
  add.u32 %r1, %r1, 1;
  .loc 1 22 1
  bra LOOP;
}
)");
  BOOST_TEST(loop_of(program, 9) == "in the loop at k.ptx:9-11 (k.cu:20-22)");
  BOOST_TEST(isa::describe_place(program, pc_of(program, 11)) == "k.ptx:11 (k.cu:22)");
}
