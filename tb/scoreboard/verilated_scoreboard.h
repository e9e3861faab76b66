// SPDX-License-Identifier: Apache-2.0
// A Verilated scoreboard, twin or netlist, behind the ports of the block `Dut`. Include the model's header before this.
#pragma once

#include <systemc>

#include "tb/bench/port_recorder.h"
#include "tb/bench/verilated_port.h"

namespace heddle::bench {

template <class Dut, class Core>
struct verilated_scoreboard : sc_core::sc_module {
  static constexpr bool HearsOfHeads = Dut::HearsOfHeads;
  using Head = typename Dut::Head;
  using Hazard = typename Dut::Hazard;

  sc_core::sc_in<bool> clk_i{"clk_i"}, rst_ni{"rst_ni"};
  sc_core::sc_vector<sc_core::sc_in<Head>> head_left_i{"head_left_i", Dut::Warps},
      head_right_i{"head_right_i", Dut::Warps};
  sc_core::sc_in<typename Dut::Grant> grant_i{"grant_i"}, decode_i{"decode_i"};
  sc_core::sc_in<typename Dut::Slots> flush_i{"flush_i"};
  sc_core::sc_in<typename Dut::Release> release_i{"release_i"};
  sc_core::sc_in<typename Dut::Status> status_i{"status_i"};
  sc_core::sc_vector<sc_core::sc_out<Hazard>> hazard_o{"hazard_o", Dut::Warps};
  VerilatedContext context;
  Core core{&context};
  PortRecorder recorder{name(), "rst_ni head_left_i head_right_i grant_i decode_i flush_i release_i status_i hazard_o"};

  SC_CTOR(verilated_scoreboard) {
    SC_METHOD(eval);
    sensitive << clk_i.pos() << rst_ni << grant_i << decode_i << flush_i << release_i << status_i;
    for (unsigned w = 0; w < Dut::Warps; ++w) sensitive << head_left_i[w] << head_right_i[w];
  }

  /// A clock may tell of its edges and never show a level (sim/sm/links/clock_gate.h).
  void eval() {
    core.rst_ni = rst_ni.read();
    array_to_port<Head>(head_left_i, core.head_left_i);
    array_to_port<Head>(head_right_i, core.head_right_i);
    to_port(grant_i.read(), core.grant_i);
    to_port(decode_i.read(), core.decode_i);
    to_port(flush_i.read(), core.flush_i);
    to_port(release_i.read(), core.release_i);
    to_port(status_i.read(), core.status_i);
    core.eval();
    if (clk_i->posedge_event().triggered()) {
      recorder.edge(core.rst_ni, core.head_left_i, core.head_right_i, core.grant_i, core.decode_i, core.flush_i,
                    core.release_i, core.status_i, core.hazard_o);
      core.clk_i = 1;
      core.eval();
      core.clk_i = 0;
      core.eval();
    }
    array_from_port<Hazard>(core.hazard_o, hazard_o);
  }
};

}  // namespace heddle::bench
