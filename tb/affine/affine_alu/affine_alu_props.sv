// SPDX-License-Identifier: Apache-2.0
// The affine ALU in both directions, for any operation and any launch. Sound: in any one thread within the extents the
// value of a result is the operation on the values of the operands. Complete: there is a result exactly where the values
// of single threads promise one, and a refusal names their reason. Ranges are those of exact integers at the corners of
// the indices; whether a tuple moves, or two differ, is asked of the first thread and its neighbours. The block has
// spans, sums of them and offsets instead.
// Tuples have offsets in any two of the six directions, the same two for all operands; the bench has all six at once.
module affine_alu_props (
  input logic clk_i,
  input logic rst_ni,
  input logic [3:0] op_i,
  input logic [3*affine_alu_pkg::WordBits-1:0] a_two_i,  // base, and an offset in each of the two directions
  input logic [3*affine_alu_pkg::WordBits-1:0] b_two_i,
  input logic [3*affine_alu_pkg::WordBits-1:0] c_two_i,
  input affine_alu_pkg::Extents extents_i,
  input logic [6*affine_alu_pkg::WordBits-1:0] thread_i  // indices of one thread
);
  localparam int W = affine_alu_pkg::WordBits;
  localparam int Directions = 6;
  localparam int ExactBits = 2 * W + 3;  // a base and two products, with a sign

  localparam logic [2:0] one = 3'd5;
  localparam logic [2:0] other = 3'd1;

  function automatic logic [7*W-1:0] tuple_of(input logic [3*W-1:0] two, input logic [2:0] d1, input logic [2:0] d2);
    tuple_of = '0;
    tuple_of[Directions*W+:W] = two[2*W+:W];
    for (int d = 0; d < Directions; d++) begin
      if (32'(d1) == d) tuple_of[d*W+:W] = two[W+:W];
      if (32'(d2) == d) tuple_of[d*W+:W] = two[0+:W];
    end
  endfunction

  affine_alu_pkg::Tuple a_i, b_i, c_i;
  assign a_i = tuple_of(a_two_i, one, other);
  assign b_i = tuple_of(b_two_i, one, other);
  assign c_i = tuple_of(c_two_i, one, other);

  affine_alu_pkg::Result result;
  logic idle;
  affine_alu i_dut (.clk_i, .rst_ni, .op_i, .a_i, .b_i, .c_i, .extents_i, .result_o(result), .idle_o(idle));
  (* hierconn *) logic [Directions*W-1:0] \i_dut.last_q ;

  function automatic logic [W-1:0] value(input logic [7*W-1:0] tuple, input logic [Directions*W-1:0] index);
    value = tuple[Directions*W+:W];
    for (int d = 0; d < Directions; d++) value = value + tuple[d*W+:W] * index[d*W+:W];
  endfunction

  // The thread of this cycle is within the extents; the result of its operation is there in the next one.
  logic within;
  logic [W-1:0] last_one, last_other;
  always_comb begin
    within = 1'b1;
    {last_one, last_other} = '0;
    for (int d = 0; d < Directions; d++) begin
      if (thread_i[d*W+:W] > \i_dut.last_q [d*W+:W]) within = 1'b0;
      if (32'(one) == d) last_one = \i_dut.last_q [d*W+:W];
      if (32'(other) == d) last_other = \i_dut.last_q [d*W+:W];
    end
  end

  // ---- an operand as single threads see it: a, b, c at 0, 1, 2 ----
  logic signed_op, moves_a, moves_b, moves_c, alike, fit_a, fit_b, fit_c, steps_divide;
  logic [9*W-1:0] all_two;
  logic [2:0] moves, fits;
  logic [3*ExactBits-1:0] least, most;
  logic [W-1:0] first, next_one, next_other, b_size, first_a, one_a, other_a;
  logic signed [W-1:0] step_one, step_other;
  logic signed [ExactBits-1:0] from, along_one, along_other, corner, low, high;
  always_comb begin
    signed_op = op_i == affine_alu_pkg::OpMinS || op_i == affine_alu_pkg::OpMaxS || op_i == affine_alu_pkg::OpRemS;
    all_two = {c_two_i, b_two_i, a_two_i};
    {moves, fits, least, most} = '0;
    for (int k = 0; k < 3; k++) begin
      first = all_two[(3*k+2)*W+:W];
      next_one = first + all_two[(3*k+1)*W+:W];
      next_other = first + all_two[3*k*W+:W];
      moves[k] = (last_one != '0 && next_one != first) || (last_other != '0 && next_other != first);
      step_one = all_two[(3*k+1)*W+:W];
      step_other = all_two[3*k*W+:W];
      from = ExactBits'(first);
      if (signed_op && k != 2 && first[W-1]) from = from - ExactBits'(1 << W);
      along_one = step_one * $signed({1'b0, {(W+2){1'b0}}, last_one});
      along_other = step_other * $signed({1'b0, {(W+2){1'b0}}, last_other});
      low = from;
      high = from;
      for (int i = 1; i < 4; i++) begin
        corner = from + (i % 2 != 0 ? along_one : '0) + (i / 2 != 0 ? along_other : '0);
        if (corner < low) low = corner;
        if (corner > high) high = corner;
      end
      least[k*ExactBits+:ExactBits] = low;
      most[k*ExactBits+:ExactBits] = high;
      if (signed_op && k != 2) fits[k] = low >= -(1 << (W - 1)) && high < (1 << (W - 1));
      else fits[k] = low >= 0 && high < (1 << W);
    end
    {moves_c, moves_b, moves_a} = moves;
    {fit_c, fit_b, fit_a} = fits;
    first_a = a_two_i[2*W+:W];
    one_a = first_a + a_two_i[W+:W];
    other_a = first_a + a_two_i[0+:W];
    alike = first_a == b_two_i[2*W+:W] && (last_one == '0 || one_a == b_two_i[2*W+:W] + b_two_i[W+:W]) &&
            (last_other == '0 || other_a == b_two_i[2*W+:W] + b_two_i[0+:W]);
    b_size = signed_op && b_i.base[W-1] ? -b_i.base : b_i.base;
    // neighbours leave the same remainder; by a power of two then all threads do
    steps_divide = $countones(b_size) == 1 && (last_one == '0 || one_a % b_size == first_a % b_size) &&
                   (last_other == '0 || other_a % b_size == first_a % b_size);
  end

  // ---- what these threads promise ----
  logic promised;
  logic [1:0] reason;
  logic signed [ExactBits-1:0] low_a, high_a, low_b, high_b, low_c;
  always_comb begin
    low_a = least[0+:ExactBits];
    high_a = most[0+:ExactBits];
    low_b = least[ExactBits+:ExactBits];
    high_b = most[ExactBits+:ExactBits];
    low_c = least[2*ExactBits+:ExactBits];
    reason = affine_alu_pkg::ErrorNotAffine;
    case (op_i)
      affine_alu_pkg::OpMul, affine_alu_pkg::OpMad: promised = !moves_a || !moves_b;
      affine_alu_pkg::OpShl: promised = !moves_b;
      affine_alu_pkg::OpMinS, affine_alu_pkg::OpMinU, affine_alu_pkg::OpMaxS, affine_alu_pkg::OpMaxU:
        promised = alike || (fit_a && fit_b && (high_a <= low_b || high_b <= low_a));
      affine_alu_pkg::OpRemS, affine_alu_pkg::OpRemU: begin
        promised = !moves_b && b_i.base != '0 &&
                   ((fit_a && low_a >= 0 && high_a < $signed(ExactBits'(b_size))) ||
                    (steps_divide && (!signed_op || (fit_a && low_a >= 0))));
        if (!moves_b && !moves_a) reason = affine_alu_pkg::ErrorDivision;
        if (!moves_b && b_i.base == '0) reason = affine_alu_pkg::ErrorByZero;
      end
      affine_alu_pkg::OpSelect: promised = alike || (fit_c && low_c > 0) || (!moves_c && c_i.base == '0);
      default: promised = 1'b1;
    endcase
  end

  logic started_q = 1'b0;
  logic reset_q, moves_a_q, moves_b_q, promised_q, quiet_q;
  logic [1:0] reason_q;
  logic [3:0] op_q;
  logic [W-1:0] a_q, b_q, c_q;
  logic [Directions*W-1:0] thread_q, last_q;
  affine_alu_pkg::Result result_q;
  affine_alu_pkg::Extents extents_q;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    reset_q <= !rst_ni;
    op_q <= op_i;
    a_q <= value(a_i, thread_i);
    b_q <= value(b_i, thread_i);
    c_q <= value(c_i, thread_i);
    thread_q <= thread_i;
    {moves_a_q, moves_b_q, promised_q, reason_q} <= {moves_a, moves_b, promised, reason};
    extents_q <= extents_i;
    last_q <= \i_dut.last_q ;
    result_q <= result;
    quiet_q <= rst_ni && idle && op_i == affine_alu_pkg::OpNone && !extents_i.valid;
  end

  logic signed [W-1:0] a_signed, b_signed;
  logic [W-1:0] a_size, b_divides, left, expected, got;
  logic fine;
  always_comb begin
    a_signed = a_q;
    b_signed = b_q;
    a_size = a_q[W-1] ? -a_q : a_q;
    b_divides = b_q[W-1] ? -b_q : b_q;
    left = op_q == affine_alu_pkg::OpRemS ? a_size % b_divides : a_q % b_q;
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
    assume (within);  // an input: which thread is looked at
    assume (32'(one) < Directions && 32'(other) < Directions && one != other);
    if (started_q) begin
      if (reset_q) reset_clears: assert (result == '0 && \i_dut.last_q == '1 && idle);
      if (quiet_q) idle_stays: assert (result == result_q && \i_dut.last_q == last_q && idle);
      idle_means: assert (!idle || result == '0);
      if (!reset_q) begin
        idle_comes: assert (op_q != affine_alu_pkg::OpNone || idle);
        answers:    assert (result.valid == (op_q != affine_alu_pkg::OpNone && op_q != 4'd15));
        if (fine) sound: assert (got == expected);
        if (result.valid) complete: assert (fine == promised_q);
        if (result.valid && !fine) reason_is: assert (result.error == reason_q);
        if (!fine) no_tuple: assert (result[7*W-1:0] == '0);
        extents_taken: assert (\i_dut.last_q == (extents_q.valid ? extents_q[Directions*W-1:0] : last_q));

        smaller_moves: cover (fine && op_q == affine_alu_pkg::OpMinS && moves_a_q && moves_b_q && got == a_q && a_q != b_q);
        rem_is_itself: cover (fine && op_q == affine_alu_pkg::OpRemS && moves_a_q && got != '0);
        rem_is_mask:   cover (fine && op_q == affine_alu_pkg::OpRemU && moves_a_q && got != a_q);
        selected:      cover (fine && op_q == affine_alu_pkg::OpSelect && c_q != '0 && moves_a_q && got != b_q);
        product_moves: cover (fine && op_q == affine_alu_pkg::OpMad && moves_b_q && a_q > 1 && c_q != '0);
        not_affine:    cover (result.error == affine_alu_pkg::ErrorNotAffine && op_q == affine_alu_pkg::OpMaxU);
        division:      cover (result.error == affine_alu_pkg::ErrorDivision);
        two_move:      cover (fine && op_q == affine_alu_pkg::OpMaxS && thread_q[5*W+:W] != '0 && thread_q[W+:W] != '0 &&
                              result.offset_x != '0 && result.block_y != '0);
      end
    end
  end
endmodule
