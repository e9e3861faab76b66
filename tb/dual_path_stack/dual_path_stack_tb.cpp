// SPDX-License-Identifier: Apache-2.0
// Bench of the dual-path stack: the papers' worked examples, and random programs, against the reference model.
#include "Vdual_path_stack_hpca13.h"
#include "Vdual_path_stack_hpca13_memory_splits.h"
#include "Vdual_path_stack_one.h"
#include "Vdual_path_stack_one_memory_splits.h"
#include "Vdual_path_stack_tiny.h"
#include "Vdual_path_stack_tiny_memory_splits.h"
#include "Vdual_path_stack_wide.h"
#include "Vdual_path_stack_wide_memory_splits.h"
#include "rtl/config/design_points.h"
#include "rtl/dual_path_stack/dual_path_stack.h"
#include "tb/bench/control_flow_bench.h"
#include "tb/dual_path_stack/dual_path_model.h"

namespace heddle::bench {

namespace {

template <class Point>
using Shape = UnitShape<Point::SlotWarps, Point::Lanes, Point::PcBits, Point::DpeDepth, 2>;

/// The block of the kind that this model has.
template <class S, class Model>
using Block = dual_path_stack<S::Warps, S::Lanes, S::PcBits, S::Depth, memory_splits<Model>>;

template <class S, class Model, class Core>
using KindBench = ControlFlowBench<S, Block<S, Model>, Core, Model>;

template <class S, class Core>
class DualPathBench : public KindBench<S, DualPathModel, Core> {
  using Base = KindBench<S, DualPathModel, Core>;
  using Flow = typename S::Flow;
  using Base::branch, Base::call, Base::check, Base::expect_refused, Base::expect_stack, Base::grant_of, Base::hold,
      Base::idle, Base::issue, Base::launch, Base::leave, Base::model, Base::resolve_of, Base::return_from, Base::start,
      Base::step;
  static constexpr Side L = Side::Left, R = Side::Right;

 public:
  explicit DualPathBench(const Options& options) : Base("dual_path_stack", options) {}

  std::vector<Case> cases() override {
    if (S::Lanes < 4) return {};
    return {
        {"dpe_fig1", "DPE Fig. 1, Fig. 4", "B waits for its load when C diverges: B+C, then D+E, then B+F, then G",
         [this] { fig1(); }, named()},
        {"loop", "ours", "a divergent loop runs in the entry that its first divergence pushed", [this] { loop(); }},
        {"loop_beside", "ours", "the same RPC inside: pushed only while the sibling lives", [this] { beside(); }},
        {"exit", "ours", "lanes that leave are gone at every level", [this] { exits(); }},
        {"call", "DESIGN 5",
         "a side calls, the other one waits; the call's lanes part, one leaves for good, one comes back",
         [this] { calls(); }},
        {"call_at_rpc", "DESIGN 5", "a call right before the RPC: nothing is left to do when it comes back",
         [this] { call_at_rpc(); }},
        {"full", "ours", "nested to the last entry and, where lanes are left to part, one past it", [this] { full(); }},
        {"illegal", "ours", "what must be refused, by name, and changes nothing", [this] { illegal(); }}};
  }

