// SPDX-License-Identifier: Apache-2.0
// Warp allocator: SystemVerilog twin of warp_allocator.h, which states the contract; rules R1-R5 in README.md.
// Formal = 1 adds g_formal, a view of the whole list that warp_allocator_props reads; nothing else changes.
module warp_allocator #(
  parameter int Formal = 0
) (
  input  logic clk_i,
  input  logic rst_ni,
  /* verilator lint_off UNUSEDSIGNAL */  // of a placement, only whether it opens a warp matters here
  input  logic [2*formation_pkg::PlacementBits-1:0] place_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  formation_pkg::Issue free_i,
  output formation_pkg::Offer offer_o
);
  localparam int Threads = formation_pkg::Threads;
  localparam int IdxBits = formation_pkg::IdxBits;
  localparam int CountBits = formation_pkg::CountBits;
  localparam int PlacementBits = formation_pkg::PlacementBits;

  logic [IdxBits-1:0] list_q [Threads];
  logic [IdxBits-1:0] head_q, head_d, tail_q, tail_d, behind;
  logic [IdxBits-1:0] first_word_q, second_word_q;  // at head_q and behind it
  logic [CountBits-1:0] free_q, free_d, take;
  logic round_q, round_d, legal, freed;
  /* verilator lint_off UNUSEDSIGNAL */
  formation_pkg::Placement first, second;
  /* verilator lint_on UNUSEDSIGNAL */

  function automatic logic [IdxBits-1:0] after(input logic [IdxBits-1:0] at);
    after = 32'(at) == Threads - 1 ? '0 : at + 1'b1;
  endfunction

  always_comb begin
    first = place_i[0+:PlacementBits];
    second = place_i[PlacementBits+:PlacementBits];
    take = '0;
    if (first.open != '0) take = take + 1'b1;
    if (second.open != '0) take = take + 1'b1;
    legal = take <= free_q && (!free_i.valid || 32'(free_q) != Threads);  // R5
    freed = legal && free_i.valid;

    head_d = head_q;
    tail_d = tail_q;
    free_d = free_q;
    round_d = round_q;
    if (legal) begin
      free_d = free_q - take;
      for (int k = 0; k < 2; k++) begin
        if (k < 32'(take)) begin
          round_d = round_d || 32'(head_d) == Threads - 1;
          head_d = after(head_d);
        end
      end
    end
    behind = after(head_d);
    if (freed) begin
      tail_d = after(tail_q);
      free_d = free_d + 1'b1;
    end
  end

  // R2: an entry that is freed now can be among the next two.
  always_ff @(posedge clk_i) begin
    if (freed) list_q[tail_q] <= free_i.idx;
    first_word_q <= freed && tail_q == head_d ? free_i.idx : list_q[head_d];
    second_word_q <= freed && tail_q == behind ? free_i.idx : list_q[behind];
  end

  // R4; R3: as if each place of the list had held its own number at first.
  always_comb begin
    offer_o = '0;
    offer_o.free = free_q;
    if (free_q >= 1) offer_o.first = round_q ? first_word_q : head_q;
    if (free_q >= 2) offer_o.second = round_q || 32'(head_q) == Threads - 1 ? second_word_q : head_q + 1'b1;
  end

  // Registers
  always_ff @(posedge clk_i) begin
    head_q <= rst_ni ? head_d : '0;
    tail_q <= rst_ni ? tail_d : '0;
    free_q <= rst_ni ? free_d : Threads[CountBits-1:0];
    round_q <= rst_ni && round_d;
  end

  // R5
  always_ff @(posedge clk_i) begin
    if (rst_ni) illegal: assert (legal);
  end

  if (Formal != 0) begin : g_formal
    logic [Threads*IdxBits-1:0] list;
    for (genvar i = 0; i < Threads; i++) begin : g_list
      assign list[i*IdxBits+:IdxBits] = list_q[i];
    end
  end
endmodule
