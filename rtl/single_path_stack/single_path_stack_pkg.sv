// SPDX-License-Identifier: Apache-2.0
// Entry of the single-path stack, as in single_path_stack.h. Included: Warps, Lanes, PcBits, Depth.
package single_path_stack_pkg;
  `include "single_path_stack_point.svh"
  parameter int CountBits = $clog2(Depth + 1);
  parameter int IndexBits = Depth > 2 ? $clog2(Depth - 1) : 1;
  parameter int PathBits = PcBits + Lanes;
  parameter int EntryBits = PathBits + PcBits;
  parameter int Evens = Depth / 2;  // even and odd levels beneath the TOS
  parameter int Odds = (Depth - 1) / 2;
  parameter int RowBits = Warps * Evens > 2 ? $clog2(Warps * Evens) : 1;  // of the even half
  parameter int OddBits = Warps * Odds > 2 ? $clog2(Warps * Odds) : 1;

  typedef struct packed {
    logic [PcBits-1:0] pc;
    logic [Lanes-1:0] mask;
    logic [PcBits-1:0] rpc;
  } Entry;
endpackage
