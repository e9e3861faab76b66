// SPDX-License-Identifier: Apache-2.0
#include "tlm/line_request.h"

#include <cstring>
#include <stdexcept>
#include <string>

namespace heddle {

tlm::tlm_extension_base* MemoryAccess::clone() const {
  return new MemoryAccess(*this);
}

void MemoryAccess::copy_from(const tlm::tlm_extension_base& other) {
  *this = static_cast<const MemoryAccess&>(other);
}

MemoryAccess& memory_access(tlm::tlm_generic_payload& payload) {
  MemoryAccess* access = payload.get_extension<MemoryAccess>();
  sc_assert(access != nullptr);
  return *access;
}

void perform_atomic(MemoryAccess& access, std::uint8_t* line) {
  for (unsigned i = 0; i < access.lane_count; ++i) {
    AtomicLane& lane = access.lanes[i];
    lane.old = apply_at(line + lane.offset, access.op, access.is_signed, access.bytes, lane.operand, lane.compare);
  }
}

namespace {

// One enable for each byte, in whole words: as our own modules have them.
bool has_words_of_enables(const tlm::tlm_generic_payload& payload) {
  const unsigned length = payload.get_data_length();
  return payload.get_byte_enable_ptr() != nullptr && payload.get_byte_enable_length() == length && length % 32 == 0;
}

}  // namespace

unsigned written_sectors(const tlm::tlm_generic_payload& payload) {
  unsigned sectors = 0;
  if (!has_words_of_enables(payload)) {
    for (unsigned i = 0; i < payload.get_data_length(); ++i)
      sectors |= static_cast<unsigned>(is_enabled(payload, i)) << i / sector_bytes;
    return sectors;
  }
  for (unsigned first = 0; first < payload.get_data_length(); first += sector_bytes) {
    std::uint64_t enabled[sector_bytes / 8];
    std::memcpy(enabled, payload.get_byte_enable_ptr() + first, sector_bytes);
    sectors |= static_cast<unsigned>((enabled[0] | enabled[1] | enabled[2] | enabled[3]) != 0) << first / sector_bytes;
  }
  return sectors;
}

void merge_write(const tlm::tlm_generic_payload& payload, std::uint8_t* line) {
  const std::uint8_t* data = payload.get_data_ptr();
  const std::uint8_t* enable = payload.get_byte_enable_ptr();
  if (!has_words_of_enables(payload)) {
    for (unsigned i = 0; i < payload.get_data_length(); ++i)
      if (is_enabled(payload, i)) line[i] = data[i];
    return;
  }
  // Word by word: the enables are 0x00 or 0xff.
  for (unsigned i = 0; i < payload.get_data_length(); i += 8) {
    std::uint64_t from, mask, to;
    std::memcpy(&from, data + i, 8);
    std::memcpy(&mask, enable + i, 8);
    std::memcpy(&to, line + i, 8);
    to = (to & ~mask) | (from & mask);
    std::memcpy(line + i, &to, 8);
  }
}

void answer_read(tlm::tlm_generic_payload& payload, const std::uint8_t* line) {
  std::uint8_t* data = payload.get_data_ptr();
  if (payload.get_byte_enable_ptr() == nullptr) {
    std::memcpy(data, line, payload.get_data_length());
  } else {
    for (unsigned i = 0; i < payload.get_data_length(); ++i)
      if (is_enabled(payload, i)) data[i] = line[i];
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

struct PayloadPool::Record {
  Record(PayloadPool* pool, unsigned line_bytes) : payload(pool) {
    payload.set_data_ptr(data.data());
    payload.set_data_length(line_bytes);
    payload.set_streaming_width(line_bytes);
    payload.set_extension(&access);
  }
  // The extension is ours, not the payload's to free.
  ~Record() { payload.clear_extension(&access); }

  tlm::tlm_generic_payload payload;
  MemoryAccess access;
  alignas(16) std::array<std::uint8_t, 2 * max_line_bytes> data{};  // the line, then its byte enables
};

PayloadPool::PayloadPool(unsigned line_bytes) : line_bytes_(line_bytes) {
  if (!is_line_size(line_bytes))
    throw std::invalid_argument("line_bytes is " + std::to_string(line_bytes) +
                                ": lines have 32, 64, 128 or 256 bytes");
}
PayloadPool::~PayloadPool() = default;

tlm::tlm_generic_payload* PayloadPool::take(tlm::tlm_command command, std::uint64_t line) {
  if (free_.empty()) {
    records_.push_back(std::make_unique<Record>(this, line_bytes_));
    // `free` must never allocate.
    free_.reserve(records_.capacity());
    free_.push_back(&records_.back()->payload);
  }
  tlm::tlm_generic_payload* payload = free_.back();
  free_.pop_back();
  payload->set_command(command);
  payload->set_address(line);
  payload->set_byte_enable_ptr(nullptr);
  payload->set_byte_enable_length(0);
  payload->set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  payload->acquire();
  return payload;
}

tlm::tlm_generic_payload* PayloadPool::read(std::uint64_t line) {
  tlm::tlm_generic_payload* payload = take(tlm::TLM_READ_COMMAND, line);
  memory_access(*payload).missed = false;
  return payload;
}

tlm::tlm_generic_payload* PayloadPool::write(std::uint64_t line) {
  tlm::tlm_generic_payload* payload = take(tlm::TLM_WRITE_COMMAND, line);
  std::uint8_t* enable = payload->get_data_ptr() + line_bytes_;
  std::memset(enable, 0, line_bytes_);
  payload->set_byte_enable_ptr(enable);
  payload->set_byte_enable_length(line_bytes_);
  return payload;
}

tlm::tlm_generic_payload* PayloadPool::atomic(std::uint64_t line) {
  tlm::tlm_generic_payload* payload = take(tlm::TLM_IGNORE_COMMAND, line);
  memory_access(*payload).lane_count = 0;
  return payload;
}

}  // namespace heddle
