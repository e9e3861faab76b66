// SPDX-License-Identifier: Apache-2.0
// A block beside a twin, with the same inputs: at each edge both must show the same outputs. The first port that differs
// is an error that says what the block shows there.
#pragma once

#include <systemc>

#include <fmt/format.h>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/twin/core_cycle.h"

namespace heddle {

/// Ports: as block_or_twin.h has them.
template <class Block, template <class> class Ports>
class beside_block : public sc_core::sc_module, private Ports<Block> {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"}, rst_ni{"rst_ni"};

  /// \param twin  whose ports are bound, or will be
  SC_HAS_PROCESS(beside_block);
  beside_block(const sc_core::sc_module_name& name, Ports<Block>& twin) : sc_module(name) {
    bind_inputs(twin, std::make_index_sequence<std::tuple_size_v<decltype(twin.inputs())>>());
    bind_outputs(twin, std::make_index_sequence<std::tuple_size_v<decltype(twin.outputs())>>());
    block_.clk_i(clk_i), block_.rst_ni(rst_ni);
    Ports<Block>::pass_to(block_);
    SC_METHOD(compare);
    sensitive << clk_i.pos();
    dont_initialize();
  }

 private:
  template <std::size_t... I>
  void bind_inputs(Ports<Block>& twin, std::index_sequence<I...>) {
    auto own = Ports<Block>::inputs();
    auto its = twin.inputs();
    (std::get<I>(own)(std::get<I>(its)), ...);
  }
  template <std::size_t... I>
  void bind_outputs(Ports<Block>& twin, std::index_sequence<I...>) {
    auto own = Ports<Block>::outputs();
    auto its = twin.outputs();
    (bind_output(std::get<I>(own), std::get<I>(its)), ...);
  }
  template <class T>
  void bind_output(sc_core::sc_out<T>& own, sc_core::sc_out<T>& its) {
    auto shown = std::make_shared<sc_core::sc_signal<T>>(sc_core::sc_gen_unique_name("shown"));
    own(*shown);
    looks_.push_back(
        [this, shown, &its, name = std::string(its.basename())] { look(name, shown->read(), its.read()); });
  }
  template <class T>
  void bind_output(sc_core::sc_vector<sc_core::sc_out<T>>& own, sc_core::sc_vector<sc_core::sc_out<T>>& its) {
    auto shown =
        std::make_shared<sc_core::sc_vector<sc_core::sc_signal<T>>>(sc_core::sc_gen_unique_name("shown"), its.size());
    own(*shown);
    looks_.push_back([this, shown, &its, name = std::string(its.basename())] {
      for (unsigned i = 0; i < its.size(); ++i) look(fmt::format("{}[{}]", name, i), (*shown)[i].read(), its[i].read());
    });
  }

  /// \throws sc_report, by SystemC
  template <class T>
  void look(const std::string& port, const T& block, const T& twin) {
    if (block == twin) return;
    std::ostringstream text;
    text << "in cycle " << core_cycle() << " " << port << " is " << twin << "; the block of Heddle shows " << block;
    SC_REPORT_ERROR((std::string(get_parent_object()->basename()) + "/differs").c_str(), text.str().c_str());
  }

  /// What both show of the cycle that an edge ends; before the reset it means nothing.
  void compare() {
    if (!rst_ni.read()) return;
    for (const auto& look : looks_) look();
  }

  Block block_{"block"};
  std::vector<std::function<void()>> looks_;  // a port each
};

}  // namespace heddle
