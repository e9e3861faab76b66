// SPDX-License-Identifier: Apache-2.0
// Records of the warp queues: warp_queues.h. Included: Warps, Lanes, WordBits, Depth and LineBytes.
package warp_queues_pkg;
  `include "warp_queues_point.svh"
  parameter int WarpBits = Warps > 2 ? $clog2(Warps) : 1;
  parameter int SlotBits = Depth > 2 ? $clog2(Depth) : 1;
  parameter int WordsBits = Warps * Depth > 2 ? $clog2(Warps * Depth) : 1;  // of the words of a memory
  parameter int LaneBits = Lanes > 2 ? $clog2(Lanes) : 1;
  parameter int RegionBits = WordBits - LaneBits;
  parameter int LineBits = WordBits - $clog2(LineBytes);
  parameter int RecordBits = 6 + RegionBits + 2 * Lanes;

  typedef struct packed {
    logic data;
    logic [1:0] size;
    logic [1:0] order;
    logic [RegionBits-1:0] region;
    logic [Lanes-1:0] mask;
    logic [Lanes-1:0] lanes;
    logic last;
  } AddressRecord;

  typedef struct packed {
    logic valid;
    logic [LineBits-1:0] line;
    logic [WarpBits-1:0] warp;
    logic [SlotBits-1:0] slot;
  } LineRequest;

  typedef struct packed {
    logic valid;
    logic [WarpBits-1:0] warp;
    logic [SlotBits-1:0] slot;
  } LineReply;

  typedef struct packed {
    logic valid;
    logic [WarpBits-1:0] warp;
  } WarpDequeue;
endpackage
