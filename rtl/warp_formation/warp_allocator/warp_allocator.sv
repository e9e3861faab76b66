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
  logic [IdxBits-1:0] head_q, head_d, tail_q, tail_d, head_next, at_head, at_next;
  logic [CountBits-1:0] fresh_q, fresh_d, free_d, take;
  logic legal, freed;
  /* verilator lint_off UNUSEDSIGNAL */
  formation_pkg::Placement first, second;
  /* verilator lint_on UNUSEDSIGNAL */
  formation_pkg::Offer offer_d;

  function automatic logic [IdxBits-1:0] after(input logic [IdxBits-1:0] at);
    after = 32'(at) == Threads - 1 ? '0 : at + 1'b1;
  endfunction

  always_comb begin
    first = place_i[0+:PlacementBits];
    second = place_i[PlacementBits+:PlacementBits];
    take = '0;
    if (first.open != '0) take = take + 1'b1;
    if (second.open != '0) take = take + 1'b1;
    legal = take <= offer_o.free && (!free_i.valid || 32'(offer_o.free) != Threads);  // R5
    freed = legal && free_i.valid;

    head_d = head_q;
    tail_d = tail_q;
    fresh_d = fresh_q;
    free_d = offer_o.free;
    if (legal) begin
      free_d = offer_o.free - take;
      for (int k = 0; k < 2; k++) begin
        if (k < 32'(take)) begin
          if (32'(fresh_d) != Threads) fresh_d = fresh_d + 1'b1;  // R3
          else head_d = after(head_d);
        end
      end
    end
    if (freed) begin
      tail_d = after(tail_q);
      free_d = free_d + 1'b1;
    end

    // R2: an entry that is freed now can be among the next two.
    head_next = after(head_d);
    at_head = freed && tail_q == head_d ? free_i.idx : list_q[head_d];
    at_next = freed && tail_q == head_next ? free_i.idx : list_q[head_next];

    // R4: the next two, of those that never held a warp and then of the list.
    offer_d = '0;
    offer_d.free = free_d;
    if (free_d >= 1) offer_d.first = 32'(fresh_d) < Threads ? fresh_d[IdxBits-1:0] : at_head;
    if (free_d >= 2) begin
      offer_d.second = at_next;
      if (32'(fresh_d) == Threads - 1) offer_d.second = at_head;
      if (32'(fresh_d) < Threads - 1) offer_d.second = fresh_d[IdxBits-1:0] + 1'b1;
    end
    if (!rst_ni) begin
      offer_d = '0;
      offer_d.second[0] = 1'b1;
      offer_d.free = Threads[CountBits-1:0];
    end
  end

  // Registers
  always_ff @(posedge clk_i) begin
    if (rst_ni && freed) list_q[tail_q] <= free_i.idx;
  end
  always_ff @(posedge clk_i) begin
    head_q <= rst_ni ? head_d : '0;
    tail_q <= rst_ni ? tail_d : '0;
    fresh_q <= rst_ni ? fresh_d : '0;
    offer_o <= offer_d;
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
