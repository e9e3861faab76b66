// SPDX-License-Identifier: Apache-2.0
// Few registers: what does not fit goes to local memory, and every kernel computes the same.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include "sim/compiler/compile.h"
#include "sim/gpu/oracle_device.h"
#include "sim/gpu/program_library.h"
#include "sim/gpu/workload.h"
#include "sim/ptx/parser.h"
#include "tests/kit/call_programs.h"

namespace gpu = heddle::gpu;
namespace compiler = heddle::compiler;
namespace isa = heddle::isa;

namespace {

const compiler::CompileOptions Few{16};

isa::Program compiled(const std::string& ptx, const compiler::CompileOptions& options = {}) {
  return compiler::compile(heddle::ptx::parse(ptx, "spilling.ptx"), "k", nullptr, options);
}

std::vector<std::uint32_t> run(const isa::Program& program, const std::vector<std::uint32_t>& words) {
  gpu::OracleDevice device;
  const std::uint64_t buffer = gpu::upload(device, words);
  gpu::launch(device, program, {1}, {static_cast<unsigned>(words.size())}, buffer);
  return gpu::download<std::uint32_t>(device, buffer, words.size());
}

/// `count` values that are all live at once, of words, pairs or predicates, some written under a guard.
std::string crowd(const char* type, unsigned count, const std::string& directive = "") {
  const std::string t = type;
  std::string body = fmt::format(
      ".reg .{} %c<{}>; .reg .b64 %w; .reg .b32 %s; .reg .pred %g; cvt.u64.u32 %w, %x;\n"
      "and.b32 %s, %x, 1; setp.eq.u32 %g, %s, 0;\n",
      type, count);
  for (unsigned i = 0; i < count; ++i) {
    if (t == "pred")
      body += fmt::format("add.u32 %s, %x, {0}; and.b32 %s, %s, 3; setp.lt.u32 %c{0}, %s, 2;\n", i);
    else if (t == "b64")
      body += fmt::format("mul.lo.u64 %c{0}, %w, {1};\n@%g add.u64 %c{0}, %c{0}, {0};\n", i, 0x100000001U + i);
    else
      body += fmt::format("mul.lo.u32 %c{0}, %x, {1};\n@%g add.u32 %c{0}, %c{0}, {0};\n", i, 3 + i);
  }
  body += "mov.u32 %s, 0;\n";
  for (unsigned i = 0; i < count; ++i) {
    if (t == "pred")
      body += fmt::format("mul.lo.u32 %s, %s, 3; @%c{} add.u32 %s, %s, 1;\n", i);
    else if (t == "b64")
      body += fmt::format(
          "cvt.u32.u64 %x, %c{0}; shr.u64 %c{0}, %c{0}, 32; mad.lo.u32 %s, %s, 5, %x;"
          " cvt.u32.u64 %x, %c{0}; xor.b32 %s, %s, %x;\n",
          i);
    else
      body += fmt::format("mad.lo.u32 %s, %s, 7, %c{};\n", i);
  }
  std::string ptx = heddle::tests::with_entry("", body + "mov.u32 %x, %s;");
  if (!directive.empty()) ptx.insert(ptx.find("p) {") + 2, directive + ' ');
  return ptx;
}

std::uint32_t expected(const std::string& type, unsigned count, std::uint32_t x) {
  std::uint32_t s = 0;
  for (unsigned i = 0; i < count; ++i) {
    if (type == "pred") {
      s = 3 * s + (((x + i) & 3) < 2 ? 1 : 0);
    } else if (type == "b64") {
      const std::uint64_t c = std::uint64_t{x} * (0x100000001U + i) + (x % 2 == 0 ? i : 0);
      s = (5 * s + static_cast<std::uint32_t>(c)) ^ static_cast<std::uint32_t>(c >> 32);
    } else {
      s = 7 * s + x * (3 + i) + (x % 2 == 0 ? i : 0);
    }
  }
  return s;
}

bool is_local(const isa::Instruction& instruction) {
  return (instruction.kind == isa::Kind::Load || instruction.kind == isa::Kind::Store) &&
         instruction.space == isa::Space::Local;
}

/// Checks a program without local variables: marked are all accesses of local memory, and of the rest what turns a
/// predicate into the word that is stored and back.
void check_marks(const isa::Program& program, unsigned spilled_predicates_at_least) {
  const std::vector<isa::Instruction>& code = program.code;
  unsigned predicates = 0;
  for (std::size_t pc = 0; pc < code.size(); ++pc) {
    if (is_local(code[pc])) {
      BOOST_TEST(code[pc].is_spill, "PC " << pc << ", " << code[pc].mnemonic);
    } else if (code[pc].is_spill) {
      ++predicates;
      const std::string mnemonic = code[pc].mnemonic;
      const bool is_stored = mnemonic == "selp.b32" && code.at(pc + 1).kind == isa::Kind::Store,
                 is_loaded = mnemonic == "setp.ne.u32" && code.at(pc - 1).kind == isa::Kind::Load;
      BOOST_TEST((is_stored ? is_local(code[pc + 1]) : is_loaded && is_local(code[pc - 1])), "PC " << pc);
    }
  }
  BOOST_TEST(predicates >= spilled_predicates_at_least);
  BOOST_TEST((predicates == 0) == (spilled_predicates_at_least == 0));
}

std::size_t count_marks(const isa::Program& program) {
  return static_cast<std::size_t>(std::count_if(program.code.begin(), program.code.end(),
                                                [](const isa::Instruction& one) { return one.is_spill; }));
}

void check_crowd(const char* type, unsigned count) {
  const isa::Program program = compiled(crowd(type, count));
  BOOST_TEST(program.local_bytes > 0U, type << " " << count);
  BOOST_TEST(program.registers <= isa::MaxRegisters);
  BOOST_TEST(program.predicates <= isa::MaxPredicates);
  check_marks(program, std::string(type) == "pred" ? 2 * (count - isa::MaxPredicates) : 0);
  const std::vector<std::uint32_t> words = {0, 1, 2, 12345, 0xffffffffU, 0x80000000U, 77};
  const std::vector<std::uint32_t> found = run(program, words);
  for (std::size_t i = 0; i < words.size(); ++i)
    BOOST_TEST(found[i] == expected(type, count, words[i]), type << " " << count << ", thread " << i);
}

}  // namespace

