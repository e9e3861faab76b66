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

  // What the five lowest bits of a line's number are exclusive-or'd with, where L1 is hashed: rtl/base/set_index.h.
  function automatic logic [LineBits-1:0] set_hash(input logic [LineBits-1:0] line, input int from);
    set_hash = '0;
    for (int b = 0; b < LineBits; b++) begin
      if (b == from || b == from + 1 || b == from + 2) set_hash = set_hash | (LineBits'(line[b]) << (b - from));
      if (b == from + 4 || b == from + 6) set_hash = set_hash | (LineBits'(line[b]) << ((b - from) / 2 + 1));
    end
  endfunction
endpackage
