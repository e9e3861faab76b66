// SPDX-License-Identifier: Apache-2.0
// The memory of the GPU behind one socket an SM, or two: an L1 each, and what lies below them. Where SMs fetch their
// code from memory, an L1 shares the way down with the instruction cache, which is the SM's own. Where they prefetch, a
// buffer stands between each L1 and its way down.
#pragma once

#include <systemc>

#include <memory>
#include <vector>

#include "tlm/l1_cache.h"
#include "tlm/memory_below.h"
#include "tlm/memory_multiplexer.h"
#include "tlm/prefetch_buffer.h"
#include "tlm/protocol_monitor.h"

namespace heddle {

// What an SM has beside its L1 that needs a way down.
struct BesideL1 {
  bool code = false;                       // an instruction cache, which is the SM's own
  L1Parameters constants{0};               // of 0 bytes: none
  PrefetchBufferParameters prefetches{0};  // below the L1; of 0 bytes: none
};

class memory_subsystem : public sc_core::sc_module {
 public:
  // `period`: one core cycle; clock edges are at its multiples.
  memory_subsystem(const sc_core::sc_module_name& name, unsigned sms, const L1Parameters& l1,
                   const sc_core::sc_time& period, std::unique_ptr<MemoryBelow> below, const BesideL1& beside = {});

  // Where the load/store unit of an SM binds.
  tlm::tlm_target_socket<>& socket(unsigned sm) { return *sockets_[sm]; }

  // Where the same binds for constants, and where an SM's instruction cache does, if they are beside the L1s.
  tlm::tlm_target_socket<>& constant_socket(unsigned sm) { return *constant_sockets_[sm]; }
  tlm::tlm_target_socket<>& code_socket(unsigned sm) { return *code_sockets_[sm]; }

  l1_cache& l1(unsigned sm) { return *l1s_[sm]; }
  const l1_cache& l1(unsigned sm) const { return *l1s_[sm]; }
  const l1_cache& constants(unsigned sm) const { return *constants_[sm]; }
  prefetch_buffer& prefetches(unsigned sm) { return *prefetches_[sm]; }
  const prefetch_buffer& prefetches(unsigned sm) const { return *prefetches_[sm]; }
  MemoryBelow& below() { return *below_; }
  const MemoryBelow& below() const { return *below_; }
  bool idle() const;
  void acquire(unsigned sm);  // what its L1 has, and what was prefetched for it, is stale from now on
  void invalidate_l1s();      // and those of constants, and what was prefetched
  // That passed monitors of its own: before the L1s and the memory below.
  std::uint64_t monitored_requests() const { return monitors_.requests(); }
  // That of the memory below. An SC_ERROR if a payload of an L1, or a request at a monitored socket, is left over.
  void settle();

 private:
  std::unique_ptr<MemoryBelow> below_;
  std::vector<std::unique_ptr<memory_multiplexer>> ways_down_;  // of an SM's L1 and what is beside it; none: L1s alone
  std::vector<std::unique_ptr<prefetch_buffer>> prefetches_;
  std::vector<std::unique_ptr<l1_cache>> l1s_, constants_;
  std::vector<tlm::tlm_target_socket<>*> sockets_, constant_sockets_, code_sockets_;  // or their monitors'
  SocketMonitors monitors_;
};

}  // namespace heddle
