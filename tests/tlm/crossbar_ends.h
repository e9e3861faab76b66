// SPDX-License-Identifier: Apache-2.0
// What the crossbar is tested between: partitions that answer in every manner that the protocol allows, and initiators
// of random requests that check what comes back. Both note what they saw, in order, with its cycle.
#pragma once

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <vector>

#include "tlm/cycles.h"
#include "tlm/line_request.h"

namespace heddle_crossbar_test {

inline const sc_core::sc_time period(1429, sc_core::SC_PS);  // 700 MHz, and odd
constexpr std::uint64_t base = 0x7f00'0000'0000;
constexpr unsigned line_bytes = 128;

inline std::uint64_t seed() {
  const char* text = std::getenv("HEDDLE_SEED");
  return text == nullptr ? 20261125 : std::strtoull(text, nullptr, 0);
}

// The kernel may run what is due at one instant in any order. This makes it: a process that asks comes some delta cycles
// later, at random. Seed 0: never.
class Jitter {
 public:
  explicit Jitter(std::uint64_t seed) : random_(seed), on_(seed != 0) {}
  bool postpones() { return on_ && random_() % 2 == 0; }

 private:
  std::mt19937_64 random_;
  bool on_;
};

// ---- A partition ---------------------------------------------------------------------------------------------------

// How it answers a request.
struct Manners {
  unsigned response_after = 1;      // cycles after it took the request, at least 1
  unsigned response_spread = 0;     // and up to as many more: answers overtake each other
  unsigned accept_after = 0;        // END_REQ: 0 in the call, else up to as many cycles later
  unsigned in_call = 0;             // one request in so many is complete in the call (TLM_COMPLETED or BEGIN_RESP)
  bool end_req_is_implied = false;  // no END_REQ of its own where it is late: BEGIN_RESP says it
};

struct Seen {
  unsigned sm;
  std::uint64_t line;
  tlm::tlm_command command;
  std::uint64_t cycle;

  bool operator==(const Seen& other) const {
    return sm == other.sm && line == other.line && command == other.command && cycle == other.cycle;
  }
};

// Performs requests on `bytes` in the order of their arrival, and answers in its own time and order.
class partition : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<partition> socket;
  std::vector<Seen> arrivals, answers;
  std::uint64_t debug_bytes = 0;

  SC_HAS_PROCESS(partition);
  partition(const sc_core::sc_module_name& name, const Manners& manners, std::vector<std::uint8_t>& bytes,
            std::uint64_t random_seed, std::uint64_t jitter_seed)
      : sc_module(name),
        socket("socket"),
        manners_(manners),
        bytes_(bytes),
        cycles_(period),
        random_(random_seed),
        jitter_(jitter_seed) {
    socket.register_nb_transport_fw(this, &partition::nb_transport_fw);
    socket.register_b_transport(this, &partition::b_transport);
    socket.register_transport_dbg(this, &partition::transport_dbg);
    SC_METHOD(act);
    sensitive << event_;
    dont_initialize();
  }

