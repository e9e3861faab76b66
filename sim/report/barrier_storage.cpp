#include "rtl/convergence_barrier/convergence_barrier.h"
#include "sim/report/mechanism_storage.h"

namespace heddle::report {

Modules elaborate_barriers(const DesignPoint& point) {
  return at_point(point, [](auto constants) {
    using P = decltype(constants);
    using Unit = convergence_barrier<P::SlotWarps, P::Lanes, P::PcBits, P::BarrierRegisters, Picker::Oldest>;
    return each_scheduler<Unit>("convergence_barrier", P::Schedulers);
  });
}

}  // namespace heddle::report
