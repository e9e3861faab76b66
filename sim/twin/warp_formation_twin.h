// The Verilated twin of rtl/warp_formation, behind the ports of the block.
#pragma once

#include <systemc>

#include <memory>
#include <utility>

#include "sim/twin/twin_module.h"

namespace heddle {

template <class F>
class warp_formation_twin : public twin_module {
 public:
  using Commit = typename F::Commit;
  using Launch = typename F::Launch;
  using Release = typename F::Release;
  using Issued = typename F::Issued;
  using Status = typename F::Status;
  using Tid = typename F::Tid;
  using Pc = typename F::Pc;

  sc_core::sc_in<Commit> commit_i{"commit_i"};
  sc_core::sc_vector<sc_core::sc_in<Tid>> commit_tid_i{"commit_tid_i", F::Lanes};
  sc_core::sc_vector<sc_core::sc_in<Pc>> commit_pc_i{"commit_pc_i", F::Lanes};
  sc_core::sc_in<Launch> launch_i{"launch_i"};
  sc_core::sc_in<Release> release_i{"release_i"};
  sc_core::sc_in<bool> issued_ready_i{"issued_ready_i"};
  sc_core::sc_out<bool> commit_ready_o{"commit_ready_o"};
  sc_core::sc_out<bool> launch_ready_o{"launch_ready_o"};
  sc_core::sc_out<Issued> issued_o{"issued_o"};
  sc_core::sc_vector<sc_core::sc_out<Tid>> issued_tid_o{"issued_tid_o", F::Lanes};
  sc_core::sc_out<Status> status_o{"status_o"};
  sc_core::sc_out<bool> idle_o{"idle_o"};

  warp_formation_twin(const sc_core::sc_module_name& name, std::unique_ptr<Twin> twin)
      : twin_module(name, std::move(twin)) {
    takes(commit_i, commit_tid_i, commit_pc_i, launch_i, release_i, issued_ready_i);
    gives(commit_ready_o, launch_ready_o, issued_o, issued_tid_o, status_o, idle_o);
  }
};

}  // namespace heddle
