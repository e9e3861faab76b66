// SPDX-License-Identifier: Apache-2.0
// What a block's ports show at each edge of its clock goes to a recording (rtl/base/port_recording.h).
#pragma once

#include <systemc>

#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "rtl/base/port_recording.h"
#include "sim/twin/core_cycle.h"
#include "sim/twin/twins.h"

namespace heddle {

class recorded_ports : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"}, rst_ni{"rst_ni"};

  /// \param inputs, outputs  std::tie of ports and of vectors of them, bound, or that will be
  /// \throws std::runtime_error if the file cannot be written
  SC_HAS_PROCESS(recorded_ports);
  template <class Inputs, class Outputs>
  recorded_ports(const sc_core::sc_module_name& name, const Inputs& inputs, const Outputs& outputs,
                 const RecordingTo& to)
      : sc_module(name) {
    RecordedBlock of = to.of;
    add(of, rst_ni, false);
    std::apply([&](auto&... port) { (add(of, port, false), ...); }, inputs);
    std::apply([&](auto&... port) { (add(of, port, true), ...); }, outputs);
    writer_ = std::make_unique<RecordingWriter>(to.file, of);
    SC_METHOD(record);
    sensitive << clk_i.pos();
    dont_initialize();
  }

 private:
  template <class Port>
  using ValueOf = std::decay_t<decltype(std::declval<Port>().read())>;

  template <class Port>
  void add(RecordedBlock& of, Port& port, bool is_output) {
    of.ports.push_back({port.basename(), bits_of<ValueOf<Port>>, 1, is_output});
    look_at(port);
  }
  template <class Port>
  void add(RecordedBlock& of, sc_core::sc_vector<Port>& ports, bool is_output) {
    of.ports.push_back({ports.basename(), bits_of<ValueOf<Port>>, static_cast<unsigned>(ports.size()), is_output});
    for (Port& port : ports) look_at(port);
  }
  template <class Port>
  void look_at(Port& port) {
    looks_.push_back([this, &port, last = ValueOf<Port>(), element = elements_++]() mutable {
      if (port.read() == last) return;
      last = port.read();
      writer_->change(element, last);
    });
  }

  void record() {
    for (const auto& look : looks_) look();
    writer_->edge(core_cycle());
  }

  std::unique_ptr<RecordingWriter> writer_;
  std::vector<std::function<void()>> looks_;  // an element each
  unsigned elements_ = 0;
};

}  // namespace heddle
