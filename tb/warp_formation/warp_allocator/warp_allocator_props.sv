// SPDX-License-Identifier: Apache-2.0
// Rules R1-R5 of the warp allocator, under any placements and resets, and any frees of entries that are in use: the
// allocator cannot see that an entry is freed twice. The history of each entry is kept here from the ports alone.
module warp_allocator_props (
  input logic clk_i,
  input logic rst_ni,
  input logic [2*formation_pkg::PlacementBits-1:0] place_i,
  input formation_pkg::Issue free_i
);
  localparam int Threads = formation_pkg::Threads;
  localparam int IdxBits = formation_pkg::IdxBits;
  localparam int PlacementBits = formation_pkg::PlacementBits;
  localparam int CountBits = formation_pkg::CountBits;

  formation_pkg::Offer offer, offer_q;
  warp_allocator #(.Formal(1)) i_dut (.clk_i, .rst_ni, .place_i, .free_i, .offer_o(offer));
  (* hierconn *) logic [Threads*IdxBits-1:0] \i_dut.g_formal.list ;
  (* hierconn *) logic [IdxBits-1:0] \i_dut.head_q ;
  (* hierconn *) logic [IdxBits-1:0] \i_dut.tail_q ;
  (* hierconn *) logic \i_dut.round_q ;

  (* anyconst *) logic [IdxBits-1:0] entry;  // one arbitrary entry
  logic started_q = 1'b0;
  formation_pkg::Placement first, second;
  logic [3:0] free, take, free_now, free_then;
  logic opens_first, opens_second, legal;
  logic [Threads-1:0] is_free_q, is_free_d;
  logic [3:0] place_q, place_d;  // how many go before `entry`, when it is free

  always_comb begin
    first = place_i[0+:PlacementBits];
    second = place_i[PlacementBits+:PlacementBits];
    opens_first = first.open != '0;
    opens_second = second.open != '0;
    free = 4'(offer.free);
    take = 4'(opens_first) + 4'(opens_second);
    legal = take <= free && !(free_i.valid && free == Threads);
    is_free_d = is_free_q;
    place_d = place_q;
    if (legal) begin
      // R1
      if (opens_first || opens_second) is_free_d[offer.first] = 1'b0;
      if (opens_first && opens_second) is_free_d[offer.second] = 1'b0;
      if (is_free_q[entry]) place_d = place_q - take;
      if (free_i.valid) begin  // R2
        is_free_d[free_i.idx] = 1'b1;
        if (free_i.idx == entry) place_d = free - take;
      end
    end
    free_now = '0;
    free_then = '0;
    for (int i = 0; i < Threads; i++) begin
      free_now = free_now + 4'(is_free_q[i]);
      free_then = free_then + 4'(is_free_d[i]);
    end
  end

  logic reset_q, legal_q, quiet_q;
  localparam int StateBits = (Threads + 2) * IdxBits + 1 + 2 * IdxBits + CountBits;
  logic [StateBits-1:0] state, state_q;  // of the block
  assign state = {\i_dut.g_formal.list , \i_dut.head_q , \i_dut.tail_q , \i_dut.round_q , offer};
  logic [3:0] freed_q;  // how often an entry was freed, up to 15
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    reset_q <= !rst_ni;
    legal_q <= legal;
    quiet_q <= rst_ni && !opens_first && !opens_second && !free_i.valid;
    state_q <= state;
    offer_q <= offer;
    is_free_q <= rst_ni ? is_free_d : '1;
    place_q <= rst_ni ? place_d : 4'(entry);
    freed_q <= !rst_ni ? '0 : legal && free_i.valid && freed_q != '1 ? freed_q + 4'd1 : freed_q;
  end

  // ---- the state of the block, as one queue: entry i of it in `queue` ----
  logic [3:0] fresh, from;
  logic [IdxBits-1:0] at;
  logic [Threads*IdxBits-1:0] queue;
  logic sound, in_place, once;
  always_comb begin
    fresh = \i_dut.round_q ? 4'(Threads) : 4'(\i_dut.head_q );  // entries that have held a warp
    from = 4'(\i_dut.head_q ) + free;
    if (from >= Threads) from = from - 4'(Threads);
    sound = fresh <= Threads && free <= Threads && free >= Threads - fresh && \i_dut.head_q < Threads &&
            4'(\i_dut.tail_q ) == from;
    queue = '0;
    in_place = 1'b1;
    once = 1'b1;
    for (int i = 0; i < Threads; i++) begin
      from = 4'(\i_dut.head_q ) + 4'(i);
      if (from >= Threads) from = from - 4'(Threads);
      at = 4'(i) + fresh < Threads ? IdxBits'(4'(i) + fresh) : \i_dut.g_formal.list [from*IdxBits+:IdxBits];
      queue[i*IdxBits+:IdxBits] = at;
      if (i < free) begin
        if (at >= Threads || !is_free_q[at]) once = 1'b0;
        for (int j = 0; j < i; j++) begin
          if (queue[j*IdxBits+:IdxBits] == at) once = 1'b0;
        end
        if ((at == entry) != (is_free_q[entry] && place_q == i)) in_place = 1'b0;
      end
    end
    if (offer.first != (free != '0 ? queue[0+:IdxBits] : '0)) in_place = 1'b0;
    if (offer.second != (free > 4'd1 ? queue[IdxBits+:IdxBits] : '0)) in_place = 1'b0;
  end

  always_comb begin
    if (!started_q) assume (!rst_ni);
    assume (entry < Threads);  // one that there is
    if (started_q) begin
      // Of an input, against what the ports have said: an entry is freed once (warp_formation: no_entry_leaked, as
      // warp_pool refuses the issue of a free one). Where all are free anything may be: that is refused, cover free_of_all.
      assume (!free_i.valid || is_free_q == '1 || (free_i.idx < Threads && !is_free_q[free_i.idx]));
      if (quiet_q) idle_stays: assert (state == state_q);  // always idle
      pointers_agree:  assert (sound);
      queue_in_order:  assert (in_place && (!is_free_q[entry] || place_q < free));  // R2, R3
      never_twice:     assert (once);  // what stands in the queue is free, and stands there once
      none_leaked:     assert (free == free_now);
      // R1: what is offered is free, and no other warp's
      if (free >= 1) offered_is_free: assert (offer.first < Threads && is_free_q[offer.first]);
      if (free >= 2) two_are_offered: assert (offer.second < Threads && is_free_q[offer.second] && offer.first != offer.second);
      // R2, R3: an entry is offered exactly when its turn comes.
      first_in_turn:  assert ((free != '0 && offer.first == entry) == (is_free_q[entry] && place_q == 4'd0));
      second_in_turn: assert ((free > 4'd1 && offer.second == entry) == (is_free_q[entry] && place_q == 4'd1));
      // R4
      blank_when_few: assert ((free != '0 || offer.first == '0) && (free > 4'd1 || offer.second == '0));
      if (reset_q) all_free: assert (free == Threads && offer.first == '0 && offer.second == IdxBits'(1));
      if (!reset_q && !legal_q) refused_as_a_whole: assert (offer == offer_q);  // R5
      free_of_all:    cover (is_free_q == '1 && free_i.valid && freed_q != '0);
      rests:          cover (quiet_q && free == 4'd1);
      nothing_left:   cover (free == '0 && freed_q != '0);
      round_twice:    cover (freed_q == 2 * Threads && free == '0);
      all_back:       cover (free == Threads && fresh == Threads);
      handed_on:      cover (free == 4'd1 && take == 4'd1 && free_i.valid && legal);
      fresh_and_used: cover (fresh == Threads - 1 && free == 4'd2);
    end
  end
endmodule
