// SPDX-License-Identifier: Apache-2.0
// What convergence barriers have beside the links of every control flow unit (rtl/convergence_barrier; SR sec. 2). Save,
// whose answer goes to a register too, no program asks for.
#pragma once

#include <algorithm>

#include "sim/sm/units/slice_side.h"

namespace heddle {

template <class Unit>
class slice_side<SmSide::Barriers, Unit> : public SliceSide {
  using Flow = typename Unit::Flow;
  static constexpr unsigned Warps = bits_of<decltype(Flow::Slots::left)>, Lanes = bits_of<typename Unit::Mask>;

 public:
  slice_side(const std::string& name, own_ports<Unit>& own, const DivergenceRow&)
      : targets_((name + "_targets").c_str(), Lanes), signals_((name + "_more").c_str()) {
    own.barrier_i(signals_.request), own.busy_i(signals_.busy), own.targets_i(targets_);
    own.answer_o(signals_.answer), own.release_o(signals_.release);
  }

  void drive(const SliceDrive<2>& drive) override {
    typename Unit::Request request;
    request.op = unsigned(drive.convergence.op);
    request.warp = drive.convergence.warp.index();
    request.index = drive.convergence.index;
    request.lanes = drive.convergence.lanes;
    request.source = drive.convergence.source;
    // A threshold that nobody passes fits; a larger one may not.
    request.value = drive.convergence.op == BarrierOp::Arrive ? std::min<isa::Lanes>(drive.convergence.value, Lanes)
                                                              : drive.convergence.value;
    signals_.request.write(request);
    signals_.busy.write(drive.busy);
  }
  void set_targets(const isa::LaneValues& targets) override {
    for (unsigned lane = 0; lane < Lanes; ++lane) targets_[lane].write(targets[lane]);
  }
  Arrived arrived() const override {
    const typename Unit::Answer answer = signals_.answer.read();
    return {answer.valid != 0, answer.passed != 0};
  }
  std::uint64_t releases() const override { return signals_.release.read().count; }

 private:
  struct Signals : sc_core::sc_module {
    sc_core::sc_signal<typename Unit::Request> request{"request"};
    sc_core::sc_signal<sc_dt::sc_uint<Warps>> busy{"busy"};
    sc_core::sc_signal<typename Unit::Answer> answer{"answer"};
    sc_core::sc_signal<typename Unit::Release> release{"barrier_release"};
    explicit Signals(const sc_core::sc_module_name& name) : sc_module(name) {}
  };
  sc_core::sc_vector<sc_core::sc_signal<typename Flow::Pc>> targets_;
  Signals signals_;
};

}  // namespace heddle
