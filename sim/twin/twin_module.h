// SPDX-License-Identifier: Apache-2.0
// A module whose ports are those of a block and whose logic is the block's Verilated twin. Who derives from it declares
// the ports, under the block's names, and says which they are: takes(..) and gives(..).
#pragma once

#include <systemc>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/twin/twin.h"

namespace heddle {

class twin_module : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_in<bool> rst_ni{"rst_ni"};

 protected:
  SC_HAS_PROCESS(twin_module);
  /// \throws std::runtime_error if a port of the twin differs from the block's; so do takes() and gives()
  twin_module(const sc_core::sc_module_name& name, std::unique_ptr<Twin> twin)
      : sc_module(name), twin_(std::move(twin)), clk_(twin_->input("clk_i", 1)) {
    take(rst_ni);
  }

  template <class... Inputs>
  void takes(Inputs&... inputs) {
    (take(inputs), ...);
  }
  template <class... Outputs>
  void gives(Outputs&... outputs) {
    (give(outputs), ...);
  }

 private:
  template <class T>
  void take(sc_core::sc_in<T>& input) {
    const Twin::Port port = twin_->input(input.basename(), bits_of<T>);
    write_.push_back([port, &input] { port.write(input.read()); });
    look_at_.push_back([this, &input] { sensitive << input; });
  }
  template <class T>
  void take(sc_core::sc_vector<sc_core::sc_in<T>>& inputs) {
    const Twin::Port port = twin_->input(inputs.basename(), bits_of<T> * static_cast<unsigned>(inputs.size()));
    write_.push_back([port, &inputs] { port.write_all<T>(inputs); });
    look_at_.push_back([this, &inputs] {
      for (const auto& input : inputs) sensitive << input;
    });
  }
  template <class T>
  void give(sc_core::sc_out<T>& output) {
    const Twin::Port port = twin_->output(output.basename(), bits_of<T>);
    read_.push_back([port, &output] { output.write(port.read<T>()); });
  }
  template <class T>
  void give(sc_core::sc_vector<sc_core::sc_out<T>>& outputs) {
    const Twin::Port port = twin_->output(outputs.basename(), bits_of<T> * static_cast<unsigned>(outputs.size()));
    read_.push_back([port, &outputs] { port.read_all<T>(outputs); });
  }

  /// Not in the constructor: one that is refused for a port leaves no process behind.
  void before_end_of_elaboration() override {
    SC_METHOD(evaluate);
    sensitive << clk_i.pos();
    for (const auto& look : look_at_) look();
  }

  /// At an edge the inputs are those of the cycle that ends there. A clock may tell of its edges and never show a level
  /// (sim/sm/links/clock_gate.h).
  void evaluate() {
    for (const auto& write : write_) write();
    clk_.write(false);
    settle();
    if (clk_i->posedge_event().triggered()) {
      clk_.write(true);
      settle();
    }
    for (const auto& read : read_) read();
  }

  /// What the twin refuses is reported as blocks report it.
  void settle() {
    try {
      twin_->evaluate();
    } catch (const TwinStopped& stopped) {
      SC_REPORT_ERROR((std::string("twin/") + stopped.label).c_str(), stopped.what());
    }
  }

  const std::unique_ptr<Twin> twin_;
  const Twin::Port clk_;
  std::vector<std::function<void()>> write_, read_;  // a port each, to the twin and from it
  std::vector<std::function<void()>> look_at_;       // inputs
};

}  // namespace heddle
