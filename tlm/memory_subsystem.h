// The memory of the GPU behind one socket an SM: an L1 each, one DRAM for all, and a multiplexer between them when
// there are several. A later hierarchy takes this module's place behind the same sockets.
#pragma once

#include <systemc>

#include <memory>
#include <vector>

#include "tlm/backing_store.h"
#include "tlm/dram.h"
#include "tlm/l1_cache.h"
#include "tlm/memory_multiplexer.h"

namespace heddle {

struct MemoryParameters {
  unsigned sms = 1;
  L1Parameters l1;
  DramParameters dram;  // dram.ideal: a miss costs a hit (`--memory ideal`)
};

class memory_subsystem : public sc_core::sc_module {
 public:
  // `period`: one core cycle; clock edges are at its multiples. `store` outlives this module.
  memory_subsystem(const sc_core::sc_module_name& name, const MemoryParameters& parameters,
                   const sc_core::sc_time& period, BackingStore& store);

  // Where the load/store unit of an SM binds.
  tlm_utils::simple_target_socket<l1_cache>& socket(unsigned sm) { return l1s_[sm]->socket; }

  l1_cache& l1(unsigned sm) { return *l1s_[sm]; }
  const l1_cache& l1(unsigned sm) const { return *l1s_[sm]; }
  const dram& memory() const { return dram_; }
  bool idle() const;
  void invalidate_l1s();

 private:
  std::vector<std::unique_ptr<l1_cache>> l1s_;
  std::unique_ptr<memory_multiplexer> multiplexer_;  // null with one SM
  dram dram_;
};

}  // namespace heddle
