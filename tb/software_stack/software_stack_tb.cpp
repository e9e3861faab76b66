// SPDX-License-Identifier: Apache-2.0
// Bench of the software-managed stack: the paper's graph and our own cases, then random requests that a program could
// make, then any at all, against the reference model.
#include "Vsoftware_stack_hpca13.h"
#include "Vsoftware_stack_one.h"
#include "Vsoftware_stack_tiny.h"
#include "Vsoftware_stack_wide.h"
#include "rtl/config/design_points.h"
#include "rtl/software_stack/software_stack.h"
#include "tb/software_stack/software_bench.h"
#include "tb/software_stack/software_model.h"

namespace heddle::bench {

namespace {

template <unsigned Warps, unsigned Lanes, unsigned PcBits, unsigned Depth>
using StackShape = SoftwareShape<Warps, Lanes, PcBits, Depth, 2, software_stack, SoftwareModel>;
template <class Point>
using AtPoint = StackShape<Point::SlotWarps, Point::Lanes, Point::PcBits, Point::SoftwareDepth>;

template <class S, class Core>
class SoftwareStackBench : public SoftwareBench<S, Core> {
  using Base = SoftwareBench<S, Core>;
  using Base::branch, Base::check, Base::depth, Base::expect_stack, Base::faults, Base::grant_of, Base::hold,
      Base::idle, Base::issue, Base::launch, Base::leave, Base::mask_of, Base::model, Base::overflows, Base::path_text,
      Base::pop, Base::push, Base::resolve, Base::resolve_of, Base::start, Base::step, Base::tolerate;
  using typename Base::Grant, typename Base::Resolve;
  static constexpr Side L = Side::Left, R = Side::Right;

 public:
  explicit SoftwareStackBench(const Options& options) : Base("software_stack", options) {}

  std::vector<Case> cases() override {
    if (S::Lanes < 4) return {};
    return {
        {"dpe_fig1", "DPE Fig. 1, sec. 7.3",
         "the program pushes in front of A's and C's branches, and each side pops: B + C, D + E, B + F, G",
         [this] { fig1(); }, named()},
        {"loop", "ours", "one push in front of a loop: lanes that are out pop one after the other", [this] { loop(); }},
        {"beside", "ours", "in a loop, a branch of which both sides stay in it: a path parts beside the other one",
         [this] { beside(); }},
        {"uniform", "ours", "a push in front of a branch that all lanes take together", [this] { uniform(); }},
        {"call", "ours", "a call pushes, a return pops", [this] { call(); }},
        {"exit", "ours", "lanes that leave are gone at every level", [this] { exits(); }},
        {"full", "ours", "to the last entry, and one past it: as many as the program nests, not as lanes part",
         [this] { full(); }},
        {"turns", "ours", "two warps whose entries are empty are popped in turns", [this] { turns(); }},
        {"illegal", "ours", "what must be refused, by name, and changes nothing", [this] { illegal(); }}};
  }

 private:
  std::string text_of(const typename S::Block::Entry& entry) const override {
    return path_text(entry.pc_l, entry.mask_l) + " | " + path_text(entry.pc_r, entry.mask_r);
  }

  // A 1..4 (3 pushes, 4 branches to B), C 5..8 (7 pushes, 8 branches to D), E 9..11 (pops), F 12..13 (pops), G 14..16,
  // B 17..19 (pops), D 20..22 (pops).
  static constexpr std::uint64_t A = 1, C = 5, E = 9, F = 12, G = 14, B = 17, D = 20;
  static std::vector<NamedBlock> named() {
    return {{"A", A, 4}, {"B", B, 3}, {"C", C, 4}, {"D", D, 3}, {"E", E, 3}, {"F", F, 2}, {"G", G, 3}};
  }

  void fig1() {
    start();
    launch("1111", A);
    expect_stack("(a) the warp starts on one path", {"1:1111 | -"});
    issue(L, 2);
    push(L, G);
    expect_stack("A pushes: all lanes will go on at G", {"14:1111 | -", "4:1111 | -"});
    branch(L, "1000", B);
    expect_stack("(b) A diverges to B and C", {"14:1111 | -", "17:1000 | 5:0111"});
    issue(L, 1);  // B's load; B waits for it from here on
    issue(R, 2);
    push(R, F);
    expect_stack("C pushes: B is suspended beneath it", {"14:1111 | -", "18:1000 | 12:0111", "8:0111 | -"});
    branch(L, "0100", D);
    expect_stack("(c) C diverges to D and E", {"14:1111 | -", "18:1000 | 12:0111", "20:0100 | 9:0011"});
    issue(R, 1);
    issue(L, 2);
    pop(L);
    expect_stack("(d) D pops: its path alone is disabled", {"14:1111 | -", "18:1000 | 12:0111", "- | 10:0011"});
    issue(R, 1);
    pop(R);
    expect_stack("E pops", {"14:1111 | -", "18:1000 | 12:0111", "- | -"});
    idle();
    expect_stack("(e) and that pops the entry: B beside F", {"14:1111 | -", "18:1000 | 12:0111"});
    issue(R, 1);
    pop(R);
    issue(L, 1);  // the load is back
    pop(L);
    idle();
    expect_stack("(f) G with all lanes", {"14:1111 | -"});
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
    expect_stack("one lane is out", {"4:1111 | -", "1:1110 | 3:0001"});
    issue(L, 1);
    pop(R);
    branch(L, "0110", 1);
    expect_stack("it has popped, so that the next one has a slot", {"4:1111 | -", "1:0110 | 3:1000"});
    pop(R);
    issue(L, 1);
    branch(L, "", 1);
    expect_stack("the others leave together", {"4:1111 | -", "3:0110 | -"});
    pop(L);
    idle();
    expect_stack("met", {"4:1111 | -"});
  }

