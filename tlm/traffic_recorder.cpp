// SPDX-License-Identifier: Apache-2.0
#include "tlm/traffic_recorder.h"

namespace heddle {

traffic_recorder::traffic_recorder(const sc_core::sc_module_name& name, unsigned sm, const sc_core::sc_time& period,
                                   TrafficWriter& writer)
    : sc_module(name),
      socket("socket", *this),
      memory_socket("memory_socket", *this),
      sm_(sm),
      cycles_(period),
      writer_(writer) {}

tlm::tlm_sync_enum traffic_recorder::nb_transport_fw(unsigned, tlm::tlm_generic_payload& payload,
                                                     tlm::tlm_phase& phase) {
  const bool begins = phase == tlm::BEGIN_REQ;
  if (begins) request(payload);
  const tlm::tlm_sync_enum status = memory_socket.send(payload, phase);
  if (begins && status == tlm::TLM_COMPLETED) answer(payload);
  if (begins && status == tlm::TLM_UPDATED) phase = tlm::END_REQ;
  return status;
}

tlm::tlm_sync_enum traffic_recorder::nb_transport_bw(unsigned, tlm::tlm_generic_payload& payload,
                                                     tlm::tlm_phase& phase) {
  if (phase == tlm::BEGIN_RESP) answer(payload);  // before what the initiator sends in turn
  return socket.send(payload, phase);
}

void traffic_recorder::b_transport(unsigned, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  memory_socket->b_transport(payload, delay);
}

unsigned traffic_recorder::transport_dbg(unsigned, tlm::tlm_generic_payload& payload) {
  if (payload.is_write()) {
    TrafficEvent event = event_now(TrafficEvent::Debug);
    event.address = payload.get_address();
    event.bytes = payload.get_data_length();
    writer_.write(event);
  }
  return memory_socket->transport_dbg(payload);
}

TrafficEvent traffic_recorder::event_now(TrafficEvent::Kind kind) const {
  TrafficEvent event;
  event.kind = kind;
  event.sm = static_cast<std::uint8_t>(sm_);
  event.cycle = cycles_.now();
  event.at_edge = cycles_.earliest() != event.cycle;
  return event;
}

void traffic_recorder::request(tlm::tlm_generic_payload& payload) {
  TrafficEvent event = event_now(payload.is_read()    ? TrafficEvent::Read
                                 : payload.is_write() ? TrafficEvent::Write
                                                      : TrafficEvent::Atomic);
  event.address = payload.get_address();
  if (event.kind == TrafficEvent::Write) {
    for (unsigned i = 0; i < payload.get_data_length(); ++i)
      if (is_enabled(payload, i)) event.detail[i / 8] |= static_cast<std::uint8_t>(1U << i % 8);
  } else if (event.kind == TrafficEvent::Atomic) {
    const MemoryAccess& access = memory_access(payload);
    event.op = access.op;
    event.value_bytes = access.bytes;
    event.lanes = access.lane_count;
    for (unsigned i = 0; i < access.lane_count; ++i) event.detail[i] = access.lanes[i].offset;
  }
  under_way_[&payload] = requests_++;
  writer_.write(event);
}

void traffic_recorder::answer(const tlm::tlm_generic_payload& payload) {
  TrafficEvent event = event_now(TrafficEvent::Answer);
  const auto at = under_way_.find(&payload);
  if (at == under_way_.end()) {
    SC_REPORT_ERROR("heddle/traffic_recorder", "an answer to a request that did not pass here");
    return;
  }
  event.request = at->second;
  under_way_.erase(at);
  writer_.write(event);
}

// ---- Before all sockets of a memory --------------------------------------------------------------------------------

recorded_memory::recorded_memory(const std::string& file, unsigned sms, unsigned line_bytes,
                                 const sc_core::sc_time& period, std::unique_ptr<MemoryBelow> memory)
    : writer_(file, sms, line_bytes), memory_(std::move(memory)) {
  for (unsigned sm = 0; sm < sms; ++sm)
    recorders_.push_back(
        std::make_unique<traffic_recorder>(("recorder" + std::to_string(sm)).c_str(), sm, period, writer_));
}

void recorded_memory::bind(unsigned sm, tlm::tlm_initiator_socket<>& l1) {
  l1.bind(recorders_[sm]->socket);
  memory_->bind(sm, recorders_[sm]->memory_socket);
}

void recorded_memory::settle() {
  writer_.flush();
  memory_->settle();
}

}  // namespace heddle