 private:
  struct Answer {
    tlm::tlm_generic_payload* payload;
    unsigned sm;
  };

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time&) {
    if (phase == tlm::END_RESP) {
      sc_assert(responding_ == &payload);
      responding_ = nullptr;
      respond_from_ = cycles_.now() + 1;
      plan();
      return tlm::TLM_COMPLETED;
    }
    sc_assert(phase == tlm::BEGIN_REQ && accepting_ == nullptr);
    const heddle::MemoryAccess& access = heddle::memory_access(payload);
    sc_assert(access.hops == 1);
    const unsigned sm = access.route[0];
    arrivals.push_back({sm, payload.get_address(), payload.get_command(), cycles_.now()});
    perform(payload);
    if (manners_.in_call != 0 && random_() % manners_.in_call == 0) {
      answers.push_back({sm, payload.get_address(), payload.get_command(), cycles_.now()});
      if (random_() % 2 == 0 || responding_ != nullptr) return tlm::TLM_COMPLETED;
      responding_ = &payload;
      phase = tlm::BEGIN_RESP;
      return tlm::TLM_UPDATED;
    }
    const unsigned late = manners_.accept_after == 0 ? 0 : static_cast<unsigned>(random_() % manners_.accept_after);
    const unsigned spread = static_cast<unsigned>(random_() % (manners_.response_spread + 1));
    const std::uint64_t take = cycles_.now() + late;
    due_.emplace(take + manners_.response_after + spread, Answer{&payload, sm});
    if (late == 0) {
      plan();
      phase = tlm::END_REQ;
      return tlm::TLM_UPDATED;
    }
    accepting_ = &payload;
    accept_at_ = manners_.end_req_is_implied ? ~std::uint64_t{0} : take;
    plan();
    return tlm::TLM_ACCEPTED;
  }

  void act() {
    if (jitter_.postpones()) return next_trigger(sc_core::SC_ZERO_TIME);
    const std::uint64_t cycle = cycles_.now();
    if (accepting_ != nullptr && accept_at_ <= cycle) {
      tlm::tlm_generic_payload& payload = *accepting_;
      accepting_ = nullptr;
      tlm::tlm_phase phase = tlm::END_REQ;
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      socket->nb_transport_bw(payload, phase, delay);
    }
    if (responding_ == nullptr && respond_from_ <= cycle && !due_.empty() && due_.begin()->first <= cycle) {
      const Answer answer = due_.begin()->second;
      due_.erase(due_.begin());
      tlm::tlm_generic_payload& payload = *answer.payload;
      if (accepting_ == &payload) accepting_ = nullptr;
      answers.push_back({answer.sm, payload.get_address(), payload.get_command(), cycle});
      responding_ = &payload;
      respond_from_ = cycle + 1;
      tlm::tlm_phase phase = tlm::BEGIN_RESP;
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      if (socket->nb_transport_bw(payload, phase, delay) != tlm::TLM_ACCEPTED) responding_ = nullptr;
    }
    plan();
  }

  void plan() {
    const std::uint64_t next = cycles_.now() + 1;
    if (accepting_ != nullptr && accept_at_ != ~std::uint64_t{0})
      event_.notify(cycles_.until(std::max(next, accept_at_)));
    if (responding_ == nullptr && !due_.empty())
      event_.notify(cycles_.until(std::max({next, respond_from_, due_.begin()->first})));
  }

  void perform(tlm::tlm_generic_payload& payload) {
    std::uint8_t* line = bytes_.data() + (payload.get_address() - base);
    if (payload.is_read()) {
      std::memcpy(payload.get_data_ptr(), line, payload.get_data_length());
    } else if (payload.is_write()) {
      heddle::merge_write(payload, line);
    } else {
      heddle::perform_atomic(heddle::memory_access(payload), line);
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    perform(payload);
    delay += 100 * period;
  }

  unsigned transport_dbg(tlm::tlm_generic_payload& payload) {
    std::uint8_t* at = bytes_.data() + (payload.get_address() - base);
    if (payload.is_write())
      std::memcpy(at, payload.get_data_ptr(), payload.get_data_length());
    else
      std::memcpy(payload.get_data_ptr(), at, payload.get_data_length());
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    debug_bytes += payload.get_data_length();
    return payload.get_data_length();
  }

  const Manners manners_;
  std::vector<std::uint8_t>& bytes_;
  const heddle::Cycles cycles_;
  std::mt19937_64 random_;
  Jitter jitter_;
  sc_core::sc_event event_;
  tlm::tlm_generic_payload* accepting_ = nullptr;   // END_REQ to come
  tlm::tlm_generic_payload* responding_ = nullptr;  // END_RESP to come
  std::uint64_t accept_at_ = 0, respond_from_ = 0;
  std::multimap<std::uint64_t, Answer> due_;
};

// ---- Random traffic ------------------------------------------------------------------------------------------------

