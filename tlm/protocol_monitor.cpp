// SPDX-License-Identifier: Apache-2.0
#include "tlm/protocol_monitor.h"

#include <algorithm>
#include <cstdio>

namespace heddle {

protocol_monitor::protocol_monitor(const sc_core::sc_module_name& name)
    : sc_module(name), socket("socket"), memory_socket("memory_socket") {
  socket.register_nb_transport_fw(this, &protocol_monitor::nb_transport_fw);
  socket.register_b_transport(this, &protocol_monitor::b_transport);
  socket.register_transport_dbg(this, &protocol_monitor::transport_dbg);
  memory_socket.register_nb_transport_bw(this, &protocol_monitor::nb_transport_bw);
}

void protocol_monitor::expect(bool holds, const char* rule, const char* words, const Payload* payload) const {
  if (holds) return;
  char where[32] = "";
  if (payload != nullptr)
    std::snprintf(where, sizeof where, ", address 0x%llx", static_cast<unsigned long long>(payload->get_address()));
  SC_REPORT_ERROR((std::string("heddle/protocol_monitor/") + rule).c_str(),
                  (std::string(name()) + ": " + words + where).c_str());
}

// ---- What passes ---------------------------------------------------------------------------------------------------

tlm::tlm_sync_enum protocol_monitor::nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (is_ignorable(phase)) return memory_socket->nb_transport_fw(payload, phase, delay);
  const bool begins = phase == tlm::BEGIN_REQ;
  expect(begins || phase == tlm::END_RESP, "phase", "an initiator may send BEGIN_REQ and END_RESP", &payload);
  if (begins)
    begin_request(payload);
  else
    end_response(payload);
  const tlm::tlm_sync_enum status = memory_socket->nb_transport_fw(payload, phase, delay);
  if (!begins) return status;
  const bool responds = status == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP;
  expect(status != tlm::TLM_UPDATED || responds || phase == tlm::END_REQ, "phase",
         "BEGIN_REQ returned TLM_UPDATED with neither END_REQ nor BEGIN_RESP", &payload);
  if (status == tlm::TLM_UPDATED && !responds) end_request(payload);
  if (responds) begin_response(payload);
  if (status == tlm::TLM_COMPLETED) answer(payload);
  return status;
}

tlm::tlm_sync_enum protocol_monitor::nb_transport_bw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (is_ignorable(phase)) return socket->nb_transport_bw(payload, phase, delay);
  const bool responds = phase == tlm::BEGIN_RESP;
  expect(responds || phase == tlm::END_REQ, "phase", "a target may send END_REQ and BEGIN_RESP", &payload);
  // Before the initiator hears of it: it may send its next request from within the call.
  if (responds)
    begin_response(payload);
  else
    end_request(payload);
  const tlm::tlm_sync_enum status = socket->nb_transport_bw(payload, phase, delay);
  if (!responds || status == tlm::TLM_ACCEPTED) return status;
  expect(status == tlm::TLM_COMPLETED || phase == tlm::END_RESP, "phase",
         "BEGIN_RESP returned TLM_UPDATED without END_RESP", &payload);
  end_response(payload);
  return status;
}

void protocol_monitor::b_transport(Payload& payload, sc_core::sc_time& delay) {
  memory_socket->b_transport(payload, delay);
  expect(payload.is_response_ok(), "status", "an answer that is not TLM_OK_RESPONSE", &payload);
}

unsigned protocol_monitor::transport_dbg(Payload& payload) {
  return memory_socket->transport_dbg(payload);
}

// ---- The phases ----------------------------------------------------------------------------------------------------

void protocol_monitor::begin_request(const Payload& payload) {
  expect(open_request_ == nullptr, "request_open", "a request begins before END_REQ of the last one", &payload);
  expect(under_way_.count(&payload) == 0, "under_way", "a payload is sent again before it is answered", &payload);
  expect(payload.has_mm() && payload.get_ref_count() > 0, "acquired", "a request whose payload nobody holds", &payload);
  check_request(payload);
  ++requests_;
  under_way_.insert(&payload);
  open_request_ = &payload;
}

void protocol_monitor::end_request(const Payload& payload) {
  expect(open_request_ == &payload, "end_req", "END_REQ of a request that is not open", &payload);
  open_request_ = nullptr;
}

