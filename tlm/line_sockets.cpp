// SPDX-License-Identifier: Apache-2.0
#include "tlm/line_sockets.h"

#include <algorithm>

namespace heddle {

namespace {

using Payloads = std::vector<const tlm::tlm_generic_payload*>;

bool take(Payloads& payloads, const tlm::tlm_generic_payload& payload) {
  if (payloads.empty()) return false;
  const auto at = std::find(payloads.begin(), payloads.end(), &payload);
  if (at == payloads.end()) return false;
  payloads.erase(at);
  return true;
}

bool is_atomic(const tlm::tlm_generic_payload& payload, const MemoryAccess* access) {
  if (access == nullptr || access->lane_count == 0 || access->lane_count > max_lanes) return false;
  if (access->bytes == 0 || access->bytes > 8) return false;
  const auto fits = [&](const AtomicLane& lane) { return lane.offset + access->bytes <= payload.get_data_length(); };
  return std::all_of(access->lanes.begin(), access->lanes.begin() + access->lane_count, fits);
}

}  // namespace

bool is_ignorable(const tlm::tlm_phase& phase) {
  return static_cast<unsigned>(phase) > tlm::END_RESP;
}

tlm::tlm_response_status refusal_of_block(const tlm::tlm_generic_payload& payload) {
  const unsigned length = payload.get_data_length();
  if (payload.get_data_ptr() == nullptr) return tlm::TLM_GENERIC_ERROR_RESPONSE;
  if (length == 0 || payload.get_streaming_width() < length) return tlm::TLM_BURST_ERROR_RESPONSE;
  const MemoryAccess* access = payload.get_extension<MemoryAccess>();
  const std::uint8_t* enable = payload.get_byte_enable_ptr();
  if (enable != nullptr) {
    const unsigned enables = payload.get_byte_enable_length();
    if (enables == 0) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
    // The enables of our own modules need no look.
    const auto is_enable = [](std::uint8_t byte) { return byte == TLM_BYTE_DISABLED || byte == TLM_BYTE_ENABLED; };
    if (access == nullptr && !std::all_of(enable, enable + enables, is_enable))
      return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  }
  if (!payload.is_read() && !payload.is_write() && !is_atomic(payload, access)) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  return tlm::TLM_OK_RESPONSE;
}

tlm::tlm_response_status refusal_of_line(const tlm::tlm_generic_payload& payload, const LineSizes& sizes) {
  if (!payload.has_mm()) return tlm::TLM_GENERIC_ERROR_RESPONSE;
  const tlm::tlm_response_status status = refusal_of_block(payload);
  if (status != tlm::TLM_OK_RESPONSE) return status;
  const unsigned length = payload.get_data_length();
  if (length < sizes.least || length > sizes.most || !is_line_size(length)) return tlm::TLM_BURST_ERROR_RESPONSE;
  return payload.get_address() % length == 0 ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE;
}

// ---- Before a target -----------------------------------------------------------------------------------------------

line_target_socket::line_target_socket(const char* name, LineTarget& target, const LineSizes& sizes, unsigned port)
    : tlm::tlm_target_socket<>(name),
      target_(target),
      sizes_(sizes),
      port_(port),
      annotated_(this, &line_target_socket::begin) {
  bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
}

tlm::tlm_sync_enum line_target_socket::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                       sc_core::sc_time& delay) {
  if (phase == tlm::BEGIN_REQ) {
    const tlm::tlm_response_status status = refusal_of_line(payload, sizes_);
    if (status != tlm::TLM_OK_RESPONSE) {
      payload.set_response_status(status);
      return tlm::TLM_COMPLETED;
    }
    if (payload.get_extension<MemoryAccess>() == nullptr) payload.set_auto_extension(new MemoryAccess);
    if (delay != sc_core::SC_ZERO_TIME) payload.acquire();  // until it begins
  } else if (is_ignorable(phase)) {
    return tlm::TLM_ACCEPTED;
  } else if (phase != tlm::END_RESP) {
    SC_REPORT_FATAL("heddle/line_target_socket", "phase that an initiator may not send");
  }
  if (delay != sc_core::SC_ZERO_TIME) {
    annotated_.notify(payload, phase, delay);
    return tlm::TLM_ACCEPTED;
  }
  if (phase == tlm::END_RESP && take(ended_, payload)) {
    payload.release();
    return tlm::TLM_COMPLETED;
  }
  return target_.nb_transport_fw(port_, payload, phase);
}

