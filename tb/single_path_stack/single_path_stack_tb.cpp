// SPDX-License-Identifier: Apache-2.0
// Bench of the single-path stack: the papers' worked examples, and random programs, against the reference model.
#include "Vsingle_path_stack_hpca13.h"
#include "Vsingle_path_stack_one.h"
#include "Vsingle_path_stack_tiny.h"
#include "Vsingle_path_stack_wide.h"
#include "rtl/config/design_points.h"
#include "rtl/single_path_stack/single_path_stack.h"
#include "tb/bench/control_flow_bench.h"
#include "tb/single_path_stack/single_path_model.h"

namespace heddle::bench {

namespace {

template <class Point>
using Shape = UnitShape<Point::SlotWarps, Point::Lanes, Point::PcBits, Point::SpeDepth, 1>;

template <class S>
using Block = single_path_stack<S::Warps, S::Lanes, S::PcBits, S::Depth>;

template <class S, class Core>
class SinglePathBench : public ControlFlowBench<S, Block<S>, Core, SinglePathModel> {
  using Base = ControlFlowBench<S, Block<S>, Core, SinglePathModel>;
  using Flow = typename S::Flow;
  using Base::branch, Base::call, Base::check, Base::expect_refused, Base::expect_stack, Base::grant_of, Base::hold,
      Base::idle, Base::issue, Base::launch, Base::leave, Base::model, Base::resolve_of, Base::return_from, Base::start,
      Base::step;
  static constexpr Side L = Side::Left, R = Side::Right;

 public:
  explicit SinglePathBench(const Options& options) : Base("single_path_stack", options) {}

  std::vector<Case> cases() override {
    if (S::Lanes < 4) return {};
    std::vector<Case> all{
        {"dpe_fig1", "DPE Fig. 1, Fig. 2", "one path at a time: A B C D E F G", [this] { fig1(); }, named()},
        {"loop", "ours", "a divergent loop runs in the entry that its first divergence pushed", [this] { loop(); }},
        {"same_rpc", "ours", "the same RPC inside: the left side above the right one, in the entry's place",
         [this] { same_rpc(); }},
        {"call_at_rpc", "DESIGN 5", "a call right before the RPC: nothing is left to do when it comes back",
         [this] { call_at_rpc(); }},
        {"illegal", "ours", "what must be refused, by name, and changes nothing", [this] { illegal(); }}};
    if (S::Depth >= 5) {
      all.push_back({"dwf_stack", "DWF sec. 3.2, Fig. 5", "three lanes part at B and meet at E", [this] { dwf(); }});
      all.push_back({"exit", "ours", "lanes that leave are gone at every level", [this] { exits(); }});
      all.push_back({"call", "DESIGN 5",
                     "a call inside a call; its lanes part, some leave for good, the others come back",
                     [this] { calls(); }});
    }
    if (S::Depth % 2 == 1) {  // a branch pushes two entries onto the first one
      all.push_back({"full", "ours", "nested to the last entry and, where lanes are left to part, one past it",
                     [this] { full(); }});
    }
    return all;
  }

 private:
  std::string text_of(const typename Block<S>::Entry& entry) const override {
    const std::string path = fmt::format("{}:{}", unsigned(entry.pc), digits(entry.mask, 4));
    return fmt::format("{} | {}", entry.mask == 0 ? "-" : path, SinglePathModel::name_of(entry.rpc));
  }

  // Blocks of three instructions, F of one (the text); addresses, masks and the layout are ours:
  //   A 1..3, C 4..6, E 7..9, F 10, G 11..13, B 14..16, D 17..19
  // A's last branches to B (taken) or C, C's last to D (taken) or E, B's last jumps to G, D's last to F.
  static constexpr std::uint64_t A = 1, C = 4, E = 7, F = 10, G = 11, B = 14, D = 17;

  static std::vector<NamedBlock> named() {
    return {{"A", A, 3}, {"B", B, 3}, {"C", C, 3}, {"D", D, 3}, {"E", E, 3}, {"F", F, 1}, {"G", G, 3}};
  }

  std::string block_at(std::uint64_t pc) const {
    return pc < C ? "A" : pc < E ? "C" : pc < F ? "E" : pc < G ? "F" : pc < B ? "G" : pc < D ? "B" : "D";
  }
  void expect_running(const char* block) {
    const auto path = model(0).path(L);
    check.equal("block at the TOS", path.lanes.empty() ? std::string() : block_at(path.pc), std::string(block));
  }

