// SPDX-License-Identifier: Apache-2.0
// Rules R1-R7 of the register file in each of its kinds, under any requests and resets at all, legal or not: for one
// arbitrary lane and one arbitrary word. Who has a turn when, and how long a request takes, is worked out here from the
// ports. For Lanes = 3 and Rows = 3: the memory words are named one by one.
module register_file_props (
  input logic clk_i,
  input logic rst_ni,
  input logic [register_file_pkg::Lanes*register_file_pkg::ReadBits-1:0] read_i,
  input logic [register_file_pkg::Lanes*register_file_pkg::WriteBits-1:0] write_i
);
  localparam int Lanes = register_file_pkg::Lanes;
  localparam int Rows = register_file_pkg::Rows;
  localparam int WordBits = register_file_pkg::WordBits;
  localparam int WordsBits = register_file_pkg::WordsBits;
  localparam int ReadBits = register_file_pkg::ReadBits;
  localparam int WriteBits = register_file_pkg::WriteBits;
  localparam int BankBits = register_file_pkg::BankBits;
  localparam int RowBits = register_file_pkg::RowBits;
  localparam bit Ideal = register_file_pkg::Kind == register_file_pkg::Ideal;
  localparam bit Naive = register_file_pkg::Kind == register_file_pkg::Naive;
  localparam bit Static = register_file_pkg::Kind == register_file_pkg::Static;
  (* anyconst *) logic [BankBits-1:0] lane;  // one arbitrary lane
  (* anyconst *) logic [BankBits-1:0] bank;  // and one arbitrary word
  (* anyconst *) logic [RowBits-1:0] row;

  logic [Lanes*WordsBits-1:0] data;
  logic valid, read_busy, write_busy, idle;
  register_file i_dut (
    .clk_i, .rst_ni, .read_i, .write_i, .data_o(data), .valid_o(valid), .read_busy_o(read_busy),
    .write_busy_o(write_busy), .idle_o(idle)
  );

  // What the memory holds, row r of bank b at 3 * b + r; of the three only that of the kind is there.
  (* hierconn *) logic [WordBits-1:0] \i_dut.g_naive.g_bank[0].word_q[0] , \i_dut.g_naive.g_bank[0].word_q[1] ;
  (* hierconn *) logic [WordBits-1:0] \i_dut.g_naive.g_bank[0].word_q[2] ;
  (* hierconn *) logic [WordBits-1:0] \i_dut.g_naive.g_bank[1].word_q[0] , \i_dut.g_naive.g_bank[1].word_q[1] ;
  (* hierconn *) logic [WordBits-1:0] \i_dut.g_naive.g_bank[1].word_q[2] ;
  (* hierconn *) logic [WordBits-1:0] \i_dut.g_naive.g_bank[2].word_q[0] , \i_dut.g_naive.g_bank[2].word_q[1] ;
  (* hierconn *) logic [WordBits-1:0] \i_dut.g_naive.g_bank[2].word_q[2] ;
  (* hierconn *) logic [WordBits-1:0] \i_dut.g_at_once.g_own.g_bank[0].word_q[0] ;
  (* hierconn *) logic [WordBits-1:0] \i_dut.g_at_once.g_own.g_bank[0].word_q[1] ;
  (* hierconn *) logic [WordBits-1:0] \i_dut.g_at_once.g_own.g_bank[0].word_q[2] ;
  (* hierconn *) logic [WordBits-1:0] \i_dut.g_at_once.g_own.g_bank[1].word_q[0] ;
  (* hierconn *) logic [WordBits-1:0] \i_dut.g_at_once.g_own.g_bank[1].word_q[1] ;
  (* hierconn *) logic [WordBits-1:0] \i_dut.g_at_once.g_own.g_bank[1].word_q[2] ;
  (* hierconn *) logic [WordBits-1:0] \i_dut.g_at_once.g_own.g_bank[2].word_q[0] ;
  (* hierconn *) logic [WordBits-1:0] \i_dut.g_at_once.g_own.g_bank[2].word_q[1] ;
  (* hierconn *) logic [WordBits-1:0] \i_dut.g_at_once.g_own.g_bank[2].word_q[2] ;
  (* hierconn *) logic [WordBits-1:0] \i_dut.g_at_once.g_ideal.word_q[0] , \i_dut.g_at_once.g_ideal.word_q[1] ;
  (* hierconn *) logic [WordBits-1:0] \i_dut.g_at_once.g_ideal.word_q[2] ;
  (* hierconn *) logic [WordBits-1:0] \i_dut.g_at_once.g_ideal.word_q[3] , \i_dut.g_at_once.g_ideal.word_q[4] ;
  (* hierconn *) logic [WordBits-1:0] \i_dut.g_at_once.g_ideal.word_q[5] ;
  (* hierconn *) logic [WordBits-1:0] \i_dut.g_at_once.g_ideal.word_q[6] , \i_dut.g_at_once.g_ideal.word_q[7] ;
  (* hierconn *) logic [WordBits-1:0] \i_dut.g_at_once.g_ideal.word_q[8] ;
  logic [9*WordBits-1:0] stored_naive;
  logic [9*WordBits-1:0] stored_own;
  logic [9*WordBits-1:0] stored_ideal;
  logic [9*WordBits-1:0] stored;
  assign stored_naive = {\i_dut.g_naive.g_bank[2].word_q[2] , \i_dut.g_naive.g_bank[2].word_q[1] ,
                         \i_dut.g_naive.g_bank[2].word_q[0] , \i_dut.g_naive.g_bank[1].word_q[2] ,
                         \i_dut.g_naive.g_bank[1].word_q[1] , \i_dut.g_naive.g_bank[1].word_q[0] ,
                         \i_dut.g_naive.g_bank[0].word_q[2] , \i_dut.g_naive.g_bank[0].word_q[1] ,
                         \i_dut.g_naive.g_bank[0].word_q[0] };
  assign stored_own = {\i_dut.g_at_once.g_own.g_bank[2].word_q[2] , \i_dut.g_at_once.g_own.g_bank[2].word_q[1] ,
                       \i_dut.g_at_once.g_own.g_bank[2].word_q[0] , \i_dut.g_at_once.g_own.g_bank[1].word_q[2] ,
                       \i_dut.g_at_once.g_own.g_bank[1].word_q[1] , \i_dut.g_at_once.g_own.g_bank[1].word_q[0] ,
                       \i_dut.g_at_once.g_own.g_bank[0].word_q[2] , \i_dut.g_at_once.g_own.g_bank[0].word_q[1] ,
                       \i_dut.g_at_once.g_own.g_bank[0].word_q[0] };
  assign stored_ideal = {\i_dut.g_at_once.g_ideal.word_q[8] , \i_dut.g_at_once.g_ideal.word_q[7] ,
                         \i_dut.g_at_once.g_ideal.word_q[6] , \i_dut.g_at_once.g_ideal.word_q[5] ,
                         \i_dut.g_at_once.g_ideal.word_q[4] , \i_dut.g_at_once.g_ideal.word_q[3] ,
                         \i_dut.g_at_once.g_ideal.word_q[2] , \i_dut.g_at_once.g_ideal.word_q[1] ,
                         \i_dut.g_at_once.g_ideal.word_q[0] };
  assign stored = Naive ? stored_naive : Ideal ? stored_ideal : stored_own;
  // And what else there is behind a crossbar
  (* hierconn *) logic [Lanes*ReadBits-1:0] \i_dut.g_naive.reading_q ;
  (* hierconn *) logic [Lanes*WriteBits-1:0] \i_dut.g_naive.writing_q ;
  (* hierconn *) logic [Lanes*register_file_pkg::ArrivalBits-1:0] \i_dut.g_naive.arrival_q ;
  (* hierconn *) logic [Lanes*WordsBits-1:0] \i_dut.g_naive.bank_q , \i_dut.g_naive.collected_q ;

  // ---- the requests, from the ports: what was asked, the lanes that wait for a turn, the cycles until the answer ----
  logic [Lanes*ReadBits-1:0] asked_q, asked;
  logic [Lanes*WriteBits-1:0] put_q, put;
  logic [Lanes-1:0] read_left_q, write_left_q, read_active, write_active, read_turn, write_turn;
  logic [Lanes*BankBits-1:0] read_bank, write_bank;
  logic [Lanes*RowBits-1:0] row_a, row_b, write_row;
  logic [2:0] read_due_q, write_due_q, read_most, write_most, count_read, count_write;
  register_file_pkg::Read one_read;
  register_file_pkg::Write one_write;
  logic [RowBits-1:0] lowest_a, lowest_b, lowest;
  logic found_read, found_write;
  logic [WordBits-1:0] word_now, word_next, word_next_q, last_q, was_q;
  logic [WordsBits-1:0] expected_q;
  logic hit, ever_q, have_q, was_hit_q, open_q, served_q;
  always_comb begin
    asked = read_left_q != '0 ? asked_q : read_i;
    put = write_left_q != '0 ? put_q : write_i;
    {found_read, found_write, lowest_a, lowest_b, lowest} = '0;
    {read_active, write_active, read_bank, write_bank, row_a, row_b, write_row} = '0;
    for (int l = 0; l < Lanes; l++) begin
      one_read = asked[l*ReadBits+:ReadBits];
      one_write = put[l*WriteBits+:WriteBits];
      if (Static && one_read.valid) begin
        if (!found_read) {lowest_a, lowest_b} = {one_read.row_a, one_read.row_b};
        found_read = 1'b1;
        {one_read.row_a, one_read.row_b} = {lowest_a, lowest_b};
      end
      if (Static && one_write.valid) begin
        if (!found_write) lowest = one_write.row;
        found_write = 1'b1;
        one_write.row = lowest;
      end
      if (!Naive && !Ideal) begin
        one_read.bank = l[BankBits-1:0];
        one_write.bank = l[BankBits-1:0];
      end
      read_active[l] = one_read.valid && one_read.bank < Lanes && one_read.row_a < Rows && one_read.row_b < Rows &&
                       (read_left_q == '0 || read_left_q[l]);
      write_active[l] = one_write.valid && one_write.bank < Lanes && one_write.row < Rows &&
                        (write_left_q == '0 || write_left_q[l]);
      read_bank[l*BankBits+:BankBits] = one_read.bank;
      write_bank[l*BankBits+:BankBits] = one_write.bank;
      row_a[l*RowBits+:RowBits] = one_read.row_a;
      row_b[l*RowBits+:RowBits] = one_read.row_b;
      write_row[l*RowBits+:RowBits] = one_write.row;
    end

    // Turns, a bank at a time; the most lanes that want one bank
    read_turn = Naive ? '0 : read_active;
    write_turn = Naive ? '0 : write_active;
    read_most = Naive ? 3'd0 : 3'd1;
    write_most = Naive ? 3'd0 : 3'd1;
    for (int b = 0; b < Lanes; b++) begin
      count_read = '0;
      count_write = '0;
      for (int l = 0; l < Lanes; l++) begin
        if (Naive && read_active[l] && read_bank[l*BankBits+:BankBits] == b) begin
          if (count_read == '0) read_turn[l] = 1'b1;
          count_read = count_read + 3'd1;
        end
        if (Naive && write_active[l] && write_bank[l*BankBits+:BankBits] == b) begin
          if (count_write == '0) write_turn[l] = 1'b1;
          count_write = count_write + 3'd1;
        end
      end
      if (count_read > read_most) read_most = count_read;
      if (count_write > write_most) write_most = count_write;
    end

    // The arbitrary word
    word_now = stored[(bank*Rows+row)*WordBits+:WordBits];
    word_next = word_now;
    hit = 1'b0;
    for (int l = 0; l < Lanes; l++) begin
      if (rst_ni && write_turn[l] && write_bank[l*BankBits+:BankBits] == bank &&
          write_row[l*RowBits+:RowBits] == row) begin
        word_next = put[l*WriteBits+:WordBits];
        hit = 1'b1;
      end
    end
  end

  logic [RowBits-1:0] its_a, its_b;
  logic [BankBits-1:0] its_bank;
  logic [9*WordBits+Lanes*(ReadBits+WriteBits+register_file_pkg::ArrivalBits+3*WordsBits)+2:0] all_now, all_q;
  logic [Lanes*ReadBits-1:0] kept_reads;
  logic [Lanes*WriteBits-1:0] kept_writes;
  logic started_q = 1'b0, reset_q, quiet_q;
  always_comb begin
    its_a = row_a[lane*RowBits+:RowBits];
    its_b = row_b[lane*RowBits+:RowBits];
    its_bank = read_bank[lane*BankBits+:BankBits];
    all_now = {stored, data, valid, read_busy, write_busy};
    if (Naive)
      all_now = {\i_dut.g_naive.reading_q , \i_dut.g_naive.writing_q , \i_dut.g_naive.arrival_q ,
                 \i_dut.g_naive.bank_q , \i_dut.g_naive.collected_q , stored, data, valid, read_busy, write_busy};
    // What the block must keep of the lanes that wait
    kept_reads = '0;
    kept_writes = '0;
    for (int l = 0; l < Lanes; l++) begin
      if (read_left_q[l]) kept_reads[l*ReadBits+:ReadBits] = asked_q[l*ReadBits+:ReadBits];
      if (write_left_q[l]) kept_writes[l*WriteBits+:WriteBits] = put_q[l*WriteBits+:WriteBits];
    end
  end
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    reset_q <= !rst_ni;
    all_q <= all_now;
    quiet_q <= rst_ni && idle && read_active == '0 && write_active == '0;
    if (read_left_q == '0) asked_q <= read_i;
    if (write_left_q == '0) put_q <= write_i;
    read_left_q <= rst_ni ? read_active & ~read_turn : '0;
    write_left_q <= rst_ni ? write_active & ~write_turn : '0;
    read_due_q <= !rst_ni || read_active == '0 ? '0 : read_left_q == '0 ? read_most : read_due_q - 3'd1;
    write_due_q <= !rst_ni || write_active == '0 ? '0 : write_left_q == '0 ? write_most : write_due_q - 3'd1;
    word_next_q <= word_next;
    if (hit) begin
      ever_q <= 1'b1;
      last_q <= word_next;
    end
    if (!started_q) ever_q <= 1'b0;

    // The arbitrary lane: what it must have read, and whether that was the arbitrary word
    if (read_turn[lane]) begin
      have_q <= 1'b1;
      expected_q <= {stored[(its_bank*Rows+its_a)*WordBits+:WordBits],
                     stored[(its_bank*Rows+its_b)*WordBits+:WordBits]};
      was_hit_q <= ever_q && its_bank == bank && its_a == row;
      was_q <= last_q;
    end
    if (!rst_ni) have_q <= 1'b0;
    if (read_left_q == '0) open_q <= read_active[lane];
    served_q <= read_turn[lane] || (read_left_q != '0 && served_q);
  end

  always_comb begin
    if (!started_q) assume (!rst_ni);
    assume (lane < Lanes && bank < Lanes && row < Rows);
    if (started_q) begin
      word_exact:   assert (word_now == word_next_q);  // R1: only the write whose turn it is changes it
      if (ever_q) last_written: assert (word_now == last_q);
      if (have_q) data_exact: assert (data[lane*WordsBits+:WordsBits] == expected_q);  // R1, R5
      if (have_q && was_hit_q) reads_last_written: assert (data[lane*WordsBits+WordBits+:WordBits] == was_q);
      answer_exact: assert (valid == (read_due_q == 3'd1));  // R3, R4: after as many cycles as turns
      busy_exact:   assert (read_busy == (read_due_q > 3'd1) && write_busy == (write_due_q > 3'd1));  // R2, R3
      turns_left:   assert (read_left_q != '0 ? read_due_q == read_most + 3'd1 : read_due_q <= 3'd1);
      writes_left:  assert (write_left_q != '0 ? write_due_q == write_most + 3'd1 : write_due_q <= 3'd1);
      left_exist:   assert ((read_left_q & ~read_active) == '0 && (write_left_q & ~write_active) == '0);
      in_time:      assert (read_due_q <= Lanes && write_due_q <= Lanes);
      if (!Naive) one_cycle: assert (!read_busy && !write_busy);
      if (read_due_q != '0 && open_q) waits_or_served: assert (served_q == !read_left_q[lane]);
      if (read_due_q != '0 && served_q) served_has: assert (have_q);
      if (valid && open_q) not_lost: assert (served_q && have_q);  // R4
      if (reset_q) forgets: assert (!valid && !read_busy && !write_busy && idle);  // R6
      idle_exact:   assert (idle == (!valid && !read_busy && !write_busy));
      if (quiet_q) idle_stays: assert (all_now == all_q && idle);
      if (Naive) begin
        // What waits in the block is what waits here.
        reading_kept: assert (\i_dut.g_naive.reading_q == kept_reads);
        writing_kept: assert (\i_dut.g_naive.writing_q == kept_writes);
        if (read_due_q == '0) nothing_arrives: assert (\i_dut.g_naive.arrival_q == '0);
      end
      if (rst_ni && !reset_q) begin
        read_back:    cover (valid && have_q && was_hit_q && was_q != '0 && open_q);
        old_and_new:  cover (hit && ever_q && word_next != word_now && read_turn[lane] && its_bank == bank &&
                             its_a == row);
        back_to_back: cover (valid && read_active != '0 && read_due_q == 3'd1);
        all_lanes:    cover (read_active == '1 && write_active == '1 && read_left_q == '0 && write_left_q == '0);
        rests:        cover (quiet_q && ever_q && have_q);
      end
    end
  end
  // What only some kinds do
  logic runs;
  assign runs = started_q && rst_ni && !reset_q;
  if (Naive) begin : g_naive_covers
    always_comb begin
      longest:         cover (runs && read_due_q == 3'd3 && write_due_q == 3'd3);
      last_turn:       cover (runs && read_turn == 3'b100 && lane == 2'd2 && read_due_q == 3'd2 && its_bank == bank &&
                              ever_q);
      not_taken:       cover (runs && read_busy && write_busy && read_i != '0 && write_i != '0);
      changes_between: cover (runs && read_busy && !write_busy && hit && its_bank == bank && read_left_q[lane]);
    end
  end
  if (Ideal) begin : g_ideal_covers
    always_comb begin
      one_home: cover (runs && read_active == '1 && read_bank == '0);
      twice:    cover (runs && write_active == '1 && hit && write_bank == '0 && write_row == '0);
    end
  end
  if (!Static) begin : g_row_covers
    always_comb begin
      dropped:  cover (runs && read_active != '0 && !read_busy && read_i[lane*ReadBits+ReadBits-1] &&
                       !read_active[lane]);
      own_rows: cover (runs && read_turn == '1 && row_a[0+:RowBits] != row_a[RowBits+:RowBits]);
    end
  end
endmodule
