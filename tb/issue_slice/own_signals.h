// SPDX-License-Identifier: Apache-2.0
// What only some units have beside the ports of all, as the bench drives it, compares it with the twin and looks at it.
#pragma once

#include "rtl/convergence_barrier/barrier_operation.h"
#include "rtl/issue_slice/own_ports.h"
#include "tb/bench/bench.h"
#include "tb/bench/verilated_port.h"

namespace heddle::bench {

/// Nothing, for most.
template <class Unit, class = void>
struct OwnSignals {
  static constexpr bool Subdivides = false, HasBarriers = false;
  template <class Block>
  void bind(Block&) {}
  void write() {}
  template <class Core>
  void drive(Core&) const {}
  template <class Core>
  void compare(Checker&, const Core&) const {}
};

/// A unit that subdivides (rtl/warp_split_table).
template <class Unit>
struct OwnSignals<Unit, typename if_there_is<typename Unit::SplitCount>::type> {
  using Grant = typename Unit::Grant;
  using SplitCount = typename Unit::SplitCount;
  using Events = typename Unit::Events;
  static constexpr bool Subdivides = true, HasBarriers = false;
  static constexpr unsigned Warps = bits_of<decltype(Unit::Slots::left)>, Threshold = 10;  ///< DWS10

  // The requests of a cycle
  unsigned length = 0;  ///< of the block behind the branch that is resolved
  Grant yield;

  unsigned splits(unsigned warp) const { return splits_[warp].read(); }
  Events events() const { return events_.read(); }

  template <class Block>
  void bind(Block& dut) {
    dut.block_i(length_), dut.threshold_i(threshold_), dut.yield_i(yield_);
    dut.splits_o(splits_), dut.events_o(events_);
  }

  void write() {
    length_.write(length);
    threshold_.write(Threshold);
    yield_.write(yield);
  }

  template <class Core>
  void drive(Core& twin) const {
    twin.block_i = length;
    twin.threshold_i = Threshold;
    to_port(yield, twin.yield_i);
  }

  template <class Core>
  void compare(Checker& check, const Core& twin) const {
    const PortBits bits = PortBits::of(twin.splits_o);
    for (unsigned w = 0; w < Warps; ++w)
      check.equal("splits_o of the twin", bits.template get<SplitCount>(w * bits_of<SplitCount>), splits_[w].read());
    check.equal("events_o of the twin", from_port<Events>(twin.events_o), events_.read());
  }

 private:
  sc_core::sc_signal<sc_dt::sc_uint<8>> length_{"length"}, threshold_{"threshold"};
  sc_core::sc_signal<Grant> yield_{"yield"};
  sc_core::sc_vector<sc_core::sc_signal<SplitCount>> splits_{"splits", Warps};
  sc_core::sc_signal<Events> events_{"events"};
};

/// Convergence barriers (rtl/convergence_barrier).
template <class Unit>
struct OwnSignals<Unit, typename if_there_is<typename Unit::Barrier>::type> {
  using Request = typename Unit::Request;
  using Release = typename Unit::Release;
  using Pc = typename Unit::Pc;
  static constexpr bool Subdivides = false, HasBarriers = true;
  static constexpr unsigned Warps = bits_of<decltype(Unit::Slots::left)>, Lanes = bits_of<typename Unit::Mask>,
                            Barriers = Unit::Barrier::BarrierCount;

  // The requests of a cycle
  Request request;
  std::uint64_t busy = 0;
  std::vector<std::uint64_t> targets = std::vector<std::uint64_t>(Lanes);

  BarrierOp op() const { return BarrierOp(unsigned(request.op)); }
  Release release() const { return release_.read(); }
  bool answers() const { return answer_.read().valid != 0; }

  template <class Block>
  void bind(Block& dut) {
    dut.barrier_i(request_), dut.targets_i(targets_), dut.busy_i(busy_);
    dut.answer_o(answer_), dut.release_o(release_);
  }

  void write() {
    request_.write(request);
    busy_.write(busy);
    for (unsigned l = 0; l < Lanes; ++l) targets_[l].write(targets[l]);
  }

  template <class Core>
  void drive(Core& twin) const {
    to_port(request, twin.barrier_i);
    array_to_port<Pc>(targets_, twin.targets_i);
    twin.busy_i = busy;
  }

  template <class Core>
  void compare(Checker& check, const Core& twin) const {
    check.equal("answer_o of the twin", from_port<typename Unit::Answer>(twin.answer_o), answer_.read());
    check.equal("release_o of the twin", from_port<Release>(twin.release_o), release_.read());
  }

 private:
  sc_core::sc_signal<Request> request_{"request"};
  sc_core::sc_vector<sc_core::sc_signal<Pc>> targets_{"targets", Lanes};
  sc_core::sc_signal<sc_dt::sc_uint<Warps>> busy_{"busy"};
  sc_core::sc_signal<typename Unit::Answer> answer_{"answer"};
  sc_core::sc_signal<Release> release_{"release_by_unit"};
};

}  // namespace heddle::bench
