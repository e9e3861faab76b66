// SPDX-License-Identifier: Apache-2.0
// Records of the register file, as in register_file.h. Included: Lanes, Rows, WordBits and Kind.
package register_file_pkg;
  `include "register_file_point.svh"
  parameter int BankBits = Lanes > 1 ? $clog2(Lanes) : 1;
  parameter int RowBits = Rows > 1 ? $clog2(Rows) : 1;
  parameter int ReadBits = 1 + BankBits + 2 * RowBits;
  parameter int WriteBits = 1 + BankBits + RowBits + WordBits;
  parameter int WordsBits = 2 * WordBits;
  parameter int ArrivalBits = 1 + BankBits;

  // RegisterAccess
  parameter int Ideal = 0;
  parameter int Naive = 1;
  parameter int Static = 2;
  parameter int LaneAware = 3;

  typedef struct packed {
    logic valid;
    logic [BankBits-1:0] bank;
    logic [RowBits-1:0] row_a;
    logic [RowBits-1:0] row_b;
  } Read;

  typedef struct packed {
    logic valid;
    logic [BankBits-1:0] bank;
    logic [RowBits-1:0] row;
    logic [WordBits-1:0] word;
  } Write;

  typedef struct packed {
    logic [WordBits-1:0] a;
    logic [WordBits-1:0] b;
  } Words;

  typedef struct packed {
    logic valid;
    logic [BankBits-1:0] bank;
  } Arrival;
endpackage
