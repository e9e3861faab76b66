// SPDX-License-Identifier: Apache-2.0
// What the assembled unit promises to warps that dequeue in program order and to an L1 that answers: tuples become
// records of the right kind for the right warp, with each thread's own address or outcome; a line is locked exactly from
// its request to its dequeue, and something always moves on (no wait cycle among queue, units, warp queues and locks).
//
// The affine warp enqueues anything legal, with any terms. The batch is one CTA of two warps or two CTAs of one, of any
// block that fits, anywhere in the grid. The non-affine warps, L1 and the SIMT lanes act when `acts_i` lets them;
// progress is asked for after cycles in which all that could act did.
module affine_expansion_props (
  input logic clk_i,
  input logic rst_ni,
  input affine_pkg::Enqueue enqueue_i,
  input logic acts_i,
  input logic follow_i  // the tuple that is enqueued in this cycle is followed, if it is the arbitrary one
);
  localparam int Warps = affine_pkg::Warps;
  localparam int Lanes = affine_pkg::Lanes;
  localparam int Most = 4;   // entries of a warp between enqueue and dequeue: tuple queue, warp queues, and one at work
  localparam int Patience = 22;

  localparam int WordBits = affine_pkg::WordBits;
  localparam int ThreadBits = affine_pkg::ThreadBits;

  (* anyconst *) logic two_ctas;
  (* anyconst *) logic [ThreadBits-1:0] row, rows, planes;  // blockDim
  (* anyconst *) logic [2:0] block0, block1;                // blockIdx of the CTAs, 0 or 1 in x, y, z
  logic [ThreadBits-1:0] plane, threads;
  assign plane = ThreadBits'(row * rows);
  assign threads = ThreadBits'(row * rows * planes);

  logic started_q = 1'b0;
  logic [1:0] phase_q;  // 0: Open, 1: Join, 2: the kernel runs
  affine_pkg::Batch batch;
  logic [affine_pkg::Ctas-1:0] passed, hold;
  affine_pkg::LaneCompare ask;
  affine_pkg::LaneReply lanes_reply;
  warp_queues_pkg::LineRequest request;
  warp_queues_pkg::LineReply reply;
  warp_queues_pkg::WarpDequeue address_dequeue, predicate_dequeue;
  logic full, predicate_full, idle;
  logic [$clog2(affine_pkg::AtqEntries+1)-1:0] used;
  logic [line_locks_pkg::Lockable*line_locks_pkg::LockedBits-1:0] locked;
  logic [Warps-1:0] address_ready, predicate_ready;
  affine_pkg::AddressOffer address;
  affine_pkg::PredicateOffer predicate, expanded;
  affine_pkg::AddressEvent address_event;
  affine_pkg::PredicateEvent predicate_event;
  line_locks_pkg::LockRefused refused;
  affine_pkg::Enqueue enqueue;

  affine_expansion i_dut (
    .clk_i, .rst_ni, .batch_i(batch), .enqueue_i(enqueue), .passed_i(passed), .lanes_i(lanes_reply),
    .request_ready_i(acts_i), .reply_i(reply), .set_i('0), .address_dequeue_i(address_dequeue),
    .predicate_dequeue_i(predicate_dequeue), .full_o(full), .used_o(used), .predicate_full_o(predicate_full),
    .hold_o(hold), .lanes_o(ask), .request_o(request), .locked_o(locked), .address_ready_o(address_ready),
    .predicate_ready_o(predicate_ready), .address_o(address), .predicate_o(predicate), .expanded_o(expanded),
    .address_event_o(address_event), .predicate_event_o(predicate_event), .refused_o(refused), .idle_o(idle)
  );

  // ---- the players ----
  // What each warp has still to do: kinds in program order, the first at the bottom.
  logic [3*Most-1:0] program_q [Warps];
  logic [3*Most-1:0] program_d [Warps];
  logic [2:0] length_q [Warps];
  logic [2:0] length_d [Warps];
  logic [2:0] head [Warps];
  logic [Warps-1:0] reading, pops;  // it is looking at the record that it dequeued; it is done with an instruction
  logic [affine_pkg::Ctas-1:0] cta_passes;
  warp_queues_pkg::LineReply reply_q;
  logic ask_q, legal, overflow, aligned;
  affine_pkg::LaneCompare question_q;  // that the SIMT lanes have still to answer
  logic [1:0] waiting_q;  // requests that L1 has taken and not answered: at most one, as one line can be locked

  always_comb begin
    batch = '0;
    if (phase_q == 2'd0) begin
      batch.op = affine_pkg::BatchOpen;
      batch.row = row;
      batch.rows = rows;
      batch.plane = plane;
      batch.threads = threads;
      batch.index_x = WordBits'(block0[2]);
      batch.index_y = WordBits'(block0[1]);
      batch.index_z = WordBits'(block0[0]);
    end else if (phase_q == 2'd1 && two_ctas) begin
      batch.op = affine_pkg::BatchJoin;
      batch.cta = 1'b1;
      batch.first_warp = 1'b1;
      batch.index_x = WordBits'(block1[2]);
      batch.index_y = WordBits'(block1[1]);
      batch.index_z = WordBits'(block1[0]);
    end
    enqueue = phase_q == 2'd2 ? enqueue_i : '0;
    legal = two_ctas ? 32'(threads) <= Lanes : 32'(threads) > Lanes;
    aligned = ((enqueue.base | enqueue.offset_x | enqueue.offset_y | enqueue.offset_z | enqueue.block_x |
                enqueue.block_y | enqueue.block_z) & ~({WordBits{1'b1}} << enqueue.size)) == '0;
    if (enqueue.kind != affine_pkg::KindNone) begin
      if (full || enqueue.kind > affine_pkg::KindBarrier || enqueue.compare > affine_pkg::CompareHs) legal = 1'b0;
      if (enqueue.size > affine_pkg::SizeWord || enqueue.warps == '0 || !enqueue.lanes[0]) legal = 1'b0;
      if (enqueue.kind == affine_pkg::KindBarrier && !two_ctas && enqueue.warps != '1) legal = 1'b0;
      if (enqueue.kind <= affine_pkg::KindAddress && !aligned) legal = 1'b0;
    end
  end

  function automatic logic holds(input logic [3:0] compare, input logic [WordBits-1:0] a, input logic [WordBits-1:0] b);
    case (compare)
      affine_pkg::CompareEq: holds = a == b;
      affine_pkg::CompareNe: holds = a != b;
      affine_pkg::CompareLt: holds = $signed(a) < $signed(b);
      affine_pkg::CompareLe: holds = $signed(a) <= $signed(b);
      affine_pkg::CompareGt: holds = $signed(a) > $signed(b);
      affine_pkg::CompareGe: holds = $signed(a) >= $signed(b);
      affine_pkg::CompareLo: holds = a < b;
      affine_pkg::CompareLs: holds = a <= b;
      affine_pkg::CompareHi: holds = a > b;
      default: holds = a >= b;
    endcase
  endfunction

  always_comb begin
    {passed, cta_passes, address_dequeue, predicate_dequeue, lanes_reply, overflow} = '0;
    lanes_reply.valid = ask_q && acts_i;
    for (int l = 0; l < Lanes; l++) begin
      if (lanes_reply.valid && l >= 32'(question_q.first) && l < 32'(question_q.first) + 32'(question_q.count))
        lanes_reply.mask[l] = holds(question_q.compare, question_q.base + WordBits'(l - 32'(question_q.first)) * question_q.offset,
                                    question_q.scalar);
    end
    reply = '0;
    if (acts_i) reply = reply_q;
    for (int w = 0; w < Warps; w++) begin
      head[w] = length_q[w] != '0 ? program_q[w][2:0] : 3'd0;
      reading[w] = (address.valid && 32'(address.warp) == w) || (predicate.valid && 32'(predicate.warp) == w);
    end
    if (acts_i) begin
      cta_passes[0] = head[0] == affine_pkg::KindBarrier && (two_ctas || head[1] == affine_pkg::KindBarrier);
      cta_passes[1] = two_ctas && head[1] == affine_pkg::KindBarrier;
      passed = cta_passes & ~hold;
      for (int w = 0; w < Warps; w++) begin
        if ((head[w] == affine_pkg::KindData || head[w] == affine_pkg::KindAddress) && address_ready[w] && !reading[w]) begin
          address_dequeue.valid = 1'b1;
          address_dequeue.warp = affine_pkg::WarpBits'(w);
        end
        if (head[w] == affine_pkg::KindPredicate && predicate_ready[w] && !reading[w]) begin
          predicate_dequeue.valid = 1'b1;
          predicate_dequeue.warp = affine_pkg::WarpBits'(w);
        end
      end
    end
    for (int w = 0; w < Warps; w++) begin
      pops[w] = (address.valid && 32'(address.warp) == w && address.last) ||
                (predicate.valid && 32'(predicate.warp) == w) || (two_ctas ? passed[w] : passed[0]);
      program_d[w] = pops[w] ? program_q[w] >> 3 : program_q[w];
      length_d[w] = length_q[w] - 3'(pops[w]);
      if (enqueue.kind != affine_pkg::KindNone && enqueue.warps[w]) begin
        if (32'(length_d[w]) == Most) overflow = 1'b1;
        program_d[w] = program_d[w] | ((3*Most)'(enqueue.kind) << (3 * 32'(length_d[w])));
        length_d[w] = length_d[w] + 3'd1;
      end
    end
  end

  // ---- what is counted ----
  logic [1:0] held_q, held_d;  // data records between request and unlock
  logic was_request_q, was_taken_q, unlocks_q, moved;
  logic [5:0] silent_q;
  logic [1:0] tuples_q;  // for warp 0, up to three
  always_comb begin
    held_d = held_q + 2'(request.valid && (!was_request_q || was_taken_q)) - 2'(unlocks_q);
    moved = enqueue.kind != affine_pkg::KindNone || address.valid || predicate.valid || passed != '0 ||
            address_event.region || address_event.thread || predicate_event.taken ||
            address_event.start || predicate_event.start ||  // terms, of which a tuple has a few
            length_q[0] + length_q[1] == '0;
  end

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    reply_q <= '0;
    if (!rst_ni) begin
      phase_q <= '0;
      for (int w = 0; w < Warps; w++) program_q[w] <= '0;
      for (int w = 0; w < Warps; w++) length_q[w] <= '0;
      {ask_q, waiting_q, held_q, was_request_q, was_taken_q, unlocks_q, silent_q, tuples_q} <= '0;
    end else begin
      if (phase_q != 2'd2) phase_q <= phase_q + 2'd1;
      for (int w = 0; w < Warps; w++) program_q[w] <= program_d[w];
      for (int w = 0; w < Warps; w++) length_q[w] <= length_d[w];
      ask_q <= ask.valid || (ask_q && !acts_i);
      if (ask.valid) question_q <= ask;
      if (!acts_i) reply_q <= reply_q;
      if (request.valid && acts_i) reply_q <= {1'b1, request.warp, request.slot};
      waiting_q <= waiting_q + 2'(request.valid && acts_i) - 2'(reply.valid);
      if (enqueue.kind != affine_pkg::KindNone && enqueue.warps[0] && tuples_q != 2'd3) tuples_q <= tuples_q + 2'd1;
      held_q <= held_d;
      was_request_q <= request.valid;
      was_taken_q <= acts_i;
      unlocks_q <= address.valid && address.data;
      silent_q <= moved || !acts_i ? '0 : silent_q + 6'd1;
    end
  end

  // ---- one arbitrary tuple, and what it means to one arbitrary thread: no walk, no run, no line ----
  (* anyconst *) affine_pkg::Enqueue tuple;
  (* anyconst *) logic its_warp, its_lane;
  logic [2:0] block;
  logic [ThreadBits-1:0] thread, tx, ty, tz;
  logic [WordBits-1:0] value, scalar;
  logic live, outcome;
  always_comb begin
    block = two_ctas && its_warp ? block1 : block0;
    thread = ThreadBits'(its_lane);
    if (!two_ctas && its_warp) thread = thread + ThreadBits'(Lanes);
    tx = thread % row;
    ty = (thread / row) % rows;
    tz = thread / plane;
    value = tuple.base + tuple.offset_x * WordBits'(tx) + tuple.offset_y * WordBits'(ty) + tuple.offset_z * WordBits'(tz) +
            tuple.block_x * WordBits'(block[2]) + tuple.block_y * WordBits'(block[1]) +
            tuple.block_z * WordBits'(block[0]);
    scalar = tuple.scalar + tuple.scalar_block_x * WordBits'(block[2]) + tuple.scalar_block_y * WordBits'(block[1]) +
             tuple.scalar_block_z * WordBits'(block[0]);
    live = thread < threads && tuple.lanes[its_lane];
    outcome = live && holds(tuple.compare, value, scalar);
  end

  // Its way through the warp's program, and the record that the warp then reads
  logic followed_q, served_q, its_turn, reads_address, reads_outcome, serves;
  logic [2:0] ahead_q;
  logic [1:0] tuples_before_q;
  logic unit;
  logic [WordBits-1:0] read;
  always_comb begin
    its_turn = followed_q && ahead_q == '0;
    reads_address = its_turn && address.valid && address.warp == its_warp;
    reads_outcome = its_turn && predicate.valid && predicate.warp == its_warp;
    serves = reads_address && address.lanes[its_lane];
    // the unit of this lane: of one set bit that one; of two by the order of the lanes
    unit = address.mask == '1 ? (address.order == affine_pkg::OrderDown) != its_lane : address.mask[1];
    read = {address.region, 1'b0} + (WordBits'(unit) << address.size);
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {followed_q, served_q} <= '0;
    end else if (followed_q) begin
      if (pops[its_warp] && ahead_q == '0) followed_q <= 1'b0;
      if (pops[its_warp] && ahead_q != '0) ahead_q <= ahead_q - 3'd1;
      if (serves) served_q <= 1'b1;
    end else if (follow_i && enqueue.kind != affine_pkg::KindNone && enqueue == tuple && tuple.warps[its_warp]) begin
      followed_q <= 1'b1;
      served_q <= 1'b0;
      ahead_q <= length_q[its_warp] - 3'(pops[its_warp]);
      tuples_before_q <= tuples_q;
    end
  end

  // ---- what the affine warp is told: the records that the warps then dequeue ----
  logic [Warps-1:0] told_q;  // and waits in the warp's queue, which holds one
  logic [Lanes-1:0] told_mask_q [Warps];
  logic [Lanes-1:0] read_mask_q;
  always_ff @(posedge clk_i) begin
    for (int w = 0; w < Warps; w++) begin
      if (!rst_ni || (predicate_dequeue.valid && 32'(predicate_dequeue.warp) == w)) told_q[w] <= 1'b0;
      if (rst_ni && expanded.valid && 32'(expanded.warp) == w) told_q[w] <= 1'b1;
      if (expanded.valid && 32'(expanded.warp) == w) told_mask_q[w] <= expanded.mask;
    end
    read_mask_q <= told_mask_q[predicate_dequeue.warp];
  end

  // ---- idle ----
  localparam int ViewBits = $bits(full) + $bits(used) + $bits(predicate_full) + $bits(hold) + $bits(ask) + $bits(request) +
                            $bits(locked) + 2 * Warps + $bits(address) + $bits(predicate) + $bits(address_event) +
                            $bits(predicate_event) + $bits(refused) + $bits(expanded);
  logic [ViewBits-1:0] view, view_q;
  logic quiet_q;
  assign view = {full, used, predicate_full, hold, ask, request, locked, address_ready, predicate_ready, address, predicate,
                 address_event, predicate_event, refused, expanded};
  always_ff @(posedge clk_i) begin
    view_q <= view;
    quiet_q <= rst_ni && idle && batch.op == '0 && enqueue.kind == '0 && passed == '0 && !lanes_reply.valid &&
               !reply.valid && !address_dequeue.valid && !predicate_dequeue.valid;
  end

  logic [Warps-1:0] owes_address, owes_predicate;
  always_comb begin
    {owes_address, owes_predicate} = '0;
    for (int w = 0; w < Warps; w++) begin
      for (int i = 0; i < Most; i++) begin
        if (i < 32'(length_q[w])) begin
          if (program_q[w][3*i+:3] == affine_pkg::KindData || program_q[w][3*i+:3] == affine_pkg::KindAddress)
            owes_address[w] = 1'b1;
          if (program_q[w][3*i+:3] == affine_pkg::KindPredicate) owes_predicate[w] = 1'b1;
        end
      end
    end
  end

  always_comb begin
    if (!started_q) assume (!rst_ni);
    // Inputs and what they are made of: a block that fits, and instructions that the affine warp may issue.
    assume (row != '0 && rows != '0 && planes != '0 && 9'(row) * 9'(rows) * 9'(planes) <= 9'(Warps * Lanes));
    assume (legal);
    if (started_q && rst_ni) begin
      fits_the_program:   assert (!overflow);
      addresses_are_due:  assert ((address_ready & ~owes_address) == '0);
      predicates_are_due: assert ((predicate_ready & ~owes_predicate) == '0);
      kind_as_enqueued:   assert (!address.valid || (head[address.warp] ==
                                  (address.data ? affine_pkg::KindData : affine_pkg::KindAddress)));
      lanes_that_exist:   assert (!address.valid || address.lanes != '0);
      locked_while_held:  assert (locked[line_locks_pkg::LockedBits-1] == (held_d != '0));
      one_lock_a_record:  assert (held_d <= 2'd1);
      asks_when_locked:   assert (!request.valid || held_d != '0);
      one_request:        assert (waiting_q <= 2'd1 && !(request.valid && waiting_q != '0));
      one_question:       assert (!(ask.valid && ask_q));
      moves_on:           assert (32'(silent_q) <= Patience);
      if (serves) address_is: assert (live && read == value && address.size == tuple.size && !served_q);
      if (reads_address && address.last) all_served: assert ((served_q || serves) == live);
      told_as_queued:     assert (predicate_ready == told_q);
      told_as_read:       assert (!predicate.valid || predicate.mask == read_mask_q);
      told_once:          assert (!expanded.valid || !told_q[expanded.warp]);
      if (reads_outcome) outcome_is: assert (predicate.mask[its_lane] == outcome);
      if (quiet_q) idle_stays: assert (view == view_q && idle);
      data_comes:         cover (address.valid && address.data && address.last);
      address_comes:      cover (address.valid && !address.data && address.order == affine_pkg::OrderDown);
      predicate_comes:    cover (predicate.valid && predicate.mask == Lanes'(1));
      lanes_compare:      cover (predicate_event.differs);
      two_comparisons:    cover (predicate_event.pair);
      lock_refused:       cover (refused != '0 && address_event.refuse);
      other_cta_goes_on:  cover (address_event.leave);
      barrier_passed:     cover (passed == 2'b10);
      two_wraps:          cover (tuples_q == 2'd3 && length_q[0] == '0);  // of queues that hold one
      all_terms:          cover (serves && address.order == affine_pkg::OrderUp && tx != '0 && ty != '0 && tuple.block_y != '0 &&
                                 tuple.block_z != '0 && block[1] && block[0]);
      plane_ends:         cover (reads_outcome && outcome && tz != '0 && tuple.offset_z != '0 && tuple.offset_x != '0 &&
                                 tuple.scalar_block_z != '0 && block[0] && predicate.mask == 2'b10);
      behind_others:      cover (serves && its_warp == '0 && tuples_before_q == 2'd2 && tuple.offset_x != '0);
      all_done:           cover (phase_q == 2'd2 && used == '0 && length_q[0] == '0 && unlocks_q);
    end
  end
endmodule
