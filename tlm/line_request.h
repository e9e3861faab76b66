// SPDX-License-Identifier: Apache-2.0
// What travels through the sockets: one request for one line, of as many bytes as the payload's data. A cache has one
// size of lines; what it asks of the memory below are lines of that size.
//
//   read    TLM_READ_COMMAND    the whole line comes back in the data
//   write   TLM_WRITE_COMMAND   byte enables say which bytes of the data count
//   atomic  TLM_IGNORE_COMMAND  the lanes' operations are in the extension, and so are the old values that come back
//
// Every hop speaks the four phases of the base protocol; a target may complete early (tlm/line_sockets.h).
// Payloads come from a pool: whoever keeps one past END_RESP acquires it.
#pragma once

#include <systemc>
#include <tlm>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "tlm/atomic.h"

namespace heddle {

constexpr unsigned max_line_bytes = 256;
constexpr bool is_line_size(unsigned bytes) {
  return bytes == 32 || bytes == 64 || bytes == 128 || bytes == 256;
}
// What a store moves below the L1: the sectors of a line in which a byte is enabled.
constexpr unsigned sector_bytes = 32;

constexpr unsigned max_lanes = 32;

// One lane's part of an atomic request.
struct AtomicLane {
  std::uint8_t offset = 0;  // of the value in the line
  std::uint64_t operand = 0;
  std::uint64_t compare = 0;  // CompareExchange only
  std::uint64_t old = 0;      // the reply
};

// Does the payload's data reach into this line, or begin in it?
inline bool touches(const tlm::tlm_generic_payload& payload, std::uint64_t line, unsigned line_bytes) {
  return line - payload.get_address() < payload.get_data_length() || payload.get_address() - line < line_bytes;
}

// What the generic payload has no room for. Every payload of the pool carries one.
struct MemoryAccess : tlm::tlm_extension<MemoryAccess> {
  // Atomics: performed by the memory, in the order of this list.
  AtomicOp op = AtomicOp::None;
  bool is_signed = false;
  std::uint8_t bytes = 4;
  std::uint8_t lane_count = 0;
  std::array<AtomicLane, max_lanes> lanes;

  // Set by the first cache when it accepts a read: the line was not there.
  bool missed = false;

  // The initiator's own notes; nobody else reads or writes them.
  std::uint32_t initiator_slot = 0;
  std::uint32_t initiator_lanes = 0;

  // The way back through interconnects with several initiators: a stack of port numbers.
  std::array<std::uint8_t, 4> route{};
  std::uint8_t hops = 0;

  tlm::tlm_extension_base* clone() const override;
  void copy_from(const tlm::tlm_extension_base& other) override;
};

MemoryAccess& memory_access(tlm::tlm_generic_payload& payload);

// Does what an atomic request asks to the line at `line`, and notes the old values.
void perform_atomic(MemoryAccess& access, std::uint8_t* line);

// Byte enables, as IEEE 1666 has them: none enable all bytes, and fewer than the data has are repeated.
inline bool is_enabled(const tlm::tlm_generic_payload& payload, unsigned byte) {
  const std::uint8_t* enable = payload.get_byte_enable_ptr();
  const unsigned enables = payload.get_byte_enable_length();
  return enable == nullptr || enable[byte < enables ? byte : byte % enables] == TLM_BYTE_ENABLED;
}

// Sectors of a store in which a byte is enabled, as a mask: bit i is bytes 32 i .. 32 i + 31 of the data.
unsigned written_sectors(const tlm::tlm_generic_payload& payload);

// Overwrites those bytes of `line` that the payload's byte enables name.
void merge_write(const tlm::tlm_generic_payload& payload, std::uint8_t* line);

// Those bytes of the payload's data that its byte enables name become those of `line`; the answer is TLM_OK_RESPONSE.
void answer_read(tlm::tlm_generic_payload& payload, const std::uint8_t* line);

// Payloads with data, byte enables and extension, each with a count of one when handed out. It grows to the largest
// number in flight and then allocates no more. Must outlive its payloads.
class PayloadPool : public tlm::tlm_mm_interface {
 public:
  explicit PayloadPool(unsigned line_bytes);
  ~PayloadPool() override;
  PayloadPool(const PayloadPool&) = delete;
  PayloadPool& operator=(const PayloadPool&) = delete;

  tlm::tlm_generic_payload* read(std::uint64_t line);
  tlm::tlm_generic_payload* write(std::uint64_t line);   // no byte enabled yet
  tlm::tlm_generic_payload* atomic(std::uint64_t line);  // no lane yet

  std::size_t size() const { return records_.size(); }
  std::size_t in_use() const { return records_.size() - free_.size(); }

  void free(tlm::tlm_generic_payload* payload) override { free_.push_back(payload); }

 private:
  struct Record;
  tlm::tlm_generic_payload* take(tlm::tlm_command command, std::uint64_t line);

  const unsigned line_bytes_;
  std::vector<std::unique_ptr<Record>> records_;
  std::vector<tlm::tlm_generic_payload*> free_;
};

}  // namespace heddle
