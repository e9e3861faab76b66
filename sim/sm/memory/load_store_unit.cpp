// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/memory/load_store_unit.h"

#include <cstring>

namespace heddle {

namespace {

template <typename Function>
void for_each_lane(std::uint32_t lanes, Function function) {
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) function(static_cast<unsigned>(__builtin_ctz(rest)));
}

std::uint64_t load_bytes(const std::uint8_t* at, unsigned bytes, bool sign_extend) {
  std::uint64_t value = 0;
  switch (bytes) {
    case 4: {
      std::uint32_t word;
      std::memcpy(&word, at, 4);
      return sign_extend ? static_cast<std::uint64_t>(static_cast<std::int32_t>(word)) : word;
    }
    case 8:
      std::memcpy(&value, at, 8);
      return value;
    default:
      std::memcpy(&value, at, bytes);
      return extend(value, bytes, sign_extend);
  }
}

void store_bytes(std::uint8_t* at, std::uint64_t value, unsigned bytes) {
  switch (bytes) {
    case 4:
      std::memcpy(at, &value, 4);
      break;
    case 8:
      std::memcpy(at, &value, 8);
      break;
    default:
      std::memcpy(at, &value, bytes);
      break;
  }
}

void perform_shared(WarpAccess& access) {
  for_each_lane(access.lanes, [&](unsigned lane) {
    std::uint8_t* at = access.shared + access.address[lane];
    switch (access.kind) {
      case WarpAccess::Kind::Load:
        access.data[lane] = load_bytes(at, access.bytes, access.sign_extend);
        break;
      case WarpAccess::Kind::Store:
        store_bytes(at, access.data[lane], access.bytes);
        break;
      case WarpAccess::Kind::Atomic:
        access.data[lane] = extend(
            apply_at(at, access.atomic, access.sign_extend, access.bytes, access.data[lane], access.compare[lane]),
            access.bytes, access.sign_extend);
        break;
    }
  });
}

}  // namespace

load_store_unit::load_store_unit(const sc_core::sc_module_name& name, const LoadStoreParameters& parameters,
                                 const sc_core::sc_time& period)
    : sc_module(name),
      socket("socket"),
      constant_socket("constant_socket"),
      parameters_(parameters),
      cycles_(period),
      pool_(parameters.line_bytes),
      slots_(parameters.slots),
      unordered_(parameters.warps, 0),
      stores_of_row_(parameters.warps, 0),
      order_(parameters.warps) {
  if (parameters.warps == 0 || parameters.queue_depth == 0 || parameters.shared_latency == 0 ||
      parameters.slots < parameters.queue_depth) {
    SC_REPORT_FATAL("heddle/load_store_unit",
                    "warps, queue_depth and shared_latency must be at least 1, slots at least queue_depth");
  }
  for (unsigned i = parameters.slots; i > 0; --i) free_.push_back(i - 1);
  socket.register_nb_transport_bw(this, &load_store_unit::nb_transport_bw);
  constant_socket.register_nb_transport_bw(this, &load_store_unit::nb_transport_bw);
}

// ---- The SM's side -------------------------------------------------------------------------------------------------

void load_store_unit::accept(const WarpAccess& access) {
  open_access() = access;
  commit_access();
}

WarpAccess& load_store_unit::open_access() {
  if (!can_accept()) SC_REPORT_FATAL("heddle/load_store_unit", "an access was pushed into a full unit");
  return slots_[free_.back()].access;
}

void load_store_unit::commit_access() {
  const unsigned index = free_.back();
  Slot& slot = slots_[index];
  const WarpAccess& access = slot.access;
  if (access.lanes == 0) SC_REPORT_FATAL("heddle/load_store_unit", "an access without lanes");
  free_.pop_back();
  slot.unsent = access.lanes;
  slot.awaited = slot.missed = 0;
  slot.was_parted = false;
  slot.requests = slot.passes = 0;
  queue_.push(index);
  for_each_row(access.threads, access.lanes, [&](SmWarp row, std::uint32_t) { ++unordered_[row.index()]; });
  if (access.space == WarpAccess::Space::Shared) {
    slot.passes_left = shared_memory_passes(access.address, access.lanes, access.bytes,
                                            access.kind == WarpAccess::Kind::Atomic, parameters_.banks);
    slot.passes = slot.passes_left;
    ++counters_.shared_accesses;
    counters_.shared_loads += access.kind == WarpAccess::Kind::Load ? 1 : 0;
    counters_.shared_passes += slot.passes_left;
    counters_.shared_conflicts += slot.passes_left - 1;
    return;
  }
  if (access.space == WarpAccess::Space::Constant) {
    if (!parameters_.has_constants || access.kind != WarpAccess::Kind::Load)
      SC_REPORT_FATAL("heddle/load_store_unit", "constants are loaded, where there is a cache for them");
    ++counters_.constant_loads;
    return;
  }
  switch (access.kind) {
    case WarpAccess::Kind::Load:
      ++counters_.global_loads;
      break;
    case WarpAccess::Kind::Store:
      ++counters_.global_stores;
      break;
    case WarpAccess::Kind::Atomic:
      ++counters_.global_atomics;
      break;
  }
}

