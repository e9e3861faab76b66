// SPDX-License-Identifier: Apache-2.0
// What always holds of a stack whose turns are pops alone: of what stack_turns.svh has. Included where properties stand.
pop_in_turn:       assert (32'(waited_q) < Warps);  // R7
all_wait_when_due: assert (all_due);
somebody_takes:    assert (\i_dut.g_formal.takes || \i_dut.g_formal.pop_bits == '0);
read_for_it:       assert (!my_turn || \i_dut.g_formal.word == row);
