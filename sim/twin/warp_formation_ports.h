// SPDX-License-Identifier: Apache-2.0
// The ports of rtl/warp_formation, for block_or_twin.h.
#pragma once

#include <systemc>

#include <tuple>

namespace heddle {

template <class Block>
struct warp_formation_ports {
  static constexpr unsigned Lanes = Block::Lanes;
  decltype(Block::commit_i) commit_i{"commit_i"};
  decltype(Block::commit_tid_i) commit_tid_i{"commit_tid_i", Lanes};
  decltype(Block::commit_pc_i) commit_pc_i{"commit_pc_i", Lanes};
  decltype(Block::launch_i) launch_i{"launch_i"};
  decltype(Block::release_i) release_i{"release_i"};
  decltype(Block::issued_ready_i) issued_ready_i{"issued_ready_i"};
  decltype(Block::commit_ready_o) commit_ready_o{"commit_ready_o"};
  decltype(Block::launch_ready_o) launch_ready_o{"launch_ready_o"};
  decltype(Block::issued_o) issued_o{"issued_o"};
  decltype(Block::issued_tid_o) issued_tid_o{"issued_tid_o", Lanes};
  decltype(Block::status_o) status_o{"status_o"};
  decltype(Block::idle_o) idle_o{"idle_o"};

  auto inputs() { return std::tie(commit_i, commit_tid_i, commit_pc_i, launch_i, release_i, issued_ready_i); }
  auto outputs() { return std::tie(commit_ready_o, launch_ready_o, issued_o, issued_tid_o, status_o, idle_o); }
  template <class Core>
  void pass_to(Core& core) {
    core.commit_i(commit_i), core.commit_tid_i(commit_tid_i), core.commit_pc_i(commit_pc_i);
    core.launch_i(launch_i), core.release_i(release_i), core.issued_ready_i(issued_ready_i);
    core.commit_ready_o(commit_ready_o), core.launch_ready_o(launch_ready_o);
    core.issued_o(issued_o), core.issued_tid_o(issued_tid_o), core.status_o(status_o), core.idle_o(idle_o);
  }
  /// The first of the two warp update registers, under its own name.
  template <class Visit>
  static void each_part(Block& its, const Visit& visit) {
    auto& first = its.registers[0];
    visit(first, std::tie(first.warp_i, first.tid_i, first.pc_i, first.release_i),
          std::tie(first.rest_o, first.update_o, first.tid_o, first.idle_o));
    auto& lut = its.lut;
    visit(lut, std::tie(lut.update_i, lut.release_i, lut.offer_i, lut.issue_i),
          std::tie(lut.update_o, lut.place_o, lut.idle_o));
    auto& pool = its.pool;
    visit(pool, std::tie(pool.update_i, pool.tid_i, pool.place_i, pool.issue_i, pool.taken_i),
          std::tie(pool.issued_o, pool.issued_tid_o, pool.idle_o));
    auto& allocator = its.allocator;
    visit(allocator, std::tie(allocator.place_i, allocator.free_i), std::tie(allocator.offer_o));
    auto& issuer = its.issuer;
    visit(issuer, std::tie(issuer.update_i, issuer.place_i, issuer.release_i, issuer.departed_i, issuer.ready_i),
          std::tie(issuer.issue_o, issuer.drain_o, issuer.idle_o));
  }
};

}  // namespace heddle
