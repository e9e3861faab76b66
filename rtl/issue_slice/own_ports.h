// SPDX-License-Identifier: Apache-2.0
// What only some control flow units have beside the ports of all (rtl/base/control_flow.h), as ports of the slice.
#pragma once

#include <systemc>

#include <tuple>

#include "rtl/base/record.h"

namespace heddle {

/// Void, if there is such a type. (Of std::void_t, clang takes two specialisations for one.)
template <class>
struct if_there_is {
  using type = void;
};

/// Nothing, for most.
template <class Unit, class = void>
struct own_ports {
  std::tuple<> inputs() { return {}; }
  std::tuple<> outputs() { return {}; }
  template <class Core>
  void pass_to(Core& unit) {
    (void)unit;
  }
};

/// A unit that subdivides (rtl/warp_split_table).
template <class Unit>
struct own_ports<Unit, typename if_there_is<typename Unit::SplitCount>::type> {
  static constexpr unsigned Warps = bits_of<decltype(Unit::Slots::left)>;
  decltype(Unit::block_i) block_i{"block_i"};
  decltype(Unit::threshold_i) threshold_i{"threshold_i"};
  decltype(Unit::yield_i) yield_i{"yield_i"};
  decltype(Unit::splits_o) splits_o{"splits_o", Warps};
  decltype(Unit::events_o) events_o{"events_o"};

  auto inputs() { return std::tie(block_i, threshold_i, yield_i); }
  auto outputs() { return std::tie(splits_o, events_o); }
  /// \param unit  a Unit, or what has its ports
  template <class Core>
  void pass_to(Core& unit) {
    unit.block_i(block_i), unit.threshold_i(threshold_i), unit.yield_i(yield_i);
    unit.splits_o(splits_o), unit.events_o(events_o);
  }
};

/// Convergence barriers (rtl/convergence_barrier).
template <class Unit>
struct own_ports<Unit, typename if_there_is<typename Unit::Barrier>::type> {
  static constexpr unsigned Lanes = bits_of<typename Unit::Mask>;
  decltype(Unit::barrier_i) barrier_i{"barrier_i"};
  decltype(Unit::targets_i) targets_i{"targets_i", Lanes};
  decltype(Unit::busy_i) busy_i{"busy_i"};
  decltype(Unit::answer_o) answer_o{"answer_o"};
  decltype(Unit::release_o) release_o{"release_o"};

  auto inputs() { return std::tie(barrier_i, targets_i, busy_i); }
  auto outputs() { return std::tie(answer_o, release_o); }
  template <class Core>
  void pass_to(Core& unit) {
    unit.barrier_i(barrier_i), unit.targets_i(targets_i), unit.busy_i(busy_i);
    unit.answer_o(answer_o), unit.release_o(release_o);
  }
};

}  // namespace heddle
