// Line locks: SystemVerilog twin of line_locks.h, which states the contract and the timing; rules R1-R7 in README.md.
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
  localparam int LockBits = line_locks_pkg::LockBits;
  localparam int Lockable = line_locks_pkg::Lockable;
  localparam int EntryBits = line_locks_pkg::EntryBits;
  localparam int LockedBits = line_locks_pkg::LockedBits;

  logic [Sets*Lockable*EntryBits-1:0] stored;  // all entries, k of set s at s * Lockable + k

  line_locks_pkg::LockEntry entry;
  line_locks_pkg::LockedLine its;
  line_locks_pkg::LockRefused refused_d;
  logic [LineBits-1:0] line;
  logic wants, locked, room, full, releases, locks, unlocks;
  int set, at, free_at, released_at;

  always_comb begin
    line = offer_i.region[lines_pkg::LineShift+:LineBits];
    wants = offer_i.valid && offer_i.data;
    {locked, room, full, releases, entry, its, locked_o} = '0;
    at = 0;
    free_at = 0;
    released_at = 0;

    // The line that is offered, and the one that is unlocked
    for (int k = 0; k < Lockable; k++) begin
      set = 32'(line) & (Sets - 1);
      entry = stored[(set*Lockable+k)*EntryBits+:EntryBits];
      if (entry.locks == '0) begin
        if (!room) free_at = set * Lockable + k;
        room = 1'b1;
      end else if (entry.tag == line[LineBits-1:SetBits]) begin
        locked = 1'b1;
        full = entry.locks == '1;
        at = set * Lockable + k;
      end
      set = 32'(unlock_i.line) & (Sets - 1);
      entry = stored[(set*Lockable+k)*EntryBits+:EntryBits];
      if (entry.locks != '0 && entry.tag == unlock_i.line[LineBits-1:SetBits]) begin
        releases = 1'b1;
        released_at = set * Lockable + k;
      end
    end
    grant_o = wants && (locked ? !full : room);  // R2, R4
    unlocks = unlock_i.valid && releases;
    refused_d.counter_full = wants && !grant_o && locked;
    refused_d.set_full = wants && !grant_o && !locked;

    // R6
    set = 32'(set_i) & (Sets - 1);
    for (int k = 0; k < Lockable; k++) begin
      entry = stored[(set*Lockable+k)*EntryBits+:EntryBits];
      its = '0;
      if (entry.locks != '0) begin
        its.valid = 1'b1;
        its.line = LineBits'(set);
        its.line[LineBits-1:SetBits] = entry.tag;
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
    assign more = locks && (locked ? at == e : free_at == e);
    assign less = unlocks && released_at == e;
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
