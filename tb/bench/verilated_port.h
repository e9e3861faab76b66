// SPDX-License-Identifier: Apache-2.0
// Records and arrays of them on the ports of a Verilated twin.
#pragma once

#include "rtl/base/port_bits.h"

namespace heddle::bench {

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
