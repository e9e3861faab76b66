// SPDX-License-Identifier: Apache-2.0
// Records of the scoreboard, as in scoreboard.h. Included: Warps, Lanes, PcBits, Entries, IdBits (RegisterId::Bits; less
// in proofs), Shadow: 1, or 0 for the baseline, and AtDecode: 1, or 0 where every head is compared in every cycle.
package scoreboard_pkg;
  `include "scoreboard_point.svh"
  parameter int WarpBits = Warps > 1 ? $clog2(Warps) : 1;
  parameter int Sets = 1 + Shadow;
  parameter int PerWarp = Sets * Entries;

  // Widths of Head, Hazard and Entry
  parameter int HeadBits = 5 * IdBits + 4;
  parameter int HazardBits = 6;
  parameter int EntryBits = IdBits + 3;
  parameter int TurnBits = 2 * (WarpBits + 2) + PerWarp + IdBits + 1;

  // How registers are named: RegisterId in scoreboard_query.h
  parameter logic [IdBits-1:0] NoRegister = '0;

  typedef struct packed {
    logic [IdBits-1:0] a;
    logic a_wide;
    logic [IdBits-1:0] b;
    logic b_wide;
    logic [IdBits-1:0] c;
    logic c_wide;
    logic [IdBits-1:0] guard;
    logic [IdBits-1:0] d;
    logic d_wide;
  } Head;

  typedef struct packed {
    logic own_left;
    logic shadow_left;
    logic full_left;
    logic own_right;
    logic shadow_right;
    logic full_right;
  } Hazard;

  typedef struct packed {
    logic valid;
    logic [WarpBits-1:0] warp;
    logic right;  // Side
    logic part;   // only for lanes that are on the other side now
    logic [IdBits-1:0] id;
  } Release;

  typedef struct packed {
    logic s;  // shadow: of interest to the other side too; zero in the baseline
    logic p;  // pending
    logic [IdBits-1:0] id;
    logic wide;
  } Entry;

  typedef struct packed {
    logic issued;
    logic [WarpBits-1:0] issued_warp;
    logic issued_right;  // Side
    logic decoded;
    logic [WarpBits-1:0] decoded_warp;
    logic decoded_right;
    logic [PerWarp-1:0] allocated;  // one bit, or none
    logic [IdBits-1:0] id;
    logic wide;
  } Turn;
endpackage
