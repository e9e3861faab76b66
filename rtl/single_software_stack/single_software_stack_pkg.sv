// SPDX-License-Identifier: Apache-2.0
// Records of the software-managed single-path stack, as in single_software_stack.h. Included: Warps, Lanes, PcBits, Depth.
package single_software_stack_pkg;
  `include "single_software_stack_point.svh"
  parameter int CountBits = $clog2(Depth + 1);
  parameter int IndexBits = Depth > 2 ? $clog2(Depth - 1) : 1;
  parameter int PathBits = PcBits + Lanes;
  parameter int EntryBits = PathBits + 1;
  parameter int Beneath = Depth - 1;  // entries beneath the TOS
  parameter int RowBits = Warps * Beneath > 2 ? $clog2(Warps * Beneath) : 1;  // of the memory beneath

  typedef struct packed {
    logic [PcBits-1:0] pc;
    logic [Lanes-1:0] mask;
    logic pushed;  // by the program, not by a branch
  } Entry;
endpackage