// A phase whose annotated time has come.
void line_target_socket::begin(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase) {
  if (phase == tlm::BEGIN_REQ) return begin_request(payload);
  tlm::tlm_phase end_response = tlm::END_RESP;
  if (take(ended_, payload))
    payload.release();
  else
    target_.nb_transport_fw(port_, payload, end_response);
}

void line_target_socket::begin_request(tlm::tlm_generic_payload& payload) {
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  const tlm::tlm_sync_enum status = target_.nb_transport_fw(port_, payload, phase);
  if (status == tlm::TLM_UPDATED) {
    send(payload, phase);
  } else if (status == tlm::TLM_COMPLETED) {
    ended_.push_back(&payload);
    if (send(payload, tlm::BEGIN_RESP) == tlm::TLM_ACCEPTED) return;  // released at END_RESP
    take(ended_, payload);
  }
  payload.release();
}

tlm::tlm_sync_enum line_target_socket::send(tlm::tlm_generic_payload& payload, tlm::tlm_phase phase) {
  const bool responds = phase == tlm::BEGIN_RESP;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  const tlm::tlm_sync_enum status = (*this)->nb_transport_bw(payload, phase, delay);
  if (!responds || status == tlm::TLM_ACCEPTED) return tlm::TLM_ACCEPTED;
  if (delay == sc_core::SC_ZERO_TIME) return tlm::TLM_COMPLETED;
  annotated_.notify(payload, tlm::END_RESP, delay);
  return tlm::TLM_ACCEPTED;
}

void line_target_socket::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const tlm::tlm_response_status status = refusal_of_block(payload);
  if (status == tlm::TLM_OK_RESPONSE) return target_.b_transport(port_, payload, delay);
  payload.set_response_status(status);
}

unsigned line_target_socket::transport_dbg(tlm::tlm_generic_payload& payload) {
  const bool moves = payload.is_read() || payload.is_write();
  return moves && payload.get_data_ptr() != nullptr ? target_.transport_dbg(port_, payload) : 0;
}

bool line_target_socket::get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi& region) {
  region.init();
  region.set_end_address(~sc_dt::uint64{0});  // nowhere
  return false;
}

// ---- Behind an initiator -------------------------------------------------------------------------------------------

line_initiator_socket::line_initiator_socket(const char* name, LineInitiator& initiator, unsigned port)
    : tlm::tlm_initiator_socket<>(name),
      initiator_(initiator),
      port_(port),
      annotated_(this, &line_initiator_socket::answer) {
  bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
}

tlm::tlm_sync_enum line_initiator_socket::send(tlm::tlm_generic_payload& payload, tlm::tlm_phase phase) {
  const bool begins = phase == tlm::BEGIN_REQ;
  if (!begins && take(completed_, payload)) return tlm::TLM_COMPLETED;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  const tlm::tlm_sync_enum status = (*this)->nb_transport_fw(payload, phase, delay);
  if (!begins || status == tlm::TLM_ACCEPTED) return status;
  if (delay != sc_core::SC_ZERO_TIME) {
    if (status == tlm::TLM_COMPLETED) {
      completed_.push_back(&payload);
      phase = tlm::BEGIN_RESP;
    }
    annotated_.notify(payload, phase, delay);
    return tlm::TLM_ACCEPTED;
  }
  if (status == tlm::TLM_COMPLETED || phase != tlm::BEGIN_RESP) return status;
  phase = tlm::END_RESP;
  (*this)->nb_transport_fw(payload, phase, delay);
  return tlm::TLM_COMPLETED;
}

tlm::tlm_sync_enum line_initiator_socket::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                          sc_core::sc_time& delay) {
  if (is_ignorable(phase)) return tlm::TLM_ACCEPTED;
  if (phase != tlm::END_REQ && phase != tlm::BEGIN_RESP)
    SC_REPORT_FATAL("heddle/line_initiator_socket", "phase that a target may not send");
  if (delay == sc_core::SC_ZERO_TIME) return initiator_.nb_transport_bw(port_, payload, phase);
  annotated_.notify(payload, phase, delay);
  return tlm::TLM_ACCEPTED;
}

// A phase whose annotated time has come.
void line_initiator_socket::answer(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& annotated) {
  payload.acquire();  // the module may let go of it
  tlm::tlm_phase phase = annotated;
  const tlm::tlm_sync_enum status = initiator_.nb_transport_bw(port_, payload, phase);
  if (annotated == tlm::BEGIN_RESP && status != tlm::TLM_ACCEPTED) send(payload, tlm::END_RESP);
  payload.release();
}

void line_initiator_socket::invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) {}

}  // namespace heddle
