// SPDX-License-Identifier: Apache-2.0
// Line locks: SystemVerilog twin of line_locks.h, which states the contract and the timing; rules R1-R8 in README.md.
// Locked line k is at the bottom plus k times its width.
module line_locks (
  input  logic clk_i,
  input  logic rst_ni,
  /* verilator lint_off UNUSEDSIGNAL */  // of an address record only the line matters here
  input  affine_pkg::AddressOffer offer_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic taken_i,
  input  lines_pkg::Unlock unlock_i,
  input  logic [line_locks_pkg::IndexBits-1:0] set_i,
  output logic grant_o,
  output logic [line_locks_pkg::Lockable*line_locks_pkg::LockedBits-1:0] locked_o,
  output line_locks_pkg::LockRefused refused_o,
  output logic idle_o
);
  localparam int Sets = line_locks_pkg::Sets;
  localparam int SetBits = line_locks_pkg::SetBits;
  localparam int LineBits = line_locks_pkg::LineBits;
  localparam logic [LineBits-1:0] SetMask = ~({LineBits{1'b1}} << SetBits);
  localparam int LockBits = line_locks_pkg::LockBits;
  localparam int Lockable = line_locks_pkg::Lockable;
  localparam int EntryBits = line_locks_pkg::EntryBits;
  localparam int LockedBits = line_locks_pkg::LockedBits;

  logic [Sets*Lockable*EntryBits-1:0] stored;  // all entries, k of set s at s * Lockable + k

  line_locks_pkg::LockedLine its;
  line_locks_pkg::LockRefused refused_d;
  logic [LineBits-1:0] line;
  logic wants, locked, room, full, releases, locks, unlocks;
  logic [Lockable-1:0] at, free_at, released_at;  // the way, a bit each
  int set, released_set, asked_set;
  assign line = offer_i.region[lines_pkg::LineShift+:LineBits];
  assign set = set_of(line);
  assign released_set = set_of(unlock_i.line);
  assign asked_set = 32'(set_i) & (Sets - 1);

  // R8
  function automatic int set_of(input logic [LineBits-1:0] its_line);
    logic [LineBits-1:0] index;
    index = its_line;
    if (line_locks_pkg::HashFrom != 0) index = its_line ^ lines_pkg::set_hash(its_line, line_locks_pkg::HashFrom);
    index = index & SetMask;
    set_of = 32'(index);
  endfunction

  // The entries of the three sets that are looked at: each a choice among as many words as there are sets.
  logic [Lockable*EntryBits-1:0] offered, released, asked;
  always_comb begin
    {offered, released, asked} = '0;
    for (int s = 0; s < Sets; s++) begin
      if (set == s) offered = offered | stored[s*Lockable*EntryBits+:Lockable*EntryBits];
      if (released_set == s) released = released | stored[s*Lockable*EntryBits+:Lockable*EntryBits];
      if (asked_set == s) asked = asked | stored[s*Lockable*EntryBits+:Lockable*EntryBits];
    end
  end

  line_locks_pkg::LockEntry entry;
  always_comb begin
    wants = offer_i.valid && offer_i.data;
    {locked, room, full, releases, entry, its, locked_o} = '0;
    {at, free_at, released_at} = '0;

    // The line that is offered, and the one that is unlocked
    for (int k = 0; k < Lockable; k++) begin
      entry = offered[k*EntryBits+:EntryBits];
      if (entry.locks == '0) begin
        free_at[k] = !room;
        room = 1'b1;
      end else if (entry.tag == line[LineBits-1:SetBits]) begin
        locked = 1'b1;
        full = entry.locks == '1;
        at[k] = 1'b1;
      end
      entry = released[k*EntryBits+:EntryBits];
      if (entry.locks != '0 && entry.tag == unlock_i.line[LineBits-1:SetBits]) begin
        releases = 1'b1;
        released_at[k] = 1'b1;
      end
    end
    grant_o = wants && (locked ? !full : room);  // R2, R4
    unlocks = unlock_i.valid && releases;
    refused_d.counter_full = wants && !grant_o && locked;
    refused_d.set_full = wants && !grant_o && !locked;

    // R6
    for (int k = 0; k < Lockable; k++) begin
      entry = asked[k*EntryBits+:EntryBits];
      its = '0;
      if (entry.locks != '0) begin
        its.valid = 1'b1;
        // The hash is of bits above those that it changes.
        its.line = LineBits'(asked_set);
        its.line[LineBits-1:SetBits] = entry.tag;
        its.line = (its.line & ~SetMask) | LineBits'(set_of(its.line));
      end
      locked_o[k*LockedBits+:LockedBits] = its;
    end
  end

  // Apart from the rest: grant_o does not depend on taken_i, which follows it.
  assign locks = taken_i && grant_o;

  for (genvar e = 0; e < Sets * Lockable; e++) begin : g_entry
    logic [EntryBits-1:0] entry_q, entry_d;
    logic more, less;
    assign stored[e*EntryBits+:EntryBits] = entry_q;
    assign more = locks && set == e / Lockable && (locked ? at[e%Lockable] : free_at[e%Lockable]);
    assign less = unlocks && released_set == e / Lockable && released_at[e%Lockable];
    always_comb begin  // R1, R5
      entry_d = entry_q;
      if (more) entry_d[EntryBits-1:LockBits] = line[LineBits-1:SetBits];
      entry_d[LockBits-1:0] = entry_q[LockBits-1:0] + LockBits'(more) - LockBits'(less);
    end

    // Registers
    always_ff @(posedge clk_i) begin
      entry_q <= rst_ni ? entry_d : '0;
    end
  end
  always_ff @(posedge clk_i) begin
    refused_o <= rst_ni ? refused_d : '0;
    idle_o <= !rst_ni || refused_d == '0;
  end

  // R7
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      illegal: assert ((!unlock_i.valid || releases) && (!taken_i || (offer_i.valid && (!offer_i.data || grant_o))));
    end
  end
endmodule
