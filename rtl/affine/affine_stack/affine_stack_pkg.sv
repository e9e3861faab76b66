// SPDX-License-Identifier: Apache-2.0
// Records of the affine stack, as in affine_stack.h. Included: those of affine_pkg, PcBits, Depth, LaneDepth.
package affine_stack_pkg;
  `include "affine_stack_point.svh"
  parameter int CountBits = $clog2(Depth + 1);
  parameter int IndexBits = Depth > 2 ? $clog2(Depth - 1) : 1;
  parameter int LaneCountBits = $clog2(LaneDepth + 1);
  parameter int LaneIndexBits = LaneDepth > 1 ? $clog2(LaneDepth) : 1;
  parameter int LaneEvens = (LaneDepth + 1) / 2;  // even and odd levels of masks
  parameter int LaneOdds = LaneDepth / 2;
  parameter int EntryBits = 2 * PcBits + 2 * Warps;

  // PathOp
  parameter logic [2:0] OpNone = 3'd0;
  parameter logic [2:0] OpLaunch = 3'd1;
  parameter logic [2:0] OpAdvance = 3'd2;
  parameter logic [2:0] OpJump = 3'd3;
  parameter logic [2:0] OpBranch = 3'd4;
  parameter logic [2:0] OpExit = 3'd5;

  typedef struct packed {
    logic [2:0] op;
    logic [PcBits-1:0] target;
    logic [PcBits-1:0] rpc;
    logic [Warps-1:0] warps;
    logic [Warps-1:0] tail_warps;
    logic [Lanes-1:0] tail_lanes;
  } Request;

  typedef struct packed {
    logic valid;
    logic [Warps-1:0] warps;
    logic [Lanes-1:0] lanes;
  } Outcome;

  typedef struct packed {
    logic valid;
    logic open;
    logic [PcBits-1:0] pc;
    logic [Warps-1:0] warps;
  } Path;

  typedef struct packed {
    logic valid;
    logic [Warps-1:0] warps;
    logic [Lanes-1:0] lanes;
    logic last;
  } Group;

  typedef struct packed {
    logic branch;
    logic divergent;
    logic parted;
    logic pop;
    logic lanes;
  } Event;

  typedef struct packed {
    logic [PcBits-1:0] pc;
    logic [Warps-1:0] warps;
    logic [Warps-1:0] mixed;
    logic [PcBits-1:0] rpc;
  } Entry;
endpackage
