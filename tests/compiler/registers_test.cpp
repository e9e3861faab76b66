// SPDX-License-Identifier: Apache-2.0
// Register allocation: every read finds its value, checked by following the places; few more are taken than are live.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <random>
#include <sstream>

#include "sim/compiler/allocation/allocation_check.h"
#include "sim/compiler/allocation/spilling.h"
#include "sim/compiler/analysis/control_flow.h"
#include "sim/compiler/analysis/liveness.h"
#include "sim/compiler/compile.h"
#include "sim/compiler/lowering/global_data.h"
#include "sim/compiler/passes.h"
#include "sim/ptx/parser.h"

namespace compiler = heddle::compiler;
namespace isa = heddle::isa;
namespace ptx = heddle::ptx;
using compiler::Class;
using compiler::VirtualId;

namespace {

/// A program with places for its registers, which are checked by following what each place holds.
class Allocated {
 public:
  Allocated(const ptx::Module& module, const ptx::Function& entry, unsigned registers = isa::MaxRegisters)
      : code_(compiler::virtual_code(module, entry, *compiler::global_data(module))) {
    assignment_ = compiler::fit_registers(code_, registers);
    BOOST_TEST(assignment_.registers <= registers);
    check_places();
  }

  void check_places() const {
    try {
      compiler::check_allocation(code_, assignment_);
    } catch (const std::logic_error& error) { BOOST_ERROR(error.what()); }
  }

  unsigned registers() const { return assignment_.registers; }

  unsigned most_live() const {
    unsigned most = 0;
    for (const auto& live : compiler::live_before(code_, compiler::across_calls(code_, compiler::find_blocks(code_)))) {
      unsigned count = 0;
      for (const VirtualId id : live) {
        const Class width = code_.registers[static_cast<std::size_t>(id)].width;
        count += width == Class::Wide ? 2 : width == Class::Narrow ? 1 : 0;
      }
      most = std::max(most, count);
    }
    return most;
  }

 private:
  compiler::VirtualCode code_;
  compiler::Assignment assignment_;
};

/// A random entry: branches anywhere, guarded writes, both widths and predicates.
std::string random_entry(unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&](unsigned limit) { return static_cast<unsigned>(random() % limit); };
  constexpr unsigned Names = 24, Statements = 80;
  std::ostringstream text;
  text << ".visible .entry k()\n{\n.reg .pred %p<8>;\n.reg .b32 %r<24>;\n.reg .b64 %rd<24>;\n";
  for (unsigned line = 0; line < Statements; ++line) {
    if (line % 8 == 0) text << "L" << line / 8 << ":\n";
    if (below(4) == 0) text << "@%p" << below(8) << " ";
    switch (below(6)) {
      case 0:
        text << "bra L" << below(Statements / 8) << ";\n";
        break;
      case 1:
        text << "setp.lt.s32 %p" << below(8) << ", %r" << below(Names) << ", %r" << below(Names) << ";\n";
        break;
      case 2:
        text << "mul.wide.u32 %rd" << below(Names) << ", %r" << below(Names) << ", 3;\n";
        break;
      case 3:
        text << "cvt.u32.u64 %r" << below(Names) << ", %rd" << below(Names) << ";\n";
        break;
      case 4:
        text << "add.s64 %rd" << below(Names) << ", %rd" << below(Names) << ", %rd" << below(Names) << ";\n";
        break;
      default:
        text << "mov.u32 %r" << below(Names) << ", " << line << ";\n";
        break;
    }
  }
  text << "}\n";
  return text.str();
}

}  // namespace

BOOST_AUTO_TEST_CASE(random_programs) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    const ptx::Module module = ptx::parse(random_entry(seed), "random_" + std::to_string(seed));
    BOOST_TEST_CONTEXT("seed " << seed) {
      const Allocated many(module, module.entries[0]), few(module, module.entries[0], 16);
    }
  }
}

BOOST_AUTO_TEST_CASE(every_kernel_takes_few_more_than_are_live_at_once) {
  unsigned entries = 0;
  for (const auto& file : std::filesystem::directory_iterator(HEDDLE_PTX_DIR)) {
    if (file.path().extension() != ".ptx") continue;
    const ptx::Module module = ptx::parse_file(file.path().string());
    for (const ptx::Function& entry : module.entries) {
      BOOST_TEST_CONTEXT(file.path().filename() << ", " << entry.name) {
        const Allocated free(module, entry);
        BOOST_TEST(free.registers() <= 1.15 * free.most_live() + 2);
        const Allocated few(module, entry, 16);
      }
      ++entries;
    }
  }
  BOOST_TEST(entries > 60U);
}

BOOST_AUTO_TEST_CASE(a_place_that_is_given_away_too_early_is_found) {
  const ptx::Module module = ptx::parse(R"(.visible .entry k() {
    .reg .b32 %r<4>; .reg .b64 %rd<2>;
    mov.u32 %r1, 1;
    mov.u32 %r2, 2;
    st.global.u32 [%rd1], %r1;
    st.global.u32 [%rd1], %r2;
    ret; })",
                                        "file.ptx");
  compiler::VirtualCode code = compiler::virtual_code(module, module.entries[0], *compiler::global_data(module));
  compiler::Assignment assignment = compiler::fit_registers(code, 16);
  BOOST_CHECK_NO_THROW(compiler::check_allocation(code, assignment));
  const auto r1 = static_cast<std::size_t>(code.code[0].destination);
  const auto r2 = static_cast<std::size_t>(code.code[1].destination);
  assignment.place[r2] = assignment.place[r1];
  BOOST_CHECK_EXCEPTION(compiler::check_allocation(code, assignment), std::logic_error, [](const auto& error) {
    return std::string(error.what()).find("instruction 2 (st.global.u32, line 5) reads %r1") != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(a_guarded_write_keeps_the_old_value_alive) {
  const ptx::Module module = ptx::parse(R"(.visible .entry k() {
    .reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<2>;
    mov.u32 %r1, 1;
    setp.eq.s32 %p1, %r1, 2;
    mov.u32 %r2, 3;
    @%p1 mov.u32 %r1, %r2;
    st.global.u32 [%rd1], %r1;
    ret; })",
                                        "file.ptx");
  const isa::Program program = compiler::compile(module, "k");
  BOOST_TEST(program.code[0].destination.id != program.code[2].destination.id);
  BOOST_TEST(program.code[0].destination.id == program.code[3].destination.id);
}
