// SPDX-License-Identifier: Apache-2.0
// Records of the dual-path stack with path forwarding, as in forwarding_stack.h. Included: Warps, Lanes, PcBits, Depth.
package forwarding_stack_pkg;
  `include "forwarding_stack_point.svh"
  parameter int CountBits = $clog2(Depth + 1);
  parameter int IndexBits = Depth > 2 ? $clog2(Depth - 1) : 1;
  parameter int PathBits = PcBits + Lanes;
  parameter int EntryBits = 2 * PathBits + PcBits;
  parameter int Beneath = Depth - 1;  // entries beneath the TOS
  parameter int RowBits = Warps * Beneath > 2 ? $clog2(Warps * Beneath) : 1;  // of each memory beneath
  parameter int WaitingBits = PathBits + PcBits;
  parameter int ForwardedBits = 5 + IndexBits + 2 * PcBits + Lanes;

  // The path of an entry beneath that waits for the one above
  typedef struct packed {
    logic [PcBits-1:0] pc;
    logic [Lanes-1:0] mask;
    logic [PcBits-1:0] rpc;
  } Waiting;

  // The path that came up
  typedef struct packed {
    logic up;
    logic right;
    logic deferred;
    logic call;
    logic loop;
    logic [IndexBits-1:0] level;
    logic [PcBits-1:0] rpc;
    logic [PcBits-1:0] target;
    logic [Lanes-1:0] taken;
  } Forwarded;
endpackage
