// SPDX-License-Identifier: Apache-2.0
// Records of the issue slice, as in decoded_word.h. Included: the parameters of all its blocks, and Unit, the control
// flow unit.
package issue_slice_pkg;
  `include "issue_slice_point.svh"
  parameter int Single = 0;      // single_path_stack
  parameter int Dual = 1;        // dual_path_stack
  parameter int Splits = 2;      // warp_split_table
  parameter int Barrier = 3;     // convergence_barrier
  parameter int Forwarding = 4;  // forwarding_stack
  parameter int PathBits = PcBits + Lanes;
  parameter int OperationBits = WordBits - 5 * IdBits - 5;

  // A decoded instruction as it is buffered. From `a` on it is what the scoreboard reads.
  typedef struct packed {
    logic [OperationBits-1:0] operation;  // for who executes it: nothing here looks at it
    logic control;  // a branch, an exit or a call: the path waits at it for its resolve
    logic [IdBits-1:0] a;
    logic a_wide;
    logic [IdBits-1:0] b;
    logic b_wide;
    logic [IdBits-1:0] c;
    logic c_wide;
    logic [IdBits-1:0] guard;
    logic [IdBits-1:0] d;
    logic d_wide;
  } Word;
endpackage
