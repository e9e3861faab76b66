// SPDX-License-Identifier: Apache-2.0
// As issue_slice_at_point.cpp, but that twins may stand in place of control flow unit, scoreboard and warp scheduler: a
// library of its own, which is only compiled for a run that asks for one (heddle run --twin).
#include <tuple>

#include "sim/sm/units/issue_slice_of.h"
#include "sim/twin/block_or_twin.h"
#include "sim/twin/slice_ports.h"
#include "slice_point.h"

namespace {

/// With recordings of what stands between the blocks that may be twins.
template <class Slice>
struct recorded_slice : Slice {
  heddle::recorded_parts parts;
  recorded_slice(const sc_core::sc_module_name& name, const char* block, const heddle::Twins& twins)
      : Slice(name, block, twins) {
    parts.record<heddle::slice_parts>(static_cast<Slice&>(*this), twins);
  }
};

struct blocks_or_twins : heddle::just_blocks {
  static constexpr bool InOrder = false;
  template <class Board>
  using Scoreboard = heddle::block_or_twin<Board, heddle::scoreboard_ports>;
  template <class Unit, class Board, class Buffer, unsigned Paths, class Rotation>
  using Slice = recorded_slice<heddle::issue_slice<
      Unit, Board, Buffer, Paths, Rotation, false, heddle::block_or_twin<Unit, heddle::control_flow_ports>,
      heddle::block_or_twin<heddle::warp_scheduler<typename Unit::Flow, Paths>, heddle::scheduler_ports>>>;
  static std::tuple<const heddle::Twins&> of(const heddle::Mechanism& mechanism) { return {mechanism.twins}; }
};

}  // namespace

extern "C" heddle::SliceFactory heddle_issue_slice;
heddle::IssueSlice<2>* heddle_issue_slice(const char* name, const heddle::Mechanism& mechanism,
                                          const sc_core::sc_signal<bool>& clk, const sc_core::sc_signal<bool>& rst_n) {
  return new heddle::slice_at_point<heddle::slice_point, heddle::slice_mechanisms, heddle::scoreboard_each_cycle,
                                    blocks_or_twins>(name, mechanism, clk, rst_n);
}