  // 0 pushes, 1 branch to 5, 2 leaves the loop or not, 5 too; 9 pop, 10 behind the loop
  void beside() {
    start();
    launch("1111", 0);
    push(L, 10);
    branch(L, "1100", 5);
    expect_stack("both sides are in the loop", {"10:1111 | -", "5:1100 | 2:0011"});
    resolve(ResolveOp::Branch, L, lanes("1000"), 9, 9);
    expect_stack("one parts: an entry of its own, whose lanes pop once more",
                 {"10:1111 | -", "9:1100 | 2:0011", "9:1000 | 6:0100"});
    pop(L);
    issue(R, 3);
    pop(R);
    idle();
    expect_stack("they have left the loop", {"10:1111 | -", "9:1100 | 2:0011"});
    pop(L);
    resolve(ResolveOp::Branch, R, lanes("0001"), 9, 9);
    expect_stack("now the other one has both slots", {"10:1111 | -", "9:0001 | 3:0010"});
  }

  void uniform() {
    start();
    launch("1111", 0);
    push(L, 9);
    branch(L, "1111", 6);
    expect_stack("an entry as wide as the one beneath", {"9:1111 | -", "6:1111 | -"});
    pop(L);
    idle();
    expect_stack("popped", {"9:1111 | -"});
  }

  void call() {
    start();
    launch("1111", 0);
    branch(L, "1100", 20);
    resolve(ResolveOp::Push, R, lanes("0011"), 40, 2);
    expect_stack("the right side calls", {"20:1100 | 2:0011", "40:0011 | -"});
    issue(L, 1);
    pop(L);
    idle();
    expect_stack("it came back", {"20:1100 | 2:0011"});
  }

  void exits() {
    start();
    launch("1111", 0);
    push(L, 30);
    branch(L, "1100", 10);
    push(L, 20);
    branch(L, "1000", 15);
    leave(L, "1000");
    leave(R, "0100");
    expect_stack("a whole entry leaves", {"30:0011 | -", "- | 2:0011", "- | -"});
    idle();
    expect_stack("popped", {"30:0011 | -", "- | 2:0011"});
    leave(R, "0001");
    expect_stack("one more", {"30:0010 | -", "- | 3:0010"});
    leave(R, "0010");
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
    expect_stack("what the other side has is left", {"- | 1:0011"});
  }

  void illegal() {
    tolerate();
    start();
    launch("0111", 0);
    branch(L, "0100", 4);
    unsigned long refused = 0;
    const auto refuse = [&](const char* what, const Grant& grant, const Resolve& asked) {
      step(grant, {}, asked);
      check.equal(what, faults, ++refused);
      expect_stack("refused", {"4:0100 | 1:0011"});
    };
    refuse("launch of a running warp", {}, resolve_of(ResolveOp::Launch, L, 1, 0, 0));
    refuse("launch without lanes", {}, resolve_of(ResolveOp::Launch, L, 0, 0, 0, S::Warps - 1));
    refuse("grant of no slot", grant_of(L, S::Warps - 1), {});
    refuse("taken lanes of others", {}, resolve_of(ResolveOp::Branch, L, lanes("0110"), 6, 0));
    refuse("push of a part", {}, resolve_of(ResolveOp::Push, R, lanes("0010"), 6, 9));
    refuse("pop of a part", {}, resolve_of(ResolveOp::Pop, R, lanes("0010"), 0, 0));
    refuse("pop of the lowest entry", {}, resolve_of(ResolveOp::Pop, R, lanes("0011"), 0, 0));
    refuse("leaving lanes of others", {}, resolve_of(ResolveOp::Exit, R, lanes("0100"), 0, 0));
    refuse("call", {}, resolve_of(ResolveOp::Call, R, lanes("0011"), 6, 9));
    refuse("memory split", {}, resolve_of(ResolveOp::MemorySplit, R, lanes("0011"), 6, 9));
    step(grant_of(R), {}, resolve_of(ResolveOp::Pop, R, lanes("0011"), 0, 0));
    check.equal("grant and pop of one slot", faults, ++refused);
    expect_stack("the grant is carried out", {"4:0100 | 2:0011"});
  }
};

}  // namespace

}  // namespace heddle::bench

int sc_main(int argc, char** argv) {
  using namespace heddle;
  using namespace heddle::bench;
  using Tiny = SoftwareStackBench<AtPoint<point::tiny>, Vsoftware_stack_tiny>;
  using Hpca13 = SoftwareStackBench<AtPoint<point::hpca13>, Vsoftware_stack_hpca13>;
  using One = SoftwareStackBench<StackShape<1, 1, 32, 2>, Vsoftware_stack_one>;
  using Wide = SoftwareStackBench<StackShape<5, 64, 64, 4>, Vsoftware_stack_wide>;
  return run_bench(argc, argv, "software_stack",
                   {{"tiny", bench_of<Tiny, built("tiny")>()},
                    {"hpca13", bench_of<Hpca13, built("hpca13")>()},
                    {"one", bench_of<One, built("one")>()},
                    {"wide", bench_of<Wide, built("wide")>()}});
}
