// SPDX-License-Identifier: Apache-2.0
// A file of the traffic between the L1s of some SMs and the memory below them: written by traffic_recorder, played by
// traffic_replayer.
//
// Format, version 1. A number is unsigned, seven bits a byte, the lowest first, bit 7 set in all bytes but its last.
//   head      8 bytes "HEDDLETR"; numbers: version, SMs, bytes of a line
//   record    a byte: kind, + 8 if it happened at a clock edge rather than half a period before; a byte: SM;
//             number: cycles since the record before; and by kind:
//     0 read    number: address / bytes of a line
//     1 write   the same; a bit for each byte that is enabled, byte 0 in bit 0 of the first of line / 8 bytes
//     2 atomic  the same; a byte each: AtomicOp, bytes of a value, lanes; a byte for each lane: its offset in the line
//     3 answer  number: which of this SM's requests it answers, counted back from its last one, which is 0
//     4 debug   numbers: address, bytes of a write by debug transport
//     5 end     once, and nothing follows
// Values are not kept: time does not depend on them.
#pragma once

#include <array>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "tlm/line_request.h"

namespace heddle {

struct TrafficEvent {
  enum Kind : std::uint8_t { Read, Write, Atomic, Answer, Debug, End };
  Kind kind = Read;
  bool at_edge = false;
  std::uint8_t sm = 0;
  std::uint64_t cycle = 0;
  std::uint64_t address = 0;  // all but Answer
  std::uint64_t bytes = 0;    // Debug
  std::uint64_t request = 0;  // Answer: which of the SM's, from 0
  AtomicOp op = AtomicOp::None;
  std::uint8_t value_bytes = 0, lanes = 0;                // Atomic
  std::array<std::uint8_t, max_line_bytes / 8> detail{};  // Write: the enables as bits; Atomic: the lanes' offsets

  bool is_request() const { return kind <= Atomic; }
};

class TrafficWriter {
 public:
  // Throws std::runtime_error if the file cannot be written.
  TrafficWriter(const std::string& path, unsigned sms, unsigned line_bytes);
  ~TrafficWriter();  // ends the file
  TrafficWriter(const TrafficWriter&) = delete;
  TrafficWriter& operator=(const TrafficWriter&) = delete;

  void write(const TrafficEvent& event);  // in the order of cycles
  // Throws std::runtime_error if something could not be written so far.
  void flush();

 private:
  void byte(unsigned value) { file_.put(static_cast<char>(value)); }
  void number(std::uint64_t value);

  const std::string path_;
  const unsigned line_bytes_;
  std::ofstream file_;
  std::uint64_t cycle_ = 0;              // of the last record
  std::vector<std::uint64_t> requests_;  // so far, by SM
};

// What is wrong with a file is a std::runtime_error that names it.
class TrafficReader {
 public:
  explicit TrafficReader(const std::string& path);

  unsigned sms() const { return static_cast<unsigned>(requests_.size()); }
  unsigned line_bytes() const { return line_bytes_; }
  bool next(TrafficEvent& event);  // false: that was all

 private:
  [[noreturn]] void refuse(const std::string& what) const;
  unsigned byte();
  std::uint64_t number();

  const std::string path_;
  std::ifstream file_;
  unsigned line_bytes_ = 0;
  std::uint64_t cycle_ = 0;
  std::vector<std::uint64_t> requests_;
};

}  // namespace heddle
