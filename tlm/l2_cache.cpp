// SPDX-License-Identifier: Apache-2.0
#include "tlm/l2_cache.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace heddle {

namespace {

std::uint64_t sets_of(const L2Parameters& p) {
  const std::uint64_t way_bytes = std::uint64_t{p.ways} * p.line_bytes;
  if (!is_line_size(p.line_bytes) || way_bytes == 0 || p.bytes == 0 || p.bytes % way_bytes != 0)
    SC_REPORT_FATAL("heddle/l2_cache", "bytes must be a multiple of ways * line_bytes, lines of 32 to 256 bytes");
  return p.bytes / way_bytes;
}

// Marks the bytes that a store names, 0xff each.
void mark_written(std::uint8_t* marks, const tlm::tlm_generic_payload& payload) {
  const std::uint8_t* enable = payload.get_byte_enable_ptr();
  const unsigned length = payload.get_data_length();
  if (enable == nullptr || payload.get_byte_enable_length() != length) {
    for (unsigned i = 0; i < length; ++i)
      if (is_enabled(payload, i)) marks[i] = 0xff;
    return;
  }
  for (unsigned i = 0; i < length; i += 8) {
    std::uint64_t here, there;
    std::memcpy(&here, marks + i, 8);
    std::memcpy(&there, enable + i, 8);
    here |= there;
    std::memcpy(marks + i, &here, 8);
  }
}

bool all_marked(const std::uint8_t* marks, unsigned bytes) {
  std::uint64_t all = ~std::uint64_t{0};
  for (unsigned i = 0; i < bytes; i += 8) {
    std::uint64_t here;
    std::memcpy(&here, marks + i, 8);
    all &= here;
  }
  return all == ~std::uint64_t{0};
}

// The part of [address, address + bytes) that lies in a line: offset in the line, offset in the range, length.
struct Overlap {
  std::size_t in_line = 0, in_range = 0, length = 0;
  Overlap(std::uint64_t line, std::size_t line_bytes, std::uint64_t address, std::size_t bytes) {
    const std::uint64_t first = std::max(line, address), end = std::min(line + line_bytes, address + bytes);
    if (first >= end) return;
    in_line = first - line;
    in_range = first - address;
    length = end - first;
  }
};

}  // namespace

l2_cache::l2_cache(const sc_core::sc_module_name& name, const L2Parameters& parameters, const sc_core::sc_time& period)
    : sc_module(name),
      socket("socket", *this, {1, parameters.line_bytes}),
      memory_socket("memory_socket", *this),
      parameters_(parameters),
      cycles_(period),
      sets_(sets_of(parameters)),
      pool_(parameters.line_bytes),
      lines_(parameters.bytes / parameters.line_bytes),
      data_(parameters.bytes),
      valid_(parameters.bytes),
      dirty_(parameters.bytes),
      mshrs_(parameters.mshrs) {
  if (parameters.partitions == 0 || parameters.mshrs == 0 || parameters.targets_per_mshr == 0 ||
      parameters.memory_queue < 2 || parameters.reply_slack == 0 || parameters.hit_latency == 0)
    SC_REPORT_FATAL("heddle/l2_cache",
                    "partitions, mshrs, targets_per_mshr, reply_slack and hit_latency must be at least 1, "
                    "memory_queue at least 2");
  for (Mshr& mshr : mshrs_) mshr.targets.reserve(parameters.targets_per_mshr);
  SC_METHOD(wake);
  sensitive << wake_event_;
  dont_initialize();
}

bool l2_cache::idle() const {
  return held_ == nullptr && mshrs_used_ == 0 && to_memory_.empty() && writes_back_.empty() && replies_.empty();
}

// ---- Acceptance ----------------------------------------------------------------------------------------------------

tlm::tlm_sync_enum l2_cache::nb_transport_fw(unsigned, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase) {
  if (phase == tlm::BEGIN_REQ) {
    sc_assert(held_ == nullptr);
    payload.acquire();  // until its response is through
    held_ = &payload;
    held_counted_ = false;
    schedule();
    return tlm::TLM_ACCEPTED;
  }
  replies_.ended(payload);  // END_RESP
  schedule();
  return tlm::TLM_COMPLETED;
}

