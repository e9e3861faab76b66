// SPDX-License-Identifier: Apache-2.0
#include "tlm/crossbar.h"

#include <algorithm>
#include <bitset>
#include <stdexcept>
#include <string>

namespace heddle {

namespace {

constexpr unsigned header_bytes = 8;
constexpr unsigned operand_bytes = 8;

unsigned request_bytes(tlm::tlm_generic_payload& payload) {
  if (payload.is_read()) return header_bytes;
  if (payload.is_write()) {
    return header_bytes + sector_bytes * static_cast<unsigned>(std::bitset<32>(written_sectors(payload)).count());
  }
  const MemoryAccess& access = memory_access(payload);
  const unsigned operands = access.op == AtomicOp::CompareExchange ? 2 : 1;
  return header_bytes + operand_bytes * operands * access.lane_count;
}

unsigned reply_bytes(tlm::tlm_generic_payload& payload) {
  if (payload.is_read()) return header_bytes + payload.get_data_length();
  if (payload.is_write()) return header_bytes;
  return header_bytes + operand_bytes * memory_access(payload).lane_count;
}

SwitchParameters one_way(const CrossbarParameters& p, unsigned inputs, unsigned outputs, unsigned room_latency) {
  return {inputs, outputs, p.latency, p.bytes_per_cycle, p.input_queue, p.credits, p.iterations, room_latency};
}

}  // namespace

crossbar::crossbar(const sc_core::sc_module_name& name, const CrossbarParameters& parameters,
                   const sc_core::sc_time& period)
    : sc_module(name),
      parameters_(parameters),
      period_(period),
      cycles_(period),
      requests_(one_way(parameters, parameters.sms, parameters.partitions, parameters.latency), counters_.requests),
      replies_(one_way(parameters, parameters.partitions, parameters.sms, 1), counters_.replies) {
  const unsigned block = parameters.interleave_bytes;
  if (block == 0 || (block & (block - 1)) != 0)
    throw std::invalid_argument("interleave_bytes is " + std::to_string(block) + ": not a power of two");
  for (unsigned i = 0; i < parameters.sms; ++i) {
    LineTarget& target = *this;
    ports_.push_back(
        std::make_unique<line_target_socket>(("port" + std::to_string(i)).c_str(), target, LineSizes{}, i));
  }
  for (unsigned i = 0; i < parameters.partitions; ++i) {
    LineInitiator& initiator = *this;
    partitions_.push_back(
        std::make_unique<line_initiator_socket>(("partition" + std::to_string(i)).c_str(), initiator, i));
  }
  SC_METHOD(wake);
  sensitive << wake_event_;
  dont_initialize();
}

bool crossbar::is_in_one_block(const tlm::tlm_generic_payload& payload) const {
  const std::uint64_t first = payload.get_address();
  const std::uint64_t last = first + payload.get_data_length() - 1;
  return ((first ^ last) & ~std::uint64_t{parameters_.interleave_bytes - 1}) == 0;
}

// ---- From the SMs --------------------------------------------------------------------------------------------------

tlm::tlm_sync_enum crossbar::nb_transport_fw(unsigned sm, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase) {
  const std::uint64_t cycle = cycles_.now();
  if (phase == tlm::BEGIN_REQ) {
    if (!is_in_one_block(payload)) {
      payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
      return tlm::TLM_COMPLETED;
    }
    MemoryAccess& access = memory_access(payload);
    sc_assert(access.hops < access.route.size());
    access.route[access.hops++] = static_cast<std::uint8_t>(sm);
    const bool entered =
        requests_.offer(sm, partition_of(payload.get_address()), payload, request_bytes(payload), cycle);
    schedule();
    if (!entered) return tlm::TLM_ACCEPTED;
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  sc_assert(replies_.at_target(sm) == &payload);  // END_RESP
  replies_.ended(sm, cycle);
  payload.release();
  schedule();
  return tlm::TLM_COMPLETED;
}

void crossbar::b_transport(unsigned, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (!is_in_one_block(payload)) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    return;
  }
  delay += requests_.unloaded_cycles(request_bytes(payload)) * period_;
  (*partitions_[partition_of(payload.get_address())])->b_transport(payload, delay);
  delay += replies_.unloaded_cycles(reply_bytes(payload)) * period_;
}

unsigned crossbar::transport_dbg(unsigned, tlm::tlm_generic_payload& payload) {
  const std::uint64_t address = payload.get_address();
  const unsigned bytes = payload.get_data_length();
  unsigned done = 0;
  while (done < bytes) {
    const std::uint64_t at = address + done;
    const std::uint64_t block_left = parameters_.interleave_bytes - at % parameters_.interleave_bytes;
    tlm::tlm_generic_payload part;
    part.set_command(payload.get_command());
    part.set_address(at);
    part.set_data_ptr(payload.get_data_ptr() + done);
    part.set_data_length(static_cast<unsigned>(std::min<std::uint64_t>(block_left, bytes - done)));
    part.set_streaming_width(part.get_data_length());
    const unsigned moved = (*partitions_[partition_of(at)])->transport_dbg(part);
    payload.set_response_status(part.get_response_status());
    done += moved;
    if (moved < part.get_data_length()) break;
  }
  return done;
}

// ---- From the partitions -------------------------------------------------------------------------------------------

tlm::tlm_sync_enum crossbar::nb_transport_bw(unsigned partition, tlm::tlm_generic_payload& payload,
                                             tlm::tlm_phase& phase) {
  const bool responds = phase == tlm::BEGIN_RESP;
  // END_REQ, or a response that implies it.
  if (requests_.at_target(partition) == &payload) requests_.ended(partition, cycles_.now());
  const bool entered = responds && offer_reply(partition, payload);
  schedule();
  return entered ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
}

bool crossbar::offer_reply(unsigned partition, tlm::tlm_generic_payload& payload) {
  MemoryAccess& access = memory_access(payload);
  sc_assert(access.hops > 0);
  const unsigned sm = access.route[--access.hops];
  payload.acquire();  // past the partition's END_RESP, until the SM's
  return replies_.offer(partition, sm, payload, reply_bytes(payload), cycles_.now());
}

// ---- On its own accord ---------------------------------------------------------------------------------------------

void crossbar::wake() {
  planned_ = 0;  // what comes from within the calls is planned for below
  const std::uint64_t cycle = cycles_.now();
  requests_.let_in(cycle,
                   [&](unsigned sm, tlm::tlm_generic_payload& payload) { ports_[sm]->send(payload, tlm::END_REQ); });
  replies_.let_in(cycle, [&](unsigned p, tlm::tlm_generic_payload& payload) { reply_entered(p, payload); });
  requests_.deliver(cycle, [&](unsigned p, tlm::tlm_generic_payload& payload) { send_request(p, payload); });
  replies_.deliver(cycle, [&](unsigned sm, tlm::tlm_generic_payload& payload) { send_reply(sm, payload); });
  requests_.match(cycle);
  replies_.match(cycle);
  requests_.plan(cycle);
  replies_.plan(cycle);
  planned_ = InputQueuedSwitch::never;
  schedule();
}

void crossbar::send_request(unsigned partition, tlm::tlm_generic_payload& payload) {
  const tlm::tlm_sync_enum status = partitions_[partition]->send(payload, tlm::BEGIN_REQ);
  if (status == tlm::TLM_ACCEPTED) return;
  if (status == tlm::TLM_COMPLETED) {
    // Until its reply is in, the partition has not ended the request: it would pile up replies.
    if (offer_reply(partition, payload)) requests_.ended(partition, cycles_.now());
    return;
  }
  requests_.ended(partition, cycles_.now());
}

void crossbar::reply_entered(unsigned partition, tlm::tlm_generic_payload& payload) {
  if (requests_.at_target(partition) == &payload) {  // completed in the call of its request
    requests_.ended(partition, cycles_.now());
    return;
  }
  partitions_[partition]->send(payload, tlm::END_RESP);
}

void crossbar::send_reply(unsigned sm, tlm::tlm_generic_payload& payload) {
  if (ports_[sm]->send(payload, tlm::BEGIN_RESP) == tlm::TLM_ACCEPTED) return;
  replies_.ended(sm, cycles_.now());
  payload.release();
}

void crossbar::schedule() {
  const std::uint64_t next = std::min(requests_.next(), replies_.next());
  if (next >= planned_) return;
  planned_ = next;
  wake_event_.notify(cycles_.until(next));
}

}  // namespace heddle
