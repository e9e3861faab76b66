// SPDX-License-Identifier: Apache-2.0
// Records of the warp-split table, as in warp_split_table.h. Included: Warps, Lanes, PcBits, Depth, Entries.
package warp_split_table_pkg;
  `include "warp_split_table_point.svh"
  parameter int Waiting = Entries - 2;
  parameter int BlockBits = 8;
  parameter int CountBits = $clog2(Depth + 1);
  parameter int SplitBits = $clog2(Entries + 1);
  parameter int IndexBits = Depth > 2 ? $clog2(Depth - 1) : 1;
  parameter int PathBits = PcBits + Lanes;
  parameter int EntryBits = PathBits + PcBits;
  parameter int QueueBits = Waiting * PathBits;
  parameter int PlaceBits = Waiting > 2 ? $clog2(Waiting) : 1;
  parameter int Evens = Depth / 2;  // even and odd levels beneath the TOS
  parameter int Odds = (Depth - 1) / 2;
  parameter int RowBits = Warps * Evens > 2 ? $clog2(Warps * Evens) : 1;  // of the even half
  parameter int OddBits = Warps * Odds > 2 ? $clog2(Warps * Odds) : 1;

  typedef struct packed {
    logic [PcBits-1:0] pc;
    logic [Lanes-1:0] mask;
    logic [PcBits-1:0] rpc;
  } Entry;

  typedef struct packed {
    logic [Warps-1:0] divided;
    logic [Warps-1:0] joined;
    logic [Warps-1:0] spilled;
  } SplitEvents;
endpackage
