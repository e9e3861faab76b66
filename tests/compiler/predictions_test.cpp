// SPDX-License-Identifier: Apache-2.0
// Where the barriers of predictions are placed: the figures of SR sec. 4, block by block.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "sim/compiler/analysis/barrier_check.h"
#include "sim/compiler/analysis/control_flow.h"
#include "sim/compiler/code/code_edit.h"
#include "sim/compiler/compile.h"
#include "sim/compiler/transformation/convergence_barriers.h"
#include "sim/ptx/parser.h"

namespace compiler = heddle::compiler;
namespace isa = heddle::isa;
using compiler::Mark;
using compiler::VirtualCode;

namespace {

struct MarkAt {
  std::string label;  // in front of what stands there
  Mark mark;
  int prediction;
};

VirtualCode code_of(const std::string& body, const std::vector<MarkAt>& marks) {
  VirtualCode code = compiler::code_after(
      heddle::ptx::parse(".visible .entry k(.param .u32 n) { .reg .pred %p, %q, %u; .reg .b32 %t, %n, %r<4>;\n"
                         "mov.u32 %t, %tid.x; ld.param.u32 %n, [n]; setp.gt.u32 %p, %t, 3; setp.gt.u32 %q, %t, 5; "
                         "setp.gt.u32 %u, %n, 5;\n" +
                             body + "\n}\n",
                         "file.ptx"),
      "k", {}, "lower");
  // Lowering keeps the labels that a branch names: here each line begins a block, which its label names.
  std::istringstream lines(body);
  std::string line;
  for (unsigned number = 3; std::getline(lines, line); ++number)
    for (isa::Pc pc = 0; pc < code.code.size(); ++pc)
      if (code.code[pc].where.line == number) code.labels[pc] = line.substr(0, line.find(':'));
  for (auto one = code.labels.begin(); one != code.labels.end();)  // in front of its first instruction alone
    one = one != code.labels.begin() && std::prev(one)->second == one->second ? code.labels.erase(one) : std::next(one);
  compiler::CodeEdit edit(code);
  for (const MarkAt& mark : marks) {
    while (code.predictions.size() <= static_cast<std::size_t>(mark.prediction))
      code.predictions.push_back({"L" + std::to_string(code.predictions.size() + 1), -1, {}, {}});
    for (const auto& [pc, label] : code.labels) {
      if (label != mark.label) continue;
      compiler::VirtualInstruction instruction;
      instruction.body.kind = isa::Kind::Convergence;
      instruction.body.mnemonic = mark.mark == Mark::Predict ? "predict" : "reconverge";
      instruction.mark = mark.mark;
      instruction.prediction = mark.prediction;
      edit.before(pc, {instruction});
    }
  }
  edit.apply();
  return code;
}

/// By labelled block: the operations in it.
std::map<std::string, std::string> placed(VirtualCode code, const compiler::PredictionOptions& options = {}) {
  compiler::insert_convergence_barriers(code, 16, options);
  compiler::check_barriers(code, "placed");
  std::map<std::string, std::string> found;
  std::string block;
  for (isa::Pc pc = 0; pc < code.code.size(); ++pc) {
    if (const auto label = code.labels.find(pc); label != code.labels.end()) block = label->second;
    const isa::Instruction& instruction = code.code[pc].body;
    BOOST_TEST((code.code[pc].mark == Mark::None));
    if (instruction.kind != isa::Kind::Convergence || block.empty()) continue;
    std::string& text = found[block];
    const char* guard = !code.code[pc].is_guarded() ? "" : instruction.guard.negated ? "@!p " : "@p ";
    text += (text.empty() ? "" : ", ") + std::string(guard) + instruction.mnemonic + " " +
            std::to_string(instruction.barrier);
    if (instruction.convergence == isa::ConvergenceOp::Copy || instruction.convergence == isa::ConvergenceOp::Take)
      text += "<-" + std::to_string(instruction.barrier_source);
  }
  return found;
}

std::map<std::string, std::string> placed(const std::string& body, const std::vector<MarkAt>& marks,
                                          bool static_deconfliction = false) {
  return placed(code_of(body, marks), {static_deconfliction, {}});
}

using Placed = std::map<std::string, std::string>;

void expect(const Placed& found, const Placed& expected) {
  for (const auto& [block, text] : expected) BOOST_TEST(found.at(block) == text, block << ": " << found.at(block));
  for (const auto& [block, text] : found) BOOST_TEST(expected.count(block) == 1U, "also " << block << ": " << text);
}

// Listing 1: BB0 Predict(L1); BB1 Prolog, divergent_condition; BB3 L1: Expensive; BB4 Epilog; BB5 behind the loop.
// (BB2, where the paper's loop condition is, is part of BB4 here.)
const std::string Listing1 = R"(BB0: mov.u32 %r0, 0;
BB1: add.u32 %r1, %r1, 1; setp.gt.u32 %p, %r1, %t; @%p bra BB4;
BB3: mul.lo.u32 %r2, %r1, %r1;
BB4: add.u32 %r0, %r0, 1; setp.lt.u32 %u, %r0, %n; @%u bra BB1;
BB5: ret;)";
// Its turns meet at L1, so that lanes leave the loop apart: a default barrier stands where the orthogonal one would.
const std::vector<MarkAt> PredictL1{{"BB0", Mark::Predict, 0}, {"BB3", Mark::Reconverge, 0}};

}  // namespace

