// SPDX-License-Identifier: Apache-2.0
// What always holds of a stack that stack_view.svh looks at. Included where properties stand.
depth_fits:        assert (32'(depth) <= Depth);
depth_and_lanes:   assert ((depth == '0) == (live == '0));
turn_of_who_waits: assert (turn_waits);

// ---- idle ----
idle_when: assert (idle == ({status.redirected_left, status.redirected_right, status.lanes_moved} == '0 &&
                            \i_dut.g_formal.pop_bits == '0));
if (!reset_q && was_idle_q && !granted_q.valid && asked_q.op == control_flow_pkg::None)
  idle_stays: assert (idle && status == was_status_q && mine == was_mine_q && depth == was_depth_q &&
                      live == was_live_q && \i_dut.g_formal.turn == was_turn_q);
