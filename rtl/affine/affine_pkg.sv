// SPDX-License-Identifier: Apache-2.0
// Decoupled affine computation: records of affine.h. Included: Warps, Lanes, Ctas, WordBits, and what a block asks for
// besides.
package affine_pkg;
  `include "affine_point.svh"
  parameter int WarpBits = Warps > 2 ? $clog2(Warps) : 1;
  parameter int LaneBits = Lanes > 2 ? $clog2(Lanes) : 1;
  parameter int CtaBits = Ctas > 2 ? $clog2(Ctas) : 1;
  parameter int ThreadBits = $clog2(Warps * Lanes + 1);
  parameter int RegionBits = WordBits - LaneBits;
  parameter int CountBits = LaneBits + 1;  // of lanes

  // TupleKind
  parameter logic [2:0] KindNone = 3'd0;
  parameter logic [2:0] KindData = 3'd1;
  parameter logic [2:0] KindAddress = 3'd2;
  parameter logic [2:0] KindPredicate = 3'd3;
  parameter logic [2:0] KindBarrier = 3'd4;

  // Compare
  parameter logic [3:0] CompareEq = 4'd0;
  parameter logic [3:0] CompareNe = 4'd1;
  parameter logic [3:0] CompareLt = 4'd2;
  parameter logic [3:0] CompareLe = 4'd3;
  parameter logic [3:0] CompareGt = 4'd4;
  parameter logic [3:0] CompareGe = 4'd5;
  parameter logic [3:0] CompareLo = 4'd6;
  parameter logic [3:0] CompareLs = 4'd7;
  parameter logic [3:0] CompareHi = 4'd8;
  parameter logic [3:0] CompareHs = 4'd9;

  // AccessSize
  parameter logic [1:0] SizeByte = 2'd0;
  parameter logic [1:0] SizeHalf = 2'd1;
  parameter logic [1:0] SizeWord = 2'd2;

  // LaneOrder
  parameter logic [1:0] OrderUp = 2'd0;
  parameter logic [1:0] OrderDown = 2'd1;
  parameter logic [1:0] OrderSame = 2'd2;

  // BatchOp
  parameter logic [1:0] BatchNone = 2'd0;
  parameter logic [1:0] BatchOpen = 2'd1;
  parameter logic [1:0] BatchJoin = 2'd2;

  // Widths of the records below
  parameter int EnqueueBits = 9 + 11 * WordBits + Warps + Lanes;
  parameter int CtaRecordBits = WarpBits + 3 * WordBits;
  parameter int WalkBits = WarpBits + LaneBits + 3 * ThreadBits;
  parameter int ProductBits = 2 * WordBits + 1;

  typedef struct packed {
    logic [2:0] kind;
    logic [1:0] size;
    logic [3:0] compare;
    logic [WordBits-1:0] base;
    logic [WordBits-1:0] offset_x;
    logic [WordBits-1:0] offset_y;
    logic [WordBits-1:0] offset_z;
    logic [WordBits-1:0] block_x;
    logic [WordBits-1:0] block_y;
    logic [WordBits-1:0] block_z;
    logic [WordBits-1:0] scalar;
    logic [WordBits-1:0] scalar_block_x;
    logic [WordBits-1:0] scalar_block_y;
    logic [WordBits-1:0] scalar_block_z;
    logic [Warps-1:0] warps;
    logic [Lanes-1:0] lanes;
  } Enqueue;

  typedef struct packed {
    logic [WarpBits-1:0] first_warp;
    logic [WordBits-1:0] index_x;
    logic [WordBits-1:0] index_y;
    logic [WordBits-1:0] index_z;
  } Cta;

  typedef struct packed {
    logic [ThreadBits-1:0] row;
    logic [ThreadBits-1:0] rows;
    logic [ThreadBits-1:0] plane;
    logic [ThreadBits-1:0] threads;
  } Shape;

  typedef struct packed {
    logic [1:0] op;
    logic [CtaBits-1:0] cta;
    logic [WarpBits-1:0] first_warp;
    logic [WordBits-1:0] index_x;
    logic [WordBits-1:0] index_y;
    logic [WordBits-1:0] index_z;
    logic [ThreadBits-1:0] row;
    logic [ThreadBits-1:0] rows;
    logic [ThreadBits-1:0] plane;
    logic [ThreadBits-1:0] threads;
  } Batch;

  typedef struct packed {
    logic valid;
    logic [CtaBits-1:0] cta;
  } Pop;

  typedef struct packed {
    logic valid;
    logic data;
    logic [WarpBits-1:0] warp;
    logic [1:0] size;
    logic [1:0] order;
    logic [RegionBits-1:0] region;
    logic [Lanes-1:0] mask;
    logic [Lanes-1:0] lanes;
    logic last;
  } AddressOffer;

  typedef struct packed {
    logic valid;
    logic [WarpBits-1:0] warp;
    logic [Lanes-1:0] mask;
  } PredicateOffer;

  typedef struct packed {
    logic start;
    logic adjust;
    logic skip;
    logic region;
    logic thread;
    logic refuse;
    logic leave;
  } AddressEvent;

  typedef struct packed {
    logic start;
    logic adjust;
    logic skip;
    logic scalar;
    logic pair;
    logic lanes;
    logic unordered;
    logic steps;
    logic wraps;
    logic differs;
    logic taken;
    logic refuse;
    logic leave;
  } PredicateEvent;

  typedef struct packed {
    logic valid;
    logic [3:0] compare;
    logic [WordBits-1:0] base;
    logic [WordBits-1:0] offset;
    logic [WordBits-1:0] scalar;
    logic [LaneBits-1:0] first;
    logic [CountBits-1:0] count;
  } LaneCompare;

  typedef struct packed {
    logic valid;
    logic [Lanes-1:0] mask;
  } LaneReply;

  typedef struct packed {
    logic [WarpBits-1:0] warp;
    logic [LaneBits-1:0] lane;
    logic [ThreadBits-1:0] row_left;
    logic [ThreadBits-1:0] plane_left;
    logic [ThreadBits-1:0] cta_left;
  } Walk;

  typedef struct packed {
    logic [WordBits-1:0] term;
    logic [WordBits-1:0] factor;
    logic carry;
  } Product;

  // Booth's digits, as in affine.h: of two bits of a factor and the carry, what is added or, if the upper bit is set,
  // taken away.
  function automatic logic [WordBits-1:0] digit_of(input logic [WordBits-1:0] term, input logic [1:0] bits,
                                                   input logic carry);
    digit_of = bits[0] != carry ? term : bits[0] == bits[1] ? '0 : term << 1;
  endfunction
  // A Product, after that digit.
  function automatic logic [ProductBits-1:0] product_on(
      input logic [WordBits-1:0] term, input logic [WordBits-1:0] factor);
    product_on = {term << 2, factor >> 2, factor[1]};
  endfunction

  // The lanes below `count`.
  function automatic logic [Lanes-1:0] lanes_below(input logic [CountBits-1:0] count);
    for (int l = 0; l < Lanes; l++) lanes_below[l] = CountBits'(l) < count;
  endfunction

  // The first of `others` after the CTA `at`, in turn; without others it stays.
  function automatic logic [CtaBits-1:0] next_cta(input logic [Ctas-1:0] others, input logic [CtaBits-1:0] at);
    logic [CtaBits-1:0] at_cta;
    next_cta = at;
    for (int c = Ctas - 1; c > 0; c--) begin
      at_cta = CtaBits'(32'(at) + c < Ctas ? 32'(at) + c : 32'(at) + c - Ctas);
      if (others[at_cta]) next_cta = at_cta;
    end
  endfunction

  // The walk over the threads of a CTA, as in affine.h. On plain vectors: Yosys takes no records in functions.
  function automatic logic [ThreadBits-1:0] walk_run(
      input logic [LaneBits-1:0] lane, input logic [ThreadBits-1:0] row_left, input logic [ThreadBits-1:0] plane_left,
      input logic [ThreadBits-1:0] cta_left, input logic by_row, input logic by_plane);
    walk_run = ThreadBits'(Lanes) - ThreadBits'(lane);
    if (cta_left < walk_run) walk_run = cta_left;
    if (by_row && row_left < walk_run) walk_run = row_left;
    if (by_plane && plane_left < walk_run) walk_run = plane_left;
  endfunction

  // Threads of the walk's warp: all lanes, but in the last warp of a CTA.
  function automatic logic [CountBits-1:0] walk_existing(
      input logic [LaneBits-1:0] lane, input logic [ThreadBits-1:0] cta_left);
    walk_existing = CountBits'(Lanes);
    if (cta_left < ThreadBits'(Lanes) - ThreadBits'(lane)) walk_existing = CountBits'(lane) + CountBits'(cta_left);
  endfunction

  // A Walk. Lanes is a power of two: where warp and lane stand side by side, a full warp carries into the next.
  function automatic logic [WalkBits-1:0] walk_on(
      input logic [WarpBits-1:0] warp, input logic [LaneBits-1:0] lane, input logic [ThreadBits-1:0] row_left,
      input logic [ThreadBits-1:0] plane_left, input logic [ThreadBits-1:0] cta_left,
      input logic [ThreadBits-1:0] count, input logic by_row, input logic by_plane);
    walk_on = {{warp, lane} + (WarpBits+LaneBits)'(count), by_row ? row_left - count : row_left,
               by_plane ? plane_left - count : plane_left, cta_left - count};
  endfunction
endpackage
