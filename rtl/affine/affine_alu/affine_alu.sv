// SPDX-License-Identifier: Apache-2.0
// Affine ALU: SystemVerilog twin of affine_alu.h, which states the contract; rules R1..R9 in README.md.
// A tuple and the extents are also words: direction d (0: z of blockIdx, 5: x of threadIdx) is at d times the width, the
// base above them.
module affine_alu (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic [3:0] op_i,
  input  affine_alu_pkg::Tuple a_i,
  input  affine_alu_pkg::Tuple b_i,
  input  affine_alu_pkg::Tuple c_i,
  input  affine_alu_pkg::Extents extents_i,
  output affine_alu_pkg::Result result_o,
  output logic idle_o
);
  localparam int W = affine_alu_pkg::WordBits;
  localparam int Directions = 6;
  localparam int Components = 7;
  localparam int SumBits = W + 4;  // of a base and six spans

  logic [Directions*W-1:0] last_q;
  affine_alu_pkg::Result result_d;

  // ---- what each operand is: a, b, c at 0, 1, 2 ----
  logic [3*Components*W-1:0] operands;
  logic is_signed, wraps, falls;
  logic [2:0] is_constant, fits;
  /* verilator lint_off UNUSEDSIGNAL */  // nobody asks for the highest value of c
  logic [3*W-1:0] low, high;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [W-1:0] turned, offset, last, step;
  logic [2*W-1:0] span;
  logic [SumBits-1:0] up, down, top;
  always_comb begin
    is_signed = op_i == affine_alu_pkg::OpMinS || op_i == affine_alu_pkg::OpMaxS || op_i == affine_alu_pkg::OpRemS;
    operands = {c_i, b_i, a_i};
    is_constant = '1;
    {fits, low, high} = '0;
    {offset, last, step, span, falls} = '0;
    for (int k = 0; k < 3; k++) begin
      turned = operands[(k*Components+Directions)*W+:W];
      if (is_signed && k != 2) turned[W-1] = !turned[W-1];
      wraps = 1'b0;
      up = '0;
      down = '0;
      for (int d = 0; d < Directions; d++) begin
        offset = operands[(k*Components+d)*W+:W];
        last = last_q[d*W+:W];
        if (offset != '0 && last != '0) is_constant[k] = 1'b0;  // R2
        falls = offset[W-1];
        step = falls ? -offset : offset;
        span = {{W{1'b0}}, step} * {{W{1'b0}}, last};
        if (span[2*W-1:W] != '0) wraps = 1'b1;
        if (falls) down = down + SumBits'(span[W-1:0]);
        else up = up + SumBits'(span[W-1:0]);
      end
      top = SumBits'(turned) + up;
      fits[k] = !wraps && down <= SumBits'(turned) && top[SumBits-1:W] == '0;  // R6
      low[k*W+:W] = turned - down[W-1:0];
      high[k*W+:W] = top[W-1:0];
    end
  end

  // ---- how a and b compare, and what a division leaves ----
  logic same, a_below, b_below, natural, divides;
  logic [W-1:0] b_base, modulus, mask, most;
  always_comb begin
    same = a_i.base == b_i.base;
    for (int d = 0; d < Directions; d++) begin
      if (operands[d*W+:W] != operands[(Components+d)*W+:W] && last_q[d*W+:W] != '0) same = 1'b0;
    end
    a_below = same || (fits[0] && fits[1] && high[0+:W] <= low[W+:W]);  // R7
    b_below = fits[0] && fits[1] && high[W+:W] <= low[0+:W];

    b_base = b_i.base;  // R8
    modulus = is_signed && b_base[W-1] ? -b_base : b_base;
    mask = modulus - 1'b1;
    natural = fits[0] && (!is_signed || low[W-1]);
    most = high[0+:W];
    if (is_signed) most[W-1] = !most[W-1];
    divides = (modulus & mask) == '0 && (!is_signed || natural);
    for (int d = 0; d < Directions; d++) begin
      if ((operands[d*W+:W] & mask) != '0 && last_q[d*W+:W] != '0) divides = 1'b0;
    end
  end

  // ---- R1: the operands of x * factor + addend ----
  logic [Components*W-1:0] x, addend, sum;
  logic [W-1:0] factor;
  logic only_base, unknown, holds, fails;
  logic [1:0] error;
  always_comb begin
    x = a_i;
    addend = '0;
    factor = '0;
    factor[0] = 1'b1;
    only_base = 1'b0;
    unknown = 1'b0;
    error = affine_alu_pkg::ErrorNone;
    holds = fits[2] && low[2*W+:W] != '0;
    fails = is_constant[2] && c_i.base == '0;
    case (op_i)
      affine_alu_pkg::OpNone, affine_alu_pkg::OpMov: only_base = 1'b0;
      affine_alu_pkg::OpNeg: factor = '1;
      affine_alu_pkg::OpAdd: addend = b_i;
      affine_alu_pkg::OpSub: begin
        x = b_i;
        factor = '1;
        addend = a_i;
      end
      affine_alu_pkg::OpMul, affine_alu_pkg::OpMad: begin  // R3
        if (is_constant[1]) begin
          factor = b_base;
        end else begin
          x = b_i;
          factor = a_i.base;
        end
        if (is_constant[1:0] == '0) error = affine_alu_pkg::ErrorNotAffine;
        if (op_i == affine_alu_pkg::OpMad) addend = c_i;
      end
      affine_alu_pkg::OpShl: begin  // R4
        factor = factor << b_base;
        if (!is_constant[1]) error = affine_alu_pkg::ErrorNotAffine;
      end
      affine_alu_pkg::OpMinS, affine_alu_pkg::OpMinU: begin  // R7
        if (!a_below) x = b_i;
        if (!a_below && !b_below) error = affine_alu_pkg::ErrorNotAffine;
      end
      affine_alu_pkg::OpMaxS, affine_alu_pkg::OpMaxU: begin  // R7
        if (a_below) x = b_i;
        if (!a_below && !b_below) error = affine_alu_pkg::ErrorNotAffine;
      end
      affine_alu_pkg::OpRemS, affine_alu_pkg::OpRemU: begin  // R8
        if (!is_constant[1]) begin
          error = affine_alu_pkg::ErrorNotAffine;
        end else if (modulus == '0) begin
          error = affine_alu_pkg::ErrorByZero;
        end else if (!(natural && most < modulus)) begin
          only_base = 1'b1;
          if (!divides) error = is_constant[0] ? affine_alu_pkg::ErrorDivision : affine_alu_pkg::ErrorNotAffine;
        end
      end
      affine_alu_pkg::OpSelect: begin  // R9
        if (fails) x = b_i;
        if (!holds && !fails && !same) error = affine_alu_pkg::ErrorNotAffine;
      end
      default: unknown = 1'b1;
    endcase

    for (int i = 0; i < Components; i++) sum[i*W+:W] = x[i*W+:W] * factor + addend[i*W+:W];
    if (only_base) begin
      sum[Directions*W-1:0] = '0;
      sum[Directions*W+:W] = sum[Directions*W+:W] & mask;
    end
    result_d = '0;
    if (op_i != affine_alu_pkg::OpNone && !unknown) begin
      result_d = {1'b1, error, error == affine_alu_pkg::ErrorNone ? sum : {Components*W{1'b0}}};  // R5
    end
  end

  // Registers
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      result_o <= '0;
      idle_o <= 1'b1;
      last_q <= '1;  // any launch is within
    end else begin
      result_o <= result_d;
      idle_o <= !result_d.valid;
      if (extents_i.valid) last_q <= extents_i[Directions*W-1:0];
      illegal: assert (!unknown);
    end
  end
endmodule
