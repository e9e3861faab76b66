// SPDX-License-Identifier: Apache-2.0
// Where convergence barriers are placed: programs of a few lines, and the operations that stand in them.
#include "sim/compiler/transformation/convergence_barriers.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "sim/compiler/compile.h"
#include "sim/isa/disassemble.h"
#include "sim/ptx/parser.h"

namespace compiler = heddle::compiler;
namespace isa = heddle::isa;

namespace {

/// The operations and what they stand among, an entry an instruction: "bssy B0", "add", "bra", "L:" in front of it.
std::string placed(const std::string& body, unsigned registers = 16, const std::string& functions = "") {
  heddle::compiler::CompileOptions options;
  options.machine.convergence_barriers = registers;
  const isa::Program program = heddle::compiler::compile(
      heddle::ptx::parse(
          functions +
              R"(.visible .entry k(.param .u32 n) { .reg .pred %p, %q, %u; .reg .b32 %t, %n, %r<4>; .reg .b64 %a;
mov.u32 %t, %tid.x; ld.param.u32 %n, [n]; setp.gt.u32 %p, %t, 3; setp.gt.u32 %q, %t, 5; setp.gt.u32 %u, %n, 5;
)" + body + "\n}\n",
          "file.ptx"),
      "k", nullptr, options);
  std::string text;
  for (isa::Pc pc = 5; pc < program.code.size(); ++pc) {
    const isa::Instruction& instruction = program.code[pc];
    for (const isa::BasicBlock& block : program.blocks)
      if (block.first == pc && block.name.find("after") != 0) text += block.name + ": ";
    const std::string mnemonic = instruction.mnemonic;
    text += mnemonic.substr(0, mnemonic.find('.'));
    const bool is_numbered = instruction.kind == isa::Kind::Convergence && mnemonic != "yield";
    text += is_numbered ? " B" + std::to_string(instruction.barrier) + "; " : "; ";
  }
  return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_branch_joins_in_front_and_waits_where_its_sides_meet) {
  BOOST_TEST(placed("@%p bra L; add.u32 %r1, %t, 1; L: ret;") == "bssy B0; bra; add; L: bsync B0; ret; ");
  BOOST_TEST(placed("@%p bra E; add.u32 %r1, %t, 1; bra M; E: sub.u32 %r1, %t, 1; M: add.u32 %r2, %r1, 1; ret;") ==
             "bssy B0; bra; add; bra; E: sub; M: bsync B0; add; ret; ");
}

BOOST_AUTO_TEST_CASE(lanes_that_take_a_branch_together_need_none) {
  BOOST_TEST(placed("@%u bra L; add.u32 %r1, %t, 1; L: ret;") == "bra; add; L: ret; ");
}

BOOST_AUTO_TEST_CASE(inner_regions_have_registers_of_their_own) {
  BOOST_TEST(placed("@%p bra L; @%q bra I; add.u32 %r1, %t, 1; I: add.u32 %r1, %t, 2; L: ret;") ==
             "bssy B1; bra; bssy B0; bra; add; I: bsync B0; add; L: bsync B1; ret; ");
}

BOOST_AUTO_TEST_CASE(branches_that_meet_at_one_place_share_a_register_and_a_join) {
  BOOST_TEST(placed("@%p bra L; add.u32 %r1, %t, 1; @%q bra L; add.u32 %r1, %t, 2; L: ret;") ==
             "bssy B0; bra; add; bra; add; L: bsync B0; ret; ");
}

BOOST_AUTO_TEST_CASE(a_loop_is_joined_in_front_of_it) {
  const std::string loop = "H: add.u32 %r0, %r0, 1; setp.lt.u32 %p, %r0, %t; @%p bra H; add.u32 %r1, %r0, 1; ret;";
  BOOST_TEST(placed("mov.u32 %r0, 0; " + loop) == "mov; bssy B0; H: add; setp; bra; bsync B0; add; ret; ");
  // Into the loop from a branch that all take together: on the way that falls into it.
  BOOST_TEST(placed("mov.u32 %r0, 0; @%u bra X; " + loop + " X: ret;") ==
             "mov; bra; bssy B0; H: add; setp; bra; bsync B0; add; ret; X: ret; ");
  // Two ways in: in the loop.
  BOOST_TEST(placed("mov.u32 %r0, 0; @%u bra H; add.u32 %r0, %r0, 2; " + loop) ==
             "mov; bra; add; H: add; setp; bssy B0; bra; bsync B0; add; ret; ");
}

BOOST_AUTO_TEST_CASE(a_branch_inside_a_loop_meets_in_each_iteration) {
  BOOST_TEST(
      placed("mov.u32 %r0, 0; H: @%p bra I; add.u32 %r1, %t, 1; I: add.u32 %r0, %r0, 1; setp.lt.u32 %u, %r0, %n; "
             "@%u bra H; ret;") == "mov; H: bssy B0; bra; add; I: bsync B0; add; setp; bra; ret; ");
}

BOOST_AUTO_TEST_CASE(where_lanes_leave_for_good_nobody_waits) {
  BOOST_TEST(placed("@%p exit; add.u32 %r1, %t, 1; ret;") == "exit; add; ret; ");
}

/// A thread that comes to a trap ends the launch: there is nothing to meet for, and a wait in a block that other regions
/// branch to would be for lanes that wait in those.
BOOST_AUTO_TEST_CASE(on_a_way_to_a_trap_nobody_waits) {
  BOOST_TEST(placed("@%p bra T; ret; T: @%q bra U; add.u32 %r1, %t, 1; U: trap;") ==
             "bra; ret; T: bra; add; U: trap; ");
  BOOST_TEST(placed("mov.u32 %r0, 0; H: add.u32 %r0, %r0, 1; @%q bra T; setp.lt.u32 %u, %r0, %t; @%u bra H;"
                    "@%q bra N; @%p bra T; trap; N: ret; T: trap;") ==
             "mov; bssy B0; H: add; bra; setp; bra; bsync B0; bra; bra; trap; N: ret; T: trap; ");
}