 private:
  std::string text_of(const typename Block<S, DualPathModel>::Entry& entry) const override {
    return text_of_pair(entry);
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
  std::string running() const {
    std::string names;
    for (const Side side : {L, R}) {
      const auto path = model(0).path(side);
      if (!path.lanes.empty()) names += (names.empty() ? "" : "+") + block_at(path.pc);
    }
    return names;
  }
  void expect_running(const char* blocks) { check.equal("blocks at the TOS", running(), std::string(blocks)); }

  void fig1() {
    start();
    launch(lanes("1111"), A, Flow::NoPc);
    expect_stack("(a) the warp starts on one path", {"1:1111 | - | none"});
    expect_running("A");
    issue(L, 2);
    branch(L, lanes("1000"), B, G);
    expect_stack("(b) A diverges: one entry holds B and C", {"11:1111 | - | none", "14:1000 | 4:0111 | 11"});
    expect_running("B+C");
    issue(L, 1);  // B's load; B waits for it from here on
    issue(R, 2);
    branch(R, lanes("0100"), D, F);
    expect_stack("(c) C diverges: B is suspended beneath D and E",
                 {"11:1111 | - | none", "15:1000 | 10:0111 | 11", "17:0100 | 7:0011 | 10"});
    expect_running("D+E");
    issue(R, 1);
    issue(L, 2);
    branch(L, lanes("0100"), F, F);
    expect_stack("(d) D is at its RPC and invalid, E runs on",
                 {"11:1111 | - | none", "15:1000 | 10:0111 | 11", "- | 8:0011 | 10"});
    expect_running("E");
    issue(R, 2);
    expect_stack("E is at its RPC too", {"11:1111 | - | none", "15:1000 | 10:0111 | 11", "- | - | 10"});
    idle();
    expect_stack("(e) popped: B beside F", {"11:1111 | - | none", "15:1000 | 10:0111 | 11"});
    expect_running("B+F");
    issue(R, 1);
    expect_stack("F is at G", {"11:1111 | - | none", "15:1000 | - | 11"});
    issue(L, 1);  // the load is back
    branch(L, lanes("1000"), G, G);
    idle();
    expect_stack("(f) popped: G with all lanes", {"11:1111 | - | none"});
    expect_running("G");
    issue(L, 2);
    leave(L, lanes("1111"));
    expect_stack("done", {});
  }

  // 0 head, 1 branch to 0, meets at 2
  void loop() {
    start();
    launch(lanes("1111"), 0, Flow::NoPc);
    issue(L, 1);
    branch(L, lanes("1110"), 0, 2);
    expect_stack("one lane is out", {"2:1111 | - | none", "0:1110 | - | 2"});
    issue(L, 1);
    branch(L, lanes("1010"), 0, 2);
    expect_stack("two are out, in place", {"2:1111 | - | none", "0:1010 | - | 2"});
    issue(L, 1);
    branch(L, lanes("1000"), 0, 2);
    expect_stack("three are out, in place", {"2:1111 | - | none", "0:1000 | - | 2"});
    for (unsigned i = 0; i < 4; ++i) {
      issue(L, 1);
      branch(L, lanes("1000"), 0, 2);
    }
    expect_stack("still one entry for the loop", {"2:1111 | - | none", "0:1000 | - | 2"});
    issue(L, 1);
    branch(L, 0, 0, 2);
    expect_stack("the last lane is out", {"2:1111 | - | none", "- | - | 2"});
    idle();
    expect_stack("met again", {"2:1111 | - | none"});
  }

  // 0 branch to 4, meets at 9; in its sides, branches that meet at 9 too
  void beside() {
    start();
    launch(lanes("1111"), 0, Flow::NoPc);
    branch(L, lanes("1100"), 4, 9);
    expect_stack("two sides", {"9:1111 | - | none", "4:1100 | 1:0011 | 9"});
    branch(R, lanes("0010"), 6, 9);
    expect_stack("the right one diverges beside its sibling: pushed, and not kept beneath",
                 {"9:1111 | - | none", "4:1100 | - | 9", "6:0010 | 2:0001 | 9"});
    issue(L, 3);
    issue(R, 7);
    idle();
    expect_stack("the sibling goes on", {"9:1111 | - | none", "4:1100 | - | 9"});
    branch(L, lanes("0100"), 7, 9);
    expect_stack("it diverges alone: in place", {"9:1111 | - | none", "7:0100 | 5:1000 | 9"});
    hold(L);
    step(grant_of(R), {}, resolve_of(ResolveOp::Branch, L, lanes("0100"), 3, 9));
    expect_stack("an advance and a branch of the siblings in one cycle", {"9:1111 | - | none", "3:0100 | 6:1000 | 9"});
  }

  void exits() {
    start();
    launch(lanes("1111"), 0, Flow::NoPc);
    branch(L, lanes("1100"), 4, 20);
    branch(L, lanes("1000"), 8, 16);
    expect_stack("three entries", {"20:1111 | - | none", "16:1100 | 1:0011 | 20", "8:1000 | 5:0100 | 16"});
    leave(L, 0);
    leave(L, lanes("1000"));
    expect_stack("a side leaves", {"20:0111 | - | none", "16:0100 | 1:0011 | 20", "- | 5:0100 | 16"});
    leave(R, lanes("0100"));
    expect_stack("the other too", {"20:0011 | - | none", "- | 1:0011 | 20", "- | - | 16"});
    idle();
    expect_stack("their entry is popped, nobody waits beneath", {"20:0011 | - | none", "- | 1:0011 | 20"});
    leave(R, lanes("0001"));
    expect_stack("the rest goes on", {"20:0010 | - | none", "- | 2:0010 | 20"});
    leave(R, lanes("0010"));
    expect_stack("with the last lane the warp is done", {});
  }

  void calls() {
    start();
    launch(lanes("1111"), 0, Flow::NoPc);
    branch(L, lanes("1100"), 4, 9);
    issue(L, 1);
    call(R, lanes("0011"), 20);
    expect_stack("the right side calls", {"9:1111 | - | none", "5:1100 | 2:0011 | 9", "20:0011 | - | none"});
    branch(L, lanes("0001"), 40, Flow::NoPc);
    expect_stack("sides that meet only in the caller: in place",
                 {"9:1111 | - | none", "5:1100 | 2:0011 | 9", "40:0001 | 21:0010 | none"});
    return_from(R, lanes("0010"));
    expect_stack("one comes back, the other one runs on",
                 {"9:1111 | - | none", "5:1100 | 2:0011 | 9", "40:0001 | - | none"});
    leave(L, lanes("0001"));
    expect_stack("it leaves for good", {"9:1110 | - | none", "5:1100 | 2:0010 | 9", "- | - | none"});
    idle();
    expect_stack("the call is over", {"9:1110 | - | none", "5:1100 | 2:0010 | 9"});
    call(L, lanes("1100"), 20);
    branch(L, lanes("0100"), Flow::NoPc, Flow::NoPc);
    expect_stack("one lane returns before the other",
                 {"9:1110 | - | none", "6:1100 | 2:0010 | 9", "- | 21:1000 | none"});
    if (S::Depth > 3) {
      call(R, lanes("1000"), 20);
      expect_stack("a call in a call",
                   {"9:1110 | - | none", "6:1100 | 2:0010 | 9", "- | 22:1000 | none", "20:1000 | - | none"});
      leave(L, lanes("1000"));
      idle();
      expect_stack("nobody comes back from it", {"9:0110 | - | none", "6:0100 | 2:0010 | 9", "- | - | none"});
    } else {
      leave(R, lanes("1000"));
    }
    idle();
    expect_stack("both sides go on", {"9:0110 | - | none", "6:0100 | 2:0010 | 9"});
    call(R, lanes("0010"), 20);
    leave(L, lanes("0010"));
    idle();
    leave(L, lanes("0100"));
    expect_stack("with the last lane the warp is done", {});
  }

  void call_at_rpc() {
    start();
    launch(lanes("1111"), 0, Flow::NoPc);
    branch(L, lanes("1100"), 8, 9);
    hold(L);
    step(grant_of(R), {}, resolve_of(ResolveOp::Call, L, lanes("1100"), 20, 0));
    expect_stack("behind the call is the RPC; the other side advanced in the same cycle",
                 {"9:1111 | - | none", "- | 2:0011 | 9", "20:1100 | - | none"});
    return_from(L, lanes("1100"));
    idle();
    expect_stack("it came back", {"9:1111 | - | none", "- | 2:0011 | 9"});
    issue(R, 6);
    call(R, lanes("0011"), 20);
    return_from(L, lanes("0011"));
    idle();
    expect_stack("so did the other one", {"9:1111 | - | none", "- | - | 9"});
    idle();
    expect_stack("met", {"9:1111 | - | none"});
  }

  /// Each branch parts one lane from the others.
  void full() {
    start();
    launch(S::AllLanes, 0, Flow::NoPc);
    unsigned depth = 1;
    std::uint64_t own = S::AllLanes;
    while ((own & (own - 1)) != 0 && depth < S::Depth) {
      own &= own - 1;
      branch(L, own, 10 * depth, 10 * depth + 1000);
      check.equal("depth", model(0).depth(), ++depth);
    }
    check.equal("full", depth, S::Depth);
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
    branch(L, lanes("0100"), 4, 9);
    const std::vector<std::string> stack{"9:0111 | - | none", "4:0100 | 1:0011 | 9"};
    const auto refused = [&](const char* what, const typename Base::Grant& grant,
                             const typename Base::Resolve& resolve) {
      expect_refused(what, "/illegal", grant, resolve);
      expect_stack("refused", stack);
    };
    refused("launch of a running warp", {}, resolve_of(ResolveOp::Launch, L, 1, 0, 0));
    refused("launch without lanes", {}, resolve_of(ResolveOp::Launch, L, 0, 0, 0, S::Warps - 1));
    refused("grant of no slot", grant_of(L, S::Warps - 1), {});
    refused("taken lanes of others", {}, resolve_of(ResolveOp::Branch, L, lanes("0110"), 6, 9));
    refused("leaving lanes of others", {}, resolve_of(ResolveOp::Exit, R, lanes("0100"), 0, 0));
    refused("call of a part", {}, resolve_of(ResolveOp::Call, R, lanes("0010"), 6, 9));
    refused("call to nowhere", {}, resolve_of(ResolveOp::Call, R, lanes("0011"), Flow::NoPc, 9));
    refused("no such operation", {}, resolve_of(ResolveOp(7), L, lanes("0100"), 6, 9));
    refused("return without a call", {}, resolve_of(ResolveOp::Branch, R, lanes("0011"), Flow::NoPc, 9));
    refused("return of a part without a call", {},
            resolve_of(ResolveOp::Branch, R, lanes("0001"), Flow::NoPc, Flow::NoPc));
    expect_refused("grant and branch of one slot", "/illegal", grant_of(R),
                   resolve_of(ResolveOp::Branch, R, lanes("0010"), 6, 9));
    expect_stack("the grant is carried out", {"9:0111 | - | none", "4:0100 | 2:0011 | 9"});
  }
};

/// Memory divergence, DPE sec. 7.2.
template <class S, class Core>
class MemorySplitBench : public KindBench<S, MemorySplitModel, Core> {
  using Base = KindBench<S, MemorySplitModel, Core>;
  using Flow = typename S::Flow;
  using Base::branch, Base::call, Base::memory_split, Base::expect_refused, Base::expect_stack, Base::grant_of,
      Base::idle, Base::issue, Base::launch, Base::leave, Base::resolve_of, Base::start;
  static constexpr Side L = Side::Left, R = Side::Right;

