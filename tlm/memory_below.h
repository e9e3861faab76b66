// SPDX-License-Identifier: Apache-2.0
// What lies below the L1s of an SM or several: a target socket for each of them. Ours are fixed_memory and
// memory_hierarchy; a user's own (tests/own/memory shows one) takes their place behind the same sockets.
#pragma once

#include <systemc>
#include <tlm>

#include <cstdint>

#include "tlm/dram_counters.h"
#include "tlm/l2_counters.h"

namespace heddle {

struct BelowCounters {
  std::uint64_t request_bytes = 0, reply_bytes = 0;  // through the crossbar, whole flits
  L2Counters l2;                                     // of all partitions
  DramCounters dram;                                 // of all channels
};

// A socket `l1` is the L1's, or that through which it and an instruction cache send, code as reads.
// It takes each response in the call: it returns TLM_COMPLETED for BEGIN_RESP and sends no END_RESP, unless the response
// is annotated with a delay. What a module sends on its own accord goes half a period before a clock edge (tlm/cycles.h).
class MemoryBelow {
 public:
  virtual ~MemoryBelow() = default;
  // Once for each SM, at elaboration, in the order of their numbers.
  virtual void bind(unsigned sm, tlm::tlm_initiator_socket<>& l1) = 0;
  // Nothing is under way but requests that the caches above wait for: it changes with the next one alone.
  virtual bool idle() const { return true; }
  // The backing store shows what the kernels have stored; nothing else changes. While idle.
  virtual void settle() {}
  virtual BelowCounters counters() const { return {}; }
};

}  // namespace heddle