// One of two is for the .sync operation.
BOOST_AUTO_TEST_CASE(with_too_few_registers_regions_that_share_no_code_share_one_and_the_innermost_has_none) {
  const std::string sync = "shfl.sync.idx.b32 %r2, %t, 0, 31, 15; ";
  const std::string two = "@%p bra L; add.u32 %r1, %t, 1; L: @%q bra M; add.u32 %r1, %t, 2; M: ret;";
  BOOST_TEST(placed(two) == "bssy B0; bra; add; L: bsync B0; bssy B1; bra; add; M: bsync B1; ret; ");
  BOOST_TEST(placed(two, 2) == placed(two));
  BOOST_TEST(placed(sync + two, 2) ==
             "warpsync B1; shfl; bssy B0; bra; add; L: bsync B0; bssy B0; bra; add; M: bsync B0; ret; ");
  BOOST_TEST(placed(sync + "@%p bra L; @%q bra I; add.u32 %r1, %t, 1; I: add.u32 %r1, %t, 2; L: ret;", 2) ==
             "warpsync B1; shfl; bssy B0; bra; bra; add; I: add; L: bsync B0; ret; ");
}

/// Lanes that leave the loop come to D still in its barriers: a region that meets there has none of their registers.
BOOST_AUTO_TEST_CASE(where_lanes_of_another_region_come_to_a_wait_it_has_another_register) {
  const std::string body =
      "mov.u32 %r0, 0; H: add.u32 %r0, %r0, 1; @!%p bra I; add.u32 %r1, %t, 1; bra D; "
      "I: setp.lt.u32 %q, %r0, %t; @%q bra H; bar.sync 0; @%p bra D; add.u32 %r1, %t, 2; D: ret;";
  const std::string both = "mov; bssy B1; H: add; bssy B0; bra; add; bra; I: bsync B0; setp; bra; bsync B1; bar; ";
  BOOST_TEST(placed(body, 3) == both + "bssy B2; bra; add; D: bsync B2; ret; ");
  BOOST_TEST(placed(body, 2) == both + "bra; add; D: ret; ");
}

// Regions in each other, one more than registers; of sixteen one is for .sync operations, if there are any.
BOOST_AUTO_TEST_CASE(of_seventeen_regions_the_innermost_has_no_register_and_is_named) {
  const auto dropped = [](unsigned regions, const std::string& sync = "") {
    std::string body = "mov.u32 %t, %tid.x; setp.gt.u32 %p, %t, 3;\n" + sync;
    for (unsigned i = 0; i < regions; ++i) body += "@%p bra L" + std::to_string(i) + ";\n";
    body += "add.u32 %r, %t, 1;\n";
    for (unsigned i = regions; i-- > 0;) body += "L" + std::to_string(i) + ": add.u32 %r, %t, 1;\n";
    compiler::VirtualCode code = compiler::code_after(
        heddle::ptx::parse(".visible .entry k() { .reg .pred %p; .reg .b32 %t, %r;\n" + body + "ret; }\n", "nest.ptx"),
        "k", {}, "lower");
    const compiler::BarrierList list = compiler::insert_convergence_barriers(code, 16);
    unsigned count = 0;
    for (const compiler::BarrierDecision& decision : list.decisions) {
      if (decision.operation != std::string("dropped")) continue;
      ++count;
      BOOST_TEST(decision.why.find("the innermost") != std::string::npos);
      const auto& inside = list.barriers[decision.barrier].inside;
      for (const compiler::Barrier& other : list.barriers)
        BOOST_TEST(std::count(inside.begin(), inside.end(), true) <=
                   std::count(other.inside.begin(), other.inside.end(), true));
    }
    return count;
  };
  BOOST_TEST(dropped(16) == 0U);
  BOOST_TEST(dropped(17) == 1U);
  const std::string sync = "bar.warp.sync 15;\n";
  BOOST_TEST(dropped(15, sync) == 0U);
  BOOST_TEST(dropped(16, sync) == 1U);
}

BOOST_AUTO_TEST_CASE(who_asks_for_a_lock_lets_its_holder_go_first) {
  const std::string loop = "%a], 0, 1; setp.ne.u32 %p, %r1, 0; @%p bra H; ret;";
  BOOST_TEST(placed("cvt.u64.u32 %a, %n; H: atom.global.cas.b32 %r1, [" + loop) ==
             "cvt; bssy B0; H: yield; atom; setp; bra; bsync B0; ret; ");
  // What an atomic gave before the loop will not change in it.
  BOOST_TEST(placed("cvt.u64.u32 %a, %n; atom.global.cas.b32 %r2, [%a], 0, 1; H: sub.u32 %r2, %r2, 1; "
                    "setp.ne.u32 %p, %r2, 0; @%p bra H; ret;") ==
             "cvt; atom; bssy B0; H: sub; setp; bra; bsync B0; ret; ");
}

BOOST_AUTO_TEST_CASE(a_sync_operation_waits_for_its_lanes_at_the_last_register) {
  BOOST_TEST(placed("shfl.sync.idx.b32 %r1, %t, 0, 31, 15; ret;") == "warpsync B15; shfl; ret; ");
}

BOOST_AUTO_TEST_CASE(a_barrier_with_a_result_waits_for_all_lanes_of_its_warp) {
  BOOST_TEST(placed("bar.red.popc.u32 %r1, 0, %p; ret;") == "warpsync B15; bar; ret; ");
  BOOST_TEST(placed("bar.sync 0; ret;") == "bar; ret; ");
}
