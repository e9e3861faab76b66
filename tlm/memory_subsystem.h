// The memory of the GPU behind one socket an SM: an L1 each, and what lies below them.
#pragma once

#include <systemc>

#include <memory>
#include <vector>

#include "tlm/l1_cache.h"
#include "tlm/memory_below.h"

namespace heddle {

class memory_subsystem : public sc_core::sc_module {
 public:
  // `period`: one core cycle; clock edges are at its multiples.
  memory_subsystem(const sc_core::sc_module_name& name, unsigned sms, const L1Parameters& l1,
                   const sc_core::sc_time& period, std::unique_ptr<MemoryBelow> below);

  // Where the load/store unit of an SM binds.
  tlm_utils::simple_target_socket<l1_cache>& socket(unsigned sm) { return l1s_[sm]->socket; }

  l1_cache& l1(unsigned sm) { return *l1s_[sm]; }
  const l1_cache& l1(unsigned sm) const { return *l1s_[sm]; }
  MemoryBelow& below() { return *below_; }
  const MemoryBelow& below() const { return *below_; }
  bool idle() const;
  void invalidate_l1s();

 private:
  std::unique_ptr<MemoryBelow> below_;
  std::vector<std::unique_ptr<l1_cache>> l1s_;
};

}  // namespace heddle
