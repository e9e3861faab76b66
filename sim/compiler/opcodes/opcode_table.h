// SPDX-License-Identifier: Apache-2.0
// The one table of opcodes. A row says how a PTX opcode is spelt, which operands it takes, which unit it needs, and
// what it computes. To support a new opcode is to add a row (opcodes_*.cpp); only an opcode whose operands follow a
// new pattern needs a new lowering as well (lowering.cpp).
//
//   spelling            the whole opcode with its types: "add.s32", "cvt.rzi.s32.f32"
//   Pattern             how operands map to instructions
//   result, operands    the register class that each operand must have
//
// Memory opcodes have hundreds of spellings (ld.volatile.global.v2.u32); one row stands for all of them, and
// memory_form.h reads the suffixes, which come from small tables too.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "sim/compiler/opcodes/evaluators.h"

namespace heddle::compiler {

enum class Pattern : std::uint8_t {
  Plain,       // d, a [, b [, c]]: one instruction
  Compare,     // p[|q], a, b [, c]: setp; `inverse` computes q
  Carry,       // d, a, b: the third source is the carry; `carry_out` computes the next one
  ProductSum,  // d, a, b, c: two opcodes, `steps`: t = a * b, d = t + c
  Insert,      // d, a, b, position, length: bfi; the third source packs position and length
  Logic,       // d, a, b, c, table: lop3; one opcode for each table. lop3.or, lop3.and: d|p, a, b, c, table, q
  Convert,     // cvt d, a: either register may be wider than its type
  Move,        // mov: also addresses of variables, special registers, and packing {lo, hi}
  Address,     // d, a: where `a` may be a variable, for its address
  Load,
  Store,
  Atomic,
  Reduction,  // [address] operands
  Branch,
  BranchTable,  // brx.idx
  Call,
  Exit,
  Barrier,
  WarpWide,  // d[|p], operands, member mask: warp_wide_lowering.h, and barriers too
  Fence,
  Trap,
  Texture,  // tex: {d}, [texture, {coordinates}]: texture_lowering.h
  NoEffect  // hints: operands of any kind
};

/// Register class of an operand.
enum class Class : std::uint8_t { None, Predicate, Narrow, Wide };

struct Opcode {
  std::string spelling;
  Pattern pattern = Pattern::Plain;
  isa::Kind kind = isa::Kind::Compute;
  isa::Unit unit = isa::Unit::Alu;
  isa::Op op = isa::Op::Other;
  bool half_rate = false;      // as of an Instruction
  std::uint8_t narrowest = 0;  // the same
  Class result = Class::None;
  std::array<Class, 3> operands{Class::None, Class::None, Class::None};
  Evaluators evaluate;
  Evaluators inverse;                // of a comparison
  Evaluators carry_out;              // of an opcode that ends in .cc
  std::array<std::string, 2> steps;  // of ProductSum: spellings
  isa::AtomicOp atomic = isa::AtomicOp::None;
  isa::WarpOp warp_op = isa::WarpOp::None;
  bool meets = false;  // a warp-wide operation with a member mask
  isa::BarrierOp barrier_op = isa::BarrierOp::Sync;
};

/// The row for an opcode as written, or nullptr. Rows live as long as the program.
const Opcode* find_opcode(const std::string& spelling);

/// The spelling of the row that lop3 with this table is lowered to; its brace keeps it out of PTX.
std::string three_input_logic(unsigned table);

/// The row that computes the predicate of such a shuffle, in the same way.
std::string in_range_of_shuffle(isa::WarpOp op);

/// All rows, in the order of the table: for tests and for `heddle list`.
const std::vector<Opcode>& opcode_table();

// Parts of the table, each in its own file.
void add_integer_opcodes(std::vector<Opcode>& table);
void add_bit_opcodes(std::vector<Opcode>& table);
void add_byte_opcodes(std::vector<Opcode>& table);
void add_carry_opcodes(std::vector<Opcode>& table);
void add_float_opcodes(std::vector<Opcode>& table);
void add_approximate_opcodes(std::vector<Opcode>& table);
void add_compare_opcodes(std::vector<Opcode>& table);
void add_convert_opcodes(std::vector<Opcode>& table);
void add_control_and_memory_opcodes(std::vector<Opcode>& table);
void add_warp_wide_opcodes(std::vector<Opcode>& table);

}  // namespace heddle::compiler
