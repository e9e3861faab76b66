// SPDX-License-Identifier: Apache-2.0
// A test initiator that never ends: random loads, stores and atomics to lines of its own, one by one as fast as the
// protocol allows, with pauses. What program order says that each returns is worked out on a plain array of bytes when
// it is sent, and compared when its answer comes; nothing else is kept, so a campaign may be as long as one likes.
#pragma once

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "tlm/backing_store.h"
#include "tlm/cycles.h"
#include "tlm/line_request.h"

namespace heddle_test {

struct RandomTraffic {
  std::uint64_t base = 0;  // of the lines
  unsigned lines = 16;
  unsigned stride = 1;  // from a line to the next, in lines: initiators may take turns
  unsigned line_bytes = 128;
  std::uint64_t count = 1000;  // requests
  std::uint64_t seed = 1;
  unsigned slow_end_resp = 0;  // every n-th BEGIN_RESP is answered TLM_ACCEPTED, END_RESP follows two cycles later
  unsigned pause = 64;         // one request of so many is followed by a pause; 0: none
  unsigned stores_of_16 = 5, atomics_of_16 = 1;
  bool between_edges = false;  // sends at the instants at which memory modules send on their own accord
};

class random_driver : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<random_driver> socket;
  heddle::PayloadPool pool;

  SC_HAS_PROCESS(random_driver);
  // `bytes`: what memory holds from `base` on.
  random_driver(const sc_core::sc_module_name& name, const sc_core::sc_time& period, const RandomTraffic& traffic,
                const std::uint8_t* bytes)
      : sc_module(name),
        socket("socket"),
        pool(traffic.line_bytes),
        traffic_(traffic),
        period_(period),
        cycles_(period),
        random_(traffic.seed) {
    for (unsigned i = 0; i < traffic.lines; ++i) {
      const std::uint8_t* line = bytes + std::size_t{i} * traffic.stride * traffic.line_bytes;
      model_.insert(model_.end(), line, line + traffic.line_bytes);
    }
    socket.register_nb_transport_bw(this, &random_driver::nb_transport_bw);
    SC_METHOD(edge);
    SC_METHOD(end_response);
    sensitive << end_response_event_;
    dont_initialize();
  }

  bool done() const { return sent_ == traffic_.count && expected_.empty(); }
  std::uint64_t answered() const { return answered_; }
  std::uint64_t bytes_read() const { return bytes_read_; }
  // The cycle of the last answer.
  std::uint64_t last() const { return last_; }
  // What was wrong first, or empty.
  const std::string& fault() const { return fault_; }
  // What memory holds now, as the model says: the first line that does not, or empty.
  std::string compare(const heddle::BackingStore& store) const {
    for (unsigned i = 0; i < traffic_.lines; ++i) {
      const std::uint64_t address = traffic_.base + std::uint64_t{i} * traffic_.stride * traffic_.line_bytes;
      if (std::memcmp(model_.data() + std::size_t{i} * traffic_.line_bytes, store.at(address), traffic_.line_bytes) !=
          0)
        return std::string(name()) + ": memory differs in line " + std::to_string(i);
    }
    return "";
  }

 private:
  struct Expected {
    std::vector<std::uint8_t> bytes;
    std::vector<std::uint64_t> old;
  };

  void edge() {
    if (traffic_.between_edges && sc_core::sc_time_stamp() == sc_core::SC_ZERO_TIME)
      return next_trigger(sc_core::sc_time::from_value(period_.value() - period_.value() / 2));
    if (sent_ == traffic_.count) return;
    next_trigger(period_);
    if (busy_ != nullptr || cycles_.now() < next_send_) return;
    tlm::tlm_generic_payload* payload = make();
    ++sent_;
    if (traffic_.pause != 0 && random_() % traffic_.pause == 0) next_send_ = cycles_.now() + random_() % 300;
    busy_ = payload;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const tlm::tlm_sync_enum status = socket->nb_transport_fw(*payload, phase, delay);
    if (status == tlm::TLM_ACCEPTED) return;
    busy_ = nullptr;
    if (status == tlm::TLM_COMPLETED || phase == tlm::BEGIN_RESP) answer(*payload);
  }

  tlm::tlm_generic_payload* make() {
    const unsigned index = static_cast<unsigned>(random_() % traffic_.lines);
    const std::uint64_t line = traffic_.base + std::uint64_t{index} * traffic_.stride * traffic_.line_bytes;
    std::uint8_t* model = model_.data() + std::size_t{index} * traffic_.line_bytes;
    const unsigned kind = static_cast<unsigned>(random_() % 16);
    if (kind < traffic_.stores_of_16) return make_store(line, model);
    if (kind < traffic_.stores_of_16 + traffic_.atomics_of_16) return make_atomic(line, model);
    tlm::tlm_generic_payload* payload = pool.read(line);
    expected_[payload].bytes.assign(model, model + traffic_.line_bytes);
    return payload;
  }