 public:
  explicit MemorySplitBench(const Options& options) : Base("dual_path_stack", options) {}

  std::vector<Case> cases() override {
    if (S::Lanes < 4) return {};
    return {
        {"to_the_branch", "DPE sec. 7.2", "lanes that hit go on beside those that miss, and wait for them at a branch",
         [this] { to_the_branch(); }},
        {"to_the_rpc", "DPE sec. 7.2", "the parts come to their RPC one after the other", [this] { to_the_rpc(); }},
        {"apart", "ours", "a part that meets nobody diverges or calls: the other one is suspended",
         [this] { apart(); }},
        {"exit", "ours", "a part leaves", [this] { exits(); }},
        {"never_split_by_memory", "ours", "sides of a branch do not become one path, though they stand at one PC",
         [this] { never_split_by_memory(); }},
        {"illegal_memory_splits", "ours", "what must be refused, by name, and changes nothing", [this] { illegal(); }}};
  }

 private:
  std::string text_of(const typename Block<S, MemorySplitModel>::Entry& entry) const override {
    return text_of_pair(entry);
  }

  // 1 load, 4 branch to 9, meets at 12
  void to_the_branch() {
    start();
    launch(lanes("1111"), 0, Flow::NoPc);
    issue(L, 2);
    memory_split(R, lanes("1100"));
    expect_stack("two lanes hit: they have the free slot", {"2:0011 | 2:1100 | none"});
    issue(R, 2);
    expect_stack("they go on to the branch", {"2:0011 | 4:1100 | none"});
    issue(L, 2);  // the load is there
    expect_stack("the others come", {"4:0011 | 4:1100 | none"});
    memory_split(L, lanes("1111"));
    expect_stack("one path again", {"4:1111 | - | none"});
    branch(L, lanes("1010"), 9, 12);
    expect_stack("all of it diverges", {"12:1111 | - | none", "9:1010 | 5:0101 | 12"});
  }

