// Post-dominators on graphs drawn by hand, and blocks of PTX.
#define BOOST_TEST_MODULE compiler_control_flow
#include <boost/test/unit_test.hpp>

#include "sim/compiler/compile.h"
#include "sim/compiler/control_flow.h"
#include "sim/ptx/parser.h"

namespace compiler = heddle::compiler;
namespace isa = heddle::isa;
using compiler::VirtualExit;
using Edges = std::vector<std::vector<unsigned>>;

namespace {

void expect(const Edges& successors, const std::vector<unsigned>& expected, std::vector<bool> exits = {}) {
  exits.resize(successors.size(), false);
  const std::vector<unsigned> found = compiler::immediate_post_dominators(successors, exits);
  BOOST_TEST(found == expected, boost::test_tools::per_element());
}

}  // namespace

BOOST_AUTO_TEST_CASE(diamond) {
  expect({{1, 2}, {3}, {3}, {}}, {3, 3, 3, VirtualExit});
}

BOOST_AUTO_TEST_CASE(figure_1_of_dpe) {
  // A: B or G's side is not taken here; B branches to C and F, C to D and E, both meet in ... G.
  enum { A, B, C, D, E, F, G };
  expect({{B, C}, {G}, {D, E}, {F}, {F}, {G}, {}}, {G, G, F, F, F, G, VirtualExit});
}

BOOST_AUTO_TEST_CASE(loop) {
  expect({{1}, {2, 3}, {1}, {}}, {1, 3, 1, VirtualExit});
}

BOOST_AUTO_TEST_CASE(two_exits_meet_only_at_the_virtual_exit) {
  expect({{1, 2}, {}, {}}, {VirtualExit, VirtualExit, VirtualExit});
}

BOOST_AUTO_TEST_CASE(a_guarded_exit_is_an_edge_out) {
  expect({{1, 2}, {2}, {}}, {VirtualExit, VirtualExit, VirtualExit}, {false, true, false});
}

BOOST_AUTO_TEST_CASE(a_loop_without_end_has_no_post_dominator) {
  expect({{1, 2}, {1}, {}}, {2, VirtualExit, VirtualExit});
}

BOOST_AUTO_TEST_CASE(blocks_of_a_program) {
  const heddle::ptx::Module module = heddle::ptx::parse(R"(
.visible .entry k()
{
	.reg .pred %p<2>;
	.reg .b32 %r<3>;
	mov.u32 %r1, %tid.x;
	setp.eq.s32 %p1, %r1, 0;
	@%p1 bra THEN;
	add.s32 %r1, %r1, 1;
	bra.uni MEET;
THEN:
	sub.s32 %r1, %r1, 1;
MEET:
	@%p1 ret;
	bra END;
END:
})",
                                                        "file.ptx");
  const isa::Program program = compiler::compile(module, "k");
  BOOST_REQUIRE(program.blocks.size() == 6U);
  BOOST_TEST(program.blocks[0].name == "entry");
  BOOST_TEST(program.blocks[1].name == "after_2");
  BOOST_TEST(program.blocks[2].name == "THEN");
  BOOST_TEST(program.blocks[5].name == "END");
  BOOST_TEST(program.code[2].target == 5U);
  BOOST_TEST(program.code[2].rpc == 6U);  // MEET
  BOOST_TEST(program.code[4].rpc == 6U);
  BOOST_TEST(program.blocks[3].rpc == isa::NoPc);             // after the guarded exit
  BOOST_TEST((program.code.back().kind == isa::Kind::Exit));  // added for the label at the end
  BOOST_TEST(program.code[2].line == 8U);
}
