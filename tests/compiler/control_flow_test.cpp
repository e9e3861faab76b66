// SPDX-License-Identifier: Apache-2.0
// Meeting points on graphs drawn by hand and at random, and blocks of PTX.
#include "sim/compiler/analysis/control_flow.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <random>

#include "sim/compiler/compile.h"
#include "sim/ptx/parser.h"

namespace compiler = heddle::compiler;
namespace isa = heddle::isa;
using compiler::VirtualExit;
using Edges = std::vector<std::vector<unsigned>>;
using Indices = std::vector<unsigned>;

namespace {

struct Marks {
  Indices ends, only_exits, waits;  // beside the blocks without successors, which end
  Indices traps = {}, computes = {};
};

compiler::FlowGraph graph_of(const Edges& successors, const Marks& marks) {
  compiler::FlowGraph graph(successors.size());
  graph.successors = successors;
  for (const unsigned block : marks.ends) graph.ends[block] = true;
  for (const unsigned block : marks.only_exits) graph.only_exits[block] = true;
  for (const unsigned block : marks.waits) graph.waits[block] = true;
  for (const unsigned block : marks.traps) graph.traps[block] = true;
  for (const unsigned block : marks.computes) graph.computes[block] = true;
  return graph;
}

/// Without early exits the meeting points are the immediate post-dominators.
void expect(const Edges& successors, const Indices& expected) {
  BOOST_TEST(compiler::immediate_post_dominators(graph_of(successors, {})) == expected,
             boost::test_tools::per_element());
  BOOST_TEST(compiler::meeting_points(graph_of(successors, {})) == expected, boost::test_tools::per_element());
}

void expect_meeting(const Edges& successors, const Marks& marks, const Indices& expected) {
  BOOST_TEST(compiler::meeting_points(graph_of(successors, marks)) == expected, boost::test_tools::per_element());
}

constexpr unsigned None = VirtualExit;

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

BOOST_AUTO_TEST_CASE(over_all_paths_two_exits_meet_only_at_the_virtual_exit) {
  const Edges successors{{1, 2}, {}, {}};
  BOOST_TEST(compiler::immediate_post_dominators(graph_of(successors, {})) == (Indices{None, None, None}),
             boost::test_tools::per_element());
  const Edges guarded{{1, 2}, {2}, {}};
  BOOST_TEST(compiler::immediate_post_dominators(graph_of(guarded, {{1}, {}, {}})) == (Indices{None, None, None}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_loop_without_end_has_no_post_dominator) {
  expect({{1, 2}, {1}, {}}, {2, None, None});
}

BOOST_AUTO_TEST_CASE(an_early_exit_on_one_side) {
  // 0 branches to 1, which ends, and to 2, which goes on: the others need not meet anybody.
  expect_meeting({{1, 2}, {}, {}}, {}, {2, None, None});
}

BOOST_AUTO_TEST_CASE(a_guarded_exit_inside_a_branch) {
  expect_meeting({{1, 3}, {2}, {3}, {}}, {{1}, {}, {}}, {3, 2, 3, None});
}

BOOST_AUTO_TEST_CASE(an_early_exit_inside_a_branch_inside_a_loop) {
  // 1: loop { if { 2: exit } 3: if { 4 } 5 } 6
  expect_meeting({{1}, {2, 3}, {}, {4, 5}, {5}, {1, 6}, {}}, {}, {1, 3, None, 5, 5, 6, None});
}

BOOST_AUTO_TEST_CASE(branches_among_lanes_that_leave) {
  // 0: if { 1: if { 2 } else { 3 } 4: if { 5: exit } 6: exit } 7: exit
  expect_meeting({{1, 7}, {2, 3}, {4}, {4}, {5, 6}, {}, {}, {}}, {}, {7, 4, 4, 4, 6, None, None, None});
}

BOOST_AUTO_TEST_CASE(the_only_way_out_counts) {
  // loop { 1: guarded exit; 2: if { 3 } 4 } for ever
  expect_meeting({{1}, {2}, {3, 4}, {4}, {1}}, {{1}, {}, {}}, {1, None, 4, 4, 1});
  // Two of them: the first is early.
  expect_meeting({{1}, {2}, {3, 4}, {4}, {1}}, {{1, 4}, {}, {}}, {1, 2, 4, 4, None});
}

BOOST_AUTO_TEST_CASE(a_branch_to_a_lone_exit_is_a_guarded_exit_where_a_barrier_follows) {
  // 0: branch to 4, or 1: loop { 2: barrier } 3; 4: exit
  const Edges successors{{1, 4}, {2}, {1, 3}, {4}, {}};
  expect_meeting(successors, {{}, {4}, {}}, {4, 2, 3, 4, None});
  expect_meeting(successors, {{}, {4}, {2}}, {1, 2, 3, 4, None});
  // 0: if { 1; return } 2: barrier; return. Both branch to 3.
  expect_meeting({{1, 2}, {3}, {3}, {}}, {{}, {3}, {2}}, {2, None, 3, None});
  expect_meeting({{1, 2}, {3}, {3}, {}}, {{}, {3}, {0}}, {3, 3, 3, None});
  // 0: if { 2: return } 1: barrier; return. Whichever stands at the code's end.
  expect_meeting({{1, 2}, {}, {}}, {{}, {}, {1}}, {1, None, None});
  expect_meeting({{2, 1}, {}, {}}, {{}, {}, {2}}, {2, None, None});
  // 0: if { 1: if { 4: return } 2 } 3: barrier; return.
  expect_meeting({{1, 3}, {2, 4}, {3}, {}, {}}, {{}, {}, {3}}, {3, 2, 3, None, None});
  // Lanes that leave a loop may come from any turn: 0: loop { 1: barrier; if { 2: return } } 3: return.
  expect_meeting({{1}, {2, 3}, {}, {1, 4}, {}}, {{}, {}, {1}}, {1, 3, None, 4, None});
  // Unless there is no other way out: 0 enters the loop 1, which waits and ends with its branch.
  expect_meeting({{1}, {1, 2}, {}}, {{}, {2}, {1}}, {1, 2, None});
}

BOOST_AUTO_TEST_CASE(a_trap_side_is_no_side) {
  // 0: branch to 3, or 1: branch to the trap 4, or 2; both meet at 3.
  const Edges throws{{1, 3}, {2, 4}, {3}, {}, {}};
  expect_meeting(throws, {{}, {}, {3}, {4}}, {3, 2, 3, None, None});
  // Wherever the trap stands, and whatever stands in front of it: 1 is a branch of two blocks that trap, 2 and 3.
  expect_meeting({{1, 4}, {2, 3}, {}, {2}, {}}, {{}, {}, {4}, {2}}, {4, 2, None, 2, None});
  // Several traps, one of them by a call (5) that seems to go on to 3.
  expect_meeting({{1, 3}, {2, 4}, {3, 5}, {}, {}, {3}}, {{}, {}, {3}, {4, 5}}, {3, 2, 3, None, None, None});
}

BOOST_AUTO_TEST_CASE(trap_sides_in_loops) {
  // 1: loop { branch to the trap 5; 2: if { 3: branch to the trap 5 } 4: again, or 6 }
  expect_meeting({{1}, {2, 5}, {3, 4}, {4, 5}, {1, 6}, {}, {}}, {{}, {}, {6}, {5}}, {1, 2, 4, 4, 6, None, None});
  // The trap's side has a loop of its own: 2, 3.
  expect_meeting({{1, 4}, {2, 4}, {3}, {2, 5}, {}, {}}, {{}, {}, {4}, {5}}, {4, 4, 3, 5, None, None});
  // A loop that only a trap ends, beside a way out: the lanes that are not in it are not waited for.
  expect_meeting({{1, 2}, {1, 3}, {}, {}}, {{}, {}, {}, {3}}, {2, 3, None, None});
}

BOOST_AUTO_TEST_CASE(a_side_that_may_trap_or_go_on_is_a_side) {
  // 0: branch to 1, which traps (3) or goes on to 4, or to 2.
  expect_meeting({{1, 2}, {3, 4}, {4}, {}, {}}, {{}, {}, {4}, {3}}, {4, 4, 4, None, None});
}

BOOST_AUTO_TEST_CASE(an_exit_behind_a_check_is_an_exit) {
  // 0: branch to 3, or 1: barrier 2; both go to 3, which checks (5 traps) and goes to the exit 4.
  const Edges early{{3, 1}, {2}, {3}, {4, 5}, {}, {}};
  expect_meeting(early, {{}, {4}, {1}, {5}, {3}}, {1, 2, 3, 4, None, None});
  // Not where the block does more than to check, and not where nobody waits.
  expect_meeting(early, {{}, {4}, {1}, {5}, {}}, {3, 2, 3, 4, None, None});
  expect_meeting(early, {{}, {4}, {}, {5}, {3}}, {3, 2, 3, 4, None, None});
  // 0: if { 1; return } 2: barrier; return. Both branch to 3, which checks twice: 3 and 4 (6 traps) before the exit 5.
  expect_meeting({{1, 2}, {3}, {3}, {4, 6}, {5, 6}, {}, {}}, {{}, {5}, {2}, {6}, {3, 4}},
                 {2, None, 3, 4, 5, None, None});
  // A block that checks nothing is a meeting point like any block.
  expect_meeting({{1, 2}, {3}, {3}, {4}, {}}, {{}, {4}, {2}, {}, {3}}, {3, 3, 3, 4, None});
}

BOOST_AUTO_TEST_CASE(where_both_sides_trap) {
  // 0: branch to the traps 1 and 2, or to 2 by 3, where lanes meet to trap.
  expect_meeting({{1, 2}, {}, {}}, {{}, {}, {}, {1, 2}}, {2, None, None});
  expect_meeting({{1, 2}, {3}, {3}, {}}, {{}, {}, {}, {3}}, {3, 3, 3, None});
  // Beside lanes that live: 0 branches to 1, the one of before, or to 5.
  expect_meeting({{1, 5}, {2, 3}, {4}, {4}, {}, {}}, {{}, {}, {5}, {4}}, {5, 4, 4, 4, None, None});
}

BOOST_AUTO_TEST_CASE(exits_and_loops_without_end_are_no_traps) {
  // As a_trap_side_is_no_side, where 4 exits or loops instead.
  expect_meeting({{1, 3}, {2, 4}, {3}, {}, {}}, {}, {1, 4, 3, None, None});
  expect_meeting({{1, 3}, {2, 4}, {3}, {}, {4}}, {{}, {}, {3}}, {3, 2, 3, None, None});
}

namespace {

/// Blocks on the ways from one, itself included; behind a trap there is none.
Indices reached_from(const Edges& successors, const Marks& marks, unsigned start) {
  Indices found{start};
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (std::count(marks.traps.begin(), marks.traps.end(), found[i]) != 0) continue;
    for (const unsigned next : successors[found[i]])
      if (std::count(found.begin(), found.end(), next) == 0) found.push_back(next);
  }
  return found;
}

/// Walks at random from every block, many times: a walk that does not end before must pass the meeting point. Where all
/// walks meet that do not trap, there is one.
void walk(const Edges& successors, const Marks& marks, std::mt19937& random) {
  const compiler::FlowGraph graph = graph_of(successors, marks);
  const Indices meet = compiler::meeting_points(graph);
  // From these every way that ends ends in a trap: by what can be reached, with no knowledge of the rule.
  std::vector<bool> lost(successors.size());
  for (unsigned start = 0; start < successors.size(); ++start) {
    bool traps = false, lives = false;
    for (const unsigned block : reached_from(successors, marks, start)) {
      const bool is_trap = graph.traps[block];
      traps = traps || is_trap;
      lives = lives || (!is_trap && (graph.ends[block] || successors[block].empty()));
    }
    lost[start] = traps && !lives;
  }
  compiler::FlowGraph living = graph_of(successors, marks);
  for (unsigned block = 0; block < successors.size(); ++block) {
    living.successors[block].clear();
    for (const unsigned next : successors[block])
      if (!graph.traps[block] && (lost[block] || !lost[next])) living.successors[block].push_back(next);
  }
  const Indices plain = compiler::immediate_post_dominators(living);
  std::vector<bool> exits = graph.only_exits;  // behind checks too
  for (unsigned again = 0; again < successors.size(); ++again)
    for (unsigned block = 0; block < successors.size(); ++block)
      if (graph.computes[block] && !graph.ends[block] && living.successors[block].size() == 1 &&
          successors[block].size() == 2 && exits[living.successors[block][0]])
        exits[block] = true;
  for (unsigned start = 0; start < successors.size(); ++start) {
    // Sides that meet over all paths meet, if not just to exit.
    if (plain[start] != None && !exits[plain[start]]) BOOST_TEST(meet[start] != None);
    if (meet[start] == None) continue;
    for (unsigned attempt = 0; attempt < 20; ++attempt) {
      unsigned at = start, steps = 0;
      bool passed = false, ended = false;
      do {
        ended = successors[at].empty() || graph.traps[at];
        if (!ended) at = successors[at][random() % successors[at].size()];
        passed = passed || at == meet[start];
      } while (!ended && !passed && ++steps < 1000);
      if (passed) continue;
      // It left for good: from where it is, nobody can come to the meeting point.
      const Indices rest = reached_from(successors, marks, at);
      BOOST_TEST(std::count(rest.begin(), rest.end(), meet[start]) == 0);
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(lanes_that_go_on_reach_the_meeting_point) {
  std::mt19937 random(7);
  for (unsigned graph = 0; graph < 500; ++graph) {
    const unsigned blocks = 3 + random() % 10;
    Edges successors(blocks);
    Marks marks;
    for (unsigned block = 0; block + 1 < blocks; ++block) {
      if (random() % 6 == 0) continue;  // ends
      successors[block].push_back(block + 1);
      const unsigned other = random() % blocks;
      if (random() % 2 == 0 && other != block + 1) successors[block].push_back(other);
      if (random() % 8 == 0) marks.ends.push_back(block);
      if (random() % 8 == 0) marks.waits.push_back(block);
      if (graph % 3 == 0) marks.computes.push_back(block);
    }
    for (unsigned block = 0; block < blocks; ++block)
      if (successors[block].empty() && random() % 2 == 0) marks.only_exits.push_back(block);
    for (unsigned block = 0; block < blocks; ++block) {
      // A call that does not return has a block behind it.
      const bool is_exit = std::count(marks.ends.begin(), marks.ends.end(), block) != 0 ||
                           std::count(marks.only_exits.begin(), marks.only_exits.end(), block) != 0;
      if (graph % 2 == 0 && !is_exit && successors[block].size() < 2 && random() % 4 == 0) marks.traps.push_back(block);
    }
    walk(successors, marks, random);
  }
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
  BOOST_REQUIRE(program.blocks.size() == 5U);  // the branch to END leads to the next instruction, and is dropped
  BOOST_TEST(program.blocks[0].name == "entry");
  BOOST_TEST(program.blocks[1].name == "after_2");
  BOOST_TEST(program.blocks[2].name == "THEN");
  BOOST_TEST(program.blocks[4].name == "END");
  BOOST_TEST(program.code[2].target == 5U);
  BOOST_TEST(program.code[2].rpc == 6U);  // MEET
  BOOST_TEST(program.code[4].rpc == 6U);
  BOOST_TEST(program.blocks[3].rpc == 7U);                    // the guarded exit: the others go on
  BOOST_TEST((program.code.back().kind == isa::Kind::Exit));  // added for the label at the end
  BOOST_TEST(program.code[2].line == 8U);
}

namespace {

/// The program of an entry of tests/ptx/trap_sides.ptx.
isa::Program trap_sides(const std::string& entry) {
  return compiler::compile(heddle::ptx::parse_file(HEDDLE_PTX_SOURCES "/trap_sides.ptx"), entry);
}

isa::Pc start_of(const isa::Program& program, const std::string& label) {
  for (const isa::BasicBlock& block : program.blocks)
    if (block.name == label) return block.first;
  BOOST_FAIL(label << " is no block of " << program.name);
  return isa::NoPc;
}

}  // namespace

/// The branch that parts the warp meets in front of the barrier, however the side that no thread takes ends.
BOOST_AUTO_TEST_CASE(rpcs_beside_trap_sides) {
  for (const char* entry : {"by_trap", "by_call", "by_a_function_of_traps", "by_a_last_call", "by_leaving"}) {
    const isa::Program program = trap_sides(entry);
    const isa::Pc meet = start_of(program, "CONT");
    BOOST_TEST_CONTEXT(entry) {
      BOOST_TEST(program.blocks[0].rpc == meet);
      // The branch to the trap has one side: where the other lanes go, they have met.
      const isa::Pc other = program.blocks[1].last + 1;
      BOOST_TEST(program.blocks[1].rpc ==
                 (entry == std::string("by_a_function_of_traps") ? start_of(program, "GOOD") : other));
    }
  }
  const isa::Program nested = trap_sides("nested");
  const auto rpc_of = [&](const std::string& block) {
    for (const isa::BasicBlock& one : nested.blocks)
      if (one.name == block) return one.rpc;
    return isa::NoPc;
  };
  BOOST_TEST(rpc_of("LOOP") == nested.blocks[2].first);
  BOOST_TEST(nested.blocks[2].rpc == start_of(nested, "MET"));
  BOOST_TEST(rpc_of("CHECKED") == start_of(nested, "MET"));
  BOOST_TEST(rpc_of("MET") == start_of(nested, "DONE"));
  BOOST_TEST(rpc_of("SLOW_THROW") != isa::NoPc);
}

/// The exit that all share has a check in front: lanes that leave early do not wait there for those at the barrier.
BOOST_AUTO_TEST_CASE(an_early_exit_behind_a_check) {
  const isa::Program program = trap_sides("checked_exit");
  for (const isa::BasicBlock& block : program.blocks)
    if (block.last < start_of(program, "DONE") && block.successors.size() > 1)
      BOOST_TEST(block.rpc != start_of(program, "DONE"), block.name);
}

/// What an assertion becomes: the side that prints does not come back.
BOOST_AUTO_TEST_CASE(an_assertion_is_a_trap_side) {
  const heddle::ptx::Module module = heddle::ptx::parse_file(HEDDLE_PTX_SOURCES "/assertion.ptx");
  const isa::Program program = compiler::compile(module, "k");
  BOOST_TEST(program.blocks[0].rpc == start_of(program, "MEET"));
  BOOST_TEST((program.code.back().kind == isa::Kind::Trap));
}