void load_store_unit::step() {
  if (sent_ != nullptr) return;
  if (port_cooling_) {
    port_cooling_ = false;
    return;
  }
  if (early_waits_ && (queue_.empty() || !early_was_last_)) return step_early();
  if (queue_.empty()) return;
  early_was_last_ = false;
  const unsigned index = queue_.front();
  if (slots_[index].access.space == WarpAccess::Space::Shared) {
    step_shared(index);
  } else {
    step_line(index);
  }
}

bool load_store_unit::next_completed(Completed& out) {
  unsigned index = 0;
  if (!completed_.empty()) {
    index = completed_.front();
    completed_.pop();
  } else if (!shared_results_.empty() && shared_results_.front().ready <= cycles_.now()) {
    index = shared_results_.front().slot;
    shared_results_.pop();
  } else {
    return false;
  }
  const WarpAccess& access = slots_[index].access;
  out.token = access.token;
  out.k = access.k;
  out.has_result = access.has_result;
  out.lanes = access.lanes;
  out.line_requests = slots_[index].requests;
  out.shared_passes = slots_[index].passes;
  if (access.has_result) out.value = access.data;
  free_.push_back(index);
  return true;
}

void load_store_unit::clear(std::uint64_t address, std::size_t bytes) {
  if (zeros_.size() < bytes) zeros_.resize(bytes);
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  payload.set_address(address);
  payload.set_data_ptr(zeros_.data());
  payload.set_data_length(static_cast<unsigned>(bytes));
  payload.set_streaming_width(static_cast<unsigned>(bytes));
  if (socket->transport_dbg(payload) != bytes)
    SC_REPORT_ERROR("heddle/load_store_unit", "the memory has no debug transport");
}

bool load_store_unit::idle() const {
  const bool can_step = sent_ == nullptr && (port_cooling_ || !queue_.empty() || early_waits_);
  if (!early_.empty()) return false;
  return !can_step && completed_.empty() && shared_results_.empty() && missed_.empty() && parts_.empty();
}

std::vector<std::uint64_t> load_store_unit::shows() const {
  std::vector<std::uint64_t> values{
      room(),        stores_,           counters_.line_requests, counters_.shared_passes, counters_.constant_passes,
      queue_.size(), completed_.size(), shared_results_.size()};
  values.insert(values.end(), {early_waits_, early_.size(), counters_.early_requests});
  values.insert(values.end(), unordered_.begin(), unordered_.end());
  values.insert(values.end(), stores_of_row_.begin(), stores_of_row_.end());
  return values;
}

// The access at the front of the queue has had its last request accepted, or its last pass.
void load_store_unit::ordered() {
  const WarpAccess& access = slots_[queue_.front()].access;
  for_each_row(access.threads, access.lanes, [&](SmWarp row, std::uint32_t) { --unordered_[row.index()]; });
  queue_.pop();
}

// ---- Early requests ------------------------------------------------------------------------------------------------

void load_store_unit::request_early(std::uint64_t line_address, unsigned token) {
  if (early_waits_) SC_REPORT_FATAL("heddle/load_store_unit", "an early request came while another one waits");
  if (offset_in_line(line_address) != 0)
    SC_REPORT_FATAL("heddle/load_store_unit", "an early request is not for the first byte of a line");
  early_waits_ = true;
  early_line_ = line_address;
  early_token_ = token;
}

bool load_store_unit::next_early(unsigned& token) {
  if (early_.empty()) return false;
  token = early_.front();
  early_.pop();
  return true;
}

void load_store_unit::step_early() {
  early_was_last_ = true;
  early_waits_ = false;
  ++counters_.early_requests;
  ++early_unanswered_;
  tlm::tlm_generic_payload* payload = pool_.read(early_line_);
  memory_access(*payload).initiator_slot = early_token_;
  memory_access(*payload).initiator_lanes = 0;
  send(*socket.operator->(), *payload);
}

// ---- Shared memory -------------------------------------------------------------------------------------------------

void load_store_unit::step_shared(unsigned index) {
  Slot& slot = slots_[index];
  if (--slot.passes_left > 0) return;
  perform_shared(slot.access);
  ordered();
  if (slot.access.kind == WarpAccess::Kind::Store) {
    completed_.push(index);
  } else {
    shared_results_.push({index, cycles_.now() + parameters_.shared_latency});
  }
}

