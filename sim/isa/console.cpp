// SPDX-License-Identifier: Apache-2.0
#include "sim/isa/console.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <fmt/printf.h>
#include <limits>
#include <utility>

namespace heddle::isa {
namespace {

constexpr std::size_t NoLimit = std::numeric_limits<std::size_t>::max();
constexpr const char* Null = "(null)";

bool is_one_of(char c, const char* set) {
  return c != 0 && std::strchr(set, c) != nullptr;
}

double double_of(std::uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

}  // namespace

// ---- What is read ----

void HostCall::begin(bool asserts) {
  asserts_ = asserts;
  if (asserts) {  // message, file, line, function, size of a character
    stage_ = Stage::Assertion;
    for (const std::size_t string : {0, 1, 3}) read_string(arguments_.at(string), NoLimit);
  } else if (arguments_.at(0) == 0) {
    stage_ = Stage::Done;
    count_ = -1;
  } else {
    read_string(arguments_[0], NoLimit);
  }
  go_on();
}

void HostCall::read_string(std::uint64_t address, std::size_t most) {
  Read read;
  read.address = address;
  read.most = most;
  read.is_string = true;
  read.is_complete = address == 0 || most == 0;
  if (address == 0) read.found = Null;
  reads_.push_back(std::move(read));
}

std::uint64_t HostCall::wanted() const {
  return is_reading() ? reads_[next_].address + reads_[next_].found.size() : 0;
}

void HostCall::take(std::uint8_t byte) {
  if (!is_reading()) return;
  Read& read = reads_[next_];
  if (read.is_string && byte == 0) {
    read.is_complete = true;
  } else {
    read.found += static_cast<char>(byte);
    read.is_complete = read.found.size() == read.most;
  }
  go_on();
}

void HostCall::go_on() {
  while (stage_ != Stage::Done) {
    while (is_reading() && reads_[next_].is_complete) ++next_;
    if (is_reading()) return;
    switch (stage_) {
      case Stage::Format:
        parse_format();
        stage_ = Stage::Values;
        if (value_bytes_ != 0) reads_.push_back({arguments_.at(1), value_bytes_, false, false, ""});
        break;
      case Stage::Values:
        if (value_bytes_ != 0) values_ = reads_.back().found;
        for (Piece& piece : pieces_) {
          if (piece.conversion != 's') continue;
          piece.string = reads_.size();
          read_string(bits_of(piece.value), precision_of(piece));
        }
        stage_ = Stage::Strings;
        break;
      case Stage::Strings:
        for (const Piece& piece : pieces_) text_ += piece.conversion == 0 ? piece.text : converted(piece);
        stage_ = Stage::Done;
        break;
      case Stage::Assertion:
        text_ = fmt::format("{}:{}: {}: assertion `{}' failed", reads_[1].found, arguments_.at(2), reads_[2].found,
                            reads_[0].found);
        stage_ = Stage::Done;
        break;
      case Stage::Done:
        break;
    }
  }
}

// ---- The format ----

void HostCall::parse_format() {
  const std::string& format = reads_[0].found;
  const bool has_values = arguments_.at(1) != 0;
  Piece plain;
  for (std::size_t at = 0; at < format.size();) {
    if (format[at] != '%') {
      plain.text += format[at++];
      continue;
    }
    const std::size_t begin = at++;
    const auto skip = [&](const char* set) {
      while (at < format.size() && is_one_of(format[at], set)) ++at;
    };
    skip("-+ #0");
    skip("0123456789*");
    if (at < format.size() && format[at] == '.') skip((++at, "0123456789*"));
    const std::size_t length = at;
    skip("hlzjtL");
    const char conversion = at < format.size() ? format[at++] : '\0';
    if (conversion == '%' && at == begin + 2) {
      plain.text += '%';
    } else if (!has_values || !is_one_of(conversion, "diuoxXcspeEfFgGaA")) {
      plain.text += format.substr(begin, at - begin);
    } else {
      if (!plain.text.empty()) pieces_.push_back(std::exchange(plain, Piece()));
      Piece piece;
      piece.text = format.substr(begin, length - begin);
      piece.length = format.substr(length, at - 1 - length);
      piece.conversion = conversion;
      for (const char c : piece.text)
        if (c == '*') piece.stars.push_back(add_value(4));
      const bool is_word =
          is_one_of(conversion, "diuoxXc") && (piece.length.empty() || piece.length[0] == 'h' || conversion == 'c');
      piece.value = add_value(is_word ? 4 : 8);
      pieces_.push_back(std::move(piece));
    }
  }
  if (!plain.text.empty()) pieces_.push_back(std::move(plain));
}

HostCall::Value HostCall::add_value(std::size_t bytes) {
  const std::size_t offset = (value_bytes_ + bytes - 1) / bytes * bytes;
  value_bytes_ = offset + bytes;
  ++count_;
  return {offset, bytes};
}

std::uint64_t HostCall::bits_of(const Value& value) const {
  std::uint64_t bits = 0;
  std::memcpy(&bits, values_.data() + value.offset, value.bytes);
  return bits;
}

std::string HostCall::specification(const Piece& piece) const {
  std::string text;
  std::size_t star = 0;
  for (const char c : piece.text) {
    if (c != '*') {
      text += c;
      continue;
    }
    const auto value = static_cast<std::int32_t>(bits_of(piece.stars[star++]));
    if (value >= 0 || text.find('.') == std::string::npos)
      text += std::to_string(value);  // a negative width is the flag '-' and a width
    else
      text.pop_back();  // a negative precision is none
  }
  return text;
}

std::size_t HostCall::precision_of(const Piece& piece) const {
  const std::string text = specification(piece);
  const std::size_t point = text.find('.');
  return point == std::string::npos ? NoLimit : std::strtoul(text.c_str() + point + 1, nullptr, 10);
}

std::string HostCall::converted(const Piece& piece) const {
  const std::uint64_t bits = bits_of(piece.value);
  std::string text = specification(piece);
  const auto with = [&](char conversion, auto value) { return fmt::sprintf(text + conversion, value); };
  switch (piece.conversion) {
    case 's':
      return with('s', reads_[piece.string].found);
    case 'c':
      return with('c', static_cast<char>(bits));
    case 'p':
      return bits == 0 ? with('s', std::string("(nil)")) : with('p', reinterpret_cast<const void*>(bits));
    case 'd':
    case 'i':
      if (piece.length == "hh") return with('d', static_cast<signed char>(bits) + 0);
      if (piece.length == "h") return with('d', static_cast<short>(bits) + 0);
      return piece.value.bytes == 4 ? with('d', static_cast<std::int32_t>(bits))
                                    : with('d', static_cast<std::int64_t>(bits));
    case 'u':
    case 'o':
    case 'x':
    case 'X':
      if (piece.length == "hh") return with(piece.conversion, static_cast<std::uint32_t>(bits & 0xff));
      if (piece.length == "h") return with(piece.conversion, static_cast<std::uint32_t>(bits & 0xffff));
      return piece.value.bytes == 4 ? with(piece.conversion, static_cast<std::uint32_t>(bits))
                                    : with(piece.conversion, bits);
    default:
      return with(piece.conversion, double_of(bits));
  }
}

// ---- All threads ----

std::uint64_t Console::call(HostOp op, std::uint64_t value, const FaultSite& site) {
  const std::array<unsigned, 6> thread{site.block.x,  site.block.y,  site.block.z,
                                       site.thread.x, site.thread.y, site.thread.z};
  HostCall& call = calls_[thread];
  switch (op) {
    case HostOp::Argument:
      call.add_argument(value);
      return 0;
    case HostOp::Print:
    case HostOp::Assert:
      call.begin(op == HostOp::Assert);
      return go_on(call, site);
    case HostOp::Next:
      call.take(static_cast<std::uint8_t>(value));
      return go_on(call, site);
    case HostOp::Result: {
      const auto count = static_cast<std::uint32_t>(call.count());
      calls_.erase(thread);
      return count;
    }
  }
  return 0;
}

std::uint64_t Console::go_on(HostCall& call, const FaultSite& site) {
  const std::uint64_t wanted = call.wanted();
  if (wanted != 0) return wanted;
  if (call.asserts()) throw_execution_error(ErrorCode::Assert, call.text(), site);
  if (!call.text().empty()) sink_(call.text());
  return 0;
}

}  // namespace heddle::isa
