// SPDX-License-Identifier: Apache-2.0
// Records of the convergence barriers, as in barrier_operation.h and convergence_barrier.h, which explain them.
// Included: Warps, Lanes, PcBits, Barriers, Policy.
package convergence_barrier_pkg;
  `include "convergence_barrier_point.svh"
  parameter int WarpBits = Warps > 1 ? $clog2(Warps) : 1;
  parameter int LaneBits = Lanes > 1 ? $clog2(Lanes) : 1;
  parameter int BarrierBits = Barriers > 1 ? $clog2(Barriers) : 1;
  parameter int PathBits = PcBits + Lanes;
  parameter int ThreadsBits = 5 * Lanes;
  parameter int Patience = 4 * Lanes;  // R13
  parameter int SatBits = $clog2(Patience + 1);
  parameter int Fair = 4;  // R16
  parameter int FairBits = 2;

  // Picker
  parameter int Oldest = 0;
  parameter int Largest = 1;
  parameter int LowestPc = 2;
  parameter int RoundRobin = 3;
  parameter int Ages = Policy == Largest || Policy == LowestPc ? 1 : 0;
  parameter int Walks = Ages;  // looks at each group of a warp

  // What a settlement does with the warp in hand: nothing, or
  parameter logic [1:0] PhaseNone = 2'd0;
  parameter logic [1:0] PhaseClear = 2'd1;  // R11, R12: barriers
  parameter logic [1:0] PhaseLead = 2'd2;   // R15, R16: a lane
  parameter logic [1:0] PhaseGroup = 2'd3;  // R15: and who is with it

  typedef enum logic [3:0] {
    None = 4'd0, Join = 4'd1, Wait = 4'd2, Cancel = 4'd3, Yield = 4'd4, Sync = 4'd5, Save = 4'd6, Restore = 4'd7,
    Copy = 4'd8, Take = 4'd9, Arrive = 4'd10, Jump = 4'd11, Park = 4'd12, Open = 4'd13, Switch = 4'd14
  } BarrierOp;

  typedef struct packed {
    logic [3:0] op;  // BarrierOp
    logic [WarpBits-1:0] warp;
    logic [Lanes-1:0] lanes;
    logic [BarrierBits-1:0] index;
    logic [BarrierBits-1:0] source;
    logic [Lanes-1:0] value;
  } BarrierRequest;

  typedef struct packed {
    logic valid;
    logic [WarpBits-1:0] warp;
    logic [Lanes-1:0] value;
    logic passed;
  } BarrierAnswer;

  typedef struct packed {
    logic valid;
    logic [WarpBits-1:0] warp;
    logic [BarrierBits-1:0] index;
    logic [31:0] count;
  } BarrierRelease;

  typedef struct packed {
    logic valid;
    logic arrives;
    logic [WarpBits-1:0] warp;
    logic [Lanes-1:0] mask;
    logic [Lanes-1:0] threshold;
  } Asked;

  typedef struct packed {
    logic [Lanes-1:0] ready;
    logic [Lanes-1:0] blocked;
    logic [Lanes-1:0] yielded;
    logic [Lanes-1:0] synced;
    logic [Lanes-1:0] parked;
  } Threads;
endpackage
