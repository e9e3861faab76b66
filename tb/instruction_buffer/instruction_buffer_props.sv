// SPDX-License-Identifier: Apache-2.0
// Rules R1-R5 of the instruction buffers and what follows from them, for one arbitrary slot, under any flushes, pops,
// pushes and resets at all, legal or not. What the slot does is worked out here from the ports alone, and any one word
// that comes to it is followed until it leaves.
module instruction_buffer_props (
  input logic clk_i,
  input logic rst_ni,
  input instruction_buffer_pkg::Push push_i,
  input logic [instruction_buffer_pkg::Width*instruction_buffer_pkg::WordBits-1:0] word_i,
  input control_flow_pkg::Grant pop_i,
  input control_flow_pkg::Slots flush_i,
  input logic follow_i,                                              // of the words that come in this cycle
  input logic [instruction_buffer_pkg::PushBits-1:0] follow_word_i  // this one is followed from now on
);
  localparam int Warps = instruction_buffer_pkg::Warps;
  localparam int Paths = instruction_buffer_pkg::Paths;
  localparam int Slots = instruction_buffer_pkg::Slots;
  localparam int Depth = instruction_buffer_pkg::Depth;
  localparam int Width = instruction_buffer_pkg::Width;
  localparam int WordBits = instruction_buffer_pkg::WordBits;
  localparam int CountBits = instruction_buffer_pkg::CountBits;
  localparam int HeadBits = instruction_buffer_pkg::HeadBits;

  (* anyconst *) logic [instruction_buffer_pkg::WarpBits-1:0] warp;
  (* anyconst *) logic on_right;
  logic started_q = 1'b0;

  logic [Warps*HeadBits-1:0] left, right;
  control_flow_pkg::Slots buffered;
  instruction_buffer i_dut (
    .clk_i, .rst_ni, .push_i, .word_i, .pop_i, .flush_i, .head_left_o(left), .head_right_o(right),
    .buffered_o(buffered)
  );
  (* hierconn *) logic [Slots*Depth*WordBits-1:0] \i_dut.words ;

  // ---- the slot as it shows, and all its words ----
  instruction_buffer_pkg::Head head;
  logic [Depth*WordBits-1:0] words;
  logic [7:0] count;
  always_comb begin
    head = on_right ? right[warp*HeadBits+:HeadBits] : left[warp*HeadBits+:HeadBits];
    words = \i_dut.words [(32'(warp)*Paths+32'(on_right))*Depth*WordBits+:Depth*WordBits];
    count = 8'(head.count);
  end

  // Every slot
  logic blank, told;
  always_comb begin
    blank = 1'b1;
    told = 1'b1;
    for (int w = 0; w < Warps; w++) begin
      if (left[w*HeadBits+WordBits+:CountBits] == '0 && left[w*HeadBits+:HeadBits] != '0) blank = 1'b0;
      if (right[w*HeadBits+WordBits+:CountBits] == '0 && right[w*HeadBits+:HeadBits] != '0) blank = 1'b0;
      if (buffered.left[w] != (left[w*HeadBits+WordBits+:CountBits] != '0)) told = 1'b0;
      if (buffered.right[w] != (right[w*HeadBits+WordBits+:CountBits] != '0)) told = 1'b0;
    end
  end

  // ---- one edge, in the order of the rules; held_q: how many words the slot has by what was asked of it so far ----
  logic flushed, asked_pop, asked_push, pops, pushes, starts;
  logic [7:0] held_q, kept, came, follow_word;
  always_comb begin
    flushed = on_right ? flush_i.right[warp] : flush_i.left[warp];  // R1
    asked_pop = pop_i.valid && pop_i.warp == warp && pop_i.right == on_right;
    asked_push = push_i.count != '0 && push_i.warp == warp && push_i.right == on_right;
    pops = asked_pop && !flushed && held_q != 8'd0;  // R2, R5
    kept = flushed ? 8'd0 : held_q - {7'd0, pops};
    pushes = asked_push && 8'(push_i.count) <= Width && kept + 8'(push_i.count) <= Depth;  // R3, R5
    came = pushes ? 8'(push_i.count) : 8'd0;
    follow_word = 8'(follow_word_i);
    starts = pushes && follow_i && !followed_q && follow_word < came;
  end

  // ---- the followed word, and how many words leave before it ----
  logic followed_q, came_last_q;  // last: it filled the slot
  logic [WordBits-1:0] word_q;
  logic [7:0] ahead_q;
  // The edge before
  logic [Depth*WordBits-1:0] was_words_q;
  instruction_buffer_pkg::Head was_head_q;
  logic reset_q, flushed_q, pushes_q, left_alone_q, into_empty_q;
  logic [WordBits-1:0] first_q;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    reset_q <= !rst_ni;
    held_q <= rst_ni ? kept + came : '0;
    was_words_q <= words;
    was_head_q <= head;
    flushed_q <= flushed;
    pushes_q <= pushes;
    into_empty_q <= rst_ni && pushes && kept == 8'd0;
    first_q <= word_i[0+:WordBits];
    left_alone_q <= rst_ni && !flushed && !pops && !pushes;
    if (starts) begin
      followed_q <= 1'b1;
      word_q <= word_i[follow_word*WordBits+:WordBits];
      ahead_q <= kept + follow_word;
      came_last_q <= kept + follow_word == Depth - 1;
    end else if (followed_q) begin
      if (flushed || (pops && ahead_q == 8'd0)) followed_q <= 1'b0;
      else if (pops) ahead_q <= ahead_q - 8'd1;
    end
    if (!rst_ni) followed_q <= 1'b0;
  end

  // ---- nothing happens anywhere ----
  localparam int ViewBits = Slots * Depth * WordBits + 2 * Warps * HeadBits + 2 * Warps;
  logic [ViewBits-1:0] view, view_q;
  logic quiet_q;
  assign view = {\i_dut.words , left, right, buffered};
  always_ff @(posedge clk_i) begin
    view_q <= view;
    quiet_q <= rst_ni && push_i.count == '0 && !pop_i.valid && flush_i == '0;
  end

  always_comb begin
    if (!started_q) assume (!rst_ni);
    assume (32'(warp) < Warps && (Paths == 2 || !on_right));
    if (started_q) begin
      count_in_range:  assert (count <= Depth);
      blank_if_empty:  assert (blank);
      told_which_hold: assert (told);
      head_is_oldest:  assert (head.word == words[0+:WordBits]);
      if (Paths == 1) no_right_path: assert (right == '0 && buffered.right == '0);
      if (reset_q) blank_after_reset: assert (left == '0 && right == '0 && buffered == '0);
      // how many: none is lost or comes twice, and what is refused has no effect
      count_is_history: assert (count == held_q);  // R1 to R5
      if (flushed_q && !pushes_q) flush_empties: assert (head == '0);  // R1
      // which: each word leaves after those that came before it
      if (followed_q) in_order: assert (ahead_q < count && words[ahead_q*WordBits+:WordBits] == word_q);  // R2, R3
      if (followed_q && ahead_q == 8'd0) comes_out: assert (head.word == word_q);
      if (into_empty_q) first_is_head: assert (head.word == first_q);  // R3
      if (left_alone_q) stays: assert (head == was_head_q && words == was_words_q);  // R4, R5
      if (quiet_q) idle_stays: assert (view == view_q);

      if (rst_ni) begin
        last_one_leaves:    cover (followed_q && came_last_q && ahead_q == 8'd0 && pops);
        full_and_goes_on:   cover (count == Depth && pops && pushes);
        redirected_words:        cover (followed_q && flushed && pushes && push_i.count == Width);
        flushed_and_popped: cover (flushed && asked_pop && count != 8'd0);
        too_many:           cover (asked_push && !pushes && 8'(push_i.count) <= Width && !flushed);
        others_at_work:     cover (left_alone_q && count != 8'd0 && view != view_q);
      end
    end
  end
endmodule
