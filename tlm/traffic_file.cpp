// SPDX-License-Identifier: Apache-2.0
#include "tlm/traffic_file.h"

#include <cstring>
#include <stdexcept>

#include "rtl/base/output_file.h"

namespace heddle {

namespace {

constexpr char Magic[] = "HEDDLETR";
constexpr unsigned Version = 1;
constexpr unsigned AtEdge = 8;
constexpr unsigned MostSms = 256;

}  // namespace

// ---- Writing -------------------------------------------------------------------------------------------------------

TrafficWriter::TrafficWriter(const std::string& path, unsigned sms, unsigned line_bytes)
    : path_(path), line_bytes_(line_bytes), file_(with_folder(path), std::ios::binary), requests_(sms) {
  file_.write(Magic, std::strlen(Magic));
  number(Version);
  number(sms);
  number(line_bytes);
  flush();
}

TrafficWriter::~TrafficWriter() {
  TrafficEvent end;
  end.kind = TrafficEvent::End;
  end.cycle = cycle_;
  write(end);
}

void TrafficWriter::flush() {
  if (!file_.flush()) throw std::runtime_error("cannot write the traffic to " + path_);
}

void TrafficWriter::number(std::uint64_t value) {
  for (; value >= 128; value >>= 7) byte(value % 128 + 128);
  byte(static_cast<unsigned>(value));
}

void TrafficWriter::write(const TrafficEvent& event) {
  byte(event.kind + (event.at_edge ? AtEdge : 0));
  byte(event.sm);
  number(event.cycle - cycle_);
  cycle_ = event.cycle;
  if (event.is_request()) {
    ++requests_[event.sm];
    number(event.address / line_bytes_);
  }
  if (event.kind == TrafficEvent::Write) {
    for (unsigned i = 0; i < line_bytes_ / 8; ++i) byte(event.detail[i]);
  } else if (event.kind == TrafficEvent::Atomic) {
    byte(static_cast<unsigned>(event.op));
    byte(event.value_bytes);
    byte(event.lanes);
    for (unsigned i = 0; i < event.lanes; ++i) byte(event.detail[i]);
  } else if (event.kind == TrafficEvent::Answer) {
    number(requests_[event.sm] - 1 - event.request);
  } else if (event.kind == TrafficEvent::Debug) {
    number(event.address);
    number(event.bytes);
  }
}

// ---- Reading -------------------------------------------------------------------------------------------------------

TrafficReader::TrafficReader(const std::string& path) : path_(path), file_(path, std::ios::binary) {
  if (!file_) throw std::runtime_error("cannot read " + path);
  char magic[sizeof Magic - 1];
  if (!file_.read(magic, sizeof magic) || std::memcmp(magic, Magic, sizeof magic) != 0)
    refuse("is no recorded traffic: it does not begin with " + std::string(Magic));
  const std::uint64_t version = number();
  if (version != Version)
    refuse("has version " + std::to_string(version) + " of the format, expected " + std::to_string(Version));
  const std::uint64_t sms = number(), line_bytes = number();
  if (sms == 0 || sms > MostSms) refuse("is of " + std::to_string(sms) + " SMs, expected 1 to 256");
  if (line_bytes > max_line_bytes || !is_line_size(static_cast<unsigned>(line_bytes)))
    refuse("has lines of " + std::to_string(line_bytes) + " bytes, expected 32, 64, 128 or 256");
  requests_.resize(sms);
  line_bytes_ = static_cast<unsigned>(line_bytes);
}

void TrafficReader::refuse(const std::string& what) const {
  throw std::runtime_error(path_ + ' ' + what);
}

unsigned TrafficReader::byte() {
  const int value = file_.get();
  if (value == std::ifstream::traits_type::eof()) refuse("is cut off: it has no end record");
  return static_cast<unsigned>(value);
}

std::uint64_t TrafficReader::number() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const unsigned next = byte();
    value |= std::uint64_t{next % 128} << shift;
    if (next < 128) return value;
  }
  refuse("is damaged: a number of more than ten bytes");
}

bool TrafficReader::next(TrafficEvent& event) {
  event = {};
  const unsigned kind = byte();
  if (kind % AtEdge > TrafficEvent::End || kind >= 2 * AtEdge)
    refuse("is damaged: no record is of kind " + std::to_string(kind));
  event.kind = static_cast<TrafficEvent::Kind>(kind % AtEdge);
  event.at_edge = kind >= AtEdge;
  event.sm = static_cast<std::uint8_t>(byte());
  if (event.sm >= sms()) refuse("is damaged: it is of " + std::to_string(sms()) + " SMs and names another");
  event.cycle = cycle_ += number();
  if (event.is_request()) {
    ++requests_[event.sm];
    event.address = number() * line_bytes_;
  }
  if (event.kind == TrafficEvent::Write) {
    for (unsigned i = 0; i < line_bytes_ / 8; ++i) event.detail[i] = static_cast<std::uint8_t>(byte());
  } else if (event.kind == TrafficEvent::Atomic) {
    event.op = static_cast<AtomicOp>(byte());
    event.value_bytes = static_cast<std::uint8_t>(byte());
    event.lanes = static_cast<std::uint8_t>(byte());
    if (event.op > AtomicOp::AddFloatFlushing || event.lanes > max_lanes || event.value_bytes == 0 ||
        event.value_bytes > 8)
      refuse("is damaged: an atomic that there is not");
    for (unsigned i = 0; i < event.lanes; ++i) {
      event.detail[i] = static_cast<std::uint8_t>(byte());
      if (event.detail[i] + event.value_bytes > line_bytes_) refuse("is damaged: an atomic past its line");
    }
  } else if (event.kind == TrafficEvent::Answer) {
    const std::uint64_t back = number();
    if (back >= requests_[event.sm]) refuse("is damaged: an answer to a request that was not made");
    event.request = requests_[event.sm] - 1 - back;
  } else if (event.kind == TrafficEvent::Debug) {
    event.address = number();
    event.bytes = number();
  }
  return event.kind != TrafficEvent::End;
}

}  // namespace heddle
