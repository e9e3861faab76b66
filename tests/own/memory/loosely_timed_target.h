// SPDX-License-Identifier: Apache-2.0
// A loosely timed memory: one tlm_utils::simple_target_socket an SM, and b_transport alone. It is the shortest target
// that one can write; but the socket answers a request before it ends the next one, so an SM has one access under way
// at a time. fixed_latency_target.h is the same memory with as many as the SM likes.
#pragma once

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_target_socket.h>

#include <memory>
#include <string>
#include <vector>

#include "tlm/device_memory.h"
#include "tlm/memory_below.h"

class loosely_timed_target : public sc_core::sc_module, public heddle::MemoryBelow {
 public:
  loosely_timed_target(const sc_core::sc_module_name& name, unsigned sms, unsigned latency,
                       const sc_core::sc_time& period, heddle::BackingStore& store)
      : sc_module(name), latency_(latency * period), store_(store) {
    for (unsigned i = 0; i < sms; ++i) {
      sockets_.push_back(std::make_unique<Socket>(("sm" + std::to_string(i)).c_str()));
      sockets_.back()->register_b_transport(this, &loosely_timed_target::b_transport);
      sockets_.back()->register_transport_dbg(this, &loosely_timed_target::transport_dbg);
    }
  }
  void bind(unsigned sm, tlm::tlm_initiator_socket<>& l1) override { l1.bind(*sockets_[sm]); }
  heddle::BelowCounters counters() const override { return {0, 0, {}, counted_}; }

 private:
  using Socket = tlm_utils::simple_target_socket<loosely_timed_target>;

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    serve(payload, store_, counted_);
    delay += latency_;
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) { return serve_debug(payload, store_); }

  std::vector<std::unique_ptr<Socket>> sockets_;
  const sc_core::sc_time latency_;
  heddle::BackingStore& store_;
  heddle::DramCounters counted_;
};