BOOST_AUTO_TEST_CASE(fig_4b_joined_from_the_predict_to_the_wait_and_again_around_the_loop) {
  const VirtualCode code = code_of(Listing1, PredictL1);
  std::map<std::string, isa::Pc> at;
  for (const auto& [pc, label] : code.labels) at[label] = pc;
  const compiler::BarrierRange range(code, compiler::find_blocks(code), {{{at["BB0"], false}}, {at["BB3"]}});
  BOOST_TEST(!range.is_joined(at["BB0"]));
  BOOST_TEST(range.is_joined(at["BB1"]));
  BOOST_TEST(range.is_joined(at["BB3"]));       // the barrier at BB3 is joined at BB0
  BOOST_TEST(!range.is_joined(at["BB3"] + 1));  // and cleared at BB3
  BOOST_TEST(range.is_joined(at["BB5"]));       // lanes that never came to BB3
  // Fig. 4(c): dead at BB5 and BB0, live on the ways to BB3.
  BOOST_TEST(!range.is_live(at["BB0"]));
  BOOST_TEST(!range.is_live(at["BB5"]));
  for (const char* block : {"BB1", "BB3", "BB4"}) BOOST_TEST(range.is_live(at[block]), block);
  BOOST_TEST((range.rejoins() == std::set<isa::Pc>{at["BB3"]}));
  BOOST_TEST((range.cancels() == std::set<isa::Pc>{at["BB5"]}));
}

BOOST_AUTO_TEST_CASE(fig_4d_and_5c_dynamic_deconfliction_breaks_out_of_the_default_barrier) {
  expect(placed(Listing1, PredictL1),
         {{"BB0", "bssy 0, bssy 2"},            // Join b0; Join of the orthogonal barrier: the loop's own, see below
          {"BB1", "bssy 1"},                    // the compiler's own, in front of the branch
          {"BB3", "break 1, bsync 0, bssy 0"},  // Fig. 5(c): exit the other one; Wait b0; Rejoin b0
          {"BB4", "bsync 1"},                   // where the compiler's own is waited for
          {"BB5", "break 0, bsync 2"}});        // Cancel b0; Wait of the orthogonal barrier
}

