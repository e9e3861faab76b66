// SPDX-License-Identifier: Apache-2.0
// What the twins of the stacks share, as stack_kit.h for the blocks: the slot that a resolve names, sums of PCs, and the
// turns of pops. Functions take plain vectors: Yosys 0.23 takes no records there. Included: Warps, Lanes, PcBits.
package stack_kit_pkg;
  `include "control_flow_point.svh"
  parameter int WarpBits = Warps > 1 ? $clog2(Warps) : 1;

  // The path that a resolve names. R10: `there` says that it has the lanes named and does not issue in this edge.
  typedef struct packed {
    logic [PcBits-1:0] pc;
    logic [PcBits-1:0] fall;
    logic [Lanes-1:0] mask;
    logic [Lanes-1:0] rest;  // without the lanes named
    logic there;
  } Slot;

  // a + 1 == b, without an adder: the sum is right where the carry into each bit is that of a right sum beneath it.
  function automatic logic follows(input logic [PcBits-1:0] a, input logic [PcBits-1:0] b);
    follows = (a ^ b) == {a[PcBits-2:0] & ~b[PcBits-2:0], 1'b1};
  endfunction

  // a + 1, with a carry of log2 steps: the ones from the bottom on.
  function automatic logic [PcBits-1:0] after(input logic [PcBits-1:0] a);
    logic [PcBits-1:0] ones;
    ones = a;
    for (int s = 1; s < PcBits; s = 2 * s) ones = ones & ~(~ones << s);
    after = a ^ {ones[PcBits-2:0], 1'b1};
  endfunction

  // The row of a warp's level in a memory with so many rows of each warp. The lowest one is from a table: a product is deep.
  function automatic int row_of(input logic [WarpBits-1:0] warp, input int level, input int rows);
    int lowest;
    lowest = 0;
    row_of = 0;
    for (int w = 0; w < Warps; w++) begin
      if (32'(warp) == w) row_of = lowest;
      lowest = lowest + rows;
    end
    row_of = row_of + level;
  endfunction

  // In the order of turns, whether a comes before b, from the warp after `turn` on.
  function automatic logic comes_before(input logic [WarpBits-1:0] a, input logic [WarpBits-1:0] b,
                                        input logic [WarpBits-1:0] turn);
    comes_before = {a <= turn, a} < {b <= turn, b};
  endfunction

  // In that order the first warp of these: its bit alone.
  function automatic logic [Warps-1:0] first_from(input logic [Warps-1:0] warps, input logic [WarpBits-1:0] turn);
    logic [Warps-1:0] later;
    later = '0;
    for (int w = 0; w < Warps; w++) later[w] = warps[w] && w > 32'(turn);
    first_from = later != '0 ? later : warps;
    for (int s = 1; s < Warps; s = 2 * s) first_from = first_from | (first_from << s);
    first_from = first_from & ~(first_from << 1);
  endfunction

  // R7: who takes the next turn, {the resolved, the granted, the first in line}, of those that are ready for it.
  function automatic logic [2:0] next_turn(
      input logic resolve_ready, input logic [WarpBits-1:0] resolve_warp, input logic grant_ready,
      input logic [WarpBits-1:0] grant_warp, input logic line_ready, input logic [WarpBits-1:0] line_warp,
      input logic [WarpBits-1:0] turn);
    logic by_resolve, by_grant;
    by_resolve = resolve_ready && (!line_ready || comes_before(resolve_warp, line_warp, turn)) &&
                 !(grant_ready && comes_before(grant_warp, resolve_warp, turn));
    by_grant = grant_ready && (!line_ready || comes_before(grant_warp, line_warp, turn)) && !by_resolve;
    next_turn = {by_resolve, by_grant, line_ready && !by_resolve && !by_grant};
  endfunction
endpackage
