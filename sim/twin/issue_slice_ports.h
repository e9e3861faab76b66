// SPDX-License-Identifier: Apache-2.0
// The ports of an issue slice whose words are decoded instructions, for block_or_twin.h.
#pragma once

#include <systemc>

#include <tuple>

#include "rtl/issue_slice/own_ports.h"

namespace heddle {

/// Slice: an issue_slice OfWords that says its Unit, Warps and Words.
template <class Slice>
struct issue_slice_ports : own_ports<typename Slice::Unit> {
  using Own = own_ports<typename Slice::Unit>;
  static constexpr unsigned Warps = Slice::Warps;
  decltype(Slice::eligible_i) eligible_i{"eligible_i"};
  decltype(Slice::resolve_i) resolve_i{"resolve_i"};
  decltype(Slice::push_i) push_i{"push_i"};
  decltype(Slice::word_i) word_i{"word_i", Slice::Words};
  decltype(Slice::release_i) release_i{"release_i"};
  decltype(Slice::buffer_left_o) buffer_left_o{"buffer_left_o", Warps}, buffer_right_o{"buffer_right_o", Warps};
  decltype(Slice::grant_o) grant_o{"grant_o"};
  decltype(Slice::left_o) left_o{"left_o", Warps}, right_o{"right_o", Warps};
  decltype(Slice::depth_o) depth_o{"depth_o", Warps};
  decltype(Slice::status_o) status_o{"status_o"};
  decltype(Slice::hazard_o) hazard_o{"hazard_o", Warps};
  decltype(Slice::idle_o) idle_o{"idle_o"};

  auto inputs() { return std::tuple_cat(std::tie(eligible_i, resolve_i, push_i, word_i, release_i), Own::inputs()); }
  auto outputs() {
    return std::tuple_cat(
        std::tie(buffer_left_o, buffer_right_o, grant_o, left_o, right_o, depth_o, status_o, hazard_o, idle_o),
        Own::outputs());
  }
  template <class Core>
  void pass_to(Core& core) {
    core.eligible_i(eligible_i), core.resolve_i(resolve_i), core.push_i(push_i), core.word_i(word_i);
    core.release_i(release_i), core.buffer_left_o(buffer_left_o), core.buffer_right_o(buffer_right_o);
    core.grant_o(grant_o), core.left_o(left_o), core.right_o(right_o), core.depth_o(depth_o);
    core.status_o(status_o), core.hazard_o(hazard_o), core.idle_o(idle_o);
    Own::pass_to(core);
  }
};

}  // namespace heddle
