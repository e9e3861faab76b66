// SPDX-License-Identifier: Apache-2.0
// Which values and branches the compiler calls uniform, affine or varying, on small programs.
#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "sim/compiler/compile.h"
#include "sim/ptx/parser.h"

namespace compiler = heddle::compiler;
namespace isa = heddle::isa;

namespace {

constexpr unsigned FirstLine = 14;  // of the body

compiler::Analysis analyse(const std::string& body, const compiler::CompileOptions& options = {}) {
  static std::vector<heddle::ptx::Module> modules;
  modules.push_back(heddle::ptx::parse(R"(.version 7.0
.target sm_60
.address_size 64
.visible .entry k(.param .u64 p, .param .u32 n)
{
	.reg .pred %p<9>;
	.reg .b32 %r<20>;
	.reg .b64 %rd<9>;
	.reg .f32 %f<9>;
	ld.param.u64 %rd0, [p];
	ld.param.u32 %r0, [n];
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, %ctaid.x;
)" + body + "\n}\n",
                                       "k.ptx"));
  return compiler::analyse(modules.back(), "k", options);
}

/// What the last instruction of the n-th line of the body (from 0) writes.
std::string result(const compiler::Analysis& analysis, unsigned line) {
  std::string text = "no such line";
  for (isa::Pc pc = 0; pc < analysis.program.code.size(); ++pc)
    if (analysis.program.code[pc].line == FirstLine + line) text = compiler::to_string(analysis.divergence.results[pc]);
  return text;
}

bool diverges(const compiler::Analysis& analysis, unsigned line) {
  for (isa::Pc pc = 0; pc < analysis.program.code.size(); ++pc)
    if (analysis.program.code[pc].line == FirstLine + line) return analysis.divergence.is_divergent(pc);
  BOOST_FAIL("no such line");
  return false;
}

struct Expected {
  const char *line, *value;
};

void expect(const std::vector<Expected>& lines) {
  std::string body;
  for (const Expected& line : lines) body += std::string(line.line) + '\n';
  const compiler::Analysis analysis = analyse(body + "ret;");
  for (unsigned line = 0; line < lines.size(); ++line)
    BOOST_TEST(result(analysis, line) == lines[line].value, lines[line].line << ": " << result(analysis, line));
}

}  // namespace

BOOST_AUTO_TEST_CASE(warps_and_barriers) {
  expect({{"setp.lt.u32 %p1, %r1, 9;", "varying"},
          {"vote.sync.ballot.b32 %r3, %p1, -1;", "uniform"},
          {"vote.sync.any.pred %p2, %p1, %r0;", "uniform"},
          {"vote.sync.any.pred %p2, %p1, %r1;", "varying"},  // groups with masks of their own
          {"redux.sync.add.u32 %r3, %r1, -1;", "uniform"},
          {"activemask.b32 %r3;", "uniform"},
          {"match.any.sync.b32 %r4, %r1, -1;", "varying"},
          {"match.any.sync.b32 %r4, %r2, -1;", "uniform"},
          {"match.all.sync.b32 %r4, %r1, -1;", "uniform"},
          {"shfl.sync.idx.b32 %r4, %r1, 0, 31, -1;", "varying"},
          {"shfl.sync.down.b32 %r4, %r2, 1, 31, -1;", "uniform"},
          {"bar.red.popc.u32 %r4, 0, %p1;", "uniform"}});
}

BOOST_AUTO_TEST_CASE(arithmetic) {
  expect({{"add.s32 %r3, %r1, 5;", "affine x"},
          {"mad.lo.s32 %r4, %r2, 128, %r1;", "affine x"},
          {"shl.b32 %r5, %r4, 3;", "affine 8x"},
          {"mov.u32 %r6, %tid.y;", "affine y"},
          {"mad.lo.s32 %r7, %r6, -64, %r5;", "affine 8x-64y"},
          {"sub.s32 %r8, %r7, %r5;", "affine -64y"},
          {"sub.s32 %r8, %r4, %r1;", "uniform"},
          {"neg.s32 %r8, %r1;", "affine -x"},
          {"mul.lo.s32 %r9, %r1, %r0;", "affine"},
          {"mul.lo.s32 %r9, %r1, %r1;", "varying"},
          {"and.b32 %r9, %r1, 31;", "varying"},
          {"and.b32 %r9, %r2, 31;", "uniform"},
          {"mul.wide.u32 %rd1, %r4, 4;", "affine 4x"},
          {"add.s64 %rd2, %rd0, %rd1;", "affine 4x"},
          {"cvt.u64.u32 %rd3, %r1;", "affine x"},
          {"cvt.rn.f32.u32 %f1, %r1;", "varying"},
          {"cvt.rn.f32.u32 %f1, %r2;", "uniform"},
          {"add.f32 %f2, %f1, %f1;", "uniform"},
          {"setp.lt.u32 %p1, %r1, 7;", "varying"},
          {"setp.lt.u32 %p2, %r2, %r0;", "uniform"},
          {"selp.b32 %r9, 1, 2, %p1;", "varying"},
          {"selp.b32 %r9, 1, 2, %p2;", "uniform"},
          {"mov.u32 %r10, %laneid;", "varying"},
          {"mov.u32 %r10, %ntid.x;", "uniform"},
          {"add.cc.u32 %r11, %r2, %r0;", "uniform"},
          {"addc.u32 %r11, %r2, %r0;", "uniform"},
          {"add.cc.u32 %r11, %r1, %r0;", "varying"},
          {"addc.u32 %r11, %r2, %r0;", "varying"},
          {"mov.b64 %rd4, {%r1, %r2};", "varying"},
          {"mov.b64 %rd4, {%r0, %r2};", "uniform"}});
}

