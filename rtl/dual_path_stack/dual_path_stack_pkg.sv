// Entry of the dual-path stack, as in dual_path_stack.h. Included: Warps, Lanes, PcBits, Depth.
package dual_path_stack_pkg;
  `include "dual_path_stack_point.svh"
  parameter int CountBits = $clog2(Depth + 1);
  parameter int IndexBits = Depth > 2 ? $clog2(Depth - 1) : 1;
  parameter int PathBits = PcBits + Lanes;
  parameter int EntryBits = 2 * PathBits + PcBits;

  typedef struct packed {
    logic [PcBits-1:0] pc_l;
    logic [Lanes-1:0] mask_l;
    logic [PcBits-1:0] pc_r;
    logic [Lanes-1:0] mask_r;
    logic [PcBits-1:0] rpc;
  } Entry;
endpackage
