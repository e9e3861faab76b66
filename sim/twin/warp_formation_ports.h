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
};

}  // namespace heddle
