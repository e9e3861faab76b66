// SPDX-License-Identifier: Apache-2.0
// Records of the line locks: line_locks.h. Included: WordBits, LineBytes, Sets, Ways, LockBits, and
// HashFrom: the lowest bit of a line's number that is hashed into its set; 0: none.
package line_locks_pkg;
  `include "line_locks_point.svh"
  parameter int LineBits = WordBits - $clog2(LineBytes);
  parameter int SetBits = $clog2(Sets);
  parameter int IndexBits = SetBits > 0 ? SetBits : 1;
  parameter int TagBits = LineBits - SetBits;
  parameter int Lockable = Ways - 1;
  parameter int EntryBits = TagBits + LockBits;
  parameter int LockedBits = 1 + LineBits;

  typedef struct packed {
    logic [TagBits-1:0] tag;
    logic [LockBits-1:0] locks;
  } LockEntry;

  typedef struct packed {
    logic valid;
    logic [LineBits-1:0] line;
  } LockedLine;

  typedef struct packed {
    logic set_full;
    logic counter_full;
  } LockRefused;
endpackage
