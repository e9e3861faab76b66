// SPDX-License-Identifier: Apache-2.0
// Marks of predictions from text to where barriers are placed: in their place, of the right prediction, and gone without
// a trace where nobody asks for them.
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "sim/compiler/analysis/control_flow.h"
#include "sim/compiler/analysis/natural_loops.h"
#include "sim/compiler/code/virtual_listing.h"
#include "sim/compiler/compile.h"
#include "sim/compiler/explanation.h"
#include "sim/compiler/lowering/named_function.h"
#include "sim/isa/disassemble.h"
#include "sim/ptx/parser.h"

namespace compiler = heddle::compiler;
namespace isa = heddle::isa;
namespace ptx = heddle::ptx;
using compiler::Mark;
using compiler::VirtualCode;

namespace {

std::vector<compiler::MachineOptions> machines() {
  std::vector<compiler::MachineOptions> all{{}, compiler::MachineOptions::with_barriers(16), {}};
  all[2].software_stack = true;
  return all;
}

const std::vector<compiler::MachineOptions> Machines = machines();

std::string entry_with(const std::string& body, const std::string& functions = "") {
  return functions + ".visible .entry k(.param .u64 p) {\n" +
         ".reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %rd<4>;\nld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x;\n" + body +
         "\nst.global.u32 [%rd1], %r2;\nret;\n}\n";
}

VirtualCode code_of(const std::string& text, const std::string& pass = "lower") {
  return compiler::code_after(ptx::parse(text, "file.ptx"), "k", {}, pass);
}

std::string error_of(const std::string& text) {
  try {
    code_of(text);
  } catch (const ptx::Error& error) { return error.what(); }
  return "no error";
}

void expect_error(const std::string& text, const std::string& message) {
  const std::string found = error_of(text);
  BOOST_TEST(found.find(message) != std::string::npos, found);
}

/// The same text with an empty line for each mark.
std::string without_marks(const std::string& text) {
  std::istringstream lines(text);
  std::string line, plain;
  while (std::getline(lines, line)) plain += (line.find("// heddle.") == std::string::npos ? line : "") + '\n';
  return plain;
}

std::string read(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  BOOST_REQUIRE(!text.str().empty());
  return text.str();
}

void expect_no_trace(const std::string& text) {
  const ptx::Module marked = ptx::parse(text, "file.ptx"), plain = ptx::parse(without_marks(text), "file.ptx");
  for (const ptx::Function& entry : marked.entries) {
    for (const compiler::MachineOptions& machine : Machines) {
      compiler::CompileOptions options;
      options.machine = machine;
      const std::string found = isa::disassemble(compiler::compile(marked, entry.name, nullptr, options));
      BOOST_TEST(found == isa::disassemble(compiler::compile(plain, entry.name, nullptr, options)));
      BOOST_TEST(compiler::to_string(compiler::code_after(marked, entry.name, options, "convergence_barriers")) ==
                 compiler::to_string(compiler::code_after(plain, entry.name, options, "convergence_barriers")));
    }
  }
}

const char* const Loop = R"(mov.u32 %r3, 0;
.loc 1 7 3
// heddle.predict L1 threshold=8
H:
and.b32 %r4, %r3, %r1; setp.eq.u32 %p1, %r4, 0;
@%p1 bra NEXT;
// heddle.reconverge L1
mov.u32 %r5, %r2; add.u32 %r2, %r5, 1;
NEXT:
add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, 8;
@%p2 bra H;)";

/// A function that calls itself, with a mark in each place where instructions come and go.
const char* const Recursive = R"(.func (.reg .b32 %out) f(.reg .b32 %n) {
.reg .b32 %r<4>; .reg .pred %p;
// heddle.predict deep
mov.u32 %r2, %n;
setp.eq.u32 %p, %r2, 0;
@%p bra END;
sub.u32 %r1, %r2, 1;
// heddle.reconverge deep
call (%r3), f, (%r1);
// heddle.reconverge deep
add.u32 %r2, %r2, %r3;
END:
mov.u32 %out, %r2;
ret;
}
)";

}  // namespace

