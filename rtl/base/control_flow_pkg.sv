// SPDX-License-Identifier: Apache-2.0
// Records of the control flow units' ports, as in control_flow.h, which explains them. Included: Warps, Lanes, PcBits.
package control_flow_pkg;
  `include "control_flow_point.svh"
  parameter int WarpBits = Warps > 1 ? $clog2(Warps) : 1;
  parameter logic [PcBits-1:0] NoPc = {PcBits{1'b1}};  // Yosys 0.23 reads '1 here as 1

  typedef enum logic [2:0] {
    None = 3'd0, Launch = 3'd1, Branch = 3'd2, Exit = 3'd3, Call = 3'd4, MemorySplit = 3'd5, Push = 3'd6,
    Pop = 3'd7
  } ResolveOp;

  typedef struct packed {
    logic valid;
    logic [WarpBits-1:0] warp;
    logic right;
  } Grant;

  typedef struct packed {
    logic [Warps-1:0] left;
    logic [Warps-1:0] right;
  } Slots;

  typedef struct packed {
    logic [2:0] op;  // ResolveOp
    logic [WarpBits-1:0] warp;
    logic right;
    logic [Lanes-1:0] lanes;
    logic [PcBits-1:0] target;
    logic [PcBits-1:0] rpc;
  } Resolve;

  typedef struct packed {
    logic [PcBits-1:0] pc;
    logic [Lanes-1:0] mask;
  } Path;

  typedef struct packed {
    logic [Warps-1:0] valid_left;
    logic [Warps-1:0] valid_right;
    logic [Warps-1:0] redirected_left;
    logic [Warps-1:0] redirected_right;
    logic [Warps-1:0] lanes_moved;
  } Status;
endpackage
