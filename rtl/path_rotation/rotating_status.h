// SPDX-License-Identifier: Apache-2.0
// What the rest of an issue slice sees of a control flow unit of two paths behind DPE's constrained scheduler (DPE sec.
// 3.3): of each warp the path that path_rotation shows, redirected when it has just come to be seen.
//
// What   status_i   Status  of the control flow unit
//        waiting_i  Slots   slots that wait at a CTA barrier
//        long_i     Slots   slots that met a long latency
//        shown_o    Status  valid and redirected of the visible slots; a hidden one is neither
//        idle_o             as path_rotation has it
// Time   shown_o follows status_i in the same cycle.
// Cost   path_rotation's.
#pragma once

#include "rtl/path_rotation/path_rotation.h"

namespace heddle {

template <class Flow>
class rotating_status : public sc_core::sc_module {
 public:
  using Slots = typename Flow::Slots;
  using Status = typename Flow::Status;
  using WarpSet = typename path_rotation<Flow>::WarpSet;

  sc_in<bool> clk_i{"clk_i"};
  sc_in<bool> rst_ni{"rst_ni"};
  sc_in<Status> status_i{"status_i"};
  sc_in<Slots> waiting_i{"waiting_i"};
  sc_in<Slots> long_i{"long_i"};
  sc_out<Status> shown_o{"shown_o"};
  sc_out<bool> idle_o{"idle_o"};

  path_rotation<Flow> rotation{"path_rotation"};

  SC_CTOR(rotating_status) {
    rotation.clk_i(clk_i), rotation.rst_ni(rst_ni);
    rotation.status_i(status_i), rotation.waiting_i(waiting_i), rotation.long_i(long_i);
    rotation.visible_o(visible), rotation.turned_o(turned), rotation.idle_o(idle_o);
    SC_METHOD(show);
    sensitive << status_i << visible << turned;
  }

 private:
  sc_signal<Slots> visible{"visible"};
  sc_signal<WarpSet> turned{"turned"};

  void show() {
    Status shown;
    const Status status = status_i.read();
    shown.valid_left = status.valid_left & visible.read().left;
    shown.valid_right = status.valid_right & visible.read().right;
    shown.redirected_left = (status.redirected_left | (status.valid_left & turned.read())) & visible.read().left;
    shown.redirected_right = (status.redirected_right | (status.valid_right & turned.read())) & visible.read().right;
    shown.lanes_moved = status.lanes_moved;
    shown_o.write(shown);
  }
};

}  // namespace heddle
