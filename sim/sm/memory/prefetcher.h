// SPDX-License-Identifier: Apache-2.0
// Many-thread-aware prefetching (MTA: Lee, Lakshminarayana, Kim, Vuduc, MICRO 2010): sees the loads of an SM, and asks the
// prefetch buffer below its L1 for the lines where it expects the next ones.
//
// Seen is each load of global memory that goes to the L1, when its addresses are known, and not those of local memory
// (ours: a warp's is cleared when the warp starts, and no request may be under way then). All lanes of the access are
// moved by the predicted stride. Not asked for are lines that the access itself loads, and addresses outside the
// kernel's allocations, by the bounds of the address unit. No state but the tables' and the throttle's; no clock: periods
// end at the first load after them.
#pragma once

#include "sim/sm/links/counters.h"
#include "sim/sm/memory/load_store_unit.h"
#include "sim/sm/memory/prefetch_throttle.h"
#include "sim/sm/memory/stride_tables.h"
#include "tlm/backing_store.h"
#include "tlm/prefetch_buffer.h"

namespace heddle {

class Prefetcher {
 public:
  Prefetcher(const DesignPoint& point, const BackingStore& store, Counters& counters)
      : point_(point), store_(store), counters_(counters), tables_(point) {}

  /// Where it asks. The buffer outlives what runs on the SM.
  void connect(prefetch_buffer& buffer) { buffer_ = &buffer; }
  /// A launch begins, after its cycle.
  void start(std::uint64_t cycle);
  /// A load that goes to the L1 in this cycle, by the row of its lowest lane.
  void see(std::uint64_t pc, SmWarp warp, const WarpAccess& load, std::uint64_t cycle);

 private:
  PrefetchYield yield() const;
  void end_periods(std::uint64_t cycle);
  void ask(const WarpAccess& load, std::int64_t offset);

  const DesignPoint& point_;
  const BackingStore& store_;
  Counters& counters_;
  StrideTables tables_;
  PrefetchThrottle throttle_;
  prefetch_buffer* buffer_ = nullptr;
  std::uint64_t period_end_ = 0;  ///< cycle
};

}  // namespace heddle