  void fig1() {
    start();
    launch(lanes("1111"), A, Flow::NoPc);
    expect_stack("(a) one entry", {"1:1111 | none"});
    expect_running("A");
    issue(L, 2);
    branch(L, lanes("1000"), B, G);
    expect_stack("(b) A diverges: C beneath B", {"11:1111 | none", "4:0111 | 11", "14:1000 | 11"});
    expect_running("B");
    issue(L, 2);
    branch(L, lanes("1000"), G, G);
    expect_stack("B is at its RPC", {"11:1111 | none", "4:0111 | 11", "- | 11"});
    idle();
    expect_stack("(c) B is popped", {"11:1111 | none", "4:0111 | 11"});
    expect_running("C");
    issue(L, 2);
    branch(L, lanes("0100"), D, F);
    expect_stack("(d) C diverges: E beneath D", {"11:1111 | none", "10:0111 | 11", "7:0011 | 10", "17:0100 | 10"});
    expect_running("D");
    issue(L, 2);
    branch(L, lanes("0100"), F, F);
    idle();
    expect_stack("D is popped", {"11:1111 | none", "10:0111 | 11", "7:0011 | 10"});
    expect_running("E");
    issue(L, 3);
    idle();
    expect_stack("(e) E is popped", {"11:1111 | none", "10:0111 | 11"});
    expect_running("F");
    issue(L, 1);
    idle();
    expect_stack("(f) F is popped", {"11:1111 | none"});
    expect_running("G");
    issue(L, 2);
    leave(L, lanes("1111"));
    expect_stack("done", {});
  }

  // The masks 1110, 0001, 0110 and 1000 are the text's; addresses, and three instructions a block, ours:
  //   A 0..2 (to B, else F), F 3..5 (to G), B 6..8 (to C, else D), D 9..11, E 12..14 (to G), C 15..17 (to E), G 18
  void dwf() {
    start();
    launch(lanes("1111"), 0, Flow::NoPc);
    issue(L, 2);
    branch(L, lanes("1110"), 6, 18);
    issue(L, 2);
    expect_stack("(c) before the branch at B", {"18:1111 | none", "3:0001 | 18", "8:1110 | 18"});
    branch(L, lanes("1000"), 15, 12);
    expect_stack("(d) the old TOS waits at E (i), D with 0110 (ii), C with 1000 (iii)",
                 {"18:1111 | none", "3:0001 | 18", "12:1110 | 18", "9:0110 | 12", "15:1000 | 12"});
    issue(L, 2);
    branch(L, lanes("1000"), 12, 12);
    idle();
    expect_stack("C is at E: D runs", {"18:1111 | none", "3:0001 | 18", "12:1110 | 18", "9:0110 | 12"});
    issue(L, 3);
    idle();
    expect_stack("(e) all three are at E", {"18:1111 | none", "3:0001 | 18", "12:1110 | 18"});
    issue(L, 2);
    branch(L, lanes("1110"), 18, 18);
    idle();
    expect_stack("F runs with the fourth", {"18:1111 | none", "3:0001 | 18"});
    issue(L, 2);
    branch(L, lanes("0001"), 18, 18);
    idle();
    expect_stack("all four are at G", {"18:1111 | none"});
  }

  // 0 head, 1 branch to 0, meets at 2
  void loop() {
    start();
    launch(lanes("1111"), 0, Flow::NoPc);
    issue(L, 1);
    branch(L, lanes("1110"), 0, 2);
    expect_stack("one lane is out", {"2:1111 | none", "0:1110 | 2"});
    issue(L, 1);
    branch(L, lanes("1010"), 0, 2);
    expect_stack("two are out, in place", {"2:1111 | none", "0:1010 | 2"});
    issue(L, 1);
    branch(L, lanes("1000"), 0, 2);
    expect_stack("three are out, in place", {"2:1111 | none", "0:1000 | 2"});
    for (unsigned i = 0; i < 4; ++i) {
      issue(L, 1);
      branch(L, lanes("1000"), 0, 2);
    }
    expect_stack("still one entry for the loop", {"2:1111 | none", "0:1000 | 2"});
    issue(L, 1);
    branch(L, 0, 0, 2);
    expect_stack("the last lane is out", {"2:1111 | none", "- | 2"});
    idle();
    expect_stack("met again", {"2:1111 | none"});
  }

