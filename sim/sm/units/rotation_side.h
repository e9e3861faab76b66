// SPDX-License-Identifier: Apache-2.0
// A slice whose scheduler sees one path of a warp at a time (rtl/path_rotation; DPE sec. 3.3).
#pragma once

#include "sim/sm/units/slice_side.h"

namespace heddle {

template <class Unit>
class slice_side<SmSide::Rotation, Unit> : public SliceSide {
  using Slots = typename Unit::Flow::Slots;

 public:
  template <class Flow>
  using Rotation = rotating_status<Flow>;

  template <class Slice>
  slice_side(const std::string& name, Slice& slice, const DivergenceRow&) : signals_((name + "_more").c_str()) {
    slice.rotation.waiting_i(signals_.waiting), slice.rotation.long_i(signals_.long_latency);
    slice.rotation.idle_o(signals_.idle);
  }

  template <class Slice, class Status>
  static const auto& shown(const Slice& slice, const Status&) {
    return slice.shown;
  }

  void drive(const SliceDrive<2>& drive) override {
    signals_.waiting.write(slots_of<Slots>(drive.waiting));
    signals_.long_latency.write(slots_of<Slots>(drive.long_latency));
  }
  bool idle() const override { return signals_.idle.read(); }

 private:
  struct Signals : sc_core::sc_module {
    sc_core::sc_signal<Slots> waiting{"waiting"}, long_latency{"long_latency"};
    sc_core::sc_signal<bool> idle{"idle"};
    explicit Signals(const sc_core::sc_module_name& name) : sc_module(name) {}
  };
  Signals signals_;
};

}  // namespace heddle