BOOST_AUTO_TEST_CASE(memory) {
  expect({{"ld.global.u32 %r3, [%rd0];", "uniform"},
          {"ld.volatile.global.u32 %r3, [%rd0];", "varying"},
          {"mad.wide.u32 %rd1, %r1, 4, %rd0;", "affine 4x"},
          {"ld.global.u32 %r3, [%rd1];", "varying"},
          {"atom.global.add.u32 %r3, [%rd0], 1;", "varying"},
          {"add.u32 %r4, %r3, 0;", "varying"}});
  expect({{"tex.1d.v4.u32.s32 {%r3, %r4, %r5, %r6}, [%rd0, {%r2}];", "uniform"},
          {"tex.2d.v4.u32.s32 {%r7, %r8, %r9, %r10}, [%rd0, {%r0, %r1}];", "varying"},
          {"add.u32 %r11, %r3, %r4;", "uniform"},
          {"add.u32 %r11, %r3, %r8;", "varying"}});
  expect({{".local .b32 mine[4];", "no such line"}, {"ld.local.u32 %r3, [mine];", "varying"}});
  expect({{".shared .b32 ours[4];", "no such line"}, {"ld.shared.u32 %r3, [ours];", "uniform"}});
}

BOOST_AUTO_TEST_CASE(values_from_other_lanes) {
  expect({{"vote.sync.ballot.b32 %r3, %p1, 0xffffffff;", "uniform"},
          {"redux.sync.add.s32 %r3, %r1, 0xffffffff;", "uniform"},
          {"shfl.sync.idx.b32 %r3, %r1, 0, 31, 0xffffffff;", "varying"},
          {"setp.lt.u32 %p1, %r1, 7;", "varying"},
          {"bar.red.popc.u32 %r3, 0, %p1;", "uniform"}});
}

BOOST_AUTO_TEST_CASE(guards) {
  expect({{"setp.lt.u32 %p1, %r1, 7;", "varying"},
          {"setp.lt.u32 %p2, %r2, 7;", "uniform"},
          {"mov.u32 %r3, 1;", "uniform"},
          {"@%p2 mov.u32 %r3, 2;", "uniform"},
          {"@%p2 mov.u32 %r3, %r1;", "affine"},
          {"mov.u32 %r4, 1;", "uniform"},
          {"@%p1 mov.u32 %r4, 2;", "varying"}});
}

BOOST_AUTO_TEST_CASE(values_that_meet_after_a_branch) {
  const auto diamond = [](const char* condition) {
    return std::string(condition) + R"(
@%p1 bra THEN;
mov.u32 %r3, 1;
mov.u32 %r5, %r1;
bra MEET;
THEN:
mov.u32 %r3, 2;
add.u32 %r4, %r2, 1;
MEET:
add.u32 %r6, %r3, 0;
add.u32 %r7, %r2, 0;
add.u32 %r8, %r5, 0;
ret;)";
  };
  const compiler::Analysis varying = analyse(diamond("setp.lt.u32 %p1, %r1, 7;"));
  BOOST_TEST(diverges(varying, 1));
  BOOST_TEST(result(varying, 2) == "uniform");
  BOOST_TEST(result(varying, 6) == "uniform");  // on one side: its lanes alone
  BOOST_TEST(result(varying, 9) == "varying");
  BOOST_TEST(result(varying, 10) == "uniform");
  BOOST_TEST(result(varying, 11) == "varying");
  const compiler::Analysis uniform = analyse(diamond("setp.lt.u32 %p1, %r2, 7;"));
  BOOST_TEST(!diverges(uniform, 1));
  BOOST_TEST(result(uniform, 9) == "uniform");
  BOOST_TEST(result(uniform, 11) == "affine");  // x, or the zero that it started with
}

BOOST_AUTO_TEST_CASE(a_loop_that_lanes_leave_at_different_times) {
  const compiler::Analysis analysis = analyse(R"(mov.u32 %r3, 0;
mov.u32 %r4, %r1;
LOOP:
add.u32 %r3, %r3, 1;
add.u32 %r4, %r4, 32;
setp.lt.u32 %p1, %r4, %r0;
setp.lt.u32 %p2, %r3, 9;
@%p1 bra LOOP;
add.u32 %r5, %r3, 0;
setp.lt.u32 %p3, %r5, 4;
@%p3 bra OUT;
add.u32 %r6, %r2, 1;
OUT:
ret;)");
  BOOST_TEST(result(analysis, 3) == "uniform");  // all lanes that are still in the loop count alike
  BOOST_TEST(result(analysis, 4) == "affine x");
  BOOST_TEST(result(analysis, 6) == "uniform");
  BOOST_TEST(diverges(analysis, 7));
  BOOST_TEST(result(analysis, 8) == "varying");
  BOOST_TEST(diverges(analysis, 10));
  BOOST_TEST(result(analysis, 11) == "uniform");
}

