// SPDX-License-Identifier: Apache-2.0
// Bench of dynamic warp formation: the paper's worked examples, and random traffic, against the reference model. At
// micro07 the policies besides Majority run without a twin.
#include "Vwarp_formation_micro07_majority.h"
#include "Vwarp_formation_micro07_naive.h"
#include "Vwarp_formation_one_lane.h"
#include "Vwarp_formation_small.h"
#include "Vwarp_formation_small_minority.h"
#include "Vwarp_formation_small_naive.h"
#include "Vwarp_formation_small_pc.h"
#include "Vwarp_formation_small_pdpri.h"
#include "Vwarp_formation_small_time.h"
#include "rtl/config/design_points.h"
#include "tb/warp_formation/warp_formation_cases.h"

namespace heddle::bench {

namespace {

template <Policy Order, bool LaneAware, class Core>
using Small = Cases<UnitOf<Formation<16, 4, 32, 2, 8>, Order, 2, 3, LaneAware, LaneAware>, Core>;

template <class Core>
using OneLane = Cases<UnitOf<Formation<2, 1, 32, 2, 8>, Policy::Majority, 1, 1, true, true>, Core>;

using P = point::micro07;
template <Policy Order, bool LaneAware, class Core>
using Micro07 = Cases<UnitOf<Formation<P::Threads, P::Lanes, P::PcBits, P::Ctas, P::SchedulerDataBits>, Order,
                             P::LutSets, P::MajorityEntries, LaneAware, LaneAware>,
                      Core>;

}  // namespace

}  // namespace heddle::bench

int sc_main(int argc, char* argv[]) {
  using namespace heddle;
  using namespace heddle::bench;
  constexpr Policy Majority = Policy::Majority, Minority = Policy::Minority, Time = Policy::TimeStamp,
                   PdPri = Policy::PostDominatorPriority, Pc = Policy::ProgramCounter;
  return run_bench(
      argc, argv, "warp_formation",
      {{"small", bench_of<Small<Majority, true, Vwarp_formation_small>, built("small")>()},
       {"small_naive", bench_of<Small<Majority, false, Vwarp_formation_small_naive>, built("small_naive")>()},
       {"small_minority", bench_of<Small<Minority, true, Vwarp_formation_small_minority>, built("small_minority")>()},
       {"small_time", bench_of<Small<Time, true, Vwarp_formation_small_time>, built("small_time")>()},
       {"small_pdpri", bench_of<Small<PdPri, true, Vwarp_formation_small_pdpri>, built("small_pdpri")>()},
       {"small_pc", bench_of<Small<Pc, true, Vwarp_formation_small_pc>, built("small_pc")>()},
       {"one_lane", bench_of<OneLane<Vwarp_formation_one_lane>, built("one_lane")>()},
       {"micro07_majority",
        bench_of<Micro07<Majority, true, Vwarp_formation_micro07_majority>, built("micro07_majority")>()},
       {"micro07_naive", bench_of<Micro07<Pc, false, Vwarp_formation_micro07_naive>, built("micro07_naive")>()},
       {"micro07_minority", bench_of<Micro07<Minority, true, NoTwin>, built("micro07_minority")>()},
       {"micro07_time", bench_of<Micro07<Time, true, NoTwin>, built("micro07_time")>()},
       {"micro07_pdpri", bench_of<Micro07<PdPri, true, NoTwin>, built("micro07_pdpri")>()},
       {"micro07_pc", bench_of<Micro07<Pc, true, NoTwin>, built("micro07_pc")>()}});
}
