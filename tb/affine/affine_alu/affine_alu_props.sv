// The affine ALU is sound: in any one thread within the extents the value of a result is the operation on the values of
// the operands, for any operation and any launch. And it is not idle: where R1 to R4 promise a tuple there is one.
// Tuples are those of the paper, a base, an offset of threadIdx.x and one of blockIdx.x; the other directions are the same
// logic again (the bench has all six).
module affine_alu_props (
  input logic clk_i,
  input logic rst_ni,
  input logic [3:0] op_i,
  input logic [3*affine_alu_pkg::WordBits-1:0] a_paper_i,  // base, offset, block offset
  input logic [3*affine_alu_pkg::WordBits-1:0] b_paper_i,
  input logic [3*affine_alu_pkg::WordBits-1:0] c_paper_i,
  input logic extents_valid_i,
  input logic [2*affine_alu_pkg::WordBits-1:0] last_i,
  input logic [2*affine_alu_pkg::WordBits-1:0] index_i  // of one thread: threadIdx.x, blockIdx.x
);
  localparam int W = affine_alu_pkg::WordBits;
  localparam int Directions = 6;

  localparam logic [W-1:0] Zero = '0;
  function automatic logic [7*W-1:0] tuple_of(input logic [3*W-1:0] paper);
    tuple_of = {paper[3*W-1:W], Zero, Zero, paper[W-1:0], Zero, Zero};
  endfunction

  affine_alu_pkg::Tuple a_i, b_i, c_i;
  affine_alu_pkg::Extents extents_i;
  logic [Directions*W-1:0] thread_i;
  assign a_i = tuple_of(a_paper_i);
  assign b_i = tuple_of(b_paper_i);
  assign c_i = tuple_of(c_paper_i);
  assign extents_i = {extents_valid_i, last_i[2*W-1:W], Zero, Zero, last_i[W-1:0], Zero, Zero};
  assign thread_i = {index_i[2*W-1:W], Zero, Zero, index_i[W-1:0], Zero, Zero};

  affine_alu_pkg::Result result;
  affine_alu i_dut (.clk_i, .rst_ni, .op_i, .a_i, .b_i, .c_i, .extents_i, .result_o(result));
  (* hierconn *) logic [Directions*W-1:0] \i_dut.last_q ;

  function automatic logic [W-1:0] value(input logic [7*W-1:0] tuple, input logic [Directions*W-1:0] index);
    value = tuple[Directions*W+:W];
    for (int d = 0; d < Directions; d++) value = value + tuple[d*W+:W] * index[d*W+:W];
  endfunction

  // The thread of this cycle is within the extents; the result of its operation is there in the next one.
  logic within, moves_a, moves_b;
  always_comb begin
    within = 1'b1;
    moves_a = 1'b0;
    moves_b = 1'b0;
    for (int d = 0; d < Directions; d++) begin
      if (thread_i[d*W+:W] > \i_dut.last_q [d*W+:W]) within = 1'b0;
      if (\i_dut.last_q [d*W+:W] != '0 && a_i[d*W+:W] != '0) moves_a = 1'b1;
      if (\i_dut.last_q [d*W+:W] != '0 && b_i[d*W+:W] != '0) moves_b = 1'b1;
    end
  end

  logic started_q = 1'b0;
  logic reset_q, moves_a_q, moves_b_q;
  logic [3:0] op_q;
  logic [W-1:0] a_q, b_q, c_q;
  logic [Directions*W-1:0] thread_q;
  logic [Directions*W:0] extents_q;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    reset_q <= !rst_ni;
    op_q <= op_i;
    a_q <= value(a_i, thread_i);
    b_q <= value(b_i, thread_i);
    c_q <= value(c_i, thread_i);
    thread_q <= thread_i;
    moves_a_q <= moves_a;
    moves_b_q <= moves_b;
    extents_q <= extents_i;
  end

  logic signed [W-1:0] a_signed, b_signed;
  logic [W-1:0] a_size, b_size, left, expected, got;
  logic fine;
  always_comb begin
    a_signed = a_q;
    b_signed = b_q;
    a_size = a_q[W-1] ? -a_q : a_q;
    b_size = b_q[W-1] ? -b_q : b_q;
    left = op_q == affine_alu_pkg::OpRemS ? a_size % b_size : a_q % b_q;
    case (op_q)
      affine_alu_pkg::OpMov: expected = a_q;
      affine_alu_pkg::OpNeg: expected = -a_q;
      affine_alu_pkg::OpAdd: expected = a_q + b_q;
      affine_alu_pkg::OpSub: expected = a_q - b_q;
      affine_alu_pkg::OpMul: expected = a_q * b_q;
      affine_alu_pkg::OpMad: expected = a_q * b_q + c_q;
      affine_alu_pkg::OpShl: expected = a_q << b_q;
      affine_alu_pkg::OpMinS: expected = a_signed < b_signed ? a_q : b_q;
      affine_alu_pkg::OpMaxS: expected = a_signed < b_signed ? b_q : a_q;
      affine_alu_pkg::OpMinU: expected = a_q < b_q ? a_q : b_q;
      affine_alu_pkg::OpMaxU: expected = a_q < b_q ? b_q : a_q;
      affine_alu_pkg::OpRemS: expected = a_q[W-1] ? -left : left;
      affine_alu_pkg::OpRemU: expected = left;
      default: expected = c_q != '0 ? a_q : b_q;
    endcase
    got = value(result[7*W-1:0], thread_q);
    fine = result.valid && result.error == affine_alu_pkg::ErrorNone;
  end

  always_comb begin
    if (!started_q) assume (!rst_ni);
    assume (within);
    if (started_q) begin
      if (reset_q) reset_clears: assert (result == '0 && \i_dut.last_q == '1);
      if (!reset_q) begin
        if (fine) sound: assert (got == expected);
        answers:          assert (result.valid == (op_q != affine_alu_pkg::OpNone && op_q != 4'd15));
        if (!fine) no_tuple: assert (result[7*W-1:0] == '0);
        extents_taken:    assert (!extents_q[Directions*W] || \i_dut.last_q == extents_q[Directions*W-1:0]);
        if (op_q >= affine_alu_pkg::OpMov && op_q <= affine_alu_pkg::OpSub) linear: assert (fine);
        if (op_q == affine_alu_pkg::OpMul || op_q == affine_alu_pkg::OpMad)
          scalar_times: assert (fine == !(moves_a_q && moves_b_q));
        if (op_q == affine_alu_pkg::OpShl) scalar_shift: assert (fine == !moves_b_q);
        if (op_q >= affine_alu_pkg::OpMinS && op_q <= affine_alu_pkg::OpMaxU && !moves_a_q && !moves_b_q)
          scalars_compare: assert (fine);
        if (op_q == affine_alu_pkg::OpRemS || op_q == affine_alu_pkg::OpRemU) begin
          by_zero:      assert (moves_b_q || (result.error == affine_alu_pkg::ErrorByZero) == (b_q == '0));
          only_divides: assert (result.error != affine_alu_pkg::ErrorDivision || (!moves_a_q && !moves_b_q));
        end

        smaller_moves:  cover (fine && op_q == affine_alu_pkg::OpMinS && moves_a_q && moves_b_q && got == a_q && a_q != b_q);
        rem_is_itself:  cover (fine && op_q == affine_alu_pkg::OpRemS && moves_a_q && got != '0);
        rem_is_mask:    cover (fine && op_q == affine_alu_pkg::OpRemU && moves_a_q && got != a_q);
        selected:       cover (fine && op_q == affine_alu_pkg::OpSelect && c_q != '0 && moves_a_q && got != b_q);
        not_affine:     cover (result.error == affine_alu_pkg::ErrorNotAffine && op_q == affine_alu_pkg::OpMaxU);
      end
    end
  end
endmodule
