// SPDX-License-Identifier: Apache-2.0
// The ports of the blocks of an issue slice, for block_or_twin.h.
#pragma once

#include <systemc>

#include <tuple>
#include <type_traits>

#include "rtl/base/control_flow.h"
#include "rtl/issue_slice/issue_slice.h"
#include "rtl/issue_slice/own_ports.h"

namespace heddle {

/// The ports of any control flow unit (rtl/base/control_flow.h), with those that only some have.
template <class Unit>
struct control_flow_ports : own_ports<Unit> {
  using Own = own_ports<Unit>;
  static constexpr unsigned Warps = bits_of<decltype(Unit::Flow::Slots::left)>;
  decltype(Unit::grant_i) grant_i{"grant_i"};
  decltype(Unit::held_i) held_i{"held_i"};
  decltype(Unit::resolve_i) resolve_i{"resolve_i"};
  decltype(Unit::left_o) left_o{"left_o", Warps}, right_o{"right_o", Warps};
  decltype(Unit::depth_o) depth_o{"depth_o", Warps};
  decltype(Unit::status_o) status_o{"status_o"};
  decltype(Unit::idle_o) idle_o{"idle_o"};

  auto inputs() { return std::tuple_cat(std::tie(grant_i, held_i, resolve_i), Own::inputs()); }
  auto outputs() { return std::tuple_cat(std::tie(left_o, right_o, depth_o, status_o, idle_o), Own::outputs()); }
  template <class Core>
  void pass_to(Core& core) {
    core.grant_i(grant_i), core.held_i(held_i), core.resolve_i(resolve_i);
    core.left_o(left_o), core.right_o(right_o), core.depth_o(depth_o);
    core.status_o(status_o), core.idle_o(idle_o);
    Own::pass_to(core);
  }
};

template <class Board>
struct scoreboard_ports {
  static constexpr unsigned Warps = Board::Warps;
  static constexpr bool HearsOfHeads = Board::HearsOfHeads;
  decltype(Board::head_left_i) head_left_i{"head_left_i", Warps}, head_right_i{"head_right_i", Warps};
  decltype(Board::grant_i) grant_i{"grant_i"};
  decltype(Board::decode_i) decode_i{"decode_i"};
  decltype(Board::flush_i) flush_i{"flush_i"};
  decltype(Board::release_i) release_i{"release_i"};
  decltype(Board::status_i) status_i{"status_i"};
  decltype(Board::hazard_o) hazard_o{"hazard_o", Warps};

  auto inputs() { return std::tie(head_left_i, head_right_i, grant_i, decode_i, flush_i, release_i, status_i); }
  auto outputs() { return std::tie(hazard_o); }
  template <class Core>
  void pass_to(Core& core) {
    core.head_left_i(head_left_i), core.head_right_i(head_right_i);
    core.grant_i(grant_i), core.decode_i(decode_i), core.flush_i(flush_i);
    core.release_i(release_i), core.status_i(status_i), core.hazard_o(hazard_o);
  }
};

template <class Scheduler>
struct scheduler_ports {
  decltype(Scheduler::ready_i) ready_i{"ready_i"};
  decltype(Scheduler::grant_o) grant_o{"grant_o"};

  auto inputs() { return std::tie(ready_i); }
  auto outputs() { return std::tie(grant_o); }
  template <class Core>
  void pass_to(Core& core) {
    core.ready_i(ready_i), core.grant_o(grant_o);
  }
};

/// What can be recorded of an issue slice besides.
struct slice_parts {
  template <class Slice, class Visit>
  static void each_part(Slice& its, const Visit& visit) {
    auto& buffer = its.buffer;
    visit(buffer, std::tie(buffer.push_i, buffer.word_i, buffer.pop_i, buffer.flush_i),
          std::tie(buffer.head_left_o, buffer.head_right_o, buffer.buffered_o));
    auto& gate = its.gate;
    visit(gate, std::tie(gate.eligible_i, gate.status_i, gate.hazard_i), std::tie(gate.ready_o));
    if constexpr (!std::is_same_v<decltype(its.rotation), no_rotation>) {
      auto& rotation = its.rotation.rotation;
      visit(rotation, std::tie(rotation.status_i, rotation.waiting_i, rotation.long_i),
            std::tie(rotation.visible_o, rotation.turned_o, rotation.idle_o));
    }
  }
};

}  // namespace heddle
