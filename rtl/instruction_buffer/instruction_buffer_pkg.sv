// SPDX-License-Identifier: Apache-2.0
// Records of the instruction buffers, as in instruction_buffer.h. Included: Warps, Lanes, PcBits, Depth, Width, WordBits,
// and Paths: 1 or 2.
package instruction_buffer_pkg;
  `include "instruction_buffer_point.svh"
  parameter int WarpBits = Warps > 1 ? $clog2(Warps) : 1;
  parameter int Slots = Warps * Paths;
  parameter int CountBits = $clog2(Depth + 1);
  parameter int PushBits = $clog2(Width + 1);
  parameter int HeadBits = CountBits + WordBits;

  typedef struct packed {
    logic [PushBits-1:0] count;
    logic [WarpBits-1:0] warp;
    logic right;  // Side
  } Push;

  typedef struct packed {
    logic [CountBits-1:0] count;
    logic [WordBits-1:0] word;
  } Head;
endpackage
