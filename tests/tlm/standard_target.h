// SPDX-License-Identifier: Apache-2.0
// A target of TLM-2.0 that knows nothing of Heddle: tlm_utils::simple_target_socket before an array of bytes. It answers
// in one of the ways that the base protocol allows, and notes what an initiator must not do.
#pragma once

#include <systemc>
#include <tlm>
#include <tlm_utils/peq_with_get.h>
#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <set>
#include <string>
#include <vector>

namespace heddle_test {

/// In which calls, and with which delays, a target ends a request and answers it; Latency later, but for Completes and
/// ReturnsResponse, which answer at once.
enum class Way {
  BlockingAlone,
  FourPhases,
  ReturnsEndRequest,
  ReturnsEndRequestLater,
  EndsRequestWithin,
  EndsRequestAnnotated,
  ReturnsResponse,
  ReturnsResponseLater,
  Completes,
  CompletesLater,
  ResponseAlone,
  ResponseAnnotated,
  OutOfOrder,
  OtherPhase,
  InvalidatesDirectMemory,
};
constexpr struct {
  Way way;
  const char* name;
} ways[] = {
    {Way::BlockingAlone, "b_transport alone"},
    {Way::FourPhases, "four phases in calls of their own"},
    {Way::ReturnsEndRequest, "END_REQ by return"},
    {Way::ReturnsEndRequestLater, "END_REQ by return, with a delay"},
    {Way::EndsRequestWithin, "END_REQ from within the call"},
    {Way::EndsRequestAnnotated, "END_REQ by a call with a delay"},
    {Way::ReturnsResponse, "BEGIN_RESP by return"},
    {Way::ReturnsResponseLater, "BEGIN_RESP by return, with a delay"},
    {Way::Completes, "completed by return"},
    {Way::CompletesLater, "completed by return, with a delay"},
    {Way::ResponseAlone, "BEGIN_RESP without END_REQ"},
    {Way::ResponseAnnotated, "BEGIN_RESP by a call with a delay"},
    {Way::OutOfOrder, "the newest request first"},
    {Way::OtherPhase, "a phase of another protocol between"},
    {Way::InvalidatesDirectMemory, "direct memory made invalid between"},
};

DECLARE_EXTENDED_PHASE(phase_of_this_target);

class standard_target : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<standard_target> socket{"socket"};
  std::vector<std::uint8_t> bytes;
  std::vector<std::string> faults;
  unsigned requests = 0;
  static sc_core::sc_time latency() { return {400, sc_core::SC_NS}; }

  SC_HAS_PROCESS(standard_target);
  /// It has `memory` from `base` on, and answers `status` instead of TLM_OK_RESPONSE.
  standard_target(const sc_core::sc_module_name& name, Way way, std::uint64_t base, std::vector<std::uint8_t> memory,
                  tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE)
      : sc_module(name), bytes(std::move(memory)), way_(way), base_(base), status_(status) {
    if (way == Way::BlockingAlone)
      socket.register_b_transport(this, &standard_target::b_transport);
    else
      socket.register_nb_transport_fw(this, &standard_target::nb_transport_fw);
    SC_METHOD(end_requests);
    sensitive << ends_.get_event();
    dont_initialize();
    SC_METHOD(respond);
    sensitive << due_.get_event() << respond_event_;
    dont_initialize();
  }

 private:
  using Payload = tlm::tlm_generic_payload;

