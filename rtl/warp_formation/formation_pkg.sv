// SPDX-License-Identifier: Apache-2.0
// Dynamic warp formation: records of formation.h. Included: Threads, Lanes, PcBits, Ctas, DataBits; and where a block
// asks for them Sets (PC-warp LUT), Slots and Policy (issue logic), LaneAware, Swizzle.
package formation_pkg;
  `include "formation_point.svh"
  parameter int Warps = Threads / Lanes;
  parameter int TidBits = Threads > 2 ? $clog2(Threads) : 1;
  parameter int IdxBits = TidBits;
  parameter int CtaBits = Ctas > 2 ? $clog2(Ctas) : 1;
  parameter int WarpBits = Warps > 2 ? $clog2(Warps) : 1;
  parameter int TurnBits = Lanes > 2 ? $clog2(Lanes) : 1;
  parameter int CountBits = $clog2(Threads + 1);

  // Policy
  parameter int Majority = 0;
  parameter int Minority = 1;
  parameter int TimeStamp = 2;
  parameter int PostDominatorPriority = 3;
  parameter int ProgramCounter = 4;

  // Widths of the records below
  parameter int CommitBits = Lanes + CtaBits + DataBits + 2;
  parameter int LaunchBits = Lanes + WarpBits + CtaBits + PcBits;
  parameter int UpdateBits = PcBits + Lanes + CtaBits + DataBits + 1;
  parameter int PlacementBits = 3 * Lanes + 2 * IdxBits + DataBits + TurnBits + 2;
  parameter int LutEntryBits = PcBits + Lanes + IdxBits + CtaBits + DataBits;
  parameter int ArrivingBits = $clog2(Lanes + 1);

  typedef struct packed {
    logic [Lanes-1:0] lanes;
    logic [CtaBits-1:0] cta;
    logic [DataBits-1:0] data;
    logic passed;
    logic waits;
  } Commit;

  typedef struct packed {
    logic [Lanes-1:0] threads;
    logic [WarpBits-1:0] warp;
    logic [CtaBits-1:0] cta;
    logic [PcBits-1:0] pc;
  } Launch;

  typedef struct packed {
    logic valid;
    logic [CtaBits-1:0] cta;
  } Release;

  typedef struct packed {
    logic [PcBits-1:0] pc;
    logic [Lanes-1:0] req;
    logic [CtaBits-1:0] cta;
    logic [DataBits-1:0] data;
    logic waits;
  } Update;

  typedef struct packed {
    logic [Lanes-1:0] merge;
    logic [IdxBits-1:0] merge_idx;
    logic [Lanes-1:0] lanes;
    logic [DataBits-1:0] data;
    logic [Lanes-1:0] open;
    logic [IdxBits-1:0] open_idx;
    logic [TurnBits-1:0] turn;
    logic hit;
    logic evict;
  } Placement;

  typedef struct packed {
    logic valid;
    logic [IdxBits-1:0] idx;
  } Issue;

  typedef struct packed {
    logic [IdxBits-1:0] first;
    logic [IdxBits-1:0] second;
    logic [CountBits-1:0] free;
  } Offer;

  typedef struct packed {
    logic [PcBits-1:0] pc;
    logic [CtaBits-1:0] cta;
  } PoolPc;

  typedef struct packed {
    logic [DataBits-1:0] data;
    logic [Lanes-1:0] lanes;
  } PoolWarp;

  typedef struct packed {
    logic [Lanes-1:0] lanes;
    logic [PcBits-1:0] pc;
    logic [CtaBits-1:0] cta;
    logic [DataBits-1:0] data;
  } Issued;

  typedef struct packed {
    logic [CountBits-1:0] used;
    logic [1:0] hit;
    logic [1:0] conflict;
    logic [1:0] evict;
    logic stall;
    logic drain;
  } Status;

  // An entry of the PC-warp LUT
  typedef struct packed {
    logic [PcBits-1:0] pc;
    logic [Lanes-1:0] occ;
    logic [IdxBits-1:0] idx;
    logic [CtaBits-1:0] cta;
    logic [DataBits-1:0] data;
  } LutEntry;
endpackage