BOOST_AUTO_TEST_CASE(a_mark_is_an_instruction_in_its_place) {
  const VirtualCode code = code_of(".file 1 \"k.cu\"\n" + entry_with(Loop));
  BOOST_REQUIRE(code.predictions.size() == 1U);
  BOOST_TEST(code.predictions[0].label == "L1");
  BOOST_TEST(code.predictions[0].function == -1);
  BOOST_TEST(code.predictions[0].threshold.value() == 8U);
  BOOST_TEST(code.predictions[0].where.line == 7U);
  const compiler::VirtualInstruction &predict = code.code[3], &reconverge = code.code[7];
  BOOST_TEST((predict.mark == Mark::Predict));
  BOOST_TEST((reconverge.mark == Mark::Reconverge));
  BOOST_TEST(predict.prediction == 0);
  BOOST_TEST(reconverge.prediction == 0);
  BOOST_TEST(predict.body.line == 7U);
  BOOST_TEST(reconverge.where.line == 11U);
  BOOST_TEST(predict.body.source_file == 1U);
  BOOST_TEST(predict.body.source_line == 7U);
  BOOST_TEST(code.code[4].body.mnemonic == "and.b32");
  const std::string text = compiler::to_string(code);
  BOOST_TEST(text.find("predict L1, threshold 8\nH:\n") != std::string::npos, text);
  BOOST_TEST(text.find("reconverge L1\n") != std::string::npos, text);
}

BOOST_AUTO_TEST_CASE(passes_leave_marks_where_they_are) {
  const std::string call = entry_with("call (%r2), f, (%r1);", Recursive);
  for (const char* pass : {"lower", "recursion", "unread_results", "move_coalescing"}) {
    BOOST_TEST_CONTEXT(pass) {
      const VirtualCode loop = code_of(entry_with(Loop), pass);
      unsigned marks = 0;
      for (isa::Pc pc = 0; pc < loop.code.size(); ++pc) {
        if (loop.code[pc].mark == Mark::None) continue;
        ++marks;
        const bool is_predict = loop.code[pc].mark == Mark::Predict;
        // At the end of what falls into the loop, and at the start of the arm.
        BOOST_TEST((is_predict ? loop.labels.at(pc + 1) == "H" : loop.code[pc - 1].ends_block()));
      }
      BOOST_TEST(marks == 2U);
      const VirtualCode deep = code_of(call, pass);
      std::vector<unsigned> lines;
      for (const compiler::VirtualInstruction& one : deep.code)
        if (one.mark != Mark::None) lines.push_back(one.body.line);
      BOOST_TEST(lines == (std::vector<unsigned>{3, 8, 10}), boost::test_tools::per_element());
    }
  }
}

