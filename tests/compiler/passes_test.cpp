// SPDX-License-Identifier: Apache-2.0
// The list of passes: each leaves code that the checker accepts, on every kernel; and the checker is no yes-man.
#include "sim/compiler/passes.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>

#include "sim/compiler/analysis/code_check.h"
#include "sim/compiler/code/virtual_listing.h"
#include "sim/compiler/lowering/global_data.h"
#include "sim/compiler/transformation/automatic_predictions.h"
#include "sim/compiler/transformation/marks.h"
#include "sim/ptx/parser.h"
#include "tests/kit/call_programs.h"
#include "tests/kit/ptx_text.h"

namespace compiler = heddle::compiler;
namespace isa = heddle::isa;
namespace ptx = heddle::ptx;
using compiler::VirtualCode;

namespace {

const compiler::CompileOptions WithBarriers = [] {
  compiler::CompileOptions options;
  options.machine = compiler::MachineOptions::with_barriers(16);
  return options;
}();

VirtualCode code_of(const ptx::Module& module, const ptx::Function& entry, const std::string& last = "") {
  return compiler::virtual_code(module, entry, *compiler::global_data(module), WithBarriers, last);
}

unsigned check_all_passes(const ptx::Module& module) {
  for (const ptx::Function& entry : module.entries) {
    BOOST_TEST_CONTEXT(module.file << ", " << entry.name) {
      VirtualCode code = code_of(module, entry, "lower");
      BOOST_CHECK_NO_THROW(compiler::check_code(code, "lower"));
      for (const compiler::Pass& pass : compiler::passes()) {
        if (!pass.applies(code, WithBarriers)) continue;
        pass.run(code, WithBarriers);
        BOOST_CHECK_NO_THROW(compiler::check_code(code, pass.name));
      }
    }
  }
  return static_cast<unsigned>(module.entries.size());
}

/// A loop, a copy, a predicate and a pair.
const char* const Everything = "copy_before_loop.ptx";

ptx::Module everything() {
  return ptx::parse_file(std::string(HEDDLE_PTX_SOURCES) + '/' + Everything);
}

compiler::VirtualInstruction& first(VirtualCode& code, isa::Kind kind) {
  return *std::find_if(code.code.begin(), code.code.end(), [&](const auto& one) { return one.body.kind == kind; });
}

struct Broken {
  const char* what;
  void (*edit)(VirtualCode&);
};

}  // namespace

BOOST_AUTO_TEST_CASE(every_pass_leaves_sound_code) {
  unsigned entries = 0;
  for (const auto& file : std::filesystem::directory_iterator(HEDDLE_PTX_DIR))
    if (file.path().extension() == ".ptx") entries += check_all_passes(ptx::parse_file(file.path().string()));
  BOOST_TEST(entries > 60U);
  for (const heddle::tests::CallProgram& program : heddle::tests::recursive_calls())
    check_all_passes(ptx::parse(program.ptx, program.name));
}

BOOST_AUTO_TEST_CASE(automatic_predictions_are_marks_and_nothing_else_on_every_kernel) {
  unsigned chosen = 0;
  for (const auto& file : std::filesystem::directory_iterator(HEDDLE_PTX_DIR)) {
    if (file.path().extension() != ".ptx") continue;
    const ptx::Module module = ptx::parse_file(file.path().string());
    for (const ptx::Function& entry : module.entries) {
      compiler::CompileOptions options = WithBarriers;
      options.reconverge = compiler::Reconverge::Automatic;
      const auto globals = compiler::global_data(module);
      VirtualCode code = compiler::virtual_code(module, entry, *globals, options, "move_coalescing");
      compiler::take_out_marks(code);  // those of the program
      const std::string before = compiler::to_string(code);
      for (const compiler::Candidate& one : compiler::add_automatic_predictions(code)) {
        chosen += one.chosen ? 1 : 0;
        BOOST_TEST_MESSAGE(file.path().stem().string() << ", " << entry.name << ": " << to_string(one.kind)
                                                       << (one.chosen ? ", chosen: " : ", not chosen: ") << one.reason);
      }
      BOOST_CHECK_NO_THROW(compiler::check_code(code, "automatic_predictions"));
      compiler::take_out_marks(code);
      BOOST_TEST(compiler::to_string(code) == before, file.path() << ", " << entry.name);
    }
  }
  BOOST_TEST(chosen > 0U);
}

BOOST_AUTO_TEST_CASE(the_pass_runs_where_it_is_asked_for) {
  const ptx::Module module = ptx::parse(R"(.visible .entry k(.param .u32 n) {
  .reg .b32 %r<4>; .reg .pred %p<2>;
  ld.param.u32 %r1, [n]; mov.u32 %r2, %tid.x; mov.u32 %r0, 0;
H: mov.u32 %r3, 0;
B: div.u32 %r2, %r2, %r1; add.u32 %r3, %r3, 1; setp.lt.u32 %p0, %r3, %r2; @%p0 bra B;
  add.u32 %r0, %r0, 1; setp.lt.u32 %p1, %r0, %r1; @%p1 bra H; ret; })",
                                        "nested.ptx");
  compiler::CompileOptions options = WithBarriers;
  const auto predictions = [&] {
    const auto globals = compiler::global_data(module);
    return compiler::virtual_code(module, module.entries[0], *globals, options, "automatic_predictions")
        .predictions.size();
  };
  BOOST_TEST(predictions() == 0U);
  options.reconverge = compiler::Reconverge::Predicted;
  BOOST_TEST(predictions() == 0U);
  options.reconverge = compiler::Reconverge::Automatic;
  BOOST_TEST(predictions() == 1U);
  options.machine = {};
  BOOST_TEST(predictions() == 0U);
}

