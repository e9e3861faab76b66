// SPDX-License-Identifier: Apache-2.0
// A record as the bits of a SystemVerilog port: a packed struct, first field on top; an array of records is a packed
// vector with element 0 at the bottom. The host stores low bytes first, as Verilator does.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "rtl/base/record.h"

namespace heddle {

template <class Value, class Visit>
void each_value(Value& value, Visit&& visit) {
  if constexpr (is_record<std::remove_const_t<Value>>::value) {
    value.fields([&visit](auto&... field) { return (visit(field), ..., 0); });
  } else {
    visit(value);
  }
}

/// The words of a port of any width.
class PortBits {
 public:
  explicit PortBits(unsigned bits) : words_((bits + 63) / 64 * 2 + 2) {}

  template <class Port>
  static PortBits of(const Port& port) {
    return of_bytes(&port, sizeof(Port));
  }
  static PortBits of_bytes(const void* port, std::size_t bytes) {
    PortBits bits(static_cast<unsigned>(8 * bytes));
    std::memcpy(bits.words_.data(), port, bytes);
    return bits;
  }
  template <class Port>
  void copy_to(Port& port) const {
    static_assert(sizeof(Port) % 4 == 0 || sizeof(Port) < 4);
    copy_to(&port, sizeof(Port));
  }
  /// As many bytes as the port has, at most those that bits were asked for.
  void copy_to(void* port, std::size_t bytes) const { std::memcpy(port, words_.data(), bytes); }

  /// Puts a record or value at bit `at` (its lowest bit); the words there were zero.
  template <class Value>
  void put(unsigned at, const Value& value) {
    unsigned top = at + bits_of<Value>;
    each_value(value, [&](const auto& field) {
      constexpr unsigned width = bits_of<std::decay_t<decltype(field)>>;
      top -= width;
      const std::uint64_t bits = field;
      for (unsigned done = 0; done < width; done += 32 - (top + done) % 32) {
        words_[(top + done) / 32] |= static_cast<std::uint32_t>(bits >> done << (top + done) % 32);
      }
    });
  }

  /// Puts `width` bits, low byte first, at bit `at`; the words there were zero.
  void put_bytes(unsigned at, const unsigned char* bytes, unsigned width) {
    for (unsigned done = 0; done < width; done += 8, ++bytes) {
      const std::uint64_t shifted = static_cast<std::uint64_t>(*bytes) << (at + done) % 32;
      words_[(at + done) / 32] |= static_cast<std::uint32_t>(shifted);
      words_[(at + done) / 32 + 1] |= static_cast<std::uint32_t>(shifted >> 32);
    }
  }

  /// `width` bits from bit `at` on, at most 32.
  std::uint32_t bits(unsigned at, unsigned width) const {
    const std::uint64_t two = words_[at / 32] | static_cast<std::uint64_t>(words_[at / 32 + 1]) << 32;
    return static_cast<std::uint32_t>(two >> at % 32 & ((std::uint64_t(1) << width) - 1));
  }

  /// The record or value whose lowest bit is at `at`.
  template <class Value>
  Value get(unsigned at) const {
    Value value;
    unsigned top = at + bits_of<Value>;
    each_value(value, [&](auto& field) {
      constexpr unsigned width = bits_of<std::decay_t<decltype(field)>>;
      top -= width;
      std::uint64_t bits = 0;
      for (unsigned done = 0; done < width; done += 32 - (top + done) % 32) {
        bits |= static_cast<std::uint64_t>(words_[(top + done) / 32] >> (top + done) % 32) << done;
      }
      field = width == 64 ? bits : bits & ((std::uint64_t(1) << width % 64) - 1);
    });
    return value;
  }

 private:
  std::vector<std::uint32_t> words_;
};

}  // namespace heddle
