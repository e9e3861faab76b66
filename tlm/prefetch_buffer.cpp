// SPDX-License-Identifier: Apache-2.0
#include "tlm/prefetch_buffer.h"

#include <algorithm>
#include <cstring>

namespace heddle {

namespace {

std::uint64_t sets_minus_one(const PrefetchBufferParameters& parameters) {
  const std::uint64_t way_bytes = std::uint64_t{parameters.ways} * parameters.line_bytes;
  const std::uint64_t sets = way_bytes == 0 ? 0 : parameters.bytes / way_bytes;
  if (sets == 0 || (sets & (sets - 1)) != 0 || sets * way_bytes != parameters.bytes)
    SC_REPORT_FATAL("heddle/prefetch_buffer", "bytes / (ways * line_bytes) must be a power of two");
  return sets - 1;
}

bool is_atomic(const tlm::tlm_generic_payload& payload) {
  return !payload.is_read() && !payload.is_write();
}

}  // namespace

prefetch_buffer::prefetch_buffer(const sc_core::sc_module_name& name, const PrefetchBufferParameters& parameters,
                                 const sc_core::sc_time& period)
    : sc_module(name),
      socket("socket", *this, {parameters.line_bytes, parameters.line_bytes}),
      memory_socket("memory_socket", *this),
      parameters_(parameters),
      cycles_(period),
      set_mask_(sets_minus_one(parameters)),
      pool_(parameters.line_bytes),
      lines_(parameters.bytes / parameters.line_bytes),
      data_(parameters.bytes),
      fetches_(parameters.under_way) {
  if (parameters.under_way == 0 || parameters.queue == 0 || parameters.hit_latency == 0)
    SC_REPORT_FATAL("heddle/prefetch_buffer", "under_way, queue and hit_latency must be at least 1");
  SC_METHOD(wake);
  sensitive << wake_event_;
  dont_initialize();
}

bool prefetch_buffer::idle() const {
  return queue_.empty() && under_way_ == 0 && unanswered_ == 0 && waiting_ == nullptr && replies_.empty() &&
         passing_ == nullptr && held_answer_ == nullptr;
}

void prefetch_buffer::invalidate() {
  if (!idle()) SC_REPORT_ERROR("heddle/prefetch_buffer", "invalidated with requests in flight");
  std::fill(lines_.begin(), lines_.end(), Line{});
}

unsigned prefetch_buffer::transport_dbg(unsigned, tlm::tlm_generic_payload& payload) {
  if (!payload.is_read()) {
    if (is_being_prefetched(payload))
      SC_REPORT_ERROR("heddle/prefetch_buffer", "debug transport to a line that is being prefetched");
    drop_written(payload);
  }
  return memory_socket->transport_dbg(payload);
}

void prefetch_buffer::b_transport(unsigned, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (!payload.is_read()) {
    if (is_being_prefetched(payload)) {
      payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
      return;
    }
    drop_written(payload);
  }
  memory_socket->b_transport(payload, delay);
}

bool prefetch_buffer::is_being_prefetched(const tlm::tlm_generic_payload& payload) const {
  return std::any_of(fetches_.begin(), fetches_.end(), [&](const Fetch& fetch) {
    return fetch.payload != nullptr && touches(payload, fetch.payload->get_address(), parameters_.line_bytes);
  });
}

void prefetch_buffer::drop_written(const tlm::tlm_generic_payload& payload) {
  for (Line& line : lines_)
    if (line.address != no_line && touches(payload, line.address, parameters_.line_bytes)) line = Line{};
}

// ---- Requests of the L1 --------------------------------------------------------------------------------------------

tlm::tlm_sync_enum prefetch_buffer::nb_transport_fw(unsigned, tlm::tlm_generic_payload& payload,
                                                    tlm::tlm_phase& phase) {
  if (phase == tlm::END_RESP) {
    end_response(payload);
    return tlm::TLM_COMPLETED;
  }
  sc_assert(waiting_ == nullptr);
  ++counters_.requests;
  if (serve(payload)) {
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  if (open_ == nullptr) {
    const tlm::tlm_sync_enum status = pass(payload);
    if (status == tlm::TLM_UPDATED) phase = tlm::END_REQ;
    return status;
  }
  waiting_ = &payload;
  return tlm::TLM_ACCEPTED;
}

// Is it a load that needs no request of its own?
bool prefetch_buffer::serve(tlm::tlm_generic_payload& payload) {
  if (!payload.is_read()) return false;
  const unsigned line = find(payload.get_address());
  if (line < lines_.size()) {
    payload.acquire();
    answer_read(payload, bytes_of(line));
    lines_[line] = Line{};
    ++counters_.hits;
    const std::uint64_t ready = cycles_.now() + parameters_.hit_latency;
    if (replies_.push_on_time(payload, ready)) schedule(ready);
    return true;
  }
  Fetch* fetch = fetch_of(payload.get_address());
  if (fetch == nullptr) return false;
  payload.acquire();
  fetch->joined.push_back(&payload);
  ++counters_.merges;
  return true;
}

tlm::tlm_sync_enum prefetch_buffer::pass(tlm::tlm_generic_payload& payload) {
  if (payload.is_read())  // a prefetch of it that is not sent comes too late
    queue_.erase(std::remove(queue_.begin(), queue_.end(), payload.get_address()), queue_.end());
  else
    make_stale(payload.get_address());
  open_ = &payload;
  ++unanswered_;
  const tlm::tlm_sync_enum status = memory_socket.send(payload, tlm::BEGIN_REQ);
  if (status != tlm::TLM_ACCEPTED) open_ = nullptr;
  if (status == tlm::TLM_COMPLETED) passed_answer(payload);
  return status;
}

void prefetch_buffer::passed_answer(const tlm::tlm_generic_payload& payload) {
  --unanswered_;
  if (parameters_.others_write && is_atomic(payload)) make_all_stale();
}

tlm::tlm_sync_enum prefetch_buffer::nb_transport_bw(unsigned, tlm::tlm_generic_payload& payload,
                                                    tlm::tlm_phase& phase) {
  const bool ends_request = open_ == &payload;
  if (ends_request) open_ = nullptr;
  const bool responds = phase == tlm::BEGIN_RESP;
  tlm::tlm_sync_enum status = responds ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
  if (Fetch* fetch = fetch_of(payload)) {
    if (responds) arrived(*fetch);
  } else if (responds) {
    passed_answer(payload);
    passing_completed_ = false;
    status = pass_back(payload);
  } else {
    socket.send(payload, phase);
  }
  if (ends_request) grant_waiting();
  if (!queue_.empty()) schedule(cycles_.now());
  return status;
}

// The memory's answer to a request that has passed.
tlm::tlm_sync_enum prefetch_buffer::pass_back(tlm::tlm_generic_payload& payload) {
  if (replies_.is_open()) {
    held_answer_ = &payload;
    return tlm::TLM_ACCEPTED;
  }
  passing_ = &payload;
  if (socket.send(payload, tlm::BEGIN_RESP) == tlm::TLM_ACCEPTED) return tlm::TLM_ACCEPTED;
  passing_ = nullptr;
  return tlm::TLM_COMPLETED;
}

// END_RESP of the initiator: of an answer that has passed, or of one of this buffer.
void prefetch_buffer::end_response(tlm::tlm_generic_payload& payload) {
  if (passing_ == &payload) {
    passing_ = nullptr;
    if (!passing_completed_) memory_socket.send(payload, tlm::END_RESP);
  } else {
    replies_.ended(payload);
    if (tlm::tlm_generic_payload* held = held_answer_) {
      held_answer_ = nullptr;
      if (pass_back(*held) == tlm::TLM_COMPLETED && !passing_completed_) memory_socket.send(*held, tlm::END_RESP);
    }
  }
  if (passing_ == nullptr) schedule(replies_.next_cycle());
}

void prefetch_buffer::grant_waiting() {
  if (waiting_ == nullptr) return;
  tlm::tlm_generic_payload& payload = *waiting_;
  waiting_ = nullptr;
  const bool served = serve(payload);  // its prefetch was the one in front of it, or its line has come meanwhile
  const tlm::tlm_sync_enum status = served ? tlm::TLM_UPDATED : pass(payload);
  if (status == tlm::TLM_UPDATED) {
    socket.send(payload, tlm::END_REQ);
  } else if (status == tlm::TLM_COMPLETED) {
    passing_completed_ = true;
    pass_back(payload);  // BEGIN_RESP implies END_REQ
  }
}

// ---- Prefetches ----------------------------------------------------------------------------------------------------

void prefetch_buffer::prefetch(std::uint64_t line) {
  if (is_redundant(line) || std::find(queue_.begin(), queue_.end(), line) != queue_.end()) {
    ++counters_.redundant;
    return;
  }
  if (queue_.size() == parameters_.queue) {
    ++counters_.dropped;
    return;
  }
  queue_.push_back(line);
  schedule(cycles_.now() + 1);
}

bool prefetch_buffer::can_send() const {
  return !queue_.empty() && open_ == nullptr && waiting_ == nullptr && under_way_ < fetches_.size();
}

bool prefetch_buffer::is_redundant(std::uint64_t line) {
  return find(line) < lines_.size() || fetch_of(line) != nullptr || (is_above_ && is_above_(line));
}

void prefetch_buffer::send_prefetch(std::uint64_t cycle) {
  while (!queue_.empty() && is_redundant(queue_.front())) {
    queue_.erase(queue_.begin());
    ++counters_.redundant;
  }
  if (!can_send() || cycle < next_send_) return;
  next_send_ = cycle + 1;
  Fetch& fetch =
      *std::find_if(fetches_.begin(), fetches_.end(), [](const Fetch& one) { return one.payload == nullptr; });
  fetch.payload = pool_.read(queue_.front());
  fetch.stale = false;
  memory_access(*fetch.payload).initiator_slot = static_cast<std::uint32_t>(&fetch - fetches_.data());
  queue_.erase(queue_.begin());
  ++under_way_;
  ++counters_.sent;
  open_ = fetch.payload;
  const tlm::tlm_sync_enum status = memory_socket.send(*fetch.payload, tlm::BEGIN_REQ);
  if (status == tlm::TLM_ACCEPTED) return;
  open_ = nullptr;
  if (status == tlm::TLM_COMPLETED) arrived(fetch);
}

void prefetch_buffer::arrived(Fetch& fetch) {
  const std::uint64_t cycle = cycles_.now();
  const std::uint8_t* bytes = fetch.payload->get_data_ptr();
  const bool came = fetch.payload->is_response_ok();
  for (tlm::tlm_generic_payload* load : fetch.joined) {
    if (came)
      answer_read(*load, bytes);
    else
      load->set_response_status(fetch.payload->get_response_status());
    replies_.push_late(*load, cycle);
  }
  if (came && !fetch.stale && fetch.joined.empty()) insert(fetch.payload->get_address(), bytes);
  fetch.joined.clear();
  fetch.payload->release();
  fetch.payload = nullptr;
  --under_way_;
  respond(cycle);
}

void prefetch_buffer::insert(std::uint64_t address, const std::uint8_t* bytes) {
  const auto first = lines_.begin() + set_of(address);
  const auto victim = std::min_element(first, first + parameters_.ways,
                                       [](const Line& a, const Line& b) { return a.used < b.used; });  // free ones: 0
  if (victim->address != no_line) ++counters_.early_evictions;
  *victim = {address, ++use_clock_};
  std::memcpy(bytes_of(static_cast<unsigned>(victim - lines_.begin())), bytes, parameters_.line_bytes);
}

// By a store or an atomic to the line.
void prefetch_buffer::make_stale(std::uint64_t address) {
  const unsigned line = find(address);
  if (line < lines_.size()) {
    lines_[line] = Line{};
    ++counters_.stale;
  }
  if (Fetch* fetch = fetch_of(address)) {
    fetch->stale = true;
    ++counters_.stale;
  }
}

void prefetch_buffer::make_all_stale() {
  for (Line& line : lines_) {
    if (line.address == no_line) continue;
    line = Line{};
    ++counters_.stale;
  }
  for (Fetch& fetch : fetches_) {
    if (fetch.payload == nullptr || fetch.stale) continue;
    fetch.stale = true;
    ++counters_.stale;
  }
}

unsigned prefetch_buffer::set_of(std::uint64_t address) const {
  return static_cast<unsigned>(address / parameters_.line_bytes & set_mask_) * parameters_.ways;
}

unsigned prefetch_buffer::find(std::uint64_t address) const {
  const unsigned first = set_of(address);
  for (unsigned line = first; line < first + parameters_.ways; ++line)
    if (lines_[line].address == address) return line;
  return static_cast<unsigned>(lines_.size());
}

prefetch_buffer::Fetch* prefetch_buffer::fetch_of(std::uint64_t address) {
  if (under_way_ == 0) return nullptr;
  for (Fetch& fetch : fetches_)
    if (fetch.payload != nullptr && !fetch.stale && fetch.payload->get_address() == address) return &fetch;
  return nullptr;
}

prefetch_buffer::Fetch* prefetch_buffer::fetch_of(const tlm::tlm_generic_payload& payload) {
  for (Fetch& fetch : fetches_)
    if (fetch.payload == &payload) return &fetch;
  return nullptr;
}

// ---- Time ----------------------------------------------------------------------------------------------------------

void prefetch_buffer::respond(std::uint64_t cycle) {
  if (passing_ != nullptr) return;  // end_response goes on
  replies_.send_due(cycle, socket);
  schedule(replies_.next_cycle());
}

void prefetch_buffer::wake() {
  // What the memory and the L1 send at the same instant, in an order that is the simulator's, goes first.
  if (deltas_++ < 2) return next_trigger(sc_core::SC_ZERO_TIME);
  deltas_ = 0;
  const std::uint64_t cycle = cycles_.now();
  respond(cycle);
  send_prefetch(cycle);
  // The reply of a busy memory wakes it.
  if (can_send()) schedule(cycle + 1);
}

void prefetch_buffer::schedule(std::uint64_t cycle) {
  if (cycle != ReplyPort::never) wake_event_.notify(cycles_.until(cycle));
}

}  // namespace heddle