BOOST_AUTO_TEST_CASE(the_checker_finds_what_is_broken) {
  const ptx::Module module = everything();
  const VirtualCode sound = code_of(module, module.entries[0], "lower");
  const std::vector<Broken> edits = {
      {"its target is not in the code", [](VirtualCode& c) { first(c, isa::Kind::Branch).body.target = 1000; }},
      {"its guard is no predicate", [](VirtualCode& c) { first(c, isa::Kind::Branch).guard = c.code[0].destination; }},
      {"it names a register that is not there",
       [](VirtualCode& c) { c.code[0].destination = static_cast<compiler::VirtualId>(c.registers.size()); }},
      {"it writes another width", [](VirtualCode& c) { c.code[0].body.destination.wide = false; }},
      {"an operand is of another width",
       [](VirtualCode& c) { first(c, isa::Kind::Store).body.sources[0].wide = false; }},
      {"an operand is of another class",
       [](VirtualCode& c) { first(c, isa::Kind::Store).sources[1] = first(c, isa::Kind::Branch).guard; }},
      {"an operand has no register, or one too many",
       [](VirtualCode& c) { first(c, isa::Kind::Store).sources[0] = compiler::NoVirtual; }},
      {"it is no mark, nor a Wait, and has a prediction", [](VirtualCode& c) { c.code[0].prediction = 0; }},
      {"its prediction is not there", [](VirtualCode& c) { c.code[0].mark = compiler::Mark::Predict; }},
      {"the code does not end with a branch, an exit or a trap",
       [](VirtualCode& c) { c.code.push_back(c.code.front()); }},
      {"the functions are not all of the code", [](VirtualCode& c) { c.code.push_back(c.code.back()); }},
      {"label LOOP is not in the code", [](VirtualCode& c) {
         c.labels = {{1000, "LOOP"}};
       }}};
  for (const Broken& broken : edits) {
    VirtualCode code = sound;
    broken.edit(code);
    BOOST_CHECK_EXCEPTION(compiler::check_code(code, "test"), std::logic_error, [&](const std::logic_error& error) {
      const std::string text = error.what();
      BOOST_TEST(text.find("after pass test") == 0U);
      BOOST_TEST(text.find(broken.what) != std::string::npos, text);
      return true;
    });
  }
}

BOOST_AUTO_TEST_CASE(a_copy_goes_and_its_names_become_one) {
  const ptx::Module module = everything();
  const std::string before = compiler::to_string(code_of(module, module.entries[0], "unread_results"));
  const std::string after = compiler::to_string(code_of(module, module.entries[0], "move_coalescing"));
  BOOST_TEST(before.find("mov.u32 %r2 <- %r1") != std::string::npos);
  // %r1 is needed behind the loop that changes %r2: the copy has to stay
  BOOST_TEST(after.find("mov.u32 %r2 <- %r1") != std::string::npos);
  std::string text = heddle::tests::ptx_text(Everything);
  text.replace(text.find("mul.wide.u32 %rd2, %r1"), 22, "mul.wide.u32 %rd2, %r2");
  const ptx::Module free = ptx::parse(text, "free.ptx");
  const std::string merged = compiler::to_string(code_of(free, free.entries[0], "move_coalescing"));
  BOOST_TEST(merged.find("mov.u32 %r1 <- %tid.x") != std::string::npos);
  BOOST_TEST(merged.find("%r2") == std::string::npos, merged);
}

BOOST_AUTO_TEST_CASE(jumps_to_the_next_instruction_go) {
  const ptx::Module module = ptx::parse(R"(.visible .entry k(.param .u32 n) {
  .reg .b32 %r<2>; .reg .pred %p<2>;
  ld.param.u32 %r0, [n]; setp.eq.u32 %p0, %r0, 0; @%p0 bra E; bra.uni A;
A: bra.uni B;
B: sub.u32 %r0, %r0, 1; setp.ne.u32 %p1, %r0, 0; @%p1 bra B; @%p1 bra E;
E: ret; })",
                                        "jumps.ptx");
  const auto branches = [&](const char* pass) {
    const VirtualCode code =
        compiler::virtual_code(module, module.entries[0], *compiler::global_data(module), {}, pass);
    return std::count_if(code.code.begin(), code.code.end(),
                         [](const auto& one) { return one.body.kind == isa::Kind::Branch; });
  };
  BOOST_TEST(branches("move_coalescing") == 5);
  BOOST_TEST(branches("needless_jumps") == 2);  // the loop's, and the one around it; not one that is conditional
}

BOOST_AUTO_TEST_CASE(a_pass_that_is_not_there) {
  const ptx::Module module = everything();
  BOOST_CHECK_THROW(code_of(module, module.entries[0], "inlining"), std::invalid_argument);
}
