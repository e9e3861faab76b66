// SPDX-License-Identifier: Apache-2.0
// Records of the warp scheduler, as in warp_scheduler.h. Included: Warps, Lanes, PcBits, and Paths: 1 or 2.
package warp_scheduler_pkg;
  `include "warp_scheduler_point.svh"
  parameter int WarpBits = Warps > 1 ? $clog2(Warps) : 1;
  parameter int TurnBits = WarpBits + Paths - 1;

  // The slot that is looked at first: the one after the last granted. Stored without `right` when there is one path.
  typedef struct packed {
    logic right;  // Side
    logic [WarpBits-1:0] warp;
  } Turn;
endpackage
