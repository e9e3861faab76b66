#include "rtl/warp_formation/warp_formation.h"
#include "sim/report/mechanism_storage.h"

namespace heddle::report {

Modules elaborate_formation(const DesignPoint& point) {
  return at_point(point, [](auto constants) {
    using P = decltype(constants);
    using F = Formation<P::Threads, P::Lanes, P::PcBits, P::Ctas, P::SchedulerDataBits>;
    using Unit = warp_formation<F, Policy::Majority, P::LutSets, P::MajorityEntries, true, true>;
    Modules units;
    units.push_back(std::make_unique<Unit>("warp_formation"));
    return units;
  });
}

}  // namespace heddle::report
