// SPDX-License-Identifier: Apache-2.0
#include "tlm/traffic_recorder.h"

namespace heddle {

traffic_recorder::traffic_recorder(const sc_core::sc_module_name& name, unsigned sm, const sc_core::sc_time& period,
                                   TrafficWriter& writer)
    : sc_module(name), socket("socket"), memory_socket("memory_socket"), sm_(sm), cycles_(period), writer_(writer) {
  socket.register_nb_transport_fw(this, &traffic_recorder::nb_transport_fw);
  socket.register_b_transport(this, &traffic_recorder::b_transport);
  socket.register_transport_dbg(this, &traffic_recorder::transport_dbg);
  memory_socket.register_nb_transport_bw(this, &traffic_recorder::nb_transport_bw);
}

tlm::tlm_sync_enum traffic_recorder::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                     sc_core::sc_time& delay) {
  const bool begins = phase == tlm::BEGIN_REQ;
  if (begins) request(payload);
  const tlm::tlm_sync_enum status = memory_socket->nb_transport_fw(payload, phase, delay);
  const bool answers = status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP);
  if (begins && answers) answer(payload);
  return status;
}

tlm::tlm_sync_enum traffic_recorder::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                     sc_core::sc_time& delay) {
  if (phase == tlm::BEGIN_RESP) answer(payload);  // before what the initiator sends in turn
  return socket->nb_transport_bw(payload, phase, delay);
}

void traffic_recorder::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  memory_socket->b_transport(payload, delay);
}

unsigned traffic_recorder::transport_dbg(tlm::tlm_generic_payload& payload) {
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
    const std::uint8_t* enable = payload.get_byte_enable_ptr();
    for (unsigned i = 0; i < payload.get_data_length(); ++i)
      if (enable == nullptr || enable[i] != 0) event.detail[i / 8] |= static_cast<std::uint8_t>(1U << i % 8);
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