  void to_the_rpc() {
    start();
    launch(lanes("1111"), 0, Flow::NoPc);
    branch(L, lanes("1110"), 4, 9);
    issue(R, 8);
    expect_stack("the right side is at the RPC", {"9:1111 | - | none", "4:1110 | - | 9"});
    issue(L, 1);
    memory_split(R, lanes("0100"));
    expect_stack("of the left side one lane hits", {"9:1111 | - | none", "5:1010 | 5:0100 | 9"});
    issue(R, 4);
    expect_stack("it is at the RPC", {"9:1111 | - | none", "5:1010 | - | 9"});
    memory_split(R, lanes("1000"));
    expect_stack("the next load: one of the two lanes that are left hits",
                 {"9:1111 | - | none", "5:0010 | 5:1000 | 9"});
    issue(L, 4);
    issue(R, 4);
    idle();
    expect_stack("met", {"9:1111 | - | none"});
  }

  void apart() {
    start();
    launch(lanes("1111"), 0, Flow::NoPc);
    memory_split(R, lanes("0011"));
    branch(L, lanes("1000"), 10, 20);
    expect_stack("the left part diverges beside the right one", {"20:1100 | 0:0011 | none", "10:1000 | 1:0100 | 20"});
    issue(L, 10);
    issue(R, 19);
    idle();
    expect_stack("it has met", {"20:1100 | 0:0011 | none"});
    call(R, lanes("0011"), 30);
    expect_stack("the right part calls", {"20:1100 | 1:0011 | none", "30:0011 | - | none"});
    memory_split(R, lanes("0001"));
    expect_stack("in the function a load parts it", {"20:1100 | 1:0011 | none", "30:0010 | 30:0001 | none"});
  }

