// SPDX-License-Identifier: Apache-2.0
#include "tlm/l1_cache.h"

#include <algorithm>
#include <cstring>

#include "rtl/base/set_index.h"

namespace heddle {

namespace {

std::uint64_t sets_of(const L1Parameters& parameters) {
  const std::uint64_t way_bytes = std::uint64_t{parameters.ways} * parameters.line_bytes;
  const std::uint64_t sets = way_bytes == 0 ? 0 : parameters.bytes / way_bytes;
  if (sets == 0 || (sets & (sets - 1)) != 0 || sets * way_bytes != parameters.bytes) {
    SC_REPORT_FATAL("heddle/l1_cache", "bytes / (ways * line_bytes) must be a power of two");
  }
  return sets;
}

}  // namespace

l1_cache::l1_cache(const sc_core::sc_module_name& name, const L1Parameters& parameters, const sc_core::sc_time& period)
    : sc_module(name),
      socket("socket", *this, {parameters.line_bytes, parameters.line_bytes}),
      memory_socket("memory_socket", *this),
      parameters_(parameters),
      cycles_(period),
      sets_(sets_of(parameters)),
      pool_(parameters.line_bytes),
      lines_(parameters.bytes / parameters.line_bytes),
      data_(parameters.bytes),
      mshrs_(parameters.mshrs) {
  if (parameters.mshrs == 0 || parameters.targets_per_mshr == 0 || parameters.memory_queue == 0 ||
      parameters.hit_latency == 0) {
    SC_REPORT_FATAL("heddle/l1_cache", "mshrs, targets_per_mshr, memory_queue and hit_latency must be at least 1");
  }
  for (Mshr& mshr : mshrs_) mshr.targets.reserve(parameters.targets_per_mshr);
  SC_METHOD(wake);
  sensitive << wake_event_;
  dont_initialize();
}

void l1_cache::invalidate() {
  if (!idle()) SC_REPORT_ERROR("heddle/l1_cache", "invalidated with requests in flight");
  std::fill(lines_.begin(), lines_.end(), Line{});
}

void l1_cache::acquire() {
  ++counters_.acquires;
  for (Line& line : lines_) {
    if (line.address == no_line) continue;
    line = Line{};
    ++counters_.acquire_invalidations;
  }
  for (Mshr& mshr : mshrs_) {
    if (!mshr.open) continue;
    mshr.open = false;
    ++counters_.closed_fills;
  }
}

unsigned l1_cache::transport_dbg(unsigned, tlm::tlm_generic_payload& payload) {
  if (!payload.is_read()) {
    if (is_being_filled(payload)) SC_REPORT_ERROR("heddle/l1_cache", "debug transport to a line that is being filled");
    drop(payload);
  }
  return memory_socket->transport_dbg(payload);
}

void l1_cache::b_transport(unsigned, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (is_being_filled(payload)) {
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return;
  }
  drop(payload);
  memory_socket->b_transport(payload, delay);
}

bool l1_cache::is_being_filled(const tlm::tlm_generic_payload& payload) const {
  return std::any_of(mshrs_.begin(), mshrs_.end(), [&](const Mshr& mshr) {
    return mshr.fill != nullptr && touches(payload, mshr.address, parameters_.line_bytes);
  });
}

void l1_cache::drop(const tlm::tlm_generic_payload& payload) {
  for (Line& line : lines_) {
    if (line.address != no_line && touches(payload, line.address, parameters_.line_bytes)) line = Line{};
  }
}

// ---- Acceptance ----------------------------------------------------------------------------------------------------

tlm::tlm_sync_enum l1_cache::nb_transport_fw(unsigned, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase) {
  const std::uint64_t cycle = cycles_.now();
  if (phase == tlm::BEGIN_REQ) {
    sc_assert(held_ == nullptr);
    payload.acquire();  // until its response is through
    std::uint64_t* reason = nullptr;
    if (cycle >= next_accept_ && try_accept(payload, cycle, reason)) {
      phase = tlm::END_REQ;
      return tlm::TLM_UPDATED;
    }
    held_ = &payload;
    held_counted_ = reason != nullptr;
    if (reason != nullptr) {
      ++*reason;  // whatever frees the resource retries
    } else {
      schedule(next_accept_);
    }
    return tlm::TLM_ACCEPTED;
  }
  replies_.ended(payload);  // END_RESP
  schedule(replies_.next_cycle());
  return tlm::TLM_COMPLETED;
}

bool l1_cache::try_accept(tlm::tlm_generic_payload& payload, std::uint64_t cycle, std::uint64_t*& reason) {
  bool accepted = false;
  if (payload.is_read()) {
    accepted = accept_load(payload, cycle, reason);
  } else if (payload.is_write()) {
    accepted = accept_store(payload, reason);
  } else {
    accepted = accept_atomic(payload, reason);
  }
  if (accepted) {
    ++counters_.accesses;
    next_accept_ = cycle + 1;
  }
  return accepted;
}

bool l1_cache::accept_load(tlm::tlm_generic_payload& payload, std::uint64_t cycle, std::uint64_t*& reason) {
  const std::uint64_t address = payload.get_address();
  const std::uint64_t ready = cycle + parameters_.hit_latency;

  const unsigned line = find(address);
  if (line < lines_.size()) {
    lines_[line].used = ++use_clock_;
    answer_read(payload, bytes_of(line));
    ++counters_.hits;
    if (replies_.push_on_time(payload, ready)) schedule(ready);
    return true;
  }
  if (Mshr* mshr = open_fill(address)) {  // R2
    if (mshr->targets.size() >= parameters_.targets_per_mshr) {
      reason = &counters_.stalls_targets;
      return false;
    }
    ++counters_.merges;
    memory_access(payload).missed = true;
    mshr->targets.push_back({&payload, ready});
    return true;
  }
  Mshr* mshr = free_mshr();
  if (mshr == nullptr) {
    reason = &counters_.stalls_mshr;
    return false;
  }
  if (memory_queue_full()) {
    reason = &counters_.stalls_queue;
    return false;
  }
  if (parameters_.allocate_on_miss) {
    const unsigned way = victim(address);
    if (way == lines_.size()) {
      reason = &counters_.stalls_set;
      return false;
    }
    if (lines_[way].address != no_line) ++counters_.evictions;
    lines_[way] = Line{};
    lines_[way].reserved = true;
    mshr->way = way;
  }
  ++counters_.misses;
  memory_access(payload).missed = true;
  ++mshrs_used_;
  mshr->address = address;
  mshr->open = true;
  mshr->fill = pool_.read(address);
  memory_access(*mshr->fill).initiator_slot = static_cast<std::uint32_t>(mshr - mshrs_.data());
  mshr->targets.push_back({&payload, ready});
  send_to_memory(*mshr->fill);
  return true;
}

bool l1_cache::accept_store(tlm::tlm_generic_payload& payload, std::uint64_t*& reason) {
  const std::uint64_t address = payload.get_address();
  if (memory_queue_full()) {
    reason = &counters_.stalls_queue;
    return false;
  }
  const unsigned line = find(address);
  if (line < lines_.size()) {
    lines_[line].used = ++use_clock_;
    merge_write(payload, bytes_of(line));
    if (parameters_.store_evicts) lines_[line] = Line{};
  } else if (Mshr* mshr = open_fill(address)) {  // R2
    if (mshr->targets.size() >= parameters_.targets_per_mshr) {
      reason = &counters_.stalls_targets;
      return false;
    }
    payload.acquire();  // its bytes are needed when the line arrives
    mshr->targets.push_back({&payload, 0});
    ++counters_.merges;
  }
  ++counters_.writes;
  send_to_memory(payload);
  return true;
}

bool l1_cache::accept_atomic(tlm::tlm_generic_payload& payload, std::uint64_t*& reason) {
  const std::uint64_t address = payload.get_address();
  if (memory_queue_full()) {
    reason = &counters_.stalls_queue;
    return false;
  }
  const unsigned line = find(address);
  if (line < lines_.size()) {
    lines_[line] = Line{};
  } else if (Mshr* mshr = open_fill(address)) {  // R3
    mshr->open = false;
    ++counters_.closed_fills;
  }
  ++counters_.atomics;
  send_to_memory(payload);
  return true;
}

void l1_cache::retry_held(std::uint64_t cycle) {
  if (held_ == nullptr || cycle < next_accept_) return;
  std::uint64_t* reason = nullptr;
  tlm::tlm_generic_payload& payload = *held_;
  held_ = nullptr;  // the memory may call from within, and it is not to be tried again
  if (!try_accept(payload, cycle, reason)) {
    held_ = &payload;
    if (!held_counted_) ++*reason;
    held_counted_ = true;
    return;
  }
  socket.send(payload, tlm::END_REQ);
}

// ---- Lines and fills -----------------------------------------------------------------------------------------------

unsigned l1_cache::first_of_set(std::uint64_t address) const {
  const std::uint64_t set = set_of_line(address / parameters_.line_bytes, sets_, parameters_.hash_from);
  return static_cast<unsigned>(set) * parameters_.ways;
}

unsigned l1_cache::find(std::uint64_t address) const {
  const unsigned first = first_of_set(address);
  for (unsigned line = first; line < first + parameters_.ways; ++line) {
    if (lines_[line].address == address) return line;
  }
  return static_cast<unsigned>(lines_.size());
}

unsigned l1_cache::victim(std::uint64_t address) const {
  const unsigned first = first_of_set(address);
  unsigned oldest = static_cast<unsigned>(lines_.size());
  for (unsigned line = first; line < first + parameters_.ways; ++line) {
    if (lines_[line].reserved) continue;
    if (lines_[line].address == no_line) return line;
    if (keeper_ != nullptr && keeper_->keeps(lines_[line].address)) continue;
    if (oldest == lines_.size() || lines_[line].used < lines_[oldest].used) oldest = line;
  }
  return oldest;
}

const l1_cache::Mshr* l1_cache::open_fill(std::uint64_t address) const {
  if (mshrs_used_ == 0) return nullptr;
  for (const Mshr& mshr : mshrs_) {
    if (mshr.open && mshr.address == address) return &mshr;
  }
  return nullptr;
}

l1_cache::Mshr* l1_cache::free_mshr() {
  if (mshrs_used_ == mshrs_.size()) return nullptr;
  for (Mshr& mshr : mshrs_) {
    if (mshr.fill == nullptr) return &mshr;
  }
  return nullptr;
}

void l1_cache::filled(Mshr& mshr) {
  std::uint8_t* bytes = mshr.fill->get_data_ptr();
  const bool came = mshr.fill->is_response_ok();
  const std::uint64_t cycle = cycles_.now();
  for (const Target& target : mshr.targets) {  // R2: in the order of acceptance
    if (target.payload->is_write()) {
      merge_write(*target.payload, bytes);
      target.payload->release();
    } else {
      if (came)
        answer_read(*target.payload, bytes);
      else
        target.payload->set_response_status(mshr.fill->get_response_status());
      replies_.push_late(*target.payload, std::max(target.ready, cycle));
    }
  }
  if (parameters_.allocate_on_miss) lines_[mshr.way] = Line{};
  if (mshr.open && came)  // R3
    insert(parameters_.allocate_on_miss ? mshr.way : victim(mshr.address), mshr.address, bytes);
  mshr.targets.clear();
  mshr.open = false;
  mshr.fill->release();
  mshr.fill = nullptr;
  --mshrs_used_;
}

void l1_cache::insert(unsigned line, std::uint64_t address, const std::uint8_t* bytes) {
  if (line == lines_.size()) {
    SC_REPORT_ERROR("heddle/l1_cache", "every way of a set is kept: the line that came has no place");
    return;
  }
  if (lines_[line].address != no_line) ++counters_.evictions;
  lines_[line].address = address;
  lines_[line].used = ++use_clock_;
  std::memcpy(bytes_of(line), bytes, parameters_.line_bytes);
}

// ---- Towards memory ------------------------------------------------------------------------------------------------

void l1_cache::send_to_memory(tlm::tlm_generic_payload& payload) {
  ++unanswered_;
  to_memory_.push(payload);  // R1
  drain_to_memory();
}

void l1_cache::drain_to_memory() {
  to_memory_.drain(memory_socket, [this](tlm::tlm_generic_payload& payload) {
    const std::uint64_t ready = cycles_.now() + parameters_.hit_latency;
    memory_completed(payload, ready);
    schedule(ready);
  });
}

tlm::tlm_sync_enum l1_cache::nb_transport_bw(unsigned, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase) {
  const bool ends_request = to_memory_.ends(payload);
  const bool responds = phase == tlm::BEGIN_RESP;
  if (responds) memory_completed(payload, cycles_.earliest());
  if (ends_request) drain_to_memory();
  const std::uint64_t cycle = cycles_.now();
  respond(cycle);
  retry_held(cycle);
  return responds ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
}

void l1_cache::memory_completed(tlm::tlm_generic_payload& payload, std::uint64_t ready) {
  --unanswered_;
  if (payload.is_read()) {
    filled(mshrs_[memory_access(payload).initiator_slot]);
  } else {
    replies_.push_late(payload, ready);
  }
}

// ---- Towards the initiator -----------------------------------------------------------------------------------------

void l1_cache::respond(std::uint64_t cycle) {
  replies_.send_due(cycle, socket);
  schedule(replies_.next_cycle());
}

void l1_cache::wake() {
  // The memory may act at the same instant, in an order that is the simulator's: it comes first.
  waiting_for_memory_ = !waiting_for_memory_;
  if (waiting_for_memory_) return next_trigger(sc_core::SC_ZERO_TIME);
  const std::uint64_t cycle = cycles_.now();
  respond(cycle);
  retry_held(cycle);
  if (held_ != nullptr && cycle < next_accept_) schedule(next_accept_);
}

void l1_cache::schedule(std::uint64_t cycle) {
  if (cycle != ReplyPort::never) wake_event_.notify(cycles_.until(cycle));
}

}  // namespace heddle
