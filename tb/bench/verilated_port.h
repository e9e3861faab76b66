// A record on the port of a Verilated twin: a packed struct, first field on top; the host stores low bytes first.
// An array of records is a packed vector with element 0 at the bottom.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "rtl/base/record.h"

namespace heddle::bench {

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
    PortBits bits(8 * sizeof(Port));
    std::memcpy(bits.words_.data(), &port, sizeof(Port));
    return bits;
  }
  template <class Port>
  void copy_to(Port& port) const {
    static_assert(sizeof(Port) % 4 == 0 || sizeof(Port) < 4);
    std::memcpy(&port, words_.data(), sizeof(Port));
  }

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

template <class Value, class Port>
void to_port(const Value& value, Port& port) {
  PortBits bits(bits_of<Value>);
  bits.put(0, value);
  bits.copy_to(port);
}

template <class Value, class Port>
Value from_port(const Port& port) {
  return PortBits::of(port).template get<Value>(0);
}

/// Elements i of a container of ports or signals, onto one packed vector.
template <class Value, class Inputs, class Port>
void array_to_port(const Inputs& inputs, Port& port) {
  PortBits bits(bits_of<Value> * inputs.size());
  for (unsigned i = 0; i < inputs.size(); ++i) bits.put(i * bits_of<Value>, inputs[i].read());
  bits.copy_to(port);
}

template <class Value, class Port, class Outputs>
void array_from_port(const Port& port, Outputs& outputs) {
  const PortBits bits = PortBits::of(port);
  for (unsigned i = 0; i < outputs.size(); ++i) outputs[i].write(bits.template get<Value>(i * bits_of<Value>));
}

}  // namespace heddle::bench