  void same_rpc() {
    start();
    launch(lanes("1111"), 0, Flow::NoPc);
    branch(L, lanes("1110"), 4, 9);
    expect_stack("two sides", {"9:1111 | none", "1:0001 | 9", "4:1110 | 9"});
    branch(L, lanes("1000"), 7, 9);
    expect_stack("the left one diverges again", {"9:1111 | none", "1:0001 | 9", "5:0110 | 9", "7:1000 | 9"});
    issue(L, 2);
    idle();
    branch(L, lanes("0100"), 9, 9);
    expect_stack("one side is at the RPC: in place", {"9:1111 | none", "1:0001 | 9", "6:0010 | 9"});
  }

  void exits() {
    start();
    launch(lanes("1111"), 0, Flow::NoPc);
    branch(L, lanes("1100"), 4, 20);
    branch(L, lanes("1000"), 20, 16);
    expect_stack("the right path alone is left after a pop",
                 {"20:1111 | none", "1:0011 | 20", "16:1100 | 20", "5:0100 | 16", "20:1000 | 16"});
    leave(L, 0);
    leave(L, lanes("1000"));
    expect_stack("a side leaves", {"20:0111 | none", "1:0011 | 20", "16:0100 | 20", "5:0100 | 16", "- | 16"});
    idle();
    leave(L, lanes("0100"));
    expect_stack("the other too", {"20:0011 | none", "1:0011 | 20", "- | 20", "- | 16"});
    idle();
    expect_stack("popped: nobody waits there", {"20:0011 | none", "1:0011 | 20", "- | 20"});
    idle();
    expect_stack("popped again", {"20:0011 | none", "1:0011 | 20"});
    leave(L, lanes("0001"));
    expect_stack("the rest goes on", {"20:0010 | none", "2:0010 | 20"});
    leave(L, lanes("0010"));
    expect_stack("with the last lane the warp is done", {});
  }

  void calls() {
    start();
    launch(lanes("1111"), 0, Flow::NoPc);
    call(L, lanes("1111"), 20);
    expect_stack("called from the lowest entry", {"1:1111 | none", "20:1111 | none"});
    issue(L, 1);
    branch(L, lanes("1100"), 25, 30);
    expect_stack("its lanes part", {"1:1111 | none", "30:1111 | none", "22:0011 | 30", "25:1100 | 30"});
    call(L, lanes("1100"), 20);
    expect_stack("one side calls again",
                 {"1:1111 | none", "30:1111 | none", "22:0011 | 30", "26:1100 | 30", "20:1100 | none"});
    branch(L, lanes("0100"), Flow::NoPc, Flow::NoPc);
    expect_stack("one lane returns before the other",
                 {"1:1111 | none", "30:1111 | none", "22:0011 | 30", "26:1100 | 30", "21:1000 | none"});
    leave(L, lanes("1000"));
    idle();
    expect_stack("which leaves for good", {"1:0111 | none", "30:0111 | none", "22:0011 | 30", "26:0100 | 30"});
    issue(L, 4);
    idle();
    issue(L, 8);
    idle();
    expect_stack("all met", {"1:0111 | none", "30:0111 | none"});
    branch(L, lanes("0010"), 40, Flow::NoPc);
    expect_stack("sides that meet only in the caller: in place", {"1:0111 | none", "31:0101 | none", "40:0010 | none"});
    return_from(L, lanes("0010"));
    idle();
    return_from(L, lanes("0101"));
    expect_stack("both came back", {"1:0111 | none", "- | none"});
    idle();
    expect_stack("behind the call", {"1:0111 | none"});
    call(L, lanes("0111"), 20);
    leave(L, lanes("0111"));
    expect_stack("all of them leave in a call", {});
  }

  void call_at_rpc() {
    start();
    launch(lanes("1111"), 0, Flow::NoPc);
    branch(L, lanes("1100"), 8, 9);
    call(L, lanes("1100"), 20);
    expect_stack("behind the call is the RPC", {"9:1111 | none", "1:0011 | 9", "- | 9", "20:1100 | none"});
    return_from(L, lanes("1100"));
    idle();
    expect_stack("it came back", {"9:1111 | none", "1:0011 | 9", "- | 9"});
    idle();
    expect_stack("and the next path runs", {"9:1111 | none", "1:0011 | 9"});
  }