BOOST_AUTO_TEST_CASE(copies_of_a_mark_are_of_one_prediction) {
  const VirtualCode code =
      code_of(entry_with("// heddle.predict a\n// heddle.predict b\n// heddle.reconverge b\n// heddle.reconverge a\n"
                         "add.u32 %r2, %r2, 1;\n// heddle.reconverge a"));
  BOOST_TEST(code.predictions.size() == 2U);
  std::vector<int> found;
  for (const compiler::VirtualInstruction& one : code.code)
    if (one.mark != Mark::None) found.push_back(one.prediction);
  BOOST_TEST(found == (std::vector<int>{0, 1, 1, 0, 0}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_name_is_of_its_function) {
  const std::string function = ".func f() {\n// heddle.predict a\n// heddle.reconverge a\nret;\n}\n";
  const VirtualCode code =
      code_of(entry_with("// heddle.predict a threshold=2\ncall f;\n// heddle.reconverge a", function));
  BOOST_REQUIRE(code.predictions.size() == 2U);
  BOOST_TEST(code.predictions[0].threshold.value() == 2U);
  BOOST_TEST(!code.predictions[1].threshold);
  expect_error(entry_with("// heddle.predict a\ncall f;", function), "heddle.predict a: this function has no");
}

BOOST_AUTO_TEST_CASE(what_a_compiler_took_away_is_an_error) {
  expect_error(entry_with("// heddle.predict a"),
               "file.ptx:4:4: heddle.predict a: this function has no heddle.reconverge a");
  expect_error(entry_with("// heddle.reconverge a"),
               "file.ptx:4:4: heddle.reconverge a: this function has no heddle.predict a");
  expect_error(entry_with("// heddle.predict a threshold=3\n// heddle.reconverge a\n// heddle.predict a threshold=4"),
               "file.ptx:6:4: a: threshold 4 here, threshold 3 in line 4");
  expect_error(entry_with("// heddle.reconverge a\n// heddle.predict a\n// heddle.predict a threshold=4"),
               "a: threshold 4 here, no threshold in line 5");
}

BOOST_AUTO_TEST_CASE(a_function_is_a_point) {
  const std::string functions =
      ".func _Z5shadei() { ret; }\n.func plain() { ret; }\n.func _ZN1a3twoEv() { ret; }\n.func _ZN1b3twoEv() { ret; }\n"
      ".extern .func elsewhere();\n.func idle() { ret; }\n";
  const std::string calls = "\ncall _Z5shadei; call plain; call _ZN1a3twoEv; call _ZN1b3twoEv;";
  for (const char* name : {"shade", "_Z5shadei", "plain", "_ZN1b3twoEv"}) {
    const VirtualCode code =
        code_of(entry_with(std::string("// heddle.predict_function ") + name + " threshold=5" + calls, functions));
    BOOST_REQUIRE(code.predictions.size() == 1U);
    const compiler::Prediction& prediction = code.predictions[0];
    BOOST_REQUIRE(prediction.function > 0);
    const std::string found = code.functions[static_cast<std::size_t>(prediction.function)].name;
    BOOST_TEST(found.find(name) != std::string::npos, found);
    BOOST_TEST(prediction.threshold.value() == 5U);
  }
  const auto predicted = [&](const char* name) {
    return entry_with(std::string("// heddle.predict_function ") + name + calls, functions);
  };
  expect_error(predicted("two"), "file.ptx:10:4: two may be _ZN1a3twoEv or _ZN1b3twoEv");
  expect_error(predicted("three"), "file.ptx:10:4: no function three in this file");
  expect_error(predicted("elsewhere"), "function elsewhere has no body in this file");
  expect_error(predicted("idle"), "function idle is called nowhere");
}

BOOST_AUTO_TEST_CASE(the_last_name_of_a_mangled_one) {
  BOOST_TEST(compiler::unmangled_name("_Z5shadei") == "shade");
  BOOST_TEST(compiler::unmangled_name("_ZL5shadejPKj") == "shade");
  BOOST_TEST(compiler::unmangled_name("_ZN12_GLOBAL__N_15shadeEi") == "shade");
  BOOST_TEST(compiler::unmangled_name("_ZNK3BoxIiE4openILi4EEEiPFivE") == "open");
  BOOST_TEST(compiler::unmangled_name("shade").empty());
  BOOST_TEST(compiler::unmangled_name("_Zwrong").empty());
}

BOOST_AUTO_TEST_CASE(without_predictions_marks_leave_no_trace) {
  expect_no_trace(entry_with(Loop));
  expect_no_trace(entry_with("call (%r2), f, (%r1);", Recursive));
  // In front of the last exit, which then stands alone in its block; and between two labels.
  expect_no_trace(
      entry_with("setp.eq.u32 %p1, %r1, 3;\n// heddle.predict a\n@%p1 bra A;\nbar.sync 0;\nbra B;\nA:\n"
                 "// heddle.reconverge a\nret;\nB:"));
}

BOOST_AUTO_TEST_CASE(a_mark_is_no_instruction_of_a_machine) {
  const ptx::Module module = ptx::parse(entry_with(Loop), "file.ptx");
  for (const compiler::MachineOptions& machine : Machines) {
    compiler::CompileOptions options;
    options.machine = machine;
    for (const isa::Instruction& one : compiler::compile(module, "k", nullptr, options).code) {
      const std::string mnemonic = one.mnemonic;
      BOOST_TEST((mnemonic != "predict" && mnemonic != "reconverge"));
    }
  }
}

// ---- CUDA: what compilers leave of predictions.cu ----

namespace {

struct Shape {
  explicit Shape(const ptx::Module& module, const char* entry)
      : code(compiler::code_after(module, entry, {}, "lower")),
        blocks(compiler::find_blocks(code)),
        dominators(code, blocks),
        loops(compiler::natural_loops(blocks, dominators)) {}

  std::vector<compiler::BlockIndex> marked(Mark mark) const {
    std::vector<compiler::BlockIndex> found;
    for (isa::Pc pc = 0; pc < code.code.size(); ++pc)
      if (code.code[pc].mark == mark) found.push_back(compiler::block_at(blocks, pc));
    return found;
  }

  unsigned depth(compiler::BlockIndex block) const {
    unsigned count = 0;
    for (const compiler::NaturalLoop& loop : loops) count += loop.inside[block] ? 1 : 0;
    return count;
  }

  /// A turn of the innermost loop may leave the block out.
  bool is_seldom(compiler::BlockIndex block) const {
    const compiler::NaturalLoop* inner = nullptr;
    for (const compiler::NaturalLoop& loop : loops)
      if (loop.inside[block] && (inner == nullptr || loop.size() < inner->size())) inner = &loop;
    if (inner == nullptr) return false;
    for (compiler::BlockIndex from = 0; from < blocks.size(); ++from)
      for (const unsigned to : blocks[from].successors)
        if (to == inner->head && inner->inside[from] && dominators.dominates(block, from)) return false;
    return true;
  }

  VirtualCode code;
  std::vector<isa::BasicBlock> blocks;
  compiler::Dominators dominators;
  std::vector<compiler::NaturalLoop> loops;
};

void expect_one_predict(const Shape& shape) {
  BOOST_REQUIRE(shape.code.predictions.size() == 1U);
  const std::vector<compiler::BlockIndex> predicts = shape.marked(Mark::Predict);
  BOOST_REQUIRE(predicts.size() == 1U);
  BOOST_TEST(shape.depth(predicts[0]) == 0U);
}

/// \param unrolls  with copies of the inner loop's body behind it
void check_predictions(const std::string& file, bool unrolls) {
  const ptx::Module module = ptx::parse_file(file);
  const Shape delay(module, "iteration_delay");
  expect_one_predict(delay);
  BOOST_TEST(!delay.code.predictions[0].threshold);
  BOOST_TEST(!delay.marked(Mark::Reconverge).empty());
  for (const compiler::BlockIndex block : delay.marked(Mark::Reconverge)) BOOST_TEST(delay.is_seldom(block));

  const Shape merge(module, "loop_merge");
  expect_one_predict(merge);
  BOOST_TEST(merge.code.predictions[0].threshold.value() == 8U);
  unsigned inside = 0;
  for (const compiler::BlockIndex block : merge.marked(Mark::Reconverge)) {
    inside += merge.depth(block) == 2 ? 1 : 0;
    BOOST_TEST(merge.depth(block) >= (unrolls ? 1U : 2U));
  }
  BOOST_TEST(inside > 0U);

  const Shape call(module, "common_call");
  expect_one_predict(call);
  const auto callee = static_cast<std::size_t>(call.code.predictions[0].function);
  BOOST_REQUIRE(callee < call.code.functions.size());
  BOOST_TEST(call.code.functions[callee].name.find("shade") != std::string::npos);
  BOOST_TEST(!call.code.calls.empty());
  for (const compiler::CallSite& site : call.code.calls)
    BOOST_TEST(call.dominators.dominates(call.marked(Mark::Predict)[0], compiler::block_at(call.blocks, site.branch)));
  expect_no_trace(read(file));
}

/// What is placed for the prediction of an entry, each operation with the loops around it: nothing of a compiler's layout.
std::set<std::string> placed_for_prediction(const std::string& file, const char* entry) {
  compiler::CompileOptions options;
  options.machine.convergence_barriers = 16;
  options.reconverge = compiler::Reconverge::Predicted;
  const compiler::BarrierExplanation explained = compiler::explain_barriers(ptx::parse_file(file), entry, options);
  const compiler::Dominators dominators(explained.code, explained.blocks);
  const std::vector<compiler::NaturalLoop> loops = compiler::natural_loops(explained.blocks, dominators);
  std::set<std::string> placed;
  for (const compiler::BarrierDecision& decision : explained.list.decisions) {
    if (explained.list.barriers[decision.barrier].role != compiler::BarrierRole::Predicted) continue;
    const compiler::BlockIndex block = compiler::block_at(explained.blocks, decision.place.pc);
    const auto depth = std::count_if(loops.begin(), loops.end(), [&](const auto& loop) { return loop.inside[block]; });
    // Whether an orthogonal barrier has to be placed depends on whether branches outside have one there.
    if (std::string(decision.operation) != "no orthogonal barrier")
      placed.insert(fmt::format("{} in {} loops", decision.operation, depth));
  }
  return placed;
}

/// By entry of predictions.cu, as SR Fig. 4 and 2 (c) have it: of the loops the body that some turns leave out, and the
/// inner loop; of the call the function's beginning. \param unrolls  copies of what is in two loops may be in one
void check_placement(const std::string& file, bool unrolls) {
  const std::map<const char*, std::set<std::string>> expected{
      {"iteration_delay", {"bssy in 0 loops", "bsync in 1 loops", "rejoin in 1 loops", "break in 0 loops"}},
      {"loop_merge", {"bssy in 0 loops", "bsync in 2 loops", "rejoin in 2 loops", "break in 0 loops"}},
      {"common_call", {"bssy in 0 loops", "bsync in 0 loops"}}};
  for (const auto& [entry, operations] : expected) {
    std::set<std::string> placed = placed_for_prediction(file, entry);
    if (unrolls)
      for (const char* copy : {"bsync in 1 loops", "rejoin in 1 loops"})
        if (operations.count(copy) == 0) placed.erase(copy);
    BOOST_TEST(placed == operations, entry << ": " << fmt::format("{}", fmt::join(placed, ", ")));
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(clang_keeps_marks_where_control_has_them) {
  for (const char* level : {"O0", "O1", "O2", "O3"}) {
    BOOST_TEST_CONTEXT(level) {
      const std::string file = fmt::format("{}/predictions_{}.ptx", HEDDLE_PTX_DIR, level);
      check_predictions(file, false);
      check_placement(file, false);
    }
  }
}

BOOST_AUTO_TEST_CASE(nvcc_keeps_marks_where_control_has_them) {
  const std::string nvcc = HEDDLE_NVCC;
  if (nvcc.empty()) {
    std::cout << "left out: PTX from nvcc, because no nvcc was found when the build was configured\n";
    return;
  }
  for (const char* flags : {"", "-G"}) {
    BOOST_TEST_CONTEXT("nvcc " << flags) {
      const std::string file = fmt::format("{}/predictions_nvcc{}.ptx", HEDDLE_PTX_DIR, flags);
      const std::string command = fmt::format("'{}' -ptx {} -std=c++17 -arch={} -I '{}' -o '{}' '{}'", nvcc, flags,
                                              HEDDLE_NVCC_ARCHITECTURE, HEDDLE_SOURCE, file, HEDDLE_PREDICTIONS);
      BOOST_REQUIRE(std::system(command.c_str()) == 0);
      check_predictions(file, true);
      check_placement(file, true);
    }
  }
}
