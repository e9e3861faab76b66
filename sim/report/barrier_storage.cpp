#include "sim/report/barrier_storage.h"

#include <stdexcept>
#include <string>

#include "rtl/convergence_barrier/convergence_barrier.h"

namespace heddle::report {

namespace {

template <class Point>
std::vector<std::unique_ptr<sc_core::sc_module>> elaborate() {
  using Unit =
      convergence_barrier<Point::SlotWarps, Point::Lanes, Point::PcBits, Point::BarrierRegisters, Picker::Oldest>;
  std::vector<std::unique_ptr<sc_core::sc_module>> units;
  for (unsigned s = 0; s < Point::Schedulers; ++s) {
    units.push_back(std::make_unique<Unit>(("convergence_barrier_" + std::to_string(s)).c_str()));
  }
  return units;
}

}  // namespace

std::vector<std::unique_ptr<sc_core::sc_module>> elaborate_barriers(const DesignPoint& point) {
#define HEDDLE_TRY(candidate) \
  if (point.name == std::string(#candidate)) return elaborate<point::candidate>();
  HEDDLE_DESIGN_POINTS(HEDDLE_TRY)
#undef HEDDLE_TRY
  throw std::invalid_argument("design point '" + std::string(point.name) + "' is not built");
}

}  // namespace heddle::report