  void exits() {
    start();
    launch(lanes("1111"), 0, Flow::NoPc);
    memory_split(L, lanes("1100"));
    expect_stack("lanes that hit may be on the left", {"0:1100 | 0:0011 | none"});
    leave(L, lanes("1000"));
    leave(R, lanes("0011"));
    expect_stack("one is left", {"1:0100 | - | none"});
    memory_split(R, lanes("0100"));
    expect_stack("all lanes to the other side", {"- | 1:0100 | none"});
    leave(R, lanes("0100"));
    expect_stack("done", {});
  }

  void illegal() {
    start();
    launch(lanes("0111"), 0, Flow::NoPc);
    branch(L, lanes("0100"), 4, 9);
    const std::vector<std::string> stack{"9:0111 | - | none", "4:0100 | 1:0011 | 9"};
    const auto refused = [&](const char* what, const typename Base::Resolve& resolve) {
      expect_refused(what, "/illegal", {}, resolve);
      expect_stack("refused", stack);
    };
    refused("two PCs", resolve_of(ResolveOp::MemorySplit, L, lanes("0111"), 0, 0));
    refused("lanes of others", resolve_of(ResolveOp::MemorySplit, L, lanes("1100"), 0, 0));
    refused("no lanes", resolve_of(ResolveOp::MemorySplit, L, 0, 0, 0));
    refused("of a warp that is done", resolve_of(ResolveOp::MemorySplit, L, lanes("0001"), 0, 0, S::Warps - 1));
    issue(R, 8);
    expect_refused("it issues", "/illegal", grant_of(L), resolve_of(ResolveOp::MemorySplit, R, lanes("0100"), 0, 0));
    expect_stack("the grant is carried out", {"9:0111 | - | none", "5:0100 | - | 9"});
  }

