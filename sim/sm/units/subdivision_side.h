// SPDX-License-Identifier: Apache-2.0
// What dynamic warp subdivision has beside the links of every control flow unit (rtl/warp_split_table; DPE sec. 2.2).
#pragma once

#include <algorithm>

#include "sim/sm/units/slice_side.h"

namespace heddle {

template <class Unit>
class slice_side<SmSide::Subdivision, Unit> : public SliceSide {
  static constexpr unsigned Warps = bits_of<decltype(Unit::Slots::left)>;
  using Grant = typename Unit::Flow::Grant;

 public:
  slice_side(const std::string& name, own_ports<Unit>& own, const DivergenceRow& row)
      : signals_((name + "_more").c_str()) {
    signals_.threshold.write(row.subdivides);
    own.block_i(signals_.block), own.threshold_i(signals_.threshold), own.yield_i(signals_.yield);
    own.splits_o(signals_.splits), own.events_o(signals_.events);
  }

  void drive(const SliceDrive<2>& drive) override {
    signals_.block.write(std::min(drive.resolve.block, 255U));
    Grant yield;
    yield.valid = drive.yield.valid;
    yield.warp = drive.yield.warp.index();
    yield.right = drive.yield.k;
    signals_.yield.write(yield);
  }
  unsigned paths(SliceWarp warp, unsigned) const override {
    return static_cast<unsigned>(signals_.splits[warp.index()].read());
  }

 private:
  struct Signals : sc_core::sc_module {
    sc_core::sc_signal<BlockLength> block{"block"}, threshold{"threshold"};
    sc_core::sc_signal<Grant> yield{"yield"};
    sc_core::sc_vector<sc_core::sc_signal<typename Unit::SplitCount>> splits{"splits", Warps};
    sc_core::sc_signal<typename Unit::Events> events{"events"};
    explicit Signals(const sc_core::sc_module_name& name) : sc_module(name) {}
  };
  Signals signals_;
};

}  // namespace heddle