BOOST_AUTO_TEST_CASE(divergence_comes_round_in_a_loop) {
  // %r3 is uniform at first; the branch on it diverges once a lane's own value came in by the back edge.
  const compiler::Analysis analysis = analyse(R"(mov.u32 %r3, 0;
mov.u32 %r5, 0;
LOOP:
setp.gt.u32 %p1, %r3, 9;
@%p1 bra SKIP;
add.u32 %r5, %r5, 1;
SKIP:
ld.global.u32 %r6, [%rd0];
add.u32 %r3, %r1, %r6;
setp.lt.u32 %p2, %r5, 100;
@%p2 bra LOOP;
ret;)");
  BOOST_TEST(diverges(analysis, 4));
  BOOST_TEST(result(analysis, 9) == "varying");  // %r5, by control
  BOOST_TEST(diverges(analysis, 10));
}

BOOST_AUTO_TEST_CASE(lanes_that_leave_change_nothing_for_the_others) {
  const compiler::Analysis analysis = analyse(R"(setp.lt.u32 %p1, %r1, 7;
mov.u32 %r3, 1;
@%p1 bra LEAVE;
bra STAY;
LEAVE:
mov.u32 %r3, 2;
st.global.u32 [%rd0], %r3;
exit;
STAY:
add.u32 %r4, %r3, 1;
st.global.u32 [%rd0], %r4;
ret;)");
  BOOST_TEST(diverges(analysis, 2));
  BOOST_TEST(result(analysis, 9) == "uniform");
}

BOOST_AUTO_TEST_CASE(live_values_are_counted) {
  const compiler::Analysis analysis = analyse("st.global.u32 [%rd0], %r1;\nret;");
  BOOST_TEST(analysis.live[0].registers == 0U);
  for (isa::Pc pc = 0; pc < analysis.program.code.size(); ++pc)
    if (analysis.program.code[pc].kind == isa::Kind::Store) BOOST_TEST(analysis.live[pc].registers == 3U);
}

// ---- Predictions: lanes meet in different turns ----

namespace {

/// A loop of n turns. One lane in eight takes the way through the point, each in another turn.
const char* TurnsMeet = R"(// heddle.predict L1
mov.u32 %r3, 0;
TOP: xor.b32 %r4, %r3, %r1;
and.b32 %r4, %r4, 7;
setp.ne.u32 %p1, %r4, 0;
@%p1 bra SKIP;
// heddle.reconverge L1
and.b32 %r5, %r3, 1;
setp.eq.u32 %p2, %r5, 0;
@%p2 bra EVEN;
add.u32 %r6, %r6, %r0;
EVEN: add.u32 %r6, %r6, 1;
SKIP: add.u32 %r3, %r3, 1;
setp.lt.u32 %p3, %r3, %r0;
@%p3 bra TOP;
st.global.u32 [%rd0], %r6;
ret;)";

compiler::Analysis analyse_turns(compiler::Reconverge reconverge) {
  compiler::CompileOptions options;
  options.machine.convergence_barriers = 16;
  options.reconverge = reconverge;
  return analyse(TurnsMeet, options);
}

/// Lanes may go both ways of the branch of this line, by the analysis and by what the program tells the SM.
bool parts(const compiler::Analysis& analysis, unsigned line) {
  bool found = false;
  for (isa::Pc pc = 0; pc < analysis.program.code.size(); ++pc)
    if (analysis.program.code[pc].line == FirstLine + line && analysis.program.code[pc].kind == isa::Kind::Branch)
      found = analysis.divergence.is_divergent(pc) && analysis.program.code[pc].may_part;
  return found;
}

/// Its own barrier is joined in front of it.
bool joins(const compiler::Analysis& analysis, unsigned line) {
  return std::any_of(analysis.program.code.begin(), analysis.program.code.end(), [&](const auto& instruction) {
    return instruction.kind == isa::Kind::Convergence && instruction.convergence == isa::ConvergenceOp::Join &&
           instruction.line == FirstLine + line;
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_a_loop_counts_varies_behind_a_point_where_its_turns_meet) {
  const unsigned counted = 7, branch = 9, loop = 14;
  const compiler::Analysis predicted = analyse_turns(compiler::Reconverge::Predicted);
  BOOST_TEST(result(predicted, counted) == "varying");
  for (const unsigned line : {branch, loop}) BOOST_TEST(parts(predicted, line), line);
  BOOST_TEST(joins(predicted, branch));
  const compiler::Analysis without = analyse_turns(compiler::Reconverge::Default);
  BOOST_TEST(result(without, counted) == "uniform");
  for (const unsigned line : {branch, loop}) BOOST_TEST(!parts(without, line), line);
  BOOST_TEST(!joins(without, branch));
}
