// SPDX-License-Identifier: Apache-2.0
// Bench of the warp-split table: DPE Fig. 3 and our own cases, and random programs, against the reference model.
#include "Vwarp_split_table_hpca13.h"
#include "Vwarp_split_table_one.h"
#include "Vwarp_split_table_short.h"
#include "Vwarp_split_table_tiny.h"
#include "Vwarp_split_table_wide.h"
#include "rtl/config/design_points.h"
#include "tb/warp_split_table/split_bench.h"

namespace heddle::bench {

namespace {

template <class Point>
using Shape = SplitShape<Point::SlotWarps, Point::Lanes, Point::PcBits, Point::SpeDepth, Point::SplitEntries>;

template <class S, class Core>
class WarpSplitBench : public SplitBench<S, Core> {
  using Base = SplitBench<S, Core>;
  using Flow = typename S::Flow;
  using Base::branch, Base::branch_of, Base::check, Base::expect_entries, Base::expect_refused, Base::hold, Base::idle,
      Base::issue, Base::launch, Base::leave, Base::model, Base::n, Base::start, Base::status, Base::step, Base::yield;
  using typename Base::Request;
  static constexpr Side L = Side::Left, R = Side::Right;

 public:
  explicit WarpSplitBench(const Options& options) : Base(options) {}

  std::vector<Case> cases() override {
    if (S::Lanes < 4) return {};
    std::vector<Case> all{
        {"dpe_fig3", "DPE Fig. 3", "N = 2: A's branch uses the stack, C's splits; F runs twice", [this] { fig3(); },
         named()},
        {"merge", "DPE sec. 2.2", "the same, but D comes to F while E is there: F runs once", [this] { merge(); }},
        {"threshold", "DPE sec. 2.2", "a block of N instructions splits, one of N + 1 does not",
         [this] { threshold(); }},
        {"loop", "ours", "lanes that left a loop go on, and take in those that leave later", [this] { loop(); }},
        {"in_flight", "ours", "nobody joins a split whose branch is in flight", [this] { in_flight(); }},
        {"exit", "ours", "lanes that leave in a split are gone at every level", [this] { exits(); }},
        {"one_again", "DPE sec. 8", "the last split of a warp uses the stack again", [this] { one_again(); }},
        {"illegal", "ours", "what must be refused, by name, and changes nothing", [this] { illegal(); }}};
    if (S::Entries > 3) {
      all.push_back({"nested", "DPE sec. 2.2", "branches of splits split, whatever the block's length: a lane a split",
                     [this] { nested(); }});
      all.push_back({"turns", "ours", "four splits loop, one slot is served: each has its turn", [this] { turns(); }});
    } else {
      all.push_back(
          {"full", "ours", "the table is full: the stack takes the path, with the same RPC", [this] { full(); }});
    }
    if (S::Entries >= S::Lanes) {
      all.push_back({"all_lanes", "ours", "a lane a split: the largest table is never full", [this] { all_lanes(); }});
    }
    if (S::MayOverflow && S::Depth % 2 == 1) {  // a branch pushes two entries onto the first one
      all.push_back({"overflow", "ours", "a push past the last entry of the stack", [this] { overflow(); }});
    }
    return all;
  }

 private:
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
  /// The slot's next instruction is one of this block, for these lanes; it issues.
  void run(Side side, const char* block, const char* who) {
    const auto& group = model(0).group(side);
    check.equal("who runs", block_at(group.pc) + ' ' + digits(to_mask(group.lanes), 4), std::string(block) + ' ' + who);
    issue(side, 1);
  }

  /// Up to C's branch, which splits.
  void fig3_to_split() {
    start();
    n = 2;
    launch(lanes("1111"), A, Flow::NoPc);
    expect_entries("one entry", {"1:1111  - | none"});
    run(L, "A", "1111");
    run(L, "A", "1111");
    branch(L, lanes("1000"), B, G, 3);
    expect_entries("(a) G is longer than N: the stack", {"11:1111 | none", "4:0111 | 11", "14:1000  - | 11"});
    run(L, "B", "1000");
    run(L, "B", "1000");
    branch(L, lanes("1000"), G, G, 3);
    expect_entries("B is at its RPC", {"11:1111 | none", "4:0111 | 11", "-  - | 11"});
    idle();
    expect_entries("B is popped", {"11:1111 | none", "4:0111  - | 11"});
    run(L, "C", "0111");
    run(L, "C", "0111");
    branch(L, lanes("0100"), D, F, 1);
    expect_entries("(b) F is not: D and E are splits, with the RPC of the TOS",
                   {"11:1111 | none", "17:0100  7:0011 | 11"});
    run(L, "D", "0100");
    run(R, "E", "0011");
    run(L, "D", "0100");
    run(R, "E", "0011");
    hold(L);
    run(R, "E", "0011");
    expect_entries("E is past its branch's post-dominator", {"11:1111 | none", "19:0100  10:0011 | 11"});
  }

