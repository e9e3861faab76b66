// SPDX-License-Identifier: Apache-2.0
// Bench of the dual-path stack with path forwarding: worked examples, and random programs, against the reference model.
// The walk through DPE Fig. 1 is that of dual_path_stack until E runs alone.
#include "Vforwarding_stack_hpca13.h"
#include "Vforwarding_stack_one.h"
#include "Vforwarding_stack_tiny.h"
#include "Vforwarding_stack_wide.h"
#include "rtl/config/design_points.h"
#include "rtl/forwarding_stack/forwarding_stack.h"
#include "tb/bench/control_flow_bench.h"
#include "tb/forwarding_stack/forwarding_model.h"

namespace heddle::bench {

namespace {

template <class Point>
using Shape = UnitShape<Point::SlotWarps, Point::Lanes, Point::PcBits, Point::DpeDepth, 2>;

template <class S>
using Block = forwarding_stack<S::Warps, S::Lanes, S::PcBits, S::Depth>;

template <class S, class Core>
class ForwardingBench : public ControlFlowBench<S, Block<S>, Core, ForwardingModel> {
  using Base = ControlFlowBench<S, Block<S>, Core, ForwardingModel>;
  using Flow = typename S::Flow;
  using Base::branch, Base::call, Base::check, Base::expect_stack, Base::grant_of, Base::hold, Base::idle, Base::issue,
      Base::launch, Base::leave, Base::resolve_of, Base::return_from, Base::start, Base::step;
  static constexpr Side L = Side::Left, R = Side::Right;

 public:
  explicit ForwardingBench(const Options& options) : Base("forwarding_stack", options) {}

  std::vector<Case> cases() override {
    if (S::Lanes < 4) return {};
    return {{"dpe_fig4_forwarded", "DPE Fig. 4 (d), sec. 7.1",
             "D is at F and E runs alone: B comes up beside E; then B beside F, which needs no move, then G",
             [this] { fig4(); }, named()},
            {"deferred", "ours", "B comes up and diverges: it waits in its entry until that is the TOS",
             [this] { deferred(); }},
            {"goes_down", "ours", "both sides of a branch need the slot, one side does not", [this] { goes_down(); }},
            {"calls", "ours", "no path comes up across a call; a forwarded path that calls waits until it is at home",
             [this] { calls(); }},
            {"exit", "ours", "the forwarded path exits", [this] { exits(); }}};
  }

 private:
  std::string text_of(const typename Block<S>::Entry& entry) const override { return text_of_pair(entry); }

  // The program of Fig. 1 as in the bench of dual_path_stack: A 1, C 4, E 7, F 10, G 11, B 14, D 17.
  static std::vector<NamedBlock> named() {
    return {{"A", 1, 3}, {"B", 14, 3}, {"C", 4, 3}, {"D", 17, 3}, {"E", 7, 3}, {"F", 10, 1}, {"G", 11, 3}};
  }

  /// To (c): D on the left, E on the right, B beneath. The path that waits is written first in an entry beneath.
  void to_d_and_e() {
    start();
    launch(lanes("1111"), 1, Flow::NoPc);
    issue(L, 2);
    branch(L, lanes("1000"), 14, 11);
    expect_stack("(b) A diverges: one entry holds B and C", {"11:1111 | - | none", "14:1000 | 4:0111 | 11"});
    issue(L, 1);
    issue(R, 2);
    branch(R, lanes("0100"), 17, 10);
    expect_stack("(c) C diverges: B is suspended beneath D and E",
                 {"11:1111 | - | none", "10:0111 | 15:1000 | 11", "17:0100 | 7:0011 | 10"});
    issue(L, 2);
    branch(L, lanes("0100"), 10, 10);
    expect_stack("(d) D is at its RPC and invalid",
                 {"11:1111 | - | none", "10:0111 | 15:1000 | 11", "- | 7:0011 | 10"});
  }

  void fig4() {
    to_d_and_e();
    idle();
    idle();
    expect_stack("(d) with forwarding: B beside E",
                 {"11:1111 | - | none", "10:0111 | - | 11", "15:1000 | 7:0011 | 10"});
    issue(L, 1);
    issue(R, 3);
    expect_stack("E is at its RPC", {"11:1111 | - | none", "10:0111 | - | 11", "16:1000 | - | 10"});
    hold(L);
    expect_stack("(e) popped: F beside B, which stays where it is", {"11:1111 | - | none", "16:1000 | 10:0111 | 11"});
    branch(L, lanes("1000"), 11, 11);
    issue(R, 1);
    idle();
    expect_stack("(f) popped: G with all lanes", {"11:1111 | - | none"});
    leave(L, lanes("1111"));
    expect_stack("done", {});
  }

