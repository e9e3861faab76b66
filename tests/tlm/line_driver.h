// SPDX-License-Identifier: Apache-2.0
// A test initiator: plays a list of line requests into a socket, each at its cycle or as soon afterwards as the
// protocol allows, and notes when each was accepted and answered, and with what.
#pragma once

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <vector>

#include "tlm/cycles.h"
#include "tlm/line_request.h"

namespace heddle_test {

using Bytes = std::array<std::uint8_t, heddle::max_line_bytes>;  // the first bytes are the line

struct Request {
  enum Kind { Load, Store, Atomic } kind = Load;
  std::uint64_t line = 0;
  std::uint64_t cycle = 0;  // not before
  Bytes data{};             // store
  Bytes enable{};           // store: 0x00 or 0xff
  heddle::AtomicOp op = heddle::AtomicOp::None;
  std::vector<heddle::AtomicLane> lanes;  // atomic, 32-bit unsigned

  // What came of it.
  std::uint64_t accepted = 0;  // cycle of END_REQ
  std::uint64_t answered = 0;  // cycle of BEGIN_RESP
  Bytes loaded{};
  std::vector<std::uint64_t> old;
  unsigned answers = 0;
};

class line_driver : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<line_driver> socket;
  std::vector<Request> requests;  // filled before the simulation
  heddle::PayloadPool pool;
  unsigned slow_end_resp = 0;  // answer every n-th BEGIN_RESP with TLM_ACCEPTED, and END_RESP two cycles later

  SC_HAS_PROCESS(line_driver);
  line_driver(const sc_core::sc_module_name& name, const sc_core::sc_time& period, unsigned line_bytes)
      : sc_module(name), socket("socket"), pool(line_bytes), period_(period), cycles_(period) {
    socket.register_nb_transport_bw(this, &line_driver::nb_transport_bw);
    SC_METHOD(edge);
    SC_METHOD(end_response);
    sensitive << end_response_event_;
    dont_initialize();
  }

 private:
  void edge() {
    if (next_ == requests.size()) return;
    next_trigger(period_);
    if (busy_ != nullptr || cycles_.now() < requests[next_].cycle || cycles_.now() < next_send_) return;
    tlm::tlm_generic_payload* payload = make(requests[next_]);
    index_[payload] = next_++;
    busy_ = payload;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const tlm::tlm_sync_enum status = socket->nb_transport_fw(*payload, phase, delay);
    if (status == tlm::TLM_ACCEPTED) return;
    accepted(*payload);
    if (status == tlm::TLM_COMPLETED) answered(*payload);
  }

  tlm::tlm_generic_payload* make(const Request& request) {
    if (request.kind == Request::Load) return pool.read(request.line);
    if (request.kind == Request::Store) {
      tlm::tlm_generic_payload* payload = pool.write(request.line);
      std::memcpy(payload->get_data_ptr(), request.data.data(), payload->get_data_length());
      std::memcpy(payload->get_byte_enable_ptr(), request.enable.data(), payload->get_data_length());
      return payload;
    }
    tlm::tlm_generic_payload* payload = pool.atomic(request.line);
    heddle::MemoryAccess& access = heddle::memory_access(*payload);
    access.op = request.op;
    access.bytes = 4;
    access.is_signed = false;
    for (const heddle::AtomicLane& lane : request.lanes) access.lanes[access.lane_count++] = lane;
    return payload;
  }

  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time&) {
    if (phase == tlm::END_REQ) {
      sc_assert(busy_ == &payload);
      accepted(payload);
      next_send_ = cycles_.now() + 1;
      return tlm::TLM_ACCEPTED;
    }
    sc_assert(phase == tlm::BEGIN_RESP && responding_ == nullptr);  // one response at a time
    if (slow_end_resp != 0 && ++responses_ % slow_end_resp == 0) {
      responding_ = &payload;
      end_response_event_.notify(2 * period_);
      return tlm::TLM_ACCEPTED;
    }
    answered(payload);
    return tlm::TLM_COMPLETED;
  }

  void end_response() {
    tlm::tlm_generic_payload& payload = *responding_;
    responding_ = nullptr;
    payload.acquire();
    answered(payload);
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->nb_transport_fw(payload, phase, delay);
    payload.release();
  }

  void accepted(tlm::tlm_generic_payload& payload) {
    requests[index_.at(&payload)].accepted = cycles_.now();
    busy_ = nullptr;
  }

  void answered(tlm::tlm_generic_payload& payload) {
    const auto at = index_.find(&payload);
    Request& request = requests[at->second];
    index_.erase(at);
    request.answered = cycles_.now();
    ++request.answers;
    if (request.kind == Request::Load) {
      std::memcpy(request.loaded.data(), payload.get_data_ptr(), payload.get_data_length());
    } else if (request.kind == Request::Atomic) {
      const heddle::MemoryAccess& access = heddle::memory_access(payload);
      for (unsigned i = 0; i < access.lane_count; ++i) request.old.push_back(access.lanes[i].old);
    }
    payload.release();
  }

  const sc_core::sc_time period_;
  const heddle::Cycles cycles_;
  sc_core::sc_event end_response_event_;
  std::size_t next_ = 0;
  std::uint64_t next_send_ = 0;
  unsigned responses_ = 0;
  tlm::tlm_generic_payload* busy_ = nullptr;
  tlm::tlm_generic_payload* responding_ = nullptr;
  std::map<tlm::tlm_generic_payload*, std::size_t> index_;
};

}  // namespace heddle_test