  void fig3() {
    fig3_to_split();
    run(R, "F", "0011");
    expect_entries("and at its RPC", {"11:1111 | none", "19:0100  - | 11"});
    step(branch_of(L, lanes("0100"), F, F, 1));
    run(L, "F", "0100");
    expect_entries("(c) F ran twice, both splits are at G", {"11:1111 | none", "-  - | 11"});
    idle();
    expect_entries("(d) the stack goes on with G", {"11:1111  - | none"});
    run(L, "G", "1111");
    run(L, "G", "1111");
    leave(L, lanes("1111"));
    expect_entries("done", {});
  }

  void merge() {
    fig3_to_split();
    step(branch_of(L, lanes("0100"), F, F, 1));
    expect_entries("D joins E", {"11:1111 | none", "-  10:0111 | 11"});
    check.equal("lanes moved", unsigned(status().lanes_moved), 1U);
    check.equal("what was fetched for E is stale", unsigned(status().redirected_right), 1U);
    run(R, "F", "0111");
    idle();
    expect_entries("F ran once", {"11:1111  - | none"});
  }

  void threshold() {
    for (const unsigned limit : {0U, 10U, 50U, 100U, 254U}) {
      n = limit;
      start();
      launch(lanes("1111"), 0, Flow::NoPc);
      branch(L, lanes("1100"), 5, 9, limit);
      expect_entries("N instructions: splits", {"5:1100  1:0011 | none"});
      start();
      launch(lanes("1111"), 0, Flow::NoPc);
      branch(L, lanes("1100"), 5, 9, limit + 1);
      expect_entries("N + 1: the stack", {"9:1111 | none", "1:0011 | 9", "5:1100  - | 9"});
    }
  }

  // 0 head, 1 branch to 0, meets at 2
  void loop() {
    start();
    n = 10;
    launch(lanes("1111"), 0, Flow::NoPc);
    issue(L, 1);
    branch(L, lanes("1110"), 0, 2, 4);
    expect_entries("one lane is out, and may go on", {"0:1110  2:0001 | none"});
    issue(L, 1);
    branch(L, lanes("1010"), 0, 2, 4);
    expect_entries("another one joins it", {"0:1010  2:0101 | none"});
    issue(L, 1);
    issue(R, 1);
    branch(L, lanes("1000"), 0, 2, 4);
    expect_entries("too late for this one", {"0:1000  3:0101  2:0010 | none"});
    issue(L, 1);
    branch(L, 0, 0, 2, 4);
    expect_entries("but not for the last: it joins the one that waits, which comes to the slot",
                   {"2:1010  3:0101 | none"});
    issue(L, 1);
    expect_entries("the others wait at 3: all have met", {"-  3:1111 | none"});
  }

  void in_flight() {
    start();
    n = 10;
    launch(lanes("1111"), 0, Flow::NoPc);
    branch(L, lanes("1100"), 5, 50, 1);
    hold(L);
    issue(R, 4);
    expect_entries("two splits at one PC: the left one's branch is in flight", {"5:1100  5:0011 | none"});
    step(branch_of(L, lanes("1000"), 9, 50, 1));
    expect_entries("it was resolved for its own lanes", {"9:1000  5:0011  6:0100 | none"});
    issue(R, 1);
    expect_entries("the other one joins the split that waits at 6", {"9:1000  6:0111 | none"});
  }