  /// Each branch parts one lane from the others; two entries a branch, so the last may take one side only.
  void full() {
    start();
    launch(S::AllLanes, 0, Flow::NoPc);
    std::uint64_t own = S::AllLanes;
    unsigned n = 1;
    while ((own & (own - 1)) != 0 && model(0).depth() + 2 <= S::Depth) {
      own &= own - 1;
      branch(L, own, 10 * n, 10 * n + 1000);
      ++n;
    }
    check.equal("full", model(0).depth(), S::Depth);
    check.equal("lowest entry, PC", unsigned(dut_entry(0).pc), 1010U);
    if constexpr (S::MayOverflow) {
      const std::vector<std::string> before = model(0).entries();
      hold(L);
      expect_refused("one past it", "/overflow", {}, resolve_of(ResolveOp::Branch, L, own & (own - 1), 500, 600));
      expect_stack("and nothing changed", before);
    } else {
      check.equal("nobody is left to part", own & (own - 1), std::uint64_t(0));
    }
    const std::vector<std::string> before = model(0).entries();
    hold(L);
    expect_refused("a call", "/overflow", {}, resolve_of(ResolveOp::Call, L, own, 500, 0));
    expect_stack("and nothing changed", before);
  }

  void illegal() {
    start();
    launch(lanes("0111"), 0, Flow::NoPc);
    branch(L, lanes("0110"), 4, 9);
    const std::vector<std::string> stack{"9:0111 | none", "1:0001 | 9", "4:0110 | 9"};
    const auto refused = [&](const char* what, const typename Base::Grant& grant,
                             const typename Base::Resolve& resolve) {
      expect_refused(what, "/illegal", grant, resolve);
      expect_stack("refused", stack);
    };
    refused("launch of a running warp", {}, resolve_of(ResolveOp::Launch, L, 1, 0, 0));
    refused("launch without lanes", {}, resolve_of(ResolveOp::Launch, L, 0, 0, 0, S::Warps - 1));
    refused("grant of no path", grant_of(L, S::Warps - 1), {});
    refused("grant of a right path", grant_of(R), {});
    refused("branch of a right path", {}, resolve_of(ResolveOp::Branch, R, lanes("0100"), 6, 9));
    refused("taken lanes of others", {}, resolve_of(ResolveOp::Branch, L, lanes("0101"), 6, 9));
    refused("leaving lanes of others", {}, resolve_of(ResolveOp::Exit, L, lanes("0001"), 0, 0));
    refused("call of a part", {}, resolve_of(ResolveOp::Call, L, lanes("0100"), 6, 9));
    refused("call of a right path", {}, resolve_of(ResolveOp::Call, R, lanes("0110"), 6, 9));
    refused("no such operation", {}, resolve_of(ResolveOp(5), L, lanes("0110"), 6, 9));
    refused("return without a call", {}, resolve_of(ResolveOp::Branch, L, lanes("0110"), Flow::NoPc, 9));
    refused("return of a part without a call", {},
            resolve_of(ResolveOp::Branch, L, lanes("0100"), Flow::NoPc, Flow::NoPc));
    expect_refused("grant and branch of one path", "/illegal", grant_of(L),
                   resolve_of(ResolveOp::Branch, L, lanes("0010"), 6, 9));
    expect_stack("the grant is carried out", {"9:0111 | none", "1:0001 | 9", "5:0110 | 9"});
  }

  typename Block<S>::Entry dut_entry(unsigned level) const { return this->dut.entry_of(0, level); }
};

}  // namespace

}  // namespace heddle::bench

int sc_main(int argc, char** argv) {
  using namespace heddle;
  using namespace heddle::bench;
  using Tiny = SinglePathBench<Shape<point::tiny>, Vsingle_path_stack_tiny>;
  using Hpca13 = SinglePathBench<Shape<point::hpca13>, Vsingle_path_stack_hpca13>;
  using One = SinglePathBench<UnitShape<1, 1, 32, 2, 1>, Vsingle_path_stack_one>;
  using Wide = SinglePathBench<UnitShape<5, 64, 64, 4, 1>, Vsingle_path_stack_wide>;
  return run_bench(argc, argv, "single_path_stack",
                   {{"tiny", bench_of<Tiny, built("tiny")>()},
                    {"hpca13", bench_of<Hpca13, built("hpca13")>()},
                    {"one", bench_of<One, built("one")>()},
                    {"wide", bench_of<Wide, built("wide")>()}});
}
