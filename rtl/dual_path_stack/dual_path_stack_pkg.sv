// SPDX-License-Identifier: Apache-2.0
// Records of the dual-path stack, as in dual_path_stack.h. Included: Warps, Lanes, PcBits, Depth, MemorySplits.
package dual_path_stack_pkg;
  `include "dual_path_stack_point.svh"
  parameter int CountBits = $clog2(Depth + 1);
  parameter int IndexBits = Depth > 2 ? $clog2(Depth - 1) : 1;
  parameter int PathBits = PcBits + Lanes;
  parameter int EntryBits = 2 * PathBits + PcBits;
  parameter int Beneath = Depth - 1;  // entries beneath the TOS
  parameter int RowBits = Warps * Beneath > 2 ? $clog2(Warps * Beneath) : 1;  // of the memory beneath
endpackage