  void exits() {
    start();
    n = 4;
    launch(lanes("1111"), 0, Flow::NoPc);
    branch(L, lanes("1110"), 4, 9, 5);
    branch(L, lanes("1000"), 6, 20, 4);
    expect_entries("two splits above a path", {"9:1111 | none", "1:0001 | 9", "6:1000  5:0110 | 9"});
    issue(L, 1);
    leave(R, lanes("0100"));
    expect_entries("one lane leaves", {"9:1011 | none", "1:0001 | 9", "7:1000  6:0010 | 9"});
    leave(L, lanes("1000"));
    expect_entries("a split leaves", {"9:0011 | none", "1:0001 | 9", "-  6:0010 | 9"});
    leave(R, 0);
    expect_entries("nobody leaves", {"9:0011 | none", "1:0001 | 9", "-  7:0010 | 9"});
    leave(R, lanes("0010"));
    expect_entries("the last split leaves", {"9:0001 | none", "1:0001 | 9", "-  - | 9"});
    idle();
    leave(L, lanes("0001"));
    expect_entries("with the last lane the warp is done", {});
  }

  void one_again() {
    start();
    n = 4;
    launch(lanes("1111"), 0, Flow::NoPc);
    branch(L, lanes("1000"), 5, 50, 4);
    leave(L, lanes("1000"));
    expect_entries("one split is left, in the right slot", {"-  1:0111 | none"});
    branch(R, lanes("0100"), 7, 30, 5);
    expect_entries("and diverges by the stack", {"30:0111 | none", "2:0011 | 30", "-  7:0100 | 30"});
    branch(R, lanes("0100"), 30, 30, 5);
    idle();
    expect_entries("the other side is popped to the left slot", {"30:0111 | none", "2:0011  - | 30"});
    branch(L, lanes("0010"), 30, 30, 4);
    expect_entries("a side that is at the RPC at once is not made", {"30:0111 | none", "3:0001  - | 30"});
  }

  void nested() {
    start();
    n = 10;
    launch(lanes("1111"), 0, Flow::NoPc);
    branch(L, lanes("1100"), 20, 50, 10);
    expect_entries("two", {"20:1100  1:0011 | none"});
    branch(L, lanes("1000"), 30, 60, 200);
    expect_entries("three, one of them waits", {"30:1000  1:0011  21:0100 | none"});
    branch(R, lanes("0010"), 40, 70, 200);
    expect_entries("four: both come after the one that waited", {"30:1000  21:0100  40:0010  2:0001 | none"});
    check.equal("splits", model(0).running(), 4U);
    branch(L, lanes("1000"), 21, 60, 200);
    expect_entries("two again meet", {"40:0010  21:1100  2:0001 | none"});
  }

  void turns() {
    nested();
    branch(R, lanes("0100"), 23, 60, 200);
    const std::vector<std::string> four{"40:0010  2:0001  23:0100  22:1000 | none"};
    expect_entries("four splits", four);
    // Each jumps to itself, for ever; the right slot issues nothing.
    branch(L, lanes("0010"), 40, 0, 0);
    expect_entries("a branch gives the slot to the next one", {"23:0100  2:0001  22:1000  40:0010 | none"});
    branch(L, lanes("0100"), 23, 0, 0);
    expect_entries("and so on", {"22:1000  2:0001  40:0010  23:0100 | none"});
    branch(L, lanes("1000"), 22, 0, 0);
    expect_entries("each waited for two others", {"40:0010  2:0001  23:0100  22:1000 | none"});
    yield(R);
    expect_entries("the one that issued nothing gives way", {"40:0010  23:0100  22:1000  2:0001 | none"});
    check.equal("lanes moved: a scoreboard that knows sides must copy", unsigned(status().lanes_moved), 1U);
    check.equal("both slots are fetched anew", unsigned(status().redirected_left & status().redirected_right), 1U);
  }

  /// One lane after the other parts from those that are still together, until each is on its own.
  void all_lanes() {
    start();
    n = 255;
    launch(S::AllLanes, 0, Flow::NoPc);
    unsigned parted = 0;
    while (parted + 1 < S::Lanes) {
      const LaneSet together = model(0).group(L).lanes;
      if (together.size() == 1) {
        yield(L);
      } else {
        ++parted;
        branch(L, to_mask(together) & (to_mask(together) - 1), 100 * parted, 5000, 255);
      }
    }
    check.equal("splits", model(0).running(), S::Lanes);
    check.equal("still one entry of the stack", model(0).depth(), 1U);
    for (unsigned i = 0; i + 1 < S::Lanes; ++i) leave(L, to_mask(model(0).group(L).lanes));
    check.equal("the right slot was never served, its split is left", model(0).running(), 1U);
  }

