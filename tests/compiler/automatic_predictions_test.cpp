// SPDX-License-Identifier: Apache-2.0
// Which loops the compiler predicts by itself, and why not others: programs of a few lines, and the marks in them.
#include "sim/compiler/transformation/automatic_predictions.h"

#include <boost/test/unit_test.hpp>
#include <map>
#include <string>
#include <vector>

#include "sim/compiler/analysis/code_check.h"
#include "sim/compiler/analysis/control_flow.h"
#include "sim/compiler/code/virtual_listing.h"
#include "sim/compiler/lowering/global_data.h"
#include "sim/compiler/passes.h"
#include "sim/ptx/parser.h"

namespace compiler = heddle::compiler;
namespace isa = heddle::isa;
using compiler::Candidate;
using compiler::VirtualCode;

namespace {

VirtualCode code_of(const std::string& body, const std::string& functions = "") {
  const heddle::ptx::Module module = heddle::ptx::parse(
      functions +
          R"(.visible .entry k(.param .u32 n, .param .u64 a) { .reg .pred %p, %q, %u; .reg .b32 %t, %n, %i, %j, %k, %r<4>; .reg .b64 %a;
mov.u32 %t, %tid.x; ld.param.u32 %n, [n]; ld.param.u64 %a, [a]; mov.u32 %i, 0;
)" + body +
          "\n}\n",
      "file.ptx");
  return compiler::virtual_code(module, module.entries.front(), *compiler::global_data(module), {}, "move_coalescing");
}

/// Instructions behind the labels that something jumps to: "predict auto_after_6; H: xor; ...".
std::string text_of(const VirtualCode& code) {
  std::string text;
  for (isa::Pc pc = 0; pc < code.code.size(); ++pc) {
    const compiler::VirtualInstruction& one = code.code[pc];
    if (const auto label = code.labels.find(pc); label != code.labels.end()) text += label->second + ": ";
    const std::string mnemonic = one.body.mnemonic;
    text += mnemonic.substr(0, mnemonic.find('.'));
    if (one.mark != compiler::Mark::None)
      text += " " + code.predictions[static_cast<std::size_t>(one.prediction)].label;
    text += "; ";
  }
  return text;
}

struct Result {
  std::string marked;  // from the first mark on; empty: no mark
  std::vector<Candidate> candidates;
};

Result automatic(VirtualCode code, const std::map<unsigned, std::uint64_t>* threads = nullptr) {
  Result result;
  const std::size_t before = code.code.size();
  result.candidates = compiler::add_automatic_predictions(code, threads);
  BOOST_CHECK_NO_THROW(compiler::check_code(code, "automatic_predictions"));
  const std::string text = text_of(code);
  if (code.code.size() != before) result.marked = text.substr(text.find("predict"));
  return result;
}

const std::string Expensive = "div.u32 %r1, %r1, %n; div.u32 %r2, %r1, %n; div.u32 %r1, %r2, %n; ";
const std::string NextIteration = "add.u32 %i, %i, 1; setp.lt.u32 %u, %i, %n; @%u bra H; ret;";

/// SR Fig. 2(a): a loop with a branch by lane and iteration around `arm`.
std::string delay(const std::string& arm, const std::string& prolog = "") {
  return "H: " + prolog + "xor.b32 %r1, %t, %i; setp.gt.u32 %p, %r1, 3; @!%p bra J; " + arm + "J: " + NextIteration;
}

/// SR Fig. 2(b): an inner loop of as many iterations as its lane has, which asks first.
std::string merge(const std::string& body, const std::string& prolog = "") {
  return "H: " + prolog + "mov.u32 %j, 0; I: setp.ge.u32 %p, %j, %t; @%p bra E; " + body +
         "add.u32 %j, %j, 1; bra I; E: " + NextIteration;
}

std::string reason(const Result& result) {
  BOOST_REQUIRE_EQUAL(result.candidates.size(), 1U);
  BOOST_TEST(!result.candidates.front().chosen);
  BOOST_TEST(result.marked == "");
  return result.candidates.front().reason;
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_expensive_arm_in_a_loop_is_waited_for_at_its_first_block) {
  const Result result = automatic(code_of(delay(Expensive)));
  BOOST_TEST(
      result.marked ==
      "predict auto_after_6; H: xor; setp; bra; reconverge auto_after_6; div; div; div; J: add; setp; bra; ret; ");
  BOOST_REQUIRE_EQUAL(result.candidates.size(), 1U);
  BOOST_TEST((result.candidates.front().kind == Candidate::Kind::IterationDelay));
  // Three divisions; an xor, an addition, two comparisons and two branches.
  BOOST_TEST(result.candidates.front().metrics.common_cycles == 3 * 24);
  BOOST_TEST(result.candidates.front().metrics.outside_cycles == 6 * 8);
}

