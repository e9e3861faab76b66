// SPDX-License-Identifier: Apache-2.0
// The simplest memory below the L1s: one latency and one bandwidth for all of them, or none (`--memory ideal`).
#pragma once

#include <systemc>

#include <memory>

#include "tlm/backing_store.h"
#include "tlm/dram.h"
#include "tlm/memory_below.h"
#include "tlm/memory_multiplexer.h"
#include "tlm/protocol_monitor.h"

namespace heddle {

class fixed_memory : public sc_core::sc_module, public MemoryBelow {
 public:
  fixed_memory(const sc_core::sc_module_name& name, unsigned sms, const DramParameters& parameters,
               const sc_core::sc_time& period, BackingStore& store);

  void bind(unsigned sm, tlm::tlm_initiator_socket<>& l1) override;
  bool idle() const override { return (multiplexer_ == nullptr || multiplexer_->idle()) && dram_.idle(); }
  void settle() override { monitors_.check_drained(); }
  BelowCounters counters() const override;

  const dram& memory() const { return dram_; }

 private:
  std::unique_ptr<memory_multiplexer> multiplexer_;  // null with one SM
  dram dram_;
  SocketMonitors monitors_;
};

}  // namespace heddle
