#include "sim/report/formation_storage.h"

#include <stdexcept>
#include <string>

#include "rtl/warp_formation/warp_formation.h"

namespace heddle::report {

namespace {

template <class Point>
std::unique_ptr<sc_core::sc_module> elaborate() {
  using F = Formation<Point::Threads, Point::Lanes, Point::PcBits, Point::Ctas, Point::SchedulerDataBits>;
  using Unit = warp_formation<F, Policy::Majority, Point::LutSets, Point::MajorityEntries, true, true>;
  return std::make_unique<Unit>("warp_formation");
}

}  // namespace

std::unique_ptr<sc_core::sc_module> elaborate_formation(const DesignPoint& point) {
#define HEDDLE_TRY(candidate) \
  if (point.name == std::string(#candidate)) return elaborate<point::candidate>();
  HEDDLE_DESIGN_POINTS(HEDDLE_TRY)
#undef HEDDLE_TRY
  throw std::invalid_argument("design point '" + std::string(point.name) + "' is not built");
}

}  // namespace heddle::report
