// SPDX-License-Identifier: Apache-2.0
// Register file: SystemVerilog twin of register_file.h, which states the contract and the timing; rules R1-R7 there.
// Records of a port are one vector, lane 0 at the bottom.
module register_file (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic [register_file_pkg::Lanes*register_file_pkg::ReadBits-1:0] read_i,
  input  logic [register_file_pkg::Lanes*register_file_pkg::WriteBits-1:0] write_i,
  output logic [register_file_pkg::Lanes*register_file_pkg::WordsBits-1:0] data_o,
  output logic valid_o,
  output logic read_busy_o,
  output logic write_busy_o,
  output logic idle_o
);
  localparam int Lanes = register_file_pkg::Lanes;
  localparam int Rows = register_file_pkg::Rows;
  localparam int WordBits = register_file_pkg::WordBits;
  localparam int WordsBits = register_file_pkg::WordsBits;
  localparam int ReadBits = register_file_pkg::ReadBits;
  localparam int WriteBits = register_file_pkg::WriteBits;
  localparam int BankBits = register_file_pkg::BankBits;
  localparam int ArrivalBits = register_file_pkg::ArrivalBits;
  localparam int RowBits = register_file_pkg::RowBits;
  localparam bit Ideal = register_file_pkg::Kind == register_file_pkg::Ideal;
  localparam bit Naive = register_file_pkg::Kind == register_file_pkg::Naive;
  localparam bit AnyBank = Ideal || Naive;  // not only the lane's own
  localparam bit Static = register_file_pkg::Kind == register_file_pkg::Static;
  localparam int Words = Lanes * Rows;
  localparam int AddressBits = Words > 1 ? $clog2(Words) : 1;

  // ---- what each lane wants in this cycle: a new request, or, Naive, what is left of the last one ----
  logic [Lanes-1:0] reads, writes;  // ... and where it wants it there is a word
  // verilator lint_off UNUSEDSIGNAL
  logic [Lanes*BankBits-1:0] read_bank, write_bank;  // where a lane reaches its own bank alone nobody asks which
  // verilator lint_on UNUSEDSIGNAL
  logic [Lanes*RowBits-1:0] row_a, row_b, write_row;
  logic [Lanes*WordBits-1:0] word;
  logic [Lanes*ReadBits-1:0] read;
  logic [Lanes*WriteBits-1:0] write;

  logic read_legal, write_legal;

  // One lane's, and, Static, the rows of the lowest active lane
  register_file_pkg::Read asks_read;
  register_file_pkg::Write asks_write;
  // verilator lint_off UNUSEDSIGNAL
  register_file_pkg::Write other;  // of another lane's write only its place matters
  // verilator lint_on UNUSEDSIGNAL
  logic [RowBits-1:0] lowest_a, lowest_b, lowest;
  logic doubled;

  always_comb begin
    {lowest_a, lowest_b, lowest} = '0;
    for (int l = Lanes - 1; l >= 0; l--) begin
      asks_read = read[l*ReadBits+:ReadBits];
      asks_write = write[l*WriteBits+:WriteBits];
      if (asks_read.valid) {lowest_a, lowest_b} = {asks_read.row_a, asks_read.row_b};
      if (asks_write.valid) lowest = asks_write.row;
    end

    read_legal = 1'b1;
    write_legal = 1'b1;
    for (int l = 0; l < Lanes; l++) begin
      asks_read = read[l*ReadBits+:ReadBits];
      asks_write = write[l*WriteBits+:WriteBits];

      // R7, as the lanes ask; what waits was judged when it came
      doubled = 1'b0;
      for (int m = 0; m < l; m++) begin
        other = write[m*WriteBits+:WriteBits];
        if (AnyBank && other.valid && other.bank == asks_write.bank && other.row == asks_write.row) doubled = 1'b1;
      end
      if (asks_read.valid && !read_busy_o)
        if (32'(asks_read.bank) >= Lanes || 32'(asks_read.row_a) >= Rows || 32'(asks_read.row_b) >= Rows ||
            (!AnyBank && 32'(asks_read.bank) != l) ||
            (Static && {asks_read.row_a, asks_read.row_b} != {lowest_a, lowest_b})) read_legal = 1'b0;
      if (asks_write.valid && !write_busy_o)
        if (32'(asks_write.bank) >= Lanes || 32'(asks_write.row) >= Rows || doubled ||
            (!AnyBank && 32'(asks_write.bank) != l) || (Static && asks_write.row != lowest)) write_legal = 1'b0;

      // ... and as they are served
      if (!AnyBank) begin
        asks_read.bank = l[BankBits-1:0];
        asks_write.bank = l[BankBits-1:0];
      end
      if (Static) begin
        {asks_read.row_a, asks_read.row_b} = {lowest_a, lowest_b};
        asks_write.row = lowest;
      end
      reads[l] = rst_ni && asks_read.valid && 32'(asks_read.bank) < Lanes && 32'(asks_read.row_a) < Rows &&
                 32'(asks_read.row_b) < Rows;
      writes[l] = rst_ni && asks_write.valid && 32'(asks_write.bank) < Lanes && 32'(asks_write.row) < Rows;
      read_bank[l*BankBits+:BankBits] = asks_read.bank;
      write_bank[l*BankBits+:BankBits] = asks_write.bank;
      row_a[l*RowBits+:RowBits] = asks_read.row_a;
      row_b[l*RowBits+:RowBits] = asks_read.row_b;
      write_row[l*RowBits+:RowBits] = asks_write.row;
      word[l*WordBits+:WordBits] = asks_write.word;
    end
  end

  logic answers, reads_left, writes_left;

  if (Naive) begin : g_naive
    // R3: the lanes whose bank no lower lane wants
    logic [Lanes-1:0] read_turn, write_turn;
    logic [Lanes*ReadBits-1:0] reading_q;
    logic [Lanes*WriteBits-1:0] writing_q;
    logic [Lanes*WordsBits-1:0] bank_q, collected_q;
    logic [Lanes*ArrivalBits-1:0] arrival_q;
    assign read = read_busy_o ? reading_q : read_i;
    assign write = write_busy_o ? writing_q : write_i;
    assign reads_left = (reads & ~read_turn) != '0;
    assign writes_left = (writes & ~write_turn) != '0;
    assign answers = reads != '0 && !reads_left;

    for (genvar l = 0; l < Lanes; l++) begin : g_turn
      logic [Lanes-1:0] before_read, before_write;
      logic [ArrivalBits-1:0] arrival;  // valid, bank
      for (genvar m = 0; m < Lanes; m++) begin : g_other
        if (m < l) begin : g_lower
          assign before_read[m] = reads[m] && read_bank[m*BankBits+:BankBits] == read_bank[l*BankBits+:BankBits];
          assign before_write[m] = writes[m] && write_bank[m*BankBits+:BankBits] == write_bank[l*BankBits+:BankBits];
        end else begin : g_higher
          assign before_read[m] = 1'b0;
          assign before_write[m] = 1'b0;
        end
      end
      assign read_turn[l] = reads[l] && before_read == '0;
      assign write_turn[l] = writes[l] && before_write == '0;

      // The crossbar to the lane
      logic [WordsBits-1:0] arrived;
      assign arrival = arrival_q[l*ArrivalBits+:ArrivalBits];
      always_comb begin
        arrived = '0;
        for (int b = 0; b < Lanes; b++) begin
          if (arrival[BankBits-1:0] == BankBits'(b)) arrived = arrived | bank_q[b*WordsBits+:WordsBits];
        end
      end
      assign data_o[l*WordsBits+:WordsBits] = arrival[BankBits] ? arrived : collected_q[l*WordsBits+:WordsBits];

      // Registers
      always_ff @(posedge clk_i) begin
        if (rst_ni && arrival[BankBits]) collected_q[l*WordsBits+:WordsBits] <= arrived;
        arrival_q[l*ArrivalBits+:ArrivalBits] <=
          read_turn[l] ? {1'b1, read_bank[l*BankBits+:BankBits]} : '0;
        reading_q[l*ReadBits+:ReadBits] <= reads[l] && !read_turn[l] ? read[l*ReadBits+:ReadBits] : '0;
        writing_q[l*WriteBits+:WriteBits] <= writes[l] && !write_turn[l] ? write[l*WriteBits+:WriteBits] : '0;
      end
    end

    // The crossbars to the banks; one lane at most has its turn there.
    for (genvar b = 0; b < Lanes; b++) begin : g_bank
      logic [WordBits-1:0] word_q [Rows];
      logic [RowBits-1:0] at_a, at_b, at;
      logic [WordBits-1:0] put;
      logic is_read, is_written;
      always_comb begin
        {is_read, is_written, at_a, at_b, at, put} = '0;
        for (int l = 0; l < Lanes; l++) begin
          if (read_turn[l] && read_bank[l*BankBits+:BankBits] == BankBits'(b)) begin
            is_read = 1'b1;
            at_a = at_a | row_a[l*RowBits+:RowBits];
            at_b = at_b | row_b[l*RowBits+:RowBits];
          end
          if (write_turn[l] && write_bank[l*BankBits+:BankBits] == BankBits'(b)) begin
            is_written = 1'b1;
            at = at | write_row[l*RowBits+:RowBits];
            put = put | word[l*WordBits+:WordBits];
          end
        end
      end
      always_ff @(posedge clk_i) begin
        if (is_read) bank_q[b*WordsBits+:WordsBits] <= {word_q[at_a], word_q[at_b]};
        if (is_written) word_q[at] <= put;
      end
    end

    always_ff @(posedge clk_i) begin
      read_busy_o <= reads_left;
      write_busy_o <= writes_left;
    end
  end else begin : g_at_once
    assign read = read_i;
    assign write = write_i;
    assign reads_left = 1'b0;
    assign writes_left = 1'b0;
    assign answers = reads != '0;
    assign read_busy_o = 1'b0;
    assign write_busy_o = 1'b0;

    if (Ideal) begin : g_ideal
      logic [WordBits-1:0] word_q [Words];
      for (genvar l = 0; l < Lanes; l++) begin : g_port
        logic [AddressBits-1:0] at_a, at_b;
        assign at_a = AddressBits'(32'(read_bank[l*BankBits+:BankBits]) * Rows + 32'(row_a[l*RowBits+:RowBits]));
        assign at_b = AddressBits'(32'(read_bank[l*BankBits+:BankBits]) * Rows + 32'(row_b[l*RowBits+:RowBits]));
        always_ff @(posedge clk_i) begin
          if (reads[l]) data_o[l*WordsBits+:WordsBits] <= {word_q[at_a], word_q[at_b]};
        end
      end
      // The highest lane comes last.
      always_ff @(posedge clk_i) begin
        for (int l = 0; l < Lanes; l++) begin
          if (writes[l])
            word_q[AddressBits'(32'(write_bank[l*BankBits+:BankBits]) * Rows + 32'(write_row[l*RowBits+:RowBits]))] <=
              word[l*WordBits+:WordBits];
        end
      end
    end else begin : g_own
      for (genvar b = 0; b < Lanes; b++) begin : g_bank
        logic [WordBits-1:0] word_q [Rows];
        always_ff @(posedge clk_i) begin
          if (reads[b])
            data_o[b*WordsBits+:WordsBits] <= {word_q[row_a[b*RowBits+:RowBits]], word_q[row_b[b*RowBits+:RowBits]]};
          if (writes[b]) word_q[write_row[b*RowBits+:RowBits]] <= word[b*WordBits+:WordBits];
        end
      end
    end
  end

  // Registers
  always_ff @(posedge clk_i) begin
    valid_o <= answers;
    idle_o <= !answers && !reads_left && !writes_left;
  end

  // R7
  always_ff @(posedge clk_i) begin
    if (rst_ni) illegal: assert (read_legal && write_legal);
  end
endmodule