BOOST_AUTO_TEST_CASE(an_inner_loop_whose_lanes_leave_one_by_one_is_waited_for_in_its_body) {
  const Result result = automatic(code_of(merge(Expensive)));
  BOOST_TEST(result.marked ==
             "predict auto_after_6; H: mov; I: setp; bra; reconverge auto_after_6; div; div; div; add; "
             "bra; E: add; setp; bra; ret; ");
  BOOST_REQUIRE_EQUAL(result.candidates.size(), 1U);
  BOOST_TEST((result.candidates.front().kind == Candidate::Kind::LoopMerge));
  BOOST_TEST(result.candidates.front().metrics.common_cycles == compiler::TripGuess * (3 * 24 + 4 * 8));
}

BOOST_AUTO_TEST_CASE(a_loop_that_asks_at_its_end_is_waited_for_at_its_head) {
  const Result result = automatic(code_of("H: mov.u32 %j, 0; B: " + Expensive +
                                          "add.u32 %j, %j, 1; setp.lt.u32 %p, %j, %t; @%p bra B; " + NextIteration));
  BOOST_TEST(result.marked ==
             "predict auto_B; H: mov; B: reconverge auto_B; div; div; div; add; setp; bra; add; setp; "
             "bra; ret; ");
}

BOOST_AUTO_TEST_CASE(a_loop_that_is_jumped_to_is_predicted_in_front_of_the_jump) {
  const Result result = automatic(code_of("bra H; ret; " + delay(Expensive)));
  BOOST_TEST(result.marked.find("predict auto_after_8; bra; ret; H: xor;") == 0U);
}

// The guess is that all lanes take a side in every iteration, and eight iterations of a loop.
BOOST_AUTO_TEST_CASE(counts_of_an_earlier_run_go_before_guesses) {
  const auto counted = [](const std::string& body, std::uint64_t around, std::uint64_t inside) {
    const std::map<unsigned, std::uint64_t> threads{{3, around}, {4, inside}, {5, around}};
    return automatic(code_of(body), &threads);
  };
  const std::string arm = delay("\n" + Expensive + "\n");  // in a line of its own
  BOOST_TEST(automatic(code_of(arm)).candidates.front().chosen);
  BOOST_TEST(counted(arm, 1000, 900).candidates.front().chosen);
  BOOST_TEST(reason(counted(arm, 1000, 500)) == "36 cycles in common cost 48 around them and 0 in accesses");
  BOOST_TEST(reason(counted(arm, 0, 0)) == "0 cycles in common cost 0 around them and 0 in accesses");
}

BOOST_AUTO_TEST_CASE(a_cheap_arm_is_not_worth_it) {
  BOOST_TEST(reason(automatic(code_of(delay("add.u32 %r2, %r1, 1; ")))).find("8 cycles in common cost 48 around") ==
             0U);
}

BOOST_AUTO_TEST_CASE(accesses_that_lanes_do_together_now_count_against_it) {
  // A uniform address in the prolog: the load itself would leave a gain, the access that becomes divergent does not.
  const std::string load = "ld.global.u32 %r3, [%a]; ";
  const std::string arm = Expensive + "div.u32 %r1, %r2, %n; ";  // 96 cycles: 48 + 28, and 28 for the access
  const Result result = automatic(code_of(delay(arm, load)));
  BOOST_TEST(reason(result) == "96 cycles in common cost 76 around them and 28 in accesses");
  // An address that is another for each lane anyhow costs nothing more.
  const std::string varying = "mul.lo.u32 %r3, %t, %t; cvt.u64.u32 %a, %r3; ";
  const Result apart = automatic(code_of(varying + delay(arm, load)));
  BOOST_REQUIRE_EQUAL(apart.candidates.size(), 1U);
  BOOST_TEST(apart.candidates.front().chosen);
  BOOST_TEST(apart.candidates.front().metrics.access_cycles == 0);
}

BOOST_AUTO_TEST_CASE(a_loop_with_a_barrier_is_never_chosen) {
  BOOST_TEST(reason(automatic(code_of(delay(Expensive, "bar.sync 0; ")))).find("lanes may wait for others") == 0U);
  BOOST_TEST(reason(automatic(code_of(merge(Expensive, "bar.sync 0; ")))).find("lanes may wait for others") == 0U);
}

BOOST_AUTO_TEST_CASE(a_loop_with_a_warp_wide_operation_is_never_chosen) {
  const std::string shuffle = "shfl.sync.idx.b32 %r3, %t, 0, 31, -1; ";
  BOOST_TEST(reason(automatic(code_of(delay(Expensive + shuffle)))).find("lanes may wait for others") == 0U);
  BOOST_TEST(reason(automatic(code_of(merge(Expensive, shuffle)))).find("lanes may wait for others") == 0U);
}

BOOST_AUTO_TEST_CASE(a_loop_that_may_wait_for_another_lane_is_never_chosen) {
  BOOST_TEST(reason(automatic(code_of(delay(Expensive + "atom.global.cas.b32 %r3, [%a], 0, 1; add.u32 %r1, %r3, 1; "))))
                 .find("lanes may wait for others") == 0U);
  BOOST_TEST(reason(automatic(code_of(delay(Expensive + "ld.volatile.global.u32 %r3, [%a]; "))))
                 .find("lanes may wait for others") == 0U);
}