BOOST_AUTO_TEST_CASE(fig_5b_static_deconfliction_leaves_out_the_default_barrier) {
  expect(placed(Listing1, PredictL1, true),
         {{"BB0", "bssy 0, bssy 1"}, {"BB3", "bsync 0, bssy 0"}, {"BB5", "break 0, bsync 1"}});
}

// Fig. 3(a): the Predict is inside the outer loop.
BOOST_AUTO_TEST_CASE(fig_3a_a_predict_inside_the_outer_loop_ends_its_range_each_turn) {
  // By eq. 2 a Join kills liveness: behind the inner loop b0 is dead, so lanes wait behind it in every turn, as they do
  // without a prediction. The default barrier joins and waits where the orthogonal one would.
  expect(placed(R"(BB0: mov.u32 %r0, 0;
BB1: add.u32 %r1, %t, %r0;
BB2: sub.u32 %r1, %r1, 1; setp.ne.u32 %p, %r1, 0; @%p bra BB2;
BB4: add.u32 %r0, %r0, 1; setp.lt.u32 %u, %r0, %n; @%u bra BB1;
BB5: ret;)",
                {{"BB1", Mark::Predict, 0}, {"BB2", Mark::Reconverge, 0}}),
         {{"BB0", "bssy 2"},  // of the outer loop, as far as the compiler knows
          {"BB1", "bssy 0, bssy 1"},
          {"BB2", "bsync 0, bssy 0"},
          {"BB4", "break 0, bsync 1"},
          {"BB5", "bsync 2"}});
}

// Fig. 2(b), the Predict in front of the outer loop: lanes of the inner loop wait for those in the next turn. Every lane
// would break out of the barrier behind the inner loop in front of its first turn: it is not in the code.
BOOST_AUTO_TEST_CASE(fig_2b_loop_merge_leaves_no_barrier_behind_the_inner_loop) {
  const std::string nest = R"(BB0: mov.u32 %r0, 0;
BB1: add.u32 %r1, %t, %r0;
BB2: sub.u32 %r1, %r1, 1; setp.ne.u32 %p, %r1, 0; @%p bra BB2;
BB4: add.u32 %r0, %r0, 1; setp.lt.u32 %u, %r0, %n; @%u bra BB1;
BB5: ret;)";
  const std::vector<MarkAt> marks{{"BB0", Mark::Predict, 0}, {"BB2", Mark::Reconverge, 0}};
  const Placed expected{{"BB0", "bssy 0, bssy 1"}, {"BB2", "bsync 0, bssy 0"}, {"BB5", "break 0, bsync 1"}};
  expect(placed(nest, marks), expected);
  expect(placed(nest, marks, true), expected);
}

// The inner loop asks first: lanes that do not enter it wait behind it for those that break out.
BOOST_AUTO_TEST_CASE(fig_2b_lanes_break_out_of_the_barrier_behind_an_inner_loop_that_some_skip) {
  expect(placed(R"(BB0: mov.u32 %r0, 0;
BB1: sub.u32 %r1, %t, %r0;
BB2: setp.eq.u32 %p, %r1, 0; @%p bra BB4;
BB3: sub.u32 %r1, %r1, 1; bra BB2;
BB4: add.u32 %r0, %r0, 1; setp.lt.u32 %u, %r0, %n; @%u bra BB1;
BB5: ret;)",
                {{"BB0", Mark::Predict, 0}, {"BB3", Mark::Reconverge, 0}}),
         {{"BB0", "bssy 0, bssy 2"},
          {"BB1", "bssy 1"},
          {"BB3", "break 1, bsync 0, bssy 0"},
          {"BB4", "bsync 1"},
          {"BB5", "break 0, bsync 2"}});
}

