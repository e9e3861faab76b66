// Register allocation: two values that are live at once never share a register, checked against exact live sets.
#include <boost/test/unit_test.hpp>
#include <random>
#include <sstream>

#include "sim/compiler/compile.h"
#include "sim/compiler/control_flow.h"
#include "sim/compiler/global_data.h"
#include "sim/compiler/lowering.h"
#include "sim/compiler/spilling.h"
#include "sim/ptx/parser.h"

namespace compiler = heddle::compiler;
namespace isa = heddle::isa;
namespace ptx = heddle::ptx;
using compiler::Class;
using compiler::VirtualId;

namespace {

class Checker {
 public:
  Checker(const ptx::Module& module, const ptx::Function& entry, unsigned registers = isa::MaxRegisters)
      : code_(compiler::lower(module, entry, *compiler::global_data(module))),
        assignment_(compiler::fit_registers(code_, registers)),
        blocks_(compiler::across_calls(code_, compiler::find_blocks(code_))) {
    BOOST_TEST(assignment_.registers <= registers);
  }

  unsigned registers() const { return assignment_.registers; }

  void run() const {
    const auto live = compiler::live_before(code_, blocks_);
    for (const isa::BasicBlock& block : blocks_) {
      for (isa::Pc pc = block.first; pc <= block.last; ++pc) {
        expect_disjoint(live[pc]);
        // A destination shares with nothing that is live after its instruction.
        std::set<VirtualId> after;
        if (pc < block.last)
          after = live[pc + 1];
        else
          for (const unsigned next : block.successors)
            after.insert(live[blocks_[next].first].begin(), live[blocks_[next].first].end());
        if (code_.code[pc].destination != compiler::NoVirtual) after.insert(code_.code[pc].destination);
        expect_disjoint(after);
      }
    }
  }

 private:
  void expect_disjoint(const std::set<VirtualId>& ids) const {
    std::set<unsigned> held;
    for (const VirtualId id : ids) {
      const Class width = code_.registers[static_cast<std::size_t>(id)].width;
      const unsigned place = assignment_.place[static_cast<std::size_t>(id)];
      if (width == Class::Wide) BOOST_TEST(place % 2 == 0U);
      const unsigned base = width == Class::Predicate ? isa::FirstPredicate : 0;
      for (unsigned part = 0; part < (width == Class::Wide ? 2U : 1U); ++part)
        if (!held.insert(base + place + part).second) BOOST_ERROR("register " << place + part << " is held twice");
    }
  }

  compiler::VirtualCode code_;
  compiler::Assignment assignment_;
  std::vector<isa::BasicBlock> blocks_;
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
      Checker(module, module.entries[0]).run();
      Checker(module, module.entries[0], 16).run();
    }
  }
}

BOOST_AUTO_TEST_CASE(our_kernels) {
  for (const char* name : {"bfs", "diverge", "hazard", "nest", "reduce", "reorder", "trip_count", "wide_address"}) {
    const ptx::Module module = ptx::parse_file(std::string(HEDDLE_PTX_DIR "/") + name + ".ptx");
    for (const ptx::Function& entry : module.entries) {
      const Checker checker(module, entry);
      checker.run();
      BOOST_TEST(checker.registers() <= 63U, entry.name << " needs " << checker.registers());
    }
  }
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
