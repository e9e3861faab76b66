// SPDX-License-Identifier: Apache-2.0
#include "tlm/memory_multiplexer.h"

#include <algorithm>
#include <string>

namespace heddle {

namespace {

unsigned pop_route(tlm::tlm_generic_payload& payload) {
  MemoryAccess& access = memory_access(payload);
  return access.route[--access.hops];
}

}  // namespace

memory_multiplexer::memory_multiplexer(const sc_core::sc_module_name& name, unsigned ports)
    : sc_module(name), memory_socket("memory_socket"), waiting_(ports, nullptr) {
  if (ports == 0 || ports > 256) SC_REPORT_FATAL("heddle/memory_multiplexer", "1 to 256 ports");
  for (unsigned i = 0; i < ports; ++i) {
    ports_.push_back(std::make_unique<port_socket>(("port" + std::to_string(i)).c_str()));
    ports_.back()->register_nb_transport_fw(this, &memory_multiplexer::nb_transport_fw, static_cast<int>(i));
    ports_.back()->register_b_transport(this, &memory_multiplexer::b_transport, static_cast<int>(i));
    ports_.back()->register_transport_dbg(this, &memory_multiplexer::transport_dbg, static_cast<int>(i));
  }
  memory_socket.register_nb_transport_bw(this, &memory_multiplexer::nb_transport_bw);
}

bool memory_multiplexer::idle() const {
  return open_ == nullptr &&
         std::all_of(waiting_.begin(), waiting_.end(), [](const auto* payload) { return payload == nullptr; });
}

tlm::tlm_sync_enum memory_multiplexer::nb_transport_fw(int port, tlm::tlm_generic_payload& payload,
                                                       tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_REQ) return memory_socket->nb_transport_fw(payload, phase, delay);
  const unsigned index = static_cast<unsigned>(port);
  if (open_ == nullptr) return send(index, payload, phase);
  sc_assert(waiting_[index] == nullptr);
  waiting_[index] = &payload;
  return tlm::TLM_ACCEPTED;
}

void memory_multiplexer::b_transport(int, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  memory_socket->b_transport(payload, delay);
}

unsigned memory_multiplexer::transport_dbg(int, tlm::tlm_generic_payload& payload) {
  return memory_socket->transport_dbg(payload);
}

tlm::tlm_sync_enum memory_multiplexer::send(unsigned port, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase) {
  MemoryAccess& access = memory_access(payload);
  sc_assert(access.hops < access.route.size());
  access.route[access.hops++] = static_cast<std::uint8_t>(port);
  open_ = &payload;
  open_port_ = port;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  const tlm::tlm_sync_enum status = memory_socket->nb_transport_fw(payload, phase, delay);
  if (status != tlm::TLM_ACCEPTED) open_ = nullptr;
  if (status == tlm::TLM_COMPLETED || phase == tlm::BEGIN_RESP) pop_route(payload);
  return status;
}

tlm::tlm_sync_enum memory_multiplexer::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                       sc_core::sc_time& delay) {
  const unsigned port = phase == tlm::BEGIN_RESP ? pop_route(payload) : open_port_;
  const bool ends_request = open_ == &payload;
  if (ends_request) open_ = nullptr;
  const tlm::tlm_sync_enum status = (*ports_[port])->nb_transport_bw(payload, phase, delay);
  if (ends_request) grant_waiting();
  return status;
}

void memory_multiplexer::grant_waiting() {
  const unsigned ports = static_cast<unsigned>(ports_.size());
  const unsigned first = next_;
  for (unsigned i = 0; i < ports && open_ == nullptr; ++i) {
    const unsigned port = (first + i) % ports;
    tlm::tlm_generic_payload* payload = waiting_[port];
    if (payload == nullptr) continue;
    waiting_[port] = nullptr;
    next_ = (port + 1) % ports;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const tlm::tlm_sync_enum status = send(port, *payload, phase);
    if (status == tlm::TLM_ACCEPTED) return;
    if (status == tlm::TLM_COMPLETED) phase = tlm::BEGIN_RESP;  // which implies END_REQ
    (*ports_[port])->nb_transport_bw(*payload, phase, delay);
  }
}

}  // namespace heddle
