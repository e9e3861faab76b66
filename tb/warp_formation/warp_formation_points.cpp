// The other policies, and micro07, in the program of warp_formation_tb.cpp. At micro07 the policies besides Majority
// run without a twin.
#include "Vwarp_formation_micro07_majority.h"
#include "Vwarp_formation_micro07_naive.h"
#include "Vwarp_formation_one_lane.h"
#include "Vwarp_formation_small_minority.h"
#include "Vwarp_formation_small_pc.h"
#include "Vwarp_formation_small_pdpri.h"
#include "Vwarp_formation_small_time.h"
#include "rtl/config/design_points.h"
#include "tb/warp_formation/warp_formation_cases.h"

namespace heddle::bench {

namespace {

template <class Point, Policy Order, bool LaneAware, class Core>
std::unique_ptr<Bench> make(const Options& options) {
  using F = Formation<Point::Threads, Point::Lanes, Point::PcBits, Point::Ctas, Point::SchedulerDataBits>;
  using Unit = UnitOf<F, Order, Point::LutSets, Point::MajorityEntries, LaneAware, LaneAware>;
  return std::make_unique<Cases<Unit, Core>>(options);
}

template <Policy Order, class Core>
Factory small() {
  return corner<16, 4, Order, 2, 3, true, Core>;
}

template <Policy Order, bool LaneAware, class Core>
Factory micro07() {
  return make<point::micro07, Order, LaneAware, Core>;
}

const bool added = [] {
  more_points() = {{"small_minority", small<Policy::Minority, Vwarp_formation_small_minority>()},
                   {"small_time", small<Policy::TimeStamp, Vwarp_formation_small_time>()},
                   {"small_pdpri", small<Policy::PostDominatorPriority, Vwarp_formation_small_pdpri>()},
                   {"small_pc", small<Policy::ProgramCounter, Vwarp_formation_small_pc>()},
                   {"one_lane", corner<2, 1, Policy::Majority, 1, 1, true, Vwarp_formation_one_lane>},
                   {"micro07_majority", micro07<Policy::Majority, true, Vwarp_formation_micro07_majority>()},
                   {"micro07_naive", micro07<Policy::ProgramCounter, false, Vwarp_formation_micro07_naive>()},
                   {"micro07_minority", micro07<Policy::Minority, true, NoTwin>()},
                   {"micro07_time", micro07<Policy::TimeStamp, true, NoTwin>()},
                   {"micro07_pdpri", micro07<Policy::PostDominatorPriority, true, NoTwin>()},
                   {"micro07_pc", micro07<Policy::ProgramCounter, true, NoTwin>()}};
  return true;
}();

}  // namespace

}  // namespace heddle::bench