// A lane whose way leads to its exit alone is in the default barrier until then, and the others may wait for it.
BOOST_AUTO_TEST_CASE(lanes_break_out_where_the_side_with_the_point_ends_in_an_exit) {
  expect(placed(R"(BB0: mov.u32 %r0, 0;
BB1: add.u32 %r1, %r1, 1; setp.gt.u32 %p, %r1, %t; @%p bra BB4;
BB3: mul.lo.u32 %r2, %r1, %r1; ret;
BB4: add.u32 %r0, %r0, 1; setp.lt.u32 %u, %r0, %n; @%u bra BB1;
BB5: ret;)",
                PredictL1),
         {{"BB0", "bssy 0, bssy 1"},
          {"BB1", "bssy 2"},
          {"BB3", "break 2, bsync 0"},
          {"BB4", "bsync 2"},
          {"BB5", "break 0, bsync 1"}});
}

// Lanes at BB4 wait in two default barriers. Who waits for the inner one may be in the outer one, and who waits for that
// in the prediction, but not who waits for the inner one: that ring has three barriers.
BOOST_AUTO_TEST_CASE(lanes_break_out_of_every_barrier_from_which_a_way_leads_back) {
  expect(placed(R"(BB0: mov.u32 %r0, 0;
BB1: add.u32 %r1, %r1, 1; setp.gt.u32 %p, %r1, %t; @%p bra BB7;
BB2: add.u32 %r2, %t, %r1; setp.gt.u32 %q, %r2, 9; @%q bra BB5;
BB4: mul.lo.u32 %r2, %r1, %r1; bra BB6;
BB5: add.u32 %r2, %r2, 5;
BB6: add.u32 %r3, %r3, 1;
BB9: add.u32 %r3, %r3, 2;
BB7: add.u32 %r0, %r0, 1; setp.lt.u32 %u, %r0, %n; @%u bra BB1;
BB8: ret;)",
                {{"BB0", Mark::Predict, 0}, {"BB4", Mark::Reconverge, 0}, {"BB9", Mark::Predict, 0}}),
         {{"BB0", "bssy 0, bssy 1, bssy 4"},
          {"BB1", "bssy 3"},
          {"BB2", "bssy 2"},
          {"BB4", "break 2, break 3, bsync 0"},
          {"BB5", "break 0"},
          {"BB6", "bsync 2"},
          {"BB9", "bssy 0, bssy 1"},
          {"BB7", "bsync 3"},
          {"BB8", "break 0, bsync 1, bsync 4"}});
}

// What no lane does is not in the code.
BOOST_AUTO_TEST_CASE(a_predict_and_a_point_that_lead_nowhere_are_left_out) {
  expect(placed(Listing1, {{"BB0", Mark::Predict, 0}, {"BB3", Mark::Reconverge, 0}, {"BB5", Mark::Predict, 0}}, true),
         {{"BB0", "bssy 0, bssy 1"}, {"BB3", "bsync 0, bssy 0"}, {"BB5", "break 0, bsync 1"}});
  expect(placed(Listing1, {{"BB1", Mark::Predict, 0}, {"BB3", Mark::Reconverge, 0}, {"BB0", Mark::Reconverge, 0}}),
         {{"BB0", "bssy 2"},
          {"BB1", "bssy 0, bssy 1"},
          {"BB3", "bsync 0"},
          {"BB4", "break 0, bsync 1"},
          {"BB5", "bsync 2"}});
}

// Fig. 6: bAll 1, bTemp 0, bCount 2, bPdom 3; the figure leaves out the orthogonal barrier, here 4. Who goes on leaves bAll
// meanwhile (ours, see soft_barrier.h).
BOOST_AUTO_TEST_CASE(fig_6_lanes_go_on_from_a_soft_barrier_when_more_than_the_threshold_are_there) {
  VirtualCode code = code_of(Listing1, PredictL1);
  const Placed expected{
      {"BB0", "bssy 1, bmov 0<-1, bssy 4"},
      {"BB1", "bssy 3"},
      {"BB3", "arrive 2, @!p break 3, @p break 1, @p btake 0<-2, bsync 0, break 2, @p bssy 1, bmov 0<-1"},
      {"BB4", "bsync 3"},
      {"BB5", "break 1, break 2, break 0, bsync 4"}};
  code.predictions[0].threshold = 4;
  expect(placed(code), expected);
  code.predictions[0].threshold = {};
  expect(placed(code, {false, 4}), expected);
  code.predictions[0].threshold = 4;
  compiler::insert_convergence_barriers(code, 16, {false, 7});
  for (const compiler::VirtualInstruction& instruction : code.code)
    if (instruction.body.convergence == isa::ConvergenceOp::Arrive && instruction.body.kind == isa::Kind::Convergence)
      BOOST_TEST(instruction.body.sources[0].value == 4U);  // its own goes before that of all
}

