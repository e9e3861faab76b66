// SPDX-License-Identifier: Apache-2.0
// What the twins of stacks of pairs share, as pair_kit.h for the blocks: an entry of two paths and the RPC of both (DPE
// sec. 3.1). Functions take plain vectors: Yosys 0.23 takes no records there. Included: Warps, Lanes, PcBits.
package pair_kit_pkg;
  `include "control_flow_point.svh"
  parameter int PathBits = PcBits + Lanes;
  parameter int EntryBits = 2 * PathBits + PcBits;

  typedef struct packed {
    logic [PcBits-1:0] pc_l;
    logic [Lanes-1:0] mask_l;
    logic [PcBits-1:0] pc_r;
    logic [Lanes-1:0] mask_r;
    logic [PcBits-1:0] rpc;
  } Entry;

  // R6: an entry whose paths are blank where they are not there.
  function automatic logic [EntryBits-1:0] settled(input logic left_there, input logic [EntryBits-1:0] entry,
                                                   input logic right_there);
    settled = {left_there ? entry[EntryBits-1 -: PathBits] : '0, right_there ? entry[PcBits +: PathBits] : '0,
               entry[PcBits-1:0]};
  endfunction

  // R12: whether a call, or a branch of some lanes, goes to NoPc where no call leads back; `rpc` is that of the slot's
  // own entry, `meet` that of the branch.
  function automatic logic goes_nowhere(
      input logic [PcBits-1:0] target, input logic calls, input logic [PcBits-1:0] rpc, input logic taken_none,
      input logic [PcBits-1:0] meet, input logic taken_all);
    goes_nowhere = target == control_flow_pkg::NoPc &&
                   (calls || (!taken_none && (rpc != control_flow_pkg::NoPc ||
                                              (!taken_all && meet != control_flow_pkg::NoPc))));
  endfunction
endpackage