BOOST_AUTO_TEST_CASE(more_values_at_once_than_there_are_registers) {
  check_crowd("b32", 400);
  check_crowd("b64", 200);
  check_crowd("pred", 60);
}

/// Registers begin as zeros: what is read before its only write, of a constant, is no constant there.
BOOST_AUTO_TEST_CASE(a_constant_is_not_repeated_in_front_of_its_write) {
  std::string body;
  for (unsigned i = 0; i < 40; ++i)
    body += fmt::format("add.u32 %before, %before, %c{}; mov.u32 %c{}, {};\n", i, i, i + 1);
  body += "add.u32 %x, %before, 0;\n";
  for (unsigned i = 0; i < 40; ++i) body += fmt::format("mad.lo.u32 %x, %x, 3, %c{};\n", i);
  const std::string ptx = heddle::tests::with_entry("", ".reg .b32 %c<40>, %before; mov.u32 %before, %x;\n" + body);
  const std::vector<std::uint32_t> words = {0, 5, 7};
  BOOST_TEST(run(compiled(ptx, Few), words) == run(compiled(ptx), words), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_directive_and_an_option_say_how_many) {
  const isa::Program free = compiled(crowd("b32", 40));
  BOOST_TEST(free.registers > 40U);
  BOOST_TEST(free.local_bytes == 0U);
  BOOST_TEST(compiled(crowd("b32", 40, ".maxnreg 24")).registers <= 24U);
  BOOST_TEST(compiled(crowd("b32", 40, ".maxnreg 24"), {20}).registers <= 20U);
  BOOST_TEST(compiled(crowd("b32", 40), {32}).registers <= 32U);
}

BOOST_AUTO_TEST_CASE(a_machine_says_how_many_unless_the_user_does) {
  compiler::CompileOptions options;
  options.machine.max_registers = 32;
  BOOST_TEST(compiled(crowd("b32", 60), options).registers == 32U);
  BOOST_TEST(compiled(crowd("b32", 60, ".maxnreg 24"), options).registers == 24U);
  BOOST_TEST(compiled(crowd("b32", 60, ".maxnreg 48"), options).registers == 32U);
  options.max_registers = 48;
  BOOST_TEST(compiled(crowd("b32", 60), options).registers == 48U);
  BOOST_TEST(compiled(crowd("b32", 60, ".maxnreg 24"), options).registers == 24U);
}

BOOST_AUTO_TEST_CASE(a_library_keeps_the_programs_of_machines_with_other_registers) {
  const std::string file = HEDDLE_PTX_DIR "/mc_gpu.ptx";
  const std::string entry = heddle::ptx::parse_file(file).entries.front().name;
  compiler::MachineOptions narrow;
  narrow.max_registers = 20;
  gpu::ProgramLibrary library(file);
  const isa::Program &wide = library.find(entry), &spilled = library.find(entry, narrow);
  BOOST_TEST(wide.registers > 20U);
  BOOST_TEST(spilled.registers <= 20U);
  BOOST_TEST(&library.find(entry) == &wide);
  BOOST_TEST(&library.find(entry, narrow) == &spilled);
  gpu::ProgramLibrary users(file, {24});
  BOOST_TEST(users.find(entry, narrow).registers > 20U);
  BOOST_TEST(users.find(entry, narrow).registers <= 24U);
}

/// But for its marks it is the program that has registers enough.
BOOST_AUTO_TEST_CASE(only_what_spilling_adds_is_marked) {
  const isa::Program free = compiled(crowd("b32", 40)), few = compiled(crowd("b32", 40), {24});
  BOOST_TEST(count_marks(free) == 0U);
  BOOST_TEST(count_marks(few) > 0U);
  BOOST_REQUIRE(few.code.size() - count_marks(few) == free.code.size());
  auto at = free.code.begin();
  for (const isa::Instruction& one : few.code) {
    if (one.is_spill) continue;
    BOOST_TEST(std::string(one.mnemonic) == at->mnemonic);
    ++at;
  }
}

BOOST_AUTO_TEST_CASE(what_can_be_made_again_takes_no_memory) {
  // Constants and special registers, each used twice, with all the others between.
  std::string body = ".reg .b32 %c<60>;\n";
  const auto is_special = [](unsigned i) { return i % 3 == 0; };
  for (unsigned i = 0; i < 60; ++i)
    body += is_special(i) ? fmt::format("mov.u32 %c{}, %ntid.x;\n", i) : fmt::format("mov.u32 %c{}, {};\n", i, 7 * i);
  for (unsigned turn = 0; turn < 2; ++turn)
    for (unsigned i = 0; i < 60; ++i) body += fmt::format("mad.lo.u32 %x, %x, 5, %c{};\n", i);
  const isa::Program program = compiled(heddle::tests::with_entry("", body), Few);
  BOOST_TEST(program.registers <= 16U);
  BOOST_TEST(program.local_bytes == 0U);
  BOOST_TEST(count_marks(program) == 0U);
  const std::vector<std::uint32_t> words = {0, 1, 12345, 0xffffffffU}, found = run(program, words);
  for (std::size_t thread = 0; thread < words.size(); ++thread) {
    std::uint32_t x = words[thread];
    for (unsigned i = 0; i < 120; ++i)
      x = 5 * x + (is_special(i % 60) ? static_cast<std::uint32_t>(words.size()) : 7 * (i % 60));
    BOOST_TEST(found[thread] == x);
  }
}

BOOST_AUTO_TEST_CASE(a_clock_is_not_made_again) {
  std::string body = ".reg .b32 %c<40>; .reg .b32 %s; mov.u32 %s, 0;\n";
  for (unsigned i = 0; i < 40; ++i) body += fmt::format("mov.u32 %c{}, %clock;\n", i);
  for (unsigned i = 0; i + 1 < 40; ++i) body += fmt::format("sub.u32 %x, %c{}, %c{}; add.u32 %s, %s, %x;\n", i + 1, i);
  const isa::Program program = compiled(heddle::tests::with_entry("", body + "mov.u32 %x, %s;"), Few);
  BOOST_TEST(program.local_bytes > 0U);
  const auto reads_clock = [](const isa::Instruction& instruction) {
    return instruction.sources[0].kind == isa::Source::Kind::Special &&
           isa::is_clock(static_cast<isa::SpecialRegister>(instruction.sources[0].index));
  };
  BOOST_TEST(std::count_if(program.code.begin(), program.code.end(), reads_clock) == 40);
}

BOOST_AUTO_TEST_CASE(calls_and_recursion_with_few_registers) {
  std::vector<heddle::tests::CallProgram> programs = heddle::tests::plain_calls();
  for (const heddle::tests::CallProgram& program : heddle::tests::recursive_calls()) programs.push_back(program);
  for (const heddle::tests::CallProgram& program : programs) {
    std::vector<std::uint32_t> words(64);
    for (unsigned t = 0; t < words.size(); ++t) words[t] = t * 2654435761U >> t % 20;
    const isa::Program code = compiled(program.ptx, Few);
    BOOST_TEST(code.registers <= *Few.max_registers);
    BOOST_TEST(count_marks(compiled(program.ptx)) == 0U, program.name);  // what a recursion saves is no spill
    const std::vector<std::uint32_t> found = run(code, words);
    for (unsigned t = 0; t < words.size(); ++t)
      BOOST_TEST(found[t] == program.expected(words[t], t), program.name << ", thread " << t);
  }
}

BOOST_AUTO_TEST_CASE(every_kernel_computes_the_same_with_sixteen_registers) {
  unsigned spilled = 0;
  for (const gpu::Workload* workload : gpu::all_workloads()) {
    gpu::ProgramLibrary library(std::string(HEDDLE_PTX_DIR "/") + workload->name() + ".ptx", Few);
    gpu::OracleDevice device;
    const gpu::Outcome outcome = workload->run(device,
                                               [&](const std::string& entry) -> const isa::Program& {
                                                 const isa::Program& program = library.find(entry);
                                                 BOOST_TEST(program.registers <= *Few.max_registers, entry);
                                                 spilled += program.local_bytes != 0;
                                                 return program;
                                               },
                                               {});
    BOOST_TEST(outcome.ok, workload->name() << ": " << outcome.message);
  }
  BOOST_TEST(spilled > 10U);
}