BOOST_AUTO_TEST_CASE(a_call_counts_as_what_it_leads_to) {
  const std::string functions =
      ".func g() { bar.sync 0; ret; } .func f() { call g; ret; } "
      ".func h() { .reg .b32 %x; div.u32 %x, %x, 3; div.u32 %x, %x, 3; ret; } ";
  BOOST_TEST(reason(automatic(code_of(delay(Expensive + "call f; "), functions))).find("lanes may wait") == 0U);
  const Result result = automatic(code_of(delay("call h; "), functions));
  BOOST_REQUIRE_EQUAL(result.candidates.size(), 1U);
  BOOST_TEST(result.candidates.front().metrics.common_cycles >= 2 * 24);
  BOOST_TEST(result.candidates.front().chosen);
}

BOOST_AUTO_TEST_CASE(a_branch_that_lanes_take_together_is_no_candidate) {
  const std::string uniform = "H: setp.gt.u32 %p, %i, 3; @!%p bra J; " + Expensive + "J: " + NextIteration;
  BOOST_TEST(automatic(code_of(uniform)).candidates.empty());
  const std::string trips = "H: mov.u32 %j, 0; I: setp.ge.u32 %p, %j, %n; @%p bra E; " + Expensive +
                            "add.u32 %j, %j, 1; bra I; E: " + NextIteration;
  BOOST_TEST(automatic(code_of(trips)).candidates.empty());
}

BOOST_AUTO_TEST_CASE(a_branch_outside_of_loops_and_a_loop_in_no_other_are_no_candidates) {
  BOOST_TEST(automatic(code_of("setp.gt.u32 %p, %t, 3; @!%p bra J; " + Expensive + "J: ret;")).candidates.empty());
  BOOST_TEST(automatic(code_of("H: " + Expensive + "add.u32 %i, %i, 1; setp.lt.u32 %p, %i, %t; @%p bra H; ret;"))
                 .candidates.empty());
}

BOOST_AUTO_TEST_CASE(of_three_nested_loops_the_pair_with_the_largest_gain_is_chosen) {
  const Result result = automatic(
      code_of("H: mov.u32 %j, 0; M: mov.u32 %k, 0; B: " + Expensive +
              "add.u32 %k, %k, 1; setp.lt.u32 %p, %k, %t; @%p bra B; N: add.u32 %j, %j, 1; setp.lt.u32 %q, %j, %t; "
              "@%q bra M; E: " +
              NextIteration));
  BOOST_REQUIRE_EQUAL(result.candidates.size(), 2U);
  const Candidate &wide = result.candidates[0], &narrow = result.candidates[1];
  BOOST_TEST(wide.metrics.gain() > narrow.metrics.gain());
  BOOST_TEST(wide.chosen);
  BOOST_TEST(!narrow.chosen);
  BOOST_TEST(narrow.reason == "lanes that meet at M gain more");
  BOOST_TEST(result.marked.find("predict auto_M; H: mov; M: reconverge auto_M; mov; B: div;") == 0U);
}

BOOST_AUTO_TEST_CASE(two_arms_in_one_loop_have_one_prediction_and_two_loops_have_two) {
  const std::string second = "J: xor.b32 %r3, %t, %i; setp.gt.u32 %q, %r3, 5; @!%q bra K; " + Expensive + Expensive +
                             Expensive + Expensive + "K: " + NextIteration;
  const std::string arm = "xor.b32 %r1, %t, %i; setp.gt.u32 %p, %r1, 3; @!%p bra J; " + Expensive;
  const Result one = automatic(code_of("H: " + arm + second));
  BOOST_REQUIRE_EQUAL(one.candidates.size(), 2U);
  BOOST_TEST(!one.candidates[0].chosen);
  BOOST_TEST(one.candidates[1].chosen);
  const std::string first = "G: " + arm + "J: add.u32 %i, %i, 1; setp.lt.u32 %u, %i, %n; @%u bra G; ";
  const Result two = automatic(code_of(first + "H: xor.b32 %r3, %t, %i; setp.gt.u32 %q, %r3, 5; @!%q bra K; " +
                                       Expensive + "K: " + NextIteration));
  BOOST_REQUIRE_EQUAL(two.candidates.size(), 2U);
  BOOST_TEST(two.candidates[0].chosen);
  BOOST_TEST(two.candidates[1].chosen);
}

BOOST_AUTO_TEST_CASE(a_prediction_of_the_program_stays_and_nothing_is_added_in_its_region) {
  VirtualCode code = code_of(merge(Expensive));
  VirtualCode marked = code;
  compiler::add_automatic_predictions(marked);  // as if the program had said it
  const std::string before = compiler::to_string(marked);
  const Result result = automatic(marked);
  BOOST_REQUIRE_EQUAL(result.candidates.size(), 1U);
  BOOST_TEST(result.candidates.front().reason == "the program's prediction auto_after_6 has code of the loop");
  compiler::add_automatic_predictions(marked);
  BOOST_TEST(compiler::to_string(marked) == before);
}
