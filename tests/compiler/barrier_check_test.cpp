// SPDX-License-Identifier: Apache-2.0
// The check of where convergence barriers stand: it finds nothing in any kernel, however many registers there are, and
// what is wrong in programs that were broken on purpose.
#include "sim/compiler/analysis/barrier_check.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>

#include "sim/compiler/lowering/global_data.h"
#include "sim/compiler/passes.h"
#include "sim/ptx/parser.h"
#include "tests/kit/call_programs.h"

namespace compiler = heddle::compiler;
namespace isa = heddle::isa;
namespace ptx = heddle::ptx;
using compiler::VirtualCode;
using compiler::VirtualInstruction;
using isa::ConvergenceOp;

namespace {

VirtualCode placed(const ptx::Module& module, const ptx::Function& entry, unsigned registers = 16) {
  compiler::CompileOptions options;
  options.machine = compiler::MachineOptions::with_barriers(registers);
  return compiler::virtual_code(module, entry, *compiler::global_data(module), options, "convergence_barriers");
}

unsigned check_all(const ptx::Module& module) {
  for (const ptx::Function& entry : module.entries)
    for (const unsigned registers : {16U, 4U, 3U, 2U})
      BOOST_TEST_CONTEXT(module.file << ", " << entry.name << ", " << registers)
  BOOST_CHECK_NO_THROW(compiler::check_barriers(placed(module, entry, registers), "convergence_barriers"));
  return static_cast<unsigned>(module.entries.size());
}

/// bssy B1; bra L; bssy B0; bra I; add; I: bsync B0; add; L: bsync B1; and in f: bssy B2; bra M; add; M: bsync B2.
VirtualCode nested() {
  const ptx::Module module = ptx::parse_file(HEDDLE_PTX_SOURCES "/nested_barriers.ptx");
  return placed(module, module.entries[0]);
}

/// The n-th operation of this kind.
isa::Pc at(const VirtualCode& code, ConvergenceOp op, unsigned n) {
  for (isa::Pc pc = 0; pc < code.code.size(); ++pc) {
    const isa::Instruction& body = code.code[pc].body;
    if (body.kind == isa::Kind::Convergence && body.convergence == op && n-- == 0) return pc;
  }
  BOOST_FAIL("no such operation");
  return 0;
}

void put(VirtualInstruction& there, ConvergenceOp op, unsigned barrier) {
  VirtualInstruction instruction;
  instruction.body.kind = isa::Kind::Convergence;
  instruction.body.mnemonic = "changed";
  instruction.body.convergence = op;
  instruction.body.barrier = static_cast<std::uint8_t>(barrier);
  there = instruction;
}

/// Outer and inner Wait, the other way round.
void exchange_waits(VirtualCode& code) {
  std::swap(code.code[at(code, ConvergenceOp::Wait, 0)].body.barrier,
            code.code[at(code, ConvergenceOp::Wait, 1)].body.barrier);
}

void expect_found(VirtualCode code, const std::string& what, void (*edit)(VirtualCode&)) {
  BOOST_CHECK_NO_THROW(compiler::check_barriers(code, "test"));
  edit(code);
  BOOST_CHECK_EXCEPTION(compiler::check_barriers(code, "test"), std::logic_error, [&](const std::logic_error& error) {
    const std::string text = error.what();
    BOOST_TEST(text.find("after pass test: barrier B") == 0U, text);
    BOOST_TEST(text.find(what) != std::string::npos, text);
    BOOST_TEST(text.find("; path ") != std::string::npos, text);
    return true;
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE(default_placement_is_sound_in_every_kernel) {
  unsigned entries = 0;
  for (const auto& file : std::filesystem::directory_iterator(HEDDLE_PTX_DIR))
    if (file.path().extension() == ".ptx") entries += check_all(ptx::parse_file(file.path().string()));
  BOOST_TEST(entries > 60U);
  for (const heddle::tests::CallProgram& program : heddle::tests::recursive_calls())
    check_all(ptx::parse(program.ptx, program.name));
}

/// The last instruction is the branch of those who leave early: no return.
BOOST_AUTO_TEST_CASE(an_entry_may_end_with_a_branch_to_its_exit) {
  const char* text = R"(.visible .entry k() { .reg .pred %p; .reg .b32 %t, %r;
  mov.u32 %t, %tid.x; setp.gt.u32 %p, %t, 3; @%p bra L; bar.sync 0;
D: ret;
L: add.u32 %r, %t, 1; bra D; })";
  BOOST_TEST(check_all(ptx::parse(text, "leave.ptx")) == 1U);
}

BOOST_AUTO_TEST_CASE(a_wait_that_nobody_has_joined_is_found) {
  expect_found(nested(), "nobody has joined what is waited for here",
               [](VirtualCode& c) { put(c.code[at(c, ConvergenceOp::Join, 1)], ConvergenceOp::Yield, 0); });
}

BOOST_AUTO_TEST_CASE(a_join_that_nobody_waits_for_is_found) {
  expect_found(nested(), "nobody waits for who joins here",
               [](VirtualCode& c) { put(c.code[at(c, ConvergenceOp::Wait, 1)], ConvergenceOp::Yield, 0); });
  expect_found(nested(), "nobody waits for who joins here", [](VirtualCode& c) {
    put(c.code[at(c, ConvergenceOp::Wait, 0)], ConvergenceOp::Cancel,
        c.code[at(c, ConvergenceOp::Wait, 0)].body.barrier);
  });
}

BOOST_AUTO_TEST_CASE(a_way_past_the_wait_to_the_return_is_found) {
  expect_found(nested(), "nobody waits any more for who returns here", [](VirtualCode& c) {
    const isa::Pc wait = at(c, ConvergenceOp::Wait, 2);
    const auto past = std::find_if(c.code.begin(), c.code.end(), [&](const auto& i) { return i.body.target == wait; });
    BOOST_REQUIRE(past != c.code.end());
    past->body.target = wait + 1;
  });
}

BOOST_AUTO_TEST_CASE(live_ranges_that_cross_are_found_unless_the_other_is_cancelled) {
  expect_found(nested(), "who waits here may be in B", exchange_waits);
  VirtualCode code = nested();
  exchange_waits(code);
  const isa::Pc inner = at(code, ConvergenceOp::Wait, 0);
  for (VirtualInstruction& instruction : code.code)  // who skips both goes on to the other
    if (instruction.body.target == inner) instruction.body.target = inner + 2;
  const unsigned waited = code.code[inner].body.barrier;
  const unsigned other = code.code[at(code, ConvergenceOp::Wait, 1)].body.barrier;
  put(code.code[inner], ConvergenceOp::Cancel, other);
  put(code.code[inner + 1], ConvergenceOp::Wait, waited);
  BOOST_CHECK_NO_THROW(compiler::check_barriers(code, "test"));
}
