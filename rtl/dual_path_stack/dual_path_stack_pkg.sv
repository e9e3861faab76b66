// SPDX-License-Identifier: Apache-2.0
// Records of the dual-path stack, as in dual_path_stack.h. Included: Warps, Lanes, PcBits, Depth, Forwarding, Deals.
package dual_path_stack_pkg;
  `include "dual_path_stack_point.svh"
  parameter int CountBits = $clog2(Depth + 1);
  parameter int IndexBits = Depth > 2 ? $clog2(Depth - 1) : 1;
  parameter int PathBits = PcBits + Lanes;
  parameter int EntryBits = 2 * PathBits + PcBits;
  parameter int Beneath = Depth - 1;  // entries beneath the TOS
  parameter int RowBits = Warps * Beneath > 2 ? $clog2(Warps * Beneath) : 1;  // of the memory beneath
  parameter int WaitingBits = PathBits + PcBits;
  parameter int LiftBits = 5 + IndexBits + 2 * PcBits + Lanes;

  typedef struct packed {
    logic [PcBits-1:0] pc_l;
    logic [Lanes-1:0] mask_l;
    logic [PcBits-1:0] pc_r;
    logic [Lanes-1:0] mask_r;
    logic [PcBits-1:0] rpc;
  } Entry;

  // With Forwarding: the path of an entry beneath that waits for the one above, and the path that came up.
  typedef struct packed {
    logic [PcBits-1:0] pc;
    logic [Lanes-1:0] mask;
    logic [PcBits-1:0] rpc;
  } Waiting;

  typedef struct packed {
    logic up;
    logic right;
    logic parked;
    logic call;
    logic loop;
    logic [IndexBits-1:0] level;
    logic [PcBits-1:0] rpc;
    logic [PcBits-1:0] target;
    logic [Lanes-1:0] taken;
  } Lift;
endpackage
