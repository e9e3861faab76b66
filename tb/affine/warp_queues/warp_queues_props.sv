// SPDX-License-Identifier: Apache-2.0
// Rules R1-R9 of the warp queues under any offers, grants, replies and dequeues at all, legal or not. One arbitrary
// warp, and of it any one record, is followed from the ports alone, and the locks of one arbitrary line are counted.
// For two warps and Depth = 3: the words of the memories are named one by one.
module warp_queues_props (
  input logic clk_i,
  input logic rst_ni,
  input affine_pkg::AddressOffer address_offer_i,
  input logic grant_i,
  input affine_pkg::PredicateOffer predicate_offer_i,
  input logic request_ready_i,
  input warp_queues_pkg::LineReply reply_i,
  input warp_queues_pkg::WarpDequeue address_dequeue_i,
  input warp_queues_pkg::WarpDequeue predicate_dequeue_i,
  input logic follow_i,  // the record that comes in this cycle is followed,
  input logic follow_predicate_i
);
  localparam int Lanes = affine_pkg::Lanes;
  localparam int LineBits = warp_queues_pkg::LineBits;
  localparam int RecordBits = warp_queues_pkg::RecordBits;
  localparam int LineAt = 2 * Lanes + 1 + lines_pkg::LineShift;  // the lowest bit of a stored record's line
  (* anyconst *) logic warp;                    // one arbitrary warp
  (* anyconst *) logic [LineBits-1:0] line;     // and line
  logic started_q = 1'b0;

  logic accept, predicate_accept, predicate_full;
  logic [1:0] ready, predicate_ready;
  warp_queues_pkg::LineRequest request;
  affine_pkg::AddressOffer address;
  affine_pkg::PredicateOffer predicate;
  lines_pkg::Unlock unlock;
  logic idle;
  warp_queues i_dut (
    .clk_i, .rst_ni, .address_offer_i, .grant_i, .predicate_offer_i, .request_ready_i, .reply_i,
    .address_dequeue_i, .predicate_dequeue_i, .address_accept_o(accept), .predicate_accept_o(predicate_accept),
    .request_o(request), .address_ready_o(ready), .predicate_ready_o(predicate_ready),
    .predicate_full_o(predicate_full), .address_o(address), .predicate_o(predicate), .unlock_o(unlock),
    .idle_o(idle)
  );

  // ---- inside: slot s of warp w at 3w + s ----
  (* hierconn *) logic [RecordBits-1:0] \i_dut.address_q[0] , \i_dut.address_q[1] , \i_dut.address_q[2] ;
  (* hierconn *) logic [RecordBits-1:0] \i_dut.address_q[3] , \i_dut.address_q[4] , \i_dut.address_q[5] ;
  (* hierconn *) logic [Lanes-1:0] \i_dut.predicate_q[0] , \i_dut.predicate_q[1] , \i_dut.predicate_q[2] ;
  (* hierconn *) logic [Lanes-1:0] \i_dut.predicate_q[3] , \i_dut.predicate_q[4] , \i_dut.predicate_q[5] ;
  (* hierconn *) logic [3:0] \i_dut.address_head_q , \i_dut.address_tail_q ;
  (* hierconn *) logic [3:0] \i_dut.predicate_head_q , \i_dut.predicate_tail_q ;
  (* hierconn *) logic [1:0] \i_dut.address_full_q , \i_dut.predicate_full_q ;
  (* hierconn *) logic [5:0] \i_dut.waits_q ;
  logic [6*RecordBits-1:0] records;
  logic [6*Lanes-1:0] masks;
  assign records = {\i_dut.address_q[5] , \i_dut.address_q[4] , \i_dut.address_q[3] ,
                    \i_dut.address_q[2] , \i_dut.address_q[1] , \i_dut.address_q[0] };
  assign masks = {\i_dut.predicate_q[5] , \i_dut.predicate_q[4] , \i_dut.predicate_q[3] ,
                  \i_dut.predicate_q[2] , \i_dut.predicate_q[1] , \i_dut.predicate_q[0] };

  // Records from head to tail, and which slots they are in
  function automatic logic [1:0] length(input logic [1:0] head, input logic [1:0] tail, input logic full);
    length = full ? 2'd3 : tail >= head ? tail - head : tail + 2'd3 - head;
  endfunction
  function automatic logic [1:0] slot_of(input logic [1:0] head, input logic [1:0] ahead);
    slot_of = {1'b0, head} + {1'b0, ahead} >= 3'd3 ? head + ahead - 2'd3 : head + ahead;
  endfunction
  function automatic logic [2:0] slots(input logic [1:0] head, input logic [1:0] count);
    slots = {count > 2'd2 || (count == 2'd2 && head != 2'd0) || (count == 2'd1 && head == 2'd2),
             count > 2'd2 || (count == 2'd2 && head != 2'd2) || (count == 2'd1 && head == 2'd1),
             count > 2'd2 || (count == 2'd2 && head != 2'd1) || (count == 2'd1 && head == 2'd0)};
  endfunction

  logic [1:0] head0, head1, tail0, tail1, head, tail, count0, count1, count, predicate_head, predicate_tail, predicate_count;
  logic [5:0] used;  // slots with a record
  always_comb begin
    head0 = \i_dut.address_head_q [1:0];
    head1 = \i_dut.address_head_q [3:2];
    tail0 = \i_dut.address_tail_q [1:0];
    tail1 = \i_dut.address_tail_q [3:2];
    count0 = length(head0, tail0, \i_dut.address_full_q [0]);
    count1 = length(head1, tail1, \i_dut.address_full_q [1]);
    used = {slots(head1, count1), slots(head0, count0)};
    head = warp ? head1 : head0;
    tail = warp ? tail1 : tail0;
    count = warp ? count1 : count0;
    predicate_head = warp ? \i_dut.predicate_head_q [3:2] : \i_dut.predicate_head_q [1:0];
    predicate_tail = warp ? \i_dut.predicate_tail_q [3:2] : \i_dut.predicate_tail_q [1:0];
    predicate_count = length(predicate_head, predicate_tail, \i_dut.predicate_full_q [warp]);
  end

  // ---- the ports: how many records the warp has, and where among them the followed one is ----
  logic puts, gets, arrives, predicate_puts, predicate_gets, sent, starts, predicate_starts;
  logic [1:0] came_q, left_q, predicate_came_q, predicate_left_q;  // modulo 4: at most three are in a queue
  logic [1:0] ahead_q, predicate_ahead_q;
  logic followed_q, waits_q, asked_q, predicate_followed_q, its_reply;
  affine_pkg::AddressOffer record_q;
  logic [Lanes-1:0] mask_q;
  logic [1:0] slot;  // of the followed one
  always_comb begin
    puts = accept && address_offer_i.warp == warp;
    gets = address_dequeue_i.valid && address_dequeue_i.warp == warp && ready[warp];
    predicate_puts = predicate_accept && predicate_offer_i.warp == warp;
    predicate_gets = predicate_dequeue_i.valid && predicate_dequeue_i.warp == warp && predicate_ready[warp];
    slot = slot_of(head, ahead_q);
    starts = puts && follow_i && !followed_q;
    predicate_starts = predicate_puts && follow_predicate_i && !predicate_followed_q;
    sent = request.valid && request_ready_i && followed_q && request.warp == warp && request.slot == slot;
    its_reply = reply_i.valid && reply_i.warp == warp && reply_i.slot == slot && followed_q && (asked_q || sent);
  end

  logic reset_q, gets_q, last_q, predicate_gets_q, predicate_last_q, held_q;
  warp_queues_pkg::LineRequest request_q;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    reset_q <= !rst_ni;
    came_q <= rst_ni ? came_q + {1'b0, puts} : '0;
    left_q <= rst_ni ? left_q + {1'b0, gets} : '0;
    predicate_came_q <= rst_ni ? predicate_came_q + {1'b0, predicate_puts} : '0;
    predicate_left_q <= rst_ni ? predicate_left_q + {1'b0, predicate_gets} : '0;
    gets_q <= rst_ni && gets;
    last_q <= gets && followed_q && ahead_q == '0;
    predicate_gets_q <= rst_ni && predicate_gets;
    predicate_last_q <= predicate_gets && predicate_followed_q && predicate_ahead_q == '0;
    held_q <= rst_ni && request.valid && !request_ready_i;
    request_q <= request;
    if (starts) begin
      followed_q <= 1'b1;
      record_q <= address_offer_i;
      ahead_q <= count - {1'b0, gets};
      waits_q <= address_offer_i.data;
      asked_q <= 1'b0;
    end else if (followed_q) begin
      if (gets && ahead_q == '0) followed_q <= 1'b0;
      if (gets && ahead_q != '0) ahead_q <= ahead_q - 2'd1;
      if (its_reply) waits_q <= 1'b0;
      if (sent) asked_q <= 1'b1;
    end
    if (predicate_starts) begin
      predicate_followed_q <= 1'b1;
      mask_q <= predicate_offer_i.mask;
      predicate_ahead_q <= predicate_count - {1'b0, predicate_gets};
    end else if (predicate_followed_q && predicate_gets) begin
      if (predicate_ahead_q == '0) predicate_followed_q <= 1'b0;
      else predicate_ahead_q <= predicate_ahead_q - 2'd1;
    end
    if (!rst_ni) {followed_q, predicate_followed_q, waits_q, asked_q} <= '0;
  end

  // ---- locks of `line`: from the taking of a data record on, to its unlock ----
  logic [2:0] locks_q, of_line;  // counted at the ports; data records in the queues, and the one that is unlocked
  logic locks, waits_for_data, ready_exact;
  logic [2:0] waiting, stored;
  always_comb begin
    locks = accept && address_offer_i.data && address_offer_i.region[lines_pkg::LineShift+:LineBits] == line;
    of_line = {2'b0, unlock.valid && unlock.line == line};
    waiting = '0;
    stored = '0;
    waits_for_data = 1'b1;
    for (int i = 0; i < 6; i++) begin
      if (used[i] && records[(i+1)*RecordBits-1] && records[i*RecordBits+LineAt+:LineBits] == line)
        of_line = of_line + 3'd1;
      if (\i_dut.waits_q [i]) waiting = waiting + 3'd1;
      if (used[i]) stored = stored + 3'd1;
      if (\i_dut.waits_q [i] && !(used[i] && records[(i+1)*RecordBits-1])) waits_for_data = 1'b0;
    end
    ready_exact = ready == {count1 != '0 && !\i_dut.waits_q [3'd3+{1'b0, head1}],
                            count0 != '0 && !\i_dut.waits_q [{1'b0, head0}]};
  end
  always_ff @(posedge clk_i) begin
    locks_q <= rst_ni ? locks_q + {2'b0, locks} - {2'b0, unlock.valid && unlock.line == line} : '0;
  end

  // ---- progress: what has to happen until an address that is offered is taken, in a row of fair cycles: L1 and the warps
  // do what they can, and the lock is granted when no line is locked at all (which line_locks_props proves) ----
  logic [4:0] blocked_q, to_do;
  logic fair;
  always_comb begin
    to_do = {2'b0, waiting} + {1'b0, stored, 1'b0} + {4'b0, unlock.valid};
    fair = request_ready_i && (grant_i || stored != '0 || unlock.valid) &&
           (ready == '0 || (address_dequeue_i.valid && ready[address_dequeue_i.warp])) &&
           (waiting == '0 || (reply_i.valid && reply_i.slot != 2'd3 &&
                              \i_dut.waits_q [{2'b0, reply_i.warp}*3+{1'b0, reply_i.slot}]));
  end
  always_ff @(posedge clk_i) begin
    blocked_q <= rst_ni && address_offer_i.valid && !accept && fair ? blocked_q + 5'd1 : '0;
  end

  // ---- idle ----
  localparam int ViewBits = 6 * RecordBits + 6 * Lanes + 30 + $bits(request) + $bits(address) + $bits(predicate) + $bits(unlock);
  logic [ViewBits-1:0] view, view_q;
  logic asked, quiet_q, busy_q;
  always_comb begin
    view = {records, masks, \i_dut.address_head_q , \i_dut.address_tail_q , \i_dut.predicate_head_q ,
            \i_dut.predicate_tail_q , \i_dut.address_full_q , \i_dut.predicate_full_q , \i_dut.waits_q , ready,
            predicate_ready[warp], predicate_full, request, address, predicate, unlock};
    asked = address_offer_i.valid || predicate_offer_i.valid || reply_i.valid || address_dequeue_i.valid ||
            predicate_dequeue_i.valid;
  end
  always_ff @(posedge clk_i) begin
    view_q <= view;
    quiet_q <= rst_ni && idle && !asked;
    busy_q <= asked || !request_ready_i;
  end

  always_comb begin
    if (!started_q) assume (!rst_ni);
    if (started_q) begin
      // what the queues are
      pointers_in_range: assert (head0 != 2'd3 && head1 != 2'd3 && tail0 != 2'd3 && tail1 != 2'd3 &&
                                 \i_dut.predicate_head_q [1:0] != 2'd3 && \i_dut.predicate_head_q [3:2] != 2'd3 &&
                                 \i_dut.predicate_tail_q [1:0] != 2'd3 && \i_dut.predicate_tail_q [3:2] != 2'd3);
      full_when_met:     assert ((!\i_dut.address_full_q [0] || head0 == tail0) && (!\i_dut.address_full_q [1] || head1 == tail1) &&
                                 (!\i_dut.predicate_full_q [warp] || predicate_head == predicate_tail));
      no_flow_over:      assert (count == came_q - left_q && predicate_count == predicate_came_q - predicate_left_q);
      ready_is_told:     assert (ready_exact && predicate_ready[warp] == (predicate_count != '0));  // R7
      full_is_told:      assert (predicate_full == (\i_dut.predicate_full_q != '0));  // R3
      waits_when_data:   assert (waits_for_data);
      // one record of a warp, from end to end: R1, R5 to R8
      if (followed_q) begin
        follows_in_order: assert (ahead_q < count && {records[({2'b0, warp}*3+slot)*RecordBits+:RecordBits]} ==
                                  {record_q.data, record_q.size, record_q.order, record_q.region, record_q.mask,
                                   record_q.lanes, record_q.last} && record_q.valid && record_q.warp == warp);
        waits_for_reply:  assert (\i_dut.waits_q [{2'b0, warp}*3+slot] == waits_q);
        ready_after_reply: assert (!(ready[warp] && ahead_q == '0 && waits_q));
        asked_once:       assert ((waits_q && !asked_q) == (request.valid && request.warp == warp && request.slot == slot));
        asked_if_data:    assert (record_q.data || (!asked_q && !waits_q));
      end
      if (request.valid)
        request_is_waited_for: assert (\i_dut.waits_q [{2'b0, request.warp}*3+request.slot] && request.slot != 2'd3 &&
                                       records[({2'b0, request.warp}*3+request.slot)*RecordBits+LineAt+:LineBits] == request.line);
      if (held_q) request_is_held: assert (request == request_q);
      if (predicate_followed_q)
        predicate_in_order: assert (predicate_ahead_q < predicate_count &&
                                    masks[({2'b0, warp}*3+slot_of(predicate_head, predicate_ahead_q))*Lanes+:Lanes] == mask_q);
      if (gets_q && last_q) comes_out: assert (address == record_q && unlock.valid == record_q.data &&
                                     (!unlock.valid || unlock.line == record_q.region[lines_pkg::LineShift+:LineBits]));
      if (gets_q) comes_to_the_warp: assert (address.valid && address.warp == warp);
      if (predicate_gets_q && predicate_last_q) predicate_comes_out: assert (predicate == {1'b1, warp, mask_q});
      if (predicate_gets_q) predicate_to_the_warp: assert (predicate.valid && predicate.warp == warp);
      // each lock is released once
      locks_are_records: assert (of_line == locks_q);
      if (unlock.valid && unlock.line == line) unlock_of_a_lock: assert (locks_q != '0);
      taken_when_it_fits: assert (!address_offer_i.valid || address_offer_i.warp != warp ||  // R2, R4
                                  accept == (count != 2'd3 && (!address_offer_i.data || (grant_i && (!request.valid || request_ready_i)))));
      predicate_when_it_fits: assert (!predicate_offer_i.valid || predicate_offer_i.warp != warp ||  // R3, R4
                                      predicate_accept == (predicate_count != 2'd3));
      not_without_an_offer: assert ((!accept || address_offer_i.valid) && (!predicate_accept || predicate_offer_i.valid));
      if (reset_q) blank_after_reset: assert ({ready, predicate_ready, predicate_full, request, address, predicate, unlock} == '0 && idle);
      if (quiet_q) idle_stays: assert (view == view_q && idle);
      idle_means: assert (!idle || {request, address, predicate, unlock} == '0);
      if (!busy_q) idle_comes: assert (idle);
      // progress
      no_wait_for_ever: assert (blocked_q == '0 || {1'b0, blocked_q} + {1'b0, to_do} <= 6'd20);

      full_and_dequeued:  cover (rst_ni && \i_dut.address_full_q == 2'b11 && gets && address_offer_i.valid && !accept);
      out_of_order:       cover (rst_ni && followed_q && record_q.data && !waits_q && ahead_q != '0 && !ready[warp]);
      last_lock_and_next: cover (rst_ni && unlock.valid && unlock.line == line && accept && address_offer_i.data && locks_q == 3'd1 &&
                                 address_offer_i.region[lines_pkg::LineShift+:LineBits] == line);
      stalled_by_locks:   cover (rst_ni && address_offer_i.valid && address_offer_i.data && !grant_i && blocked_q == 5'd2);
      waits_long:         cover (rst_ni && blocked_q == 5'd6 && accept);
      both_directions:    cover (rst_ni && puts && gets && predicate_puts && predicate_gets && head == 2'd2 && tail == 2'd1);
    end
  end
endmodule
