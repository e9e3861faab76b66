// The Verilated twin of rtl/warp_formation, behind the ports of the block.
#pragma once

#include <systemc>

#include "sim/twin/twin.h"

namespace heddle {

template <class F>
class warp_formation_twin : public sc_core::sc_module {
 public:
  using Commit = typename F::Commit;
  using Launch = typename F::Launch;
  using Release = typename F::Release;
  using Issued = typename F::Issued;
  using Status = typename F::Status;
  using Tid = typename F::Tid;
  using Pc = typename F::Pc;

  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_in<bool> rst_ni{"rst_ni"};
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

  SC_HAS_PROCESS(warp_formation_twin);
  /// \throws std::runtime_error if a port of the twin differs from the block's
  warp_formation_twin(const sc_core::sc_module_name& name, std::unique_ptr<Twin> loaded)
      : sc_module(name), twin_(std::move(loaded)) {
    SC_METHOD(evaluate);
    sensitive << clk_i.pos() << rst_ni << commit_i << launch_i << release_i << issued_ready_i;
    for (unsigned l = 0; l < F::Lanes; ++l) sensitive << commit_tid_i[l] << commit_pc_i[l];
  }

 private:
  std::unique_ptr<Twin> twin_;
  const Twin::Port clk_{twin_->input("clk_i", 1)}, rst_n_{twin_->input("rst_ni", 1)},
      commit_{twin_->input("commit_i", bits_of<Commit>)},
      commit_tid_{twin_->input("commit_tid_i", F::Lanes*bits_of<Tid>)},
      commit_pc_{twin_->input("commit_pc_i", F::Lanes*bits_of<Pc>)}, launch_{twin_->input("launch_i", bits_of<Launch>)},
      release_{twin_->input("release_i", bits_of<Release>)}, issued_ready_{twin_->input("issued_ready_i", 1)},
      commit_ready_{twin_->output("commit_ready_o", 1)}, launch_ready_{twin_->output("launch_ready_o", 1)},
      issued_{twin_->output("issued_o", bits_of<Issued>)},
      issued_tid_{twin_->output("issued_tid_o", F::Lanes*bits_of<Tid>)},
      status_{twin_->output("status_o", bits_of<Status>)}, idle_{twin_->output("idle_o", 1)};

  /// At an edge the inputs are those of the cycle that ends there. A clock may tell of its edges and never show a level
  /// (sim/sm/clock_gate.h).
  void evaluate() {
    rst_n_.write(rst_ni.read());
    commit_.write(commit_i.read());
    commit_tid_.template write_all<Tid>(commit_tid_i);
    commit_pc_.template write_all<Pc>(commit_pc_i);
    launch_.write(launch_i.read());
    release_.write(release_i.read());
    issued_ready_.write(issued_ready_i.read());
    clk_.write(false);
    twin_->evaluate();
    if (clk_i->posedge_event().triggered()) {
      clk_.write(true);
      twin_->evaluate();
    }
    commit_ready_o.write(commit_ready_.template read<bool>());
    launch_ready_o.write(launch_ready_.template read<bool>());
    issued_o.write(issued_.template read<Issued>());
    issued_tid_.template read_all<Tid>(issued_tid_o);
    status_o.write(status_.template read<Status>());
    idle_o.write(idle_.template read<bool>());
  }
};

}  // namespace heddle
