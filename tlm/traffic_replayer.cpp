// SPDX-License-Identifier: Apache-2.0
#include "tlm/traffic_replayer.h"

#include <algorithm>
#include <stdexcept>

namespace heddle {

namespace {

constexpr std::uint64_t MostMemory = std::uint64_t{1} << 34;  // bytes of an address space

void note_extent(const std::string& path, std::uint64_t address, std::uint64_t bytes, TrafficSummary& summary) {
  for (const auto& [base, extent] :
       {std::pair(BackingStore::base, &summary.allocated), std::pair(BackingStore::reserved_base, &summary.reserved),
        std::pair(BackingStore::code_base, &summary.code)}) {
    if (address < base || address - base >= MostMemory || bytes > MostMemory) continue;
    *extent = std::max(*extent, address - base + bytes);
    return;
  }
  throw std::runtime_error(path + " is damaged: an address outside of the device's memory");
}

}  // namespace

TrafficSummary summary_of_traffic(const std::string& path) {
  TrafficReader reader(path);
  TrafficSummary summary;
  summary.sms = reader.sms();
  summary.line_bytes = reader.line_bytes();
  std::vector<std::uint64_t> requests(reader.sms());
  std::vector<std::unordered_map<std::uint64_t, std::uint64_t>> sent(reader.sms());  // cycles
  for (TrafficEvent event; reader.next(event);) {
    if (event.kind == TrafficEvent::Answer) {
      const auto at = sent[event.sm].find(event.request);
      if (at == sent[event.sm].end()) throw std::runtime_error(path + " is damaged: a request is answered twice");
      summary.latencies.add(event.cycle - at->second);
      summary.last_cycle = event.cycle;
      sent[event.sm].erase(at);
      continue;
    }
    if (event.is_request()) sent[event.sm][requests[event.sm]++] = event.cycle;
    summary.reads += event.kind == TrafficEvent::Read;
    summary.writes += event.kind == TrafficEvent::Write;
    summary.atomics += event.kind == TrafficEvent::Atomic;
    note_extent(path, event.address, event.is_request() ? summary.line_bytes : event.bytes, summary);
  }
  for (const auto& of_sm : sent) summary.unanswered += of_sm.size();
  return summary;
}

void make_room(BackingStore& store, const TrafficSummary& traffic) {
  if (traffic.allocated > 0) store.allocate(traffic.allocated);
  if (traffic.reserved > 0) store.reserve(traffic.reserved);
  if (traffic.code > 0) store.reserve_code(traffic.code);
}

traffic_replayer::traffic_replayer(const sc_core::sc_module_name& name, const std::string& file, unsigned sm,
                                   const sc_core::sc_time& period)
    : sc_module(name),
      socket("socket", *this),
      sm_(sm),
      period_(period),
      cycles_(period),
      reader_(file),
      pool_(reader_.line_bytes()) {
  SC_METHOD(play);
  sensitive << wake_event_;
  read_next();
}

void traffic_replayer::read_next() {
  while ((more_ = reader_.next(next_))) {
    if (next_.sm != sm_) continue;
    if (next_.kind != TrafficEvent::Answer) return;
    ++needed_;
  }
}

void traffic_replayer::play() {
  while (more_ && !busy_ && answers_ >= needed_) {
    const std::uint64_t edge = next_.cycle * period_.value();
    const std::uint64_t half = period_.value() / 2;
    const std::uint64_t due = next_.at_edge || edge < half ? edge : edge - half;
    const std::uint64_t now = sc_core::sc_time_stamp().value();
    if (now < due) return wake_event_.notify(sc_core::sc_time::from_value(due - now));
    if (next_.kind == TrafficEvent::Debug) {
      write_debug();
    } else {
      late_ += now > due;
      send();
    }
  }
}

void traffic_replayer::write_debug() {
  zeros_.resize(std::max<std::size_t>(zeros_.size(), next_.bytes));
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  payload.set_address(next_.address);
  payload.set_data_ptr(zeros_.data());
  payload.set_data_length(static_cast<unsigned>(next_.bytes));
  socket->transport_dbg(payload);
  read_next();
}

void traffic_replayer::send() {
  tlm::tlm_generic_payload& payload = *make_request();
  read_next();
  busy_ = true;
  last_ = &payload;
  sent_[&payload] = cycles_.now();
  const tlm::tlm_sync_enum status = socket.send(payload, tlm::BEGIN_REQ);
  if (status == tlm::TLM_ACCEPTED) return;
  busy_ = false;
  if (status == tlm::TLM_COMPLETED) answered(payload);
}

tlm::tlm_generic_payload* traffic_replayer::make_request() {
  if (next_.kind == TrafficEvent::Read) return pool_.read(next_.address);
  if (next_.kind == TrafficEvent::Write) {
    tlm::tlm_generic_payload* payload = pool_.write(next_.address);
    for (unsigned i = 0; i < payload->get_data_length(); ++i)
      if ((next_.detail[i / 8] >> i % 8 & 1) != 0) payload->get_byte_enable_ptr()[i] = 0xff;
    return payload;
  }
  tlm::tlm_generic_payload* payload = pool_.atomic(next_.address);
  MemoryAccess& access = memory_access(*payload);
  access.op = next_.op;
  access.bytes = next_.value_bytes;
  access.lane_count = next_.lanes;
  for (unsigned i = 0; i < next_.lanes; ++i) access.lanes[i] = {next_.detail[i], 0, 0, 0};
  return payload;
}

tlm::tlm_sync_enum traffic_replayer::nb_transport_bw(unsigned, tlm::tlm_generic_payload& payload,
                                                     tlm::tlm_phase& phase) {
  const bool responds = phase == tlm::BEGIN_RESP;
  if (last_ == &payload) busy_ = false;  // END_REQ, or a response that implies it
  if (responds) answered(payload);
  play();
  return responds ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
}

void traffic_replayer::answered(tlm::tlm_generic_payload& payload) {
  const auto at = sent_.find(&payload);
  if (at == sent_.end()) {
    SC_REPORT_ERROR("heddle/traffic_replayer", "an answer that nobody waits for");
    return;
  }
  if (!payload.is_response_ok())
    SC_REPORT_ERROR("heddle/traffic_replayer/answer",
                    (std::string(name()) + ": the memory answers " + payload.get_response_string()).c_str());
  last_cycle_ = cycles_.now();
  latencies_.add(last_cycle_ - at->second);
  ++answers_;
  sent_.erase(at);
  payload.release();
}

}  // namespace heddle