// ---- Global memory and constants -----------------------------------------------------------------------------------

void load_store_unit::step_line(unsigned index) {
  Slot& slot = slots_[index];
  const WarpAccess& access = slot.access;
  const unsigned lowest = static_cast<unsigned>(__builtin_ctz(slot.unsent));
  const std::uint64_t line = access.address[lowest] - offset_in_line(access.address[lowest]);
  const bool is_constant = access.space == WarpAccess::Space::Constant;
  const std::uint32_t lanes = is_constant ? lanes_of_address(slot, access.address[lowest]) : lanes_of_line(slot, line);

  tlm::tlm_generic_payload* payload = make_request(slot, line, lanes);
  const std::uint64_t number = is_constant ? 0 : order_.sent(access.threads, lanes);
  memory_access(*payload).initiator_slot =
      access.kind == WarpAccess::Kind::Store ? note_store(slot, lanes, number) : index;
  slot.numbers[lowest] = number;
  memory_access(*payload).initiator_lanes = lanes;
  slot.unsent &= ~lanes;
  if (access.kind != WarpAccess::Kind::Store) slot.awaited |= lanes;
  if (is_constant) {
    ++counters_.constant_passes;
  } else {
    ++counters_.line_requests;
    ++slot.requests;
  }

  send(is_constant ? *constant_socket.operator->() : *socket.operator->(), *payload);
}

void load_store_unit::send(tlm::tlm_fw_transport_if<>& cache, tlm::tlm_generic_payload& payload) {
  sent_ = &payload;
  sent_cycle_ = cycles_.now();
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  const tlm::tlm_sync_enum status = cache.nb_transport_fw(payload, phase, delay);
  if (status == tlm::TLM_ACCEPTED) return;
  request_accepted(payload);
  if (status == tlm::TLM_COMPLETED || phase == tlm::BEGIN_RESP) responded(payload);
}

unsigned load_store_unit::note_store(const Slot& slot, std::uint32_t lanes, std::uint64_t number) {
  if (free_notes_.empty()) {
    free_notes_.push_back(static_cast<unsigned>(store_notes_.size()));
    store_notes_.emplace_back();
  }
  const unsigned note = free_notes_.back();
  free_notes_.pop_back();
  store_notes_[note] = {slot.access.threads, number};
  for_each_row(store_notes_[note].threads, lanes, [&](SmWarp row, std::uint32_t) { ++stores_of_row_[row.index()]; });
  ++stores_;
  return note;
}

void load_store_unit::acknowledge_store(const MemoryAccess& request) {
  const StoreNote& note = store_notes_[request.initiator_slot];
  for_each_row(note.threads, request.initiator_lanes,
               [&](SmWarp row, std::uint32_t) { --stores_of_row_[row.index()]; });
  order_.answered(note.threads, request.initiator_lanes, note.number);
  free_notes_.push_back(request.initiator_slot);
  --stores_;
}

std::uint32_t load_store_unit::lanes_of_line(const Slot& slot, std::uint64_t line) const {
  // Every lane, whether it takes part or not: without branches this is the faster loop.
  std::uint32_t same = 0;
  for (unsigned lane = 0; lane < max_lanes; ++lane) {
    same |= static_cast<std::uint32_t>(slot.access.address[lane] - line < parameters_.line_bytes) << lane;
  }
  return same & slot.unsent;
}

std::uint32_t load_store_unit::lanes_of_address(const Slot& slot, std::uint64_t address) const {
  std::uint32_t same = 0;
  for (unsigned lane = 0; lane < max_lanes; ++lane)
    same |= static_cast<std::uint32_t>(slot.access.address[lane] == address) << lane;
  return same & slot.unsent;
}

tlm::tlm_generic_payload* load_store_unit::make_request(const Slot& slot, std::uint64_t line, std::uint32_t lanes) {
  const WarpAccess& access = slot.access;
  switch (access.kind) {
    case WarpAccess::Kind::Store: {
      tlm::tlm_generic_payload* payload = pool_.write(line);
      std::uint8_t* data = payload->get_data_ptr();
      std::uint8_t* enable = payload->get_byte_enable_ptr();
      // Ascending: the highest lane wins.
      for_each_lane(lanes, [&](unsigned lane) {
        const unsigned offset = offset_in_line(access.address[lane]);
        store_bytes(data + offset, access.data[lane], access.bytes);
        store_bytes(enable + offset, ~std::uint64_t{0}, access.bytes);
      });
      return payload;
    }
    case WarpAccess::Kind::Atomic: {
      tlm::tlm_generic_payload* payload = pool_.atomic(line);
      MemoryAccess& request = memory_access(*payload);
      request.op = in_global_memory(access.atomic, access.bytes);
      request.is_signed = access.sign_extend;
      request.bytes = access.bytes;
      for_each_lane(lanes, [&](unsigned lane) {
        AtomicLane& part = request.lanes[request.lane_count++];
        part.offset = static_cast<std::uint8_t>(offset_in_line(access.address[lane]));
        part.operand = access.data[lane];
        part.compare = access.compare[lane];
      });
      return payload;
    }
    case WarpAccess::Kind::Load:
      break;
  }
  return pool_.read(line);
}

