// SPDX-License-Identifier: Apache-2.0
#include "tlm/dram.h"

#include <algorithm>

#include "tlm/device_memory.h"

namespace heddle {

dram::dram(const sc_core::sc_module_name& name, const DramParameters& parameters, const sc_core::sc_time& period,
           BackingStore& store)
    : sc_module(name),
      socket("socket", *this),
      parameters_(parameters),
      period_(period),
      cycles_(period),
      store_(store) {
  if (parameters.latency == 0 || parameters.bytes_per_cycle == 0 || parameters.queue_depth == 0) {
    SC_REPORT_FATAL("heddle/dram", "latency, bytes_per_cycle and queue_depth must be at least 1");
  }
  SC_METHOD(wake);
  sensitive << wake_event_;
  dont_initialize();
}

tlm::tlm_sync_enum dram::nb_transport_fw(unsigned, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase) {
  if (phase == tlm::BEGIN_REQ) {
    if (parameters_.ideal) {
      perform(payload);
      return tlm::TLM_COMPLETED;
    }
    payload.acquire();
    if (!try_accept(payload)) {
      sc_assert(held_ == nullptr);
      held_ = &payload;
      ++counters_.stalls;
      schedule();
      return tlm::TLM_ACCEPTED;
    }
    // An earlier request's wake-up is due before this one's.
    if (in_flight_.size() == 1) schedule();
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  sc_assert(response_open_);  // END_RESP
  response_open_ = false;
  payload.release();
  schedule();
  return tlm::TLM_COMPLETED;
}

void dram::b_transport(unsigned, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  perform(payload);
  if (!parameters_.ideal) delay += parameters_.latency * period_;
}

unsigned dram::transport_dbg(unsigned, tlm::tlm_generic_payload& payload) {
  return serve_debug(payload, store_);
}

bool dram::try_accept(tlm::tlm_generic_payload& payload) {
  const std::uint64_t cycle = cycles_.now();
  while (started_ < in_flight_.size() && in_flight_[started_].start <= cycle) ++started_;
  if (in_flight_.size() - started_ >= parameters_.queue_depth) return false;
  const std::uint64_t slot = std::max(bus_free_, cycle * parameters_.bytes_per_cycle);
  bus_free_ = slot + payload.get_data_length();
  in_flight_.push({&payload, slot / parameters_.bytes_per_cycle});
  return true;
}

void dram::wake() {
  const std::uint64_t cycle = cycles_.now();
  respond(cycle);
  if (held_ != nullptr && try_accept(*held_)) {
    tlm::tlm_generic_payload& payload = *held_;
    held_ = nullptr;
    socket.send(payload, tlm::END_REQ);
  }
  schedule();
}

void dram::respond(std::uint64_t cycle) {
  while (!response_open_ && !in_flight_.empty() && in_flight_.front().start + parameters_.latency <= cycle) {
    tlm::tlm_generic_payload& payload = *in_flight_.front().payload;
    in_flight_.pop();
    if (started_ > 0) --started_;
    perform(payload);
    response_open_ = true;
    // The initiator may send its next request from within this call.
    if (socket.send(payload, tlm::BEGIN_RESP) == tlm::TLM_ACCEPTED) return;
    response_open_ = false;
    payload.release();
  }
}

void dram::perform(tlm::tlm_generic_payload& payload) {
  serve(payload, store_, counters_);
  counters_.bytes += payload.get_data_length();
}

// The next time at which there is something to do; an earlier notification that is pending stands.
void dram::schedule() {
  if (!in_flight_.empty() && !response_open_) {
    wake_event_.notify(cycles_.until(in_flight_.front().start + parameters_.latency));
  }
  if (held_ != nullptr) {
    const std::size_t next = std::min(started_, in_flight_.size() - 1);
    wake_event_.notify(cycles_.until(std::max(in_flight_[next].start, cycles_.now() + 1)));
  }
}

}  // namespace heddle
