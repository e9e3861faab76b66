// SPDX-License-Identifier: Apache-2.0
// Decoupled affine computation, the way to L1: lines.h. Included: Lanes, WordBits and LineBytes.
package lines_pkg;
  `include "lines_point.svh"
  parameter int ByteBits = $clog2(LineBytes);
  parameter int LineBits = WordBits - ByteBits;
  parameter int LineShift = ByteBits - (Lanes > 2 ? $clog2(Lanes) : 1);  // of a region, to its line

  typedef struct packed {
    logic valid;
    logic [LineBits-1:0] line;
  } Unlock;
endpackage
