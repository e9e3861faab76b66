// SPDX-License-Identifier: Apache-2.0
// Warp-split tables, one unit a scheduler.
#include "elaborated_point.h"
#include "rtl/warp_split_table/warp_split_table.h"
#include "sim/report/mechanism_storage.h"

namespace heddle::report {

Modules elaborate() {
  using Unit = warp_split_table<P::SlotWarps, P::Lanes, P::PcBits, P::SpeDepth, P::SplitEntries>;
  return each_scheduler<Unit>("warp_split_table", P::Schedulers);
}

}  // namespace heddle::report
