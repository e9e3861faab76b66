// SPDX-License-Identifier: Apache-2.0
// A memory of one's own below the L1s: every request is answered a fixed number of cycles after it came, however many
// there are. tlm/README.md, "Your own memory", says what is asked of it.
#pragma once

#include <systemc>
#include <tlm>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/peq_with_cb_and_phase.h>

#include "tlm/cycles.h"
#include "tlm/device_memory.h"
#include "tlm/line_request.h"
#include "tlm/memory_below.h"

class fixed_latency_target : public sc_core::sc_module, public heddle::MemoryBelow {
 public:
  fixed_latency_target(const sc_core::sc_module_name& name, unsigned latency, const sc_core::sc_time& period,
                       heddle::BackingStore& store)
      : sc_module(name), latency_(latency), cycles_(period), store_(store) {
    socket_.register_nb_transport_fw(this, &fixed_latency_target::nb_transport_fw);
    socket_.register_transport_dbg(this, &fixed_latency_target::transport_dbg);
  }
  void bind(unsigned, tlm::tlm_initiator_socket<>& l1) override { l1.bind(socket_); }
  heddle::BelowCounters counters() const override { return {0, 0, {}, counted_}; }

 private:
  tlm::tlm_sync_enum nb_transport_fw(int sm, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time&) {
    payload.acquire();                 // BEGIN_REQ
    serve(payload, store_, counted_);  // loads, stores and atomics take effect in the order in which they arrive
    heddle::MemoryAccess& access = heddle::memory_access(payload);
    access.route[access.hops++] = static_cast<std::uint8_t>(sm);
    answers_.notify(payload, tlm::BEGIN_RESP, cycles_.until(cycles_.now() + latency_));
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }

  void respond(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& begin_resp) {
    heddle::MemoryAccess& access = heddle::memory_access(payload);
    const int sm = access.route[--access.hops];
    tlm::tlm_phase phase = begin_resp;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket_[sm]->nb_transport_bw(payload, phase, delay);  // the L1 returns TLM_COMPLETED
    payload.release();
  }

  unsigned transport_dbg(int, tlm::tlm_generic_payload& payload) { return serve_debug(payload, store_); }

  tlm_utils::multi_passthrough_target_socket<fixed_latency_target> socket_;  // of all SMs
  tlm_utils::peq_with_cb_and_phase<fixed_latency_target> answers_{this, &fixed_latency_target::respond};
  const unsigned latency_;  // core cycles, at least 1
  const heddle::Cycles cycles_;
  heddle::BackingStore& store_;
  heddle::DramCounters counted_;
};
