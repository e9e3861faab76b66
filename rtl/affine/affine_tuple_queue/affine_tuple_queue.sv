// SPDX-License-Identifier: Apache-2.0
// Affine tuple queue: SystemVerilog twin of affine_tuple_queue.h, which states the contract and the timing; rules R1-R7
// there and in README.md. Formal = 1 adds g_formal, a view of what lies in the memory and in each CTA, which
// affine_tuple_queue_props reads; nothing else changes.
module affine_tuple_queue #(
  parameter int Formal = 0
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  affine_pkg::Batch batch_i,
  input  affine_pkg::Enqueue enqueue_i,
  input  logic [affine_pkg::Ctas-1:0] passed_i,
  input  logic [affine_pkg::CtaBits-1:0] address_select_i,
  input  logic [affine_pkg::CtaBits-1:0] predicate_select_i,
  input  affine_pkg::Pop address_pop_i,
  input  affine_pkg::Pop predicate_pop_i,
  output logic full_o,
  output logic [$clog2(affine_pkg::AtqEntries+1)-1:0] used_o,
  output logic [affine_pkg::Ctas-1:0] hold_o,
  output affine_pkg::Shape shape_o,
  output logic [affine_pkg::Ctas-1:0] address_work_o,
  output logic [affine_pkg::Ctas-1:0] predicate_work_o,
  output affine_pkg::Enqueue address_entry_o,
  output affine_pkg::Cta address_cta_o,
  output affine_pkg::Enqueue predicate_entry_o,
  output affine_pkg::Cta predicate_cta_o,
  output logic idle_o
);
  localparam int Warps = affine_pkg::Warps;
  localparam int Lanes = affine_pkg::Lanes;
  localparam int Ctas = affine_pkg::Ctas;
  localparam int Entries = affine_pkg::AtqEntries;
  localparam int PlaceBits = Entries > 2 ? $clog2(Entries) : 1;
  localparam int UsedBits = $clog2(Entries + 1);
  localparam int BodyBits = affine_pkg::EnqueueBits - 3;  // an entry but for its kind, which is the top field
  localparam int IndexBits = 3 * affine_pkg::WordBits;
  localparam int CreditBits = 2;

  logic [BodyBits-1:0] entry_q [Entries];
  logic [BodyBits-1:0] address_word_q, predicate_word_q;  // the read ports
  logic [2:0] address_kind_q, predicate_kind_q;
  logic [IndexBits-1:0] index_q [Ctas];  // blockIdx
  logic [IndexBits-1:0] address_index_q, predicate_index_q;
  logic [affine_pkg::WarpBits-1:0] address_first_q, predicate_first_q;
  logic [2:0] kind_q [Entries];
  logic [PlaceBits-1:0] head_q, head_d, tail;
  logic [Ctas-1:0] barrier_q, barrier_d, batch_q, batch_d;
  logic started_q, started_d;
  // of all CTAs, the first at the bottom; the g_cta below hold them
  logic [Ctas*PlaceBits-1:0] places;
  logic [Ctas*affine_pkg::WarpBits-1:0] firsts;

  // R1: the slots of a CTA.
  function automatic logic [Warps-1:0] slots(input logic [affine_pkg::WarpBits-1:0] first_warp,
                                             input logic [affine_pkg::ThreadBits-1:0] threads);
    for (int w = 0; w < Warps; w++) begin
      slots[w] = w >= 32'(first_warp) && w * Lanes < 32'(first_warp) * Lanes + 32'(threads);
    end
  endfunction

  // R3: of the entries that are set, the one that comes first from `head` on; 0 when there is none.
  function automatic logic [PlaceBits-1:0] oldest(input logic [Entries-1:0] entries,
                                                  input logic [PlaceBits-1:0] head);
    oldest = '0;
    for (int e = Entries - 1; e >= 0; e--) begin
      if (entries[e]) oldest = PlaceBits'(e);
    end
    for (int e = Entries - 1; e >= 0; e--) begin
      if (entries[e] && e >= 32'(head)) oldest = PlaceBits'(e);
    end
  endfunction

  // ---- what the cycle asks for, judged by the state before it ----
  logic [affine_pkg::ThreadBits-1:0] threads;
  logic [Warps-1:0] batch_slots;
  logic [Ctas-1:0] meets, wanted, takers, passed, served, head_pending, hold, address_work, predicate_work;
  logic opens, joins, fits, legal, batch_illegal, changes_batch;
  assign opens = batch_i.op == affine_pkg::BatchOpen;
  assign joins = batch_i.op == affine_pkg::BatchJoin;
  assign threads = opens ? batch_i.threads : shape_o.threads;
  assign batch_slots = slots(batch_i.first_warp, threads);
  assign tail = PlaceBits'(32'(head_q) + 32'(used_o) < Entries ? 32'(head_q) + 32'(used_o)
                                                               : 32'(head_q) + 32'(used_o) - Entries);
  always_comb begin : is_legal  // R1
    fits = 32'(batch_i.cta) < Ctas && threads != '0 && 32'(batch_i.first_warp) * Lanes + 32'(threads) <= Warps * Lanes;
    if (opens) begin
      legal = fits && used_o == '0 && batch_i.row != '0 && batch_i.rows != '0 && batch_i.row <= batch_i.plane &&
              batch_i.plane <= threads;
    end else begin
      legal = fits && joins && !started_q && meets == '0;
    end
    batch_illegal = batch_i.op != affine_pkg::BatchNone && !legal;
    changes_batch = batch_i.op != affine_pkg::BatchNone && legal;
  end

  logic known;
  always_comb begin : is_known  // R7
    case (enqueue_i.kind)
      affine_pkg::KindData, affine_pkg::KindAddress: known = enqueue_i.size <= affine_pkg::SizeWord;
      affine_pkg::KindPredicate: known = enqueue_i.compare <= affine_pkg::CompareHs;
      affine_pkg::KindBarrier: known = 1'b1;
      default: known = 1'b0;
    endcase
  end

  logic enqueues, enqueue_illegal, address_pop_illegal, predicate_pop_illegal, pass_illegal;
  always_comb begin : judge  // R2, R4, R6, R7
    enqueues = enqueue_i.kind != affine_pkg::KindNone && !full_o && batch_i.op == affine_pkg::BatchNone &&
               wanted != '0 && known;
    enqueue_illegal = enqueue_i.kind != affine_pkg::KindNone && !enqueues;
    takers = enqueues ? wanted : '0;
    address_pop_illegal = address_pop_i.valid &&
                          !(32'(address_pop_i.cta) < Ctas && address_work_o[address_pop_i.cta]);
    predicate_pop_illegal = predicate_pop_i.valid &&
                            !(32'(predicate_pop_i.cta) < Ctas && predicate_work_o[predicate_pop_i.cta]);
    passed = passed_i & batch_q & ~hold_o;
    pass_illegal = passed != passed_i;
  end

  logic frees;
  logic [UsedBits-1:0] used;
  always_comb begin : count  // R5: the oldest entry of all is free when no CTA waits for it
    frees = used_o != '0 && head_pending == '0;
    head_d = !frees ? head_q : 32'(head_q) == Entries - 1 ? '0 : head_q + 1'b1;
    used = used_o + UsedBits'(enqueues) - UsedBits'(frees);
  end

  always_comb begin : open  // R1: a batch begins, or a CTA becomes resident
    batch_d = batch_q;
    started_d = started_q || enqueues;
    if (changes_batch && opens) begin
      batch_d = '0;
      started_d = 1'b0;
    end
    if (changes_batch) batch_d[batch_i.cta] = 1'b1;
  end

  for (genvar c = 0; c < Ctas; c++) begin : g_cta
    logic [Entries-1:0] pending_q, pending_d;
    logic [PlaceBits-1:0] place_q, place;
    logic [CreditBits-1:0] credit_q, credit_d;
    logic [CreditBits:0] credit;
    logic [2:0] kind;
    logic [affine_pkg::WarpBits-1:0] first_q;  // looked at in all CTAs at once, so beside the memory

    assign wanted[c] = batch_q[c] && (enqueue_i.warps & slots(first_q, shape_o.threads)) != '0;  // R2
    assign meets[c] = batch_q[c] && (32'(batch_i.cta) == c || (batch_slots & slots(first_q, threads)) != '0);
    assign firsts[c*affine_pkg::WarpBits+:affine_pkg::WarpBits] = first_q;
    assign places[c*PlaceBits+:PlaceBits] = place_q;
    assign head_pending[c] = pending_d[head_q];

    always_comb begin : pass_barriers  // R4, R6: whether the CTA is done with its oldest entry
      credit = {1'b0, credit_q} + (CreditBits+1)'(passed[c]);
      served[c] = barrier_q[c] && credit != '0;
      credit_d = credit[CreditBits-1:0] - CreditBits'(served[c]);
      hold[c] = credit_d == '1;
      if (address_pop_i.valid && 32'(address_pop_i.cta) == c && address_work_o[c]) served[c] = 1'b1;
      if (predicate_pop_i.valid && 32'(predicate_pop_i.cta) == c && predicate_work_o[c]) served[c] = 1'b1;
      if (changes_batch && opens) begin
        credit_d = '0;
        hold[c] = 1'b0;
      end
    end
    always_comb begin : mark  // R2: the entry waits for the CTAs that it is for
      pending_d = pending_q;
      if (served[c]) pending_d[place_q] = 1'b0;
      if (takers[c]) pending_d[tail] = 1'b1;
    end
    always_comb begin : find_oldest  // R3: the oldest entry of the CTA, and who may work on it
      place = oldest(pending_d, head_q);
      kind = takers[c] && place == tail ? enqueue_i.kind : kind_q[place];
      if (pending_d == '0) kind = affine_pkg::KindNone;
      address_work[c] = kind == affine_pkg::KindData || kind == affine_pkg::KindAddress;
      predicate_work[c] = kind == affine_pkg::KindPredicate;
      barrier_d[c] = kind == affine_pkg::KindBarrier;
    end

    // Registers
    always_ff @(posedge clk_i) begin
      pending_q <= rst_ni ? pending_d : '0;
      place_q <= rst_ni ? place : '0;
      credit_q <= rst_ni ? credit_d : '0;
      if (rst_ni && changes_batch && 32'(batch_i.cta) == c) first_q <= batch_i.first_warp;
    end
  end

  // ---- what the expansion units see in the next cycle ----
  logic [PlaceBits-1:0] address_place, predicate_place;
  logic [affine_pkg::WarpBits-1:0] address_first, predicate_first;
  logic address_shown, predicate_shown;
  always_comb begin : show_address  // R3
    {address_place, address_first, address_shown} = '0;
    for (int c = 0; c < Ctas; c++) begin
      if (32'(address_select_i) == c && address_work_o[c]) begin
        address_shown = 1'b1;
        address_place = places[c*PlaceBits+:PlaceBits];
        address_first = firsts[c*affine_pkg::WarpBits+:affine_pkg::WarpBits];
      end
    end
  end
  always_comb begin : show_predicate  // R3
    {predicate_place, predicate_first, predicate_shown} = '0;
    for (int c = 0; c < Ctas; c++) begin
      if (32'(predicate_select_i) == c && predicate_work_o[c]) begin
        predicate_shown = 1'b1;
        predicate_place = places[c*PlaceBits+:PlaceBits];
        predicate_first = firsts[c*affine_pkg::WarpBits+:affine_pkg::WarpBits];
      end
    end
  end
  assign address_entry_o = {address_kind_q, address_word_q};
  assign address_cta_o = {address_first_q, address_index_q};
  assign predicate_entry_o = {predicate_kind_q, predicate_word_q};
  assign predicate_cta_o = {predicate_first_q, predicate_index_q};

  // Registers
  always_ff @(posedge clk_i) begin : store
    if (rst_ni && enqueues) begin
      entry_q[tail] <= enqueue_i[BodyBits-1:0];
      kind_q[tail] <= enqueue_i.kind;
    end
    if (rst_ni && address_shown) address_word_q <= entry_q[address_place];
    if (rst_ni && predicate_shown) predicate_word_q <= entry_q[predicate_place];
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni && changes_batch) index_q[batch_i.cta] <= {batch_i.index_x, batch_i.index_y, batch_i.index_z};
    if (rst_ni && address_shown) address_index_q <= index_q[address_select_i];
    if (rst_ni && predicate_shown) predicate_index_q <= index_q[predicate_select_i];
  end
  always_ff @(posedge clk_i) begin
    address_kind_q <= rst_ni && address_shown ? kind_q[address_place] : affine_pkg::KindNone;
    predicate_kind_q <= rst_ni && predicate_shown ? kind_q[predicate_place] : affine_pkg::KindNone;
    if (rst_ni && address_shown) address_first_q <= address_first;
    if (rst_ni && predicate_shown) predicate_first_q <= predicate_first;
  end
  always_ff @(posedge clk_i) begin : show
    head_q <= rst_ni ? head_d : '0;
    barrier_q <= rst_ni ? barrier_d : '0;
    batch_q <= rst_ni ? batch_d : '0;
    started_q <= rst_ni && started_d;
    full_o <= rst_ni && 32'(used) == Entries;
    used_o <= rst_ni ? used : '0;
    hold_o <= rst_ni ? hold : '0;
    address_work_o <= rst_ni ? address_work : '0;
    predicate_work_o <= rst_ni ? predicate_work : '0;
    idle_o <= !rst_ni || (!changes_batch && takers == '0 && passed == '0 && served == '0 && !frees);
    if (!rst_ni) shape_o <= '0;
    else if (changes_batch && opens) shape_o <= {batch_i.row, batch_i.rows, batch_i.plane, batch_i.threads};
  end

  // R7
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      illegal_batch: assert (!batch_illegal);
      illegal_enqueue: assert (!enqueue_illegal);
      illegal_pop: assert (!address_pop_illegal && !predicate_pop_illegal);
      illegal_pass: assert (!pass_illegal);
    end
  end

  if (Formal != 0) begin : g_formal
    logic [Entries*BodyBits-1:0] bodies;
    logic [Entries*3-1:0] kinds;
    logic [Ctas*Entries-1:0] pending;
    logic [Ctas*CreditBits-1:0] credits;
    logic [Ctas*affine_pkg::CtaRecordBits-1:0] ctas;
    for (genvar e = 0; e < Entries; e++) begin : g_entry
      assign bodies[e*BodyBits+:BodyBits] = entry_q[e];
      assign kinds[e*3+:3] = kind_q[e];
    end
    for (genvar c = 0; c < Ctas; c++) begin : g_view
      assign pending[c*Entries+:Entries] = g_cta[c].pending_q;
      assign credits[c*CreditBits+:CreditBits] = g_cta[c].credit_q;
      assign ctas[c*affine_pkg::CtaRecordBits+:affine_pkg::CtaRecordBits] = {g_cta[c].first_q, index_q[c]};
    end
  end
endmodule
