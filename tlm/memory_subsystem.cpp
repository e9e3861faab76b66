#include "tlm/memory_subsystem.h"

#include <string>

namespace heddle {

memory_subsystem::memory_subsystem(const sc_core::sc_module_name& name, const MemoryParameters& parameters,
                                   const sc_core::sc_time& period, BackingStore& store)
    : sc_module(name), dram_("dram", parameters.dram, period, store) {
  if (parameters.sms > 1) {
    multiplexer_ = std::make_unique<memory_multiplexer>("multiplexer", parameters.sms);
    multiplexer_->memory_socket.bind(dram_.socket);
  }
  for (unsigned i = 0; i < parameters.sms; ++i) {
    l1s_.push_back(std::make_unique<l1_cache>(("l1_" + std::to_string(i)).c_str(), parameters.l1, period));
    if (multiplexer_) {
      l1s_.back()->memory_socket.bind(multiplexer_->port(i));
    } else {
      l1s_.back()->memory_socket.bind(dram_.socket);
    }
  }
}

bool memory_subsystem::idle() const {
  for (const auto& l1 : l1s_) {
    if (!l1->idle()) return false;
  }
  return (multiplexer_ == nullptr || multiplexer_->idle()) && dram_.idle();
}

void memory_subsystem::invalidate_l1s() {
  for (const auto& l1 : l1s_) l1->invalidate();
}

}  // namespace heddle
