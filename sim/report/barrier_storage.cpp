// SPDX-License-Identifier: Apache-2.0
// Convergence barriers, one unit a scheduler; the picker takes the oldest group, which needs nothing beside the order
// of lanes.
#include "elaborated_point.h"
#include "rtl/convergence_barrier/convergence_barrier.h"
#include "sim/report/mechanism_storage.h"

namespace heddle::report {

Modules elaborate() {
  using Unit = convergence_barrier<P::SlotWarps, P::Lanes, P::PcBits, P::BarrierRegisters, Picker::Oldest>;
  return each_scheduler<Unit>("convergence_barrier", P::Schedulers);
}

}  // namespace heddle::report
