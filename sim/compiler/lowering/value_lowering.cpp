// SPDX-License-Identifier: Apache-2.0
// Arithmetic, the carry, comparisons and moves.
#include <fmt/format.h>

#include "sim/compiler/lowering/function_lowering.h"

namespace heddle::compiler {

using isa::Source;
using ptx::Operand;

// ---- Values ----

void FunctionLowering::lower_plain() {
  unsigned sources = 0;
  while (sources < 3 && opcode_->operands[sources] != Class::None) ++sources;
  expect_operands(1 + sources);
  const auto& operands = statement_->operands;
  add_row(*opcode_, operand(0), {operands.begin() + 1, operands.end()});
}

void FunctionLowering::lower_insert() {
  expect_operands(5);
  const Opcode& pack = *find_opcode(opcode_->result == Class::Wide ? "bfi.field.b64 {" : "bfi.field.b32 {");
  const Operand &position = operand(3), &length = operand(4);
  Operand field = position;
  if (position.kind == Operand::Kind::Immediate && length.kind == Operand::Kind::Immediate) {
    field.value = pack.evaluate.one(position.value, length.value, 0);
  } else {
    field = compute(pack.spelling, {position, length});
  }
  add_row(*opcode_, operand(0), {operand(1), operand(2), field});
}

void FunctionLowering::lower_logic() {
  const bool combines = opcode_->spelling != "lop3.b32";
  expect_operands(combines ? 6 : 5);
  const Operand& table = operand(4);
  if (table.kind != Operand::Kind::Immediate || table.value > 0xff) fail(table.where, "expected a table from 0 to 255");
  if (combines && operand(0).kind != Operand::Kind::Pair) fail(operand(0).where, "expected d|p");
  Operand value = combines ? operand(0).elements[0] : operand(0);
  const bool is_sink = combines && value.name == "_";
  if (is_sink) value = new_register(Class::Narrow, value.where);
  add_row(three_input_logic(static_cast<unsigned>(table.value)), value, {operand(1), operand(2), operand(3)});
  result_.code.back().body.mnemonic = keep(fmt::format("{}.{:#04x}", opcode_->spelling, table.value));
  if (is_sink) make_unconditional();
  // p says that d is not zero, combined with q.
  if (combines)
    add_row(opcode_->spelling == "lop3.or.b32" ? "setp.ne.or.u32" : "setp.ne.and.u32", operand(0).elements[1],
            {value, number(0), operand(5)});
}

void FunctionLowering::lower_convert() {
  expect_operands(2);
  const Operand &result = operand(0), &from = operand(1);
  const bool extends = opcode_->result == Class::Narrow && data_class(result, Class::Narrow) == Class::Wide;
  const Operand converted = extends ? new_register(Class::Narrow, result.where) : result;
  VirtualInstruction& instruction = add_instruction();
  set_destination(instruction, converted, opcode_->result);
  set_source(instruction, 0, from, data_class(from, opcode_->operands[0]));  // the evaluator cuts it
  if (!extends) return;
  make_unconditional();
  // The result is in its 32 bits as its type says: cvt.s16.s32 has its sign there.
  const std::string& spelling = opcode_->spelling;
  const char sign = spelling[spelling.rfind('.', spelling.rfind('.') - 1) + 1];
  add_row(sign == 's' ? "cvt.s64.s32" : "cvt.u64.u32", result, {converted});
}

// ---- The carry ----

void FunctionLowering::lower_product_sum() {
  expect_operands(4);
  const Operand product = compute(opcode_->steps[0], {operand(1), operand(2)});
  add_with_carry(*find_opcode(opcode_->steps[1]), operand(0), product, operand(3));
}

void FunctionLowering::add_with_carry(const Opcode& opcode, const Operand& result, const Operand& a, const Operand& b) {
  const bool reads_carry = opcode.operands[2] == Class::Predicate;
  const bool writes_carry = opcode.carry_out.one != nullptr;
  if (writes_carry && !reads_carry) add_carry_out(opcode, a, b);
  const bool sum_waits = writes_carry && reads_carry && (result.name == a.name || result.name == b.name);
  const Operand sum = sum_waits ? new_register(opcode.result, result.where) : result;
  add_row(opcode, sum, {a, b});
  if (reads_carry) read_carry();
  if (sum_waits) make_unconditional();
  if (writes_carry && reads_carry) add_carry_out(opcode, a, b);
  if (sum_waits) add_row(move_row(opcode.result), result, {sum});
}

void FunctionLowering::add_carry_out(const Opcode& opcode, const Operand& a, const Operand& b) {
  VirtualInstruction& instruction = add_instruction(opcode);
  instruction.set_evaluators(opcode.carry_out);
  instruction.body.destination.id = isa::CarryId;
  set_source(instruction, 0, a, opcode.operands[0]);
  set_source(instruction, 1, b, opcode.operands[1]);
  if (opcode.operands[2] == Class::Predicate) read_carry();
}

void FunctionLowering::read_carry() {
  Source& source = result_.code.back().body.sources[2];
  source.kind = Source::Kind::Predicate;
  source.index = isa::CarryPredicate;
}

// ---- Comparisons ----

void FunctionLowering::lower_compare() {
  const bool combines = opcode_->operands[2] != Class::None;
  expect_operands(combines ? 4 : 3);
  const Operand& result = operand(0);
  if (result.kind != Operand::Kind::Pair) return add_comparison(result, opcode_->evaluate, opcode_->op);
  // p and q come from two instructions: the one that overwrites the predicate operand must be the second.
  const Operand &p = result.elements[0], &q = result.elements[1];
  const bool q_first = combines && p.name == operand(3).name;
  if (!q_first) add_comparison(p, opcode_->evaluate, opcode_->op);
  add_comparison(q, opcode_->inverse, isa::Op::Other);  // its spelling says the opposite
  if (q_first) add_comparison(p, opcode_->evaluate, opcode_->op);
}

void FunctionLowering::add_comparison(const Operand& result, const Evaluators& evaluate, isa::Op op) {
  if (result.name == "_") return;
  VirtualInstruction& instruction = add_instruction();
  instruction.body.op = op;
  instruction.set_evaluators(evaluate);
  set_destination(instruction, result, Class::Predicate);
  for (unsigned index = 0; index < 3; ++index)
    if (opcode_->operands[index] != Class::None)
      set_source(instruction, index, operand(1 + index), opcode_->operands[index]);
}

// ---- Moves ----

void FunctionLowering::lower_move() {
  expect_operands(2);
  const bool is_64_bit = opcode_->result == Class::Wide;
  if (operand(0).kind == Operand::Kind::Vector) return unpack(is_64_bit);
  if (operand(1).kind == Operand::Kind::Vector) return pack(is_64_bit);
  move_address_or_value();
}

void FunctionLowering::move_address_or_value() {
  const Operand& from = operand(1);
  const auto address = address_of(from);
  if (address && address->space == isa::Space::Global && opcode_->result != Class::Wide)
    fail(from.where, fmt::format("the address of {} needs a 64-bit register", from.name));
  if (address && address->is_in_frame) {
    if (opcode_->pattern == Pattern::Move) return move_frame_address(operand(0), address->source.value + from.value);
    const Operand place = new_register(opcode_->operands[0], from.where);
    move_frame_address(place, address->source.value + from.value);
    return add_row(*opcode_, operand(0), {place});
  }
  const Operand moved = address ? add_offset(*address, from) : from;
  VirtualInstruction& instruction = add_instruction();
  set_destination(instruction, operand(0), opcode_->result);
  if (const unsigned handle = function_handle(module_, from.name); handle != 0) {
    instruction.set_immediate(0, handle);
  } else if (address && moved.name == from.name) {
    instruction.body.sources[0] = address->source;
  } else {
    set_source(instruction, 0, moved, opcode_->operands[0]);
  }
}

std::optional<VariableAddress> FunctionLowering::address_of(const Operand& name) {
  if (name.kind != Operand::Kind::Name || name.name.empty()) return std::nullopt;
  if (symbols_.find_parameter(name.name) != nullptr) return symbols_.address_of_parameters(name.where);
  return symbols_.address_of(name);
}

Operand FunctionLowering::add_offset(const VariableAddress& address, const Operand& name) {
  const isa::Parameter* parameter = symbols_.find_parameter(name.name);
  const std::uint64_t offset = name.value + (parameter == nullptr ? 0 : parameter->offset);
  if (offset == 0) return name;
  if (address.source.kind == Source::Kind::Immediate) return number(address.source.value + offset);
  const Operand sum = new_register(Class::Wide, name.where);
  VirtualInstruction& instruction = add_instruction(*find_opcode("add.u64"));
  set_destination(instruction, sum, Class::Wide);
  instruction.body.sources[0] = address.source;
  instruction.set_immediate(1, offset);
  make_unconditional();
  return sum;
}

void FunctionLowering::unpack(bool is_64_bit) {
  const std::vector<Operand>& parts = parts_of(operand(0), is_64_bit);
  const auto bits = static_cast<unsigned>((is_64_bit ? 64 : 32) / parts.size());
  const Opcode& shift = *find_opcode(is_64_bit ? "shr.b64" : "shr.b32");
  for (unsigned part = 0; part < parts.size(); ++part) {
    if (parts[part].name == "_") continue;
    VirtualInstruction& instruction = add_instruction();
    instruction.set_evaluators(shift.evaluate);
    set_destination(instruction, parts[part], Class::Narrow);
    set_source(instruction, 0, operand(1), opcode_->operands[0]);
    instruction.set_immediate(1, part * bits);
  }
}

void FunctionLowering::pack(bool is_64_bit) {
  const std::vector<Operand>& parts = parts_of(operand(1), is_64_bit);
  if (parts.size() == 2) return add_row(is_64_bit ? "mov.b64 {" : "mov.b32 {", operand(0), parts);
  const Operand low = compute("mov.b32 {", {parts[0], parts[1]}), high = compute("mov.b32 {", {parts[2], parts[3]});
  add_row("mov.b64 {", operand(0), {low, high});
}

const std::vector<Operand>& FunctionLowering::parts_of(const Operand& vector, bool is_64_bit) {
  const std::size_t count = vector.elements.size();
  if (opcode_->result == Class::Predicate || !(count == 2 || (count == 4 && is_64_bit)))
    fail(vector.where, "only vectors of two parts, or of four of 16 bits, are supported here");
  return vector.elements;
}

}  // namespace heddle::compiler