bool load_store_unit::next_missed(unsigned& token) {
  if (missed_.empty()) return false;
  token = missed_.back();
  missed_.pop_back();
  return true;
}

void load_store_unit::request_accepted(tlm::tlm_generic_payload& payload) {
  sent_ = nullptr;
  if (is_early(memory_access(payload))) return;  // it has no part in the queue
  const unsigned index = queue_.front();
  Slot& slot = slots_[index];
  if (memory_access(payload).missed) {
    slot.missed |= memory_access(payload).initiator_lanes;
    if (notes_misses_) missed_.push_back(slot.access.token);
  }
  if (slot.unsent != 0) return;
  ordered();
  if (slot.access.kind == WarpAccess::Kind::Store) completed_.push(index);
  look_for_part(index);
}

void load_store_unit::look_for_part(unsigned index) {
  Slot& slot = slots_[index];
  const bool is_load = slot.access.kind == WarpAccess::Kind::Load && slot.access.has_result;
  if (!notes_parts_ || !is_load || slot.was_parted || slot.unsent != 0) return;
  const std::uint32_t answered = slot.access.lanes & ~slot.awaited;
  if (answered == 0 || slot.awaited == 0 || (slot.awaited & ~slot.missed) != 0) return;
  slot.was_parted = true;
  parts_.push_back(index);
}

bool load_store_unit::next_part(Completed& out) {
  while (!parts_.empty()) {
    const Slot& slot = slots_[parts_.back()];
    parts_.pop_back();
    if (slot.awaited == 0) continue;  // by now all of it is
    out.token = slot.access.token;
    out.k = slot.access.k;
    out.has_result = true;
    out.lanes = slot.access.lanes & ~slot.awaited;
    out.value = slot.access.data;
    return true;
  }
  return false;
}

tlm::tlm_sync_enum load_store_unit::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                    sc_core::sc_time&) {
  if (phase != tlm::END_REQ && phase != tlm::BEGIN_RESP) {
    SC_REPORT_FATAL("heddle/load_store_unit", "phase that a target may not send");
  }
  if (sent_ == &payload) {  // END_REQ, or a response that implies it
    request_accepted(payload);
    port_cooling_ = true;
    counters_.held_cycles += cycles_.now() - sent_cycle_ - 1;
  }
  ++replies_;
  reply_event_.notify();
  if (phase == tlm::END_REQ) return tlm::TLM_ACCEPTED;
  responded(payload);
  return tlm::TLM_COMPLETED;
}

void load_store_unit::responded(tlm::tlm_generic_payload& payload) {
  if (payload.get_response_status() != tlm::TLM_OK_RESPONSE) {
    SC_REPORT_ERROR("heddle/load_store_unit", payload.get_response_string().c_str());
  }
  const MemoryAccess& request = memory_access(payload);
  if (is_early(request)) {
    --early_unanswered_;
    early_.push(request.initiator_slot);
  } else if (payload.is_write()) {
    acknowledge_store(request);
  } else {
    Slot& slot = slots_[request.initiator_slot];
    if (slot.access.has_result) collect(slot, payload, request.initiator_lanes);
    slot.awaited &= ~request.initiator_lanes;
    order_.answered(slot.access.threads, request.initiator_lanes,
                    slot.numbers[static_cast<unsigned>(__builtin_ctz(request.initiator_lanes))]);
    if (slot.awaited == 0 && slot.unsent == 0) completed_.push(request.initiator_slot);
    look_for_part(request.initiator_slot);
  }
  payload.release();
}

void load_store_unit::collect(Slot& slot, tlm::tlm_generic_payload& payload, std::uint32_t lanes) {
  WarpAccess& access = slot.access;
  if (access.kind == WarpAccess::Kind::Load) {
    const std::uint8_t* data = payload.get_data_ptr();
    for_each_lane(lanes, [&](unsigned lane) {
      access.data[lane] = load_bytes(data + offset_in_line(access.address[lane]), access.bytes, access.sign_extend);
    });
  } else {
    const AtomicLane* part = memory_access(payload).lanes.data();
    for_each_lane(lanes,
                  [&](unsigned lane) { access.data[lane] = extend((part++)->old, access.bytes, access.sign_extend); });
  }
}

}  // namespace heddle
