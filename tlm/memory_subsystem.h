// The memory of the GPU behind one socket an SM, or two: an L1 each, and what lies below them. Where SMs fetch their
// code from memory, an L1 shares the way down with the instruction cache, which is the SM's own.
#pragma once

#include <systemc>

#include <memory>
#include <vector>

#include "tlm/l1_cache.h"
#include "tlm/memory_below.h"
#include "tlm/memory_multiplexer.h"

namespace heddle {

// What an SM has beside its L1 that needs a way down.
struct BesideL1 {
  bool code = false;          // an instruction cache, which is the SM's own
  L1Parameters constants{0};  // of 0 bytes: none
};

class memory_subsystem : public sc_core::sc_module {
 public:
  // `period`: one core cycle; clock edges are at its multiples.
  memory_subsystem(const sc_core::sc_module_name& name, unsigned sms, const L1Parameters& l1,
                   const sc_core::sc_time& period, std::unique_ptr<MemoryBelow> below, const BesideL1& beside = {});

  // Where the load/store unit of an SM binds.
  tlm_utils::simple_target_socket<l1_cache>& socket(unsigned sm) { return l1s_[sm]->socket; }

  // Where the same binds for constants, and where an SM's instruction cache does, if they are beside the L1s.
  tlm_utils::simple_target_socket<l1_cache>& constant_socket(unsigned sm) { return constants_[sm]->socket; }
  memory_multiplexer::port_socket& code_socket(unsigned sm) { return ways_down_[sm]->port(1); }

  l1_cache& l1(unsigned sm) { return *l1s_[sm]; }
  const l1_cache& l1(unsigned sm) const { return *l1s_[sm]; }
  const l1_cache& constants(unsigned sm) const { return *constants_[sm]; }
  MemoryBelow& below() { return *below_; }
  const MemoryBelow& below() const { return *below_; }
  bool idle() const;
  void invalidate_l1s();  // and those of constants

 private:
  std::unique_ptr<MemoryBelow> below_;
  std::vector<std::unique_ptr<memory_multiplexer>> ways_down_;  // of an SM's L1 and what is beside it; none: L1s alone
  std::vector<std::unique_ptr<l1_cache>> l1s_, constants_;
};

}  // namespace heddle