  tlm::tlm_generic_payload* make_store(std::uint64_t line, std::uint8_t* model) {
    tlm::tlm_generic_payload* payload = pool.write(line);
    unsigned i = static_cast<unsigned>(random_() % traffic_.line_bytes);
    const unsigned step = random_() % 4 == 0 ? 1 : 1 + static_cast<unsigned>(random_() % 9);
    if (step == 1 && random_() % 2 == 0) i = 0;  // whole lines, too
    for (; i < traffic_.line_bytes; i += step) {
      model[i] = payload->get_data_ptr()[i] = static_cast<std::uint8_t>(random_());
      payload->get_byte_enable_ptr()[i] = 0xff;
    }
    expected_[payload];
    return payload;
  }

  tlm::tlm_generic_payload* make_atomic(std::uint64_t line, std::uint8_t* model) {
    tlm::tlm_generic_payload* payload = pool.atomic(line);
    heddle::MemoryAccess& access = heddle::memory_access(*payload);
    const bool adds = random_() % 2 == 0;
    access.op = adds ? heddle::AtomicOp::Add : heddle::AtomicOp::Exchange;
    access.bytes = 4;
    access.is_signed = false;
    access.lane_count = static_cast<std::uint8_t>(1 + random_() % 8);
    Expected& expected = expected_[payload];
    for (unsigned i = 0; i < access.lane_count; ++i) {
      const unsigned offset = static_cast<unsigned>(random_() % (traffic_.line_bytes / 4) * 4);
      const std::uint32_t operand = static_cast<std::uint32_t>(random_());
      access.lanes[i] = {static_cast<std::uint8_t>(offset), operand, 0, 0};
      std::uint32_t value;
      std::memcpy(&value, model + offset, 4);
      expected.old.push_back(value);
      value = adds ? value + operand : operand;
      std::memcpy(model + offset, &value, 4);
    }
    return payload;
  }

  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time&) {
    if (busy_ == &payload) {  // END_REQ, or a response that implies it
      busy_ = nullptr;
      next_send_ = std::max(next_send_, cycles_.now() + 1);
    }
    if (phase == tlm::END_REQ) return tlm::TLM_ACCEPTED;
    sc_assert(phase == tlm::BEGIN_RESP && responding_ == nullptr);  // one response at a time
    if (traffic_.slow_end_resp != 0 && ++responses_ % traffic_.slow_end_resp == 0) {
      responding_ = &payload;
      end_response_event_.notify(2 * period_);
      return tlm::TLM_ACCEPTED;
    }
    answer(payload);
    return tlm::TLM_COMPLETED;
  }

  void end_response() {
    tlm::tlm_generic_payload& payload = *responding_;
    responding_ = nullptr;
    payload.acquire();
    answer(payload);
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->nb_transport_fw(payload, phase, delay);
    payload.release();
  }

  void answer(tlm::tlm_generic_payload& payload) {
    const auto at = expected_.find(&payload);
    if (at == expected_.end()) return note("an answer that nobody waits for", payload);
    const Expected expected = std::move(at->second);
    expected_.erase(at);
    ++answered_;
    last_ = cycles_.now();
    if (!payload.is_response_ok()) note("a response that is not OK", payload);
    if (payload.is_read()) {
      bytes_read_ += payload.get_data_length();
      if (std::memcmp(expected.bytes.data(), payload.get_data_ptr(), expected.bytes.size()) != 0)
        note("a load with other bytes", payload);
    } else if (!payload.is_write()) {
      const heddle::MemoryAccess& access = heddle::memory_access(payload);
      for (unsigned i = 0; i < access.lane_count; ++i)
        if (access.lanes[i].old != expected.old[i]) note("an atomic with another old value", payload);
    }
    payload.release();
  }

  void note(const std::string& what, const tlm::tlm_generic_payload& payload) {
    if (!fault_.empty()) return;
    char text[96];
    std::snprintf(text, sizeof text, ", request %llu, line 0x%llx", static_cast<unsigned long long>(answered_),
                  static_cast<unsigned long long>(payload.get_address()));
    fault_ = std::string(name()) + ": " + what + text;
  }

  const RandomTraffic traffic_;
  const sc_core::sc_time period_;
  const heddle::Cycles cycles_;
  std::mt19937_64 random_;
  std::vector<std::uint8_t> model_;
  sc_core::sc_event end_response_event_;
  std::uint64_t sent_ = 0, answered_ = 0, bytes_read_ = 0, last_ = 0;
  std::uint64_t next_send_ = 0;
  unsigned responses_ = 0;
  tlm::tlm_generic_payload* busy_ = nullptr;
  tlm::tlm_generic_payload* responding_ = nullptr;
  std::unordered_map<tlm::tlm_generic_payload*, Expected> expected_;
  std::string fault_;
};

}  // namespace heddle_test
