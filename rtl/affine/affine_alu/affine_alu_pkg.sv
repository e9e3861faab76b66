// SPDX-License-Identifier: Apache-2.0
// Records and codes of the affine ALU, as in affine_alu.h.
package affine_alu_pkg;
  `include "affine_alu_point.svh"

  // AffineOp
  parameter logic [3:0] OpNone = 4'd0;
  parameter logic [3:0] OpMov = 4'd1;
  parameter logic [3:0] OpNeg = 4'd2;
  parameter logic [3:0] OpAdd = 4'd3;
  parameter logic [3:0] OpSub = 4'd4;
  parameter logic [3:0] OpMul = 4'd5;
  parameter logic [3:0] OpMad = 4'd6;
  parameter logic [3:0] OpShl = 4'd7;
  parameter logic [3:0] OpMinS = 4'd8;
  parameter logic [3:0] OpMaxS = 4'd9;
  parameter logic [3:0] OpMinU = 4'd10;
  parameter logic [3:0] OpMaxU = 4'd11;
  parameter logic [3:0] OpRemS = 4'd12;
  parameter logic [3:0] OpRemU = 4'd13;
  parameter logic [3:0] OpSelect = 4'd14;

  // AffineError
  parameter logic [1:0] ErrorNone = 2'd0;
  parameter logic [1:0] ErrorNotAffine = 2'd1;
  parameter logic [1:0] ErrorDivision = 2'd2;
  parameter logic [1:0] ErrorByZero = 2'd3;

  typedef struct packed {
    logic [WordBits-1:0] base;
    logic [WordBits-1:0] offset_x;
    logic [WordBits-1:0] offset_y;
    logic [WordBits-1:0] offset_z;
    logic [WordBits-1:0] block_x;
    logic [WordBits-1:0] block_y;
    logic [WordBits-1:0] block_z;
  } Tuple;

  typedef struct packed {
    logic valid;
    logic [WordBits-1:0] last_x;
    logic [WordBits-1:0] last_y;
    logic [WordBits-1:0] last_z;
    logic [WordBits-1:0] last_block_x;
    logic [WordBits-1:0] last_block_y;
    logic [WordBits-1:0] last_block_z;
  } Extents;

  typedef struct packed {
    logic valid;
    logic [1:0] error;
    logic [WordBits-1:0] base;
    logic [WordBits-1:0] offset_x;
    logic [WordBits-1:0] offset_y;
    logic [WordBits-1:0] offset_z;
    logic [WordBits-1:0] block_x;
    logic [WordBits-1:0] block_y;
    logic [WordBits-1:0] block_z;
  } Result;
endpackage
