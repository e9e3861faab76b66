// SPDX-License-Identifier: Apache-2.0
// Bench of the issue slice: worked examples of the loop, and random programs, under each control flow unit.
#include "Vissue_slice_hpca13_barrier.h"
#include "Vissue_slice_hpca13_dpe.h"
#include "Vissue_slice_hpca13_dws.h"
#include "Vissue_slice_hpca13_spe.h"
#include "Vissue_slice_tiny_barrier.h"
#include "Vissue_slice_tiny_dpe.h"
#include "Vissue_slice_tiny_dws.h"
#include "Vissue_slice_tiny_spe.h"
#include "rtl/config/design_points.h"
#include "rtl/convergence_barrier/convergence_barrier.h"
#include "rtl/dual_path_stack/dual_path_stack.h"
#include "rtl/single_path_stack/single_path_stack.h"
#include "rtl/warp_split_table/warp_split_table.h"
#include "tb/issue_slice/issue_slice_bench.h"

namespace heddle::bench {

namespace {

template <class P>
using SingleUnit = single_path_stack<P::SlotWarps, P::Lanes, P::PcBits, P::SpeDepth>;
template <class P>
using DualUnit = dual_path_stack<P::SlotWarps, P::Lanes, P::PcBits, P::DpeDepth>;
template <class P>
using SplitUnit = warp_split_table<P::SlotWarps, P::Lanes, P::PcBits, P::SpeDepth, P::SplitEntries>;
template <class P>
using BarrierUnit = convergence_barrier<P::SlotWarps, P::Lanes, P::PcBits, P::BarrierRegisters, Picker::Oldest>;
template <class Unit, class P, bool Shadow>
using Board = scoreboard<typename Unit::Flow, P::ScoreboardEntries, Shadow>;
template <class P>
using Single = SliceShape<SingleUnit<P>, Board<SingleUnit<P>, P, false>, P, 1, P::SpeDepth, 2>;
template <class P>
using Dual = SliceShape<DualUnit<P>, Board<DualUnit<P>, P, true>, P, 2, P::DpeDepth, 1>;
template <class P>
using Splits = SliceShape<SplitUnit<P>, Board<SplitUnit<P>, P, true>, P, 2, P::SpeDepth, 2, false>;
template <class P>
using Barriers = SliceShape<BarrierUnit<P>, Board<BarrierUnit<P>, P, false>, P, 1, 1, 0, false>;

template <class Shape, class Core>
class Slice : public SliceBench<Shape, Core> {
  using Base = SliceBench<Shape, Core>;
  using Example = typename Base::Example;
  using Kind = FlowProgram::Kind;
  using Base::check, Base::flow, Base::issues_of, Base::registers;
  static constexpr bool IsDual = Shape::Paths == 2, Subdivides = Base::Own::Subdivides,
                        HasBarriers = Base::Own::HasBarriers;
  static constexpr const char* Unit = HasBarriers  ? "convergence_barrier"
                                      : Subdivides ? "warp_split_table"
                                      : IsDual     ? "dual_path_stack"
                                                   : "single_path_stack";

 public:
  explicit Slice(const Options& options) : Base(Unit, options) {}

  std::vector<Case> cases() override {
    std::vector<Case> cases{
        {"in_a_row", "DESIGN 5, ours", "a path issues in consecutive cycles, as fetch delivers",
         [this] { in_a_row(); }},
        {"waits", "DPE sec. 3.2", "an instruction waits for the write of the one before it", [this] { waits(); }},
        {"jumps", "DESIGN 5, ours", "what was fetched behind a jump never issues", [this] { jumps(); }},
        {"parts", "DPE sec. 2.1, 3.1, 3.2; ours",
         "the left side of a branch waits for a write: on the dual-path stack the right one runs meanwhile",
         [this] { parts(); }}};
    if (Subdivides)
      cases.push_back({"long_block", "DPE sec. 2.2, ours",
                       "the same branch where the block behind it is longer than N: one side after the other",
                       [this] { long_block(); }});
    return cases;
  }

 private:
  void in_a_row() {
    Example example;
    example.fetch = 1;
    for (unsigned pc = 0; pc < 4; ++pc) example.program.add(flow(Kind::Plain), registers(0, 1));
    example.program.add(flow(Kind::ExitAll), registers(0, 0));
    // Two words a slot: those that follow were asked for as the first one left.
    expect(example, "L0+4 L1+1 L2+2 L3+1 L4+2");
  }

