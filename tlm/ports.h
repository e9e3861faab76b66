// SPDX-License-Identifier: Apache-2.0
// The two ends of a cache, as plain objects: requests towards the memory below, answers towards the initiator above.
#pragma once

#include <systemc>
#include <tlm>

#include <algorithm>
#include <cstdint>

#include "tlm/line_sockets.h"
#include "tlm/ring.h"

namespace heddle {

// Requests leave in their order, one at a time: the next when END_REQ of the last is here.
class RequestPort {
 public:
  bool empty() const { return queue_.empty(); }
  std::size_t size() const { return queue_.size(); }
  void push(tlm::tlm_generic_payload& payload) { queue_.push(&payload); }

  // Until the target holds one back. `completed` is called for those that it answers in the call.
  template <class Completed>
  void drain(line_initiator_socket& socket, Completed completed) {
    while (!busy_ && !queue_.empty()) {
      tlm::tlm_generic_payload& payload = *queue_.front();
      busy_ = true;
      const tlm::tlm_sync_enum status = socket.send(payload, tlm::BEGIN_REQ);
      if (status == tlm::TLM_ACCEPTED) return;
      queue_.pop();
      busy_ = false;
      if (status == tlm::TLM_COMPLETED) completed(payload);
    }
  }

  // The target speaks of this payload: END_REQ, or a response that implies it. Did that end the open request?
  bool ends(const tlm::tlm_generic_payload& payload) {
    if (!busy_ || queue_.front() != &payload) return false;
    queue_.pop();
    busy_ = false;
    return true;
  }

 private:
  Ring<tlm::tlm_generic_payload*> queue_;
  bool busy_ = false;  // BEGIN_REQ of the front sent, END_REQ not yet received
};

// Answers leave one a cycle, the one due longest first; of two due alike, the one that had to wait for memory. The
// payloads are released when they are through.
class ReplyPort {
 public:
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  bool empty() const { return on_time_.empty() && late_.empty() && !open_; }
  // BEGIN_RESP sent, END_RESP not yet received.
  bool is_open() const { return open_; }
  // In the order of their cycles. \return the port was empty of these: it may have to be woken.
  bool push_on_time(tlm::tlm_generic_payload& payload, std::uint64_t ready) {
    on_time_.push({&payload, ready});
    return on_time_.size() == 1;
  }
  void push_late(tlm::tlm_generic_payload& payload, std::uint64_t ready) { late_.push({&payload, ready}); }

  void send_due(std::uint64_t cycle, line_target_socket& socket) {
    while (next_cycle() <= cycle) {
      Ring<Answer>& ring = front_ring();
      tlm::tlm_generic_payload& payload = *ring.front().payload;
      ring.pop();
      next_ = cycle + 1;
      open_ = true;
      if (socket.send(payload, tlm::BEGIN_RESP) == tlm::TLM_ACCEPTED) return;
      ended(payload);
    }
  }
  void ended(tlm::tlm_generic_payload& payload) {
    sc_assert(open_);
    open_ = false;
    payload.release();
  }

  // When the next answer leaves; never while END_RESP is awaited.
  std::uint64_t next_cycle() const {
    if (open_ || (on_time_.empty() && late_.empty())) return never;
    return std::max(next_, const_cast<ReplyPort*>(this)->front_ring().front().ready);
  }
  // Cycles for which the next answer has been due.
  std::uint64_t overdue(std::uint64_t cycle) const {
    if (on_time_.empty() && late_.empty()) return 0;
    const std::uint64_t ready = const_cast<ReplyPort*>(this)->front_ring().front().ready;
    return cycle > ready ? cycle - ready : 0;
  }

 private:
  struct Answer {
    tlm::tlm_generic_payload* payload = nullptr;
    std::uint64_t ready = 0;  // not earlier than this cycle
  };
  Ring<Answer>& front_ring() {
    const bool takes_late = on_time_.empty() || (!late_.empty() && late_.front().ready <= on_time_.front().ready);
    return takes_late ? late_ : on_time_;
  }

  Ring<Answer> on_time_, late_;
  std::uint64_t next_ = 0;  // not before this cycle
  bool open_ = false;       // BEGIN_RESP sent, END_RESP not yet received
};

}  // namespace heddle
