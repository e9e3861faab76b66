// SPDX-License-Identifier: Apache-2.0
// A Verilated control flow unit, twin or netlist, behind the ports of the block `Dut` (rtl/base/control_flow.h). Include
// the model's header before this.
#pragma once

#include <systemc>

#include "rtl/base/control_flow.h"
#include "tb/bench/port_recorder.h"
#include "tb/bench/verilated_port.h"

namespace heddle::bench {

template <class Dut, class Core>
struct verilated_control_flow_unit : sc_core::sc_module {
  using Flow = typename Dut::Flow;
  using Path = typename Flow::Path;
  using Count = typename Dut::Count;
  static constexpr unsigned Warps = bits_of<decltype(Flow::Slots::left)>;

  sc_core::sc_in<bool> clk_i{"clk_i"}, rst_ni{"rst_ni"};
  sc_core::sc_in<typename Flow::Grant> grant_i{"grant_i"};
  sc_core::sc_in<typename Flow::Slots> held_i{"held_i"};
  sc_core::sc_in<typename Flow::Resolve> resolve_i{"resolve_i"};
  sc_core::sc_vector<sc_core::sc_out<Path>> left_o{"left_o", Warps}, right_o{"right_o", Warps};
  sc_core::sc_vector<sc_core::sc_out<Count>> depth_o{"depth_o", Warps};
  sc_core::sc_out<typename Flow::Status> status_o{"status_o"};
  sc_core::sc_out<bool> idle_o{"idle_o"};
  VerilatedContext context;
  Core core{&context};
  PortRecorder recorder{name(), "rst_ni grant_i held_i resolve_i left_o right_o depth_o status_o idle_o"};

  SC_CTOR(verilated_control_flow_unit) {
    SC_METHOD(eval);
    sensitive << clk_i.pos() << rst_ni << grant_i << held_i << resolve_i;
  }

  /// A clock may tell of its edges and never show a level (sim/sm/links/clock_gate.h).
  void eval() {
    core.rst_ni = rst_ni.read();
    to_port(grant_i.read(), core.grant_i);
    to_port(held_i.read(), core.held_i);
    to_port(resolve_i.read(), core.resolve_i);
    core.eval();
    if (clk_i->posedge_event().triggered()) {
      recorder.edge(core.rst_ni, core.grant_i, core.held_i, core.resolve_i, core.left_o, core.right_o, core.depth_o,
                    core.status_o, core.idle_o);
      core.clk_i = 1;
      core.eval();
      core.clk_i = 0;
      core.eval();
    }
    array_from_port<Path>(core.left_o, left_o);
    array_from_port<Path>(core.right_o, right_o);
    array_from_port<Count>(core.depth_o, depth_o);
    status_o.write(from_port<typename Flow::Status>(core.status_o));
    idle_o.write(core.idle_o != 0);
  }
};

}  // namespace heddle::bench