  void deferred() {
    start();
    launch(lanes("1111"), 1, Flow::NoPc);
    branch(L, lanes("1100"), 20, 40);
    branch(R, lanes("0010"), 10, 30);
    expect_stack("the right side diverges", {"40:1111 | - | none", "30:0011 | 20:1100 | 40", "10:0010 | 3:0001 | 30"});
    branch(L, lanes("0010"), 30, 30);
    idle();
    idle();
    expect_stack("the left side is back", {"40:1111 | - | none", "30:0011 | - | 40", "20:1100 | 3:0001 | 30"});
    branch(L, lanes("0100"), 24, 28);
    expect_stack("it diverges: it waits behind its branch",
                 {"40:1111 | - | none", "30:0011 | 21:1100 | 40", "- | 3:0001 | 30"});
    idle();
    expect_stack("and stays there", {"40:1111 | - | none", "30:0011 | 21:1100 | 40", "- | 3:0001 | 30"});
    branch(R, lanes("0001"), 30, 30);
    step({}, {}, resolve_of(ResolveOp::Launch, L, lanes("1111"), 0, 0, S::Warps - 1));
    expect_stack("put off while a branch is resolved", {"40:1111 | - | none", "30:0011 | 21:1100 | 40", "- | - | 30"});
    idle();
    expect_stack("its entry would be the TOS: its sides are, the path beside it is suspended",
                 {"40:1111 | - | none", "28:1100 | 30:0011 | 40", "24:0100 | 21:1000 | 28"});
    issue(R, 7);
    idle();
    idle();
    expect_stack("now that one comes up", {"40:1111 | - | none", "28:1100 | - | 40", "24:0100 | 30:0011 | 28"});
    issue(L, 4);
    idle();
    expect_stack("its entry is the TOS", {"40:1111 | - | none", "28:1100 | 30:0011 | 40"});
  }

  void goes_down() {
    start();
    launch(lanes("1111"), 0, Flow::NoPc);
    branch(L, lanes("1000"), 20, 40);
    branch(R, lanes("0110"), 1, 6);
    expect_stack("a loop, one lane is out: the others take the left slot",
                 {"40:1111 | - | none", "6:0111 | 20:1000 | 40", "1:0110 | 2:0001 | 6"});
    branch(R, lanes("0001"), 6, 6);
    idle();
    idle();
    expect_stack("its sibling comes up beside the loop",
                 {"40:1111 | - | none", "6:0111 | - | 40", "1:0110 | 20:1000 | 6"});
    issue(L, 4);
    branch(L, lanes("0100"), 1, 6);
    expect_stack("the next lane is out: in place, and the forwarded path stays",
                 {"40:1111 | - | none", "6:0111 | - | 40", "1:0100 | 20:1000 | 6"});
    issue(R, 2);
    expect_stack("it goes on", {"40:1111 | - | none", "6:0111 | - | 40", "1:0100 | 22:1000 | 6"});
    issue(L, 5);
    idle();
    expect_stack("at home", {"40:1111 | - | none", "6:0111 | 22:1000 | 40"});
    branch(L, lanes("0100"), 10, 30);
    branch(L, lanes("0100"), 30, 30);
    idle();
    idle();
    expect_stack("up again, in the other slot", {"40:1111 | - | none", "30:0111 | - | 40", "22:1000 | 7:0011 | 30"});
    branch(R, lanes("0010"), 12, 30);
    expect_stack("both sides of a branch in place: it goes down",
                 {"40:1111 | - | none", "30:0111 | 22:1000 | 40", "12:0010 | 8:0001 | 30"});
  }

  void calls() {
    start();
    launch(lanes("1111"), 0, Flow::NoPc);
    branch(L, lanes("1100"), 4, 9);
    call(R, lanes("0011"), 20);
    idle();
    expect_stack("the right side calls: the left one does not come up",
                 {"9:1111 | - | none", "2:0011 | 4:1100 | 9", "20:0011 | - | none"});
    return_from(L, lanes("0011"));
    idle();
    expect_stack("the call is over", {"9:1111 | - | none", "2:0011 | 4:1100 | 9"});
    branch(R, lanes("1000"), 20, 30);
    branch(L, lanes("1000"), 30, 30);
    idle();
    idle();
    expect_stack("the other one comes up", {"9:1111 | - | none", "30:1100 | - | 9", "2:0011 | 5:0100 | 30"});
    call(L, lanes("0011"), 40);
    expect_stack("it calls: it waits for that in its entry",
                 {"9:1111 | - | none", "30:1100 | 3:0011 | 9", "- | 5:0100 | 30"});
    branch(R, lanes("0100"), 30, 30);
    idle();
    expect_stack("which would be the TOS: the function is",
                 {"9:1111 | - | none", "3:0011 | 30:1100 | 9", "40:0011 | - | none"});
    idle();
    expect_stack("and no path comes up across it", {"9:1111 | - | none", "3:0011 | 30:1100 | 9", "40:0011 | - | none"});
    return_from(L, lanes("0011"));
    idle();
    expect_stack("it came back", {"9:1111 | - | none", "3:0011 | 30:1100 | 9"});
  }

  void exits() {
    to_d_and_e();
    idle();
    idle();
    leave(L, lanes("1000"));
    expect_stack("B leaves", {"11:0111 | - | none", "10:0111 | - | 11", "- | 7:0011 | 10"});
    idle();
    expect_stack("no other path comes up", {"11:0111 | - | none", "10:0111 | - | 11", "- | 7:0011 | 10"});
  }
};

}  // namespace

}  // namespace heddle::bench

int sc_main(int argc, char** argv) {
  using namespace heddle;
  using namespace heddle::bench;
  using Tiny = ForwardingBench<Shape<point::tiny>, Vforwarding_stack_tiny>;
  using Hpca13 = ForwardingBench<Shape<point::hpca13>, Vforwarding_stack_hpca13>;
  using One = ForwardingBench<UnitShape<1, 1, 32, 2, 2>, Vforwarding_stack_one>;
  using Wide = ForwardingBench<UnitShape<5, 64, 64, 4, 2>, Vforwarding_stack_wide>;
  return run_bench(argc, argv, "forwarding_stack",
                   {{"tiny", bench_of<Tiny, built("tiny")>()},
                    {"hpca13", bench_of<Hpca13, built("hpca13")>()},
                    {"one", bench_of<One, built("one")>()},
                    {"wide", bench_of<Wide, built("wide")>()}});
}
