// SPDX-License-Identifier: Apache-2.0
#include "tlm/fixed_memory.h"

namespace heddle {

fixed_memory::fixed_memory(const sc_core::sc_module_name& name, unsigned sms, const DramParameters& parameters,
                           const sc_core::sc_time& period, BackingStore& store)
    : sc_module(name), dram_("dram", parameters, period, store) {
  if (sms == 1) return;
  multiplexer_ = std::make_unique<memory_multiplexer>("multiplexer", sms);
  multiplexer_->memory_socket.bind(monitors_.before("dram", dram_.socket));
}

void fixed_memory::bind(unsigned sm, tlm::tlm_initiator_socket<>& l1) {
  if (multiplexer_ == nullptr) {
    l1.bind(dram_.socket);
  } else {
    l1.bind(multiplexer_->port(sm));
  }
}

BelowCounters fixed_memory::counters() const {
  BelowCounters counters;
  counters.dram = dram_.counters();
  return counters;
}

}  // namespace heddle
