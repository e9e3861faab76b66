// SPDX-License-Identifier: Apache-2.0
// An initiator of TLM-2.0 that knows nothing of Heddle: tlm_utils::simple_initiator_socket and payloads of its own. It
// asks a target what IEEE 1666 says of it, question by question, and keeps what was not answered so.
#pragma once

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace heddle_test {

/// Makes payloads and deletes what is returned.
class PayloadManager : public tlm::tlm_mm_interface {
 public:
  tlm::tlm_generic_payload* make() {
    ++out_;
    auto* payload = new tlm::tlm_generic_payload(this);
    payload->acquire();
    return payload;
  }
  void free(tlm::tlm_generic_payload* payload) override {
    payload->reset();
    delete payload;
    --out_;
  }
  unsigned out() const { return out_; }

 private:
  unsigned out_ = 0;
};

class standard_initiator : public sc_core::sc_module {
 public:
  static constexpr unsigned Line = 128;
  static constexpr std::uint64_t Stride = 256;  // a question has lines of its own
  using Bytes = std::vector<std::uint8_t>;
  /// What is wrong; empty if nothing is.
  using Question = std::function<std::string(standard_initiator&)>;

  /// How the initiator ends a response: in the call, later, by a return value with a delay, or by a call with one.
  enum class End { AtOnce, Later, Returned, Annotated };

  tlm_utils::simple_initiator_socket<standard_initiator> socket{"socket"};
  std::vector<std::string> faults;
  unsigned asked = 0;
  bool done = false;

  SC_HAS_PROCESS(standard_initiator);
  /// `base`: of memory that holds `initial`.
  standard_initiator(const sc_core::sc_module_name& name, std::uint64_t base, const Bytes& initial,
                     std::vector<std::pair<const char*, Question>> questions)
      : sc_module(name), base_(base), initial_(initial), questions_(std::move(questions)) {
    socket.register_nb_transport_bw(this, &standard_initiator::nb_transport_bw);
    SC_THREAD(ask);
    SC_METHOD(end_response);
    sensitive << end_event_;
    dont_initialize();
  }

  /// A request, its data and what came of it.
  struct Access {
    tlm::tlm_generic_payload* payload = nullptr;
    Bytes data, enables;
    bool answered = false;
    sc_core::sc_time sent, at;  // at: BEGIN_RESP, with what is annotated
    tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
    End end = End::AtOnce;
    sc_core::sc_time ended;
  };

  std::uint64_t address(unsigned line) const { return base_ + (first_ + line) * Stride; }
  /// What memory held at first.
  Bytes initial(unsigned line, unsigned from = 0, unsigned length = Line) const {
    const auto at = initial_.begin() + static_cast<std::ptrdiff_t>((first_ + line) * Stride + from);
    return Bytes(at, at + length);
  }

  Access& access(tlm::tlm_command command, std::uint64_t at, unsigned length = Line, const Bytes& enables = {}) {
    accesses_.push_back(std::make_unique<Access>());
    Access& made = *accesses_.back();
    made.data.assign(length == 0 ? 1 : length, 0x5a);
    if (command == tlm::TLM_WRITE_COMMAND)
      for (unsigned i = 0; i < length; ++i) made.data[i] = static_cast<std::uint8_t>(i + 1);
    made.enables = enables;
    tlm::tlm_generic_payload& payload = *(made.payload = manager_.make());
    payload.set_command(command);
    payload.set_address(at);
    payload.set_data_ptr(made.data.data());
    payload.set_data_length(length);
    payload.set_streaming_width(length);
    if (!enables.empty()) {
      payload.set_byte_enable_ptr(made.enables.data());
      payload.set_byte_enable_length(static_cast<unsigned>(enables.size()));
    }
    return made;
  }

  /// Without blocking, until it is answered or 20 us have passed.
  Access& transport(Access& made, const sc_core::sc_time& delay = sc_core::SC_ZERO_TIME) {
    send(made, delay);
    await(made);
    return made;
  }
  void send(Access& made, const sc_core::sc_time& annotated = sc_core::SC_ZERO_TIME) {
    while (open_ != nullptr) wait(event_);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = annotated;
    open_ = &made;
    made.sent = sc_core::sc_time_stamp();
    switch (socket->nb_transport_fw(*made.payload, phase, delay)) {
      case tlm::TLM_COMPLETED:
        open_ = nullptr;
        answered(made, delay);
        break;
      case tlm::TLM_UPDATED:
        if (delay != sc_core::SC_ZERO_TIME) wait(delay);
        open_ = nullptr;
        if (phase == tlm::BEGIN_RESP) {
          answered(made, sc_core::SC_ZERO_TIME);
          end(made, sc_core::SC_ZERO_TIME);
        }
        break;
      default:
        break;
    }
  }
  void await(const Access& made) {
    const sc_core::sc_time until = sc_core::sc_time_stamp() + sc_core::sc_time(20, sc_core::SC_US);
    while (!made.answered && sc_core::sc_time_stamp() < until) wait(until - sc_core::sc_time_stamp(), event_);
  }
  Access& blocking(Access& made, sc_core::sc_time& delay) {
    socket->b_transport(*made.payload, delay);
    made.status = made.payload->get_response_status();
    made.answered = true;
    return made;
  }
  Bytes debug(std::uint64_t at, unsigned length) {
    Access& made = access(tlm::TLM_READ_COMMAND, at, length);
    const unsigned moved = socket->transport_dbg(*made.payload);
    return moved == length ? made.data : Bytes{};
  }
  void pause(unsigned ns) { wait(ns, sc_core::SC_NS); }
  unsigned payloads_out() const { return manager_.out(); }

 private:
  void ask() {
    pause(1000);
    for (const auto& [name, question] : questions_) {
      ++asked;
      const std::string wrong = question(*this);
      if (!wrong.empty()) faults.push_back(std::string(name) + ": " + wrong);
      pause(5000);
      for (auto& made : accesses_) {
        if (made->answered || made->sent == sc_core::SC_ZERO_TIME)
          made->payload->release();
        else
          unanswered_.push_back(std::move(made));
      }
      accesses_.clear();
      open_ = nullptr;
      first_ += 4;
    }
    if (manager_.out() != 0) faults.push_back("payloads: " + std::to_string(manager_.out()) + " were kept");
    done = true;
  }

  Access* access_of(const tlm::tlm_generic_payload& payload) {
    for (const auto& made : accesses_)
      if (made->payload == &payload) return made.get();
    return nullptr;
  }

  void answered(Access& made, const sc_core::sc_time& delay) {
    if (made.answered) faults.push_back("answered twice");
    made.answered = true;
    made.at = sc_core::sc_time_stamp() + delay;
    made.status = made.payload->get_response_status();
    event_.notify(sc_core::SC_ZERO_TIME);
  }

  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) {
    Access* made = access_of(payload);
    if (made == nullptr) {
      faults.push_back("a call for a payload that is not under way");
      return tlm::TLM_COMPLETED;
    }
    if (open_ == made) open_ = nullptr;
    event_.notify(sc_core::SC_ZERO_TIME);
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    if (ending_ != nullptr) faults.push_back("BEGIN_RESP while another response is open");
    answered(*made, delay);
    const sc_core::sc_time later(300, sc_core::SC_NS);
    made->ended = sc_core::sc_time_stamp();
    if (made->end == End::AtOnce) return tlm::TLM_COMPLETED;
    made->ended += later;
    if (made->end == End::Returned) {
      phase = tlm::END_RESP;
      delay = later;
      return tlm::TLM_UPDATED;
    }
    ending_ = made;
    end_event_.notify(made->end == End::Later ? later : sc_core::sc_time(10, sc_core::SC_NS));
    return tlm::TLM_ACCEPTED;
  }

  void end_response() {
    Access& made = *ending_;
    ending_ = nullptr;
    end(made, made.end == End::Later ? sc_core::SC_ZERO_TIME : sc_core::sc_time(290, sc_core::SC_NS));
  }
  void end(const Access& made, const sc_core::sc_time& annotated) {
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay = annotated;
    socket->nb_transport_fw(*made.payload, phase, delay);
  }

  const std::uint64_t base_;
  const Bytes& initial_;
  const std::vector<std::pair<const char*, Question>> questions_;
  PayloadManager manager_;
  std::vector<std::unique_ptr<Access>> accesses_;    // of this question
  std::vector<std::unique_ptr<Access>> unanswered_;  // of earlier ones: a target may still write to their data
  std::uint64_t first_ = 0;                          // line of this question
  const Access* open_ = nullptr;
  Access* ending_ = nullptr;
  sc_core::sc_event event_, end_event_;
};

}  // namespace heddle_test