BOOST_AUTO_TEST_CASE(the_check_finds_what_lets_lanes_wait_at_a_soft_barrier_while_they_are_in_others) {
  const auto expect_found = [](isa::ConvergenceOp op, bool negated, void (*edit)(isa::Instruction&)) {
    VirtualCode code = code_of(Listing1, PredictL1);
    compiler::insert_convergence_barriers(code, 16, {false, 4});
    BOOST_CHECK_NO_THROW(compiler::check_barriers(code, "test"));
    const auto found = std::find_if(code.code.begin(), code.code.end(), [&](const auto& i) {
      return i.is_guarded() && i.body.convergence == op && i.body.guard.negated == negated;
    });
    BOOST_REQUIRE((found != code.code.end()));
    edit(found->body);
    BOOST_CHECK_THROW(compiler::check_barriers(code, "test"), std::logic_error);
  };
  const auto turn = [](isa::Instruction& body) { body.guard.negated = !body.guard.negated; };
  const auto drop = [](isa::Instruction& body) { body.convergence = isa::ConvergenceOp::Yield; };
  expect_found(isa::ConvergenceOp::Cancel, true, turn);   // who goes on leaves the others
  expect_found(isa::ConvergenceOp::Cancel, false, drop);  // and stays among those that others copy
  expect_found(isa::ConvergenceOp::Take, false, drop);    // he waits for everybody
  expect_found(isa::ConvergenceOp::Take, false, turn);    // who has to wait takes
}

BOOST_AUTO_TEST_CASE(a_soft_barrier_that_lanes_do_not_come_to_again_is_left_behind_its_wait) {
  VirtualCode code = code_of(R"(BB0: @%p bra BB2;
BB1: add.u32 %r0, %r0, 1;
BB2: add.u32 %r1, %r1, 1;
BB3: ret;)",
                             {{"BB0", Mark::Predict, 0}, {"BB1", Mark::Reconverge, 0}});
  expect(placed(code, {false, 4}), {{"BB0", "bssy 1, bmov 0<-1, bssy 3"},
                                    {"BB1", "arrive 2, @p btake 0<-2, bsync 0, break 1, break 2, break 0"},
                                    {"BB2", "break 1, break 2, break 0, bsync 3"}});
}

namespace {

// The point of L1 is in the outer loop, that of L2 in the inner one too.
const std::string Nest = R"(BB0: mov.u32 %r0, 0;
BB1: setp.gt.u32 %p, %r0, %t; @%p bra BB3;
BB2: mul.lo.u32 %r2, %r1, %r1;
BB3: sub.u32 %r1, %r1, 1; setp.ne.u32 %q, %r1, %t; @%q bra BB3;
BB4: add.u32 %r0, %r0, 1; setp.lt.u32 %u, %r0, %n; @%u bra BB1;
BB5: ret;)";
const std::vector<MarkAt> BothInTheNest{
    {"BB0", Mark::Predict, 0}, {"BB2", Mark::Reconverge, 0}, {"BB0", Mark::Predict, 1}, {"BB3", Mark::Reconverge, 1}};
const std::vector<MarkAt> BothInOneLoop{
    {"BB0", Mark::Predict, 0}, {"BB3", Mark::Reconverge, 0}, {"BB0", Mark::Predict, 1}, {"BB4", Mark::Reconverge, 1}};