  void never_split_by_memory() {
    start();
    launch(lanes("1111"), 0, Flow::NoPc);
    memory_split(R, lanes("0011"));
    branch(L, lanes("1000"), 1, 20);
    std::vector<std::string> stack{"20:1100 | 0:0011 | none", "1:1000 | 1:0100 | 20"};
    expect_refused("sides of a part", "/illegal", {}, resolve_of(ResolveOp::MemorySplit, L, lanes("1100"), 0, 0));
    expect_stack("refused", stack);
    start();
    launch(lanes("1111"), 0, Flow::NoPc);
    branch(L, lanes("1110"), 4, 30);
    branch(L, lanes("1100"), 8, 12);
    issue(R, 7);
    memory_split(R, lanes("0100"));
    expect_stack("split by memory above a side",
                 {"30:1111 | - | none", "12:1110 | 1:0001 | 30", "8:1000 | 8:0100 | 12"});
    issue(L, 4);
    issue(R, 4);
    idle();
    issue(R, 11);
    stack = {"30:1111 | - | none", "12:1110 | 12:0001 | 30"};
    expect_refused("sides beneath it", "/illegal", {}, resolve_of(ResolveOp::MemorySplit, L, lanes("1111"), 0, 0));
    expect_stack("refused too", stack);
  }
};

}  // namespace

}  // namespace heddle::bench

int sc_main(int argc, char** argv) {
  using namespace heddle;
  using namespace heddle::bench;
  using Tiny = DualPathBench<Shape<point::tiny>, Vdual_path_stack_tiny>;
  using Hpca13 = DualPathBench<Shape<point::hpca13>, Vdual_path_stack_hpca13>;
  using One = DualPathBench<UnitShape<1, 1, 32, 2, 2>, Vdual_path_stack_one>;
  using Wide = DualPathBench<UnitShape<5, 64, 64, 4, 2>, Vdual_path_stack_wide>;
  using TinyMemorySplits = MemorySplitBench<Shape<point::tiny>, Vdual_path_stack_tiny_memory_splits>;
  using Hpca13MemorySplits = MemorySplitBench<Shape<point::hpca13>, Vdual_path_stack_hpca13_memory_splits>;
  using OneMemorySplits = MemorySplitBench<UnitShape<1, 1, 32, 2, 2>, Vdual_path_stack_one_memory_splits>;
  using WideMemorySplits = MemorySplitBench<UnitShape<5, 64, 64, 4, 2>, Vdual_path_stack_wide_memory_splits>;
  return run_bench(argc, argv, "dual_path_stack",
                   {{"tiny", bench_of<Tiny, built("tiny")>()},
                    {"hpca13", bench_of<Hpca13, built("hpca13")>()},
                    {"one", bench_of<One, built("one")>()},
                    {"wide", bench_of<Wide, built("wide")>()},
                    {"tiny_memory_splits", bench_of<TinyMemorySplits, built("tiny_memory_splits")>()},
                    {"hpca13_memory_splits", bench_of<Hpca13MemorySplits, built("hpca13_memory_splits")>()},
                    {"one_memory_splits", bench_of<OneMemorySplits, built("one_memory_splits")>()},
                    {"wide_memory_splits", bench_of<WideMemorySplits, built("wide_memory_splits")>()}});
}
