// SPDX-License-Identifier: Apache-2.0
// A memory below the L1s that is as weak as its contract lets it be (tlm/README.md, "Your own memory"). Each SM and line
// have a way of their own, of 20 to 619 cycles, at whose end a request takes effect; so requests of an SM to different
// lines overtake each other, and those of two SMs to one line, while those of one SM to one line keep their order. Answers
// of loads take up to 300 cycles more, each its own, and one in eight up to 2,400: so a line that has been read may arrive
// when it is old. The ways change from launch to launch.
#pragma once

#include <systemc>
#include <tlm>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/peq_with_cb_and_phase.h>

#include "tlm/cycles.h"
#include "tlm/device_memory.h"
#include "tlm/line_request.h"
#include "tlm/memory_below.h"

namespace heddle::tests {

class skewed_memory : public sc_core::sc_module, public MemoryBelow {
 public:
  skewed_memory(const sc_core::sc_module_name& name, const sc_core::sc_time& period, BackingStore& store)
      : sc_module(name), cycles_(period), store_(store) {
    socket_.register_nb_transport_fw(this, &skewed_memory::nb_transport_fw);
    socket_.register_transport_dbg(this, &skewed_memory::transport_dbg);
  }
  void bind(unsigned, tlm::tlm_initiator_socket<>& l1) override { l1.bind(socket_); }
  bool idle() const override { return under_way_ == 0; }
  void settle() override { ++launch_; }
  BelowCounters counters() const override { return {0, 0, {}, counted_}; }

 private:
  static std::uint64_t mixed(std::uint64_t value) {
    value *= 0x9e3779b97f4a7c15ULL;
    value = (value ^ value >> 31) * 0x94d049bb133111ebULL;
    return value >> 33;
  }
  unsigned way(int sm, std::uint64_t line) const {
    return 20 + static_cast<unsigned>(mixed(line / 128 * 64 + static_cast<unsigned>(sm) + launch_ * 0x10001) % 600);
  }

  tlm::tlm_sync_enum nb_transport_fw(int sm, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time&) {
    payload.acquire();  // BEGIN_REQ
    MemoryAccess& access = memory_access(payload);
    access.route[access.hops++] = static_cast<std::uint8_t>(sm);
    ++under_way_;
    effects_.notify(payload, tlm::BEGIN_RESP, cycles_.until(cycles_.now() + way(sm, payload.get_address())));
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }

  void take_effect(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& begin_resp) {
    serve(payload, store_, counted_);
    const std::uint64_t dice = mixed(++answered_),
                        more = payload.is_read() ? dice / 8 % (dice % 8 == 0 ? 2400 : 300) : 0;
    answers_.notify(payload, begin_resp, cycles_.until(cycles_.now() + 1 + more));
  }

  void respond(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& begin_resp) {
    MemoryAccess& access = memory_access(payload);
    const int sm = access.route[--access.hops];
    tlm::tlm_phase phase = begin_resp;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    --under_way_;
    socket_[sm]->nb_transport_bw(payload, phase, delay);  // the L1 returns TLM_COMPLETED
    payload.release();
  }

  unsigned transport_dbg(int, tlm::tlm_generic_payload& payload) { return serve_debug(payload, store_); }

  tlm_utils::multi_passthrough_target_socket<skewed_memory> socket_;  // of all SMs
  tlm_utils::peq_with_cb_and_phase<skewed_memory> effects_{this, &skewed_memory::take_effect};
  tlm_utils::peq_with_cb_and_phase<skewed_memory> answers_{this, &skewed_memory::respond};
  const Cycles cycles_;
  BackingStore& store_;
  DramCounters counted_;
  std::uint64_t launch_ = 0, answered_ = 0;
  unsigned under_way_ = 0;
};

}  // namespace heddle::tests
