// SPDX-License-Identifier: Apache-2.0
// The issue slice of point tiny with netlists of gates in place of its stacks and scoreboards: a library that
// `heddle run --point tiny` loads from the folder that HEDDLE_SLICES names (area/synth/in_sm.py makes it). With
// HEDDLE_PORTS each netlist records its ports.
#include "Vdual_path_stack_tiny.h"
#include "Vscoreboard_tiny_baseline.h"
#include "Vscoreboard_tiny_shadow.h"
#include "Vsingle_path_stack_tiny.h"
#include "rtl/config/design_points.h"
#include "sim/sm/units/issue_slice_of.h"
#include "tb/bench/verilated_control_flow_unit.h"
#include "tb/scoreboard/verilated_scoreboard.h"

namespace heddle {

namespace {

/// Mechanisms of the SM with a netlist as control flow unit.
struct spe_in_gates {
  static constexpr DivergenceRow Row = mechanism::spe::Row;
  template <class P>
  using Unit = bench::verilated_control_flow_unit<mechanism::spe::Unit<P>, Vsingle_path_stack_tiny>;
};

struct dpe_in_gates {
  static constexpr DivergenceRow Row = mechanism::dpe::Row;
  template <class P>
  using Unit = bench::verilated_control_flow_unit<mechanism::dpe::Unit<P>, Vdual_path_stack_tiny>;
};

template <class Flow, unsigned Entries, bool Shadow>
using scoreboard_in_gates =
    bench::verilated_scoreboard<scoreboard_at_decode<Flow, Entries, Shadow>,
                                std::conditional_t<Shadow, Vscoreboard_tiny_shadow, Vscoreboard_tiny_baseline>>;

}  // namespace

}  // namespace heddle

extern "C" heddle::SliceFactory heddle_issue_slice;
heddle::IssueSlice<2>* heddle_issue_slice(const char* name, const heddle::Mechanism& mechanism,
                                          const sc_core::sc_signal<bool>& clk, const sc_core::sc_signal<bool>& rst_n) {
  using namespace heddle;
  return new slice_at_point<point::tiny, std::tuple<spe_in_gates, dpe_in_gates>, scoreboard_in_gates>(name, mechanism,
                                                                                                      clk, rst_n);
}