struct Habits {
  unsigned slow = 0;   // one answer in so many is ended up to 20 cycles later
  bool early = false;  // sends half a period before the edge, as an L1 does with what it was asked earlier
};

// Sends random requests to lines of its own and compares what comes back with an array of bytes to which it did the
// same in the order of sending. Keeps nothing of a request that is answered.
class random_initiator : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<random_initiator> socket;
  heddle::PayloadPool pool{line_bytes};
  std::vector<std::uint8_t> model;
  std::vector<Seen> sent, answered;
  std::uint64_t request_flits = 0, reply_flits = 0;  // by hand, 32 bytes each
  unsigned wrong = 0;

  SC_HAS_PROCESS(random_initiator);
  random_initiator(const sc_core::sc_module_name& name, unsigned sm, std::uint64_t first_line, unsigned lines,
                   unsigned count, const Habits& habits, std::uint64_t random_seed, std::uint64_t jitter_seed)
      : sc_module(name),
        socket("socket"),
        model(std::size_t{lines} * line_bytes, 0),
        sm_(sm),
        first_line_(first_line),
        left_(count),
        habits_(habits),
        cycles_(period),
        random_(random_seed),
        random_answers_(random_seed + 1),
        jitter_(jitter_seed) {
    socket.register_nb_transport_bw(this, &random_initiator::nb_transport_bw);
    SC_METHOD(edge);
    SC_METHOD(end_response);
    sensitive << end_response_event_;
    dont_initialize();
  }

 private:
  struct Expected {
    bool open = false;
    std::array<std::uint8_t, line_bytes> loaded{};
    std::vector<std::uint64_t> old;
  };

  void edge() {
    if (left_ == 0) return;
    if (habits_.early && sc_core::sc_time_stamp() == sc_core::SC_ZERO_TIME)
      return next_trigger(sc_core::sc_time::from_value(period.value() - period.value() / 2));
    if (jitter_.postpones()) return next_trigger(sc_core::SC_ZERO_TIME);
    const bool pause = random_() % 256 == 0;
    next_trigger(pause ? static_cast<double>(random_() % 200 + 1) * period : period);
    if (busy_ != nullptr || cycles_.now() < next_send_) return;
    --left_;
    tlm::tlm_generic_payload* payload = make();
    sent.push_back({sm_, payload->get_address(), payload->get_command(), cycles_.now()});
    busy_ = payload;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    if (socket->nb_transport_fw(*payload, phase, delay) != tlm::TLM_ACCEPTED) busy_ = nullptr;
  }

  tlm::tlm_generic_payload* make() {
    const std::uint64_t offset = random_() % (model.size() / line_bytes) * line_bytes;
    const std::uint64_t line = first_line_ + offset;
    std::uint8_t* bytes = model.data() + offset;
    const unsigned kind = static_cast<unsigned>(random_() % 8);
    tlm::tlm_generic_payload* payload = kind < 4 ? pool.read(line) : (kind < 7 ? pool.write(line) : pool.atomic(line));
    heddle::MemoryAccess& access = heddle::memory_access(*payload);
    const unsigned slot = free_slot();
    access.initiator_slot = slot;
    access.hops = 0;
    Expected& expected = expected_[slot];
    if (kind < 4) {
      std::memcpy(expected.loaded.data(), bytes, line_bytes);
      request_flits += 1;  // 8 bytes
      reply_flits += 5;    // 136 bytes
    } else if (kind < 7) {
      const unsigned sectors = static_cast<unsigned>(random_() % 15 + 1);
      request_flits += 1;
      for (unsigned sector = 0; sector < 4; ++sector) {
        if ((sectors >> sector & 1) == 0) continue;
        ++request_flits;  // 8 + 32 n bytes are n + 1 flits
        for (unsigned n = 0; n < 3; ++n) {
          const unsigned i = sector * 32 + static_cast<unsigned>(random_() % 32);
          payload->get_data_ptr()[i] = bytes[i] = static_cast<std::uint8_t>(random_());
          payload->get_byte_enable_ptr()[i] = 0xff;
        }
      }
      reply_flits += 1;
    } else {
      access.op = random_() % 2 == 0 ? heddle::AtomicOp::Add : heddle::AtomicOp::CompareExchange;
      access.bytes = 4;
      const unsigned lanes = static_cast<unsigned>(random_() % 32) + 1;
      for (unsigned i = 0; i < lanes; ++i) {
        std::uint32_t value;
        const std::uint8_t at = static_cast<std::uint8_t>(random_() % 32 * 4);
        const std::uint32_t operand = static_cast<std::uint32_t>(random_());
        std::memcpy(&value, bytes + at, 4);
        access.lanes[access.lane_count++] = {at, operand, value, 0};  // compare: what is there
        expected.old.push_back(value);
        value = access.op == heddle::AtomicOp::Add ? value + operand : operand;
        std::memcpy(bytes + at, &value, 4);
      }
      const unsigned operands = access.op == heddle::AtomicOp::Add ? 8 : 16;
      request_flits += (8 + operands * lanes + 31) / 32;
      reply_flits += (8 + 8 * lanes + 31) / 32;
    }
    return payload;
  }

  unsigned free_slot() {
    if (free_.empty()) {
      free_.push_back(static_cast<unsigned>(expected_.size()));
      expected_.emplace_back();
    }
    const unsigned slot = free_.back();
    free_.pop_back();
    expected_[slot].open = true;
    return slot;
  }

  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time&) {
    if (phase == tlm::END_REQ) {
      sc_assert(busy_ == &payload);
      busy_ = nullptr;
      next_send_ = cycles_.now() + 1;
      return tlm::TLM_ACCEPTED;
    }
    sc_assert(phase == tlm::BEGIN_RESP && responding_ == nullptr);
    if (busy_ == &payload) busy_ = nullptr;
    if (habits_.slow != 0 && random_answers_() % habits_.slow == 0) {
      responding_ = &payload;
      end_response_event_.notify(static_cast<double>(random_answers_() % 20 + 1) * period);
      return tlm::TLM_ACCEPTED;
    }
    check(payload);
    return tlm::TLM_COMPLETED;
  }

  void end_response() {
    if (jitter_.postpones()) return next_trigger(sc_core::SC_ZERO_TIME);
    tlm::tlm_generic_payload& payload = *responding_;
    responding_ = nullptr;
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    payload.acquire();
    check(payload);
    socket->nb_transport_fw(payload, phase, delay);
    payload.release();
  }

  void check(tlm::tlm_generic_payload& payload) {
    const heddle::MemoryAccess& access = heddle::memory_access(payload);
    Expected& expected = expected_[access.initiator_slot];
    answered.push_back({sm_, payload.get_address(), payload.get_command(), cycles_.now()});
    bool good = expected.open && access.hops == 0 && payload.is_response_ok();
    if (payload.is_read()) good = good && std::memcmp(expected.loaded.data(), payload.get_data_ptr(), line_bytes) == 0;
    for (std::size_t i = 0; i < expected.old.size(); ++i) good = good && access.lanes[i].old == expected.old[i];
    wrong += !good;
    expected = Expected{};
    free_.push_back(access.initiator_slot);
    payload.release();
  }

  const unsigned sm_;
  const std::uint64_t first_line_;
  unsigned left_;
  const Habits habits_;
  const heddle::Cycles cycles_;
  std::mt19937_64 random_, random_answers_;
  Jitter jitter_;
  sc_core::sc_event end_response_event_;
  std::uint64_t next_send_ = 0;
  tlm::tlm_generic_payload* busy_ = nullptr;
  tlm::tlm_generic_payload* responding_ = nullptr;
  std::vector<Expected> expected_;
  std::vector<unsigned> free_;
};

}  // namespace heddle_crossbar_test
