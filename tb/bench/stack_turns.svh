// SPDX-License-Identifier: Apache-2.0
// Turns of a stack whose turns are pops alone (all but the one with path forwarding): stack_pops.svh asserts what they
// are. Included behind stack_view.svh.
logic due, all_due;         // any warp waits where a pop is due, and nowhere else
logic [EntryBits-1:0] row;  // of the memory, that this turn needs
logic [7:0] waited_q;       // cycles that the warp waits for its turn

always_comb begin
  all_due = 1'b1;
  for (int w = 0; w < Warps; w++) begin
    due = 32'(depths[w*CountBits +: CountBits]) > 1 && !status.valid_left[w] && !status.valid_right[w];
    if (due != \i_dut.g_formal.pop_bits [w]) all_due = 1'b0;
  end
  row = '0;
  for (int k = 0; k < Depth - 1; k++) if (32'(depth) == k + 2) row = mine[(k + 1)*EntryBits +: EntryBits];
end

always_ff @(posedge clk_i) waited_q <= rst_ni && pop && !my_turn ? waited_q + 8'd1 : '0;