  void waits() {
    Example example;
    example.program.add(flow(Kind::Plain), registers(1, 0));
    example.program.add(flow(Kind::Plain), registers(2, 1));
    example.program.add(flow(Kind::ExitAll), registers(0, 0));
    // Launched, heard of by fetch a cycle later, two cycles of fetch, one into the buffer. The write is heard of a cycle
    // later too.
    expect(example, "L0+5 L1+7 L2+1");
  }

  void jumps() {
    Example example;
    example.program.add(flow(Kind::Plain), registers(1, 0));
    example.program.add(flow(Kind::Jump, 4), registers(0, 0));
    example.program.add(flow(Kind::Plain), registers(2, 0));
    example.program.add(flow(Kind::Plain), registers(3, 0));
    example.program.add(flow(Kind::ExitAll), registers(0, 0));
    expect(example, HasBarriers ? "L0+5 L1+1 L4+10" : "L0+5 L1+1 L4+6");  // settled four cycles later
  }

  void parts() {
    expect(one_branch(0), Subdivides    ? "L0+5 L1+1 L4+6 R2+1 R3+1 R7+6 L5+5 L6+1 L7+3"
                          : IsDual      ? "L0+5 L1+1 L4+6 R2+1 R3+1 L5+11 L6+1 L7+5"
                          : HasBarriers ? "L0+5 L1+1 L4+10 L5+13 L6+1 L7+3 L2+10 L3+1 L7+10"  // no barrier is joined
                                        : OneByOne);
  }
  void long_block() {
    if constexpr (Subdivides) expect(one_branch(Base::Own::Threshold + 1), OneByOne);
  }

  static constexpr const char* OneByOne = "L0+5 L1+1 L4+6 L5+13 L6+1 L2+5 L3+1 L7+7";

  /// 0 A, 1 its branch; 2, 3 the right side; 4, 5 the left one, of which 5 reads what 4 writes; 6 left, 7 exit.
  Example one_branch(unsigned length) {
    Example example;
    example.taken = 3;
    example.write = 12;
    example.length = length;
    example.program.add(flow(Kind::Plain), registers(1, 0));
    example.program.add(flow(Kind::Branch, 4, 7), registers(0, 0));
    example.program.add(flow(Kind::Plain), registers(2, 0));
    example.program.add(flow(Kind::Jump, 7), registers(0, 0));
    example.program.add(flow(Kind::Plain), registers(3, 0));
    example.program.add(flow(Kind::Plain), registers(4, 3));
    example.program.add(flow(Kind::Plain), registers(5, 0));
    example.program.add(flow(Kind::ExitAll), registers(0, 0));
    return example;
  }

  void expect(const Example& example, const std::string& issues) {
    check.equal("what issues, and how many cycles after the one before", issues_of(example), issues);
  }
};

}  // namespace

}  // namespace heddle::bench

int sc_main(int argc, char* argv[]) {
  using namespace heddle;
  using namespace heddle::bench;
  using TinySpe = Slice<Single<point::tiny>, Vissue_slice_tiny_spe>;
  using TinyDpe = Slice<Dual<point::tiny>, Vissue_slice_tiny_dpe>;
  using Hpca13Spe = Slice<Single<point::hpca13>, Vissue_slice_hpca13_spe>;
  using Hpca13Dpe = Slice<Dual<point::hpca13>, Vissue_slice_hpca13_dpe>;
  using TinyDws = Slice<Splits<point::tiny>, Vissue_slice_tiny_dws>;
  using TinyBarrier = Slice<Barriers<point::tiny>, Vissue_slice_tiny_barrier>;
  using Hpca13Barrier = Slice<Barriers<point::hpca13>, Vissue_slice_hpca13_barrier>;
  using Hpca13Dws = Slice<Splits<point::hpca13>, Vissue_slice_hpca13_dws>;
  return run_bench(argc, argv, "issue_slice",
                   {{"tiny_spe", bench_of<TinySpe, built("tiny_spe")>()},
                    {"tiny_dpe", bench_of<TinyDpe, built("tiny_dpe")>()},
                    {"hpca13_spe", bench_of<Hpca13Spe, built("hpca13_spe")>()},
                    {"hpca13_dpe", bench_of<Hpca13Dpe, built("hpca13_dpe")>()},
                    {"tiny_dws", bench_of<TinyDws, built("tiny_dws")>()},
                    {"hpca13_dws", bench_of<Hpca13Dws, built("hpca13_dws")>()},
                    {"tiny_barrier", bench_of<TinyBarrier, built("tiny_barrier")>()},
                    {"hpca13_barrier", bench_of<Hpca13Barrier, built("hpca13_barrier")>()}});
}
