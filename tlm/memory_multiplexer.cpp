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
    : sc_module(name), memory_socket("memory_socket", *this), waiting_(ports, nullptr) {
  if (ports == 0 || ports > 256) SC_REPORT_FATAL("heddle/memory_multiplexer", "1 to 256 ports");
  for (unsigned i = 0; i < ports; ++i) {
    LineTarget& target = *this;
    ports_.push_back(
        std::make_unique<line_target_socket>(("port" + std::to_string(i)).c_str(), target, LineSizes{}, i));
  }
}

bool memory_multiplexer::idle() const {
  return open_ == nullptr &&
         std::all_of(waiting_.begin(), waiting_.end(), [](const auto* payload) { return payload == nullptr; });
}

tlm::tlm_sync_enum memory_multiplexer::nb_transport_fw(unsigned port, tlm::tlm_generic_payload& payload,
                                                       tlm::tlm_phase& phase) {
  if (phase == tlm::END_RESP) {
    const auto at = std::find(completed_.begin(), completed_.end(), &payload);
    if (at == completed_.end()) return memory_socket.send(payload, phase);
    completed_.erase(at);
    payload.release();
    return tlm::TLM_COMPLETED;
  }
  if (open_ == nullptr) {
    const tlm::tlm_sync_enum status = send(port, payload);
    if (status == tlm::TLM_UPDATED) phase = tlm::END_REQ;
    return status;
  }
  sc_assert(waiting_[port] == nullptr);
  waiting_[port] = &payload;
  return tlm::TLM_ACCEPTED;
}

void memory_multiplexer::b_transport(unsigned, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  memory_socket->b_transport(payload, delay);
}

unsigned memory_multiplexer::transport_dbg(unsigned, tlm::tlm_generic_payload& payload) {
  return memory_socket->transport_dbg(payload);
}

tlm::tlm_sync_enum memory_multiplexer::send(unsigned port, tlm::tlm_generic_payload& payload) {
  MemoryAccess& access = memory_access(payload);
  sc_assert(access.hops < access.route.size());
  access.route[access.hops++] = static_cast<std::uint8_t>(port);
  open_ = &payload;
  open_port_ = port;
  const tlm::tlm_sync_enum status = memory_socket.send(payload, tlm::BEGIN_REQ);
  if (status != tlm::TLM_ACCEPTED) open_ = nullptr;
  if (status == tlm::TLM_COMPLETED) pop_route(payload);
  return status;
}

tlm::tlm_sync_enum memory_multiplexer::nb_transport_bw(unsigned, tlm::tlm_generic_payload& payload,
                                                       tlm::tlm_phase& phase) {
  const unsigned port = phase == tlm::BEGIN_RESP ? pop_route(payload) : open_port_;
  const bool ends_request = open_ == &payload;
  if (ends_request) open_ = nullptr;
  const tlm::tlm_sync_enum status = ports_[port]->send(payload, phase);
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
    const tlm::tlm_sync_enum status = send(port, *payload);
    if (status == tlm::TLM_ACCEPTED) return;
    if (status == tlm::TLM_UPDATED) {
      ports_[port]->send(*payload, tlm::END_REQ);
      continue;
    }
    payload->acquire();
    completed_.push_back(payload);
    if (ports_[port]->send(*payload, tlm::BEGIN_RESP) == tlm::TLM_ACCEPTED) continue;  // BEGIN_RESP implies END_REQ
    completed_.erase(std::find(completed_.begin(), completed_.end(), payload));
    payload->release();
  }
}

}  // namespace heddle
