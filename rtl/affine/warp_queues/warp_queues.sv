// SPDX-License-Identifier: Apache-2.0
// Warp queues: SystemVerilog twin of warp_queues.h, which states the contract and the timing; rules R1-R9 in README.md.
// Pointers and waiting bits of all warps are one vector each, those of warp 0 at the bottom.
module warp_queues (
  input  logic clk_i,
  input  logic rst_ni,
  input  affine_pkg::AddressOffer address_offer_i,
  input  logic grant_i,
  input  affine_pkg::PredicateOffer predicate_offer_i,
  input  logic request_ready_i,
  input  warp_queues_pkg::LineReply reply_i,
  input  warp_queues_pkg::WarpDequeue address_dequeue_i,
  input  warp_queues_pkg::WarpDequeue predicate_dequeue_i,
  output logic address_accept_o,
  output logic predicate_accept_o,
  output warp_queues_pkg::LineRequest request_o,
  output logic [affine_pkg::Warps-1:0] address_ready_o,
  output logic [affine_pkg::Warps-1:0] predicate_ready_o,
  output logic predicate_full_o,
  output affine_pkg::AddressOffer address_o,
  output affine_pkg::PredicateOffer predicate_o,
  output lines_pkg::Unlock unlock_o,
  output logic idle_o
);
  localparam int Warps = affine_pkg::Warps;
  localparam int Lanes = affine_pkg::Lanes;
  localparam int Depth = warp_queues_pkg::Depth;
  localparam int SlotBits = warp_queues_pkg::SlotBits;
  localparam int WordsBits = warp_queues_pkg::WordsBits;
  localparam int LineBits = warp_queues_pkg::LineBits;
  localparam int LineShift = lines_pkg::LineShift;
  localparam int RecordBits = warp_queues_pkg::RecordBits;

  // Slot s of warp w at w * Depth + s
  logic [RecordBits-1:0] address_q [Warps*Depth];
  logic [Lanes-1:0] predicate_q [Warps*Depth];
  logic [Warps*SlotBits-1:0] address_head_q, address_head_d, address_tail_q, address_tail_d;
  logic [Warps*SlotBits-1:0] predicate_head_q, predicate_head_d, predicate_tail_q, predicate_tail_d;
  logic [Warps-1:0] address_full_q, address_full_d, predicate_full_q, predicate_full_d;
  logic [Warps-1:0] address_ready_d, predicate_ready_d;
  logic [Warps*Depth-1:0] waits_q, waits_d;
  // The read ports of the memories, whose words are on their way to a warp
  logic [RecordBits-1:0] address_word_q;
  logic [Lanes-1:0] predicate_word_q;
  warp_queues_pkg::WarpDequeue address_given_q, address_given_d, predicate_given_q, predicate_given_d;

  function automatic logic [SlotBits-1:0] slot_after(input logic [SlotBits-1:0] slot);
    slot_after = 32'(slot) == Depth - 1 ? '0 : slot + 1'b1;
  endfunction

  function automatic logic [WordsBits-1:0] word_of(input int warp, input logic [SlotBits-1:0] slot);
    word_of = WordsBits'(warp * Depth + 32'(slot));
  endfunction

  // ---- addresses ----
  logic [SlotBits-1:0] head, tail;
  logic gets, arrives, free;
  logic [WordsBits-1:0] put_at, get_at, reply_at;
  int putter, getter, replied;
  warp_queues_pkg::AddressRecord record;
  always_comb begin : takes_address  // R2
    putter = 32'(address_offer_i.warp);
    free = !request_o.valid || request_ready_i;
    address_accept_o = 1'b0;
    tail = '0;
    if (putter < Warps) begin
      tail = address_tail_q[putter*SlotBits+:SlotBits];
      address_accept_o = address_offer_i.valid && !address_full_q[address_offer_i.warp] &&
                         (!address_offer_i.data || (grant_i && free));
    end
    put_at = word_of(putter, tail);
    record.data = address_offer_i.data;
    record.size = address_offer_i.size;
    record.order = address_offer_i.order;
    record.region = address_offer_i.region;
    record.mask = address_offer_i.mask;
    record.lanes = address_offer_i.lanes;
    record.last = address_offer_i.last;
  end

  warp_queues_pkg::LineRequest request_d;
  always_comb begin : step_addresses
    request_d = free ? '0 : request_o;  // R5
    if (address_accept_o && address_offer_i.data)
      request_d = {1'b1, address_offer_i.region[LineShift+:LineBits], address_offer_i.warp, tail};

    // R6
    replied = 32'(reply_i.warp);
    reply_at = word_of(replied, reply_i.slot);
    arrives = 1'b0;
    if (reply_i.valid && replied < Warps && 32'(reply_i.slot) < Depth)
      arrives = waits_q[reply_at] && (free || request_o.warp != reply_i.warp || request_o.slot != reply_i.slot);
    waits_d = waits_q;
    if (arrives) waits_d[reply_at] = 1'b0;
    if (address_accept_o) waits_d[put_at] = address_offer_i.data;

    // R8
    getter = 32'(address_dequeue_i.warp);
    gets = 1'b0;
    head = '0;
    if (getter < Warps) begin
      head = address_head_q[getter*SlotBits+:SlotBits];
      gets = address_dequeue_i.valid && address_ready_o[address_dequeue_i.warp];
    end
    get_at = word_of(getter, head);
    address_given_d = gets ? address_dequeue_i : '0;
  end

  warp_queues_pkg::AddressRecord stored;
  always_comb begin : give  // R8: the word, a cycle later
    stored = address_word_q;
    address_o = '0;
    unlock_o = '0;
    if (address_given_q.valid) begin
      address_o.valid = 1'b1;
      address_o.data = stored.data;
      address_o.warp = address_given_q.warp;
      address_o.size = stored.size;
      address_o.order = stored.order;
      address_o.region = stored.region;
      address_o.mask = stored.mask;
      address_o.lanes = stored.lanes;
      address_o.last = stored.last;
      if (stored.data) unlock_o = {1'b1, stored.region[LineShift+:LineBits]};
    end
    predicate_o = predicate_given_q.valid ? {1'b1, predicate_given_q.warp, predicate_word_q} : '0;
  end

  // ---- predicates ----
  logic [SlotBits-1:0] predicate_head, predicate_tail;
  logic predicate_gets;
  logic [WordsBits-1:0] predicate_put_at, predicate_get_at;
  int predicate_putter, predicate_getter;
  always_comb begin : takes_predicate  // R3
    predicate_putter = 32'(predicate_offer_i.warp);
    predicate_accept_o = 1'b0;
    predicate_tail = '0;
    if (predicate_putter < Warps) begin
      predicate_tail = predicate_tail_q[predicate_putter*SlotBits+:SlotBits];
      predicate_accept_o = predicate_offer_i.valid && !predicate_full_q[predicate_offer_i.warp];
    end
    predicate_put_at = word_of(predicate_putter, predicate_tail);
  end
  always_comb begin : step_predicates  // R8
    predicate_getter = 32'(predicate_dequeue_i.warp);
    predicate_gets = 1'b0;
    predicate_head = '0;
    if (predicate_getter < Warps) begin
      predicate_head = predicate_head_q[predicate_getter*SlotBits+:SlotBits];
      predicate_gets = predicate_dequeue_i.valid && predicate_ready_o[predicate_dequeue_i.warp];
    end
    predicate_get_at = word_of(predicate_getter, predicate_head);
    predicate_given_d = predicate_gets ? predicate_dequeue_i : '0;
  end

  // ---- where the queues of a warp begin and end: R1, R4, R7 ----
  for (genvar w = 0; w < Warps; w++) begin : g_warp
    logic [SlotBits-1:0] head_d, tail_d, predicate_head_w, predicate_tail_w;
    logic puts_w, gets_w, predicate_puts_w, predicate_gets_w;
    assign puts_w = address_accept_o && putter == w;
    assign gets_w = gets && getter == w;
    assign predicate_puts_w = predicate_accept_o && predicate_putter == w;
    assign predicate_gets_w = predicate_gets && predicate_getter == w;

    always_comb begin : head_is_ready
      head_d = address_head_q[w*SlotBits+:SlotBits];
      tail_d = address_tail_q[w*SlotBits+:SlotBits];
      if (gets_w) head_d = slot_after(head_d);
      if (puts_w) tail_d = slot_after(tail_d);
      address_head_d[w*SlotBits+:SlotBits] = head_d;
      address_tail_d[w*SlotBits+:SlotBits] = tail_d;
      address_full_d[w] = !gets_w && (puts_w ? tail_d == head_d : address_full_q[w]);
      address_ready_d[w] = (address_full_d[w] || head_d != tail_d) && !waits_d[w*Depth+32'(head_d)];

      predicate_head_w = predicate_head_q[w*SlotBits+:SlotBits];
      predicate_tail_w = predicate_tail_q[w*SlotBits+:SlotBits];
      if (predicate_gets_w) predicate_head_w = slot_after(predicate_head_w);
      if (predicate_puts_w) predicate_tail_w = slot_after(predicate_tail_w);
      predicate_head_d[w*SlotBits+:SlotBits] = predicate_head_w;
      predicate_tail_d[w*SlotBits+:SlotBits] = predicate_tail_w;
      predicate_full_d[w] = !predicate_gets_w &&
                            (predicate_puts_w ? predicate_tail_w == predicate_head_w : predicate_full_q[w]);
      predicate_ready_d[w] = predicate_full_d[w] || predicate_head_w != predicate_tail_w;
    end
  end

  // Memories: never is a record put where one is read, as a queue is not full and empty at once.
  always_ff @(posedge clk_i) begin
    if (rst_ni && address_accept_o) address_q[put_at] <= record;
    if (rst_ni && gets) address_word_q <= address_q[get_at];
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni && predicate_accept_o) predicate_q[predicate_put_at] <= predicate_offer_i.mask;
    if (rst_ni && predicate_gets) predicate_word_q <= predicate_q[predicate_get_at];
  end

  // Registers
  always_ff @(posedge clk_i) begin
    address_head_q <= rst_ni ? address_head_d : '0;
    address_tail_q <= rst_ni ? address_tail_d : '0;
    address_full_q <= rst_ni ? address_full_d : '0;
    predicate_head_q <= rst_ni ? predicate_head_d : '0;
    predicate_tail_q <= rst_ni ? predicate_tail_d : '0;
    predicate_full_q <= rst_ni ? predicate_full_d : '0;
    waits_q <= rst_ni ? waits_d : '0;
    request_o <= rst_ni ? request_d : '0;
    address_ready_o <= rst_ni ? address_ready_d : '0;
    predicate_ready_o <= rst_ni ? predicate_ready_d : '0;
    predicate_full_o <= rst_ni && predicate_full_d != '0;  // R3
    address_given_q <= rst_ni ? address_given_d : '0;
    predicate_given_q <= rst_ni ? predicate_given_d : '0;
    idle_o <= !rst_ni || (!request_d.valid && !gets && !predicate_gets);
  end

  // R9
  logic legal;
  always_comb begin
    legal = (!address_offer_i.valid || putter < Warps) && (!predicate_offer_i.valid || predicate_putter < Warps) &&
            (!reply_i.valid || arrives) && (!address_dequeue_i.valid || gets) &&
            (!predicate_dequeue_i.valid || predicate_gets);
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni) illegal: assert (legal);
  end
endmodule
