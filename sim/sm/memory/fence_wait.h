// SPDX-License-Identifier: Apache-2.0
// What a fence waits for (R7, R16). `own`: each request that its threads sent before it is answered: loads have their
// bytes, stores and atomics are in memory. `cta`, where it releases for the device: so is each request that threads of
// its CTA had sent by then, since what the fence's threads have seen of them at a barrier or by a fence of the CTA's
// scope has to be seen by whoever acquires what is stored behind this fence.
#pragma once

#include <cstdint>

#include "sim/isa/fence.h"
#include "sim/sm/memory/load_store_unit.h"
#include "sim/sm/threads/thread_table.h"

namespace heddle {

/// Numbers of requests (request_order.h): those below are waited for. 0: not known yet.
struct FenceWait {
  std::uint64_t own = 0, cta = 0;

  bool operator==(const FenceWait& other) const { return own == other.own && cta == other.cta; }
};

/// The wait a cycle later. \pre all accesses of these threads before the fence are ordered
FenceWait continue_wait(FenceWait wait, const isa::Instruction& fence, const Threads& threads, isa::Lanes lanes,
                        const load_store_unit& lsu);
/// Is nothing left to wait for?
bool is_over(const FenceWait& wait, const isa::Instruction& fence, const Threads& threads, isa::Lanes lanes,
             const load_store_unit& lsu, const ThreadTable& table);

}  // namespace heddle