void protocol_monitor::answer(const Payload& payload) {
  expect(under_way_.count(&payload) != 0, "response", "an answer to what is not under way", &payload);
  expect(payload.get_ref_count() > 0, "acquired", "an answer whose payload nobody holds", &payload);
  expect(payload.is_response_ok(), "status", "an answer that is not TLM_OK_RESPONSE", &payload);
  if (open_request_ == &payload) open_request_ = nullptr;  // it implies END_REQ
  under_way_.erase(&payload);
}

void protocol_monitor::begin_response(const Payload& payload) {
  expect(open_response_ == nullptr, "response_open", "a response begins before END_RESP of the last one", &payload);
  answer(payload);
  open_response_ = &payload;
}

void protocol_monitor::end_response(const Payload& payload) {
  expect(open_response_ == &payload, "end_resp", "END_RESP of a response that is not open", &payload);
  open_response_ = nullptr;
}

void protocol_monitor::check_drained() const {
  const Payload* left = open_response_ != nullptr ? open_response_ : open_request_;
  if (left == nullptr && !under_way_.empty()) left = *under_way_.begin();
  expect(left == nullptr, "unanswered", "drained with a request or response open", left);
}

// ---- What a request says -------------------------------------------------------------------------------------------

void protocol_monitor::check_request(const Payload& payload) const {
  const unsigned length = payload.get_data_length();
  expect(payload.get_data_ptr() != nullptr && is_line_size(length) && payload.get_streaming_width() == length, "data",
         "no line of 32, 64, 128 or 256 bytes", &payload);
  expect(length != 0 && payload.get_address() % length == 0, "alignment", "an address that is not a line's", &payload);
  expect(payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE, "status",
         "a request that has its response status already", &payload);
  check_byte_enables(payload);
  if (!payload.is_read() && !payload.is_write()) check_atomic(payload);
}

void protocol_monitor::check_byte_enables(const Payload& payload) const {
  const std::uint8_t* enable = payload.get_byte_enable_ptr();
  if (enable == nullptr) return;
  const unsigned length = payload.get_byte_enable_length();
  expect(length != 0, "byte_enables", "a pointer to byte enables, and none of them", &payload);
  expect(std::all_of(enable, enable + length, [](std::uint8_t byte) { return byte == 0 || byte == 0xff; }),
         "byte_enables", "a byte enable that is neither 0x00 nor 0xff", &payload);
}

void protocol_monitor::check_atomic(const Payload& payload) const {
  const MemoryAccess* access = payload.get_extension<MemoryAccess>();
  const bool has_lanes = access != nullptr && access->lane_count > 0 && access->lane_count <= max_lanes;
  expect(has_lanes, "atomic", "an atomic without lanes", &payload);
  if (!has_lanes) return;
  for (unsigned i = 0; i < access->lane_count; ++i)
    expect(access->lanes[i].offset + access->bytes <= payload.get_data_length(), "atomic", "a lane past the line",
           &payload);
}

// ---- On the sockets of a module ------------------------------------------------------------------------------------

bool& sockets_are_monitored() {
#ifdef HEDDLE_MONITOR
  static bool are_monitored = true;
#else
  static bool are_monitored = false;
#endif
  return are_monitored;
}

protocol_monitor& SocketMonitors::add(const std::string& name) {
  monitors_.push_back(std::make_unique<protocol_monitor>((name + "_monitor").c_str()));
  return *monitors_.back();
}

tlm::tlm_target_socket<>& SocketMonitors::before(const std::string& name, tlm::tlm_target_socket<>& target) {
  if (!sockets_are_monitored()) return target;
  protocol_monitor& monitor = add(name);
  monitor.memory_socket.bind(target);
  return monitor.socket;
}

tlm::tlm_initiator_socket<>& SocketMonitors::behind(const std::string& name, tlm::tlm_initiator_socket<>& initiator) {
  if (!sockets_are_monitored()) return initiator;
  protocol_monitor& monitor = add(name);
  initiator.bind(monitor.socket);
  return monitor.memory_socket;
}

void SocketMonitors::check_drained() const {
  for (const auto& monitor : monitors_) monitor->check_drained();
}

std::uint64_t SocketMonitors::requests() const {
  std::uint64_t all = 0;
  for (const auto& monitor : monitors_) all += monitor->requests();
  return all;
}

void check_all_returned(const std::string& owner, const PayloadPool& pool) {
  if (pool.in_use() == 0) return;
  SC_REPORT_ERROR(
      "heddle/payloads/leak",
      (owner + ": " + std::to_string(pool.in_use()) + " payloads are in use, and nothing is under way").c_str());
}

}  // namespace heddle
