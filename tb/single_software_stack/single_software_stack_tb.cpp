// SPDX-License-Identifier: Apache-2.0
// Bench of the software-managed single-path stack: the graph of DPE Fig. 1 and our own cases, then random requests that a
// program could make, then any at all, against the reference model.
#include "Vsingle_software_stack_hpca13.h"
#include "Vsingle_software_stack_one.h"
#include "Vsingle_software_stack_tiny.h"
#include "Vsingle_software_stack_wide.h"
#include "rtl/config/design_points.h"
#include "rtl/single_software_stack/single_software_stack.h"
#include "tb/single_software_stack/single_software_model.h"
#include "tb/software_stack/software_bench.h"

namespace heddle::bench {

namespace {

template <unsigned Warps, unsigned Lanes, unsigned PcBits, unsigned Depth>
using StackShape = SoftwareShape<Warps, Lanes, PcBits, Depth, 1, single_software_stack, SingleSoftwareModel>;
template <class Point>
using AtPoint = StackShape<Point::SlotWarps, Point::Lanes, Point::PcBits, Point::SoftwareDepth>;

template <class S, class Core>
class SingleSoftwareStackBench : public SoftwareBench<S, Core> {
  using Base = SoftwareBench<S, Core>;
  using Base::branch, Base::check, Base::depth, Base::expect_stack, Base::faults, Base::grant_of, Base::hold,
      Base::idle, Base::issue, Base::launch, Base::leave, Base::mask_of, Base::model, Base::overflows, Base::path_text,
      Base::pop, Base::push, Base::resolve, Base::resolve_of, Base::start, Base::step, Base::tolerate;
  using typename Base::Grant, typename Base::Resolve;
  static constexpr Side L = Side::Left, R = Side::Right;

 public:
  explicit SingleSoftwareStackBench(const Options& options) : Base("single_software_stack", options) {}

  std::vector<Case> cases() override {
    if (S::Lanes < 4) return {};
    std::vector<Case> all{
        {"uniform", "ours", "a push in front of a branch that all lanes take together", [this] { uniform(); }},
        {"call", "ours", "a call pushes, a return pops; the other side waits beneath", [this] { call(); }},
        {"full", "ours", "to the last entry, and one past it", [this] { full(); }},
        {"turns", "ours", "two warps whose entries are empty are popped in turns", [this] { turns(); }},
        {"illegal", "ours", "what must be refused, by name, and changes nothing", [this] { illegal(); }}};
    if (S::Depth >= 5) {
      all.push_back({"dpe_fig1", "DPE Fig. 1, sec. 7.3",
                     "the program pushes in front of A's and C's branches, and each side pops: B, D, E, F, G",
                     [this] { fig1(); }, named()});
      all.push_back(
          {"loop", "ours", "one push in front of a loop; each lane that is out waits in an entry", [this] { loop(); }});
      all.push_back({"exit", "ours", "lanes that leave are gone at every level", [this] { exits(); }});
    }
    return all;
  }

 private:
  std::string text_of(const typename S::Block::Entry& entry) const override { return path_text(entry.pc, entry.mask); }

  // A 1..4 (3 pushes, 4 branches to B), C 5..8 (7 pushes, 8 branches to D), E 9..11 (pops), F 12..13 (pops), G 14..16,
  // B 17..19 (pops), D 20..22 (pops).
  static constexpr std::uint64_t A = 1, C = 5, E = 9, F = 12, G = 14, B = 17, D = 20;
  static std::vector<NamedBlock> named() {
    return {{"A", A, 4}, {"B", B, 3}, {"C", C, 4}, {"D", D, 3}, {"E", E, 3}, {"F", F, 2}, {"G", G, 3}};
  }

  void fig1() {
    start();
    launch("1111", A);
    issue(L, 2);
    push(L, G);
    expect_stack("A pushes: all lanes will go on at G", {"14:1111", "4:1111"});
    branch(L, "1000", B);
    expect_stack("A diverges: C waits beneath B", {"14:1111", "5:0111", "17:1000"});
    issue(L, 2);
    pop(L);
    expect_stack("B pops", {"14:1111", "5:0111", "-"});
    idle();
    expect_stack("C runs", {"14:1111", "5:0111"});
    issue(L, 2);
    push(L, F);
    expect_stack("C pushes", {"14:1111", "12:0111", "8:0111"});
    branch(L, "0100", D);
    expect_stack("C diverges: E waits beneath D", {"14:1111", "12:0111", "9:0011", "20:0100"});
    issue(L, 2);
    pop(L);
    idle();
    expect_stack("E runs", {"14:1111", "12:0111", "9:0011"});
    issue(L, 2);
    pop(L);
    idle();
    expect_stack("F with the lanes of C", {"14:1111", "12:0111"});
    issue(L, 1);
    pop(L);
    idle();
    expect_stack("G with all lanes", {"14:1111"});
    issue(L, 2);
    leave(L, "1111");
    expect_stack("done", {});
  }

  // 0 pushes, 1 head, 2 branch to 1, 3 pop, 4 behind the loop
  void loop() {
    start();
    launch("1111", 0);
    push(L, 4);
    issue(L, 1);
    branch(L, "1110", 1);
    expect_stack("one lane is out", {"4:1111", "3:0001", "1:1110"});
    issue(L, 1);
    branch(L, "0110", 1);
    expect_stack("another one", {"4:1111", "3:0001", "3:1000", "1:0110"});
    issue(L, 1);
    branch(L, "", 1);
    pop(L);
    idle();
    expect_stack("the others leave together; the second lane pops", {"4:1111", "3:0001", "3:1000"});
    pop(L);
    idle();
    pop(L);
    idle();
    expect_stack("reconverged", {"4:1111"});
  }

