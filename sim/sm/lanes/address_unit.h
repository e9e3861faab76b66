// SPDX-License-Identifier: Apache-2.0
// Address generation: from a memory instruction's operands to accesses that the load/store unit may perform.
//
// Windows of generic addresses, bounds and alignment of each thread, where local memory lies. A generic access whose
// lanes fall into shared and other memory becomes two accesses of the load/store unit. No state.
#pragma once

#include "sim/sm/lanes/dequeue_unit.h"
#include "sim/sm/lanes/operands.h"
#include "sim/sm/links/counters.h"
#include "sim/sm/links/in_flight.h"
#include "sim/sm/memory/load_store_unit.h"
#include "sim/sm/memory/prefetcher.h"
#include "sim/sm/threads/cta_unit.h"
#include "sim/sm/threads/local_memory.h"
#include "tlm/backing_store.h"

namespace heddle {

class AddressUnit {
 public:
  AddressUnit(const OperandCollector& operands, CtaUnit& ctas, const LocalMemory& local, const BackingStore& store,
              load_store_unit& lsu, Prefetcher* prefetcher)
      : operands_(operands), ctas_(ctas), local_(local), store_(store), lsu_(lsu), prefetcher_(prefetcher) {}

  /// Computes the addresses of flight.lanes (at least one), checks bounds and alignment of each, hands the access over.
  /// \throws isa::ExecutionError naming kernel, PTX line, thread and address.
  void issue(unsigned token, InFlight& flight, std::uint64_t cycle);
  /// The same of a load or store whose lanes all have dequeued their addresses: low words of addresses in device memory.
  void issue_dequeued(unsigned token, InFlight& flight, const Dequeued& dequeued, std::uint64_t cycle);

 private:
  void hand_over(unsigned token, InFlight& flight, std::uint64_t cycle, WarpAccess& access);
  bool asks_below_l1(const isa::Instruction& instruction) const;

  const OperandCollector& operands_;
  CtaUnit& ctas_;
  const LocalMemory& local_;
  const BackingStore& store_;
  load_store_unit& lsu_;
  Prefetcher* const prefetcher_;  ///< null: nobody sees the loads
};

}  // namespace heddle