std::uint64_t* l2_cache::try_accept(tlm::tlm_generic_payload& payload, std::uint64_t cycle) {
  if (replies_.overdue(cycle) >= parameters_.reply_slack) return &counters_.stalls_replies;
  const std::uint64_t ready = cycle + parameters_.hit_latency;
  const std::uint64_t address = line_of(payload.get_address());
  std::size_t line = find(address);
  const bool is_present = line < lines_.size();
  const bool is_fetching = is_present && lines_[line].fetching;
  const bool is_served = payload.is_write() ? is_present || memory_has(address) : is_present && has_all(line, payload);

  std::size_t requests = is_served ? 0 : 1;  // to memory
  if (!is_present) {
    line = victim(address);
    if (line == lines_.size()) return &counters_.stalls_ways;
    requests += lines_[line].dirty ? 1 : 0;
  }
  if (is_fetching) {
    if (std::uint64_t* lacks = join(line, payload, ready)) return lacks;
  } else {
    if (!is_served && mshrs_used_ == mshrs_.size()) return &counters_.stalls_mshr;
    if (!has_room(requests)) return &counters_.stalls_queue;
    if (!is_present) take(line, address);
    if (is_served) {
      ++(is_present ? counters_.hits : counters_.write_misses);
      serve(line, payload);
      replies_.push_on_time(payload, ready);
    } else {
      fetch(line, payload, ready);
    }
  }
  lines_[line].used = ++use_clock_;
  ++counters_.accesses;
  if (payload.is_write()) ++counters_.writes;
  if (!payload.is_write() && !payload.is_read()) ++counters_.atomics;
  next_accept_ = cycle + 1;
  return nullptr;
}

std::uint64_t* l2_cache::join(std::size_t line, tlm::tlm_generic_payload& payload, std::uint64_t ready) {  // R1
  for (Mshr& mshr : mshrs_) {
    if (mshr.fetch == nullptr || mshr.line != line) continue;
    if (mshr.targets.size() >= parameters_.targets_per_mshr) return &counters_.stalls_targets;
    mshr.targets.push_back({&payload, ready});
    ++counters_.merges;
    return nullptr;
  }
  SC_REPORT_FATAL("heddle/l2_cache", "a line is being fetched and has no MSHR");
  return nullptr;
}

void l2_cache::fetch(std::size_t line, tlm::tlm_generic_payload& payload, std::uint64_t ready) {
  const auto free = std::find_if(mshrs_.begin(), mshrs_.end(), [](const Mshr& mshr) { return mshr.fetch == nullptr; });
  ++mshrs_used_;
  ++counters_.misses;
  lines_[line].fetching = true;
  free->line = line;
  free->fetch = pool_.read(lines_[line].address);
  memory_access(*free->fetch).initiator_slot = static_cast<std::uint32_t>(free - mshrs_.begin());
  free->targets.push_back({&payload, ready});
  to_memory_.push(*free->fetch);
  drain_to_memory();
}

void l2_cache::retry_held(std::uint64_t cycle) {
  if (held_ == nullptr || cycle < next_accept_) return;
  tlm::tlm_generic_payload& payload = *held_;
  if (std::uint64_t* lacks = try_accept(payload, cycle)) {
    if (!held_counted_) ++*lacks;
    held_counted_ = true;
    return;
  }
  held_ = nullptr;
  socket.send(payload, tlm::END_REQ);
}

// ---- Lines ---------------------------------------------------------------------------------------------------------

std::size_t l2_cache::first_way(std::uint64_t address) const {
  return address / parameters_.line_bytes / parameters_.partitions % sets_ * parameters_.ways;
}

std::size_t l2_cache::find(std::uint64_t address) const {
  const std::size_t first = first_way(address);
  for (std::size_t line = first; line < first + parameters_.ways; ++line) {
    if (lines_[line].address == address) return line;
  }
  return lines_.size();
}

std::size_t l2_cache::victim(std::uint64_t address) const {
  const std::size_t first = first_way(address);
  std::size_t oldest = lines_.size();
  for (std::size_t line = first; line < first + parameters_.ways; ++line) {
    if (lines_[line].address == no_line) return line;
    if (lines_[line].fetching) continue;
    if (oldest == lines_.size() || lines_[line].used < lines_[oldest].used) oldest = line;
  }
  return oldest;
}