bool has(const std::string& text, const std::string& part) {
  return (", " + text + ",").find(", " + part + ",") != std::string::npos;
}

}  // namespace

// Ours; the paper says nothing of two predictions.
BOOST_AUTO_TEST_CASE(of_two_predictions_in_conflict_the_one_in_more_loops_has_priority) {
  Placed found = placed(Nest, BothInTheNest);
  BOOST_TEST(has(found["BB2"], "bsync 0"));
  BOOST_TEST(has(found["BB3"], "break 0"));  // out of L1's barrier in front of the Wait at L2
  BOOST_TEST(has(found["BB3"], "bsync 1"));
  BOOST_TEST(!has(found["BB2"], "break 1"));
  found = placed(Nest, BothInTheNest, true);  // L1's is not in the code
  BOOST_TEST(has(found["BB3"], "bsync 0"));
  BOOST_TEST(found.count("BB2") == 0U);
}

BOOST_AUTO_TEST_CASE(of_two_predictions_as_deep_in_loops_both_make_way_and_become_soft) {
  Placed found = placed(Listing1, BothInOneLoop);  // L1: own 0, all 1, count 2; L2: 3, 4, 5
  for (const char* operation : {"@!p break 4", "@!p break 3", "@!p break 5", "arrive 2", "@p btake 0<-2", "bsync 0"})
    BOOST_TEST(has(found["BB3"], operation), operation << " in " << found["BB3"]);
  for (const char* operation : {"@!p break 1", "@!p break 0", "@!p break 2", "arrive 5", "@p btake 3<-5", "bsync 3"})
    BOOST_TEST(has(found["BB4"], operation), operation << " in " << found["BB4"]);
  BOOST_CHECK_EXCEPTION(placed(Listing1, BothInOneLoop, true), std::invalid_argument, [](const auto& error) {
    return std::string(error.what()).find("prediction L2") == 0 &&
           std::string(error.what()).find("wait at L1") != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(of_two_predictions_in_conflict_one_that_nobody_wrote_is_not_in_the_code) {
  VirtualCode code = code_of(Nest, BothInTheNest);
  code.predictions[1].is_automatic = true;  // though its point is in more loops
  compiler::insert_convergence_barriers(code, 16);
  const auto waits_of = [&](int prediction) {
    return std::count_if(code.code.begin(), code.code.end(),
                         [&](const auto& one) { return one.prediction == prediction; });
  };
  BOOST_TEST(waits_of(0) == 1);
  BOOST_TEST(waits_of(1) == 0);
}

namespace {

VirtualCode code_of_calls(const std::string& functions, const std::string& body) {
  return compiler::code_after(
      heddle::ptx::parse(functions +
                             ".visible .entry k(.param .u32 n) { .reg .pred %p, %u; .reg .b32 %t, %n, %x;\n"
                             "mov.u32 %t, %tid.x; ld.param.u32 %n, [n]; setp.gt.u32 %p, %t, 3;\n" +
                             body + "\n}\n",
                         "calls.ptx"),
      "k", {}, "lower");
}
const std::string Foo = ".func foo() { .reg .b32 %r; FOO: mov.u32 %r, 7; ret; }\n";
const std::string Between =
    Foo + ".func g(.reg .b32 %a) { .reg .pred %q; setp.eq.u32 %q, %a, 0; @%q bra G; call foo; G: ret; }\n";

/// Each function's operations, in its code's order.
Placed placed_in_functions(VirtualCode code) {
  compiler::insert_convergence_barriers(code, 16);
  compiler::check_barriers(code, "placed");
  Placed found;
  for (isa::Pc pc = 0; pc < code.code.size(); ++pc) {
    const compiler::VirtualInstruction& instruction = code.code[pc];
    const bool is_call = instruction.body.kind == isa::Kind::Branch && instruction.body.branch == isa::BranchKind::Call;
    if (instruction.body.kind != isa::Kind::Convergence && !is_call) continue;
    std::string& text = found[code.functions[compiler::function_at(code, pc)].name];
    text += text.empty() ? "" : ", ";
    text += is_call ? "call" : instruction.body.mnemonic + (" " + std::to_string(instruction.body.barrier));
    if (instruction.body.kind == isa::Kind::Convergence && instruction.body.convergence == isa::ConvergenceOp::Copy)
      text += "<-" + std::to_string(instruction.body.barrier_source);
  }
  return found;
}

}  // namespace

// Both sides of a branch call foo(), which is predicted: lanes wait at its first instruction. The default barrier has its
// Join and its Wait where the orthogonal one would.
BOOST_AUTO_TEST_CASE(fig_2c_lanes_wait_in_the_function_that_both_sides_call) {
  expect(placed_in_functions(code_of_calls(Foo, R"(// heddle.predict_function foo
@%p bra ELSE; call foo; bra MET;
ELSE: call foo;
MET: ret;)")),
         {{"k", "bssy 0, bssy 1, call, call, bsync 1"}, {"foo", "bsync 0"}});
}

// A lane that is not in the region comes by as well, and must not join: lanes rejoin by a copy of those that are (1).
BOOST_AUTO_TEST_CASE(lanes_rejoin_at_a_function_in_a_loop_if_they_are_in_the_region) {
  expect(placed_in_functions(code_of_calls(Foo, R"(call foo;
// heddle.predict_function foo
LOOP: call foo; add.u32 %t, %t, 1; setp.lt.u32 %u, %t, %n; @%u bra LOOP;
ret;)")),
         {{"k", "call, bssy 1, bmov 0<-1, bssy 2, call, break 1, break 0, bsync 2"}, {"foo", "bsync 0, bmov 0<-1"}});
}

// Lanes that skip foo() in g() wait behind it for those that do not, who wait in foo(): they break out in front of the call.
BOOST_AUTO_TEST_CASE(barriers_of_a_function_on_the_way_to_the_point_make_way) {
  expect(placed_in_functions(code_of_calls(Between, R"(// heddle.predict_function foo
LOOP: call g, (%t); add.u32 %t, %t, 1; setp.lt.u32 %u, %t, %n; @%u bra LOOP;
ret;)")),
         {{"k", "bssy 1, bmov 0<-1, bssy 2, call, break 1, break 0, bsync 2"},
          {"g", "bssy 3, break 3, call, bsync 3"},
          {"foo", "bsync 0, bmov 0<-1"}});
}

BOOST_AUTO_TEST_CASE(a_prediction_from_which_no_way_leads_to_its_point_is_refused) {
  BOOST_CHECK_EXCEPTION(
      placed(Listing1, {{"BB5", Mark::Predict, 0}, {"BB3", Mark::Reconverge, 0}}), std::invalid_argument,
      [](const auto& error) { return std::string(error.what()).find("no way leads") != std::string::npos; });
}

BOOST_AUTO_TEST_CASE(every_decision_has_its_reason) {
  VirtualCode code = code_of(Listing1, PredictL1);
  const compiler::BarrierList list = compiler::insert_convergence_barriers(code, 16);
  std::map<std::string, int> operations;
  for (const compiler::BarrierDecision& decision : list.decisions) {
    BOOST_TEST(!decision.why.empty());
    ++operations[decision.operation];
  }
  BOOST_TEST(operations["bssy"] == 3);  // of the prediction, the branch, the loop
  BOOST_TEST(operations["bsync"] == 3);
  BOOST_TEST(operations["no orthogonal barrier"] == 1);
  BOOST_TEST(operations["rejoin"] == 1);
  BOOST_TEST(operations["break"] == 2);  // Cancel at BB5, and out of the default barrier at BB3
}