  void b_transport(Payload& payload, sc_core::sc_time& delay) {
    check(payload);
    serve(payload);
    delay += latency();
  }

  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (delay != sc_core::SC_ZERO_TIME) faults.push_back("a delay that the initiator need not annotate");
    if (phase == tlm::END_RESP) return end_response(payload);
    if (phase != tlm::BEGIN_REQ) {
      faults.push_back("an unexpected phase");
      return tlm::TLM_COMPLETED;
    }
    check(payload);
    if (open_) faults.push_back("a request before END_REQ of the last one");
    open_ = true;
    payload.acquire();
    serve(payload);
    return begin(payload, phase, delay);
  }

  tlm::tlm_sync_enum begin(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    const sc_core::sc_time short_while(20, sc_core::SC_NS);
    switch (way_) {
      case Way::Completes:
      case Way::CompletesLater:
        if (way_ == Way::CompletesLater) delay = latency();
        open_ = false;
        payload.release();
        return tlm::TLM_COMPLETED;
      case Way::ReturnsResponse:
      case Way::ReturnsResponseLater:
        if (way_ == Way::ReturnsResponseLater) delay = latency();
        open_ = false;
        unended_.insert(&payload);
        phase = tlm::BEGIN_RESP;
        return tlm::TLM_UPDATED;
      case Way::ReturnsEndRequest:
      case Way::ReturnsEndRequestLater:
      case Way::OutOfOrder:
        if (way_ == Way::ReturnsEndRequestLater) delay = short_while;
        open_ = false;
        due_.notify(payload, latency());
        phase = tlm::END_REQ;
        return tlm::TLM_UPDATED;
      case Way::EndsRequestWithin:
        due_.notify(payload, latency());
        end_request(payload, sc_core::SC_ZERO_TIME);
        return tlm::TLM_ACCEPTED;
      case Way::ResponseAlone:
      case Way::ResponseAnnotated:
        due_.notify(payload, way_ == Way::ResponseAlone ? latency() : short_while);
        return tlm::TLM_ACCEPTED;
      default:
        ends_.notify(payload, short_while);
        due_.notify(payload, latency());
        return tlm::TLM_ACCEPTED;
    }
  }

  void end_requests() {
    while (Payload* payload = ends_.get_next_transaction()) {
      if (way_ == Way::InvalidatesDirectMemory) socket->invalidate_direct_mem_ptr(0, ~sc_dt::uint64{0});
      if (way_ == Way::OtherPhase) {
        tlm::tlm_phase phase = phase_of_this_target;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        socket->nb_transport_bw(*payload, phase, delay);
      }
      end_request(*payload, sc_core::sc_time(way_ == Way::EndsRequestAnnotated ? 30 : 0, sc_core::SC_NS));
    }
  }
  void end_request(Payload& payload, sc_core::sc_time delay) {
    open_ = false;
    tlm::tlm_phase phase = tlm::END_REQ;
    socket->nb_transport_bw(payload, phase, delay);
  }

  void respond() {
    while (Payload* payload = due_.get_next_transaction()) {
      if (way_ == Way::OutOfOrder)
        ready_.push_front(payload);
      else
        ready_.push_back(payload);
    }
    while (!responding_ && !ready_.empty()) {
      Payload& payload = *ready_.front();
      ready_.pop_front();
      if (way_ == Way::ResponseAlone || way_ == Way::ResponseAnnotated) open_ = false;
      responding_ = true;
      unended_.insert(&payload);
      tlm::tlm_phase phase = tlm::BEGIN_RESP;
      const sc_core::sc_time annotated = way_ == Way::ResponseAnnotated ? latency() : sc_core::SC_ZERO_TIME;
      sc_core::sc_time delay = annotated;
      const tlm::tlm_sync_enum status = socket->nb_transport_bw(payload, phase, delay);
      if (status == tlm::TLM_ACCEPTED) return;
      if (status == tlm::TLM_UPDATED && phase != tlm::END_RESP) faults.push_back("a return that is no END_RESP");
      if (delay < annotated) faults.push_back("an answer that is ended earlier than it begins");
      ended(payload);
    }
  }

  tlm::tlm_sync_enum end_response(Payload& payload) {
    if (unended_.count(&payload) == 0) {
      faults.push_back("END_RESP of a response that is not open");
      return tlm::TLM_COMPLETED;
    }
    ended(payload);
    respond_event_.notify(sc_core::SC_ZERO_TIME);
    return tlm::TLM_COMPLETED;
  }
  void ended(Payload& payload) {
    responding_ = false;
    unended_.erase(&payload);
    payload.release();
  }

  /// What an initiator has to set (IEEE 1666, "Generic payload attributes").
  void check(const Payload& payload) {
    ++requests;
    const auto expect = [&](bool holds, const char* words) {
      if (!holds) faults.push_back(words);
    };
    expect(payload.has_mm() && payload.get_ref_count() > 0, "a payload that nobody holds");
    expect(payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE, "the response status is set already");
    expect(!payload.is_dmi_allowed(), "direct memory is allowed already");
    expect(payload.get_data_ptr() != nullptr && payload.get_data_length() > 0, "no data");
    expect(payload.get_streaming_width() >= payload.get_data_length(), "streaming");
    expect(payload.get_byte_enable_ptr() == nullptr || payload.get_byte_enable_length() > 0, "no byte enables");
    expect(payload.get_address() - base_ + payload.get_data_length() <= bytes.size(), "an address of another memory");
  }

  void serve(Payload& payload) {
    const bool is_here = payload.get_address() - base_ + payload.get_data_length() <= bytes.size();
    payload.set_response_status(is_here ? status_ : tlm::TLM_ADDRESS_ERROR_RESPONSE);
    if (!payload.is_response_ok()) return;
    std::uint8_t* at = bytes.data() + (payload.get_address() - base_);
    const std::uint8_t* enable = payload.get_byte_enable_ptr();
    for (unsigned i = 0; i < payload.get_data_length(); ++i) {
      if (enable != nullptr && enable[i % payload.get_byte_enable_length()] != TLM_BYTE_ENABLED) continue;
      if (payload.is_read()) payload.get_data_ptr()[i] = at[i];
      if (payload.is_write()) at[i] = payload.get_data_ptr()[i];
    }
  }

 public:
  /// Nothing is under way here.
  bool idle() const { return !open_ && !responding_ && unended_.empty() && ready_.empty(); }

 private:
  const Way way_;
  const std::uint64_t base_;
  const tlm::tlm_response_status status_;
  tlm_utils::peq_with_get<Payload> ends_{"ends"}, due_{"due"};
  sc_core::sc_event respond_event_;
  std::deque<Payload*> ready_;
  std::set<const Payload*> unended_;  // BEGIN_RESP is out
  bool open_ = false, responding_ = false;
};

}  // namespace heddle_test
