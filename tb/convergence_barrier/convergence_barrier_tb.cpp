// SPDX-License-Identifier: Apache-2.0
// Bench of the convergence barriers: SR's worked examples and ours, and random operations, against the reference model.
#include "Vconvergence_barrier_cgo20_largest.h"
#include "Vconvergence_barrier_cgo20_lowest_pc.h"
#include "Vconvergence_barrier_cgo20_oldest.h"
#include "Vconvergence_barrier_cgo20_round_robin.h"
#include "Vconvergence_barrier_one.h"
#include "Vconvergence_barrier_tiny_largest.h"
#include "Vconvergence_barrier_tiny_lowest_pc.h"
#include "Vconvergence_barrier_tiny_oldest.h"
#include "Vconvergence_barrier_tiny_round_robin.h"
#include "Vconvergence_barrier_wide.h"
#include "rtl/config/design_points.h"
#include "tb/convergence_barrier/convergence_barrier_cases.h"

namespace heddle::bench {

namespace {

template <class Point, Picker Policy>
using Shape = BarrierShape<Point::SlotWarps, Point::Lanes, Point::PcBits, Point::BarrierRegisters, Policy>;

template <class S, class Core, bool Built>
Factory bench_at() {
  return bench_of<ConvergenceBarrierCases<S, Core>, Built>();
}

}  // namespace

}  // namespace heddle::bench

int sc_main(int argc, char** argv) {
  using namespace heddle;
  using namespace heddle::bench;
#define HEDDLE_AT(design, policy, which)                                                                     \
  {                                                                                                          \
#design "_" #policy, bench_at < Shape < point::design, which>, Vconvergence_barrier_##design##_##policy, \
        built(#design "_" #policy)>()                                                                        \
  }
  return run_bench(
      argc, argv, "convergence_barrier",
      {HEDDLE_AT(tiny, oldest, Picker::Oldest),
       HEDDLE_AT(tiny, largest, Picker::Largest),
       HEDDLE_AT(tiny, lowest_pc, Picker::LowestPc),
       HEDDLE_AT(tiny, round_robin, Picker::RoundRobin),
       HEDDLE_AT(cgo20, oldest, Picker::Oldest),
       HEDDLE_AT(cgo20, largest, Picker::Largest),
       HEDDLE_AT(cgo20, lowest_pc, Picker::LowestPc),
       HEDDLE_AT(cgo20, round_robin, Picker::RoundRobin),
       {"one", bench_at<BarrierShape<1, 1, 32, 1, Picker::Oldest>, Vconvergence_barrier_one, built("one")>()},
       {"wide", bench_at<BarrierShape<5, 64, 64, 5, Picker::RoundRobin>, Vconvergence_barrier_wide, built("wide")>()}});
#undef HEDDLE_AT
}
