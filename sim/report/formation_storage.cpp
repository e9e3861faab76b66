// Dynamic warp formation, lane aware, with the Majority policy: what DWF Table 1 counts.
#include "elaborated_point.h"
#include "rtl/warp_formation/warp_formation.h"
#include "sim/report/mechanism_storage.h"

namespace heddle::report {

Modules elaborate() {
  using F = Formation<P::Threads, P::Lanes, P::PcBits, P::Ctas, P::SchedulerDataBits>;
  using Unit = warp_formation<F, Policy::Majority, P::LutSets, P::MajorityEntries, true, true>;
  Modules units;
  units.push_back(std::make_unique<Unit>("warp_formation"));
  return units;
}

}  // namespace heddle::report