  void full() {
    start();
    n = 10;
    launch(lanes("1111"), 0, Flow::NoPc);
    branch(L, lanes("1100"), 20, 50, 10);
    branch(L, lanes("1000"), 30, 60, 10);
    expect_entries("three, no more places", {"30:1000  1:0011  21:0100 | none"});
    branch(R, lanes("0010"), 40, 70, 10);
    expect_entries("the fourth waits in the stack", {"2:0001 | none", "30:1000  21:0100  40:0010 | none"});
    leave(L, lanes("1000"));
    leave(R, lanes("0100"));
    expect_entries("", {"2:0001 | none", "40:0010  - | none"});
    leave(L, lanes("0010"));
    idle();
    expect_entries("the others are gone: it runs", {"2:0001  - | none"});
  }

  /// Each branch parts one lane from the others, by the stack; two entries a branch, so the last may take one side
  /// only.
  void overflow() {
    start();
    n = 0;
    launch(S::AllLanes, 0, Flow::NoPc);
    std::uint64_t own = S::AllLanes;
    unsigned level = 1;
    while ((own & (own - 1)) != 0 && model(0).depth() + 2 <= S::Depth) {
      own &= own - 1;
      branch(L, own, 10 * level, 10 * level + 1000, 1);
      ++level;
    }
    check.equal("full", model(0).depth(), S::Depth);
    const std::vector<std::string> before = model(0).entries();
    hold(L);
    expect_refused("one past it", "/overflow", branch_of(L, own & (own - 1), 500, 600, 1));
    expect_entries("and nothing changed", before);
  }

  void illegal() {
    start();
    n = 10;
    launch(lanes("1111"), 0, Flow::NoPc);
    branch(L, lanes("0110"), 4, 9, 10);
    hold(L);
    const std::vector<std::string> splits{"4:0110  1:1001 | none"};
    const auto refused = [&](const char* what, const Request& request) {
      expect_refused(what, "/illegal", request);
      expect_entries("refused", splits);
    };
    const auto request = [](ResolveOp op, Side side, std::uint64_t some, unsigned warp = 0) {
      Request one;
      one.resolve = Request::resolve_of(op, side, some, 6, 9, warp);
      return one;
    };
    refused("launch of a running warp", request(ResolveOp::Launch, L, 1));
    refused("launch without lanes", request(ResolveOp::Launch, L, 0, S::Warps - 1));
    refused("branch that was not issued", request(ResolveOp::Branch, R, lanes("1000")));
    refused("exit that was not issued", request(ResolveOp::Exit, R, lanes("1000")));
    refused("taken lanes of others", request(ResolveOp::Branch, L, lanes("0101")));
    refused("leaving lanes of others", request(ResolveOp::Exit, L, lanes("0001")));
    refused("call", request(ResolveOp::Call, L, lanes("0110")));
    refused("grant of a split whose branch is in flight", Request::issue_of(L));
    refused("grant of no split", Request::held_of(L, S::Warps - 1));
    refused("a split gives way whose branch is in flight", Request::yield_of(L));
    refused("no split gives way", Request::yield_of(R, S::Warps - 1));
    Request both = Request::yield_of(R);
    both.grant = Request::grant_of(R);
    both.held.right = 1;
    refused("a split gives way that issues", both);
    both = request(ResolveOp::Exit, R, lanes("1001"));
    both.yield = Request::grant_of(L);
    expect_refused("a split gives way beside a resolve, which is carried out", "/illegal", both);
    expect_entries("the right one left", {"4:0110  - | none"});
  }
};

}  // namespace

}  // namespace heddle::bench

int sc_main(int argc, char** argv) {
  using namespace heddle;
  using namespace heddle::bench;
  using Tiny = WarpSplitBench<Shape<point::tiny>, Vwarp_split_table_tiny>;
  using Hpca13 = WarpSplitBench<Shape<point::hpca13>, Vwarp_split_table_hpca13>;
  using One = WarpSplitBench<SplitShape<1, 1, 32, 2, 3>, Vwarp_split_table_one>;
  using Wide = WarpSplitBench<SplitShape<5, 64, 64, 6, 5>, Vwarp_split_table_wide>;
  using Short = WarpSplitBench<SplitShape<3, 8, 16, 15, 3>, Vwarp_split_table_short>;
  return run_bench(argc, argv, "warp_split_table",
                   {{"tiny", bench_of<Tiny, built("tiny")>()},
                    {"hpca13", bench_of<Hpca13, built("hpca13")>()},
                    {"one", bench_of<One, built("one")>()},
                    {"wide", bench_of<Wide, built("wide")>()},
                    {"short", bench_of<Short, built("short")>()}});
}