  void uniform() {
    start();
    launch("1111", 0);
    push(L, 9);
    branch(L, "1111", 6);
    expect_stack("an entry as wide as the one beneath", {"9:1111", "6:1111"});
    pop(L);
    idle();
    expect_stack("popped", {"9:1111"});
  }

  void call() {
    start();
    launch("1111", 0);
    branch(L, "1100", 20);
    resolve(ResolveOp::Push, L, lanes("1100"), 40, 21);
    expect_stack("the taken side calls", {"1:0011", "21:1100", "40:1100"});
    issue(L, 1);
    pop(L);
    idle();
    expect_stack("it came back", {"1:0011", "21:1100"});
  }

  void exits() {
    start();
    launch("1111", 0);
    push(L, 30);
    branch(L, "1100", 10);
    push(L, 20);
    branch(L, "1000", 15);
    leave(L, "1000");
    expect_stack("a lane leaves", {"30:0111", "2:0011", "20:0100", "12:0100", "-"});
    idle();
    leave(L, "0100");
    expect_stack("the other one too: its entries are blank", {"30:0011", "2:0011", "-", "-"});
    idle();
    idle();
    expect_stack("popped", {"30:0011", "2:0011"});
    leave(L, "0011");
    expect_stack("done", {});
  }

  void full() {
    start();
    launch("1111", 0);
    while (!model[0].is_full()) push(L, 9);
    check.equal("full", unsigned(depth[0].read()), S::Depth);
    tolerate();
    hold(L);
    step({}, {}, resolve_of(ResolveOp::Push, L, mask_of(0, L), 5, 9));
    check.equal("one past it is named", overflows, 1UL);
    hold(L);
    step({}, {}, resolve_of(ResolveOp::Branch, L, 1, 5, 9));
    check.equal("a branch past it too", overflows, 2UL);
  }

  /// In each of two warps one side pushes as long as it can, and leaves for good.
  void turns() {
    start();
    for (const unsigned w : {0U, S::Warps - 1}) {
      step({}, {}, resolve_of(ResolveOp::Launch, L, lanes("1111"), 0, 0, w));
      idle();
      step({}, {}, resolve_of(ResolveOp::Branch, L, lanes("1100"), 9, 0, w));
      idle();
      while (!model[w].is_full()) {
        step({}, {}, resolve_of(ResolveOp::Push, L, lanes("1100"), 20, 30, w));
        idle();
      }
    }
    for (const unsigned w : {0U, S::Warps - 1}) step({}, {}, resolve_of(ResolveOp::Exit, L, lanes("1100"), 0, 0, w));
    for (unsigned i = 0; i < 2 * S::Depth; ++i) idle();
    expect_stack("the other side is left", {"1:0011"});
  }

  void illegal() {
    tolerate();
    start();
    launch("0111", 0);
    branch(L, "0110", 4);
    unsigned long refused = 0;
    const auto refuse = [&](const char* what, const Grant& grant, const Resolve& asked) {
      step(grant, {}, asked);
      check.equal(what, faults, ++refused);
      expect_stack("refused", {"1:0001", "4:0110"});
    };
    const auto set = [this](const char* digits) { return lanes(digits); };
    refuse("launch of a running warp", {}, resolve_of(ResolveOp::Launch, L, 1, 0, 0));
    refuse("launch without lanes", {}, resolve_of(ResolveOp::Launch, L, 0, 0, 0, S::Warps - 1));
    refuse("grant of no slot", grant_of(L, S::Warps - 1), {});
    refuse("grant of a right slot", grant_of(R), {});
    refuse("taken lanes of others", {}, resolve_of(ResolveOp::Branch, L, set("0101"), 6, 0));
    refuse("branch of a right slot", {}, resolve_of(ResolveOp::Branch, R, set("0010"), 6, 0));
    refuse("push of a part", {}, resolve_of(ResolveOp::Push, L, set("0010"), 6, 9));
    refuse("pop of a part", {}, resolve_of(ResolveOp::Pop, L, set("0010"), 0, 0));
    refuse("pop without a push: what a branch left beneath has other lanes", {},
           resolve_of(ResolveOp::Pop, L, set("0110"), 0, 0));
    refuse("leaving lanes of others", {}, resolve_of(ResolveOp::Exit, L, set("0001"), 0, 0));
    refuse("call", {}, resolve_of(ResolveOp::Call, L, set("0110"), 6, 9));
    refuse("memory split", {}, resolve_of(ResolveOp::MemorySplit, L, set("0110"), 6, 9));
    step(grant_of(L), {}, resolve_of(ResolveOp::Branch, L, set("0110"), 0, 0));
    check.equal("grant and branch of one slot", faults, ++refused);
    expect_stack("the grant is carried out", {"1:0001", "5:0110"});
  }
};

}  // namespace

}  // namespace heddle::bench

int sc_main(int argc, char** argv) {
  using namespace heddle;
  using namespace heddle::bench;
  using Tiny = SingleSoftwareStackBench<AtPoint<point::tiny>, Vsingle_software_stack_tiny>;
  using Hpca13 = SingleSoftwareStackBench<AtPoint<point::hpca13>, Vsingle_software_stack_hpca13>;
  using One = SingleSoftwareStackBench<StackShape<1, 1, 32, 2>, Vsingle_software_stack_one>;
  using Wide = SingleSoftwareStackBench<StackShape<5, 64, 64, 4>, Vsingle_software_stack_wide>;
  return run_bench(argc, argv, "single_software_stack",
                   {{"tiny", bench_of<Tiny, built("tiny")>()},
                    {"hpca13", bench_of<Hpca13, built("hpca13")>()},
                    {"one", bench_of<One, built("one")>()},
                    {"wide", bench_of<Wide, built("wide")>()}});
}