void l2_cache::take(std::size_t line, std::uint64_t address) {
  if (lines_[line].address != no_line) ++counters_.evictions;
  if (lines_[line].dirty) write_back(line);
  lines_[line] = Line{};
  lines_[line].address = address;
  std::memset(valid_of(line), 0, parameters_.line_bytes);
  std::memset(dirty_of(line), 0, parameters_.line_bytes);
}

bool l2_cache::has_all(std::size_t line, const tlm::tlm_generic_payload& payload) const {
  return lines_[line].complete ||
         all_marked(valid_of(line) + payload.get_address() % parameters_.line_bytes, payload.get_data_length());
}

void l2_cache::serve(std::size_t line, tlm::tlm_generic_payload& payload) {
  const std::size_t offset = payload.get_address() % parameters_.line_bytes;
  std::uint8_t* bytes = bytes_of(line) + offset;
  if (payload.is_read()) {
    answer_read(payload, bytes);
  } else if (payload.is_write()) {
    merge_write(payload, bytes);
    mark_written(valid_of(line) + offset, payload);
    mark_written(dirty_of(line) + offset, payload);
    lines_[line].dirty = true;
  } else {
    MemoryAccess& access = memory_access(payload);
    perform_atomic(access, bytes);
    if (access.op != AtomicOp::None) {
      for (unsigned i = 0; i < access.lane_count; ++i)
        std::memset(dirty_of(line) + offset + access.lanes[i].offset, 0xff, access.bytes);
      lines_[line].dirty = true;
    }
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

bool l2_cache::memory_has(std::uint64_t address) {
  std::uint8_t byte = 0;
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_READ_COMMAND);
  payload.set_address(address);
  payload.set_data_ptr(&byte);
  payload.set_data_length(1);
  return memory_socket->transport_dbg(payload) == 1;
}

void l2_cache::merge_fetch(Mshr& mshr) {
  std::uint8_t* to = bytes_of(mshr.line);
  const std::uint8_t* from = mshr.fetch->get_data_ptr();
  std::uint8_t* valid = valid_of(mshr.line);
  for (unsigned i = 0; i < parameters_.line_bytes; ++i) {
    if (valid[i] == 0) to[i] = from[i];
  }
  std::memset(valid, 0xff, parameters_.line_bytes);
  lines_[mshr.line].complete = true;
}

void l2_cache::fetched(Mshr& mshr) {
  const bool came = mshr.fetch->is_response_ok();
  if (came) merge_fetch(mshr);
  lines_[mshr.line].fetching = false;
  if (!came && !lines_[mshr.line].dirty) lines_[mshr.line] = Line{};
  const std::uint64_t cycle = cycles_.earliest();
  for (const Target& target : mshr.targets) {  // R1
    if (came)
      serve(mshr.line, *target.payload);
    else
      target.payload->set_response_status(mshr.fetch->get_response_status());
    replies_.push_late(*target.payload, std::max(target.ready, cycle));
  }
  mshr.targets.clear();
  mshr.fetch->release();
  mshr.fetch = nullptr;
  --mshrs_used_;
}

// ---- Towards memory ------------------------------------------------------------------------------------------------

void l2_cache::write_back(std::size_t line) {
  tlm::tlm_generic_payload* payload = pool_.write(lines_[line].address);
  std::memcpy(payload->get_data_ptr(), bytes_of(line), parameters_.line_bytes);
  std::memcpy(payload->get_byte_enable_ptr(), dirty_of(line), parameters_.line_bytes);
  writes_back_.push_back(payload);
  ++counters_.write_backs;
  to_memory_.push(*payload);  // R2
  drain_to_memory();
}

void l2_cache::drain_to_memory() {
  to_memory_.drain(memory_socket, [this](tlm::tlm_generic_payload& payload) { memory_completed(payload); });
}

void l2_cache::memory_completed(tlm::tlm_generic_payload& payload) {
  if (payload.is_read()) {
    fetched(mshrs_[memory_access(payload).initiator_slot]);
    return;
  }
  if (!payload.is_response_ok())
    SC_REPORT_ERROR("heddle/l2_cache/write_back",
                    (std::string(name()) + ": memory answers " + payload.get_response_string()).c_str());
  writes_back_.erase(std::find(writes_back_.begin(), writes_back_.end(), &payload));
  payload.release();
}

tlm::tlm_sync_enum l2_cache::nb_transport_bw(unsigned, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase) {
  const bool responds = phase == tlm::BEGIN_RESP;
  const bool ended = to_memory_.ends(payload);
  if (responds) memory_completed(payload);
  if (ended) drain_to_memory();
  wake_event_.notify(cycles_.until(cycles_.now()));
  return responds ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
}

// ---- Time ----------------------------------------------------------------------------------------------------------

void l2_cache::wake() {
  // Memory and initiator may act at the same instant, in an order that is the simulator's: both come first.
  waiting_for_memory_ = !waiting_for_memory_;
  if (waiting_for_memory_) return next_trigger(sc_core::SC_ZERO_TIME);
  const std::uint64_t cycle = cycles_.now();
  replies_.send_due(cycle, socket);
  retry_held(cycle);
  schedule();
}

// The next cycle with something to do; an earlier notification that is pending stands.
void l2_cache::schedule() {
  std::uint64_t cycle = replies_.next_cycle();
  // What a request that was tried lacks comes with an answer that leaves or a call of the memory.
  if (held_ != nullptr && !held_counted_) cycle = std::min(cycle, next_accept_);
  if (cycle != ReplyPort::never) wake_event_.notify(cycles_.until(cycle));
}

// ---- Debug ---------------------------------------------------------------------------------------------------------

unsigned l2_cache::transport_dbg(unsigned, tlm::tlm_generic_payload& payload) {
  const unsigned done = memory_socket->transport_dbg(payload);
  const std::uint64_t address = payload.get_address();
  const std::size_t bytes = payload.get_data_length();
  std::uint8_t* data = payload.get_data_ptr();
  for (std::uint64_t line = line_of(address); line < address + bytes; line += parameters_.line_bytes) {
    const Overlap part(line, parameters_.line_bytes, address, bytes);
    if (payload.is_write()) {
      for (tlm::tlm_generic_payload* write : writes_back_) {
        if (write->get_address() == line)
          std::memcpy(write->get_data_ptr() + part.in_line, data + part.in_range, part.length);
      }
    }
    const std::size_t found = find(line);
    if (found == lines_.size()) continue;
    std::uint8_t* held = bytes_of(found) + part.in_line;
    std::uint8_t* valid = valid_of(found) + part.in_line;
    if (payload.is_write()) {
      std::memcpy(held, data + part.in_range, part.length);
      std::memset(valid, 0xff, part.length);
      continue;
    }
    for (std::size_t i = 0; i < part.length; ++i) {
      if (valid[i] != 0) data[part.in_range + i] = held[i];
    }
  }
  return done;
}

void l2_cache::b_transport(unsigned, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  for (const Mshr& mshr : mshrs_) {
    if (mshr.fetch == nullptr || !touches(payload, mshr.fetch->get_address(), parameters_.line_bytes)) continue;
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return;
  }
  const std::uint64_t end = payload.get_address() + payload.get_data_length();
  for (std::uint64_t address = line_of(payload.get_address()); address < end; address += parameters_.line_bytes) {
    const std::size_t line = find(address);
    if (line == lines_.size()) continue;
    write_dirty_bytes(line);
    lines_[line] = Line{};
  }
  memory_socket->b_transport(payload, delay);
}

void l2_cache::write_dirty_bytes(std::size_t line) {
  const std::uint8_t* dirty = dirty_of(line);
  for (unsigned first = 0; first < parameters_.line_bytes;) {
    unsigned end = first;
    while (end < parameters_.line_bytes && dirty[end] != 0) ++end;
    if (end > first) {
      tlm::tlm_generic_payload payload;
      payload.set_command(tlm::TLM_WRITE_COMMAND);
      payload.set_address(lines_[line].address + first);
      payload.set_data_ptr(bytes_of(line) + first);
      payload.set_data_length(end - first);
      memory_socket->transport_dbg(payload);
    }
    first = end + 1;
  }
}

void l2_cache::settle() {
  if (!idle()) SC_REPORT_ERROR("heddle/l2_cache", "settled with requests in flight");
  for (std::size_t line = 0; line < lines_.size(); ++line) {
    if (lines_[line].dirty) write_dirty_bytes(line);
  }
}

std::uint64_t l2_cache::dirty_bytes() const {
  return static_cast<std::uint64_t>(
      std::count_if(dirty_.begin(), dirty_.end(), [](std::uint8_t byte) { return byte != 0; }));
}

}  // namespace heddle
